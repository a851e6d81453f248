"""Asks the engine to make codes of a clip and sound of codes, one answer for each question."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, Signal

from app.inference.jobs import DecodeJob, EncodeJob, Ending, Outcome, VoiceJob
from app.inference.service import EngineService, JobHandle
from engine.audio import AudioClip
from engine.errors import EngineError

Done = Callable[[Any], None]
Failed = Callable[[EngineError | None], None]


class CodecJobs(QObject):
    """Encoding and decoding for the voices.

    Signals:
        progressed(Progress): of the job that runs.
        engine_changed(): the engine works now, or rests.
    """

    progressed = Signal(object)
    engine_changed = Signal()

    def __init__(self, service: EngineService, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._service = service
        self._handles: list[JobHandle] = []
        service.state_changed.connect(lambda _: self.engine_changed.emit())

    @property
    def engine_works(self) -> bool:
        """The engine's thread has work, for anybody."""
        return self._service.working

    def encode(self, clip: AudioClip, transcript: str, done: Done, failed: Failed) -> None:
        """Make a voice; ``failed(None)`` when it was stopped."""
        self._submit(EncodeJob(clip, transcript), done, failed)

    def make_voice(
        self, clips: Sequence[tuple[AudioClip, str]], done: Done, failed: Failed
    ) -> None:
        """Make a voice of several clips with their texts; ``failed(None)`` when it was stopped."""
        self._submit(VoiceJob(tuple(clips)), done, failed)

    def decode(self, codes: np.ndarray, done: Done, failed: Failed) -> None:
        """Make sound of codes; ``failed(None)`` when it was stopped."""
        self._submit(DecodeJob(codes), done, failed)

    def cancel(self) -> None:
        """Stop our jobs; others go on."""
        for handle in list(self._handles):
            handle.cancel()

    def _submit(self, work: EncodeJob | DecodeJob | VoiceJob, done: Done, failed: Failed) -> None:
        handle = self._service.submit(work)
        self._handles.append(handle)

        def ended(outcome: Outcome) -> None:
            self._handles.remove(handle)
            if outcome.ending is Ending.DONE:
                done(outcome.value)
            else:
                failed(outcome.error)

        handle.progress.connect(self.progressed)
        handle.ended.connect(ended)
