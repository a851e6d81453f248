"""Colours, palette and style sheet, light and dark, following the system.

Widgets that paint themselves read :attr:`Theme.colors` in their paint event and repaint on
:attr:`Theme.changed`; everything else gets its looks from Fusion, the palette and one small
style sheet in ``resources/styles``.
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from string import Template
from typing import Protocol
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFont, QFontInfo, QGuiApplication, QIcon, QPalette
from PySide6.QtWidgets import QApplication
from shiboken6 import isValid

from app.core import icons
from app.core.paths import find_resource, read_resource
from app.core.settings import THEME, Settings

GRID = 8
FONT_FAMILY = "Inter"
LETTERS = 13
LARGEST = 1.4
STYLED = "s2studio_styled"


@dataclass(frozen=True, slots=True)
class Colors:
    """One colour scheme; values are ``#rrggbb``."""

    bg: str
    panel: str
    line: str
    text: str
    dim: str
    accent: str
    accent_soft: str
    on_accent: str
    warn: str
    bad: str
    ok: str
    tag: str
    wave: str
    held: str
    hover: str


DARK = Colors(
    bg="#14171d", panel="#1c2027", line="#2c323c", text="#e6e9ef", dim="#94a0b3",
    accent="#2dd4bf", accent_soft="#173a38", on_accent="#06201e", warn="#f59e0b", bad="#f87171",
    ok="#4ade80", tag="#c4a1ff", wave="#2dd4bf", held="#3b4b52", hover="#262c35",
)  # fmt: skip
LIGHT = Colors(
    bg="#f4f5f7", panel="#ffffff", line="#dfe2e8", text="#1c2230", dim="#5d677a",
    accent="#0f766e", accent_soft="#e6f4f2", on_accent="#ffffff", warn="#b45309", bad="#b42318",
    ok="#15803d", tag="#7c3aed", wave="#0f766e", held="#b9c8c5", hover="#eaecf0",
)  # fmt: skip


class HasIcon(Protocol):
    """A button or an action."""

    def setIcon(self, icon: QIcon, /) -> None: ...


def palette(colors: Colors) -> QPalette:
    """The Qt palette of a scheme, for everything that the style sheet leaves alone."""
    p = QPalette()
    role = QPalette.ColorRole
    for target, value in (
        (role.Window, colors.panel), (role.WindowText, colors.text), (role.Base, colors.bg),
        (role.AlternateBase, colors.panel), (role.Text, colors.text),
        (role.Button, colors.panel), (role.ButtonText, colors.text),
        (role.ToolTipBase, colors.panel), (role.ToolTipText, colors.text),
        (role.PlaceholderText, colors.dim), (role.Highlight, colors.accent),
        (role.HighlightedText, colors.on_accent), (role.Link, colors.accent),
        (role.Light, colors.hover), (role.Midlight, colors.hover), (role.Mid, colors.line),
        (role.Dark, colors.line), (role.Shadow, colors.bg), (role.BrightText, colors.bad),
    ):  # fmt: skip
        p.setColor(target, QColor(value))
    for target in (role.WindowText, role.Text, role.ButtonText):
        p.setColor(QPalette.ColorGroup.Disabled, target, QColor(colors.dim))
    return p


def letter_scale(pixels: int) -> float:
    """How much larger the system's letters are than ours, as far as the layout can follow."""
    return min(LARGEST, max(1.0, pixels / LETTERS))


def scaled(sheet: str, factor: float) -> str:
    """``sheet`` with all its sizes of letters multiplied."""
    return re.sub(
        r"font-size: (\d+)px", lambda m: f"font-size: {round(int(m[1]) * factor)}px", sheet
    )


class Theme(QObject):
    """The scheme in use.

    Attributes:
        colors: the colours to paint with.

    Signals:
        changed(): the colours are others now.
    """

    changed = Signal()

    def __init__(self, app: QApplication, settings: Settings) -> None:
        super().__init__(app)
        self._app = app
        self._settings = settings
        self._icons: WeakKeyDictionary[QObject, tuple[str, str]] = WeakKeyDictionary()
        self.colors = LIGHT
        if app.property(STYLED) is None:
            # Once is enough, and a second time would take it from below the style sheet.
            app.setStyle("Fusion")
            app.setProperty(STYLED, True)
        self._letters = letter_scale(QFontInfo(app.font()).pixelSize())
        font = app.font()
        font.setFamilies([FONT_FAMILY, font.family()])
        font.setStyleStrategy(QFont.StyleStrategy.PreferAntialias)
        app.setFont(font)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._follow_system)
        settings.watch(THEME, lambda _: self.apply(), owner=self)
        self.apply()

    @property
    def dark(self) -> bool:
        """True for the dark scheme."""
        wish = self._settings.get(THEME)
        if wish == "system":
            return QGuiApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark
        return wish == "dark"

    def set_icon(self, target: QObject, name: str, role: str = "text") -> None:
        """Give ``target`` the icon in the scheme's colour ``role``, now and after changes."""
        self._icons[target] = (name, role)
        self._apply_icon(target, name, role)

    def apply(self) -> None:
        """Take the colours of the current wish."""
        self.colors = DARK if self.dark else LIGHT
        self._app.setPalette(palette(self.colors))
        values = asdict(self.colors)
        for name in ("chevron", "chevron-up", "tick"):
            path = find_resource("icons", f"{name}-{'dark' if self.dark else 'light'}.svg")
            values[name.replace("-", "_")] = path.as_posix() if path else ""
        sheet = read_resource("styles", "studio.qss")
        sheet = scaled(Template(sheet).safe_substitute(values), self._letters)
        self._app.setStyleSheet(sheet)
        for target, (name, role) in list(self._icons.items()):
            if isValid(target):
                self._apply_icon(target, name, role)
        self.changed.emit()

    def _apply_icon(self, target: QObject, name: str, role: str) -> None:
        setter: HasIcon = target  # type: ignore[assignment]
        setter.setIcon(icons.icon(name, getattr(self.colors, role), self.colors.dim))

    @Slot()
    def _follow_system(self) -> None:
        if self._settings.get(THEME) == "system":
            self.apply()
