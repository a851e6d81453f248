"""The waveform of a clip with two handles that trim it, and of a recording while it grows."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPolygonF,
)
from PySide6.QtWidgets import QToolTip, QWidget

from app.audio.peaks import finite
from app.cloning.shown_clip import ShownClip
from app.core.formats import clock
from app.core.theme import Theme
from app.widgets.plots import BAR, CURVE_BELOW, FILL, Decibels, Plot, bars, draw_curve

RULER = 26
GRIP = 8.0
STEP_S = 0.05
BIG_STEP_S = 0.5
FLAG = 6.0
HOT = 0.999
CAP = 4.0
HOT_BAR = HOT * FILL / 2


class ClipView(Plot):
    """Shows a clip and the part of it that is kept.

    Left and right arrow move the handle that was used last, with Shift in larger steps; Tab
    inside the widget is not needed: ``[`` and ``]`` choose the handle.

    Signals:
        range_dragged(int, int): the handles move; start and end in samples.
        range_set(): the drag is over.
        seek_requested(int): a click between the handles.
        play_requested(): Space.
        undo_requested(), redo_requested(): the usual keys.
    """

    axis: ShownClip
    range_dragged = Signal(int, int)
    range_set = Signal()
    seek_requested = Signal(int)
    play_requested = Signal()
    undo_requested = Signal()
    redo_requested = Signal()

    def __init__(self, clip: ShownClip, theme: Theme, parent: QWidget | None = None) -> None:
        self._handle = "start"
        self._dragging = ""
        super().__init__(clip, theme, Decibels("left"), RULER, parent)
        self.view.setYRange(-1 / FILL, 1 / FILL, padding=0)
        self.setAccessibleName(self.tr("Waveform of the clip"))
        self.setAccessibleDescription(
            self.tr("Arrow keys move the start or the end, [ and ] choose which. Space plays.")
        )
        clip.moved.connect(self._show_position)
        self._show_position()

    def sizeHint(self) -> QSize:
        return QSize(200, 72)

    @Slot()
    def _show_position(self) -> None:
        self.set_head_visible(self.axis.position >= 0)
        self._head.setValue(self.axis.position)

    def draw(self, painter: QPainter, area: QRectF) -> None:
        """Paint the samples and the handles over them."""
        clip, colors = self.axis, self.theme.colors
        width, height = area.width(), area.height()
        if clip.length and clip.span / width < CURVE_BELOW:
            samples = finite(clip.samples[clip.start : clip.start + clip.span + 2] * clip.gain)
            draw_curve(painter, clip, samples, QColor(colors.wave), width, height)
        elif clip.length:
            self._draw_bars(painter, width, height)
        if clip.editable:
            self._draw_handles(painter, width, height)

    def _draw_bars(self, painter: QPainter, width: float, height: float) -> None:
        clip, colors = self.axis, self.theme.colors
        first, last = (clip.x_of(end, width) for end in clip.kept)

        def peaks(start: float, per: float, count: int) -> tuple[np.ndarray, np.ndarray]:
            return clip.peaks.columns(clip.samples, start, per, count)

        middle, limit = height / 2, HOT_BAR * height
        kept: list[QRectF] = []
        cut: list[QRectF] = []
        hot: list[QRectF] = []
        for bar in bars(clip, peaks, width, height, clip.gain):
            (kept if first <= bar.left() + BAR / 2 <= last else cut).append(bar)
            if middle - bar.top() >= limit:
                hot.append(QRectF(bar.left(), bar.top(), BAR, CAP))
            if bar.bottom() - middle >= limit:
                hot.append(QRectF(bar.left(), bar.bottom() - CAP, BAR, CAP))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(Qt.PenStyle.NoPen)
        for group, color in ((kept, colors.wave), (cut, colors.held), (hot, colors.bad)):
            painter.setBrush(QColor(color))
            painter.drawRects(group)

    def _draw_handles(self, painter: QPainter, width: float, height: float) -> None:
        colors = self.theme.colors
        veil = QColor(colors.panel)
        veil.setAlpha(130)
        first, last = (self.axis.x_of(end, width) for end in self.axis.kept)
        painter.fillRect(QRectF(0, 0, first, height), veil)
        painter.fillRect(QRectF(last, 0, width - last, height), veil)
        painter.setPen(Qt.PenStyle.NoPen)
        for name, x, way in (("start", first, 1), ("end", last - 2, -1)):
            if not -GRIP <= x <= width:
                continue
            active = self.hasFocus() and name == self._handle
            painter.setBrush(QColor(colors.text if active else colors.dim))
            edge = min(max(x, 0.0), width - 2)
            painter.drawRect(QRectF(edge, 0, 2, height))
            tip = edge + (2 if way > 0 else 0)
            flag = [QPointF(tip, 0), QPointF(tip + way * FLAG, 0), QPointF(tip, FLAG + 2)]
            painter.drawPolygon(QPolygonF(flag))

    def _handle_at(self, x: float) -> str:
        """``x`` in the widget; empty where no handle is."""
        if not self.axis.editable:
            return ""
        width, x = self.area.width(), x - self.area.left()
        start, end = (abs(x - self.axis.x_of(end, width)) for end in self.axis.kept)
        if min(start, end) > GRIP:
            return ""
        return "start" if start <= end else "end"

    def press(self, event: QMouseEvent) -> None:
        """Take a handle, or seek."""
        x = event.position().x()
        if not self.axis.editable:
            return
        self._dragging = self._handle_at(x)
        if self._dragging:
            self._choose(self._dragging)
        else:
            self.seek_requested.emit(self.sample_at(x))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        x = event.position().x()
        if self._dragging:
            self._move(self._dragging, self.sample_at(x))
        elif not event.buttons():
            shape = (
                Qt.CursorShape.SplitHCursor if self._handle_at(x) else Qt.CursorShape.ArrowCursor
            )
            self.viewport().setCursor(shape)
            if self.axis.editable:
                time = clock(self.sample_at(x) / self.axis.rate)
                QToolTip.showText(event.globalPosition().toPoint() + QPoint(12, 12), time, self)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._dragging:
            self._dragging = ""
            self.range_set.emit()
        super().mouseReleaseEvent(event)

    def _choose(self, handle: str) -> None:
        self._handle = handle
        self.anchor = self.axis.kept[handle == "end"]
        self.invalidate()

    def _move(self, handle: str, sample: int) -> None:
        start, end = self.axis.kept
        ends = (min(sample, end), end) if handle == "start" else (start, max(sample, start))
        self.range_dragged.emit(*ends)
        self.anchor = self.axis.kept[handle == "end"]

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.invalidate()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.invalidate()

    def event(self, event: QEvent) -> bool:
        """Space and the undo keys belong to this widget before the window's shortcuts."""
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            undo = event.matches(QKeySequence.StandardKey.Undo)
            redo = event.matches(QKeySequence.StandardKey.Redo)
            if undo or redo or event.key() == Qt.Key.Key_Space:
                event.accept()
                return True
        return bool(super().event(event))

    def do_key(self, event: QKeyEvent) -> bool:
        """Do what a key stands for; ``False`` when it stands for nothing."""
        key = event.key()
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        step = int((BIG_STEP_S if shift else STEP_S) * self.axis.rate)
        if event.matches(QKeySequence.StandardKey.Undo):
            self.undo_requested.emit()
        elif event.matches(QKeySequence.StandardKey.Redo):
            self.redo_requested.emit()
        elif key == Qt.Key.Key_Space:
            self.play_requested.emit()
        elif key in (Qt.Key.Key_BracketLeft, Qt.Key.Key_BracketRight):
            self._choose("start" if key == Qt.Key.Key_BracketLeft else "end")
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right) and self.axis.editable:
            at = self.axis.kept[self._handle == "end"]
            self._move(self._handle, at + (step if key == Qt.Key.Key_Right else -step))
            self.axis.follow(self.anchor)
            self.range_set.emit()
        else:
            return super().do_key(event)
        return True
