"""A whole studio on a bench: real window and services, fake engine and sound card."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pyqtgraph  # noqa: F401  # the pictures of a take are there at once
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from studio_fakes import FakeEngine, FakeLoader, FakeSoundDevice

from app.application import Application, StartOptions
from app.audio.devices import AudioDevices


def put_away(window: QWidget) -> None:
    """Destroy a window now. One that lives on into the next test, whose theme replaces the
    style sheet, leaves Qt with styles of widgets that are gone: a crash some time later."""
    window.close()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


class Bench:
    """A studio on a bench: the real window and services, a fake engine and fake sound."""

    def __init__(
        self,
        qtbot: QtBot,
        app: QApplication,
        root: Path,
        sound: FakeSoundDevice | None = None,
        demo: Path | None = None,
    ) -> None:
        """``demo`` is the model that ships with the program; none, unless a test wants one."""
        self.qtbot = qtbot
        self.engine = FakeEngine()
        self.loader = FakeLoader(self.engine)
        self.sound = sound or FakeSoundDevice()
        self.app = Application(
            app,
            StartOptions(data_root=root),
            loader=self.loader,
            devices=AudioDevices(lambda: self.sound),
            find_demo=lambda: demo,
        )
        self.session = self.app.session
        self.window = self.app.window
        qtbot.addWidget(self.window)
        self.app.sound.list_devices()

    def load(self, path: str = "fake.gguf") -> None:
        """Open the fake model and wait for it."""
        self.app.models.open(Path(path))
        self.until(lambda: self.session.can_generate)

    def until(self, condition: Callable[[], bool], timeout: int = 10_000) -> None:
        """Run the event loop until something is true."""
        self.qtbot.waitUntil(condition, timeout=timeout)

    def make_take(self, text: str = "Good evening.") -> None:
        """Generate to the end."""
        self.window.script.set_text(text)
        self.app.scripts.generate()
        take = self.session.current.take
        assert take is not None
        self.until(lambda: take.store.complete)
