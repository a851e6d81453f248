"""Saving what pictures show as a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QBuffer, QByteArray, QObject, QRectF, QSize
from PySide6.QtGui import QImage, QImageWriter, QPainter
from PySide6.QtWidgets import QMenu, QWidget

from app.core import settings as keys
from app.core.background import Tasks
from app.core.file_dialogs import FileDialogs
from app.core.messages import Messages
from app.core.settings import Settings
from engine.storage import save_file

if TYPE_CHECKING:
    from app.widgets.plots import Plot

Pictures = Callable[[], "list[Plot]"]


class PictureSaver(QObject):
    """Offers in context menus to save pictures."""

    def __init__(
        self, settings: Settings, tasks: Tasks, messages: Messages, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._files = FileDialogs(settings, parent)
        self._tasks, self._messages = tasks, messages

    def add_to(self, menu: QMenu, name: Callable[[], str], pictures: Pictures) -> None:
        """Add the entry; the file's ``name`` without ending and the ``pictures``, from top to
        bottom, are asked for when it is chosen."""
        menu.addSeparator()
        entry = menu.addAction(self.tr("Save picture…"))
        entry.triggered.connect(lambda: self._save(name(), pictures))

    def _save(self, name: str, pictures: Pictures) -> None:
        title = self.tr("Save picture")
        kinds = self.tr("Pictures (*.png);;Drawings for any size (*.svg)")
        found = self._files.save(keys.FOLDER_SAVE, title, f"{name}.png", kinds)
        if found is None:
            return
        path, kind = found
        if path.suffix.lower() == ".svg" or (not path.suffix and "svg" in kind):
            data = svg_of(pictures())
            self._tasks.run(
                lambda: save_file(path.with_suffix(".svg"), [data]), None, self._messages.report
            )
            return
        shown = image_of(pictures())
        self._tasks.run(
            lambda: write_image(shown, path.with_suffix(".png")), None, self._messages.report
        )


def image_of(pictures: list[Plot]) -> QImage:
    """Pictures with their rulers, one below the other, twice as large as on the screen."""
    images = [picture.image() for picture in pictures]
    width, height = max(i.width() for i in images), sum(i.height() for i in images)
    whole = QImage(width, height, QImage.Format.Format_RGB32)
    painter, top = QPainter(whole), 0
    for image in images:
        painter.drawImage(0, top, image)
        top += image.height()
    painter.end()
    return whole


def svg_of(pictures: list[Plot]) -> bytes:
    """The same as an SVG document."""
    from PySide6.QtSvg import QSvgGenerator

    data = QBuffer()
    sheet = QSvgGenerator()
    sheet.setOutputDevice(data)
    size = QSize(max(p.width() for p in pictures), sum(p.height() for p in pictures))
    sheet.setSize(size)
    sheet.setViewBox(QRectF(0, 0, size.width(), size.height()))
    painter, top = QPainter(sheet), 0
    for picture in pictures:
        picture.paint_lines(painter, QRectF(0, top, size.width(), picture.height()))
        top += picture.height()
    painter.end()
    return bytes(data.data().data())


def write_image(image: QImage, path: Path) -> None:
    """Write a picture as PNG.

    Raises:
        OutputError: it could not be written.
    """
    data = QBuffer()
    data.open(QBuffer.OpenModeFlag.WriteOnly)
    QImageWriter(data, QByteArray(b"png")).write(image)
    save_file(path, [bytes(data.data().data())])
