"""Fetching and checking model files off the GUI thread, one after the other, only when asked.

Work is queued by the key of an entry. A pause keeps what was fetched; a later download of the
same entry goes on there. Nothing here is remembered across starts, so nothing starts by itself.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum

from PySide6.QtCore import QObject, Signal, Slot

from app.core.background import Tasks
from engine.cancel import CancelToken
from engine.errors import CancelledError, EngineError
from engine.hub import DownloadOptions, Entry, ModelStore, Transfer


class DownloadTask(Enum):
    """What is done with a file."""

    DOWNLOAD = "download"
    VERIFY = "verify"


@dataclass(frozen=True, slots=True)
class ModelJob:
    """One piece of work.

    Attributes:
        key: of the entry.
        options: how to fetch; unused by a check.
    """

    key: str
    task: DownloadTask
    entry: Entry
    options: DownloadOptions = field(default_factory=DownloadOptions)
    cancel: CancelToken = field(default_factory=CancelToken)


@dataclass(frozen=True, slots=True)
class ModelOutcome:
    """How a piece of work ended.

    Attributes:
        error: why it failed, else ``None``.
        stopped: by the user.
        entry: as it is after a check.
    """

    job: ModelJob
    error: EngineError | None = None
    stopped: bool = False
    entry: Entry | None = None


def key_of(entry: Entry) -> str:
    """What tells an entry from all others, wherever its file lies."""
    return entry.variant.id if entry.variant is not None else str(entry.path)


class ModelDownloads(QObject):
    """The queue, worked on by one thread of ``tasks``.

    Attributes:
        store: the folder that is worked on; :meth:`use` changes it.
        current: what runs, if anything.
        transfer: how far it is.

    Signals:
        moved(str, Transfer): the entry of that key is further.
        ended(ModelOutcome): a piece of work is over.
        changed(): the queue is another.
    """

    moved = Signal(str, object)
    ended = Signal(object)
    changed = Signal()
    _progressed = Signal(object, object)

    def __init__(self, store: ModelStore, tasks: Tasks, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.store = store
        self.current: ModelJob | None = None
        self.transfer: Transfer | None = None
        self._waiting: deque[ModelJob] = deque()
        self._tasks = tasks
        self._closed = False
        self._progressed.connect(self._on_progressed)

    def task_of(self, key: str) -> DownloadTask | None:
        """What is being done, or waits to be done, with an entry."""
        jobs = [*([self.current] if self.current else []), *self._waiting]
        return next((job.task for job in jobs if job.key == key), None)

    def waits(self, key: str) -> bool:
        """It is queued behind another one."""
        return any(job.key == key for job in self._waiting)

    def download(self, entry: Entry, options: DownloadOptions) -> None:
        """Fetch the variant of ``entry``, now or after what runs."""
        if entry.variant is not None:
            self._add(ModelJob(key_of(entry), DownloadTask.DOWNLOAD, entry, options))

    def verify(self, entry: Entry) -> None:
        """Read a file as a whole and compare its hash."""
        self._add(ModelJob(key_of(entry), DownloadTask.VERIFY, entry))

    def stop(self, key: str) -> None:
        """Stop what is done with an entry; what was fetched stays."""
        waiting = [job for job in self._waiting if job.key == key]
        for job in waiting:
            self._waiting.remove(job)
            self.ended.emit(ModelOutcome(job, stopped=True))
        if self.current is not None and self.current.key == key:
            self.current.cancel.cancel()
        if waiting:
            self.changed.emit()

    def use(self, store: ModelStore) -> None:
        """Work on another folder; what runs in the old one is stopped, not waited for, and no
        more heard of."""
        self._drop()
        self.store = store
        self.changed.emit()

    def close(self) -> None:
        """Stop everything, for good."""
        self._closed = True
        self._drop()

    def _drop(self) -> None:
        self._waiting.clear()
        if self.current is not None:
            self.current.cancel.cancel()
        self.current = self.transfer = None

    def _add(self, job: ModelJob) -> None:
        if self._closed or self.task_of(job.key) is not None:
            return
        self._waiting.append(job)
        self._next()
        self.changed.emit()

    def _next(self) -> None:
        if self.current is not None or not self._waiting or self._closed:
            return
        job = self.current = self._waiting.popleft()
        self.transfer = None
        self._tasks.run(
            self._work_of(job),
            lambda entry: self._end(ModelOutcome(job, entry=entry)),
            lambda error: self._end(_failed(job, error)),
            queue="downloads",
        )

    def _work_of(self, job: ModelJob) -> Callable[[], Entry | None]:
        store, entry = self.store, job.entry

        def report(transfer: Transfer) -> None:
            self._progressed.emit(job, transfer)

        def work() -> Entry | None:
            if job.task is DownloadTask.VERIFY:
                return store.verify(entry, job.cancel, report)
            if entry.variant is not None:
                store.download(entry.variant, job.options, job.cancel, report)
            return None

        return work

    @Slot(object, object)
    def _on_progressed(self, job: ModelJob, transfer: Transfer) -> None:
        if job is self.current:
            self.transfer = transfer
            self.moved.emit(job.key, transfer)

    def _end(self, outcome: ModelOutcome) -> None:
        if outcome.job is not self.current:
            return
        self.current = self.transfer = None
        self.ended.emit(outcome)
        self._next()
        self.changed.emit()


def _failed(job: ModelJob, error: EngineError) -> ModelOutcome:
    if isinstance(error, CancelledError):
        return ModelOutcome(job, stopped=True)
    return ModelOutcome(job, error)
