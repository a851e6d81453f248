"""Waveform and codebook roll: strange data, alignment, hover, clicks, scale."""

from __future__ import annotations

import time

import numpy as np
import pytest
from picture_kit import Sheet
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from studio_fakes import FRAME, RATE

from app.core.theme import DARK, LIGHT
from app.takes.codebook_view import colorize
from app.takes.color_map import even_map


@pytest.fixture
def sheet(qtbot: QtBot, qapp: QApplication, tmp_path: object) -> Sheet:
    return Sheet(qtbot, qapp, tmp_path)


STRANGE = {
    "empty": np.zeros(0), "one": np.ones(1), "zeros": np.zeros(9000),
    "nan run": np.r_[np.ones(4000), np.full(3000, np.nan), np.ones(4000)],
    "inf": np.full(6000, np.inf), "all nan": np.full(6000, np.nan),
}  # fmt: skip


@pytest.mark.parametrize("name", list(STRANGE))
def test_strange_sound_is_drawn(sheet: Sheet, name: str) -> None:
    if len(STRANGE[name]):
        sheet.add_sound(STRANGE[name])
    for _ in range(2):
        assert not sheet.waveform.grab().isNull()
        assert not sheet.roll.grab().isNull()
        sheet.store.finish()


def test_the_rest_of_a_damaged_signal_is_drawn(sheet: Sheet) -> None:
    sheet.add_sound(STRANGE["nan run"] * 0.9)
    sheet.store.finish()
    image = sheet.image(sheet.waveform)
    wave = sheet.theme.colors.wave
    columns = [x for x in range(600) if image.pixelColor(x, 20).name() == wave]
    assert columns
    assert min(columns) < 30
    assert max(columns) > 560
    assert not [x for x in columns if 230 < x < 370], "silence where there are no numbers"


@pytest.mark.long_call("TakeStore.append")
def test_ten_million_samples_draw_in_time(sheet: Sheet) -> None:
    sheet.add_sound(np.random.default_rng(1).uniform(-1, 1, 10_000_000))
    sheet.store.finish()
    sheet.waveform.grab()
    sheet.waveform.invalidate()
    start = time.thread_time()
    sheet.waveform.grab()
    assert time.thread_time() - start < 0.2


def test_both_pictures_are_lined_up(sheet: Sheet) -> None:
    """A frame with sound lies over its column of codes."""
    codes = np.zeros((10, 20))
    codes[:, 7] = 1023
    sound = np.zeros(20 * FRAME)
    sound[7 * FRAME : 8 * FRAME] = 0.9
    sheet.add_codes(codes)
    sheet.add_sound(sound)
    sheet.store.finish()
    wave, roll = sheet.image(sheet.waveform), sheet.image(sheet.roll)
    loud = [x for x in range(600) if wave.pixelColor(x, 20).name() == sheet.theme.colors.wave]
    top = QColor(*even_map()[-1].tolist()).name()
    bright = [x for x in range(600) if roll.pixelColor(x, 55).name() == top]
    assert abs(min(loud) - min(bright)) <= 3
    assert abs(max(loud) - max(bright)) <= 3
    assert min(bright) == pytest.approx(7 * 30, abs=2)


def test_held_frames_are_drawn_apart(sheet: Sheet) -> None:
    sheet.store.expected = 20 * FRAME
    sheet.axis.show_take(sheet.store)
    sheet.add_codes(np.zeros((10, 10)))
    sheet.add_sound(np.zeros(4 * FRAME))

    def held_columns() -> set[int]:
        image = sheet.image(sheet.waveform)
        held = sheet.theme.colors.held
        return {
            x for x in range(600) for y in range(5, 30) if image.pixelColor(x, y).name() == held
        }

    columns = held_columns()
    assert min(columns) == pytest.approx(sheet.axis.x_of(4 * FRAME, 600), abs=2)
    assert max(columns) == pytest.approx(sheet.axis.x_of(10 * FRAME, 600), abs=2)
    sheet.add_sound(np.zeros(6 * FRAME))
    assert not held_columns()


def test_hover_tells_the_code(sheet: Sheet) -> None:
    codes = np.arange(200).reshape(10, 20)
    sheet.add_codes(codes)
    sheet.add_sound(np.zeros(20 * FRAME))
    sheet.store.finish()
    text = sheet.roll.describe(30 * 7 + 15, 35)
    assert "Frame 7" in text
    assert f"code {codes[3, 7]}" in text
    assert "residual 3" in text
    assert "semantic" in sheet.roll.describe(5, 5)
    for x, y in ((-5, 5), (9999, 5), (5, -1), (5, 101)):
        assert sheet.roll.describe(x, y) == ""


@pytest.mark.parametrize("which", ["waveform", "roll"])
def test_click_and_keys_seek(qtbot: QtBot, sheet: Sheet, which: str) -> None:
    sheet.add_sound(np.zeros(4 * RATE))
    sheet.store.finish()
    picture = getattr(sheet, which)
    asked: list[int] = []
    picture.seek_requested.connect(asked.append)
    qtbot.mouseClick(
        picture.viewport(), Qt.MouseButton.LeftButton, pos=sheet.place(picture, 300, 50)
    )
    assert asked[-1] == pytest.approx(2 * RATE, abs=200)
    picture.set_position(2 * RATE)
    for key, wanted in (
        (Qt.Key.Key_Left, RATE), (Qt.Key.Key_Right, 3 * RATE), (Qt.Key.Key_Home, 0),
        (Qt.Key.Key_End, 4 * RATE),
    ):  # fmt: skip
        qtbot.keyClick(picture, key)
        assert asked[-1] == wanted


def test_the_axis_grows_in_few_jumps(sheet: Sheet) -> None:
    jumps: list[int] = []
    sheet.axis.changed.connect(lambda: jumps.append(sheet.axis.span))
    for _ in range(400):
        sheet.add_sound(np.zeros(FRAME))
        assert sheet.axis.span >= sheet.store.length
    assert len(jumps) < 16
    sheet.store.finish()
    assert sheet.axis.span == sheet.store.length


def test_the_colour_map_is_even() -> None:
    """Grey values rise evenly, in steps that never turn back."""
    table = even_map().astype(float) / 255
    linear = np.where(table <= 0.04045, table / 12.92, ((table + 0.055) / 1.055) ** 2.4)
    luminance = linear @ [0.2126, 0.7152, 0.0722]
    lightness = 116 * np.cbrt(luminance) - 16
    assert np.all(np.diff(lightness) > -0.4)
    thirds = np.diff(lightness[[0, 85, 170, 255]])
    assert thirds.max() < 1.6 * thirds.min()


def test_codes_above_a_table_are_clamped() -> None:
    image = colorize(np.array([[4095, 0], [4095, 1023]]), (4096, 1024))
    assert image.shape == (2, 2, 4)
    assert np.array_equal(image[0, 0], image[1, 0])
    assert np.array_equal(image[1, 0], image[1, 1])


def contrast(a: str, b: str) -> float:
    def luminance(color: str) -> float:
        parts = np.array([int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)])
        linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
        return float(linear @ [0.2126, 0.7152, 0.0722])

    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("colors", [DARK, LIGHT], ids=["dark", "light"])
def test_text_is_readable(colors: object) -> None:
    get = lambda name: getattr(colors, name)  # noqa: E731
    for front in ("text", "dim", "warn", "bad", "ok", "tag"):
        for back in ("bg", "panel"):
            assert contrast(get(front), get(back)) >= 4.5, (front, back)
    assert contrast(get("on_accent"), get("accent")) >= 4.5
    assert contrast(get("text"), get("accent_soft")) >= 4.5
