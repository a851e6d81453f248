"""What is selected is played, saved and made a voice of; pictures are saved; the spectrogram."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import soundfile
from picture_kit import Sheet
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot
from studio_bench import Bench
from studio_fakes import FRAME, RATE

from app.audio.player import PlayState
from app.takes.spectrogram import ROWS, Spectrogram, hz_of, levels, row_of
from app.widgets.plots import Decibels

REGION = (3 * FRAME + 17, 9 * FRAME + 5)


def entry(bench: Bench, text: str) -> object:
    menu = bench.app.desk.segment_menu(REGION[0])
    return next(a for a in menu.actions() if a.text() == text)


def hear_out(bench: Bench) -> np.ndarray:
    """Everything until the player is done."""
    stream = bench.sound.streams[-1]

    def ended() -> bool:
        if stream.active:
            stream.pump(1024)
        return not stream.active

    bench.until(ended)
    return stream.sound


def test_space_plays_the_selection_and_stops_at_its_end(bench: Bench) -> None:
    bench.load()
    bench.make_take()
    bench.app.player.abort()
    take = bench.session.current.take
    assert take is not None
    bench.window.take.axis.select(REGION)
    for _ in range(2):  # and again from its start
        bench.window.actions_.play_pause.trigger()
        bench.until(lambda: bench.app.player.state is PlayState.PLAYING)
        heard = hear_out(bench)
        assert bench.app.player.position == REGION[1]
        loud = np.flatnonzero(np.abs(heard) > 1e-6)
        assert 0 <= REGION[1] - REGION[0] - (loud[-1] - loud[0] + 1) < 8
    bench.window.take.axis.select(None)
    bench.window.actions_.play_pause.trigger()
    bench.until(lambda: bench.app.player.state is PlayState.PLAYING)
    bench.app.player.tick()
    assert bench.app.player.until is None, "a click elsewhere plays on"


@pytest.mark.parametrize("suffix", [".wav", ".flac"])
def test_the_selection_is_saved(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    bench.load()
    bench.make_take()
    take = bench.session.current.take
    assert take is not None
    assert not [a for a in bench.app.desk.segment_menu(0).actions() if "selection…" in a.text()]
    bench.window.take.axis.select(REGION)
    path = tmp_path / f"part{suffix}"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *a, **k: (str(path), ""))
    entry(bench, "Save the selection…").trigger()  # type: ignore[attr-defined]
    bench.until(lambda: path.exists() and not bench.app.tasks.busy)
    samples, rate = soundfile.read(path, dtype="float32")
    assert rate == RATE
    assert np.abs(samples - take.store.samples[slice(*REGION)]).max() < 2**-22


def test_a_voice_is_made_of_the_selection(bench: Bench) -> None:
    bench.load()
    bench.make_take()
    take = bench.session.current.take
    assert take is not None
    bench.window.take.axis.select(REGION)
    entry(bench, "Make a voice of the selection").trigger()  # type: ignore[attr-defined]
    bench.until(lambda: bench.app.cloning.reference.clip.source is not None)
    source = bench.app.cloning.reference.clip.source
    assert source is not None
    assert np.array_equal(source.mono, take.store.samples[slice(*REGION)])


@pytest.mark.parametrize(("suffix", "kind"), [(".png", ""), (".svg", ""), ("", "(*.svg)")])
def test_pictures_are_saved(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str, kind: str
) -> None:
    bench.load()
    bench.window.show()
    bench.make_take()
    bench.until(lambda: len(bench.window.take.pictures) == 2)
    path = tmp_path / f"picture{suffix}"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *a, **k: (str(path), kind))
    entry(bench, "Save picture…").trigger()  # type: ignore[attr-defined]
    path = path.with_suffix(suffix or ".svg")
    bench.until(lambda: path.exists() and not bench.app.tasks.busy)
    if path.suffix == ".png":
        assert QImage(str(path)).width() == 2 * bench.window.take.waveform.width()
    else:
        text = path.read_text()
        assert text.count("<rect") + text.count("<path") > 100, "bars, not a picture of bars"


def test_a_tone_lies_in_its_row() -> None:
    for rate, hz in ((22_050, 440), (44_100, 5000)):
        tone = 0.05 * np.sin(2 * np.pi * hz * np.arange(rate) / rate)
        found = levels(tone.astype(np.float32), rate, 0, 2 * rate, 40)
        assert found.shape == (ROWS, 40)
        assert abs(int(found[:, 10].argmax()) - row_of(hz, rate)) < 1.5
        assert found[:, 30:].max() == 0, "nothing behind the end"
        assert hz_of(row_of(hz, rate), rate) == pytest.approx(hz)


def test_the_spectrogram_follows_the_view(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> None:
    sheet = Sheet(qtbot, qapp, tmp_path)
    shown = Spectrogram(sheet.axis, sheet.theme)
    qtbot.addWidget(shown)
    shown.resize(500, 120)
    with qtbot.waitSignal(shown.made):
        shown.show()
        sheet.add_sound(np.sin(np.arange(4 * RATE) * 0.1))
    sheet.store.finish()
    with qtbot.waitSignal(shown.made) as made:
        sheet.axis.show_range(RATE, 2 * RATE)
    assert made.args is not None
    assert made.args[0][1:] == (RATE, RATE)
    qtbot.waitUntil(lambda: shown._image.boundingRect().width() > 0)
    assert "Hz" in shown.describe(shown.area.center() - shown.area.topLeft())


def test_the_ruler_goes_with_what_a_quiet_sound_is_drawn_with(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path
) -> None:
    sheet = Sheet(qtbot, qapp, tmp_path)
    sheet.add_sound(0.1 * np.sin(np.arange(RATE) * 0.1))
    sheet.store.finish()
    assert sheet.axis.gain == pytest.approx(9.7, rel=0.01)
    ruler = sheet.waveform.getPlotItem().getAxis("left")
    assert isinstance(ruler, Decibels)
    ((_, places),) = ruler.tickValues(-1.1, 1.1, 200)
    names = ruler.tickStrings(places, 1, 1)
    assert "-20" in names
    assert "-6" not in names, "it lies outside"
    wave = sheet.theme.colors.wave
    image = sheet.image(sheet.waveform)
    assert [x for x in range(600) if image.pixelColor(x, 12).name() == wave]
    sheet.axis.fit_peak(False)
    assert sheet.axis.gain == 1
    image = sheet.image(sheet.waveform)
    assert not [x for x in range(600) if image.pixelColor(x, 12).name() == wave]


def test_rows_of_codes_are_no_higher_than_they_deserve(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path
) -> None:
    sheet = Sheet(qtbot, qapp, tmp_path)
    assert sheet.roll.maximumHeight() <= 10 * 12 + 24
    assert "codebooks" in sheet.roll.help_button.toolTip()
    names = [sheet.roll._name(row) for row in range(10)]
    assert names == ["S", *"123456789"]
