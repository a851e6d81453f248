"""How many takes one press makes: a small button beside Generate."""

from __future__ import annotations

from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from app.core import settings as keys
from app.core.settings import Settings

COUNTS = (1, 2, 3, 4, 6, 8, 12, 16)
SPREAD = 0.25


class CountButton(QToolButton):
    """A menu of numbers, and whether the temperature differs between the takes."""

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setProperty("role", "compact")
        menu, group = QMenu(self), QActionGroup(self)
        for count in COUNTS:
            entry = menu.addAction(self.tr("1 take") if count == 1 else self._takes(count))
            entry.setCheckable(True)
            entry.setData(count)
            group.addAction(entry)
        group.triggered.connect(lambda entry: settings.set(keys.READINGS, entry.data()))
        menu.addSeparator()
        self.spread = menu.addAction(self.tr("Each a little livelier than the one before"))
        self.spread.setCheckable(True)
        self.spread.setToolTip(self.tr("Temperatures around the one that is set"))
        self.spread.triggered.connect(
            lambda on: settings.set(keys.READINGS_SPREAD, SPREAD if on else 0.0)
        )
        self._entries = group.actions()
        self.setMenu(menu)
        settings.watch(keys.READINGS, lambda _: self._show(), owner=self)
        settings.watch(keys.READINGS_SPREAD, lambda _: self._show(), owner=self)
        self._show()

    def _takes(self, count: int) -> str:
        return self.tr("{count} takes together").format(count=count)

    def _show(self) -> None:
        count = self._settings.get(keys.READINGS)
        for entry in self._entries:
            entry.setChecked(entry.data() == count)
        self.spread.setChecked(self._settings.get(keys.READINGS_SPREAD) > 0)
        self.setText(f"×{count}")
        name = self.tr("Takes of one press: {count}").format(count=count)
        self.setAccessibleName(name)
        self.setToolTip(name)
