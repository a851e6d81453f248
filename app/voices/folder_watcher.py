"""Notices when the voices folder changes behind the program's back."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal, Slot

QUIET_MS = 250


class FolderWatcher(QObject):
    """Watches a folder that may come and go; a burst of changes is told once.

    Signals:
        changed(): something in the folder is different, or the folder itself came or went.
    """

    changed = Signal()

    def __init__(self, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._folder = folder
        self._watcher = QFileSystemWatcher(self)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(QUIET_MS)
        self._timer.timeout.connect(self._tell)
        self._watcher.directoryChanged.connect(self._on_change)
        self._watch()

    @property
    def folders(self) -> list[str]:
        """What is watched now."""
        return self._watcher.directories()

    @Slot(str)
    def _on_change(self, path: str) -> None:
        self._watch()
        self._timer.start()

    @Slot()
    def _tell(self) -> None:
        self._watch()
        self.changed.emit()

    def _watch(self) -> None:
        """The folder, or, until it is there, the closest one above that is."""
        place = self._folder
        while not place.is_dir() and place != place.parent:
            place = place.parent
        if self._watcher.directories() == [str(place)]:
            return
        if self._watcher.directories():
            self._watcher.removePaths(self._watcher.directories())
        if place.is_dir() and not self._watcher.addPath(str(place)):
            self._timer.stop()
