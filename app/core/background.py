"""Jobs with files, off the GUI thread, one after the other.

Work is a plain function; what comes of it arrives back in the GUI thread. Results of a pool
that was closed are dropped, so nothing reaches a window that is gone.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QRunnable, QThreadPool, Signal, Slot

from engine.errors import EngineError

log = logging.getLogger(__name__)

Done = Callable[[Any], None]
Failed = Callable[[EngineError], None]


class _Report(QObject):
    """Carries results from the pool's thread to the thread that it was made in."""

    ended = Signal(int, object, object)


class _Work(QRunnable):
    def __init__(self, number: int, work: Callable[[], object], report: _Report) -> None:
        super().__init__()
        self._number, self._work, self._report = number, work, report

    def run(self) -> None:
        result: object = None
        error: EngineError | None = None
        try:
            result = self._work()
        except EngineError as caught:
            error = caught
        except Exception as caught:
            log.exception("a file job failed")
            error = EngineError("program.fault", kind=type(caught).__name__, reason=caught)
        self._report.ended.emit(self._number, result, error)


class Tasks(QObject):
    """Runs functions on threads of its own, one for each queue.

    Those of a queue run in the order of :meth:`run`, so a later one sees what an earlier one
    wrote. What may take minutes belongs into a queue of its own.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pools: dict[str, QThreadPool] = {}
        self._report = _Report()
        self._report.ended.connect(self._on_ended)
        self._waiting: dict[int, tuple[Done | None, Failed | None]] = {}
        self._next = 1
        self._closed = False

    @property
    def busy(self) -> bool:
        """Something runs or waits, or its result has not been handed out."""
        return bool(self._waiting)

    def run(
        self,
        work: Callable[[], Any],
        done: Done | None = None,
        failed: Failed | None = None,
        queue: str = "",
    ) -> None:
        """Do ``work`` on the thread of ``queue``; then ``done(result)`` or ``failed(error)`` here.

        ``work`` must not touch widgets. After :meth:`close` nothing is taken any more.
        """
        if self._closed:
            return
        number = self._next
        self._next += 1
        self._waiting[number] = (done, failed)
        if queue not in self._pools:
            self._pools[queue] = QThreadPool()
            self._pools[queue].setMaxThreadCount(1)
        self._pools[queue].start(_Work(number, work, self._report))

    def close(self, timeout_ms: int = 5000) -> bool:
        """Let the work that was begun end, without its results; ``False`` when it did not."""
        self._closed = True
        self._waiting.clear()
        ends = time.monotonic() + timeout_ms / 1000
        return all(
            pool.waitForDone(max(0, round(1000 * (ends - time.monotonic()))))
            for pool in self._pools.values()
        )

    @Slot(int, object, object)
    def _on_ended(self, number: int, result: object, error: EngineError | None) -> None:
        done, failed = self._waiting.pop(number, (None, None))
        if error is not None:
            if failed is not None:
                failed(error)
        elif done is not None:
            done(result)
