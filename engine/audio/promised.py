"""What the headers of sound files other than WAV and MP3 promise, to tell a cut one.

libsndfile takes such a file for as long as its bytes, without a word.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import BinaryIO

_HEAD_BYTES = 1 << 16
_W64_RIFF = bytes.fromhex("726966662e91cf11a5d628db04c10000")
_W64_DATA = bytes.fromhex("64617461f3acd3118cd100c04f8edb8a")
_TOTAL = (1 << 36) - 1


@dataclass(frozen=True, slots=True)
class Promise:
    """Bytes of samples that a header tells of, and where they begin."""

    start: int
    count: int

    def share(self, size: int) -> float:
        """How much of them a file of ``size`` bytes has, 0 to 1."""
        return min(1.0, max(0, size - self.start) / self.count) if self.count else 1.0


def read_promise(file: BinaryIO) -> Promise | None:
    """The promise of an AIFF, AU, Wave64 or RF64; ``None`` for others and for no word."""
    file.seek(0)
    head = file.read(_HEAD_BYTES)
    if head[:4] == b"FORM" and head[8:12] in (b"AIFF", b"AIFC"):
        return _aiff(head)
    if head[:4] == b".snd" and len(head) >= 24:
        start, count = struct.unpack_from(">II", head, 4)
        return None if count in (0, 0xFFFFFFFF) else Promise(start, count)
    if head[:16] == _W64_RIFF:
        at = head.find(_W64_DATA)
        count = struct.unpack_from("<Q", head, at + 16)[0] if 0 < at < len(head) - 24 else 0
        return Promise(at + 24, count - 24) if count > 24 else None
    if head[:4] == b"RF64" and head[12:16] == b"ds64" and len(head) >= 40:
        at = head.find(b"data", 36)
        count = struct.unpack_from("<Q", head, 28)[0]
        return Promise(at + 8, count) if at > 0 and count else None
    return None


def _aiff(head: bytes) -> Promise | None:
    at = 12
    while at + 8 <= len(head):
        size = struct.unpack_from(">I", head, at + 4)[0]
        if head[at : at + 4] == b"SSND":
            return Promise(at + 16, size - 8) if size > 8 else None
        at += 8 + size + (size & 1)
    return None


def flac_total(file: BinaryIO) -> tuple[int, bytes]:
    """Frames that the head of a FLAC tells of, 0 for no word, and the head without that number.

    A decoder stops at that number, whatever comes behind it; without it, it goes to the end.
    """
    file.seek(0)
    head = file.read(26)
    if len(head) < 26 or head[:4] != b"fLaC" or head[4] & 127:
        return 0, b""
    packed = int.from_bytes(head[18:26], "big")
    return packed & _TOTAL, head[:18] + (packed & ~_TOTAL).to_bytes(8, "big")
