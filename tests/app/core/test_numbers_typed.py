"""A number that is typed means itself in every language, or is visibly refused."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSpinBox
from pytestqt.qtbot import QtBot

from app.core import settings as keys
from app.widgets.form import double_spin, spin


@pytest.fixture(params=["C", "en_US", "de_DE", "fr_FR", "de_CH", "ar_EG", "hi_IN"])
def language(request: pytest.FixtureRequest) -> Iterator[QLocale]:
    before = QLocale()
    QLocale.setDefault(QLocale(request.param))
    yield QLocale()
    QLocale.setDefault(before)


def typed(qtbot: QtBot, box: QAbstractSpinBox, text: str) -> None:
    qtbot.addWidget(box)
    box.show()
    box.selectAll()
    QTest.keyClicks(box, text)
    QTest.keyClick(box, Qt.Key.Key_Return)


@pytest.mark.parametrize(
    ("text", "value"),
    [("0.7", 0.7), ("0,7", 0.7), ("1.25", 1.25), ("1,25", 1.25), (".5", 0.5), ("1", 1.0)],
)
def test_point_and_comma_are_the_same(
    qtbot: QtBot, language: QLocale, text: str, value: float
) -> None:
    box = double_spin(keys.TEMPERATURE, 0.05)
    typed(qtbot, box, text)
    assert box.value() == pytest.approx(value)


@pytest.mark.parametrize("text", ["1.000", "1,5", "1'024", "2 048"])
def test_a_whole_number_drops_no_mark(qtbot: QtBot, language: QLocale, text: str) -> None:
    box = spin(keys.MAX_FRAMES, " frames")
    box.setValue(512)
    typed(qtbot, box, text)
    # The mark cannot be typed, so the number that stands there is the one that is meant.
    digits = "".join(character for character in text if character.isdecimal())
    assert box.value() in (int(digits), 512)
    assert not any(mark in box.cleanText() for mark in ".,'\u066b\u066c")
    assert box.value() == box.locale().toInt(box.cleanText())[0]
