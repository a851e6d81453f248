"""Icons from the shipped SVG files, coloured to fit the theme."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from app.core.paths import find_resource, read_resource

SIZES = (16, 32)


def pixmap(name: str, color: str, size: int) -> QPixmap:
    """``resources/icons/<name>.svg`` with ``currentColor`` replaced; empty when missing."""
    image = QPixmap(size, size)
    image.fill(Qt.GlobalColor.transparent)
    text = _source(name)
    if not text:
        return image
    renderer = QSvgRenderer(QByteArray(text.replace("currentColor", color).encode()))
    painter = QPainter(image)
    renderer.render(painter, QRectF(0, 0, size, size))
    painter.end()
    return image


@lru_cache(maxsize=64)
def _source(name: str) -> str:
    return read_resource("icons", f"{name}.svg")


def icon(name: str, color: str, disabled: str) -> QIcon:
    """An icon with its normal and its disabled look."""
    result = QIcon()
    for size in SIZES:
        result.addPixmap(pixmap(name, color, size), QIcon.Mode.Normal)
        result.addPixmap(pixmap(name, disabled, size), QIcon.Mode.Disabled)
    return result


def application_icon() -> QIcon:
    """The program's own icon."""
    path = find_resource("icons", "studio.svg")
    return QIcon(str(path)) if path else QIcon()
