"""What waveform and codebook view of a take have in common: selection, playhead, mouse and keys."""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QWidget

from app.core.theme import Theme
from app.takes.time_axis import TimeAxis
from app.widgets.plots import DRAG_FROM, Plot

STEP_S = 1.0
STEP_SHARE = 0.05
RULER = 52


class TakePicture(Plot):
    """Base of pictures of a take over the shared time axis.

    Mouse: click moves, drag selects, Shift+click extends, a double click shows the selection.
    Keys: arrows move, Shift+arrows select, L loops the selection.

    Signals:
        seek_requested(int): the user clicked or used the keys; in samples.
        loop_requested(): the user wants the selection looped, or no longer.
    """

    axis: TimeAxis
    seek_requested = Signal(int)
    loop_requested = Signal()

    def __init__(
        self, axis: TimeAxis, theme: Theme, left: pg.AxisItem, parent: QWidget | None = None
    ) -> None:
        self.hint = ""
        self._pressed: tuple[float, int] | None = None
        self._region = pg.LinearRegionItem(movable=False)
        self._region.hide()
        super().__init__(axis, theme, left, RULER, parent)
        self.getPlotItem().addItem(self._region, ignoreBounds=True)
        axis.selection_changed.connect(self._show_selection)

    @Slot()
    def take_colors(self) -> None:
        """Take the colours of the theme."""
        super().take_colors()
        self._region.setBrush(self.tint)
        for line in self._region.lines:
            line.setPen(pg.mkPen(self.theme.colors.accent))

    def sizeHint(self) -> QSize:
        return QSize(600, 112)

    def draw(self, painter: QPainter, area: QRectF) -> None:
        """Paint the data, or the hint while there is none."""
        store = self.axis.store
        if store is not None and (store.length or store.frames):
            self.draw_take(painter, area.width(), area.height())
        elif self.hint:
            painter.setPen(QColor(self.theme.colors.dim))
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter, self.hint)

    def draw_take(self, painter: QPainter, width: float, height: float) -> None:
        """Paint what there is of the take."""
        raise NotImplementedError

    def set_position(self, sample: int) -> None:
        """Put the playhead at ``sample``."""
        if sample != self.anchor:
            self.anchor = sample
            self._head.setValue(sample)

    def set_hint(self, text: str) -> None:
        """What is shown while there is no data."""
        if text != self.hint:
            self.hint = text
            self.invalidate()

    @Slot()
    def _show_selection(self) -> None:
        region = self.axis.selection
        self._region.setVisible(region is not None)
        if region is not None:
            self._region.setRegion(region)

    def press(self, event: QMouseEvent) -> None:
        """Move there, or extend the selection."""
        x = event.position().x()
        sample = self.sample_at(x)
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._extend(sample)
        else:
            self._pressed = (x, sample)
            self.seek_requested.emit(sample)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        x = event.position().x()
        if self._pressed is not None and abs(x - self._pressed[0]) >= DRAG_FROM:
            self.axis.select((self._pressed[1], self.sample_at(x)))
        super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, self._pressed = self._pressed, None
        if pressed is not None and abs(event.position().x() - pressed[0]) < DRAG_FROM:
            self.axis.select(None)
        super().mouseReleaseEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self.axis.selection is not None:
            self.axis.show_range(*self.axis.selection)

    def do_key(self, event: QKeyEvent) -> bool:
        """Do what a key stands for; ``False`` when it stands for nothing."""
        axis, key = self.axis, Qt.Key(event.key())
        step = int(STEP_S * axis.rate)
        if axis.zoomed:
            step = max(1, round(STEP_SHARE * axis.span))
        targets = {
            Qt.Key.Key_Left: self.anchor - step,
            Qt.Key.Key_Right: self.anchor + step,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: axis.length,
        }
        if key in targets:
            target = max(0, min(targets[key], axis.length))
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                self._extend(target)
            axis.follow(target)
            self.seek_requested.emit(target)
        elif key is Qt.Key.Key_L and not event.modifiers():
            self.loop_requested.emit()
        else:
            return super().do_key(event)
        return True

    def _extend(self, sample: int) -> None:
        """Move the nearer end of the selection, or select from the playhead on."""
        if self.axis.selection is None:
            self.axis.select((self.anchor, sample))
            return
        first, end = self.axis.selection
        keep = end if abs(sample - first) < abs(sample - end) else first
        self.axis.select((keep, sample))
