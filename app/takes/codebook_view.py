"""The codes of a take as a picture: rows are codebooks, columns are frames."""

from __future__ import annotations

import math

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt, Slot
from PySide6.QtGui import QColor, QImage, QMouseEvent, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QToolButton, QToolTip, QWidget

from app.core.theme import Theme
from app.takes.code_marks import CodeMark
from app.takes.color_map import even_map
from app.takes.picture import TakePicture
from app.takes.time_axis import TimeAxis

GAP_FROM = 5.0
BAND = 14.0
ROW, LEAST_ROWS, LEAST_HEIGHT = 12, 3, 48
TEXT_ROOM = 36.0
VEIL = 90
TIP = 24


class CodebookView(TakePicture):
    """Live picture of the codes, under the waveform and lined up with it.

    Repeats and dead stretches carry a band with their name at the top.
    """

    def __init__(self, axis: TimeAxis, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(axis, theme, pg.AxisItem("left"), parent)
        self.view.invertY(True)
        axis.changed.connect(self._name_rows)
        self._name_rows()
        self.about = self.tr(
            "Columns are frames of sound, rows are codebooks: S says what is spoken, 1 to 9 how it "
            "sounds. Colours are codes; a stretch of one colour is a pause or a repeat."
        )
        self.help_button = QToolButton(self)
        self.help_button.setText("?")
        self.help_button.setProperty("role", "corner")
        self.help_button.setFixedSize(18, 18)
        self.help_button.setAccessibleName(self.tr("What is this?"))
        self.help_button.setToolTip(self.about)
        self.help_button.clicked.connect(self._explain_itself)
        self.setAccessibleName(self.tr("Codebook roll"))
        self.setAccessibleDescription(
            self.tr(
                "Codes of each frame, one row for each codebook. Click to move in the take. "
                "Repeats and dead stretches are marked."
            )
        )

    @Slot()
    def _name_rows(self) -> None:
        rows = len(self.axis.store.format.code_sizes) if self.axis.store is not None else 0
        self.view.setYRange(0, max(1, rows), padding=0)
        names = [(row + 0.5, self._name(row)) for row in range(rows)]
        # The finer level is left out where it has no room.
        self.getPlotItem().getAxis("left").setTicks([names[::3], names])
        ruler = int(self.getPlotItem().getAxis("bottom").height()) + 4
        most = max(rows, LEAST_ROWS) * ROW + ruler
        self.setMinimumHeight(min(LEAST_HEIGHT, most))
        self.setMaximumHeight(most)

    def _name(self, row: int) -> str:
        return "S" if row == 0 else str(row)

    def _explain_itself(self) -> None:
        QToolTip.showText(self.mapToGlobal(QPoint(0, -64)), self.about, self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if hasattr(self, "help_button"):
            self.help_button.move(2, self.height() - self.help_button.height())

    def draw_take(self, painter: QPainter, width: float, height: float) -> None:
        store = self.axis.store
        if store is not None and not store.format.code_sizes:
            painter.setPen(QColor(self.theme.colors.dim))
            words = self.tr("The server that made this take hands out no codes")
            whole = QRectF(0, 0, width, height)
            painter.drawText(whole, Qt.AlignmentFlag.AlignCenter, words)
        if store is None or store.frames == 0:
            return
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
        cell = store.format.samples_per_frame / self.axis.span * width
        for segment in store.segments():
            self._draw_run(painter, segment.first, segment.end, segment.start, cell, height)
        self._draw_rows(painter, len(store.format.code_sizes), width, height)
        for mark in store.marks():
            self._draw_mark(painter, mark, cell, width, height)

    def _draw_run(
        self, painter: QPainter, first: int, end: int, start: int, cell: float, height: float
    ) -> None:
        """Only the frames in view are coloured, however long the take is."""
        store, axis = self.axis.store, self.axis
        if store is None:
            return
        per = store.format.samples_per_frame
        skip = max(0, (axis.start - start) // per)
        stop = min(end - first, math.ceil((axis.start + axis.span - start) / per))
        if stop <= skip:
            return
        codes = store.codes[:, first + skip : first + stop]
        piece = np.ascontiguousarray(colorize(codes, store.format.code_sizes))
        rows, frames = piece.shape[:2]
        image = QImage(piece.data, frames, rows, 4 * frames, QImage.Format.Format_RGB32)
        left = axis.x_of(start + skip * per, self.area.width())
        painter.drawImage(QRectF(left, 0, cell * frames, height), image)
        if cell >= GAP_FROM:
            self._draw_gaps(painter, left, cell, frames, height)

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

    def _draw_mark(
        self, painter: QPainter, mark: CodeMark, cell: float, width: float, height: float
    ) -> None:
        left, right = self._mark_edges(mark, width)
        if right < 0 or left > width:
            return
        colors = self.theme.colors
        color = QColor(colors.bad if mark.kind == "loop" else colors.text)
        veil = QColor(colors.bg)
        veil.setAlpha(VEIL)
        painter.fillRect(QRectF(left, 0, right - left, height), veil)
        painter.fillRect(QRectF(left, 0, right - left, BAND), QColor(colors.panel))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(QPen(color, 2))
        painter.drawLine(QPointF(left, 1), QPointF(right, 1))
        painter.setPen(QPen(color, 1))
        for x in (left, right):
            painter.drawLine(QPointF(x, 0), QPointF(x, height))
        if right - left >= TEXT_ROOM:
            font = self.font()
            font.setPixelSize(10)
            painter.setFont(font)
            text = self.tr("loop") if mark.kind == "loop" else self.tr("dead")
            shown = QRectF(max(left, 0.0) + 4, 1, right - left - 8, BAND - 1)
            painter.drawText(shown, int(Qt.AlignmentFlag.AlignVCenter), text)

    def _mark_edges(self, mark: CodeMark, width: float) -> tuple[float, float]:
        store = self.axis.store
        if store is None:
            return 0.0, 0.0
        end = store.frame_start(mark.end - 1) + store.format.samples_per_frame
        first = store.frame_start(mark.first)
        return self.axis.x_of(first, width), self.axis.x_of(end, width)

    def describe(self, x: float, y: float) -> str:
        """Frame, codebook, code and time under a place of the plot; empty outside."""
        store, area = self.axis.store, self.area
        if store is None or not 0 <= y < area.height() or area.width() <= 0:
            return ""
        frame = store.frame_at(int(self.axis.start + x / area.width() * self.axis.span))
        if frame is None or frame < 0:
            return ""
        row = min(int(y / area.height() * len(store.format.code_sizes)), len(store.codes) - 1)
        seconds = store.frame_start(frame) / store.format.sample_rate
        name = self.tr("semantic") if row == 0 else self.tr("residual {row}").format(row=row)
        text = self.tr("Frame {frame} at {seconds:.2f} s, {name}: code {code}").format(
            frame=frame, seconds=seconds, name=name, code=int(store.codes[row, frame])
        )
        mark = next((m for m in store.marks() if m.first <= frame < m.end), None)
        return text if mark is None else f"{text}\n{self._explain(mark)}"

    def _explain(self, mark: CodeMark) -> str:
        frames = mark.end - mark.first
        if mark.kind == "dead":
            text = self.tr("Dead stretch: {frames} frames without change or sound")
            return str(text.format(frames=frames))
        text = self.tr("Loop: {period} frames come {times:.1f} times")
        return str(text.format(period=mark.period, times=frames / mark.period))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = event.position() - self.area.topLeft()
        text = self.describe(place.x(), place.y()) if place.x() >= 0 else ""
        if text and not event.buttons():
            # Above the picture: below it are the buttons of the player.
            place = self.mapToGlobal(QPoint(int(event.position().x()) + 12, -TIP * 2))
            QToolTip.showText(place, text, self)
        else:
            QToolTip.hideText()
        super().mouseMoveEvent(event)


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
