"""What waveform and codebook roll have in common: cached picture, playhead, mouse and keys."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.core.theme import Theme
from app.takes.time_axis import TimeAxis

RADIUS = 6
STEP_S = 1.0
STEP_SHARE = 0.05
DRAG_FROM = 4.0
ZOOM_STEP = 1.5
SCROLL_STEP = 0.15
WHEEL_NOTCH = 120


class TakePicture(QWidget):
    """Base of pictures over the shared time axis.

    The picture is drawn into a pixmap only when data, view or colours change; the moving
    playhead costs one copy. The whole widget is repainted each time: partial updates leave
    trails at fractional scale factors.

    Mouse: click moves, drag selects, Shift+click extends, wheel zooms at the mouse,
    Shift+wheel scrolls. Keys: arrows move, Shift+arrows select, plus and minus zoom, 0 shows
    everything, L loops the selection.

    Signals:
        seek_requested(int): the user clicked or used the keys; in samples.
        loop_requested(): the user wants the selection looped, or no longer.
        menu_requested(QPoint, int): the context menu at a global place, over a sample.
    """

    seek_requested = Signal(int)
    loop_requested = Signal()
    menu_requested = Signal(object, int)

    def __init__(self, axis: TimeAxis, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.axis = axis
        self.theme = theme
        self.hint = ""
        self._position = 0
        self._head_visible = False
        self._pressed: tuple[float, int] | None = None
        self._cache: QPixmap | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setMinimumHeight(48)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        axis.changed.connect(self.invalidate)
        axis.data_changed.connect(self.invalidate)
        axis.selection_changed.connect(self.update)
        theme.changed.connect(self.invalidate)

    def sizeHint(self) -> QSize:
        return QSize(600, 112)

    def draw(self, painter: QPainter, width: float, height: float) -> None:
        """Paint the data; the background is there already."""
        raise NotImplementedError

    def set_position(self, sample: int) -> None:
        """Put the playhead at ``sample``."""
        if sample != self._position:
            self._position = sample
            self.update()

    def set_head_visible(self, visible: bool) -> None:
        """Show the playhead or hide it."""
        if visible != self._head_visible:
            self._head_visible = visible
            self.update()

    def set_hint(self, text: str) -> None:
        """What is shown while there is no data."""
        if text != self.hint:
            self.hint = text
            self.invalidate()

    @Slot()
    def invalidate(self) -> None:
        """Draw the picture anew at the next paint event."""
        self._cache = None
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        cache = self._cache
        ratio = self.devicePixelRatioF()
        if cache is None or cache.devicePixelRatioF() != ratio:
            cache = self._cache = self._draw_cache(ratio)
        painter = QPainter(self)
        painter.drawPixmap(QPointF(0, 0), cache)
        if self.axis.store is not None:
            self._draw_selection(painter)
            if self._head_visible:
                self._draw_head(painter)
        if self.hasFocus():
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(self.theme.colors.accent), 1))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        painter.end()

    def _draw_head(self, painter: QPainter) -> None:
        x = self.axis.x_of(self._position, self.width())
        if self._position == self.axis.start + self.axis.span:
            x = self.width() - 1.5
        if 0 <= x <= self.width():
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(self.theme.colors.text), 1.5))
            painter.drawLine(QPointF(x + 0.75, 0), QPointF(x + 0.75, self.height()))

    def _draw_selection(self, painter: QPainter) -> None:
        if self.axis.selection is None:
            return
        left, right = (self.axis.x_of(at, self.width()) for at in self.axis.selection)
        left, right = max(left, -2.0), min(right, self.width() + 2.0)
        if right <= left:
            return
        tint = QColor(self.theme.colors.text)
        tint.setAlpha(38)
        painter.fillRect(QRectF(left, 0, right - left, self.height()), tint)
        painter.setPen(QPen(QColor(self.theme.colors.accent), 1))
        for x in (left, right):
            painter.drawLine(QPointF(x, 0), QPointF(x, self.height()))
        self.label_selection(painter, QRectF(left, 0, right - left, self.height()))

    def label_selection(self, painter: QPainter, area: QRectF) -> None:
        """Write something on the selection; by default nothing."""

    def _draw_cache(self, ratio: float) -> QPixmap:
        size = self.size()
        image = QPixmap(max(1, round(size.width() * ratio)), max(1, round(size.height() * ratio)))
        image.setDevicePixelRatio(ratio)
        image.fill(Qt.GlobalColor.transparent)
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        frame = QPainterPath()
        frame.addRoundedRect(QRectF(0, 0, size.width(), size.height()), RADIUS, RADIUS)
        painter.fillPath(frame, QColor(self.theme.colors.bg))
        painter.setClipPath(frame)
        store = self.axis.store
        if store is not None and (store.length or store.frames):
            self.draw(painter, size.width(), size.height())
        elif self.hint:
            painter.setPen(QColor(self.theme.colors.dim))
            painter.drawText(QRectF(self.rect()), Qt.AlignmentFlag.AlignCenter, self.hint)
        painter.end()
        return image

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._cache = None
        super().resizeEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and self.axis.store is not None:
            sample = self.axis.sample_at(event.position().x(), self.width())
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                self._extend(sample)
            else:
                self._pressed = (event.position().x(), sample)
                self.seek_requested.emit(sample)
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        x = event.position().x()
        if self._pressed is not None and abs(x - self._pressed[0]) >= DRAG_FROM:
            self.axis.select((self._pressed[1], self.axis.sample_at(x, self.width())))
        super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, self._pressed = self._pressed, None
        if pressed is not None and abs(event.position().x() - pressed[0]) < DRAG_FROM:
            self.axis.select(None)
        super().mouseReleaseEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self.axis.selection is not None:
            self.axis.show_range(*self.axis.selection)
        super().mouseDoubleClickEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.axis.store is None:
            event.ignore()
            return
        across, up = event.angleDelta().x(), event.angleDelta().y()
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            across = across or up
            up = 0
        if across:
            self.axis.scroll(-across / WHEEL_NOTCH * SCROLL_STEP)
        elif up:
            at = event.position().x() / max(1, self.width())
            self.axis.zoom(ZOOM_STEP ** (up / WHEEL_NOTCH), at)
        event.accept()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self.axis.store is None:
            return
        sample = self.axis.sample_at(event.pos().x(), self.width())
        if event.reason() is QContextMenuEvent.Reason.Keyboard:
            sample = self._position
        self.menu_requested.emit(event.globalPos(), sample)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        store = self.axis.store
        if store is None or not self._do_key(event):
            super().keyPressEvent(event)

    def _do_key(self, event: QKeyEvent) -> bool:
        store, axis, key = self.axis.store, self.axis, Qt.Key(event.key())
        if store is None:
            return False
        step = int(STEP_S * store.format.sample_rate)
        if axis.zoomed:
            step = max(1, round(STEP_SHARE * axis.span))
        targets = {
            Qt.Key.Key_Left: self._position - step,
            Qt.Key.Key_Right: self._position + step,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: store.length,
        }
        if key in targets:
            target = max(0, min(targets[key], store.length))
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                self._extend(target)
            axis.follow(target)
            self.seek_requested.emit(target)
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus):
            at = (self._position - axis.start) / axis.span
            factor = 1 / ZOOM_STEP if key is Qt.Key.Key_Minus else ZOOM_STEP
            axis.zoom(factor, at if 0 <= at <= 1 else 0.5)
        elif key is Qt.Key.Key_0:
            axis.show_all()
        elif key in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            axis.scroll(-1.0 if key is Qt.Key.Key_PageUp else 1.0)
        elif key is Qt.Key.Key_L and not event.modifiers():
            self.loop_requested.emit()
        else:
            return False
        return True

    def _extend(self, sample: int) -> None:
        """Move the nearer end of the selection, or select from the playhead on."""
        if self.axis.selection is None:
            self.axis.select((self._position, sample))
            return
        first, end = self.axis.selection
        keep = end if abs(sample - first) < abs(sample - end) else first
        self.axis.select((keep, sample))
