"""The queue of samples between PortAudio's real-time thread and the window's."""

from __future__ import annotations

import numpy as np


class RingBuffer:
    """float32 queue between one writer and one reader, without a lock.

    The counters only grow, and each side changes its own one only. A jump in the sound is a
    new ring, not a rewind. Nothing is allocated by :meth:`put` and :meth:`take`.

    Attributes:
        base: absolute source sample that the ring's first sample stands for.
        written, taken: samples put in and taken out since the start.
        ended: the writer will put in nothing more.
    """

    __slots__ = ("_data", "base", "ended", "taken", "written")

    def __init__(self, capacity: int, channels: int | None = None, base: int = 0) -> None:
        """Samples are ``(n,)``, or ``(n, channels)`` where a number is given."""
        self._data = np.zeros(capacity if channels is None else (capacity, channels), np.float32)
        self.base = base
        self.written = 0
        self.taken = 0
        self.ended = False

    @property
    def available(self) -> int:
        """Samples ready to be taken."""
        return self.written - self.taken

    @property
    def space(self) -> int:
        """Samples that can be put in."""
        return len(self._data) - self.available

    def put(self, samples: np.ndarray) -> None:
        """Add ``samples``; there must be space for all of them."""
        size = len(self._data)
        at = self.written % size
        first = min(len(samples), size - at)
        self._data[at : at + first] = samples[:first]
        self._data[: len(samples) - first] = samples[first:]
        self.written += len(samples)

    def take(self, out: np.ndarray) -> int:
        """Move up to ``len(out)`` samples into ``out``; returns how many."""
        count = min(len(out), self.available)
        size = len(self._data)
        at = self.taken % size
        first = min(count, size - at)
        out[:first] = self._data[at : at + first]
        out[first:count] = self._data[: count - first]
        self.taken += count
        return count

    def take_all(self) -> np.ndarray:
        """Everything that is there, a copy."""
        out = np.empty((self.available, *self._data.shape[1:]), np.float32)
        self.take(out)
        return out
