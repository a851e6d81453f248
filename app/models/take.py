"""One take: what was asked, what came of it, and the figures while it is made."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field

from app.models.take_store import TakeStore
from engine.types import AudioChunk, FrameCodes, Summary, SynthesisRequest


@dataclass(slots=True)
class Take:
    """A take in memory.

    Attributes:
        number: counts up in one run of the studio.
        voice: shown name of the voice, empty for none.
        summary: set when the engine ended it.
        started: monotonic clock at the start of the job; 0 before.
        first_sound_s: seconds from there to the first sample.
        elapsed_s: seconds of work so far.
    """

    number: int
    request: SynthesisRequest
    voice: str
    seed: int
    store: TakeStore
    made: datetime.datetime = field(default_factory=datetime.datetime.now)
    summary: Summary | None = None
    started: float = 0.0
    first_sound_s: float | None = None
    elapsed_s: float = 0.0
    _generating_since: float | None = None

    def begin(self, now: float) -> None:
        """The engine begins to work on it."""
        self.started = now

    def note(self, event: object, now: float) -> None:
        """Take times from an event of the engine."""
        self.elapsed_s = now - self.started
        if isinstance(event, FrameCodes) and self._generating_since is None:
            self._generating_since = now
        if isinstance(event, AudioChunk) and self.first_sound_s is None:
            self.first_sound_s = now - self.started

    def finish(self, summary: Summary | None) -> None:
        """The engine is done; its own figures replace those measured from outside."""
        self.summary = summary
        if summary is not None and summary.metrics.ttfa_ms > 0:
            self.first_sound_s = summary.metrics.ttfa_ms / 1000
        self.store.finish()

    @property
    def rtf(self) -> float | None:
        """Real-time factor: seconds of work for a second of sound; ``None`` without sound."""
        if self.summary is not None and self.summary.metrics.total_rtf > 0:
            return self.summary.metrics.total_rtf
        seconds = self.store.seconds
        return self.elapsed_s / seconds if seconds > 0 else None
