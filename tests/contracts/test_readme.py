"""What README tells a person to type is what this project really does."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

ROOT = Path(__file__).resolve().parents[2]


def command(name: str) -> str:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    found = re.search(rf"<!-- command: {name} -->\n```sh\n(.*?)```", text, re.DOTALL)
    assert found, f"README has no command marked {name}"
    return found.group(1)


def test_readme_has_both_commands_with_all_setup() -> None:
    for name in ("run", "tests"):
        text = command(name)
        assert "apt-get install" in text
        assert "-m venv" in text
        assert "pip install" in text


def test_ci_runs_the_readme_command() -> None:
    script = (ROOT / ".ci/run").read_text(encoding="utf-8")
    program = re.search(r"awk '(.*?)' README.md", script)
    assert program
    taken = subprocess.run(
        ["awk", program.group(1), "README.md"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert taken == command("tests")


def test_readme_names_the_weights_license_and_attribution() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "Fish Audio Research License" in text
    assert "Built with Fish Audio" in text


@pytest.mark.slow
def test_the_python_example_runs(
    models: Any, golden_file: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    found = re.search(r"```python\n(.*?)```", text, re.DOTALL)
    assert found
    shutil.copy(models.path("tiny-f32"), tmp_path / "s2-pro-q4_k_m.gguf")
    shutil.copy(models.tokenizer, tmp_path / "tokenizer.json")
    samples, rate = soundfile.read(golden_file("ref-mono-44k1.flac"), dtype="float32")
    soundfile.write(tmp_path / "clip.wav", samples, rate)
    monkeypatch.chdir(tmp_path)
    heard: list[np.ndarray] = []
    code = found.group(1).replace("...  #", "heard.append(event.samples)  #")
    exec(compile(code, "README.md", "exec"), {"heard": heard})
    assert sum(map(len, heard)) >= 2048
    assert all(np.isfinite(chunk).all() for chunk in heard)
