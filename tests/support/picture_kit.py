"""The pictures of a take over one axis, without the window."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPoint
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from studio_fakes import FRAME, RATE

from app.core.settings import Settings
from app.core.theme import Theme
from app.takes.codebook_view import CodebookView
from app.takes.picture import TakePicture
from app.takes.store import TakeFormat, TakeStore
from app.takes.time_axis import TimeAxis
from app.takes.waveform import Waveform
from engine.types import AudioChunk, FrameCodes

SIZES = (4096,) + (1024,) * 9


class Sheet:
    """Both pictures over one axis."""

    def __init__(self, qtbot: QtBot, app: QApplication, path: object) -> None:
        self.theme = Theme(app, Settings(path / "s.json"))  # type: ignore[operator]
        self.axis = TimeAxis()
        self.waveform = Waveform(self.axis, self.theme)
        self.roll = CodebookView(self.axis, self.theme)
        self.store = TakeStore(TakeFormat(RATE, FRAME, SIZES))
        self.axis.show_take(self.store)
        for picture in (self.waveform, self.roll):
            qtbot.addWidget(picture)
            picture.resize(700, 160)
            picture.grab()  # which hands out sizes, to hidden widgets too
            size = picture.area.size()  # the plot without rulers gets the round numbers
            picture.resize(
                picture.width() + round(600 - size.width()),
                picture.height() + round(100 - size.height()),
            )
            picture.grab()
            assert abs(picture.area.width() - 600) <= 1
            assert abs(picture.area.height() - 100) <= 1

    def image(self, picture: TakePicture) -> QImage:
        """The plot of a picture without its rulers."""
        return picture.grab(picture.area.toRect()).toImage()

    def place(self, picture: TakePicture, x: int, y: int) -> QPoint:
        """A place of the plot, in the picture's widget."""
        return picture.area.topLeft().toPoint() + QPoint(x, y)

    def add_sound(self, samples: np.ndarray) -> None:
        self.store.append(AudioChunk(self.store.length, samples.astype(np.float32), RATE))

    def add_codes(self, codes: np.ndarray) -> None:
        for column in codes.T:
            self.store.append_codes(FrameCodes(self.store.frames, column.astype(np.int32)))
