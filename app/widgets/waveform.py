"""The waveform of a take, growing while it is made."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen
from PySide6.QtWidgets import QWidget

from app.theme import Theme
from app.widgets.take_picture import TakePicture
from app.widgets.time_axis import TimeAxis

PITCH = 3.0
BAR = 2.0
FILL = 0.92
LEAST = 1.0


class Waveform(TakePicture):
    """Bars of lowest and highest sample; frames that a holdback keeps back are hatched."""

    def __init__(self, axis: TimeAxis, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(axis, theme, parent)
        self.setAccessibleName(self.tr("Waveform"))
        self.setAccessibleDescription(self.tr("Click or use the arrow keys to move in the take."))

    def draw(self, painter: QPainter, width: float, height: float) -> None:
        store = self.axis.store
        if store is None:
            return
        columns = int(width / PITCH) + 1
        per_column = self.axis.span / width * PITCH
        low, high = store.peaks(0, per_column, columns)
        low, high = np.minimum(low, 0.0), np.maximum(high, 0.0)
        middle, scale = height / 2, height / 2 * FILL
        bars = [
            QRectF(i * PITCH, middle - max(h * scale, LEAST / 2), BAR, 0).adjusted(
                0, 0, 0, max((h - lo) * scale, LEAST)
            )
            for i, (lo, h) in enumerate(zip(low.tolist(), high.tolist(), strict=True))
        ]
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self.theme.colors.wave))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.drawRects(bars)
        if store.held and not store.complete:
            self._draw_held(painter, store.length, store.held, width, height)

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
        painter.drawRect(area)
        painter.setPen(QPen(color, 1))
        painter.drawLine(QPointF(left, 0), QPointF(left, height))
