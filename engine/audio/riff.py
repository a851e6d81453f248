"""RIFF/WAVE files: their chunks, the head of a WAV, and finding the samples of a damaged one.

Recorders write zero-filled or unpadded chunks, absurd sizes, or a data size of 0 when they
were killed. libsndfile reads most of that, but refuses some and reads a data size of 0 as no
samples. :func:`scan_wav` finds the two chunks that matter and says whether the file needs
mending; :func:`chunks` follows the rules only.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

OPEN_SIZE = 0x7FFF0000
"""Data sizes from here on are placeholders of programs that did not know the length."""

PCM_TAG, FLOAT_TAG, EXTENSIBLE_TAG = 1, 3, 0xFFFE
FIRST_CHUNK = 12
"""Offset of the first chunk in a file."""

MAX_SIZE = 0xFFFFFFFF
_MAX_CHUNKS = 4096
_SEARCH_BYTES = 64 << 20
_WINDOW = 1 << 20
_MAX_FMT = 4096


@dataclass(frozen=True, slots=True)
class Chunk:
    """The head of a chunk as it stands in a file, true or not.

    Attributes:
        start: offset of its content.
        size: bytes of its content, without padding.
    """

    name: bytes
    start: int
    size: int

    @property
    def end(self) -> int:
        """Offset behind its content."""
        return self.start + self.size

    @property
    def plausible(self) -> bool:
        """Chunk names are four printable ASCII characters."""
        return len(self.name) == 4 and all(32 <= code < 127 for code in self.name)


@dataclass(frozen=True, slots=True)
class WavFormat:
    """What a ``fmt `` chunk says about the samples.

    Attributes:
        tag: :data:`PCM_TAG`, :data:`FLOAT_TAG` or another kind of coding.
        rate: in Hz.
        bits: of one sample.
    """

    tag: int
    channels: int
    rate: int
    bytes_per_second: int
    bits: int

    @classmethod
    def parse(cls, fmt: bytes) -> WavFormat:
        """Read the content of a ``fmt `` chunk of at least 16 bytes."""
        tag, channels, rate, per_second, _, bits = struct.unpack_from("<HHIIHH", fmt)
        if tag == EXTENSIBLE_TAG and len(fmt) >= 26:
            tag = struct.unpack_from("<H", fmt, 24)[0]
        return cls(tag, channels, rate, per_second, bits)

    @property
    def true_bytes_per_second(self) -> int:
        """Of plain samples from what they are; else the header's word, which may be wrong."""
        plain = self.channels * self.rate * ((self.bits + 7) // 8)
        return plain if self.tag in (PCM_TAG, FLOAT_TAG) and plain else self.bytes_per_second


def is_wav(head: bytes) -> bool:
    """Whether a file that begins with these 12 bytes is RIFF/WAVE."""
    return head[:4] == b"RIFF" and head[8:12] == b"WAVE"


def chunk(name: bytes, content: bytes) -> bytes:
    """A chunk with its head and padding."""
    return name + struct.pack("<I", len(content)) + content + b"\0" * (len(content) & 1)


def wav_head(
    fmt: bytes, data_bytes: int, tail_bytes: int = 0, riff_size: int | None = None
) -> bytes:
    """Everything in front of the samples; sizes that no 32 bits hold become the largest one.

    Args:
        fmt: content of the ``fmt `` chunk.
        tail_bytes: what follows the samples, padding included.
        riff_size: what to say instead of the true size of the file.
    """
    body = b"WAVE" + chunk(b"fmt ", fmt)
    if riff_size is None:
        riff_size = len(body) + 8 + data_bytes + tail_bytes
    sizes = min(riff_size, MAX_SIZE), min(data_bytes, MAX_SIZE)
    return b"RIFF" + struct.pack("<I", sizes[0]) + body + b"data" + struct.pack("<I", sizes[1])


def read_chunk(file: BinaryIO, at: int) -> Chunk:
    """The head of the chunk at ``at``; one without a name behind the end of the file."""
    file.seek(at)
    head = file.read(8)
    if len(head) < 8:
        return Chunk(b"", at + 8, 0)
    return Chunk(head[:4], at + 8, int.from_bytes(head[4:], "little"))


def chunks(file: BinaryIO, at: int = FIRST_CHUNK, most: int = _MAX_CHUNKS) -> Iterator[Chunk]:
    """Follow the sizes by the rules from ``at`` on, until the file ends or ``most`` were found.

    The last one may lead out of the file: compare its ``end`` with the file's size. Each leaves
    the file at its content.
    """
    for _ in range(most):
        found = read_chunk(file, at)
        if not found.name:
            return
        yield found
        at = found.end + (found.size & 1)


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
    def format(self) -> WavFormat:
        """What ``fmt`` says."""
        return WavFormat.parse(self.fmt)

    @property
    def mended_header(self) -> bytes:
        """A plain header to put in front of the sample bytes."""
        return wav_head(self.fmt, self.data_bytes)


def scan_wav(file: BinaryIO, size: int) -> WavScan | None:
    """Scan a seekable file of ``size`` bytes; ``None`` unless it is RIFF/WAVE with both chunks.

    Never reads more than a bounded number of chunk headers and 64 MiB in search of a chunk.
    """
    file.seek(0)
    return _Scanner(file, size).run() if is_wav(file.read(FIRST_CHUNK)) else None


class _Scanner:
    def __init__(self, file: BinaryIO, size: int) -> None:
        self.file = file
        self.size = size
        self.fmt = b""
        self.damaged = False

    def run(self) -> WavScan | None:
        at: int | None = FIRST_CHUNK
        for _ in range(_MAX_CHUNKS):
            if at is None:
                return None
            here = read_chunk(self.file, at)
            if here.name == b"data" and self.fmt:
                return self._found(here)
            if here.name == b"fmt " and 16 <= here.size <= _MAX_FMT:
                self.fmt = self._read(here.start, here.size)
            at = self._next(at, here)
        return None

    def _next(self, at: int, here: Chunk) -> int | None:
        """Offset of the next chunk, by the rules or else by search."""
        if here.plausible and here.end < self.size:
            padded = here.end + (here.size & 1)
            if read_chunk(self.file, padded).plausible:
                return padded
            if here.size & 1 and read_chunk(self.file, here.end).plausible:
                self.damaged = True
                return here.end
        self.damaged = True
        return self._search(at + 4, b"data" if self.fmt else b"fmt ")

    def _found(self, data: Chunk) -> WavScan:
        there = max(0, self.size - data.start)
        promised: int | None = data.size
        if data.size == 0 and there > 0 and not self._chunk_fits(data.start):
            self.damaged, promised = True, None
        elif data.size >= OPEN_SIZE and data.size > there:
            promised = None
        count = there if promised is None else min(promised, there)
        return WavScan(self.fmt, data.start, count, promised, self.damaged)

    def _chunk_fits(self, at: int) -> bool:
        here = read_chunk(self.file, at)
        return here.plausible and here.end <= self.size

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
