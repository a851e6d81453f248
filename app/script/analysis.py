"""What can be said of a script before it is spoken: length, segments, speakers, slips.

Everything here is plain data made from plain text, so it can be worked out on any thread.
Positions are in code points; :class:`TextMap` turns them into those of Qt's documents.
"""

from __future__ import annotations

import difflib
import re
from bisect import bisect_left
from dataclasses import dataclass
from typing import Literal

from app.script.tags import ALL_TAGS
from engine.text import (
    CONTROL_LIKE,
    SPEAKER_TAG,
    estimate_seconds,
    has_words,
    is_speakable,
    split_segments,
    tag_spans,
)

NoteKind = Literal["words", "bracket", "speaker", "control", "voice", "tag"]
SplitMode = Literal["auto", "always", "never"]

PASS_FRAMES = 600
FRAME_RATE = 44_100 / 2048
SAFETY = 0.8
SEGMENT_SECONDS = SAFETY * PASS_FRAMES / FRAME_RATE
"""A segment is planned to take so long, so that a slow speaker stays under 600 frames."""

MIN_SEGMENT_CHARS = 40
MAX_ROUNDS = 4
MAX_NOTES = 200
MAX_TAGS_CHECKED = 60
SAMPLE_CHARS = 20_000

_SPEAKER_LIKE = re.compile(r"<\s*\|?\s*speakers?\b[^<>\n]{0,24}>?", re.IGNORECASE)
_STYLE = re.compile(r"\[([^\[\]\n]{1,200})\]")


@dataclass(frozen=True, slots=True)
class ScriptFacts:
    """Length of a text.

    Attributes:
        characters: as a person counts them, without the white space around the text.
        seconds: rough guess of the spoken length.
    """

    characters: int
    seconds: float

    @classmethod
    def of(cls, text: str) -> ScriptFacts:
        """Facts about ``text``."""
        trimmed = text.strip()
        if not trimmed:
            return cls(0, 0.0)
        return cls(len(trimmed), estimate_seconds(trimmed))


@dataclass(frozen=True, slots=True)
class ScriptNote:
    """Something in the text that will not be what the writer means.

    Attributes:
        start, end: where.
        detail: what is written there, or for ``tag`` what may be meant.
    """

    kind: NoteKind
    start: int
    end: int
    detail: str = ""


@dataclass(frozen=True, slots=True)
class SegmentPlan:
    """How a text is cut.

    Attributes:
        split: it is spoken in segments.
        max_chars: longest segment in characters, for the engine; 0 when it is not split.
        starts: where the segments that are spoken begin.
    """

    split: bool
    max_chars: int = 0
    starts: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ScriptReport:
    """Everything about a text.

    Attributes:
        speakers: numbers of the speaker tags, ascending.
        leading: something is spoken before the first tag, or there is none; that is
            speaker 0's.
    """

    facts: ScriptFacts
    plan: SegmentPlan
    notes: tuple[ScriptNote, ...] = ()
    speakers: tuple[int, ...] = ()
    leading: bool = True

    @property
    def used(self) -> tuple[int, ...]:
        """Numbers of all speakers that say something."""
        return tuple(sorted({*self.speakers, *((0,) if self.leading else ())}))


def look_at(text: str, mode: SplitMode = "auto") -> ScriptReport:
    """Work out everything about ``text``; the time is linear in its length."""
    facts = ScriptFacts.of(text)
    tags = list(SPEAKER_TAG.finditer(text))
    speakers = tuple(sorted({int(tag.group(1)) for tag in tags}))
    leading = not tags or is_speakable(text[: tags[0].start()])
    return ScriptReport(facts, plan_segments(text, mode), find_notes(text), speakers, leading)


def plan_segments(text: str, mode: SplitMode = "auto") -> SegmentPlan:
    """Decide whether and how ``text`` is cut, so that no segment is too long for the model."""
    seconds = estimate_seconds(text)
    if mode == "never" or (mode == "auto" and seconds <= SEGMENT_SECONDS):
        return SegmentPlan(False)
    max_chars = _first_limit(text)
    for _ in range(MAX_ROUNDS):
        segments = [s for s in split_segments(text, max_chars) if is_speakable(s.speech)]
        longest = max((estimate_seconds(s.speech) for s in segments), default=0.0)
        if longest <= SEGMENT_SECONDS or max_chars <= MIN_SEGMENT_CHARS:
            break
        max_chars = max(MIN_SEGMENT_CHARS, int(max_chars * SEGMENT_SECONDS / longest))
    return SegmentPlan(True, max_chars, tuple(s.start for s in segments))


def _first_limit(text: str) -> int:
    """Characters of this text that take as long as a segment may."""
    sample = text.strip()[:SAMPLE_CHARS]
    seconds = estimate_seconds(sample)
    rate = len(sample) / seconds if seconds > 0 else 15.0
    return max(MIN_SEGMENT_CHARS, int(min(rate, 15.0) * SEGMENT_SECONDS))


def find_notes(text: str) -> tuple[ScriptNote, ...]:
    """Slips in ``text``, in order; at most 200."""
    notes: list[ScriptNote] = []
    if is_speakable(text) and not has_words(text):
        notes.append(ScriptNote("words", 0, len(text)))
    notes += _brackets(text)
    notes += _speakers(text)
    notes += _style_tags(text)
    return tuple(sorted(notes, key=lambda note: note.start)[:MAX_NOTES])


def _brackets(text: str) -> list[ScriptNote]:
    """Brackets that belong to no tag."""
    notes: list[ScriptNote] = []
    position = 0
    for start, end in [*tag_spans(text), (len(text), len(text))]:
        for match in re.compile(r"[\[\]]").finditer(text, position, start):
            at = match.start()
            notes.append(ScriptNote("bracket", at, at + 1, text[at : at + 24]))
            if len(notes) >= MAX_NOTES:
                return notes
        position = end
    return notes


def _speakers(text: str) -> list[ScriptNote]:
    """Speaker tags that are written wrong, and other control tokens."""
    notes = []
    right = {match.start() for match in SPEAKER_TAG.finditer(text)}
    wrong = set()
    for match in _SPEAKER_LIKE.finditer(text):
        if match.start() not in right:
            wrong.add(match.start())
            notes.append(ScriptNote("speaker", match.start(), match.end(), match.group().strip()))
    for match in CONTROL_LIKE.finditer(text):
        if match.start() not in right and match.start() not in wrong:
            notes.append(ScriptNote("control", match.start(), match.end(), match.group()))
    return notes


def _style_tags(text: str) -> list[ScriptNote]:
    """Tags that are nearly a documented one; others are free descriptions and fine."""
    notes = []
    known = set(ALL_TAGS)
    seen: dict[str, str] = {}
    for match in _STYLE.finditer(text):
        name = match.group(1).strip().lower()
        if name in known:
            continue
        if name not in seen:
            if len(seen) >= MAX_TAGS_CHECKED:
                break
            near = difflib.get_close_matches(name, ALL_TAGS, 1, 0.8) if len(name) < 24 else []
            seen[name] = near[0] if near else ""
        if seen[name]:
            notes.append(ScriptNote("tag", match.start(), match.end(), seen[name]))
    return notes


class TextMap:
    """Turns positions in code points into those of Qt's UTF-16 documents."""

    def __init__(self, text: str) -> None:
        self._wide = [] if text.isascii() else [i for i, char in enumerate(text) if char > "\uffff"]

    def to_qt(self, position: int) -> int:
        """The document's position of a code point."""
        return position + bisect_left(self._wide, position)
