"""The waveform of a clip with two handles that trim it, and of a recording while it grows."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPolygonF,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.audio.peaks import Peaks
from app.core.formats import clock
from app.core.theme import Theme

PITCH = 3.0
BAR = 2.0
GRIP = 8.0
STEP_S = 0.05
BIG_STEP_S = 0.5
FILL = 0.9
FLAG = 6.0
HOT = 0.999
CAP = 4.0


class ClipView(QWidget):
    """Shows samples and the part of them that is kept.

    Left and right arrow move the handle that was used last, with Shift in larger steps; Tab
    inside the widget is not needed: ``[`` and ``]`` choose the handle.

    Signals:
        range_dragged(int, int): the handles move; start and end in samples.
        range_set(): the drag is over.
        seek_requested(int): a click between the handles.
        play_requested(): Space.
        undo_requested(), redo_requested(): the usual keys.
    """

    range_dragged = Signal(int, int)
    range_set = Signal()
    seek_requested = Signal(int)
    play_requested = Signal()
    undo_requested = Signal()
    redo_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._samples = np.zeros(0, np.float32)
        self._peaks = Peaks()
        self._rate = 1
        self._room = 0
        self.start, self.end = 0, 0
        self.gain = 1.0
        self.position = -1
        self.editable = False
        self.hint = ""
        self._handle = "start"
        self._dragging = ""
        self._buffer = np.zeros(0, np.float32)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumHeight(52)
        self.setAccessibleName(self.tr("Waveform of the clip"))
        self.setAccessibleDescription(
            self.tr("Arrow keys move the start or the end, [ and ] choose which. Space plays.")
        )
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(200, 60)

    def set_clip(self, samples: np.ndarray, peaks: Peaks, rate: int) -> None:
        """Show a whole clip, float32 ``(n,)``."""
        self._samples, self._peaks, self._rate = samples, peaks, max(1, rate)
        self._room = len(samples)
        self.start, self.end = 0, len(samples)
        self.position = -1
        self.editable = len(samples) > 0
        self.update()

    def clear(self) -> None:
        """Show nothing but the hint."""
        self.set_clip(np.zeros(0, np.float32), Peaks(), 1)

    def begin_growing(self, rate: int, room: int) -> None:
        """Show an empty recording; ``room`` samples are the width at first."""
        self.set_clip(np.zeros(0, np.float32), Peaks(), rate)
        self._room = max(1, room)
        self._buffer = np.zeros(max(1, room), np.float32)

    def grow(self, block: np.ndarray) -> None:
        """Add samples ``(n, channels)`` to the recording."""
        count = len(self._samples) + len(block)
        if count > len(self._buffer):
            self._buffer = np.concatenate(
                [self._buffer, np.zeros(max(len(self._buffer), len(block)), np.float32)]
            )
        self._buffer[len(self._samples) : count] = block[:, 0]
        self._samples = self._buffer[:count]
        self._peaks.update(self._samples)
        self._room = max(self._room, count)
        self.start, self.end = 0, count
        self.update()

    def set_range(self, start: int, end: int) -> None:
        """Show what is kept."""
        if (start, end) != (self.start, self.end):
            self.start, self.end = start, end
            self.update()

    def set_gain(self, gain: float) -> None:
        """Draw the samples this much higher."""
        if gain != self.gain:
            self.gain = gain
            self.update()

    def set_position(self, sample: int) -> None:
        """The playhead; -1 hides it."""
        if sample != self.position:
            self.position = sample
            self.update()

    def set_hint(self, text: str) -> None:
        """What stands there while there is no clip."""
        if text != self.hint:
            self.hint = text
            self.update()

    def x_of(self, sample: float) -> float:
        """Place of a sample."""
        return sample / max(1, self._room) * self.width()

    def sample_at(self, x: float) -> int:
        """The sample at a place, within the clip."""
        return max(0, min(int(x / max(1, self.width()) * self._room), len(self._samples)))

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = self._theme.colors
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(self.rect())
        frame = QPainterPath()
        frame.addRoundedRect(area.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        painter.fillPath(frame, QColor(colors.bg))
        painter.setClipPath(frame)
        if len(self._samples) == 0:
            painter.setPen(QColor(colors.dim))
            flags = int(Qt.AlignmentFlag.AlignCenter) | int(Qt.TextFlag.TextWordWrap)
            painter.drawText(area.adjusted(12, 4, -12, -4), flags, self.hint)
        else:
            self._draw_bars(painter)
            if self.editable:
                self._draw_handles(painter)
        if self.position >= 0:
            x = self.x_of(self.position)
            painter.fillRect(QRectF(x - 0.5, 0, 1.5, self.height()), QColor(colors.text))
        painter.setClipping(False)
        if self.hasFocus():
            painter.setPen(QColor(colors.accent))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPath(frame)
        painter.end()

    def _draw_bars(self, painter: QPainter) -> None:
        colors, height = self._theme.colors, self.height()
        columns = int(self.width() / PITCH) + 1
        per_column = max(self._room / max(1, self.width()) * PITCH, 1e-9)
        low, high = self._peaks.columns(self._samples, 0, per_column, columns)
        low = np.clip(np.minimum(low, 0) * self.gain, -1, 1)
        high = np.clip(np.maximum(high, 0) * self.gain, -1, 1)
        middle, scale = height / 2, height / 2 * FILL
        first, last = self.x_of(self.start), self.x_of(self.end)
        kept, cut, hot = QColor(colors.wave), QColor(colors.held), QColor(colors.bad)
        for i, (lo, hi) in enumerate(zip(low.tolist(), high.tolist(), strict=True)):
            x = i * PITCH
            bar = QRectF(x, middle - hi * scale - 0.5, BAR, (hi - lo) * scale + 1)
            painter.fillRect(bar, kept if first <= x + BAR / 2 <= last else cut)
            if hi >= HOT:
                painter.fillRect(QRectF(x, bar.top(), BAR, CAP), hot)
            if lo <= -HOT:
                painter.fillRect(QRectF(x, bar.bottom() - CAP, BAR, CAP), hot)

    def _draw_handles(self, painter: QPainter) -> None:
        colors = self._theme.colors
        veil = QColor(colors.panel)
        veil.setAlpha(130)
        first, last = self.x_of(self.start), self.x_of(self.end)
        painter.fillRect(QRectF(0, 0, first, self.height()), veil)
        painter.fillRect(QRectF(last, 0, self.width() - last, self.height()), veil)
        for name, x, way in (("start", first, 1), ("end", last, -1)):
            active = self.hasFocus() and name == self._handle
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colors.text if active else colors.dim))
            edge = min(max(x, 0.0), self.width() - 2.0) if way > 0 else min(x - 2, self.width() - 2)
            painter.drawRect(QRectF(edge, 0, 2, self.height()))
            tip = edge + (2 if way > 0 else 0)
            flag = [QPointF(tip, 0), QPointF(tip + way * FLAG, 0), QPointF(tip, FLAG + 2)]
            painter.drawPolygon(QPolygonF(flag))

    def _handle_at(self, x: float) -> str:
        if not self.editable:
            return ""
        start, end = abs(x - self.x_of(self.start)), abs(x - self.x_of(self.end))
        if min(start, end) > GRIP:
            return ""
        return "start" if start <= end else "end"

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is not Qt.MouseButton.LeftButton or not self.editable:
            return
        self._dragging = self._handle_at(event.position().x())
        if self._dragging:
            self._handle = self._dragging
        else:
            self.seek_requested.emit(self.sample_at(event.position().x()))
        self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        x = event.position().x()
        if self._dragging:
            self._move(self._dragging, self.sample_at(x))
            return
        over = bool(self._handle_at(x))
        self.setCursor(Qt.CursorShape.SplitHCursor if over else Qt.CursorShape.ArrowCursor)
        self.setToolTip(clock(self.sample_at(x) / self._rate) if self.editable else "")

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._dragging:
            self._dragging = ""
            self.range_set.emit()

    def _move(self, handle: str, sample: int) -> None:
        if handle == "start":
            self.range_dragged.emit(min(sample, self.end), self.end)
        else:
            self.range_dragged.emit(self.start, max(sample, self.start))

    def event(self, event: QEvent) -> bool:
        """Space and the undo keys belong to this widget before the window's shortcuts."""
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            undo = event.matches(QKeySequence.StandardKey.Undo)
            redo = event.matches(QKeySequence.StandardKey.Redo)
            if undo or redo or event.key() == Qt.Key.Key_Space:
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        step = int((BIG_STEP_S if shift else STEP_S) * self._rate)
        if event.matches(QKeySequence.StandardKey.Undo):
            self.undo_requested.emit()
        elif event.matches(QKeySequence.StandardKey.Redo):
            self.redo_requested.emit()
        elif key == Qt.Key.Key_Space:
            self.play_requested.emit()
        elif key in (Qt.Key.Key_BracketLeft, Qt.Key.Key_BracketRight):
            self._handle = "start" if key == Qt.Key.Key_BracketLeft else "end"
            self.update()
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right) and self.editable:
            at = self.start if self._handle == "start" else self.end
            self._move(self._handle, at + (step if key == Qt.Key.Key_Right else -step))
            self.range_set.emit()
        else:
            super().keyPressEvent(event)
