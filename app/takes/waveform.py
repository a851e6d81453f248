"""The waveform of a take, growing while it is made."""

from __future__ import annotations

import math

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt, Slot
from PySide6.QtGui import QBrush, QColor, QFont, QPainter, QPen
from PySide6.QtWidgets import QWidget

from app.audio.peaks import finite
from app.core.theme import Theme
from app.takes.picture import TakePicture
from app.takes.time_axis import TimeAxis
from app.widgets.plots import CURVE_BELOW, FILL, LINES_DB, Decibels, bars, draw_curve

NUMBER_ROOM = 24.0
LABEL_ROOM = 48.0


class Waveform(TakePicture):
    """Bars of lowest and highest sample, or the curve itself from near.

    Frames that a holdback keeps back are hatched; pieces of a long text have numbers.
    """

    def __init__(self, axis: TimeAxis, theme: Theme, parent: QWidget | None = None) -> None:
        self._levels = Decibels("left")
        super().__init__(axis, theme, self._levels, parent)
        self.getPlotItem().hideAxis("bottom")
        self.view.setYRange(-1 / FILL, 1 / FILL, padding=0)
        self._length = pg.TextItem(anchor=(1, 1))
        self.getPlotItem().addItem(self._length, ignoreBounds=True)
        self._length.hide()
        axis.data_changed.connect(self._show_levels)
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

    def draw_take(self, painter: QPainter, width: float, height: float) -> None:
        store = self.axis.store
        if store is None:
            return
        color, gain = QColor(self.theme.colors.wave), self._levels.gain
        self._draw_lines(painter, width, height)
        if self.axis.span / width < CURVE_BELOW:
            samples = gain * finite(store.read(self.axis.start, self.axis.span + 2))
            draw_curve(painter, self.axis, samples, color, width, height)
        else:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(color)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            painter.drawRects(bars(self.axis, store.peaks, width, height, gain))
        if store.held and not store.complete:
            self._draw_held(painter, store.length, store.held, width, height)
        self._draw_pieces(painter, width, height)
        if gain > 1:
            self._tell_gain(painter, store.peak, width, height)

    @Slot()
    def _show_levels(self) -> None:
        """The ruler goes with what the sound is drawn with."""
        if self._levels.gain != self.axis.gain:
            self._levels.gain = self.axis.gain
            self._levels.picture = None
            self._levels.update()

    def _draw_lines(self, painter: QPainter, width: float, height: float) -> None:
        """Lines at two levels."""
        gain = self._levels.gain
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(QPen(QColor(self.theme.colors.line), 1))
        for db in LINES_DB:
            away = 10 ** (db / 20) * gain * FILL * height / 2
            if away < height / 2:
                for y in (height / 2 - away, height / 2 + away):
                    painter.drawLine(QPointF(0, y), QPointF(width, y))

    def _tell_gain(self, painter: QPainter, peak: float, width: float, height: float) -> None:
        """How much higher than it is a quiet sound is drawn."""
        words = self.tr("peak {level:.0f} dB · drawn ×{gain:.1f}")
        level = 20 * math.log10(max(peak, 1e-6))
        text = words.format(level=level, gain=self._levels.gain)
        painter.setPen(QColor(self.theme.colors.dim))
        painter.setFont(self._small())
        wide = painter.fontMetrics().horizontalAdvance(text) + 8
        place = QRectF(width - wide, height - 14, wide, 14)
        painter.fillRect(place, QColor(self.theme.colors.bg))
        painter.drawText(place, int(Qt.AlignmentFlag.AlignCenter), text)

    def _small(self) -> QFont:
        font = QFont(self.font())
        font.setPixelSize(10)
        return font

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
        painter.setFont(self._small())
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
