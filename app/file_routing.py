"""Where dropped files and those of the command line go: each kind has its own place."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from app.takes.files import AUDIO_ENDINGS
from engine.voices import BUNDLE, EXTENSION

OpenFile = Callable[[Path], None]


class FileRouting:
    """Hands files to what opens their kind; whatever has no kind may be a clip.

    Args:
        open_sound: looks whether a sound file is a take before it makes it the clip.
    """

    def __init__(
        self,
        open_model: OpenFile,
        open_text: OpenFile,
        open_sound: OpenFile,
        open_clip: OpenFile,
        add_voices: Callable[[list[Path]], None],
    ) -> None:
        self._open_clip = open_clip
        self._doing: dict[str, OpenFile] = {
            ".gguf": open_model,
            **dict.fromkeys((EXTENSION, BUNDLE), lambda path: add_voices([path])),
            ".txt": open_text,
            **dict.fromkeys(AUDIO_ENDINGS, open_sound),
        }

    def open(self, paths: Iterable[Path]) -> None:
        """Each kind of file goes where it belongs."""
        for path in paths:
            self._doing.get(path.suffix.lower(), self._open_clip)(path)
