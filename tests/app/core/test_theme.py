"""Colours that can be read, letters that follow the system, and themes that follow it live."""

from __future__ import annotations

from dataclasses import fields

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication
from studio_bench import Bench

from app.core import settings as keys
from app.core.paths import read_resource
from app.core.theme import DARK, LARGEST, LIGHT, Colors, letter_scale, palette, scaled


def luminance(name: str) -> float:
    """Relative luminance of WCAG 2."""
    color = QColor(name)
    parts = [
        v / 12.92 if v <= 0.03928 else ((v + 0.055) / 1.055) ** 2.4
        for v in (color.redF(), color.greenF(), color.blueF())
    ]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one: str, two: str) -> float:
    light, dark = sorted((luminance(one), luminance(two)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("colors", [DARK, LIGHT], ids=["dark", "light"])
def test_texts_can_be_read(colors: Colors) -> None:
    """4.5:1 for texts, 3:1 for what only marks something."""
    for ground in (colors.bg, colors.panel):
        for ink in (colors.text, colors.dim, colors.warn, colors.bad, colors.ok, colors.tag):
            assert contrast(ink, ground) >= 4.5, (ink, ground)
        assert contrast(colors.accent, ground) >= 3
    assert contrast(colors.text, colors.accent_soft) >= 4.5
    assert contrast(colors.on_accent, colors.accent) >= 4.5


def test_the_style_sheet_uses_declared_colours_only(bench: Bench) -> None:
    sheet = bench.app.theme._app.styleSheet()
    assert "$" not in sheet
    source = read_resource("styles", "studio.qss")
    names = {f.name for f in fields(Colors)} | {"chevron", "chevron_up", "tick"}
    used = {w.strip('";,(){}').removeprefix("$") for w in source.split() if "$" in w}
    used = {u.split("$")[-1].rstrip('");') for u in used}
    assert used <= names


@pytest.mark.parametrize(("pixels", "scale"), [(9, 1.0), (13, 1.0), (16, 16 / 13), (40, LARGEST)])
def test_large_letters_of_the_system_are_followed(pixels: int, scale: float) -> None:
    assert letter_scale(pixels) == pytest.approx(scale)


def test_all_letters_grow_together() -> None:
    assert scaled("a { font-size: 13px; } b { width: 13px; font-size: 11px }", 1.4) == (
        "a { font-size: 18px; } b { width: 13px; font-size: 15px }"
    )


def test_the_window_fits_with_large_letters(bench: Bench) -> None:
    bench.app.theme._letters = LARGEST
    bench.app.theme.apply()
    bench.load()
    bench.make_take()
    bench.window.show()
    least = bench.window.minimumSizeHint()
    assert least.width() <= 1366
    bench.app.theme._letters = 1.0


def test_the_system_is_followed_while_running(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Hints:
        scheme = Qt.ColorScheme.Dark

        def colorScheme(self) -> Qt.ColorScheme:
            return self.scheme

    hints = Hints()
    monkeypatch.setattr(QGuiApplication, "styleHints", lambda: hints)
    theme, told = bench.app.theme, []
    theme.changed.connect(lambda: told.append(theme.dark))
    theme._follow_system()
    hints.scheme = Qt.ColorScheme.Light
    theme._follow_system()
    assert told == [True, False]
    bench.app.settings.set(keys.THEME, "dark")
    told.clear()
    theme._follow_system()
    assert told == [], "a wish of the user comes before the system"
    assert theme.dark


def test_a_disabled_text_differs_and_is_readable() -> None:
    for colors in (DARK, LIGHT):
        made = palette(colors)
        off = made.color(made.ColorGroup.Disabled, made.ColorRole.Text).name()
        assert off != colors.text
        assert contrast(off, colors.bg) >= 3
