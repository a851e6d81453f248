"""Drags a take with the mouse over its own window; run by a test, on a real display.

Argument: a folder for everything. Prints a line of JSON: for each place what happened there.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pyqtgraph  # noqa: F401  # the pictures of a take are there at once
from PySide6.QtCore import QEvent, QEventLoop, QObject, QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from studio_fakes import FakeEngine, FakeLoader, FakeSoundDevice

from app.application import Application, StartOptions, make_application
from app.audio.devices import AudioDevices
from app.takes.list_model import Column

LEFT = Qt.MouseButton.LeftButton
PLAIN = Qt.KeyboardModifier.NoModifier
TEXT = "Good evening."
STEP_MS = 30


class Watch(QObject):
    """Counts what a drag does to anything of the window."""

    def __init__(self) -> None:
        super().__init__()
        self.entered = self.dropped = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(watched, QWidget):
            self.entered += event.type() is QEvent.Type.DragEnter
            self.dropped += event.type() is QEvent.Type.Drop
        return False


class Drag:
    """Drags the first take to a widget and lets it go there. The drag has an event loop of its
    own, so the mouse moves in steps of a timer."""

    def __init__(self, app: Application, target: QWidget) -> None:
        self._app, self._window = app, app.window
        self._handle = app.window.windowHandle()
        place = target.mapTo(app.window, target.rect().center())
        self._steps = [place - QPoint(16, 0), place - QPoint(8, 0), place, place]
        self._timer = QTimer(interval=STEP_MS)
        self._timer.timeout.connect(self._step)
        self.offered = False

    def go(self) -> None:
        view = self._window.takes.view
        start = view.visualRect(view.model().index(0, Column.TEXT)).center()
        drag, ended = view.drag, QEventLoop()

        def go_on(path: Path) -> None:  # the file is written; returns with the drag's end
            self._timer.start()
            drag(path)
            ended.quit()

        view.drag = go_on
        QTest.mousePress(view.viewport(), LEFT, PLAIN, start)
        for distance in (8, 16, 24):  # one of them begins the drag
            QTest.mouseMove(view.viewport(), start + QPoint(distance, -2))
        ended.exec()
        view.drag = drag
        self._timer.stop()
        QTest.mouseRelease(view.viewport(), LEFT, PLAIN, start)

    def _step(self) -> None:
        self.offered = self.offered or self._window.overlay.isVisible()
        if self._steps:
            QTest.mouseMove(self._handle, self._steps.pop(0))
        else:
            self._timer.stop()
            QTest.mouseRelease(self._handle, LEFT)


def main() -> None:
    qt = make_application(["test"])
    app = Application(
        qt, StartOptions(data_root=Path(sys.argv[1])), loader=FakeLoader(FakeEngine()),
        devices=AudioDevices(lambda: FakeSoundDevice()), find_demo=lambda: None,
    )  # fmt: skip
    window, session = app.window, app.session
    window.show()
    session.model_changed.connect(lambda info: QTimer.singleShot(0, app.scripts.generate))
    window.script.set_text(TEXT)
    app.models.open(Path("fake.gguf"))
    loop = QEventLoop()
    session.take_ended.connect(lambda take: QTimer.singleShot(0, loop.quit))
    loop.exec()
    places = {
        "script": window.script.editor.viewport(), "take": window.take.waveform,
        "voices": window.voices.view.viewport(), "reference": window.reference.viewport(),
        "takes": window.takes.view.viewport(), "engine": window.engine,
    }  # fmt: skip
    watch = Watch()
    qt.installEventFilter(watch)
    found = {}
    for name, target in places.items():
        watch.entered = watch.dropped = 0
        drag = Drag(app, target)
        drag.go()
        QApplication.processEvents()
        found[name] = {
            "entered": watch.entered, "dropped": watch.dropped, "offered": drag.offered,
            "takes": session.current.list.rowCount(), "same_text": window.script.text == TEXT,
            "clip": window.reference.clip.source is not None,
            "overlay": window.overlay.isVisible(),
        }  # fmt: skip
    qt.removeEventFilter(watch)
    app.shutdown()
    print(json.dumps(found), flush=True)


main()
