"""The engine's public names are a promise: a change here is a change of version."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import soundfile

import engine

GUIDE = Path(engine.__file__).with_name("README.md")

PUBLIC = [
    "AudioChunk", "BusyError", "CancelToken", "CancelledError", "Capabilities", "Check", "Choice",
    "ContextError", "DeviceError", "Engine", "EngineError", "ExportFormat", "Exported",
    "FrameCodes", "GenerationError", "Metrics", "ModelFileError", "ModelInfo", "OutputError",
    "PostProcessing", "Progress", "Provenance", "ProvenanceError", "RatedTake",
    "ReferenceAudioError", "Rendering", "RequestError", "Resume", "Sampling", "SavedTake",
    "SegmentStart", "Segmentation", "StreamOptions", "Summary", "SynthesisRequest", "TakeArchive",
    "TakeFacts", "TokenizerError", "VoiceError", "VoiceLibrary", "VoiceProfile", "__version__",
    "best_take", "check_reference", "check_take", "export_take", "integrated_loudness",
    "read_audio", "read_provenance",
]  # fmt: skip


def test_all_is_pinned() -> None:
    assert list(engine.__all__) == PUBLIC


def test_every_public_name_resolves_and_is_documented() -> None:
    for name in PUBLIC:
        value = getattr(engine, name)
        assert name == "__version__" or value.__doc__


def test_importing_the_package_does_not_import_torch() -> None:
    code = (
        "import sys, engine; engine.Sampling(); "
        "print(sorted({'torch', 'soundfile'} & {*sys.modules}))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


@pytest.mark.slow
def test_the_examples_of_the_guide_run_in_order(
    models: Any, golden_file: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(models.path("tiny-f32"), tmp_path / "model.gguf")
    shutil.copy(models.tokenizer, tmp_path / "tokenizer.json")
    samples, rate = soundfile.read(golden_file("ref-mono-44k1.flac"), dtype="float32")
    soundfile.write(tmp_path / "clip.wav", samples, rate)
    monkeypatch.chdir(tmp_path)
    examples = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(examples) >= 8
    names: dict[str, Any] = {}
    for number, example in enumerate(examples, 1):
        exec(compile(example, f"example {number}", "exec"), names)
    for made in ("evening.wav", "again.flac", "my-voices/narrator.s2voice", "takes"):
        assert (tmp_path / made).exists(), made


def test_the_guide_names_every_public_error() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    errors = {name for name in PUBLIC if name.endswith("Error") and name != "EngineError"}
    assert not [name for name in errors if f"`{name}`" not in text]
