"""Lists of files that were opened lately: kept in the settings, shown as menus."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMenu

from app.core.settings import Setting, Settings

RECENT = 8


def remember(settings: Settings, setting: Setting[list[str]], path: Path) -> None:
    """Put ``path`` at the head of a list."""
    first = str(path)
    others = [p for p in settings.get(setting) if p and p != first]
    settings.set(setting, [first, *others][:RECENT])


class RecentFiles(QObject):
    """Keeps menus with a list of files; each is filled when it is about to be shown."""

    def __init__(
        self,
        settings: Settings,
        setting: Setting[list[str]],
        opener: Callable[[Path], None],
        menus: tuple[QMenu, ...],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._settings, self._setting, self._open = settings, setting, opener
        for menu in menus:
            menu.setToolTipsVisible(True)
            menu.aboutToShow.connect(lambda m=menu: self.fill(m))

    def fill(self, menu: QMenu) -> None:
        """Show the list; files that are gone stay visible and cannot be chosen."""
        menu.clear()
        paths = [p for p in self._settings.get(self._setting) if p]
        for path in paths:
            there = os.path.isfile(path)
            # Qt takes an ampersand for the mark of a key.
            name = Path(path).name.replace("&", "&&")
            gone = self.tr("{name} (not there)").format(name=name)
            action = menu.addAction(name if there else gone)
            action.setEnabled(there)
            action.setToolTip(path)
            action.triggered.connect(lambda _=False, p=path: self._open(Path(p)))
        if not paths:
            menu.addAction(self.tr("None yet")).setEnabled(False)
            return
        menu.addSeparator()
        clear = menu.addAction(self.tr("Clear this list"))
        clear.triggered.connect(lambda _=False: self._settings.set(self._setting, []))
