"""A text as it is spoken: pieces, and the silence around them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from engine.text.pauses import exact_pauses
from engine.text.split import is_speakable, split_segments
from engine.text.tags import SPEAKER_TAG, has_words, tag_spans


@dataclass(frozen=True, slots=True)
class SpokenSegment:
    """A part of a text that is spoken as one utterance.

    Attributes:
        text: what to say, with the speaker tag in force.
        before: seconds of silence that the text asks for in front of it; ``None`` where it asks
            for nothing.
    """

    text: str
    before: Fraction | None = None


@dataclass(frozen=True, slots=True)
class SpeechPlan:
    """All pieces of a text, and the silence that it asks for behind the last one, in seconds."""

    segments: tuple[SpokenSegment, ...]
    after: Fraction = Fraction(0)

    @property
    def texts(self) -> list[str]:
        """What to say of each piece."""
        return [piece.text for piece in self.segments]

    def silences(self, rate: int, pause_ms: int) -> list[int]:
        """Samples of silence in front of each piece, and behind the last one.

        ``pause_ms`` lies between two pieces where the text asks for nothing.
        """
        given = [None if p.before is None else round(p.before * rate) for p in self.segments]
        usual = rate * pause_ms // 1000
        inner = [usual if silence is None else silence for silence in given[1:]]
        return [given[0] or 0, *inner, round(self.after * rate)]


def plan_speech(text: str, *, sentences: bool = False, max_chars: int = 0) -> SpeechPlan:
    """Cut ``text`` at its pauses, and with ``sentences`` into sentences too.

    A text without such a pause that is not cut stays as it is. Of a part between two pauses that
    is punctuation alone nothing is said. No piece at all when there is nothing to say.

    Raises:
        RequestError: a pause is longer than a minute.
    """
    pauses = list(exact_pauses(text))
    if not pauses and not sentences:
        return SpeechPlan((SpokenSegment(text),) if is_speakable(text) else ())
    worded = has_words(text)
    pieces: list[SpokenSegment] = []
    waiting: Fraction | None = None
    speaker, at = "", 0
    for start, end, seconds in [*pauses, (len(text), len(text), Fraction(0))]:
        part = text[at:start]
        for said in _speeches(_with_speaker(part, speaker), sentences, max_chars, worded):
            pieces.append(SpokenSegment(said, waiting))
            waiting = None
        speaker = _last(part, speaker)
        if end > start:
            waiting = (waiting or Fraction(0)) + seconds
        at = end
    return SpeechPlan(tuple(pieces), waiting or Fraction(0))


def _speeches(part: str, sentences: bool, max_chars: int, worded: bool) -> list[str]:
    if sentences:
        found = [segment.speech for segment in split_segments(part, max_chars)]
    else:
        found = [part.strip()]
    return [said for said in found if is_speakable(said) and (not worded or _has_sound(said))]


def _has_sound(said: str) -> bool:
    """Words, or a tag of style alone, which the user asked for."""
    return has_words(said) or any(said[start] == "[" for start, _ in tag_spans(said))


def _last(part: str, speaker: str) -> str:
    """The speaker tag in force behind ``part``."""
    for found in SPEAKER_TAG.finditer(part):
        speaker = found.group()
    return speaker


def _with_speaker(part: str, speaker: str) -> str:
    """``part`` with the speaker tag in force in front, unless it begins with one."""
    bare = part.strip()
    return bare if not bare or SPEAKER_TAG.match(bare) else speaker + bare
