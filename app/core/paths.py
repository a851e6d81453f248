"""Where the studio keeps its files, as data that tests can point elsewhere, and what it ships.

A shipped file that is missing never stops the program: it then looks plainer.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from engine.storage import shipped, user_folder

APP_NAME = "s2-voice-studio"
SHIPPED = "shipped:"
"""In front of the key of a voice that came with the program."""


@dataclass(frozen=True, slots=True)
class Paths:
    """Folders of one run of the studio.

    Attributes:
        config: holds the settings file.
        data: holds what the user makes.
        voices: the user's own voice library.
        logs: holds the log file.
        shipped_voices: voices that came with the program, read only; ``None`` without any.
    """

    config: Path
    data: Path
    voices: Path
    shipped_voices: Path | None = None
    logs: Path | None = None

    @property
    def settings_file(self) -> Path:
        """The file of the window's settings."""
        return self.config / "studio.json"


def default_paths(
    voices: Path | None = None,
    shipped_voices: Path | None = None,
    root: Path | None = None,
) -> Paths:
    """The platform's folders for this user; ``voices`` replaces the library's folder.

    ``root`` puts settings and data below one folder instead, which is how a portable copy or
    a test keeps its hands off the user's home.
    """
    config = root / "config" if root else user_folder("config", APP_NAME)
    data = root / "data" if root else user_folder("data", APP_NAME)
    logs = root / "logs" if root else user_folder("log", APP_NAME)
    return Paths(config, data, voices or data / "voices", shipped_voices, logs)


def find_resource(*parts: str) -> Path | None:
    """The shipped file or folder ``resources/<parts>``, or ``None``."""
    try:
        path = shipped.shipped_resources().joinpath(*parts)
    except FileNotFoundError:
        return None
    return path if path.exists() else None


def read_resource(*parts: str) -> str:
    """The text of a shipped file, empty when it is missing or unreadable."""
    path = find_resource(*parts)
    try:
        return path.read_text(encoding="utf-8") if path else ""
    except (OSError, UnicodeDecodeError):
        return ""


def shipped_voices() -> Path | None:
    """The folder of the voices that came with the program, or ``None``."""
    try:
        return shipped.shipped_voices()
    except FileNotFoundError:
        return None


def stand_in_path() -> Path:
    """Where the stand-in model is kept once it was made."""
    folder = user_folder("cache") / "stand-in"
    return folder / "stand-in.gguf"
