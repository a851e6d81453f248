"""Reads what the build must know of Linux's program files, without any tool."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

MAGIC = b"\x7fELF"
_LOAD, _DYNAMIC = 1, 2
_NEEDED, _STRING_TABLE = 1, 5
_HEADER = struct.Struct("<16xHHIQQQIHHHHHH")
_PROGRAM = struct.Struct("<IIQQQQQQ")
_ENTRY = struct.Struct("<qQ")


class NotElfError(ValueError):
    """The file is no 64-bit little-endian ELF file."""


@dataclass(frozen=True, slots=True)
class Elf:
    """What a file asks of the loader.

    Attributes:
        needed: names of the libraries that it is linked to.
        loadable: every segment lies in the file as it must lie in memory, page by page.
    """

    needed: tuple[str, ...]
    loadable: bool


def read_elf(path: Path) -> Elf:
    """Read ``path``.

    Raises:
        NotElfError: it is something else, or cut off.
    """
    data = path.read_bytes()
    if data[:4] != MAGIC or data[4:6] != b"\x02\x01":
        raise NotElfError(str(path))
    try:
        return _read(data)
    except (struct.error, IndexError) as error:
        raise NotElfError(f"{path}: {error}") from error


def _read(data: bytes) -> Elf:
    header = _HEADER.unpack_from(data)
    start, size, count = header[4], header[8], header[9]
    segments = [_PROGRAM.unpack_from(data, start + size * number) for number in range(count)]
    loads = [s for s in segments if s[0] == _LOAD]
    loadable = all(s[7] < 2 or (s[3] - s[2]) % s[7] == 0 for s in loads)
    needed: tuple[str, ...] = ()
    for segment in segments:
        if segment[0] == _DYNAMIC:
            needed = _needed(data, segment[2], segment[5], loads)
    return Elf(needed, loadable)


def _needed(data: bytes, start: int, length: int, loads: list[tuple[int, ...]]) -> tuple[str, ...]:
    entries = [_ENTRY.unpack_from(data, start + at) for at in range(0, length, _ENTRY.size)]
    table = next((value for tag, value in entries if tag == _STRING_TABLE), None)
    if table is None:
        return ()
    home = next(s for s in loads if s[3] <= table < s[3] + s[5])
    offset = table - home[3] + home[2]
    names = []
    for tag, value in entries:
        if tag == _NEEDED:
            begin = offset + value
            names.append(data[begin : data.index(b"\0", begin)].decode())
    return tuple(names)
