"""The window's side of the engine: queue, states, stop, and one place for stale messages.

Stopping sets a flag that the working thread reads once a frame. A queued "stop" slot could
not work: the worker's event loop is busy inside the job.
"""

from __future__ import annotations

from collections import deque
from enum import Enum

from PySide6.QtCore import QObject, QThread, Signal, Slot

from app.inference.backends import BackendProbe, no_probe
from app.inference.jobs import OPENING, Connector, DisconnectJob, Ending, Job, Loader, Outcome, Work
from app.inference.worker import EngineWorker, connect_real_server, load_real_engine
from engine.cancel import CancelToken
from engine.errors import GenerationError


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


class EngineService(QObject):
    """Queues jobs for the engine thread and tells what becomes of them.

    Attributes:
        state: see :class:`EngineState`.
        current: the job in the engine thread, if any.

    Signals:
        state_changed(EngineState)
        job_started(Job)
        job_event(Job, object): an event of the running job.
        job_ended(Job, Outcome): exactly once a job, after its last event; also for jobs that
            were taken from the queue before they began.
        backends_probed(list): the backends, after :meth:`survey`.
    """

    state_changed = Signal(object)
    job_started = Signal(object)
    job_event = Signal(object, object)
    job_ended = Signal(object, object)
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
        self.current: Job | None = None
        self._queue: deque[Job] = deque()
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

    def submit(self, work: Work, cancel: CancelToken | None = None) -> Job:
        """Queue ``work``; it starts at once when the engine is free.

        ``cancel`` is a flag that somebody else holds already.
        """
        if self._closed:
            raise RuntimeError("the engine service is shut down")
        job = Job(self._next_id, work, cancel or CancelToken())
        self._next_id += 1
        self._queue.append(job)
        self._start_next()
        return job

    def cancel(self) -> None:
        """Stop the running job and empty the queue."""
        waiting, self._queue = list(self._queue), deque()
        if self.current is not None:
            self.current.cancel.cancel()
            if self.state is not EngineState.CANCELLING:
                self._go(EngineState.CANCELLING)
        for job in waiting:
            job.cancel.cancel()
            self.job_ended.emit(job, Outcome(job.id, Ending.CANCELLED, engine_loaded=self._loaded))

    def shutdown(self, timeout_ms: int = 2000) -> bool:
        """Stop everything and end the thread; ``False`` when it did not end in time.

        The thread is never terminated: that leaves locks held and memory torn. When it does
        not answer, the caller saves its state and leaves the process.
        """
        if not self._closed:
            self._closed = True
            self._queue.clear()
            if self.current is not None:
                self.current.cancel.cancel()
            self._thread.quit()
        return self._thread.wait(timeout_ms)

    def _start_next(self) -> None:
        if self.current is not None or not self._queue:
            return
        job = self._queue.popleft()
        loading = isinstance(job.work, OPENING)
        if not loading and not self._loaded:
            error = GenerationError("no model is loaded", "Open a model first.")
            self.job_ended.emit(job, Outcome(job.id, Ending.FAILED, error=error))
            self._start_next()
            return
        self.current = job
        if not self._thread.isRunning():
            self._thread.start()
        self._go(EngineState.LOADING if loading else EngineState.BUSY)
        self.job_started.emit(job)
        self._dispatch.emit(job)

    def _go(self, state: EngineState) -> None:
        if state not in TRANSITIONS[self.state]:
            raise IllegalTransitionError(f"{self.state.value} -> {state.value}")
        self.state = state
        self.state_changed.emit(state)

    @Slot(int, object)
    def _on_event(self, job_id: int, event: object) -> None:
        job = self.current
        if job is None or job.id != job_id or job.cancel.cancelled:
            return
        self.job_event.emit(job, event)

    @Slot(object)
    def _on_ended(self, outcome: Outcome) -> None:
        job = self.current
        if job is None or job.id != outcome.job_id:
            return
        self.current = None
        self._loaded = outcome.engine_loaded
        if self._loaded:
            self._go(EngineState.READY)
        elif outcome.ending is Ending.CANCELLED or isinstance(job.work, DisconnectJob):
            self._go(EngineState.UNLOADED)
        else:
            self._go(EngineState.FAILED)
        self.job_ended.emit(job, outcome)
        self._start_next()
