"""The time axis that waveform and codebook roll share, so that they always line up."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from app.takes.store import TakeStore

LEAST_S = 2.0
HEADROOM = 1.25
FULL = 0.97
LEAST_SPAN = 64
LEAD = 0.1
ZOOM_STEP = 1.5


class TimeAxis(QObject):
    """Which samples the width of the pictures stands for, and which are selected.

    A growing take gets room in advance, in few jumps: an axis that creeps with each chunk
    would make everything that was drawn crawl. A view that the user zoomed stays as it is.

    Attributes:
        store: the take shown, if any.
        start: sample at the left edge.
        span: samples of the whole width; at least 1.
        selection: first and end sample of the selected region, or ``None``.

    Signals:
        changed(): start, span or take changed.
        data_changed(): the take grew.
        selection_changed(): another region, or none.
    """

    changed = Signal()
    data_changed = Signal()
    selection_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.store: TakeStore | None = None
        self.start = 0
        self.span = 1
        self.selection: tuple[int, int] | None = None
        self._whole = 1
        self._zoomed = False

    @property
    def zoomed(self) -> bool:
        """Only a part of the take is shown."""
        return self._zoomed

    @property
    def whole(self) -> int:
        """Samples of the width when everything is shown."""
        return self._whole

    def show_take(self, store: TakeStore | None) -> None:
        """Show another take, or none."""
        if self.store is not None:
            self.store.grew.disconnect(self._on_grew)
            self.store.completed.disconnect(self._on_grew)
        self.store = store
        self.start, self.span, self._whole, self._zoomed = 0, 1, 1, False
        if store is not None:
            store.grew.connect(self._on_grew)
            store.completed.connect(self._on_grew)
        self._fit()
        self.select(None)
        self.changed.emit()
        self.data_changed.emit()

    def sample_at(self, x: float, width: float) -> int:
        """The sample under picture position ``x``, within the take."""
        if self.store is None or width <= 0:
            return 0
        return max(0, min(int(self.start + x / width * self.span), self.store.length))

    def x_of(self, sample: float, width: float) -> float:
        """Picture position of ``sample``."""
        return (sample - self.start) / self.span * width

    def zoom(self, factor: float, at: float = 0.5) -> None:
        """Show ``1 / factor`` of what is shown; the sample at the share ``at`` stays there."""
        if self.store is None or factor <= 0:
            return
        anchor = self.start + at * self.span
        span = max(LEAST_SPAN, round(self.span / factor))
        if span >= self._whole:
            self.show_all()
        else:
            self._set_view(round(anchor - at * span), span)

    def scroll(self, share: float) -> None:
        """Move the view by a share of its width; positive shows what is later."""
        if self._zoomed:
            self._set_view(self.start + round(share * self.span), self.span)

    def show_range(self, first: int, end: int) -> None:
        """Fill the width with a region."""
        if self.store is not None and end > first:
            span = max(LEAST_SPAN, end - first)
            if span >= self._whole:
                self.show_all()
            else:
                self._set_view(first - (span - (end - first)) // 2, span)

    def show_all(self) -> None:
        """Show the whole take."""
        if self._zoomed or self.start:
            self.start, self.span, self._zoomed = 0, self._whole, False
            self.changed.emit()

    def follow(self, sample: int) -> None:
        """Turn the page when ``sample``, which is heard now, is out of view."""
        if self._zoomed and not self.start <= sample < self.start + self.span:
            self._set_view(sample - round(LEAD * self.span), self.span)

    def select(self, region: tuple[int, int] | None) -> None:
        """Select a region, in any order of its ends, or nothing."""
        if region is not None:
            length = self.store.length if self.store is not None else 0
            first, end = sorted(max(0, min(at, length)) for at in region)
            region = (first, end) if end > first else None
        if region != self.selection:
            self.selection = region
            self.selection_changed.emit()

    def _set_view(self, start: int, span: int) -> None:
        start = max(0, min(start, self._whole - span))
        if (start, span) != (self.start, self.span):
            self.start, self.span, self._zoomed = start, span, True
            self.changed.emit()

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
            whole = max(store.length, 1)
        elif total > FULL * self._whole or self._whole <= 1:
            least = int(LEAST_S * store.format.sample_rate)
            whole = max(store.expected, least, int(total * HEADROOM))
        else:
            return False
        changed = whole != self._whole
        self._whole = whole
        if not self._zoomed:
            self.start, self.span = 0, whole
        elif self.start + self.span > whole:
            self.start = max(0, whole - self.span)
            self.span = min(self.span, whole)
        return changed
