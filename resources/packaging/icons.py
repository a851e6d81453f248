"""Icons of the program in each system's format, drawn from ``resources/icons/studio.svg``."""

from __future__ import annotations

import struct
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

PNG_SIZES = (16, 24, 32, 48, 64, 128, 256, 512)
ICO_SIZES = (16, 24, 32, 48, 64, 128, 256)
# Apple's name of each size.
ICNS_TYPES = {16: b"icp4", 32: b"icp5", 64: b"icp6", 128: b"ic07", 256: b"ic08", 512: b"ic09"}


def draw(svg: Path, size: int) -> bytes:
    """``svg`` as a PNG of ``size`` pixels squared."""
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    QSvgRenderer(str(svg)).render(painter, QRectF(0, 0, size, size))
    painter.end()
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]
    buffer.close()
    return bytes(data.data())


def to_ico(pictures: dict[int, bytes]) -> bytes:
    """A Windows icon that holds PNGs by size."""
    offset = 6 + 16 * len(pictures)
    head, body = struct.pack("<HHH", 0, 1, len(pictures)), b""
    for size, png in sorted(pictures.items()):
        side = size % 256  # 0 stands for 256
        head += struct.pack("<BBBBHHII", side, side, 0, 0, 1, 32, len(png), offset + len(body))
        body += png
    return head + body


def to_icns(pictures: dict[int, bytes]) -> bytes:
    """A macOS icon that holds PNGs by size."""
    body = b"".join(
        kind + struct.pack(">I", 8 + len(pictures[size])) + pictures[size]
        for size, kind in ICNS_TYPES.items()
        if size in pictures
    )
    return b"icns" + struct.pack(">I", 8 + len(body)) + body


def make_icons(svg: Path, folder: Path) -> list[Path]:
    """Write ``studio.ico``, ``studio.icns`` and a PNG of each size to ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    pictures = {size: draw(svg, size) for size in PNG_SIZES}
    made = {f"studio-{size}.png": png for size, png in pictures.items()}
    made["studio.ico"] = to_ico({size: pictures[size] for size in ICO_SIZES})
    made["studio.icns"] = to_icns(pictures)
    for name, data in made.items():
        (folder / name).write_bytes(data)
    return [folder / name for name in made]
