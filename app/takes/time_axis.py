"""The time axis that waveform and codebook roll share, so that they always line up."""

from __future__ import annotations

import math

from PySide6.QtCore import QObject, Signal, Slot

from app.takes.store import TakeStore
from app.widgets.time_view import TimeView

LEAST_S = 2.0
LEAST_PEAK, LOUD = 0.003, 0.7
HEADROOM = 1.25
FULL = 0.97


class TimeAxis(TimeView):
    """Which samples of a take the width of the pictures stands for, and which are selected.

    A growing take gets room in advance, in few jumps: an axis that creeps with each chunk
    would make everything that was drawn crawl. A view that the user zoomed stays as it is.

    Attributes:
        store: the take shown, if any.
        selection: first and end sample of the selected region, or ``None``.

    Signals:
        selection_changed(): another region, or none.
    """

    selection_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.store: TakeStore | None = None
        self.selection: tuple[int, int] | None = None
        self._fit_peak = True

    @property
    def gain(self) -> float:
        """What the sound is drawn with: a quiet one fills the height, in few jumps as it grows."""
        peak = self.store.peak if self.store is not None and self._fit_peak else 0.0
        if not LEAST_PEAK < peak < LOUD:
            return 1.0
        exact = FULL / peak
        done = self.store is not None and self.store.complete
        return exact if done else 2 ** (math.floor(2 * math.log2(exact)) / 2)

    @Slot(bool)
    def fit_peak(self, on: bool) -> None:
        """Draw quiet sounds higher, or as they are."""
        self._fit_peak = on
        self.data_changed.emit()

    def show_take(self, store: TakeStore | None) -> None:
        """Show another take, or none."""
        if self.store is not None:
            self.store.grew.disconnect(self._on_grew)
            self.store.completed.disconnect(self._on_grew)
        self.store = store
        self.reset()
        self.length, self.rate = 0, store.rate if store is not None else 1
        if store is not None:
            store.grew.connect(self._on_grew)
            store.completed.connect(self._on_grew)
        self._fit()
        self.select(None)
        self.changed.emit()
        self.data_changed.emit()

    def select(self, region: tuple[int, int] | None) -> None:
        """Select a region, in any order of its ends, or nothing."""
        if region is not None:
            first, end = sorted(max(0, min(at, self.length)) for at in region)
            region = (first, end) if end > first else None
        if region != self.selection:
            self.selection = region
            self.selection_changed.emit()

    @Slot()
    def _on_grew(self) -> None:
        if self._fit():
            self.changed.emit()
        self.data_changed.emit()

    def _fit(self) -> bool:
        store = self.store
        if store is None:
            return False
        self.length = store.length
        total = store.length + store.held
        if store.complete:
            return self.set_whole(max(store.length, 1))
        if total > FULL * self.whole or self.empty:
            least = int(LEAST_S * self.rate)
            # Not more than the next step: a long take has the whole width while it grows.
            return self.set_whole(max(least, int(total * HEADROOM)))
        return False
