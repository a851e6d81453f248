"""How far a synthesis of a long text is, and how long the rest will take."""

from __future__ import annotations

import time
from collections.abc import Callable

from engine.text.split import estimate_seconds
from engine.text.tags import find_piece
from engine.types import AudioChunk, Event, SegmentStart

SURE_AFTER_S = 3.0


class Pace:
    """Fed with the events of one synthesis; what is said of the rest is a guess from the text,
    whose length in ``seconds`` may be known already.

    Attributes:
        piece, pieces: number of the piece that is spoken, from 1, and of all; 0 before the first.
        share: of the text that is spoken, 0 to 1.
    """

    def __init__(
        self, text: str, clock: Callable[[], float] = time.monotonic, seconds: float | None = None
    ) -> None:
        self.piece = self.pieces = 0
        self.share = 0.0
        self._text, self._clock = text, clock
        self._whole = max(estimate_seconds(text) if seconds is None else seconds, 1e-3)
        self._at, self._before, self._length = 0, 0.0, 0.0
        self._sound = 0.0
        self._began: tuple[float, float] | None = None

    def note(self, event: Event) -> None:
        """Take an event."""
        if isinstance(event, SegmentStart):
            start, end = find_piece(self._text, event.text, self._at)
            self._before += estimate_seconds(self._text[self._at : start]) + self._length
            self._length, self._sound, self._at = estimate_seconds(event.text), 0.0, end
            self.piece, self.pieces = event.index + 1, event.total
        elif isinstance(event, AudioChunk):
            self._sound += len(event.samples) / event.sample_rate
        else:
            return
        share = (self._before + min(self._sound, self._length)) / self._whole
        self.share = min(share, 1.0)
        if self._began is None:
            self._began = self._clock(), self.share

    @property
    def left_s(self) -> float | None:
        """Seconds until the end at the pace so far; ``None`` while it is too early to tell."""
        if self._began is None or not self.share:
            return None
        at, share = self._began
        spent, done = self._clock() - at, self.share - share
        if spent < SURE_AFTER_S or done <= 0:
            return None
        return spent / done * (1 - self.share)


def rough(seconds: float) -> str:
    """A guessed time, no finer than it deserves: ``40 s``, ``4 min``, ``1 h 10 min``."""
    if seconds < 55:
        return f"{max(5, 5 * round(seconds / 5))} s"
    minutes = max(1, round(seconds / 60))
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
