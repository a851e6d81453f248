"""Fixtures of the window's tests: a whole studio with stand-ins, and watchers for leaks."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from studio_fakes import FakeEngine, FakeLoader, FakeSoundDevice

from app.application import Application, StartOptions
from app.services.audio_devices import AudioDevices

HARMLESS = ("propagateSizeHints", "This plugin does not support")


@pytest.fixture(autouse=True)
def no_qt_warnings(request: pytest.FixtureRequest) -> Iterator[None]:
    """A warning of Qt is a fault of the test that met it."""
    if "qtbot" not in request.fixturenames:
        yield
        return
    log = request.getfixturevalue("qtlog")
    yield
    bad = [r for r in log.records if r.type_name != "QtDebugMsg"]
    bad = [r for r in bad if not any(word in r.message for word in HARMLESS)]
    assert not bad, [r.message for r in bad]


@pytest.fixture(autouse=True)
def no_leaked_threads(request: pytest.FixtureRequest) -> Iterator[None]:
    """Whoever starts a thread ends it."""
    before = set(threading.enumerate())
    yield
    left = [t for t in threading.enumerate() if t not in before and not isinstance(t, _Dummy)]
    for thread in left:
        thread.join(2)
    assert not [t for t in left if t.is_alive()]


_Dummy = threading._DummyThread


class Bench:
    """A studio on a bench: the real window and services, a fake engine and fake sound."""

    def __init__(self, qtbot: QtBot, app: QApplication, root: Path) -> None:
        self.qtbot = qtbot
        self.engine = FakeEngine()
        self.loader = FakeLoader(self.engine)
        self.sound = FakeSoundDevice()
        self.app = Application(
            app,
            StartOptions(data_root=root),
            loader=self.loader,
            devices=AudioDevices(lambda: self.sound),
        )
        self.studio = self.app.studio
        self.window = self.app.window
        qtbot.addWidget(self.window)
        self.app.list_devices()

    def load(self, path: str = "fake.gguf") -> None:
        """Open the fake model and wait for it."""
        self.studio.open_model(Path(path))
        self.until(lambda: self.studio.can_generate)

    def until(self, condition: Callable[[], bool], timeout: int = 10_000) -> None:
        """Run the event loop until something is true."""
        self.qtbot.waitUntil(condition, timeout=timeout)

    def make_take(self, text: str = "Good evening.") -> None:
        """Generate to the end."""
        self.window.script.set_text(text)
        self.app.generate()
        take = self.studio.take
        assert take is not None
        self.until(lambda: take.store.complete)


@pytest.fixture
def bench(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> Iterator[Bench]:
    """The studio, shut down after the test."""
    made = Bench(qtbot, qapp, tmp_path)
    yield made
    assert made.app.shutdown()
    qapp.setStyleSheet("")
