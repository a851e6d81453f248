"""Meter, waveform and lights of the reference panel."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyqtgraph  # noqa: F401  # the picture of a clip is there at once
import pytest
from cloning_kit import speech
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLineEdit, QPlainTextEdit
from pytestqt.qtbot import QtBot
from recorder_kit import RATE

from app.audio.input_callback import FLOOR_DB, Level
from app.audio.recorder import RecordState
from app.cloning.clip import ReferenceClip
from app.cloning.clip_files import prepare
from app.cloning.clip_view import ClipView
from app.cloning.level_meter import FALL_DB, LevelMeter, place
from app.cloning.panel import ReferencePanel
from app.cloning.quality_lights import QualityLights
from app.core.settings import Settings
from app.core.theme import Theme
from engine.audio.clip import AudioClip
from engine.audio.reference_checks import Check


@pytest.fixture
def theme(qapp: QApplication, tmp_path: Path) -> Theme:
    return Theme(qapp, Settings(tmp_path / "s.json"))


@pytest.fixture
def panel(qtbot: QtBot, theme: Theme) -> ReferencePanel:
    made = ReferencePanel(ReferenceClip(), theme)
    made.resize(280, 520)
    qtbot.addWidget(made)
    made.show()
    return made


def put(panel: ReferencePanel, seconds: float = 4) -> ClipView:
    panel.clip.set_source(prepare(AudioClip.from_array(speech(seconds), RATE)))
    assert panel.wave is not None
    panel.wave.grab()  # which hands out sizes
    return panel.wave


def spot(wave: ClipView, share: float) -> QPoint:
    """A place in the middle of the plot's height."""
    return QPointF(wave.area.left() + share * wave.area.width(), wave.area.center().y()).toPoint()


def test_the_bar_rises_at_once_and_falls_slowly(qtbot: QtBot, theme: Theme) -> None:
    meter = LevelMeter(theme)
    qtbot.addWidget(meter)
    meter.feed(Level(-6.0, -6.0))
    assert meter.bar.shown_db == -6.0
    meter.feed(Level(-60.0, -6.0))
    assert meter.bar.shown_db == -6.0 - FALL_DB
    assert meter.bar.hold_db == -6.0
    assert meter.number.text() == "−6 dB"
    assert not meter.lamp.lit
    meter.feed(Level(0.0, 0.0, clipped=True))
    meter.rest()
    assert meter.lamp.lit
    assert "lit" in meter.lamp.accessibleName()
    assert meter.bar.shown_db == FLOOR_DB
    assert place(-120.0) == 0
    assert place(-30.0) == 0.5
    assert place(3.0) == 1


def test_the_handles_are_dragged_and_undone(qtbot: QtBot, panel: ReferencePanel) -> None:
    wave = put(panel)
    view = wave.viewport()
    qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=spot(wave, 0) + QPoint(1, 0))
    qtbot.mouseMove(view, spot(wave, 0.25))
    assert panel.clip.edits.start == pytest.approx(RATE, abs=RATE // 20)
    qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, pos=spot(wave, 0.25))
    assert "of" in panel.length.text()
    assert panel.clip.undo_stack.count() == 1, "one step for one drag"
    qtbot.keyClick(wave, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert panel.clip.edits.start == 0
    asked: list[int] = []
    wave.seek_requested.connect(asked.append)
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=spot(wave, 0.5))
    assert asked[-1] == pytest.approx(2 * RATE, abs=RATE // 20)


def test_the_handles_move_by_keys(qtbot: QtBot, panel: ReferencePanel) -> None:
    wave = put(panel)
    wave.setFocus()
    qtbot.keyClick(wave, Qt.Key.Key_Right)
    assert panel.clip.edits.start == int(0.05 * RATE)
    qtbot.keyClick(wave, Qt.Key.Key_BracketRight)
    qtbot.keyClick(wave, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    assert panel.clip.edits.end == int(3.5 * RATE)
    played: list[int] = []
    wave.play_requested.connect(lambda: played.append(1))
    qtbot.keyClick(wave, Qt.Key.Key_Space)
    assert played == [1]


def test_a_recording_grows_beyond_its_first_width(qtbot: QtBot, panel: ReferencePanel) -> None:
    shown = panel.shown
    shown.begin_growing(RATE, RATE)
    assert panel.wave is not None
    for _ in range(3):
        shown.grow(np.full((RATE, 2), 0.5, np.float32))
        assert not panel.wave.grab().isNull()
    assert shown.kept == (0, 3 * RATE)
    assert shown.x_of(3 * RATE, panel.wave.area.width()) == panel.wave.area.width()
    assert not shown.editable
    shown.clear()
    assert panel.wave.isHidden()
    assert not panel._hint.isHidden()


def test_the_wheel_zooms_and_the_middle_button_pans(qtbot: QtBot, panel: ReferencePanel) -> None:
    wave, shown = put(panel), panel.shown
    at = QPointF(spot(wave, 0.5))
    for _ in range(3):
        event = QWheelEvent(
            at, at, QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(wave.viewport(), event)
    assert shown.span == pytest.approx(4 * RATE / 1.5**3, rel=0.01)
    assert shown.start + shown.span / 2 == pytest.approx(2 * RATE, rel=0.01)
    seconds = wave.getPlotItem().getAxis("bottom")
    assert seconds.scale * shown.span == pytest.approx(4 / 1.5**3, rel=0.01)
    before, middle = shown.start, Qt.MouseButton.MiddleButton
    qtbot.mousePress(wave.viewport(), middle, pos=spot(wave, 0.5))
    qtbot.mouseMove(wave.viewport(), spot(wave, 0.25))
    qtbot.mouseRelease(wave.viewport(), middle, pos=spot(wave, 0.25))
    assert shown.start == pytest.approx(before + shown.span / 4, rel=0.02)
    asked: list[int] = []
    wave.seek_requested.connect(asked.append)
    qtbot.mouseClick(wave.viewport(), Qt.MouseButton.LeftButton, pos=spot(wave, 0.5))
    assert asked == [pytest.approx(shown.start + shown.span / 2, rel=0.02)]
    shown.set_position(100)
    assert shown.start == 0, "the playhead stays in view"
    for _ in range(20):
        qtbot.keyClick(wave, Qt.Key.Key_Plus)
    assert shown.span == 64
    colors = {wave.grab().toImage().pixelColor(spot(wave, x / 200)).name() for x in range(200)}
    assert len(colors) > 1, "the curve itself is drawn"
    qtbot.keyClick(wave, Qt.Key.Key_0)
    assert (shown.start, shown.span) == (0, 4 * RATE)


def test_clipped_places_are_drawn_in_the_colour_of_trouble(
    qtbot: QtBot, panel: ReferencePanel, theme: Theme
) -> None:
    samples = speech(2)
    samples[RATE : RATE + 2000] = 1.0
    panel.clip.set_source(prepare(AudioClip.from_array(samples, RATE)))
    assert panel.wave is not None
    panel.wave.grab()
    image = panel.wave.grab(panel.wave.area.toRect()).toImage()
    bad = {
        x
        for x in range(image.width())
        for y in range(image.height() // 4)
        if image.pixelColor(x, y).name() == theme.colors.bad
    }
    assert bad
    assert min(bad) > image.width() * 0.45
    assert max(bad) < image.width() * 0.6


def check(key: str, light: str, value: float = 3.0) -> Check:
    return Check(key, value, "", light, f"About {key}.", "" if light == "green" else f"Mend {key}.")  # type: ignore[arg-type]


def test_the_worst_check_explains_itself(qtbot: QtBot) -> None:
    lights = QualityLights()
    qtbot.addWidget(lights)
    lights.show()
    checks = [check("length", "green", 7.0), check("noise", "amber"), check("level", "red", -50)]
    checks += [check("zeros", "green"), check("bandwidth", "green")]
    lights.show_checks(checks, {"level": "+20 dB"})
    assert lights.chosen == "level"
    assert lights.words.text() == "About level."
    assert lights.cure.text() == "+20 dB"
    assert list(lights.chips) == ["level", "noise", "length"], "the rest is folded away"
    assert lights.chips["level"].text() == "✕ level −50 dB", "sign, name and number"
    assert "bad" in lights.chips["level"].accessibleName()
    asked: list[str] = []
    lights.cure_requested.connect(asked.append)
    lights.cure.click()
    assert asked == ["level"]
    lights.chips["noise"].click()
    assert lights.words.text() == "Mend noise.", "no button, so the words say what to do"
    assert not lights.cure.isVisible()
    lights.more.click()
    assert len(lights.chips) == 5
    lights.show_checks([check("length", "green")], {})
    assert lights.chosen == ""
    assert not lights.words.isVisible()


def test_every_control_has_a_name_and_a_place(qtbot: QtBot, panel: ReferencePanel) -> None:
    put(panel)
    kinds = (QAbstractButton, QComboBox, QLineEdit, QPlainTextEdit)
    for state in RecordState:
        panel.set_record_state(state)
        for widget in panel.findChildren(kinds[0]) + panel.findChildren(QPlainTextEdit):
            text = widget.text() if isinstance(widget, QAbstractButton) else ""
            assert widget.accessibleName() or text
    panel.set_record_state(RecordState.OFF)
    for width in (252, 276, 400):
        panel.resize(width, panel.sizeHint().height())
        assert panel.widget().minimumSizeHint().width() <= width, "nothing is cut"


def test_the_button_that_records_says_what_it_does(panel: ReferencePanel) -> None:
    assert panel.record.text() == "Record"
    panel.set_record_state(RecordState.RECORDING)
    assert panel.record.text() == "Stop"
    assert "Esc" in panel.record.toolTip()
    assert not panel.open.isEnabled()
    assert panel.transcript.editor.isEnabled(), "it is read out"
