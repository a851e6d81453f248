"""A fixed stream number for Ogg files.

libsndfile draws a random stream number from the clock, so one sound would give two different
files. It tells streams inside one file apart and means nothing outside, so a constant serves.
"""

from __future__ import annotations

import struct
import zlib

SERIAL = 0x53325653

_REVERSED = bytes(int(f"{value:08b}"[::-1], 2) for value in range(256))
_HEADER = 27


def with_fixed_serial(data: bytes) -> bytes:
    """A whole Ogg file with :data:`SERIAL` in each page, and their checksums made anew.

    Raises:
        ValueError: the bytes are not a row of Ogg pages.
    """
    pages = []
    at = 0
    while at < len(data):
        if data[at : at + 4] != b"OggS" or len(data) < at + _HEADER:
            raise ValueError(f"no Ogg page at byte {at}")
        count = data[at + 26]
        size = _HEADER + count + sum(data[at + _HEADER : at + _HEADER + count])
        page = bytearray(data[at : at + size])
        struct.pack_into("<I", page, 14, SERIAL)
        struct.pack_into("<I", page, 22, 0)
        struct.pack_into("<I", page, 22, page_checksum(bytes(page)))
        pages.append(bytes(page))
        at += size
    return b"".join(pages)


def page_checksum(page: bytes) -> int:
    """Checksum of a page whose own checksum field is zero.

    It is the CRC of polynomial 0x04C11DB7 with the highest bit first, without any inversion.
    zlib computes the same polynomial lowest bit first and inverted, so the bits are turned
    round on the way in and out; that is a hundred times faster than a loop.
    """
    turned = zlib.crc32(page.translate(_REVERSED), 0xFFFFFFFF) ^ 0xFFFFFFFF
    return int(f"{turned:032b}"[::-1], 2)
