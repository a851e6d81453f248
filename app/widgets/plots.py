"""Pictures over a time axis: scene, rulers, playhead, zoom, and saving as a picture.

The scene is pyqtgraph's: plots, rulers, the playhead, zoom by rubber band, and saving as a
file. What is drawn of the data is ours, see :class:`_Drawing`.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
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
    QPolygonF,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.core.theme import Theme
from app.widgets.time_view import ZOOM_STEP, TimeView

DRAG_FROM = 4.0
SCROLL_STEP = 0.15
WHEEL_NOTCH = 120
FONT = 10
PITCH = 3.0
BAR = 2.0
FILL = 0.92
LEAST = 1.0
CURVE_BELOW = 1.0
DOTS_FROM = 6.0


LEVELS_DB = (0, -3, -6, -12, -20, -30, -40)
LINES_DB = (-6, -20)
LEVEL_ROOM = 14.0


class Decibels(pg.AxisItem):  # type: ignore[misc]
    """A ruler of levels below full scale, on both sides of silence.

    Attributes:
        gain: what the sound is drawn with; a quiet one fills the height.
    """

    gain = 1.0

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        heights: list[float] = []
        for db in (*LINES_DB, *LEVELS_DB):  # the lines first, the others where they have room
            height = 10 ** (db / 20) * self.gain
            apart = min((abs(height - h) for h in [*heights, 0.0]), default=1.0)
            if height <= 1 and apart * size / (high - low) >= LEVEL_ROOM:
                heights.append(height)
        return [(1.0, [sign * h for h in heights for sign in (1, -1)] + [0.0])]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        return [f"{20 * math.log10(abs(v) / self.gain):.0f}" if v else "-∞" for v in values]


class _Drawing(pg.GraphicsObject):  # type: ignore[misc]
    """What a picture draws of its data, in pixels, as wide and high as the plot.

    Drawn into a pixmap only when data, view or colours change: a moving playhead costs a copy.
    """

    def __init__(self, picture: Plot) -> None:
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
        if self._exportOpts is not False or self._picture.as_lines:
            self._draw(painter)
            return
        ratio = self._picture.devicePixelRatioF()
        cache = self._cache
        if cache is None or cache.devicePixelRatioF() != ratio:
            size = (area.size() * ratio).toSize().expandedTo(QSize(1, 1))
            cache = self._cache = QPixmap(size)
            cache.setDevicePixelRatio(ratio)
            cache.fill(QColor(self._picture.theme.colors.bg))
            inner = QPainter(cache)
            self._draw(inner)
            inner.end()
        painter.drawPixmap(QPointF(0, 0), cache)

    def _draw(self, painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._picture.draw(painter, self.boundingRect())


class Plot(pg.PlotWidget):  # type: ignore[misc]
    """Base of pictures over a time axis.

    The whole widget is repainted each time: partial updates leave trails at fractional scale
    factors.

    Mouse: the wheel zooms at the mouse, Shift+wheel scrolls, a drag with Ctrl or the right
    button zooms to a frame, one with the middle button scrolls. Keys: plus and minus zoom, 0
    shows everything, page up and down scroll. The left button is the subclass's.

    Attributes:
        view: the area of the plot, without the rulers.
        as_lines: the data are drawn as lines and not as a picture, while it is saved so.
        anchor: sample around which the keys zoom, and of which the menu key tells.

    Signals:
        menu_requested(QPoint, int): the context menu at a global place, over a sample.
    """

    menu_requested = Signal(object, int)
    as_lines = False

    def __init__(
        self,
        axis: TimeView,
        theme: Theme,
        left: pg.AxisItem,
        ruler: int,
        parent: QWidget | None = None,
    ) -> None:
        """``left`` is the ruler at the left, ``ruler`` its width in pixels."""
        super().__init__(parent, background=None, axisItems={"left": left}, enableMenu=False)
        self.axis, self.theme = axis, theme
        self.anchor = 0
        self._framed: QPointF | None = None
        self._scrolled: float | None = None
        plot = self.getPlotItem()
        plot.hideButtons()
        plot.layout.setContentsMargins(0, 1, 1, 1)
        self.view = plot.getViewBox()
        self.view.setMouseEnabled(x=False, y=False)
        self.view.setDefaultPadding(0)
        left.setWidth(ruler)
        plot.getAxis("bottom").setHeight(FONT + 6)
        self._drawing = _Drawing(self)
        self._head = pg.InfiniteLine(0, angle=90)
        self._head.hide()
        plot.addItem(self._head, ignoreBounds=True)
        self._set_up()

    def _set_up(self) -> None:
        for action in self.scene().contextMenu:  # the stock menu, which ours stands for
            action.setParent(None)
        self.scene().contextMenu = []
        self.setViewportUpdateMode(self.ViewportUpdateMode.FullViewportUpdate)
        # In this order: the viewport hands a policy on to the widget that it belongs to.
        self.viewport().setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setMouseTracking(True)
        self.setMinimumHeight(48)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.axis.changed.connect(self._show_range)
        self.axis.data_changed.connect(self.invalidate)
        self.theme.changed.connect(self.take_colors)
        self.take_colors()
        self._show_range()

    @Slot()
    def take_colors(self) -> None:
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
        self.view.rbScaleBox.setPen(pg.mkPen(colors.accent))
        self.view.rbScaleBox.setBrush(self.tint)
        self.invalidate()

    @property
    def tint(self) -> QColor:
        """What lies over a part that is marked."""
        color = QColor(self.theme.colors.text)
        color.setAlpha(38)
        return color

    def draw(self, painter: QPainter, area: QRectF) -> None:
        """Paint the data; the background is there already."""
        raise NotImplementedError

    def set_head_visible(self, visible: bool) -> None:
        """Show the playhead or hide it."""
        self._head.setVisible(visible)

    def image(self) -> QImage:
        """What is shown, with its rulers, twice as large."""
        exporter = ImageExporter(self.getPlotItem())
        exporter.parameters()["width"] = 2 * self.width()
        exporter.parameters()["background"] = QColor(self.theme.colors.panel)
        image: QImage = exporter.export(toBytes=True)
        return image

    def paint_lines(self, painter: QPainter, target: QRectF) -> None:
        """Paint what is shown, with its rulers, in a form that can be drawn at any size."""
        painter.fillRect(target, QColor(self.theme.colors.panel))
        self.as_lines = True
        self.render(painter, target, self.viewport().rect())
        self.as_lines = False

    @Slot()
    def invalidate(self) -> None:
        """Draw the picture anew at the next paint event."""
        self._drawing.invalidate()

    @Slot()
    def _show_range(self) -> None:
        seconds = self.getPlotItem().getAxis("bottom")
        if seconds.scale != 1 / self.axis.rate:
            seconds.setScale(1 / self.axis.rate)
        self.view.setXRange(self.axis.start, self.axis.start + self.axis.span, padding=0)
        self.invalidate()

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
        # pyqtgraph resizes within its constructor, and Qt when it is closed.
        if hasattr(self, "_drawing") and self.getPlotItem() is not None:
            self.getPlotItem().layout.activate()
            self.invalidate()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        button = event.button()
        framing = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if self.axis.empty:
            return
        if button is Qt.MouseButton.MiddleButton:
            self._scrolled = event.position().x()
        elif button is Qt.MouseButton.RightButton or framing:
            self._framed = event.position()
        elif button is Qt.MouseButton.LeftButton:
            self.press(event)

    def press(self, event: QMouseEvent) -> None:
        """The left button went down over a sound."""
        raise NotImplementedError

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        x = event.position().x()
        if self._framed is not None and abs(x - self._framed.x()) >= DRAG_FROM:
            top, bottom = self.area.top(), self.area.bottom()
            corners = (QPointF(self._framed.x(), top), QPointF(x, bottom))
            self.view.updateScaleBox(*map(self.view.mapFromScene, corners))
        elif self._scrolled is not None:
            self.axis.scroll((self._scrolled - x) / max(1.0, self.area.width()))
            self._scrolled = x

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        x = event.position().x()
        framed, self._framed = self._framed, None
        self._scrolled = None
        self.view.rbScaleBox.hide()
        if framed is not None and abs(x - framed.x()) >= DRAG_FROM:
            self.axis.show_range(*sorted((self.sample_at(framed.x()), self.sample_at(x))))
        elif framed is not None and event.button() is Qt.MouseButton.RightButton:
            self.menu_requested.emit(event.globalPosition().toPoint(), self.sample_at(x))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Nothing, but for those that select."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.axis.empty:
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
        if not self.axis.empty and event.reason() is QContextMenuEvent.Reason.Keyboard:
            self.menu_requested.emit(event.globalPos(), self.anchor)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.axis.empty or not self.do_key(event):
            event.ignore()

    def do_key(self, event: QKeyEvent) -> bool:
        """Do what a key stands for; ``False`` when it stands for nothing."""
        axis, key = self.axis, Qt.Key(event.key())
        if key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus):
            factor = 1 / ZOOM_STEP if key is Qt.Key.Key_Minus else ZOOM_STEP
            axis.zoom_around(factor, self.anchor)
        elif key is Qt.Key.Key_0:
            axis.show_all()
        elif key in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            axis.scroll(-1.0 if key is Qt.Key.Key_PageUp else 1.0)
        else:
            return False
        return True


def bars(
    axis: TimeView, peaks: Callable[[float, float, int], tuple[np.ndarray, np.ndarray]],
    width: float, height: float, gain: float = 1.0,
) -> list[QRectF]:  # fmt: skip
    """Bars from the lowest to the highest sample of each column.

    ``peaks`` gives the extremes of a number of columns, from a sample on, of some samples each.
    Columns sit on a grid of the sound, so that scrolling moves bars and changes none.
    """
    per_column = axis.span / width * PITCH
    first = math.floor(axis.start / per_column)
    left = axis.x_of(first * per_column, width)
    low, high = peaks(first * per_column, per_column, int(width / PITCH) + 2)
    middle, scale = height / 2, height / 2 * FILL
    above = np.maximum(np.clip(high * gain, 0, 1) * scale, LEAST / 2)
    below = np.maximum(np.clip(-low * gain, 0, 1) * scale, LEAST / 2)
    return [
        QRectF(left + i * PITCH, middle - up, BAR, up + down)
        for i, (up, down) in enumerate(zip(above.tolist(), below.tolist(), strict=True))
    ]


def draw_curve(
    painter: QPainter, axis: TimeView, samples: np.ndarray, color: QColor,
    width: float, height: float,
) -> None:  # fmt: skip
    """The samples themselves, in -1..1 and from the view's start on, with dots from near."""
    middle, scale = height / 2, height / 2 * FILL
    points = [
        QPointF(axis.x_of(axis.start + i, width), middle - value * scale)
        for i, value in enumerate(samples.tolist())
    ]
    painter.setPen(QPen(color, 1.5))
    painter.drawPolyline(QPolygonF(points))
    if width / axis.span >= DOTS_FROM:
        painter.setBrush(color)
        for point in points:
            painter.drawEllipse(point, 2.0, 2.0)
