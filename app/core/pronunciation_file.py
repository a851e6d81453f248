"""The list of pronunciations: a text file beside the settings, which people may edit and share."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from app.core.text_files import write_text
from engine.text import (
    Pronunciations,
    checked_pronunciations,
    dump_pronunciations,
    read_pronunciations,
)

NAME = "pronunciations.txt"
_HEAD = "# word = what to say; a word with a capital counts only as it is written\n"


class PronunciationFile:
    """Reads the list when it is asked for, so that a change by hand counts at once.

    Attributes:
        path: the file, which need not exist.
    """

    def __init__(self, settings: Path) -> None:
        """``settings`` is the file beside which the list lies."""
        self.path = settings.with_name(NAME)

    def read(self) -> Pronunciations:
        """The list; empty without a file.

        Raises:
            RequestError: it cannot be read, or a line of it is no pronunciation.
        """
        return read_pronunciations(self.path) if self.path.exists() else ()

    def write(self, pairs: list[tuple[str, str]]) -> None:
        """Replace the list.

        Raises:
            RequestError: an entry cannot be used; nothing is written.
            OutputError: the place cannot be written.
        """
        text = _HEAD + dump_pronunciations(checked_pronunciations(pairs))
        with suppress(OSError):  # the writing will tell
            self.path.parent.mkdir(parents=True, exist_ok=True)
        write_text(self.path, text)
