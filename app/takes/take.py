"""One take: what made it, what came of it, and the figures while it is made."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np

from app.takes.store import TakeStore
from app.takes.verdict import Verdict
from engine.synthesis import Pace
from engine.takes import Provenance
from engine.types import (
    AudioChunk,
    FinishReason,
    Metrics,
    ModelInfo,
    Sampling,
    SegmentStart,
    Summary,
    SynthesisRequest,
)


@dataclass(frozen=True, slots=True, eq=False)
class Origin:
    """What made a take; known from its first moment on.

    Attributes:
        voice: shown name of the voice, empty for none.
        info: the model that made it; ``None`` when only ``provenance`` tells.
        voice_ids: names in the library, in the order of ``request.references``.
        provenance: of a take that was kept or brought back, without codes.
    """

    request: SynthesisRequest
    voice: str
    seed: int
    made: datetime.datetime = field(default_factory=datetime.datetime.now)
    info: ModelInfo | None = None
    voice_ids: tuple[str, ...] = ()
    provenance: Provenance | None = None

    @property
    def model_name(self) -> str:
        """The model that made it; empty when it is not known."""
        if self.provenance is not None:
            return self.provenance.model
        return self.info.name if self.info is not None else ""


@dataclass(frozen=True, slots=True)
class Result:
    """What the engine said when it was done; the codes are in the take's store alone."""

    finish_reason: FinishReason
    metrics: Metrics
    warnings: tuple[str, ...] = ()

    @classmethod
    def of(cls, summary: Summary) -> Result:
        """The engine's summary without its codes."""
        return cls(summary.finish_reason, summary.metrics, summary.warnings)


@dataclass(slots=True, eq=False)
class Take:
    """A take of this run, or one that was kept before.

    Attributes:
        store: sound and codes; empty while only the archive holds them.
        number: counts up in one run of the program; 0 for one that was kept.
        result: set when the engine ended it.
        title: given by the user; empty for none.
        entry_id: name in the archive; empty while it is not there.
        kept_s: length of the sound that only the archive holds; ``None`` for none.
        began: monotonic clock at the start of the job.
        elapsed_s: seconds of work so far.
        begun: samples that were there before, when it goes on with another take.
        pace: how far the engine is with it; only of one that this run makes.
        group: what the takes of one press share; empty for a take of its own.
        part: it is a reading of a part of a script, and no take for itself.
        verdict: of :class:`app.takes.checking.TakeChecker`, once it was checked.
    """

    origin: Origin
    store: TakeStore
    number: int = 0
    result: Result | None = None
    title: str = ""
    starred: bool = False
    entry_id: str = ""
    kept_s: float | None = None
    began: float = 0.0
    elapsed_s: float = 0.0
    begun: int = 0
    pace: Pace | None = None
    group: str = ""
    part: bool = False
    verdict: Verdict | None = None
    _first_sound_s: float | None = None

    def note(self, event: object, now: float) -> None:
        """Take times from an event of the engine."""
        self.elapsed_s = now - self.began
        if self.pace is not None and isinstance(event, SegmentStart | AudioChunk):
            self.pace.note(event)
        if isinstance(event, AudioChunk) and self._first_sound_s is None:
            self._first_sound_s = self.elapsed_s

    def finish(self, summary: Summary | None) -> None:
        """The engine is done."""
        self.result = Result.of(summary) if summary is not None else None
        if self.result is not None and self.begun:
            whole = replace(
                self.result.metrics, frames=self.store.frames, audio_s=self.store.seconds
            )
            self.result = replace(self.result, metrics=whole)
        self.store.finish()

    def unload(self) -> None:
        """Let go of the sound; the archive has it."""
        self.kept_s = self.store.seconds
        self.store = TakeStore(self.store.format)

    @property
    def loaded(self) -> bool:
        """``store`` holds its sound; a kept take gets it when it is looked at."""
        return self.kept_s is None

    @property
    def seconds(self) -> float:
        """Length of its sound."""
        return self.store.seconds if self.kept_s is None else self.kept_s

    @property
    def cut(self) -> bool:
        """It was cut at the limit of frames."""
        return self.result is not None and self.result.finish_reason == "length"

    @property
    def first_sound_s(self) -> float | None:
        """Seconds to the first sample: the engine's own figure, or that measured from outside."""
        if self.result is not None and self.result.metrics.ttfa_ms > 0:
            return self.result.metrics.ttfa_ms / 1000
        return self._first_sound_s

    @property
    def rtf(self) -> float | None:
        """Real-time factor: seconds of work for a second of sound; ``None`` without sound."""
        if self.result is not None and self.result.metrics.total_rtf > 0:
            return self.result.metrics.total_rtf
        seconds = (self.store.length - self.begun) / self.store.rate
        return self.elapsed_s / seconds if seconds > 0 and self.elapsed_s > 0 else None


@dataclass(frozen=True, slots=True, eq=False)
class Head:
    """The beginning of a take that goes on, as it was made before.

    Attributes:
        samples: float32 ``(n,)``.
        codes: int32 ``(codebooks, frames)``.
        segments: first frame and first sample of each piece, with :attr:`texts` beside.
    """

    samples: np.ndarray
    codes: np.ndarray
    segments: tuple[tuple[int, int], ...]
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class PendingTake:
    """A take that is asked for.

    Attributes:
        request: with its seed.
        voice: shown name.
        listed: ``False`` for a part of another take: it is neither listed nor shown.
        head: what the take begins with, when the request goes on with it.
        others: further readings of the request, made in the same passes of the model.
        heard: it is played while it is made, when the user wants that at all.
        started: is handed the take when it is begun.
    """

    request: SynthesisRequest
    voice: str = ""
    voice_ids: tuple[str, ...] = ()
    listed: bool = True
    head: Head | None = None
    started: Callable[[Take], None] | None = None
    others: tuple[Sampling, ...] = ()
    heard: bool = True

    @property
    def readings(self) -> tuple[SynthesisRequest, ...]:
        """Everything that is to be spoken."""
        more = (replace(self.request, sampling=sampling) for sampling in self.others)
        return (self.request, *more)


class TakeMaker(Protocol):
    """Who makes takes; the feature knows no more of it."""

    @property
    def info(self) -> ModelInfo | None:
        """The loaded model, if any."""

    @property
    def running(self) -> Take | None:
        """The take that the engine works on."""

    def is_making(self, take: Take) -> bool:
        """More may come of ``take``."""

    @property
    def can_ask(self) -> bool:
        """A take can be asked for, though others may be made before it."""

    def ask(self, wish: PendingTake) -> bool:
        """Make a take now, or as soon as the engine is free; ``False`` after saying why not."""
