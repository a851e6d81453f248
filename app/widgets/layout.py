"""Rows and columns of widgets, said in one call."""

from __future__ import annotations

from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLayout, QVBoxLayout, QWidget

Item = QWidget | QLayout | tuple[QWidget | QLayout, int] | None
Margins = tuple[int, int, int, int]


def in_row(
    *items: Item, spacing: int = 8, on: QWidget | None = None, margins: Margins = (0, 0, 0, 0)
) -> QHBoxLayout:
    """Widgets and layouts beside each other.

    An item with a number takes that share of the room that is left, ``None`` is empty room.
    ``on`` is the widget that gets the layout, ``margins`` are left, top, right, bottom.
    """
    box = QHBoxLayout() if on is None else QHBoxLayout(on)
    _fill(box, items, spacing, margins)
    return box


def in_column(
    *items: Item, spacing: int = 8, on: QWidget | None = None, margins: Margins = (0, 0, 0, 0)
) -> QVBoxLayout:
    """The same from top to bottom."""
    box = QVBoxLayout() if on is None else QVBoxLayout(on)
    _fill(box, items, spacing, margins)
    return box


def _fill(box: QBoxLayout, items: tuple[Item, ...], spacing: int, margins: Margins) -> None:
    box.setContentsMargins(*margins)
    box.setSpacing(spacing)
    for item in items:
        part, share = item if isinstance(item, tuple) else (item, 0)
        if part is None:
            box.addStretch(1)
        elif isinstance(part, QLayout):
            box.addLayout(part, share)
        else:
            box.addWidget(part, share)
