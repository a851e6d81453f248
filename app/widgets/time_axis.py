"""The time axis that waveform and codebook roll share, so that they always line up."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from app.models.take_store import TakeStore

LEAST_S = 2.0
HEADROOM = 1.25
FULL = 0.97


class TimeAxis(QObject):
    """How many samples the width of the pictures stands for.

    A growing take gets room in advance, in few jumps: an axis that creeps with each chunk
    would make everything that was drawn crawl.

    Attributes:
        store: the take shown, if any.
        span: samples of the whole width; at least 1.

    Signals:
        changed(): span or take changed.
        data_changed(): the take grew.
    """

    changed = Signal()
    data_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.store: TakeStore | None = None
        self.span = 1

    def show_take(self, store: TakeStore | None) -> None:
        """Show another take, or none."""
        if self.store is not None:
            self.store.grew.disconnect(self._on_grew)
            self.store.completed.disconnect(self._on_grew)
        self.store = store
        self.span = 1
        if store is not None:
            store.grew.connect(self._on_grew)
            store.completed.connect(self._on_grew)
        self._fit()
        self.changed.emit()
        self.data_changed.emit()

    def sample_at(self, x: float, width: float) -> int:
        """The sample under picture position ``x``, within the take."""
        if self.store is None or width <= 0:
            return 0
        return max(0, min(int(x / width * self.span), self.store.length))

    def x_of(self, sample: float, width: float) -> float:
        """Picture position of ``sample``."""
        return sample / self.span * width

    @Slot()
    def _on_grew(self) -> None:
        if self._fit():
            self.changed.emit()
        self.data_changed.emit()

    def _fit(self) -> bool:
        store = self.store
        if store is None:
            return False
        total = store.length + store.held
        if store.complete:
            span = max(store.length, 1)
        elif total > FULL * self.span or self.span <= 1:
            least = int(LEAST_S * store.format.sample_rate)
            span = max(store.expected, least, int(total * HEADROOM))
        else:
            return False
        changed = span != self.span
        self.span = span
        return changed
