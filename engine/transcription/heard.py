"""Plain data of a transcription, and its error."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.errors import EngineError


class TranscribeError(EngineError):
    """A clip could not be transcribed."""


@dataclass(frozen=True, slots=True)
class HeardWord:
    """A word with its place in the sound, in seconds.

    Attributes:
        probability: of the recogniser, 0 to 1.
    """

    start: float
    end: float
    text: str
    probability: float = 1.0


@dataclass(frozen=True, slots=True)
class Transcript:
    """What is said in a clip.

    Attributes:
        language: code such as ``en``, chosen or detected.
        probability: of the detected language; 1 for a chosen one.
    """

    text: str
    language: str
    probability: float
    words: tuple[HeardWord, ...] = ()


@dataclass(frozen=True, slots=True)
class Heard:
    """A transcript, and how well the text that was to be said fits the sound.

    Attributes:
        fits: for each word of the text its place and the probability that it is said there; empty
            where the recogniser cannot tell.
        doubled: for words of the text, by index, the probability that they are said twice.
    """

    transcript: Transcript
    fits: tuple[HeardWord, ...] = ()
    doubled: tuple[tuple[int, float], ...] = ()


def heard_of(said: dict[str, Any]) -> Heard:
    """The last answer of the child process.

    Raises:
        ValueError, KeyError, TypeError: it is no such answer.
    """
    words = tuple(
        HeardWord(float(start), float(end), str(text), float(probability))
        for start, end, text, probability in said["words"]
    )
    transcript = Transcript(
        str(said["text"]).strip(), str(said["language"]), float(said["probability"]), words
    )
    fits = tuple(
        HeardWord(float(start), float(end), "", float(p)) for start, end, p in said.get("fits", ())
    )
    doubled = tuple((int(index), float(p)) for index, p in said.get("doubled", ()))
    return Heard(transcript, fits, doubled)
