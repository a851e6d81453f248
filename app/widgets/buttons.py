"""Small buttons with an icon and a name."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QToolButton

from app.core.theme import Theme

ICON = QSize(16, 16)


def tool_button(action: QAction, name: str, role: str = "") -> QToolButton:
    """A button with the icon of ``action`` and a name for screen readers."""
    button = QToolButton()
    button.setDefaultAction(action)
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
    button.setIconSize(ICON)
    button.setAccessibleName(name)
    if role:
        button.setProperty("role", role)
    return button


def icon_button(theme: Theme, icon: str, name: str, *, checkable: bool = False) -> QToolButton:
    """A flat button with an icon; its name is its tooltip too."""
    button = QToolButton()
    button.setProperty("role", "tool")
    button.setIconSize(ICON)
    button.setAccessibleName(name)
    button.setToolTip(name)
    button.setCheckable(checkable)
    theme.set_icon(button, icon)
    return button


def menu_button(theme: Theme, icon: str, name: str) -> tuple[QToolButton, QMenu]:
    """An :func:`icon_button` that opens a menu, and the menu."""
    button = icon_button(theme, icon, name)
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    menu = QMenu(button)
    button.setMenu(menu)
    return button, menu
