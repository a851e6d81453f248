"""Long text to segments that are spoken one by one (spec 06, section 8).

The segments cover the text without a gap: joined, they are the text, character for character.
What is said of a segment is its text without the blanks around it, behind the speaker tag that
is in force where it begins. The time is linear in the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from engine.errors import RequestError
from engine.text.break_points import BreakFinder
from engine.text.pauses import pause_seconds
from engine.text.sentences import sentence_ends
from engine.text.tags import SPEAKER_TAG, has_words, is_speakable, tag_spans

__all__ = [
    "Segment",
    "estimate_seconds",
    "has_words",
    "is_speakable",
    "split_segments",
    "split_sentences",
]

CHARS_PER_SECOND = 15.0
IDEOGRAPHS_PER_SECOND = 4.5
SYLLABLES_PER_SECOND = 6.5

_TAGS = re.compile(r"<\|[^<>|\s]{1,64}\|>|\[[^\[\]\n]{0,200}\]")
_IDEOGRAPH = re.compile("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_SYLLABLE = re.compile("[\u3041-\u3096\u30a1-\u30fa\uac00-\ud7a3]")
_BLANKS = re.compile(r"[\s\u200b\ufeff]+")


@dataclass(frozen=True, slots=True)
class Segment:
    """One segment of a text.

    Attributes:
        start, end: where it lies; the next segment starts at ``end``.
        speech: what to say, with the speaker tag in force; empty for a segment of punctuation
            that is passed over.
    """

    start: int
    end: int
    speech: str


def split_segments(text: str, max_chars: int = 0) -> list[Segment]:
    """Cut ``text`` into sentences and too long sentences into parts.

    Sentences end at full stops of any script, at line ends and paragraphs; not inside
    ``[...]`` and ``<|...|>``, numbers, abbreviations, initials and addresses, nor at an
    ellipsis that goes on with a small letter. A sentence of punctuation belongs to the one
    before it, a sentence of tags to the one after it.

    Args:
        max_chars: longest ``speech`` in characters (code points), a carried speaker tag
            counted; 0 is no limit. Only a single tag, or a character with its marks, can be
            longer.

    Raises:
        RequestError: ``max_chars`` is negative.
    """
    if max_chars < 0:
        raise RequestError("text.max_chars", max_chars=max_chars)
    spans = _sentences(text)
    if max_chars:
        spans = _cut_long(text, spans, max_chars)
    segments = list(_spoken(text, spans))
    if any(has_words(segment.speech) for segment in segments):
        return [_without_noise(segment) for segment in segments]
    return segments


def split_sentences(text: str, max_chars: int = 0) -> list[str]:
    """What to say of each segment of ``text``, in order; see :func:`split_segments`.

    Empty for a text with nothing visible. Each string carries the speaker tag in force.
    """
    return [
        segment.speech
        for segment in split_segments(text, max_chars)
        if is_speakable(segment.speech)
    ]


def estimate_seconds(text: str) -> float:
    """Rough guess of how long ``text`` takes to say, in seconds.

    15 characters a second, 4.5 for ideographs, 6.5 for kana and Hangul; tags take no time,
    pauses of exact length theirs.
    """
    plain = _BLANKS.sub(" ", _TAGS.sub(" ", text)).strip()
    ideographs = len(_IDEOGRAPH.findall(plain))
    syllables = len(_SYLLABLE.findall(plain))
    others = len(plain) - ideographs - syllables
    return (
        pause_seconds(text)
        + ideographs / IDEOGRAPHS_PER_SECOND
        + syllables / SYLLABLES_PER_SECOND
        + others / CHARS_PER_SECOND
    )


def _sentences(text: str) -> list[tuple[int, int]]:
    """Spans of sentences that each hold words, where the text has any."""
    spans: list[tuple[int, int]] = []
    waiting: int | None = None
    start = 0
    for end in sentence_ends(text):
        sentence = text[start:end]
        if has_words(sentence):
            spans.append((start if waiting is None else waiting, end))
            waiting = None
        elif waiting is None:
            if spans and not tag_spans(sentence):
                spans[-1] = (spans[-1][0], end)
            else:
                waiting = start
        start = end
    if waiting is not None:
        first = spans.pop()[0] if spans else waiting
        spans.append((first, len(text)))
    return spans


def _cut_long(text: str, spans: list[tuple[int, int]], max_chars: int) -> list[tuple[int, int]]:
    finder = BreakFinder(text, tag_spans(text))
    parts: list[tuple[int, int]] = []
    speakers = _Speakers(text)
    for start, end in spans:
        while start < end:
            # Half of the limit at least is left for the text itself.
            limit = max(max_chars - len(speakers.carried(start)), (max_chars + 1) // 2)
            cut = finder.next_cut(start, end, limit)
            parts.append((start, cut))
            start = cut
    return parts


def _spoken(text: str, spans: list[tuple[int, int]]) -> Iterator[Segment]:
    speakers = _Speakers(text)
    for start, end in spans:
        inside = text[start:end].strip()
        yield Segment(start, end, speakers.carried(start) + inside if inside else "")


def _without_noise(segment: Segment) -> Segment:
    """Drop the speech of bare punctuation; a segment of tags keeps what the user asked for."""
    speech = segment.speech
    styled = any(not SPEAKER_TAG.fullmatch(speech, *span) for span in tag_spans(speech))
    if styled or has_words(speech):
        return segment
    return Segment(segment.start, segment.end, "")


class _Speakers:
    """The speaker tag in force at ascending positions of a text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tags = SPEAKER_TAG.finditer(text)
        self._next = next(self._tags, None)
        self._active = ""

    def carried(self, start: int) -> str:
        """The tag to put in front of a segment at ``start``; empty when it has its own."""
        while self._next is not None and self._next.start() < start:
            self._active = self._next.group()
            self._next = next(self._tags, None)
        if self._next is not None and not self._text[start : self._next.start()].strip():
            return ""
        return self._active
