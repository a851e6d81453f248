"""The waveform of a take, growing while it is made."""

from __future__ import annotations

import math

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt, Slot
from PySide6.QtGui import QBrush, QColor, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from app.audio.peaks import finite
from app.core.theme import Theme
from app.takes.picture import TakePicture
from app.takes.time_axis import TimeAxis

PITCH = 3.0
BAR = 2.0
FILL = 0.92
LEAST = 1.0
CURVE_BELOW = 1.0
DOTS_FROM = 6.0
NUMBER_ROOM = 24.0
LABEL_ROOM = 48.0


class _Decibels(pg.AxisItem):  # type: ignore[misc]
    """A ruler of levels below full scale, on both sides of silence."""

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        heights = [10 ** (db / 20) for db in ((0, -3, -6, -12) if size >= 150 else (0, -6))]
        return [(1.0, [sign * h for h in heights for sign in (1, -1)] + [0.0])]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        return [f"{20 * math.log10(abs(v)):.0f}" if v else "-∞" for v in values]


class Waveform(TakePicture):
    """Bars of lowest and highest sample, or the curve itself from near.

    Frames that a holdback keeps back are hatched; pieces of a long text have numbers.
    """

    def __init__(self, axis: TimeAxis, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(axis, theme, _Decibels("left"), parent)
        self.getPlotItem().hideAxis("bottom")
        self.view.setYRange(-1 / FILL, 1 / FILL, padding=0)
        self._length = pg.TextItem(anchor=(1, 1))
        self.getPlotItem().addItem(self._length, ignoreBounds=True)
        self._length.hide()
        axis.changed.connect(self._show_length)
        axis.selection_changed.connect(self._show_length)
        theme.changed.connect(self._show_length)
        self._show_length()
        self.setAccessibleName(self.tr("Waveform"))
        self.setAccessibleDescription(
            self.tr(
                "Click or use the arrow keys to move in the take, with Shift to select. "
                "Plus and minus zoom, 0 shows everything, L loops the selection."
            )
        )

    def draw(self, painter: QPainter, width: float, height: float) -> None:
        store = self.axis.store
        if store is None:
            return
        if self.axis.span / width < CURVE_BELOW:
            self._draw_curve(painter, width, height)
        else:
            self._draw_bars(painter, width, height)
        if store.held and not store.complete:
            self._draw_held(painter, store.length, store.held, width, height)
        self._draw_pieces(painter, width, height)

    @Slot()
    def _show_length(self) -> None:
        """Write on the selection how long it is."""
        store, region, axis = self.axis.store, self.axis.selection, self.axis
        wide = region is not None and self.area.width() * (region[1] - region[0]) / axis.span
        self._length.setVisible(bool(wide and wide >= LABEL_ROOM))
        if store is None or region is None:
            return
        seconds = (region[1] - region[0]) / store.format.sample_rate
        self._length.setText(self.tr("{seconds:.2f} s").format(seconds=seconds))
        self._length.setColor(QColor(self.theme.colors.text))
        self._length.setPos(min(region[1], axis.start + axis.span), -1 / FILL)

    def _draw_bars(self, painter: QPainter, width: float, height: float) -> None:
        store, axis = self.axis.store, self.axis
        if store is None:
            return
        per_column = axis.span / width * PITCH
        # Columns sit on a grid of the take, so that scrolling moves bars and changes none.
        first = math.floor(axis.start / per_column)
        left = axis.x_of(first * per_column, width)
        columns = int(width / PITCH) + 2
        low, high = store.peaks(first * per_column, per_column, columns)
        low, high = np.minimum(low, 0.0), np.maximum(high, 0.0)
        middle, scale = height / 2, height / 2 * FILL
        bars = [
            QRectF(
                left + i * PITCH,
                middle - max(h * scale, LEAST / 2),
                BAR,
                max((h - lo) * scale, LEAST),
            )
            for i, (lo, h) in enumerate(zip(low.tolist(), high.tolist(), strict=True))
        ]
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self.theme.colors.wave))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.drawRects(bars)

    def _draw_curve(self, painter: QPainter, width: float, height: float) -> None:
        store, axis = self.axis.store, self.axis
        if store is None:
            return
        samples = finite(store.read(axis.start, axis.span + 2))
        middle, scale = height / 2, height / 2 * FILL
        points = [
            QPointF(axis.x_of(axis.start + i, width), middle - value * scale)
            for i, value in enumerate(samples.tolist())
        ]
        color = QColor(self.theme.colors.wave)
        painter.setPen(QPen(color, 1.5))
        painter.drawPolyline(QPolygonF(points))
        if width / axis.span >= DOTS_FROM:
            painter.setBrush(color)
            for point in points:
                painter.drawEllipse(point, 2.0, 2.0)

    def _draw_held(
        self, painter: QPainter, start: int, count: int, width: float, height: float
    ) -> None:
        left = self.axis.x_of(start, width)
        right = self.axis.x_of(start + count, width)
        color = QColor(self.theme.colors.held)
        area = QRectF(left, 0, right - left, height)
        tint = QColor(color)
        tint.setAlpha(60)
        painter.fillRect(area, tint)
        painter.setBrush(QBrush(color, Qt.BrushStyle.BDiagPattern))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.drawRect(area)
        painter.setPen(QPen(color, 1))
        painter.drawLine(QPointF(left, 0), QPointF(left, height))

    def _draw_pieces(self, painter: QPainter, width: float, height: float) -> None:
        """A line and a number where each piece of a long text begins."""
        store = self.axis.store
        if store is None or len(store.segments()) < 2:
            return
        font = self.font()
        font.setPixelSize(10)
        painter.setFont(font)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        last = -math.inf
        for number, segment in enumerate(store.segments(), 1):
            x = self.axis.x_of(segment.start, width)
            if not -NUMBER_ROOM <= x <= width:
                continue
            painter.setPen(QPen(QColor(self.theme.colors.line), 1))
            painter.drawLine(QPointF(x, 0), QPointF(x, height))
            if x - last >= NUMBER_ROOM:
                painter.setPen(QColor(self.theme.colors.dim))
                painter.drawText(QPointF(x + 4, 12), str(number))
                last = x
