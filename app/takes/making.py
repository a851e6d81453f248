"""Takes while one job of the engine makes them: from its events to their stores."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from app.inference.jobs import BatchJob, Outcome, Part, SynthesisJob
from app.inference.service import EngineService, JobHandle
from app.takes.progress import describe
from app.takes.provenance import format_of
from app.takes.store import TakeStore
from app.takes.take import Origin, PendingTake, Take
from engine.errors import EngineError, GenerationError
from engine.synthesis import Pace
from engine.text import estimate_seconds
from engine.types import AudioChunk, FrameCodes, ModelInfo, SegmentStart, Summary, SynthesisRequest


class TakesInMaking(QObject):
    """One wish that is being met: a take, or several readings that are made together.

    Attributes:
        takes: in the order of the wish's seeds.
        handle: the engine's job, after :meth:`begin`.

    Signals:
        sounded(): a take has its first sound.
        ended(Take): nothing more comes of it.
        failed(EngineError): of one take, or of all.
        done(): the job has ended, after the last take.
    """

    sounded = Signal()
    ended = Signal(object)
    failed = Signal(object)
    done = Signal()

    def __init__(
        self,
        wish: PendingTake,
        info: ModelInfo,
        clock: Callable[[], float],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._clock = clock
        self._requests = wish.readings
        self.takes = [self._new_take(wish, request, info) for request in self._requests]
        if len(self.takes) > 1:
            group = secrets.token_hex(4)
            for take in self.takes:
                take.group = group
        self.handle: JobHandle | None = None

    def begin(self, service: EngineService) -> JobHandle:
        """Hand the job to the engine."""
        one = len(self._requests) == 1
        work = SynthesisJob(self._requests[0]) if one else BatchJob(self._requests)
        self.handle = service.submit(work, describe=lambda now: describe(self.takes, now))
        self.handle.happened.connect(self._on_happened)
        self.handle.ended.connect(self._on_ended)
        return self.handle

    @property
    def unfinished(self) -> list[Take]:
        """Those of which more may come."""
        return [take for take in self.takes if not take.store.complete]

    def _new_take(self, wish: PendingTake, request: SynthesisRequest, info: ModelInfo) -> Take:
        head = wish.head
        store = TakeStore(format_of(info), self.parent())
        seconds = estimate_seconds(request.text)
        store.expected = int(seconds * info.sample_rate)
        if not request.segmentation.sentences:
            limit = request.sampling.max_new_tokens * info.samples_per_frame
            store.expected = min(store.expected, limit)
        # What it is does not change by having been made in two parts.
        whole = replace(request, resume=None)
        seed = request.sampling.seed or 0
        origin = Origin(whole, wish.voice, seed, info=info, voice_ids=wish.voice_ids)
        take = Take(
            origin, store, began=self._clock(), pace=Pace(request.text, self._clock, seconds)
        )
        if head is not None:
            store.begin_with(head.samples, head.codes, head.segments, head.texts)
            take.begun = store.length
        return take

    def _on_happened(self, event: object) -> None:
        if isinstance(event, Part):
            self._on_event(self.takes[event.index], event.event)
        else:
            self._on_event(self.takes[0], event)

    def _on_event(self, take: Take, event: object) -> None:
        if isinstance(event, Summary):
            self._finish(take, event)
            return
        if isinstance(event, EngineError):
            self._finish(take, None)
            self.failed.emit(event)
            return
        take.note(event, self._clock())
        try:
            if isinstance(event, AudioChunk):
                first = take.store.length == 0
                take.store.append(replace(event, start=event.start + take.begun))
                if first:
                    self.sounded.emit()
            elif isinstance(event, FrameCodes):
                take.store.append_codes(event)
            elif isinstance(event, SegmentStart):
                take.store.begin_segment(replace(event, start=event.start + take.begun))
        except ValueError as error:
            # Played on, the take would repeat or skip sound without anyone knowing.
            if self.handle is not None:
                self.handle.cancel()
            self.failed.emit(GenerationError("program.wrong_place", reason=error))

    def _finish(self, take: Take, summary: Summary | None) -> None:
        take.finish(summary)
        self.ended.emit(take)

    def _on_ended(self, outcome: Outcome) -> None:
        summary = outcome.value if isinstance(outcome.value, Summary) else None
        for take in self.unfinished:
            self._finish(take, summary)
        if outcome.error is not None:
            self.failed.emit(outcome.error)
        self.done.emit()
        self.deleteLater()
