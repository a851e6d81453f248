"""Watches the window's thread: no single call of the program there may hold it up.

A thread looks 200 times a second at what the window's thread runs. The outermost function of
the program on its stack is one call: a slot, an event, or what a test does. Its frame carries a
mark with the processor time at which it was seen first, so that a busy machine accuses nobody,
and neither does Python's garbage collector, which has a whole test run to tidy.
"""

from __future__ import annotations

import gc
import sys
import threading
import time
import traceback
from collections.abc import Collection
from pathlib import Path
from types import FrameType

LIMIT_S = 0.05
EVERY_S = 0.005
APP = Path(__file__).resolve().parents[2] / "app"


class _Mark:
    """When a call was seen first; kept by its frame, which has no other use for it."""

    def __init__(self, seen_s: float) -> None:
        self.seen_s = seen_s
        self.excused = False


class Watchdog:
    """Collects calls of functions in ``folder`` that take too long, while it is entered.

    Args:
        allowed: names of functions, such as ``Application.__init__``, that may take long.

    Attributes:
        found: for each call that took too long its name, and what it did when it was found.
    """

    def __init__(self, allowed: Collection[str] = (), folder: Path = APP) -> None:
        self.found: dict[str, str] = {}
        self._allowed, self._folder = frozenset(allowed), str(folder)
        self._watched = threading.get_ident()
        self._clock = time.pthread_getcpuclockid(self._watched)
        self._tidying_s = self._tidied_s = 0.0
        self._tidying = False
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="watchdog", daemon=True)

    def __enter__(self) -> Watchdog:
        gc.callbacks.append(self._on_collector)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()
        gc.callbacks.remove(self._on_collector)

    def _run(self) -> None:
        while not self._ended.wait(EVERY_S):
            self._look()

    def _look(self) -> None:
        inner = frame = sys._current_frames().get(self._watched)
        call: FrameType | None = None
        excused = False
        while frame is not None:
            if frame.f_code.co_filename.startswith(self._folder):
                call = frame
                excused = excused or frame.f_code.co_qualname in self._allowed
            frame = frame.f_back
        if call is None or self._tidying:
            return
        now = time.clock_gettime(self._clock) - self._tidied_s
        mark: object = call.f_trace
        if not isinstance(mark, _Mark):
            mark = _Mark(now)
            call.f_trace = mark  # type: ignore[assignment]
        mark.excused = mark.excused or excused
        name = call.f_code.co_qualname
        if now - mark.seen_s > LIMIT_S and not mark.excused and name not in self.found:
            self.found[name] = "".join(traceback.format_stack(inner)[-12:])

    def _on_collector(self, phase: str, _: dict[str, int]) -> None:
        if threading.get_ident() == self._watched:
            now = time.thread_time()
            self._tidying = phase == "start"
            if self._tidying:
                self._tidying_s = now
            else:
                self._tidied_s += now - self._tidying_s
