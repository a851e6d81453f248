"""The judge of cut labels: what it lets pass, and what it must not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from drawn_text import drawn_whole, missing_font
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication, QCheckBox, QPushButton
from pytestqt.qtbot import QtBot

STYLE = "* { font-size: 13px; } QPushButton { padding: 5px 12px; border: 1px solid grey; }"


@pytest.fixture(autouse=True)
def plain_application(qapp: QApplication) -> Iterator[None]:
    """Without the theme that a window of an earlier test may have left."""
    before = qapp.styleSheet()
    qapp.setStyleSheet("")
    yield
    qapp.setStyleSheet(before)


@pytest.mark.parametrize("kind", [QPushButton, QCheckBox])
@pytest.mark.parametrize("text", ["Choose or get…", "选择或获取…"])
def test_a_label_is_whole_at_its_size_and_cut_below(
    qtbot: QtBot, kind: type[QPushButton] | type[QCheckBox], text: str
) -> None:
    assert not missing_font("zh_CN")
    button = kind(text)
    button.setStyleSheet(STYLE)
    qtbot.addWidget(button)
    size = button.sizeHint()
    button.resize(size)
    assert drawn_whole(button)
    for width, height in ((size.width() - 30, size.height()), (size.width(), 10)):
        button.resize(width, height)
        assert not drawn_whole(button), (width, height)


def test_a_line_higher_than_its_letters_cuts_nothing(qtbot: QtBot) -> None:
    assert not missing_font("zh_CN")
    button = QPushButton("选择或获取…")
    button.setStyleSheet(STYLE)
    qtbot.addWidget(button)
    button.resize(button.minimumSizeHint().width(), button.minimumSizeHint().height() - 1)
    assert drawn_whole(button)


def test_a_missing_font_has_a_name() -> None:
    family = "No Such Letters"
    assert QFont(family).family() == family
    assert f"{family} is not installed" in missing_font("en", family)
