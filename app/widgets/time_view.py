"""Which part of a sound the pictures show; several may share one, so that they line up."""

from __future__ import annotations

import sys
from contextlib import suppress
from importlib import import_module

from PySide6.QtCore import QObject, Qt, QThreadPool, Signal
from PySide6.QtWidgets import QWidget

LEAST_SPAN = 64
LEAD = 0.1
ZOOM_STEP = 1.5


class TimeView(QObject):
    """Which samples the width of a picture stands for.

    Attributes:
        rate: samples in a second.
        length: samples that are there.
        start: sample at the left edge.
        span: samples of the whole width; at least 1.
        whole: samples of the width when everything is shown; 1 without a sound.
        zoomed: only a part is shown.

    Signals:
        changed(): another part is shown, or another sound.
        data_changed(): the sound grew, or looks different.
    """

    changed = Signal()
    data_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rate, self.length = 1, 0
        self.start, self.span, self.whole, self.zoomed = 0, 1, 1, False

    @property
    def empty(self) -> bool:
        """There is no sound and none on its way."""
        return self.whole <= 1

    def reset(self) -> None:
        """Show nothing; the next sound is shown whole."""
        self.start, self.span, self.whole, self.zoomed = 0, 1, 1, False

    def set_whole(self, whole: int) -> bool:
        """Give the sound this much room; whether that changed. A zoomed view stays."""
        changed, self.whole = whole != self.whole, whole
        if not self.zoomed:
            self.start, self.span = 0, whole
        elif self.start + self.span > whole:
            self.start = max(0, whole - self.span)
            self.span = min(self.span, whole)
        return changed

    def sample_at(self, x: float, width: float) -> int:
        """The sample under picture position ``x``, within the sound."""
        if width <= 0:
            return 0
        return max(0, min(int(self.start + x / width * self.span), self.length))

    def x_of(self, sample: float, width: float) -> float:
        """Picture position of ``sample``."""
        return (sample - self.start) / self.span * width

    def zoom(self, factor: float, at: float = 0.5) -> None:
        """Show ``1 / factor`` of what is shown; the sample at the share ``at`` stays there."""
        if self.empty or factor <= 0:
            return
        anchor = self.start + at * self.span
        span = max(LEAST_SPAN, round(self.span / factor))
        if span >= self.whole:
            self.show_all()
        else:
            self._set_view(round(anchor - at * span), span)

    def zoom_around(self, factor: float, sample: int) -> None:
        """Zoom around a sample where it is seen, else around the middle."""
        at = (sample - self.start) / self.span
        self.zoom(factor, at if 0 <= at <= 1 else 0.5)

    def scroll(self, share: float) -> None:
        """Move the view by a share of its width; positive shows what is later."""
        if self.zoomed:
            self._set_view(self.start + round(share * self.span), self.span)

    def show_range(self, first: int, end: int) -> None:
        """Fill the width with a region."""
        if not self.empty and end > first:
            span = max(LEAST_SPAN, end - first)
            if span >= self.whole:
                self.show_all()
            else:
                self._set_view(first - (span - (end - first)) // 2, span)

    def show_all(self) -> None:
        """Show the whole sound."""
        if self.zoomed or self.start:
            self.start, self.span, self.zoomed = 0, self.whole, False
            self.changed.emit()

    def follow(self, sample: int) -> None:
        """Turn the page when ``sample``, which is heard now, is out of view."""
        if self.zoomed and not self.start <= sample < self.start + self.span:
            self._set_view(sample - round(LEAD * self.span), self.span)

    def _set_view(self, start: int, span: int) -> None:
        start = max(0, min(start, self.whole - span))
        if (start, span) != (self.start, self.span):
            self.start, self.span, self.zoomed = start, span, True
            self.changed.emit()


class PlotLoader(QObject):
    """Imports :mod:`app.widgets.plots` with the first picture.

    pyqtgraph takes longer to import than the window to show, so a thread does it.

    Signals:
        ready(): the import is quick now; once after each :meth:`load`.
    """

    ready = Signal()

    def load(self) -> None:
        """Import it, unless it is there."""
        if hasattr(sys.modules.get("pyqtgraph"), "PlotWidget"):
            self.ready.emit()
        else:
            QThreadPool.globalInstance().start(self._import)

    def _import(self) -> None:
        import_module("app.widgets.plots")
        with suppress(RuntimeError):  # the window may be gone by now
            self.ready.emit()


def tab_before(after: QWidget, widget: QWidget) -> None:
    """Put a widget that came late into the order of Tab, before ``after``."""
    before = after.previousInFocusChain()
    while before is not None and before.focusPolicy() is Qt.FocusPolicy.NoFocus:
        before = before.previousInFocusChain()
    if before is not None:
        QWidget.setTabOrder(before, widget)
