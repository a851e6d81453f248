"""Pictures of voices: made small when they are chosen, and read back without trusting them."""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QSize, Qt
from PySide6.QtGui import QImage, QImageReader, QPixmap

from engine.errors import VoiceError
from engine.voices import Companions, VoiceNotes

SIDE = 256
MOST_SIDE = 8192
MOST_SHOWN_BYTES = 512 << 10
REMEMBERED = 128


def small_picture(path: Path) -> bytes:
    """The middle of a picture file as a PNG of at most 256 pixels a side.

    Raises :class:`VoiceError` when it is none, or one of more than 8192 pixels a side.
    """
    image = _read(QImageReader(str(path)), SIDE)
    if image.isNull():
        raise VoiceError("voice.no_picture")
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]
    return bytes(data.data())


class Pictures:
    """Those that are painted, as they are kept beside the voices."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[Path, str, float, int], QPixmap] = OrderedDict()

    def get(self, profile: Path, notes: VoiceNotes, side: int) -> QPixmap:
        """The picture of a voice, ``side`` pixels a side; null when there is none to show."""
        beside = Companions(profile)
        try:
            status = (beside.folder / notes.picture).stat()
        except OSError:
            return QPixmap()
        key = (profile, notes.picture, status.st_mtime, side)
        found = self._known.get(key)
        if found is None:
            found = QPixmap()
            if status.st_size <= MOST_SHOWN_BYTES and (data := beside.picture(notes)):
                buffer = QBuffer()
                buffer.setData(QByteArray(data))
                buffer.open(QIODevice.OpenModeFlag.ReadOnly)
                found = QPixmap.fromImage(_read(QImageReader(buffer), side))
            self._known[key] = found
            while len(self._known) > REMEMBERED:
                self._known.popitem(last=False)
        return found


def _read(reader: QImageReader, side: int) -> QImage:
    """The middle square of a picture; null when it cannot or should not be read."""
    reader.setAutoTransform(True)
    size = reader.size()
    if not size.isValid() or max(size.width(), size.height()) > MOST_SIDE:
        return QImage()
    least = min(size.width(), size.height())
    if least > side:
        reader.setScaledSize(
            QSize(round(size.width() * side / least), round(size.height() * side / least))
        )
    image = reader.read()
    if image.isNull():
        return image
    least = min(image.width(), image.height())
    left, top = (image.width() - least) // 2, (image.height() - least) // 2
    square = image.copy(left, top, least, least)
    if least <= side:
        return square
    keep, smooth = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
    return square.scaled(side, side, keep, smooth)
