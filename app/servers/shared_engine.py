"""The window's engine, lent to the local server: one synthesis at a time for both.

The server asks on threads of its own. Each request goes through the window's queue of jobs like
one of the window, so the window shows it, Stop stops it, and a model cannot be exchanged under
it; what comes of it goes straight from the engine's thread to the server's. While the window
works for its user, other programs are told that the engine is busy.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from app.inference.jobs import EncodeJob, Outcome, ServeJob, Work
from app.inference.service import Activity, EngineService, EngineState
from engine.audio import AudioClip
from engine.cancel import CancelToken
from engine.errors import BusyError, CancelledError, EngineError, GenerationError
from engine.types import Event, ModelInfo, SynthesisRequest
from engine.voices import VoiceProfile

POLL_S = 0.05
PATIENCE_S = 1.0


class PendingRequest:
    """One request of the server, and what came of it; crosses threads through a queue."""

    def __init__(self, work: Work, cancel: CancelToken) -> None:
        self.work, self.cancel = work, cancel
        self._items: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def put(self, item: object) -> None:
        """An event, an :class:`Outcome` or an error, from any thread."""
        self._items.put(item)

    def items(self) -> Iterator[Any]:
        """All events, then what came out; on the server's thread.

        Raises:
            EngineError: why it failed; :class:`CancelledError` when nothing came out, or when
                nobody answers any more after a cancel, as while the window closes.
        """
        given_up = 0.0
        while True:
            try:
                item = self._items.get(timeout=POLL_S)
            except queue.Empty:
                if self.cancel.cancelled:
                    given_up = given_up or time.monotonic() + PATIENCE_S
                    if time.monotonic() > given_up:
                        raise CancelledError() from None
                continue
            if isinstance(item, EngineError):
                raise item
            if not isinstance(item, Outcome):
                yield item
            elif item.error is None and item.value is not None:
                yield item.value
                return
            else:
                raise item.error or CancelledError()


class SharedEngine(QObject):
    """What :class:`engine.server.server.LocalServer` takes for an engine.

    Lives in the GUI thread; its calls may come from any thread.

    Attributes:
        now: the model that speaks, kept up to date by whoever made this.
    """

    _requested = Signal(object)

    def __init__(self, service: EngineService, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._service = service
        self._pending: PendingRequest | None = None
        self.now: ModelInfo | None = None
        self._requested.connect(self._on_request)

    @property
    def info(self) -> ModelInfo:
        """The model that speaks.

        Raises:
            GenerationError: there is none.
        """
        if self.now is None:
            raise _no_model()
        return self.now

    def synthesize(
        self, request: SynthesisRequest, cancel: CancelToken | None = None
    ) -> Iterator[Event]:
        """Speak for another program; see :class:`PendingRequest` for the errors."""
        return self._ask(ServeJob(request), cancel)

    def encode_reference(
        self,
        audio: str | Path | AudioClip,
        transcript: str,
        *,
        cancel: CancelToken | None = None,
        on_progress: Callable[[Any], None] | None = None,
    ) -> VoiceProfile:
        """Make a voice of a recording that another program sent."""
        clip = audio if isinstance(audio, AudioClip) else Path(audio)
        *_, found = self._ask(EncodeJob(clip, transcript), cancel)
        profile: VoiceProfile = found
        return profile

    def close(self) -> None:
        """The window closes: whoever waits is told at once, since this thread answers no more."""
        if self._pending is not None:
            self._pending.cancel.cancel()
            self._pending.put(CancelledError())

    def _ask(self, work: Work, cancel: CancelToken | None) -> Iterator[Any]:
        pending = PendingRequest(work, cancel or CancelToken())
        self._requested.emit(pending)
        return pending.items()

    @Slot(object)
    def _on_request(self, pending: PendingRequest) -> None:
        if self._service.working:
            pending.put(BusyError())
        elif self._service.state is not EngineState.READY:
            pending.put(_no_model())
        else:
            self._pending = pending
            self._service.submit(pending.work, pending.cancel, pending.put, self._describe)

    def _describe(self, now: Activity) -> Activity:
        return replace(now, text=self.tr("Speaking for another program"))


def _no_model() -> GenerationError:
    return GenerationError("model.none")
