"""The codes of a take as a picture: rows are codebooks, columns are frames."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QRectF, Signal
from PySide6.QtGui import QColor, QImage, QMouseEvent, QPainter
from PySide6.QtWidgets import QToolTip, QWidget

from app.theme import Theme
from app.widgets.color_map import even_map
from app.widgets.take_picture import TakePicture
from app.widgets.time_axis import TimeAxis

GAP_FROM = 5.0


class CodebookRoll(TakePicture):
    """Live picture of the codes, under the waveform and lined up with it.

    Signals:
        hovered(str): what lies under the mouse, empty for nothing.
    """

    hovered = Signal(str)

    def __init__(self, axis: TimeAxis, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(axis, theme, parent)
        self.setAccessibleName(self.tr("Codebook roll"))
        self.setAccessibleDescription(
            self.tr("Codes of each frame, one row for each codebook. Click to move in the take.")
        )

    def draw(self, painter: QPainter, width: float, height: float) -> None:
        store = self.axis.store
        if store is None or store.frames == 0:
            return
        colored = colorize(store.codes, store.format.code_sizes)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
        cell = store.format.samples_per_frame / self.axis.span * width
        for first, end, start in store.segments():
            if end <= first:
                continue
            piece = np.ascontiguousarray(colored[:, first:end])
            rows, frames = piece.shape[:2]
            image = QImage(piece.data, frames, rows, 4 * frames, QImage.Format.Format_RGB32)
            left = self.axis.x_of(start, width)
            painter.drawImage(QRectF(left, 0, cell * frames, height), image)
            if cell >= GAP_FROM:
                self._draw_gaps(painter, left, cell, frames, height)
        self._draw_rows(painter, len(store.format.code_sizes), width, height)

    def _draw_gaps(
        self, painter: QPainter, left: float, cell: float, frames: int, height: float
    ) -> None:
        color = QColor(self.theme.colors.bg)
        for i in range(frames + 1):
            painter.fillRect(QRectF(left + i * cell - 0.5, 0, 1, height), color)

    def _draw_rows(self, painter: QPainter, rows: int, width: float, height: float) -> None:
        color = QColor(self.theme.colors.bg)
        for i in range(1, rows):
            painter.fillRect(QRectF(0, i * height / rows - 0.5, width, 1), color)

    def describe(self, x: float, y: float) -> str:
        """Frame, codebook, code and time under a picture position; empty outside."""
        store = self.axis.store
        if store is None or not 0 <= y < self.height() or self.width() <= 0:
            return ""
        frame = store.frame_at(int(x / self.width() * self.axis.span))
        if frame is None or frame < 0:
            return ""
        row = min(int(y / self.height() * len(store.format.code_sizes)), len(store.codes) - 1)
        seconds = store.sample_of_frame(frame) / store.format.sample_rate
        name = self.tr("semantic") if row == 0 else self.tr("residual {row}").format(row=row)
        return self.tr("Frame {frame} at {seconds:.2f} s, {name}: code {code}").format(
            frame=frame, seconds=seconds, name=name, code=int(store.codes[row, frame])
        )

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        text = self.describe(event.position().x(), event.position().y())
        self.hovered.emit(text)
        if text:
            QToolTip.showText(event.globalPosition().toPoint() + QPoint(12, 12), text, self)
        else:
            QToolTip.hideText()
        super().mouseMoveEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self.hovered.emit("")
        super().leaveEvent(event)


def colorize(codes: np.ndarray, sizes: tuple[int, ...]) -> np.ndarray:
    """Codes int ``(codebooks, frames)`` to uint8 ``(codebooks, frames, 4)`` in Qt's RGB32
    order; each row spans the whole map. The AR may draw codes above a residual table's
    size, which the codec clamps, and so does the picture."""
    table = even_map()
    limits = np.maximum(np.asarray(sizes, dtype=np.int64) - 1, 1)[:, None]
    index = np.clip(codes, 0, limits) * (len(table) - 1) // limits
    result = np.full((*codes.shape, 4), 255, np.uint8)
    result[..., :3] = table[index][..., ::-1]
    return result
