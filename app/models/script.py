"""Facts about the text to be spoken, for the line above the editor and for the time axis."""

from __future__ import annotations

from dataclasses import dataclass

from engine.text.split import estimate_seconds, is_speakable


@dataclass(frozen=True, slots=True)
class ScriptFacts:
    """Length of a text.

    Attributes:
        characters: as a person counts them, without the white space around the text.
        seconds: rough guess of the spoken length.
        speakable: there is something to speak.
    """

    characters: int
    seconds: float
    speakable: bool

    @classmethod
    def of(cls, text: str) -> ScriptFacts:
        """Facts about ``text``."""
        trimmed = text.strip()
        if not trimmed:
            return cls(0, 0.0, False)
        return cls(len(trimmed), estimate_seconds(trimmed), is_speakable(trimmed))
