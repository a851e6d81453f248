"""What the picture of a clip shows: its samples, what is kept of them, and the playhead."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QObject, Signal

from app.audio.peaks import Peaks
from app.widgets.time_view import TimeView


class ShownClip(TimeView):
    """A clip with its two ends, or a recording while it grows.

    Attributes:
        samples: float32 ``(n,)``.
        peaks: their extremes.
        kept: first and end sample of what is kept.
        gain: factor of their height.
        position: the playhead; -1 hides it.
        editable: its ends can be moved.

    Signals:
        moved(): the playhead is elsewhere.
    """

    moved = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.gain, self.position, self.editable = 1.0, -1, False
        self._show(np.zeros(0, np.float32), Peaks(), 1, 1)

    def _show(self, samples: np.ndarray, peaks: Peaks, rate: int, room: int) -> None:
        self.reset()
        self.samples, self.peaks, self.rate = samples, peaks, max(1, rate)
        self.length = len(samples)
        self.kept = (0, self.length)
        self.set_position(-1)
        self.set_whole(max(1, room))
        self.changed.emit()

    def set_clip(self, samples: np.ndarray, peaks: Peaks, rate: int) -> None:
        """Show a whole clip, float32 ``(n,)``."""
        self.editable = len(samples) > 0
        self._show(samples, peaks, rate, len(samples))

    def clear(self) -> None:
        """Show nothing."""
        self.set_clip(np.zeros(0, np.float32), Peaks(), 1)

    def begin_growing(self, rate: int, room: int) -> None:
        """Show an empty recording; ``room`` samples are the width at first."""
        self.editable = False
        self._buffer = np.zeros(max(1, room), np.float32)
        self._show(self._buffer[:0], Peaks(), rate, room)

    def grow(self, block: np.ndarray) -> None:
        """Add samples ``(n, channels)`` to the recording."""
        count = self.length + len(block)
        if count > len(self._buffer):
            more = np.zeros(max(len(self._buffer), len(block)), np.float32)
            self._buffer = np.concatenate([self._buffer, more])
        self._buffer[self.length : count] = block[:, 0]
        self.samples, self.length, self.kept = self._buffer[:count], count, (0, count)
        self.peaks.update(self.samples)
        if self.set_whole(max(self.whole, count)):
            self.changed.emit()
        self.data_changed.emit()

    def set_kept(self, start: int, end: int) -> None:
        """Show what is kept."""
        if (start, end) != self.kept:
            self.kept = (start, end)
            self.data_changed.emit()

    def set_gain(self, gain: float) -> None:
        """Draw the samples this much higher."""
        if gain != self.gain:
            self.gain = gain
            self.data_changed.emit()

    def set_position(self, sample: int) -> None:
        """The playhead; -1 hides it."""
        if sample != self.position:
            self.position = sample
            if sample >= 0:
                self.follow(sample)
            self.moved.emit()
