"""Moves the playhead at a fractional scale and checks that it leaves nothing behind."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pyqtgraph  # noqa: F401  # the pictures of a take are there at once
from PySide6.QtWidgets import QApplication
from studio_fakes import FRAME, RATE, FakeEngine, FakeLoader, FakeSoundDevice

from app.application import Application, StartOptions, make_application
from app.audio.devices import AudioDevices
from engine.types import AudioChunk


def main() -> None:
    qt: QApplication = make_application(["test"])
    session = Application(
        qt,
        StartOptions(data_root=Path(sys.argv[1])),
        loader=FakeLoader(FakeEngine()),
        devices=AudioDevices(lambda: FakeSoundDevice()),
        find_demo=lambda: None,
    )
    window = session.window
    scale = window.devicePixelRatioF()
    assert scale == float(sys.argv[2]), scale
    from app.takes.store import TakeFormat, TakeStore

    store = TakeStore(TakeFormat(RATE, FRAME, (64,) * 3))
    store.append(AudioChunk(0, np.sin(np.arange(RATE) / 9).astype(np.float32), RATE))
    store.finish()
    window.take.show_take(store, "Take")
    while not hasattr(window.take, "roll"):  # the second picture comes a turn later
        qt.processEvents()
    for picture in (window.take.waveform, window.take.roll):
        picture.set_position(1000)
        first = picture.grab().toImage()
        for at in range(2000, RATE, 997):
            picture.set_position(at)
            picture.grab()
        picture.set_position(1000)
        assert picture.grab().toImage() == first, "the playhead left a trail"
        assert abs(first.width() - picture.width() * scale) <= 1
    least = window.minimumSizeHint()
    assert least.width() <= 1366, least
    assert least.height() <= 720, least
    assert session.shutdown()
    print("ok")


main()
