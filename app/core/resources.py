"""Finds the data files that ship with the program: icons, styles, voices.

They lie outside the packages, in three possible places: beside the packages in a source
tree, below ``sys.prefix/share`` in an ordinary install, and in the unpacked folder of a
frozen build. A missing file never stops the program: it then looks plainer.
"""

from __future__ import annotations

import sys
from pathlib import Path

SHARE = Path("share") / "s2-voice-studio"


def roots() -> list[Path]:
    """Folders that may hold ``resources`` and ``voices``, the most specific first."""
    found: list[Path] = []
    frozen = getattr(sys, "_MEIPASS", None)
    if frozen:
        found.append(Path(frozen))
    found.append(Path(__file__).resolve().parents[2])
    found.append(Path(sys.prefix) / SHARE)
    return found


def find(*parts: str) -> Path | None:
    """The first existing ``resources/<parts>``, or ``None``."""
    for root in roots():
        path = root.joinpath("resources", *parts)
        if path.exists():
            return path
    return None


def read_text(*parts: str) -> str:
    """The text of a resource, empty when it is missing or unreadable."""
    path = find(*parts)
    if path is None:
        return ""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def shipped_voices() -> Path | None:
    """The folder of the voices that came with the program, or ``None``."""
    for root in roots():
        path = root / "voices"
        if path.is_dir() and any(path.glob("*.s2voice")):
            return path
    return None
