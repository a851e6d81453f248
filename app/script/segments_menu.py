"""How a long text is spoken: the options behind the small button over the script."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QMenu,
    QToolButton,
    QWidget,
    QWidgetAction,
)

from app.core import settings as keys
from app.core.settings import Settings
from app.core.theme import Theme
from app.widgets.form import Form, bind_choice, bind_number, bind_toggle, spin
from app.widgets.labels import label
from app.widgets.layout import in_column

WIDTH = 320


class SegmentsButton(QToolButton):
    """A button with a small form in its menu."""

    def __init__(self, settings: Settings, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "compact")
        theme.set_icon(self, "pieces", "dim")
        self.setIconSize(QSize(16, 16))
        name = self.tr("Long text")
        self.setAccessibleName(name)
        self.setToolTip(self.tr("How a long text is cut and spoken"))
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        content = QWidget()
        form = Form(name)
        self.mode = QComboBox()
        choices = [
            ("auto", self.tr("When it is long")),
            ("always", self.tr("Always")),
            ("never", self.tr("Never")),
        ]
        bind_choice(settings, keys.SPLIT_MODE, self.mode, choices)
        form.add(
            self.tr("Cut"), self.mode, self.tr("One piece after the other, each below 600 frames.")
        )
        self.pause = spin(keys.PAUSE_MS, " ms", step=20)
        bind_number(settings, keys.PAUSE_MS, self.pause)
        form.add(self.tr("Pause"), self.pause, self.tr("Silence between two pieces."))
        self.carry = QCheckBox(self.tr("Carry the melody on"))
        self.carry.setAccessibleName(self.tr("Carry the melody on"))
        bind_toggle(settings, keys.CARRY_ON, self.carry)
        form.add_full_width(self.carry)
        hint = self.tr("The model remembers the piece before; costs time.")
        in_column(form, label(hint, "hint", wrap=True), on=content, margins=(12, 8, 12, 12))
        content.setFixedWidth(WIDTH)
        menu = QMenu(self)
        action = QWidgetAction(menu)
        action.setDefaultWidget(content)
        menu.addAction(action)
        self.setMenu(menu)
