"""Minimum and maximum of growing audio at several scales, for drawing it at any zoom.

A pixel column of a ten-minute take covers tens of thousands of samples. Reading them all at
each repaint would stall the window, so each level keeps the extremes of fixed blocks, and a
column reads only blocks that are a little smaller than itself.
"""

from __future__ import annotations

import numpy as np

BASE = 64
FACTOR = 8
LEVELS = 5
AT_ONCE = BASE << 14
"""Samples that are cleaned at once: an hour's would take its memory three times more."""


def finite(samples: np.ndarray) -> np.ndarray:
    """``samples`` as float32 in -1..1 with NaN as 0: what can be drawn of damaged audio."""
    clean = np.nan_to_num(samples, nan=0.0, posinf=1.0, neginf=-1.0)
    result: np.ndarray = np.clip(clean, -1.0, 1.0).astype(np.float32, copy=False)
    return result


class _Level:
    """Extremes of whole blocks of one size, growing."""

    __slots__ = ("block", "count", "high", "low")

    def __init__(self, block: int) -> None:
        self.block = block
        self.count = 0
        self.low = np.zeros(256, np.float32)
        self.high = np.zeros(256, np.float32)

    def extend(self, low: np.ndarray, high: np.ndarray) -> None:
        need = self.count + len(low)
        if need > len(self.low):
            size = max(need, 2 * len(self.low))
            self.low = np.resize(self.low, size)
            self.high = np.resize(self.high, size)
        self.low[self.count : need] = low
        self.high[self.count : need] = high
        self.count = need


class Peaks:
    """Extremes of a growing signal.

    The owner passes its whole sample buffer to :meth:`update` after each growth; only whole
    new blocks are read, so each sample is looked at once a level.
    """

    def __init__(self) -> None:
        self._levels = [_Level(BASE * FACTOR**i) for i in range(LEVELS)]

    @classmethod
    def of(cls, samples: np.ndarray) -> Peaks:
        """Those of a finished signal, float32 ``(n,)``; an hour of sound takes a second or two."""
        peaks = cls()
        peaks.update(samples)
        return peaks

    def update(self, samples: np.ndarray) -> None:
        """Take in what was appended; ``samples`` is everything so far, float32 ``(n,)``."""
        base = self._levels[0]
        first, blocks = base.count * BASE, len(samples) // BASE
        if blocks <= base.count:
            return
        for start in range(first, blocks * BASE, AT_ONCE):
            stop = min(start + AT_ONCE, blocks * BASE)
            fresh = finite(samples[start:stop]).reshape(-1, BASE)
            base.extend(fresh.min(axis=1), fresh.max(axis=1))
        for lower, level in zip(self._levels, self._levels[1:], strict=False):
            start, whole = level.count * FACTOR, lower.count // FACTOR
            if whole <= level.count:
                break
            low = lower.low[start : whole * FACTOR].reshape(-1, FACTOR)
            high = lower.high[start : whole * FACTOR].reshape(-1, FACTOR)
            level.extend(low.min(axis=1), high.max(axis=1))

    def columns(
        self, samples: np.ndarray, start: float, per_column: float, count: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Extremes of ``count`` columns of ``per_column`` samples each, from ``start`` on.

        Returns float32 arrays ``(k,)`` with ``k <= count``: columns that begin after the last
        sample are left out. Each column has at least one sample.
        """
        n = len(samples)
        if n == 0 or count <= 0 or per_column <= 0:
            return np.zeros(0, np.float32), np.zeros(0, np.float32)
        edges = start + per_column * np.arange(count + 1)
        edges = edges[: int(np.searchsorted(edges[:-1], n)) + 1]
        level = next((lv for lv in reversed(self._levels) if lv.block * 2 <= per_column), None)
        if level is None or level.count == 0:
            left = np.clip(np.floor(edges), 0, n).astype(np.int64)
            view = finite(samples[left[0] : left[-1] + 1])
            return _reduce(view, view, left[:-1] - left[0], n - int(left[0]))
        left = np.clip(np.floor(edges / level.block), 0, level.count - 1).astype(np.int64)
        low, high = level.low[: left[-1] + 1], level.high[: left[-1] + 1]
        return _reduce(low, high, left[:-1], len(low))


def _reduce(
    low: np.ndarray, high: np.ndarray, starts: np.ndarray, length: int
) -> tuple[np.ndarray, np.ndarray]:
    starts = np.minimum(starts, min(len(low), length) - 1)
    if len(starts) == 0:
        return np.zeros(0, np.float32), np.zeros(0, np.float32)
    return np.minimum.reduceat(low, starts), np.maximum.reduceat(high, starts)
