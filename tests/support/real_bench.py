"""A studio with the real engine, for tests of whole chains."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from studio_fakes import FakeSoundDevice

from app.application import Application, StartOptions
from app.audio.devices import AudioDevices


class RealBench:
    """A studio with the real engine; only the sound card is a stand-in."""

    def __init__(self, qtbot: QtBot, app: QApplication, root: Path) -> None:
        self.qtbot = qtbot
        self.sound = FakeSoundDevice()
        devices = AudioDevices(lambda: self.sound)
        self.app = Application(app, StartOptions(data_root=root), devices=devices)
        self.session, self.window = self.app.session, self.app.window
        qtbot.addWidget(self.window)
        self.app.sound.list_devices()

    def until(self, condition: Any, timeout: int = 60_000) -> None:
        self.qtbot.waitUntil(condition, timeout=timeout)

    def speak(self, text: str) -> np.ndarray:
        self.window.script.set_text(text)
        self.app.scripts.generate()
        take = self.session.current.take
        assert take is not None
        self.until(lambda: take.store.complete)
        self.until(lambda: self.session.can_generate)
        return take.store.samples.copy()
