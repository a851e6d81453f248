"""How much of each pitch a take holds over time: a row below its other pictures."""

from __future__ import annotations

import math
from contextlib import suppress

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, QThreadPool, QTimer, Signal, Slot
from PySide6.QtGui import QMouseEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QToolTip, QWidget

from app.audio.peaks import finite
from app.core.theme import Theme
from app.takes.color_map import even_map
from app.takes.picture import TakePicture
from app.takes.time_axis import TimeAxis

ROWS = 128
LOWEST_HZ, HIGHEST_HZ = 60.0, 16_000.0
WINDOW_S = 0.04
LEVELS_DB = (-90.0, -15.0)
LOOKS = 4
BLOCK = 256
COLUMN_PX = 2
SETTLE_MS = 80
MARKS_HZ = (100, 200, 500, 1000, 2000, 5000, 10_000)


class Spectrogram(TakePicture):
    """Computed for what is in view, off the window's thread; the last picture stays meanwhile.

    Signals:
        made(object): levels, with the view they are of; from another thread.
    """

    made = Signal(object)

    def __init__(self, axis: TimeAxis, theme: Theme, parent: QWidget | None = None) -> None:
        self._ruler = pg.AxisItem("left")
        super().__init__(axis, theme, self._ruler, parent)
        self.setObjectName("spectrogram")
        self.getPlotItem().hideAxis("bottom")
        self.view.setYRange(0, ROWS, padding=0)
        self._image = pg.ImageItem(axisOrder="row-major")
        self._image.setLookupTable(even_map())
        self._image.setZValue(-0.5)
        self.getPlotItem().addItem(self._image, ignoreBounds=True)
        self._busy = self._stale = False
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(SETTLE_MS)
        self._later.timeout.connect(self._ask)
        self.made.connect(self._show)
        axis.changed.connect(self._later.start)
        axis.data_changed.connect(self._on_data)
        self.setAccessibleName(self.tr("Spectrogram"))
        self.setAccessibleDescription(self.tr("Pitch upwards, time to the right, level as colour."))
        self._name_pitches()
        self._later.start()

    def draw_take(self, painter: QPainter, width: float, height: float) -> None:
        """The image is an item of its own."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if hasattr(self, "_later"):
            self._later.start()

    @Slot()
    def _on_data(self) -> None:
        """A sound that grows is looked at now and then, not never."""
        if not self._later.isActive():
            self._later.start()

    def _name_pitches(self) -> None:
        rate = self.axis.rate
        shown = [hz for hz in MARKS_HZ if row_of(hz, rate) < ROWS - 8]
        names = [(row_of(hz, rate), pitch(hz)) for hz in shown]
        self._ruler.setTicks([names[::3], names])

    @Slot()
    def _ask(self) -> None:
        """Have what is in view computed, one view at a time."""
        store, axis = self.axis.store, self.axis
        if store is None or not store.length:
            self._image.clear()
            return
        if self._busy or self.isHidden():
            self._stale = True
            return
        self._busy, self._stale = True, False
        columns = max(1, int(self.area.width()) // COLUMN_PX)
        samples, rate, start, span = store.samples, store.rate, axis.start, axis.span
        QThreadPool.globalInstance().start(
            lambda: self._compute(samples, rate, start, span, columns)
        )

    def _compute(self, samples: np.ndarray, rate: int, start: int, span: int, columns: int) -> None:
        found = levels(samples, rate, start, span, columns)
        with suppress(RuntimeError):  # the window may be gone by now
            self.made.emit((found, start, span))

    @Slot(object)
    def _show(self, made: tuple[np.ndarray, int, int]) -> None:
        found, start, span = made
        self._busy = False
        self._name_pitches()
        self._image.setImage(found, levels=(0, 255))
        self._image.setRect(QRectF(start, 0, span, ROWS))
        if self._stale:
            self._later.start()

    def showEvent(self, event: object) -> None:
        super().showEvent(event)
        self._later.start()

    def describe(self, place: QPointF) -> str:
        """Time and pitch under a place of the plot; empty outside."""
        area = self.area
        if self.axis.store is None or not 0 <= place.y() < area.height() or place.x() < 0:
            return ""
        row = (1 - place.y() / area.height()) * ROWS
        seconds = self.axis.sample_at(place.x(), area.width()) / self.axis.rate
        words = self.tr("{seconds:.2f} s, {pitch:.0f} Hz")
        return str(words.format(seconds=seconds, pitch=hz_of(row, self.axis.rate)))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        text = self.describe(event.position() - self.area.topLeft())
        if text and not event.buttons():
            place = self.mapToGlobal(event.position().toPoint())
            place.setY(self.mapToGlobal(self.rect().topLeft()).y() - 48)
            QToolTip.showText(place, text, self)
        super().mouseMoveEvent(event)


def top_hz(rate: int) -> float:
    """The highest pitch of the picture."""
    return min(HIGHEST_HZ, rate / 2)


def hz_of(row: float, rate: int) -> float:
    """The pitch of a row: equal steps are equal ratios."""
    return LOWEST_HZ * float((top_hz(rate) / LOWEST_HZ) ** (row / ROWS))


def row_of(hz: float, rate: int) -> float:
    """The opposite of :func:`hz_of`."""
    return ROWS * math.log(hz / LOWEST_HZ) / math.log(top_hz(rate) / LOWEST_HZ)


def pitch(hz: int) -> str:
    return f"{hz // 1000} k" if hz >= 1000 else str(hz)


def levels(samples: np.ndarray, rate: int, start: int, span: int, columns: int) -> np.ndarray:
    """Levels uint8 ``(ROWS, columns)``, the lowest pitch first, of a part of a sound.

    Each column is the loudest of up to four looks into its time, so that the work depends on the
    width of the picture and not on the length of the sound.
    """
    size = 1 << round(math.log2(rate * WINDOW_S))
    window = np.hanning(size).astype(np.float32)
    per_column = span / columns
    looks = max(1, min(LOOKS, math.ceil(per_column / size)))
    at = start + (np.arange(columns * looks) + 0.5) * (per_column / looks) - size / 2
    bins = np.array([hz_of(row + 0.5, rate) for row in range(ROWS)]) * size / rate
    low = np.minimum(bins.astype(int), size // 2 - 1)
    share = (bins - low).astype(np.float32)
    found = np.empty((columns * looks, ROWS), np.float32)
    for first in range(0, len(at), BLOCK):
        index = at[first : first + BLOCK, None].astype(np.int64) + np.arange(size)
        inside = (index >= 0) & (index < len(samples))
        taken = np.where(inside, finite(samples[np.clip(index, 0, len(samples) - 1)]), 0)
        power = np.abs(np.fft.rfft(taken * window)) * (2 / window.sum())
        found[first : first + BLOCK] = power[:, low] * (1 - share) + power[:, low + 1] * share
    loudest = found.reshape(columns, looks, ROWS).max(axis=1)
    db = 20 * np.log10(np.maximum(loudest, 1e-6))
    quiet, loud = LEVELS_DB
    result: np.ndarray = np.clip((db - quiet) / (loud - quiet) * 255, 0, 255).astype(np.uint8).T
    return np.ascontiguousarray(result)
