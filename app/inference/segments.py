"""Whether and how a long text is cut, so that no segment is too long for the model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.text import estimate_seconds, is_speakable, split_segments

SplitMode = Literal["auto", "always", "never"]

PASS_FRAMES = 600
FRAME_RATE = 44_100 / 2048
SAFETY = 0.8
SEGMENT_SECONDS = SAFETY * PASS_FRAMES / FRAME_RATE
"""A segment is planned to take so long, so that a slow speaker stays under 600 frames."""

MIN_SEGMENT_CHARS = 40
MAX_ROUNDS = 4
SAMPLE_CHARS = 20_000


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
