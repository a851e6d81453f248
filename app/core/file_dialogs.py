"""Asking for files and folders: each kind of file remembers where it was found last.

Recent files are kept in the settings and shown as menus.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QFile, QObject, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from app.core.formats import plain_tip
from app.core.settings import Setting, Settings
from engine.storage import free_name, home_folder

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
            action.setToolTip(plain_tip(path))
            action.triggered.connect(lambda _=False, p=path: self._open(Path(p)))
        if not paths:
            menu.addAction(self.tr("None yet")).setEnabled(False)
            return
        menu.addSeparator()
        clear = menu.addAction(self.tr("Clear this list"))
        clear.triggered.connect(lambda _=False: self._settings.set(self._setting, []))


class FileDialogs:
    """The system's dialogs over ``parent``, each starting where its kind of file was last.

    ``last`` is the setting that holds that folder; one that is gone counts as none. A method
    gives ``None``, or an empty list, when the user cancels.
    """

    def __init__(self, settings: Settings, parent: QWidget) -> None:
        self._settings, self._parent = settings, parent

    def folder(self, last: Setting[str]) -> str:
        """The remembered folder, empty without one."""
        folder = self._settings.get(last)
        return folder if folder and os.path.isdir(folder) else ""

    def remember(self, last: Setting[str], path: Path) -> None:
        """The folder of ``path`` is where the next dialog starts."""
        self._settings.set(last, str(path.parent))

    def open(self, last: Setting[str], title: str, kinds: str) -> Path | None:
        """Ask for a file of ``kinds``, such as ``Texts (*.txt);;All files (*)``."""
        name, _ = QFileDialog.getOpenFileName(self._parent, title, self.folder(last), kinds)
        return self._chosen(last, name)

    def open_many(self, last: Setting[str], title: str, kinds: str) -> list[Path]:
        """Ask for any number of files."""
        names, _ = QFileDialog.getOpenFileNames(self._parent, title, self.folder(last), kinds)
        return [path for name in names if (path := self._chosen(last, name))]

    def save(
        self, last: Setting[str], title: str, name: str, kinds: str, *, replace: bool = True
    ) -> tuple[Path, str] | None:
        """Ask where to write, suggesting ``name``; gives the path and the chosen kind.

        Without ``replace`` a free name is suggested and nothing is asked about a taken one,
        for a writer that never replaces a file.
        """
        start = Path(self.folder(last) or home_folder()) / name
        options = QFileDialog.Option(0)
        if not replace:
            start, options = free_name(start), QFileDialog.Option.DontConfirmOverwrite
        chosen, kind = QFileDialog.getSaveFileName(
            self._parent, title, str(start), kinds, options=options
        )
        path = self._chosen(last, chosen)
        return (path, kind) if path else None

    def _chosen(self, last: Setting[str], name: str) -> Path | None:
        if not name:
            return None
        self.remember(last, Path(name))
        return Path(name)


def show_folder(folder: Path) -> None:
    """Open a folder in the file manager."""
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))


def to_trash(path: Path) -> Path | None:
    """Move a file to the system's trash; its place there, ``None`` when it did not work."""
    file = QFile(str(path))
    if not file.moveToTrash():
        return None
    return Path(file.fileName())
