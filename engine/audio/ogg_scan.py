"""Does an Ogg file reach its end? The decoder reads a cut one without a word."""

from __future__ import annotations

from typing import BinaryIO

_HEADER = 27
_LARGEST_PAGE = _HEADER + 255 + 255 * 255
_END_OF_STREAM = 4


def ogg_is_whole(file: BinaryIO, size: int) -> bool:
    """True when the last page of a seekable file of ``size`` bytes is whole and marked as last."""
    start = max(0, size - 2 * _LARGEST_PAGE)
    file.seek(start)
    tail = file.read(size - start)
    at = tail.rfind(b"OggS")
    if at < 0 or len(tail) < at + _HEADER:
        return False
    segments = tail[at + _HEADER - 1]
    table = tail[at + _HEADER : at + _HEADER + segments]
    end = at + _HEADER + segments + sum(table)
    whole = len(table) == segments and end <= len(tail)
    return whole and bool(tail[at + 5] & _END_OF_STREAM)
