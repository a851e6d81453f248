"""The list of takes, and switching between takes while one is made or played."""

from __future__ import annotations

import numpy as np
from PySide6.QtTest import QAbstractItemModelTester
from studio_bench import Bench
from studio_fakes import FRAME, frame_samples, pace

from app.audio.player import PlayState
from app.takes.list_model import Column


def test_takes_are_listed_newest_first(bench: Bench) -> None:
    model = bench.session.current.list
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    assert bench.window.takes.isHidden()
    bench.load()
    for text in ("One two.", "Three  four."):
        bench.make_take(text)
    assert not bench.window.takes.isHidden()
    texts = [model.index(row, Column.TEXT).data() for row in range(model.rowCount())]
    assert texts == ["Three four.", "One two."]
    assert model.index(0, Column.LENGTH).data() == "0:00.9"
    assert model.index(1, Column.SEED).data().isdigit()
    assert bench.window.takes.view.currentIndex().row() == 0


def test_an_older_take_comes_back_whole(bench: Bench) -> None:
    bench.load()
    bench.make_take("One.")
    first = bench.session.current.take
    bench.make_take("Two.")
    assert first is not None
    bench.window.takes.view.selectRow(1)
    assert bench.session.current.take is first
    assert bench.window.take.axis.store is first.store
    expected = np.concatenate([frame_samples(i, first.origin.seed) for i in range(20)])
    assert np.array_equal(first.store.samples, expected)
    bench.window.takes.view.activated.emit(bench.session.current.list.index(1, 0))
    assert bench.app.player.store is first.store
    assert bench.app.player.state in (PlayState.BUFFERING, PlayState.PLAYING)


def test_looking_at_another_take_does_not_disturb_the_one_being_made(bench: Bench) -> None:
    bench.load()
    bench.make_take("One.")
    first = bench.session.current.take
    bench.engine.wait, bench.engine.frames = pace(0.005), 60
    bench.window.script.set_text("Two.")
    bench.app.scripts.generate()
    second = bench.session.current.take
    assert first is not None
    assert second is not None
    bench.until(lambda: second.store.frames > 5)
    bench.session.current.show(first)
    bench.until(lambda: "Generating" in bench.window.status.work.text())
    bench.app.player.position_changed.emit(999)
    assert bench.window.take.waveform.anchor == 0
    bench.until(lambda: second.store.complete)
    assert second.store.length == 60 * FRAME
    assert bench.session.current.take is first
    bench.app.desk.playback.play_or_pause()
    assert bench.app.player.store is first.store
