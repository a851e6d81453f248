"""The pictures of a take over one axis, without the window."""

from __future__ import annotations

import numpy as np
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from studio_fakes import FRAME, RATE

from app.core.settings import Settings
from app.core.theme import Theme
from app.takes.codebook_view import CodebookView
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
        for picture in (self.waveform, self.roll):
            picture.resize(600, 100)
            qtbot.addWidget(picture)
        self.store = TakeStore(TakeFormat(RATE, FRAME, SIZES))
        self.axis.show_take(self.store)

    def add_sound(self, samples: np.ndarray) -> None:
        self.store.append(AudioChunk(self.store.length, samples.astype(np.float32), RATE))

    def add_codes(self, codes: np.ndarray) -> None:
        for column in codes.T:
            self.store.append_codes(FrameCodes(self.store.frames, column.astype(np.int32)))
