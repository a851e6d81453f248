"""Finding the samples of a WAV whose chunks are not what they claim to be.

Recorders write zero-filled or unpadded chunks, absurd sizes, or a data size of 0 when they
were killed. libsndfile reads most of that, but refuses some and reads a data size of 0 as no
samples. This scan finds the two chunks that matter and says whether the file needs mending.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import BinaryIO

STREAMING_SIZE = 0x7FFF0000
"""Data sizes from here on are placeholders of programs that did not know the length."""

_SEARCH_BYTES = 64 << 20
_WINDOW = 1 << 20
_MAX_CHUNKS = 4096
_MAX_FMT = 4096


@dataclass(frozen=True, slots=True)
class WavScan:
    """What a RIFF/WAVE file holds.

    Attributes:
        fmt: content of the ``fmt `` chunk, at least 16 bytes.
        data_start: offset of the first sample byte in the file.
        data_bytes: sample bytes that are there.
        promised_bytes: sample bytes that the header names; ``None`` if it does not know.
        damaged: the chunks break the rules, so a mended header is needed.
    """

    fmt: bytes
    data_start: int
    data_bytes: int
    promised_bytes: int | None
    damaged: bool

    @property
    def channels(self) -> int:
        return int(struct.unpack_from("<H", self.fmt, 2)[0])

    @property
    def rate(self) -> int:
        return int(struct.unpack_from("<I", self.fmt, 4)[0])

    @property
    def bytes_per_second(self) -> int:
        return int(struct.unpack_from("<I", self.fmt, 8)[0])

    @property
    def mended_header(self) -> bytes:
        """A plain header to put in front of the sample bytes."""
        fmt = self.fmt + b"\0" * (len(self.fmt) & 1)
        data = struct.pack("<4sI", b"data", min(self.data_bytes, 0xFFFFFFFF))
        body = b"WAVE" + struct.pack("<4sI", b"fmt ", len(self.fmt)) + fmt + data
        riff = min(len(body) + self.data_bytes, 0xFFFFFFFF)
        return struct.pack("<4sI", b"RIFF", riff) + body


def scan_wav(file: BinaryIO, size: int) -> WavScan | None:
    """Scan a seekable file of ``size`` bytes; ``None`` unless it is RIFF/WAVE with both chunks.

    Never reads more than a bounded number of chunk headers and 64 MiB in search of a chunk.
    """
    file.seek(0)
    head = file.read(12)
    if len(head) < 12 or head[:4] != b"RIFF" or head[8:] != b"WAVE":
        return None
    return _Scanner(file, size).run()


class _Scanner:
    def __init__(self, file: BinaryIO, size: int) -> None:
        self.file = file
        self.size = size
        self.fmt = b""
        self.damaged = False

    def run(self) -> WavScan | None:
        position = 12
        for _ in range(_MAX_CHUNKS):
            name, length = self._chunk(position)
            if name == b"data" and self.fmt:
                return self._found(position + 8, length)
            if name == b"fmt " and 16 <= length <= _MAX_FMT:
                self.fmt = self._read(position + 8, length)
            following = self._next(position, name, length)
            if following is None:
                return None
            position = following
        return None

    def _next(self, position: int, name: bytes, length: int) -> int | None:
        """Offset of the next chunk, by the rules or else by search."""
        end = position + 8 + length
        if _plausible(name) and end < self.size:
            padded = end + (length & 1)
            if _plausible(self._chunk(padded)[0]):
                return padded
            if length & 1 and _plausible(self._chunk(end)[0]):
                self.damaged = True
                return end
        self.damaged = True
        return self._search(position + 4, b"data" if self.fmt else b"fmt ")

    def _found(self, start: int, length: int) -> WavScan | None:
        there = max(0, self.size - start)
        promised: int | None = length
        if length == 0 and there > 0 and not self._chunk_fits(start):
            self.damaged, promised = True, None
        elif length >= STREAMING_SIZE and length > there:
            promised = None
        count = there if promised is None else min(promised, there)
        return WavScan(self.fmt, start, count, promised, self.damaged)

    def _chunk_fits(self, position: int) -> bool:
        name, length = self._chunk(position)
        return _plausible(name) and position + 8 + length <= self.size

    def _chunk(self, position: int) -> tuple[bytes, int]:
        head = self._read(position, 8)
        if len(head) < 8:
            return b"", 0
        return head[:4], int.from_bytes(head[4:], "little")

    def _read(self, position: int, count: int) -> bytes:
        self.file.seek(position)
        return self.file.read(count)

    def _search(self, position: int, name: bytes) -> int | None:
        stop = min(self.size, position + _SEARCH_BYTES)
        while position < stop:
            window = self._read(position, _WINDOW)
            at = window.find(name)
            if at >= 0:
                return position + at
            if len(window) <= len(name):
                return None
            position += len(window) - len(name) + 1
        return None


def _plausible(name: bytes) -> bool:
    """Chunk names are four printable ASCII characters."""
    return len(name) == 4 and all(32 <= c < 127 for c in name)
