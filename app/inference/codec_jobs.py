"""Asks the engine to make codes of a clip and sound of codes, one answer for each question."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, Signal, Slot

from app.inference.jobs import DecodeJob, EncodeJob, Ending, Job, Outcome
from app.inference.service import EngineService
from engine.audio.clip import AudioClip
from engine.errors import EngineError
from engine.types import Progress

Done = Callable[[Any], None]
Failed = Callable[[EngineError | None], None]


class CodecJobs(QObject):
    """Encoding and decoding for the voices.

    Signals:
        progressed(Progress): of the job that runs.
        changed(): one was begun or ended.
    """

    progressed = Signal(object)
    changed = Signal()

    def __init__(self, service: EngineService, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._service = service
        self._jobs: dict[int, tuple[Job, Done, Failed]] = {}
        self._early: dict[int, Outcome] = {}
        service.job_event.connect(self._on_event)
        service.job_ended.connect(self._on_ended)

    @property
    def busy(self) -> bool:
        """Some job runs or waits."""
        return bool(self._jobs)

    def encode(self, clip: AudioClip, transcript: str, done: Done, failed: Failed) -> None:
        """Make a voice; ``failed(None)`` when it was stopped."""
        self._submit(EncodeJob(clip, transcript), done, failed)

    def decode(self, codes: np.ndarray, done: Done, failed: Failed) -> None:
        """Make sound of codes; ``failed(None)`` when it was stopped."""
        self._submit(DecodeJob(codes), done, failed)

    def cancel(self) -> None:
        """Stop our jobs; others go on."""
        for job, _, _ in self._jobs.values():
            job.cancel.cancel()

    def _submit(self, work: EncodeJob | DecodeJob, done: Done, failed: Failed) -> None:
        self._early = {}
        job = self._service.submit(work)
        early = self._early.get(job.id)
        if early is not None:  # without a model a job ends before it is known here
            failed(early.error)
            return
        self._jobs[job.id] = (job, done, failed)
        self.changed.emit()

    @Slot(object, object)
    def _on_event(self, job: Job, event: object) -> None:
        if job.id in self._jobs and isinstance(event, Progress):
            self.progressed.emit(event)

    @Slot(object, object)
    def _on_ended(self, job: Job, outcome: Outcome) -> None:
        entry = self._jobs.pop(job.id, None)
        if entry is None:
            self._early[job.id] = outcome
            return
        self.changed.emit()
        _, done, failed = entry
        if outcome.ending is Ending.DONE:
            done(outcome.value)
        else:
            failed(outcome.error)
