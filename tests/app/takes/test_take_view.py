"""Zoom, selection, loop and marks in the pictures of a take."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from picture_kit import SIZES, Sheet
from player_kit import Deck, heard, ramp
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QWheelEvent
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot
from studio_bench import Bench
from studio_fakes import FRAME, RATE

from app.audio.player import PlayState
from app.takes.code_marks import MarkSearch, find_marks
from app.takes.store import TakeFormat, TakeStore
from app.widgets.save_picture import write_image
from engine.errors import OutputError


@pytest.fixture
def sheet(qtbot: QtBot, qapp: QApplication, tmp_path: object) -> Sheet:
    return Sheet(qtbot, qapp, tmp_path)


def wheel(sheet: Sheet, x: float, notches: int, shift: bool = False) -> None:
    key = Qt.KeyboardModifier.ShiftModifier if shift else Qt.KeyboardModifier.NoModifier
    at = QPointF(sheet.place(sheet.waveform, int(x), 50))
    event = QWheelEvent(
        at, at, QPoint(), QPoint(0, 120 * notches),
        Qt.MouseButton.NoButton, key, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(sheet.waveform.viewport(), event)


@pytest.mark.long_call("TakeStore.append")
def test_the_wheel_zooms_at_the_mouse_and_scrolls_with_shift(sheet: Sheet) -> None:
    sheet.add_sound(np.zeros(60 * RATE))
    sheet.store.finish()
    under = sheet.axis.sample_at(450, 600)
    wheel(sheet, 450, 3)
    assert sheet.axis.zoomed
    assert sheet.axis.span < 60 * RATE / 3
    assert sheet.axis.sample_at(450, 600) == pytest.approx(under, abs=sheet.axis.span / 200)
    start = sheet.axis.start
    wheel(sheet, 450, -1, shift=True)
    assert sheet.axis.start > start
    wheel(sheet, 450, -20)
    assert (sheet.axis.start, sheet.axis.span, sheet.axis.zoomed) == (0, 60 * RATE, False)


def test_keys_zoom_select_and_show_all(qtbot: QtBot, sheet: Sheet) -> None:
    sheet.add_sound(np.zeros(10 * RATE))
    sheet.store.finish()
    picture = sheet.waveform
    picture.set_position(5 * RATE)
    qtbot.keyClick(picture, Qt.Key.Key_Plus)
    assert sheet.axis.zoomed
    assert sheet.axis.start < 5 * RATE < sheet.axis.start + sheet.axis.span
    qtbot.keyClick(picture, Qt.Key.Key_0)
    assert not sheet.axis.zoomed
    qtbot.keyClick(picture, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert sheet.axis.selection == (5 * RATE, 6 * RATE)
    looped: list[bool] = []
    picture.loop_requested.connect(lambda: looped.append(True))
    qtbot.keyClick(picture, Qt.Key.Key_L)
    assert looped


def test_dragging_selects_and_a_click_lets_go(qtbot: QtBot, sheet: Sheet) -> None:
    sheet.add_sound(np.zeros(6 * RATE))
    sheet.store.finish()
    left = Qt.MouseButton.LeftButton
    qtbot.mousePress(sheet.roll.viewport(), left, pos=sheet.place(sheet.roll, 400, 50))
    qtbot.mouseMove(sheet.roll.viewport(), sheet.place(sheet.roll, 100, 50))
    qtbot.mouseRelease(sheet.roll.viewport(), left, pos=sheet.place(sheet.roll, 100, 50))
    assert sheet.axis.selection is not None
    first, end = sheet.axis.selection
    assert first == pytest.approx(RATE, abs=500)
    assert end == pytest.approx(4 * RATE, abs=500)
    assert not sheet.waveform.grab().isNull()
    qtbot.mouseClick(sheet.roll.viewport(), left, pos=sheet.place(sheet.roll, 300, 50))
    assert sheet.axis.selection is None


def test_a_zoomed_view_stays_while_the_take_grows(sheet: Sheet) -> None:
    sheet.add_sound(np.zeros(8 * RATE))
    sheet.axis.show_range(RATE, 2 * RATE)
    view = sheet.axis.start, sheet.axis.span
    sheet.add_sound(np.zeros(30 * RATE))
    assert (sheet.axis.start, sheet.axis.span) == view
    sheet.axis.follow(30 * RATE)
    assert sheet.axis.start <= 30 * RATE < sheet.axis.start + sheet.axis.span
    sheet.store.finish()
    sheet.axis.show_all()
    assert sheet.axis.span == 38 * RATE


@pytest.mark.long_call("TakeStore.append")
@pytest.mark.parametrize("span", [64, 300, 5000, 200_000, 9_000_000])
def test_every_zoom_of_ten_million_samples_draws_in_time(sheet: Sheet, span: int) -> None:
    sheet.add_sound(np.random.default_rng(1).uniform(-1, 1, 10_000_000))
    sheet.store.finish()
    sheet.axis.show_range(4_000_000, 4_000_000 + span)
    start = time.thread_time()
    assert not sheet.waveform.grab().isNull()
    assert time.thread_time() - start < 0.2


def test_from_near_the_curve_goes_through_the_samples(sheet: Sheet) -> None:
    sheet.add_sound(np.r_[np.zeros(1000), np.full(40, 0.8), np.zeros(1000)])
    sheet.store.finish()
    sheet.axis.show_range(990, 1054)
    image = sheet.image(sheet.waveform)
    x = round(sheet.axis.x_of(1020, 600))
    y = round(50 - 0.8 * 50 * 0.92)
    assert image.pixelColor(x, y).name() == sheet.theme.colors.wave


def test_loops_and_dead_stretches_are_found() -> None:
    rng = np.random.default_rng(5)
    free = rng.permutation(4096)[:200]
    assert find_marks(free) == []
    looped = np.r_[free[:50], np.tile(free[50:57], 4), free[60:120]]
    (mark,) = find_marks(looped)
    assert (mark.kind, mark.period) == ("loop", 7)
    assert (mark.first, mark.end) == (50, 78)
    stuck = np.r_[free[:30], np.full(20, 9), free[30:60]]
    (mark,) = find_marks(stuck)
    assert (mark.kind, mark.first, mark.end) == ("dead", 30, 50)
    quiet = np.zeros(200, bool)
    quiet[100:130] = True
    (mark,) = find_marks(free, quiet)
    assert (mark.kind, mark.first, mark.end) == ("dead", 100, 130)
    assert find_marks(np.tile(free[:5], 2)) == [], "said twice is no loop"


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 50), st.integers(1, 60), st.booleans()), max_size=9),
    st.lists(st.integers(1, 40), min_size=1, max_size=40),
    st.integers(0, 9),
)
def test_marks_of_a_growing_take_are_those_of_the_whole(
    parts: list[tuple[int, int, bool]], steps: list[int], behind: int
) -> None:
    """Whatever repeats or is silent, and however it comes in, the sound some frames behind."""
    row = np.concatenate([np.zeros(0), *(np.resize(np.arange(p) + p, n) for p, n, _ in parts)])
    silent = np.concatenate([np.zeros(0, bool), *(np.full(n, q) for _, n, q in parts)])
    search, at = MarkSearch(), 0
    for step in [*steps, len(row)]:
        at = min(at + step, len(row))
        heard = len(row) if at == len(row) else max(0, at - behind)
        found = search.update(row[:at], silent[search.settled : heard])
        assert found == find_marks(row[:at], silent[:heard])


def test_settled_codes_are_not_looked_at_again() -> None:
    codes = np.random.default_rng(1).permutation(4096)
    search = MarkSearch()
    for end in range(8, 4000, 8):
        search.update(codes[:end], np.zeros(end - search.settled, bool))
        assert end - search.settled < 16


def test_marks_are_drawn_and_explained(sheet: Sheet) -> None:
    row = np.r_[np.arange(40), np.tile(np.arange(100, 108), 4), np.arange(200, 228)]
    sheet.add_codes(np.tile(row, (10, 1)))
    sheet.add_sound(np.full(100 * FRAME, 0.3))
    sheet.store.finish()
    (mark,) = sheet.store.marks()
    assert mark.kind == "loop"
    assert "comes 4.0 times" in sheet.roll.describe(600 * 0.5, 40).replace("come ", "comes ")
    image = sheet.image(sheet.roll)
    bad = sheet.theme.colors.bad
    assert image.pixelColor(600 * 50 // 100, 1).name() == bad
    assert image.pixelColor(600 * 10 // 100, 1).name() != bad


def test_marks_respect_pieces() -> None:
    store = TakeStore(TakeFormat(RATE, FRAME, SIZES))
    codes = np.tile(np.r_[np.arange(30), np.full(30, 7)], (10, 1))
    sound = np.full(60 * FRAME + 5000, 0.4)
    store.fill(sound, codes, [(0, 0), (30, 30 * FRAME + 5000)])
    (mark,) = store.marks()
    assert (mark.first, mark.end) == (30, 60)
    assert store.frame_start(30) == 30 * FRAME + 5000


def test_a_loop_is_played_without_a_gap(deck: Deck) -> None:
    sound = ramp(20_000)
    store = TakeStore(TakeFormat(RATE, FRAME, SIZES))
    store.fill(sound, None, [])
    deck.player.set_loop((5000, 8000))
    deck.player.start(store, 5000)
    deck.run(0.5)
    got = heard(deck.stream)
    assert len(got) > 9000
    expected = np.resize(sound[5000:8000], len(got))
    assert np.allclose(got[600:], expected[600:], atol=1e-3)
    assert 5000 <= deck.player.position < 8000
    deck.player.set_loop(None)
    deck.until_idle()
    assert np.allclose(heard(deck.stream)[-1000:], sound[-1000:], atol=1e-3), "then it goes on"


def test_the_loop_button_plays_the_selection(bench: Bench) -> None:
    bench.load()
    bench.make_take()
    bench.app.player.abort()
    panel = bench.window.take
    panel.axis.select((10 * FRAME, 12 * FRAME))
    bench.window.actions_.loop.trigger()
    assert bench.app.player.loop == (10 * FRAME, 12 * FRAME)
    assert bench.app.player.state in (PlayState.BUFFERING, PlayState.PLAYING)
    assert not panel.waveform.grab().isNull()
    panel.axis.select(None)
    assert bench.session.current.take is not None
    assert bench.app.player.loop == (0, bench.session.current.take.store.length)
    bench.window.actions_.loop.trigger()
    assert bench.app.player.loop is None


def test_the_scroll_bar_is_there_when_it_is_needed(bench: Bench) -> None:
    bench.load()
    bench.make_take()
    panel = bench.window.take
    assert panel.scroll_bar.isHidden()
    bench.window.actions_.zoom_in.trigger()
    assert not panel.scroll_bar.isHidden()
    panel.scroll_bar.setValue(panel.scroll_bar.maximum())
    assert panel.axis.start + panel.axis.span == pytest.approx(panel.axis.whole, abs=4)
    bench.window.actions_.zoom_all.trigger()
    assert panel.scroll_bar.isHidden()


def test_a_frame_drawn_with_the_right_button_is_what_is_shown(qtbot: QtBot, sheet: Sheet) -> None:
    sheet.add_sound(np.zeros(6 * RATE))
    sheet.store.finish()
    view, right = sheet.waveform.viewport(), Qt.MouseButton.RightButton
    menus: list[int] = []
    sheet.waveform.menu_requested.connect(lambda place, sample: menus.append(sample))
    qtbot.mousePress(view, right, pos=sheet.place(sheet.waveform, 400, 50))
    qtbot.mouseMove(view, sheet.place(sheet.waveform, 100, 50))
    assert sheet.waveform.view.rbScaleBox.isVisible()
    qtbot.mouseRelease(view, right, pos=sheet.place(sheet.waveform, 100, 50))
    assert sheet.axis.start == pytest.approx(RATE, abs=500)
    assert sheet.axis.span == pytest.approx(3 * RATE, abs=1000)
    assert (menus, sheet.axis.selection) == ([], None)
    (shown, _), _ = sheet.roll.view.viewRange()
    assert shown == sheet.axis.start
    qtbot.mouseClick(view, right, pos=sheet.place(sheet.waveform, 300, 50))
    assert menus == [pytest.approx(2.5 * RATE, abs=500)]
    start, middle = sheet.axis.start, Qt.MouseButton.MiddleButton
    qtbot.mousePress(view, middle, pos=sheet.place(sheet.waveform, 300, 50))
    qtbot.mouseMove(view, sheet.place(sheet.waveform, 400, 50))
    qtbot.mouseRelease(view, middle, pos=sheet.place(sheet.waveform, 400, 50))
    assert sheet.axis.start == pytest.approx(start - RATE / 2, abs=500)


def test_the_rulers_tell_seconds_levels_and_codebooks(sheet: Sheet) -> None:
    sheet.add_codes(np.zeros((10, 40)))
    sheet.add_sound(np.zeros(40 * FRAME))
    sheet.store.finish()
    seconds = sheet.roll.getPlotItem().getAxis("bottom")
    assert seconds.scale * sheet.axis.span == pytest.approx(sheet.store.seconds)
    levels = sheet.waveform.getPlotItem().getAxis("left")
    (_, heights), *_ = levels.tickValues(-1, 1, 200)
    texts = levels.tickStrings(heights, 1, 1)
    assert dict(zip(heights, texts, strict=True))[1.0] == "0"
    assert "-6" in texts
    names = sheet.roll.getPlotItem().getAxis("left")._tickLevels
    assert [text for _, text in names[1]] == ["S", *map(str, range(1, 10))]


def test_the_pictures_are_saved_as_one(bench: Bench, tmp_path: Path, monkeypatch: Any) -> None:
    bench.load()
    bench.make_take()
    bench.window.take.waveform.grab()  # which hands out sizes, to hidden widgets too
    path = tmp_path / "a.png"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *a, **k: (str(path), ""))
    bench.app.desk.segment_menu(0).actions()[-1].trigger()
    bench.until(lambda: path.exists() and not bench.app.tasks.busy)
    image = QImage(str(path))
    places = ((x, y) for x in range(image.width()) for y in range(0, image.height(), 5))
    colors = {image.pixelColor(x, y).name() for x, y in places}
    assert bench.app.theme.colors.wave in colors
    assert bench.app.theme.colors.panel in colors
    with pytest.raises(OutputError):
        write_image(image, tmp_path / "no" / "a.png")
