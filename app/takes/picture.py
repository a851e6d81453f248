"""What waveform and codebook view have in common: scene, rulers, playhead, mouse and keys.

The scene is pyqtgraph's: plots over one time axis, rulers, the selected region, the playhead,
zoom by rubber band, and saving as a picture. What is drawn of the data is ours, see
:class:`_Drawing`.
"""

from __future__ import annotations

import pyqtgraph as pg
from pyqtgraph.exporters import ImageExporter
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFont,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.core.theme import Theme
from app.takes.time_axis import ZOOM_STEP, TimeAxis

STEP_S = 1.0
STEP_SHARE = 0.05
DRAG_FROM = 4.0
SCROLL_STEP = 0.15
WHEEL_NOTCH = 120
RULER = 52
FONT = 10


class _Drawing(pg.GraphicsObject):  # type: ignore[misc]
    """What a picture draws of its take, in pixels, as wide and high as the plot.

    Drawn into a pixmap only when data, view or colours change: a moving playhead costs a copy.
    """

    def __init__(self, picture: TakePicture) -> None:
        super().__init__()
        self._picture = picture
        self._cache: QPixmap | None = None
        self.setParentItem(picture.view)
        self.setZValue(-1)

    def boundingRect(self) -> QRectF:
        return QRectF(self._picture.view.rect())

    def invalidate(self) -> None:
        """Draw anew at the next paint event."""
        self._cache = None
        self.prepareGeometryChange()
        self.update()

    def paint(self, painter: QPainter, *args: object) -> None:
        area = self.boundingRect()
        if self._exportOpts is not False:
            self._picture.draw_all(painter, area)
            return
        ratio = self._picture.devicePixelRatioF()
        cache = self._cache
        if cache is None or cache.devicePixelRatioF() != ratio:
            size = (area.size() * ratio).toSize().expandedTo(QSize(1, 1))
            cache = self._cache = QPixmap(size)
            cache.setDevicePixelRatio(ratio)
            cache.fill(QColor(self._picture.theme.colors.bg))
            inner = QPainter(cache)
            self._picture.draw_all(inner, area)
            inner.end()
        painter.drawPixmap(QPointF(0, 0), cache)


class TakePicture(pg.PlotWidget):  # type: ignore[misc]
    """Base of pictures over the shared time axis.

    The whole widget is repainted each time: partial updates leave trails at fractional scale
    factors.

    Mouse: click moves, drag selects, Shift+click extends, wheel zooms at the mouse,
    Shift+wheel scrolls, a drag with Ctrl or the right button zooms to a frame, one with the
    middle button scrolls. Keys: arrows move, Shift+arrows select, plus and minus zoom, 0 shows
    everything, L loops the selection.

    Attributes:
        view: the area of the plot, without the rulers.

    Signals:
        seek_requested(int): the user clicked or used the keys; in samples.
        loop_requested(): the user wants the selection looped, or no longer.
        menu_requested(QPoint, int): the context menu at a global place, over a sample.
    """

    seek_requested = Signal(int)
    loop_requested = Signal()
    menu_requested = Signal(object, int)

    def __init__(
        self, axis: TimeAxis, theme: Theme, left: pg.AxisItem, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent, background=None, axisItems={"left": left}, enableMenu=False)
        self.axis, self.theme, self.hint = axis, theme, ""
        self._position = 0
        self._pressed: tuple[float, int] | None = None
        self._framed: QPointF | None = None
        self._scrolled: float | None = None
        plot = self.getPlotItem()
        plot.hideButtons()
        plot.layout.setContentsMargins(0, 1, 1, 1)
        self.view = plot.getViewBox()
        self.view.setMouseEnabled(x=False, y=False)
        self.view.setDefaultPadding(0)
        left.setWidth(RULER)
        self._drawing = _Drawing(self)
        self._head = pg.InfiniteLine(0, angle=90)
        self._head.hide()
        self._region = pg.LinearRegionItem(movable=False)
        self._region.hide()
        for item in (self._region, self._head):
            plot.addItem(item, ignoreBounds=True)
        self._set_up()

    def _set_up(self) -> None:
        self.setViewportUpdateMode(self.ViewportUpdateMode.FullViewportUpdate)
        # In this order: the viewport hands a policy on to the widget that it belongs to.
        self.viewport().setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setMouseTracking(True)
        self.setMinimumHeight(48)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.axis.changed.connect(self._show_range)
        self.axis.data_changed.connect(self.invalidate)
        self.axis.selection_changed.connect(self._show_selection)
        self.theme.changed.connect(self._paint)
        self._paint()
        self._show_range()

    @Slot()
    def _paint(self) -> None:
        """Take the colours of the theme."""
        colors = self.theme.colors
        font = QFont(self.font())
        font.setPixelSize(FONT)
        for name in ("left", "bottom"):
            ruler = self.getPlotItem().getAxis(name)
            ruler.setPen(QColor(colors.line))
            ruler.setTextPen(QColor(colors.dim))
            ruler.setStyle(tickFont=font, tickLength=-4, tickTextOffset=3)
        self.setBackground(QColor(colors.panel))
        # Lines between the numbers cost half of a repaint and tell nothing.
        self.getPlotItem().getAxis("bottom").setStyle(maxTickLevel=0)
        self._head.setPen(pg.mkPen(colors.text, width=1.5))
        tint = QColor(colors.text)
        tint.setAlpha(38)
        self._region.setBrush(tint)
        for line in self._region.lines:
            line.setPen(pg.mkPen(colors.accent))
        self.view.rbScaleBox.setPen(pg.mkPen(colors.accent))
        self.view.rbScaleBox.setBrush(tint)
        self.invalidate()

    def sizeHint(self) -> QSize:
        return QSize(600, 112)

    def draw(self, painter: QPainter, width: float, height: float) -> None:
        """Paint the data; the background is there already."""
        raise NotImplementedError

    def draw_all(self, painter: QPainter, area: QRectF) -> None:
        """Paint the data, or the hint while there is none."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        store = self.axis.store
        if store is not None and (store.length or store.frames):
            self.draw(painter, area.width(), area.height())
        elif self.hint:
            painter.setPen(QColor(self.theme.colors.dim))
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter, self.hint)

    def set_position(self, sample: int) -> None:
        """Put the playhead at ``sample``."""
        if sample != self._position:
            self._position = sample
            self._head.setValue(sample)

    def set_head_visible(self, visible: bool) -> None:
        """Show the playhead or hide it."""
        self._head.setVisible(visible)

    def set_hint(self, text: str) -> None:
        """What is shown while there is no data."""
        if text != self.hint:
            self.hint = text
            self.invalidate()

    def image(self) -> QImage:
        """What is shown, with its rulers, twice as large."""
        exporter = ImageExporter(self.getPlotItem())
        exporter.parameters()["width"] = 2 * self.width()
        exporter.parameters()["background"] = QColor(self.theme.colors.panel)
        image: QImage = exporter.export(toBytes=True)
        return image

    @Slot()
    def invalidate(self) -> None:
        """Draw the picture anew at the next paint event."""
        self._drawing.invalidate()

    @Slot()
    def _show_range(self) -> None:
        store, seconds = self.axis.store, self.getPlotItem().getAxis("bottom")
        if store is not None and seconds.scale != 1 / store.format.sample_rate:
            seconds.setScale(1 / store.format.sample_rate)
        self.view.setXRange(self.axis.start, self.axis.start + self.axis.span, padding=0)
        self.invalidate()

    @Slot()
    def _show_selection(self) -> None:
        region = self.axis.selection
        self._region.setVisible(region is not None)
        if region is not None:
            self._region.setRegion(region)

    @property
    def area(self) -> QRectF:
        """The plot without its rulers, in the widget."""
        return QRectF(self.view.sceneBoundingRect())

    def sample_at(self, x: float) -> int:
        """The sample at a place of the widget."""
        return self.axis.sample_at(x - self.area.left(), self.area.width())

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus():
            painter = QPainter(self.viewport())
            painter.setPen(QPen(QColor(self.theme.colors.accent), 1))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
            painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if hasattr(self, "_drawing"):  # pyqtgraph resizes within its constructor
            self.getPlotItem().layout.activate()
            self.invalidate()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self.axis.store is None:
            return
        x, button, keys = event.position().x(), event.button(), event.modifiers()
        sample = self.sample_at(x)
        framing = bool(keys & Qt.KeyboardModifier.ControlModifier)
        if button is Qt.MouseButton.MiddleButton:
            self._scrolled = x
        elif button is Qt.MouseButton.RightButton or framing:
            self._framed = event.position()
        elif button is Qt.MouseButton.LeftButton and keys & Qt.KeyboardModifier.ShiftModifier:
            self._extend(sample)
        elif button is Qt.MouseButton.LeftButton:
            self._pressed = (x, sample)
            self.seek_requested.emit(sample)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        x = event.position().x()
        if self._pressed is not None and abs(x - self._pressed[0]) >= DRAG_FROM:
            self.axis.select((self._pressed[1], self.sample_at(x)))
        elif self._framed is not None and abs(x - self._framed.x()) >= DRAG_FROM:
            top, bottom = self.area.top(), self.area.bottom()
            corners = (QPointF(self._framed.x(), top), QPointF(x, bottom))
            self.view.updateScaleBox(*map(self.view.mapFromScene, corners))
        elif self._scrolled is not None:
            self.axis.scroll((self._scrolled - x) / max(1.0, self.area.width()))
            self._scrolled = x

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        x = event.position().x()
        pressed, self._pressed = self._pressed, None
        framed, self._framed = self._framed, None
        self._scrolled = None
        self.view.rbScaleBox.hide()
        if pressed is not None and abs(x - pressed[0]) < DRAG_FROM:
            self.axis.select(None)
        if framed is not None and abs(x - framed.x()) >= DRAG_FROM:
            self.axis.show_range(*sorted((self.sample_at(framed.x()), self.sample_at(x))))
        elif framed is not None and event.button() is Qt.MouseButton.RightButton:
            self.menu_requested.emit(event.globalPosition().toPoint(), self.sample_at(x))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self.axis.selection is not None:
            self.axis.show_range(*self.axis.selection)

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
            at = (event.position().x() - self.area.left()) / max(1.0, self.area.width())
            self.axis.zoom(ZOOM_STEP ** (up / WHEEL_NOTCH), min(max(at, 0.0), 1.0))
        event.accept()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The mouse's menu comes with the button's release, when it was no drag."""
        if self.axis.store is not None and event.reason() is QContextMenuEvent.Reason.Keyboard:
            self.menu_requested.emit(event.globalPos(), self._position)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        store = self.axis.store
        if store is None or not self._do_key(event):
            event.ignore()

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
