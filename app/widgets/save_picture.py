"""Saving what a picture shows as a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QObject
from PySide6.QtGui import QImage, QImageWriter
from PySide6.QtWidgets import QMenu, QWidget

from app.core import settings as keys
from app.core.background import Tasks
from app.core.file_dialogs import FileDialogs
from app.core.messages import Messages
from app.core.settings import Settings
from engine.storage import save_file


class PictureSaver(QObject):
    """Offers in context menus to save a picture."""

    def __init__(
        self, settings: Settings, tasks: Tasks, messages: Messages, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._files = FileDialogs(settings, parent)
        self._tasks, self._messages = tasks, messages

    def add_to(self, menu: QMenu, name: Callable[[], str], image: Callable[[], QImage]) -> None:
        """Add the entry; the file's ``name`` without ending and the ``image`` are asked for
        when it is chosen."""
        menu.addSeparator()
        entry = menu.addAction(self.tr("Save picture…"))
        entry.triggered.connect(lambda: self._save(name(), image))

    def _save(self, name: str, image: Callable[[], QImage]) -> None:
        title, kind = self.tr("Save picture"), self.tr("Pictures (*.png)")
        found = self._files.save(keys.FOLDER_SAVE, title, f"{name}.png", kind)
        if found is not None:
            path, shown = found[0].with_suffix(".png"), image()
            self._tasks.run(lambda: write_image(shown, path), None, self._messages.report)


def write_image(image: QImage, path: Path) -> None:
    """Write a picture as PNG.

    Raises:
        OutputError: it could not be written.
    """
    data = QBuffer()
    data.open(QBuffer.OpenModeFlag.WriteOnly)
    QImageWriter(data, QByteArray(b"png")).write(image)
    save_file(path, [bytes(data.data().data())])
