"""Whether a button's label is drawn whole, by its pixels, and which fonts there are."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontDatabase, QFontInfo, QIcon, QImage, QPainter
from PySide6.QtWidgets import QCheckBox, QPushButton, QStyle, QStyleOptionButton

# How much larger a picture surely shows the whole text; all in pixels of the layout.
ROOM = QSize(80, 40)
BORDER, ICON_GAP = 1, 4


def drawn_whole(button: QPushButton | QCheckBox) -> bool:
    """Whether the text has the same pixels as with plenty of room, clear of the border.

    Size hints will not do: the line height of a font that steps in for missing letters is more
    than those letters need. An icon is taken as room that the text does not have.
    """
    size = button.size()
    if not button.icon().isNull():
        size -= QSize(button.iconSize().width() + ICON_GAP, 0)
    found, wanted = _ink(button, size), _ink(button, size + ROOM)
    ratio = button.devicePixelRatioF()
    edge = 0 if isinstance(button, QCheckBox) else int(BORDER * ratio)
    frame = QRect(0, 0, round(size.width() * ratio), round(size.height() * ratio))
    return (
        abs(found.width() - wanted.width()) <= 1
        and abs(found.height() - wanted.height()) <= 1
        and frame.adjusted(edge, edge, -edge, -edge).contains(found)
    )


def missing_font(language: str, family: str = "") -> str:
    """What must be installed to look at a language in a family; empty when nothing is missing."""
    if family and QFontInfo(QFont(family)).family() != family:
        return f"the font {family} is not installed (fonts-dejavu-core, -liberation, -noto-cjk)"
    chinese = QFontDatabase.WritingSystem.SimplifiedChinese
    if language.startswith("zh") and not QFontDatabase.families(chinese):
        return "there is no font with Chinese letters: install fonts-noto-cjk"
    return ""


def _ink(button: QPushButton | QCheckBox, size: QSize) -> QRect:
    """The box of all pixels that the text changes, in pixels of the screen."""
    changed = (_painted(button, size, True) != _painted(button, size, False)).any(axis=-1)
    rows, columns = np.flatnonzero(changed.any(1)), np.flatnonzero(changed.any(0))
    if not len(rows):
        return QRect()
    left, top = int(columns[0]), int(rows[0])
    return QRect(left, top, int(columns[-1]) - left + 1, int(rows[-1]) - top + 1)


def _painted(button: QPushButton | QCheckBox, size: QSize, label: bool) -> np.ndarray:
    """The whole control as its style draws it: uint8 ``(height, width, 4)``."""
    option = QStyleOptionButton()
    button.initStyleOption(option)
    option.rect = QRect(0, 0, size.width(), size.height())
    option.icon = QIcon()
    if not label:
        option.text = ""
    ratio = button.devicePixelRatioF()
    image = QImage(
        round(size.width() * ratio), round(size.height() * ratio), QImage.Format.Format_ARGB32
    )
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    check = isinstance(button, QCheckBox)
    kind = QStyle.ControlElement.CE_CheckBox if check else QStyle.ControlElement.CE_PushButton
    button.style().drawControl(kind, option, painter, button)
    painter.end()
    return np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1, 4).copy()
