"""The part of MessagePack that a request needs: Fish Speech takes recordings as raw bytes."""

from __future__ import annotations

import struct
from typing import Any


def pack(value: Any) -> bytes:
    """``None``, truth values, 64-bit whole numbers, floats, text, bytes, lists and dictionaries.

    Raises:
        TypeError: of another type.
        OverflowError: a number that needs more than 64 bits, or data of 4 GiB.
    """
    if value is None:
        return b"\xc0"
    if isinstance(value, bool):
        return b"\xc3" if value else b"\xc2"
    if isinstance(value, int):
        return _whole(value)
    if isinstance(value, float):
        return struct.pack(">Bd", 0xCB, value)
    if isinstance(value, str):
        data = value.encode("utf-8")
        return _sized(len(data), ((0xD9, "B"), (0xDA, "H"), (0xDB, "I"))) + data
    if isinstance(value, bytes):
        return _sized(len(value), ((0xC4, "B"), (0xC5, "H"), (0xC6, "I"))) + value
    if isinstance(value, list | tuple):
        head = _sized(len(value), ((0xDC, "H"), (0xDD, "I")))
        return head + b"".join(pack(each) for each in value)
    if isinstance(value, dict):
        head = _sized(len(value), ((0xDE, "H"), (0xDF, "I")))
        return head + b"".join(pack(part) for pair in value.items() for part in pair)
    raise TypeError(f"{type(value).__name__} cannot be packed")


def _whole(value: int) -> bytes:
    if 0 <= value < 128:
        return bytes([value])
    if -(1 << 63) <= value < 0:
        return struct.pack(">Bq", 0xD3, value)
    if value < 1 << 64:
        return struct.pack(">BQ", 0xCF, value)
    raise OverflowError("the number is too large")


def _sized(size: int, forms: tuple[tuple[int, str], ...]) -> bytes:
    for mark, width in forms:
        if size < 1 << 8 * struct.calcsize(width):
            return struct.pack(f">B{width}", mark, size)
    raise OverflowError("the data is too large")
