"""Where the data that ships with the program lies: source tree, installed, or frozen."""

from __future__ import annotations

import filecmp
import sys
import sysconfig
from pathlib import Path

DATA_FOLDER = "s2-voice-studio"


def shipped(name: str) -> Path:
    """Folder ``name`` (``resources`` or ``voices``) of the shipped data.

    Looked for in a frozen program's folder, then beside the package in a source tree, then
    in the data folder of an ordinary installation.

    Raises:
        FileNotFoundError: the installation is not complete.
    """
    frozen = getattr(sys, "_MEIPASS", None)
    places = [Path(frozen) / name] if frozen else []
    places.append(Path(__file__).resolve().parents[2] / name)
    places.append(Path(sysconfig.get_path("data")) / "share" / DATA_FOLDER / name)
    for place in places:
        if place.is_dir():
            return place
    raise FileNotFoundError(f"the installation lacks its {name} folder; install it again")


def shipped_voices() -> Path:
    """Folder of the voices that ship with the program."""
    return shipped("voices")


def shipped_resources() -> Path:
    """Folder of icons, styles and models that ship with the program."""
    return shipped("resources")


def is_shipped(path: Path) -> bool:
    """Whether a file is ours: it lies among the shipped resources, or is a copy of one there.

    A demo voice that was copied elsewhere, with its tokenizer, must go on speaking.
    """
    try:
        folder = shipped_resources().resolve()
        if path.resolve().parent == folder:
            return True
        size = path.stat().st_size
        return any(
            own.stat().st_size == size and filecmp.cmp(own, path, shallow=False)
            for own in folder.glob(f"*{path.suffix}")
        )
    except OSError:
        return False


def demo_model() -> Path | None:
    """The small demo voice that ships with the program, or ``None`` where it is absent."""
    try:
        model = shipped_resources() / "demo_voice.gguf"
    except FileNotFoundError:
        return None
    return model if model.is_file() else None
