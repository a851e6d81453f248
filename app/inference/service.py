"""The window's side of the engine: queue, states, stop, and one place for stale messages.

Stopping sets a flag that the working thread reads once a frame. A queued "stop" slot could
not work: the worker's event loop is busy inside the job.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from PySide6.QtCore import QObject, QThread, QTimer, Signal, Slot

from app.inference.backends import BackendProbe, no_probe
from app.inference.jobs import (
    OPENING,
    BatchJob,
    Connector,
    DisconnectJob,
    Ending,
    Job,
    Loader,
    Outcome,
    Sink,
    SynthesisJob,
    WarmJob,
    Work,
)
from app.inference.worker import EngineWorker, connect_real_server, load_real_engine
from engine.cancel import CancelToken
from engine.errors import GenerationError
from engine.types import Progress
from engine.voices import VoiceProfile

log = logging.getLogger(__name__)


class EngineState(Enum):
    """What the engine does, as far as the window knows."""

    UNLOADED = "unloaded"
    LOADING = "loading"
    READY = "ready"
    BUSY = "busy"
    CANCELLING = "cancelling"
    FAILED = "failed"


_S = EngineState
TRANSITIONS: dict[EngineState, frozenset[EngineState]] = {
    _S.UNLOADED: frozenset({_S.LOADING}),
    _S.LOADING: frozenset({_S.READY, _S.FAILED, _S.UNLOADED, _S.CANCELLING}),
    _S.READY: frozenset({_S.LOADING, _S.BUSY}),
    _S.BUSY: frozenset({_S.READY, _S.CANCELLING}),
    _S.CANCELLING: frozenset({_S.READY, _S.UNLOADED, _S.FAILED}),
    _S.FAILED: frozenset({_S.LOADING}),
}
WORKING = frozenset({_S.LOADING, _S.BUSY, _S.CANCELLING})


class IllegalTransitionError(RuntimeError):
    """A state change that the table does not know: a fault of the program."""


@dataclass(frozen=True, slots=True)
class Activity:
    """What a job does now: words for a person, and how far it is; a total of 0 is unknown.

    Attributes:
        tells_time: the text says how long it will take.
    """

    text: str
    done: int = 0
    total: int = 0
    tells_time: bool = False

    @property
    def percent(self) -> int:
        return 100 * self.done // self.total if self.total > 0 else 0


Describe = Callable[[Activity], Activity]
"""What its owner can say better of a job, from what the job says itself."""


class JobHandle(QObject):
    """One job, for whoever asked for it. Lives in the GUI thread.

    Attributes:
        id, work: its number, and what is done.
        latest: the newest progress.
        outcome: how it ended; ``None`` before.

    Signals:
        happened(object): an event of the engine; none after a cancel.
        progress(Progress): at most 20 a second.
        ended(Outcome): exactly once, after the last event and after :meth:`EngineService.submit`
            has returned; also for a job that never began.
    """

    happened = Signal(object)
    progress = Signal(object)
    ended = Signal(object)

    def __init__(
        self, job: Job, stop: Callable[[JobHandle], None], describe: Describe | None
    ) -> None:
        super().__init__()
        self.job, self.id, self.work = job, job.id, job.work
        self._describe = describe
        self.latest: Progress | None = None
        self.outcome: Outcome | None = None
        self._stop = stop

    def cancel(self) -> None:
        """Stop this job, or take it from the queue; others go on."""
        if self.outcome is None:
            self._stop(self)

    @property
    def activity(self) -> Activity:
        """What it does now."""
        now, text = self.latest, self.tr("Preparing")
        if now is not None and now.total > 0:
            text = {
                "encode": self.tr("Encoding the clip: {done} of {total}"),
                "decode": self.tr("Decoding codes: {done} of {total}"),
            }.get(now.stage, self.tr("Reading the prompt: {done} of {total}"))
            text = text.format(done=now.done, total=now.total)
        found = Activity(text, now.done, now.total) if now is not None else Activity(text)
        return self._describe(found) if self._describe is not None else found

    def report(self, event: object) -> None:
        """For the service: something happened."""
        if isinstance(event, Progress):
            self.latest = event
            self.progress.emit(event)
        else:
            self.happened.emit(event)

    def end(self, outcome: Outcome) -> None:
        """For the service: nothing more will happen."""
        self.outcome = outcome
        self.ended.emit(outcome)


class EngineService(QObject):
    """Queues jobs for the engine thread; each one's handle tells what becomes of it.

    Attributes:
        state: see :class:`EngineState`.
        current: the job in the engine thread, if any.

    Signals:
        state_changed(EngineState)
        job_started(JobHandle)
        backends_probed(list): the backends, after :meth:`survey`.
    """

    state_changed = Signal(object)
    job_started = Signal(object)
    backends_probed = Signal(object)
    _dispatch = Signal(object)
    _ask = Signal()

    def __init__(
        self,
        loader: Loader = load_real_engine,
        probe_backends: BackendProbe = no_probe,
        parent: QObject | None = None,
        connector: Connector = connect_real_server,
    ) -> None:
        super().__init__(parent)
        self.state = EngineState.UNLOADED
        self.current: JobHandle | None = None
        self._queue: deque[JobHandle] = deque()
        self._next_id = 1
        self._loaded = False
        self._closed = False
        self._thread = QThread()
        self._thread.setObjectName("engine")
        self._worker = EngineWorker(loader, probe_backends, connector)
        self._worker.moveToThread(self._thread)
        self._dispatch.connect(self._worker.run)
        self._ask.connect(self._worker.probe_backends)
        self._worker.backends_probed.connect(self.backends_probed)
        self._thread.finished.connect(self._worker.close)
        self._worker.reported.connect(self._on_event)
        self._worker.ended.connect(self._on_ended)

    @property
    def working(self) -> bool:
        """True while a job is in the engine thread."""
        return self.state in WORKING

    def probe_backends(self) -> None:
        """Have the backends tried in the engine thread, after what it does now."""
        if not self._closed:
            if not self._thread.isRunning():
                self._thread.start()
            self._ask.emit()

    def submit(
        self,
        work: Work,
        cancel: CancelToken | None = None,
        sink: Sink | None = None,
        describe: Describe | None = None,
    ) -> JobHandle:
        """Queue ``work``; it starts at once when the engine is free.

        Args:
            cancel: a flag that somebody else holds already.
            sink: see :class:`Job`.
            describe: says what the job does better than the job itself.
        """
        if self._closed:
            raise RuntimeError("the engine service is shut down")
        job = Job(self._next_id, work, cancel or CancelToken(), sink)
        handle = JobHandle(job, self._cancel, describe)
        self._next_id += 1
        self._queue.append(handle)
        self._end_warming(work)
        self._start_next()
        return handle

    def warm_up(self, voices: tuple[VoiceProfile, ...]) -> None:
        """Have the engine do now, unseen, what a take of these voices would begin with; what is
        asked of it meanwhile sees that as its own beginning, or ends it."""
        if self.state is EngineState.READY and self.current is None and not self._closed:
            self.submit(WarmJob(voices))

    def _end_warming(self, work: Work) -> None:
        """``work`` wants the engine, which may be warming up."""
        warming = self.current
        if warming is None or not isinstance(warming.work, WarmJob):
            return
        voices, far = warming.work.voices, warming.latest
        asked = work.requests[:1] if isinstance(work, BatchJob) else ()
        if isinstance(work, SynthesisJob):
            asked = (work.request,)
        shared = any(request.references == voices for request in asked)
        if not (shared and voices) or (far is not None and far.done >= far.total):
            warming.job.cancel.cancel()  # there is nothing in it that the work would not do itself
        if self.state is EngineState.READY:
            self._go(EngineState.BUSY)
            self.job_started.emit(warming)

    def cancel_current(self) -> None:
        """Stop the running job; those that wait belong to others and go on."""
        if self.current is not None:
            self.current.cancel()

    def shutdown(self, timeout_ms: int = 2000) -> bool:
        """Stop everything and end the thread; ``False`` when it did not end in time.

        The thread is never terminated: that leaves locks held and memory torn. When it does
        not answer, the caller saves its state and leaves the process.
        """
        if not self._closed:
            self._closed = True
            self._queue.clear()
            if self.current is not None:
                self.current.job.cancel.cancel()
            self._thread.quit()
        return self._thread.wait(timeout_ms)

    def _cancel(self, handle: JobHandle) -> None:
        handle.job.cancel.cancel()
        if handle in self._queue:
            self._queue.remove(handle)
            self._end(handle, Outcome(handle.id, Ending.CANCELLED, engine_loaded=self._loaded))
        elif handle is self.current and self.state in (EngineState.LOADING, EngineState.BUSY):
            self._go(EngineState.CANCELLING)

    def _end(self, handle: JobHandle, outcome: Outcome) -> None:
        """One that never began."""
        handle.end(outcome)
        if handle.job.sink is not None:
            handle.job.sink(outcome)

    def _start_next(self) -> None:
        if self.current is not None or not self._queue:
            return
        handle = self._queue.popleft()
        loading = isinstance(handle.work, OPENING)
        if not loading and not self._loaded:
            error = GenerationError("model.none")
            outcome = Outcome(handle.id, Ending.FAILED, error=error)
            # Whoever asked is still inside of `submit`.
            QTimer.singleShot(0, self, lambda: self._end(handle, outcome))
            self._start_next()
            return
        self.current = handle
        if not self._thread.isRunning():
            self._thread.start()
        if not isinstance(handle.work, WarmJob):
            self._go(EngineState.LOADING if loading else EngineState.BUSY)
            self.job_started.emit(handle)
        self._dispatch.emit(handle.job)

    def _go(self, state: EngineState) -> None:
        if state not in TRANSITIONS[self.state]:
            raise IllegalTransitionError(f"{self.state.value} -> {state.value}")
        self.state = state
        self.state_changed.emit(state)

    @Slot(int, object)
    def _on_event(self, job_id: int, event: object) -> None:
        handle = self.current
        if handle is not None and handle.id == job_id and not handle.job.cancel.cancelled:
            handle.report(event)
            read = isinstance(event, Progress) and event.done >= event.total
            if read and self._queue and isinstance(handle.work, WarmJob):
                handle.job.cancel.cancel()  # the voice is read: what waits makes its own frames

    @Slot(object)
    def _on_ended(self, outcome: Outcome) -> None:
        handle = self.current
        if handle is None or handle.id != outcome.job_id:
            return
        why = f": {outcome.error}" if outcome.error is not None else ""
        kind = type(handle.work).__name__
        log.info("job %s, %s, %s%s", handle.id, kind, outcome.ending.value, why)
        self.current = None
        self._loaded = outcome.engine_loaded
        if self._loaded:
            if self.state is not EngineState.READY:  # as after warming up unseen
                self._go(EngineState.READY)
        elif outcome.ending is Ending.CANCELLED or isinstance(handle.work, DisconnectJob):
            self._go(EngineState.UNLOADED)
        else:
            self._go(EngineState.FAILED)
        handle.end(outcome)
        self._start_next()
