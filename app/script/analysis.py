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

from app.inference.segments import SegmentPlan, SplitMode, plan_segments
from app.inference.speakers import all_speakers, speakers_of
from app.script.tags import ALL_TAGS
from engine.text import (
    CONTROL_LIKE,
    SPEAKER_LIKE,
    SPEAKER_TAG,
    estimate_seconds,
    has_words,
    is_speakable,
    tag_spans,
)

NoteKind = Literal["words", "bracket", "speaker", "control", "voice", "tag"]

MAX_NOTES = 200
MAX_TAGS_CHECKED = 60

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
        return all_speakers(self.speakers, self.leading)


def look_at(text: str, mode: SplitMode = "auto") -> ScriptReport:
    """Work out everything about ``text``; the time is linear in its length."""
    facts = ScriptFacts.of(text)
    speakers, leading = speakers_of(text)
    return ScriptReport(facts, plan_segments(text, mode), find_notes(text), speakers, leading)


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
    for match in SPEAKER_LIKE.finditer(text):
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
