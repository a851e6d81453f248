"""What waveform and codebook roll have in common: cached picture, playhead, click and keys."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.theme import Theme
from app.widgets.time_axis import TimeAxis

RADIUS = 6
STEP_S = 1.0


class TakePicture(QWidget):
    """Base of pictures over the shared time axis.

    The picture is drawn into a pixmap only when data, size or colours change; the moving
    playhead costs one copy. The whole widget is repainted each time: partial updates leave
    trails at fractional scale factors.

    Signals:
        seek_requested(int): the user clicked or used the keys; in samples.
    """

    seek_requested = Signal(int)

    def __init__(self, axis: TimeAxis, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.axis = axis
        self.theme = theme
        self.hint = ""
        self._position = 0
        self._head_visible = False
        self._cache: QPixmap | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setMinimumHeight(48)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        axis.changed.connect(self.invalidate)
        axis.data_changed.connect(self.invalidate)
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
        if self._head_visible and self.axis.store is not None:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            x = min(self.axis.x_of(self._position, self.width()), self.width() - 1.5)
            painter.setPen(QPen(QColor(self.theme.colors.text), 1.5))
            painter.drawLine(QPointF(x + 0.75, 0), QPointF(x + 0.75, self.height()))
        if self.hasFocus():
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(self.theme.colors.accent), 1))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        painter.end()

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
            self.seek_requested.emit(self.axis.sample_at(event.position().x(), self.width()))
        super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        store = self.axis.store
        if store is None:
            super().keyPressEvent(event)
            return
        step = int(STEP_S * store.format.sample_rate)
        targets = {
            Qt.Key.Key_Left: self._position - step,
            Qt.Key.Key_Right: self._position + step,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: store.length,
        }
        target = targets.get(Qt.Key(event.key()))
        if target is None:
            super().keyPressEvent(event)
        else:
            self.seek_requested.emit(max(0, min(target, store.length)))
