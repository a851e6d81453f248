"""The recogniser on this machine: the optional extra, its model, and how its child starts."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

from engine.transcription.heard import TranscribeError

CHILD_FLAG = "--transcribe-child"
CHILD_MODULE = "engine.transcription.child"
INSTALL = "pip install 's2-voice-studio[transcribe]'"
ADVICE = {
    "missing": "transcribe.install",
    "model": "transcribe.choose_model",
    "memory": "transcribe.less_memory",
    "language": "transcribe.other_language",
}
"""Next step by the kind of error that the child tells."""
MODEL_FILES = ("model.bin", "config.json", "tokenizer.json")


def extra_installed() -> bool:
    """Whether the optional extra is there; it is not imported for that."""
    try:
        return importlib.util.find_spec("faster_whisper") is not None
    except (ImportError, ValueError):
        return False


def child_command() -> list[str]:
    """How to start the child, from an installation or from a packaged program."""
    if getattr(sys, "frozen", False):
        return [sys.executable, CHILD_FLAG]
    return [sys.executable, "-m", CHILD_MODULE]


def find_model(folder: Path) -> Path:
    """The model in ``folder``, or in one of the places below where downloads put it.

    Raises:
        TranscribeError: there is none; says what is missing.
    """
    candidates = [folder]
    for pattern in ("*", "snapshots/*", "*/snapshots/*"):
        candidates += sorted(path for path in folder.glob(pattern) if path.is_dir())
    for path in candidates:
        if all((path / name).is_file() for name in MODEL_FILES):
            return path
    missing = [name for name in MODEL_FILES if not (folder / name).is_file()]
    raise TranscribeError("transcribe.no_model", name=folder.name, missing=", ".join(missing))
