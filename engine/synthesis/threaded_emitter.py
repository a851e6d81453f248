"""Decoding beside generation: the codec works on a thread of its own (spec 06, section 4.2).

This pays when the two compute on different devices. The queue between them is bounded, so the
codec cannot fall behind by more than a few frames, and the order is that of the frames.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator

import numpy as np

from engine.synthesis.emitters import DecodeFigures, Emitter, joined

QUEUE_FRAMES = 8


class ThreadedEmitter:
    """Feeds an emitter from a thread and collects its samples in order.

    The first frame is waited for, since nothing is worth more than an early first sound; from
    then on :meth:`push` returns what is ready. A failure on the thread is raised to the caller
    of the next method, and :meth:`close` always ends the thread.

    Args:
        inner: used from the thread only.
        limit: frames that may wait; a full queue makes :meth:`push` wait.
    """

    def __init__(self, inner: Emitter, limit: int = QUEUE_FRAMES) -> None:
        self._inner, self._limit = inner, limit
        self._changed = threading.Condition()
        self._todo: deque[np.ndarray] = deque()
        self._ready: deque[np.ndarray] = deque()
        self._frame = inner.samples_per_frame
        self._received = self._worked = self._handed_out = 0
        self._ended = self._closed = self._finished = False
        self._error: BaseException | None = None
        self._thread: threading.Thread | None = None

    @property
    def figures(self) -> DecodeFigures:
        """Figures of the codec; complete once :meth:`finish` or :meth:`close` is through."""
        return self._inner.figures

    @property
    def samples_per_frame(self) -> int:
        return self._frame

    @property
    def held_frames(self) -> int:
        return self._received - self._handed_out

    def push(self, column: np.ndarray) -> np.ndarray:
        with self._changed:
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="codec", daemon=True)
                self._thread.start()
            self._changed.wait_for(lambda: len(self._todo) < self._limit or self._over)
            self._todo.append(column)
            self._received += 1
            self._changed.notify_all()
            if self._received == 1:
                self._changed.wait_for(lambda: self._worked or self._over)
            return self._collect()

    def finish(self) -> Iterator[np.ndarray]:
        """Everything that is still due, as soon as it is decoded."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()
        while self._thread is not None:
            with self._changed:
                self._changed.wait_for(lambda: self._ready or self._over)
                samples, last = self._collect(), self._finished and not self._ready
            if len(samples):
                yield samples
            if last:
                break
        self.close()

    def close(self) -> None:
        """End the thread after the decode that it is in; what was not handed out is dropped."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join()
        self._inner.close()

    @property
    def _over(self) -> bool:
        return self._finished or self._error is not None

    def _collect(self) -> np.ndarray:
        """Take what is ready; the error of the thread comes before it."""
        if self._error is not None:
            raise self._error
        samples = joined(list(self._ready))
        self._ready.clear()
        self._handed_out += len(samples) // self._frame
        return samples

    def _work(self) -> None:
        try:
            while (column := self._next()) is not None:
                self._hand_over(self._inner.push(column))
            if not self._closed:
                for samples in self._inner.finish():
                    self._hand_over(samples)
            with self._changed:
                self._finished = True
                self._changed.notify_all()
        except BaseException as error:  # raised again in the thread that waits for the samples
            with self._changed:
                self._error = error
                self._changed.notify_all()

    def _next(self) -> np.ndarray | None:
        with self._changed:
            self._changed.wait_for(lambda: self._todo or self._ended or self._closed)
            if self._closed or not self._todo:
                return None
            column = self._todo.popleft()
            self._changed.notify_all()
            return column

    def _hand_over(self, samples: np.ndarray) -> None:
        with self._changed:
            self._worked += 1
            if len(samples):
                self._ready.append(samples)
            self._changed.notify_all()
