"""Walking the frames of an MP3, to know how much of it is really there.

The decoder believes the frame count of the Xing header, or guesses the length from the bit
rate of the first frame. So it stops early in a variable-rate or joined file without a true
header, and of a file that was cut it tells nothing but a line on stderr.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import BinaryIO

_RATES = ((44100, 48000, 32000), (22050, 24000, 16000), (11025, 12000, 8000))
_V1 = (
    (32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448),
    (32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384),
    (32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320),
)
_V2 = (
    (32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256),
    (8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160),
    (8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160),
)
_SEARCH_BYTES = 1 << 20
_TAGS = (b"TAG", b"APETAGEX", b"ID3", b"LYRICSBEGIN", b"3DI")


@dataclass(frozen=True, slots=True)
class FrameHeader:
    """One frame: its size in bytes, its samples, and the fields all frames of a file share."""

    size: int
    samples: int
    rate: int
    layer: int
    version: int
    raw: bytes


@dataclass(frozen=True, slots=True)
class Mp3Scan:
    """What the frames of a file say.

    Attributes:
        first: header of the first frame.
        start: offset of the first frame with sound.
        end: offset after the last whole frame that was walked.
        frames: number of them.
        promised: number the Xing or VBRI header names, ``None`` without such a header.
        skipped_bytes: bytes between frames that belong to none.
        complete: the walk reached the end of the file, not just its limit.
    """

    first: FrameHeader
    start: int
    end: int
    frames: int
    promised: int | None
    skipped_bytes: int
    complete: bool

    @property
    def seconds(self) -> float:
        return self.frames * self.first.samples / self.first.rate

    @property
    def promised_seconds(self) -> float:
        return (self.promised or 0) * self.first.samples / self.first.rate

    def mended_header(self) -> bytes:
        """A Xing frame that names the true frame count, to stand before ``start``."""
        best = b""
        for index in range(1, 15):
            raw = bytes((self.first.raw[0], self.first.raw[1] | 1))
            raw += bytes((index << 4 | self.first.raw[2] & 0x0C, self.first.raw[3]))
            header = parse_header(raw)
            if header is not None and header.size >= 192:
                best = raw + bytes(header.size - 4)
                break
        mono = self.first.raw[3] >> 6 == 3
        side = (17 if mono else 32) if self.first.version == 0 else (9 if mono else 17)
        xing = struct.pack(">4sIII", b"Xing", 3, self.frames, self.end - self.start + len(best))
        return best[: 4 + side] + xing + best[4 + side + len(xing) :]


def parse_header(raw: bytes) -> FrameHeader | None:
    """Read four header bytes; ``None`` when they are no frame header of a known length."""
    if len(raw) < 4 or raw[0] != 0xFF or raw[1] & 0xE0 != 0xE0:
        return None
    version = (2, None, 1, 0)[raw[1] >> 3 & 3]
    layer = (None, 3, 2, 1)[raw[1] >> 1 & 3]
    bitrate, rate = raw[2] >> 4, raw[2] >> 2 & 3
    if version is None or layer is None or bitrate in (0, 15) or rate == 3:
        return None
    kbps = (_V1 if version == 0 else _V2)[layer - 1][bitrate - 1]
    hertz = _RATES[version][rate]
    padding = raw[2] >> 1 & 1
    if layer == 1:
        return FrameHeader((12000 * kbps // hertz + padding) * 4, 384, hertz, 1, version, raw[:4])
    samples = 576 if layer == 3 and version else 1152
    size = samples * 125 * kbps // hertz + padding
    return FrameHeader(size, samples, hertz, layer, version, raw[:4])


def scan_mp3(file: BinaryIO, size: int, max_seconds: float | None = None) -> Mp3Scan | None:
    """Walk a seekable file of ``size`` bytes; ``None`` when no two frames follow each other.

    With ``max_seconds`` the walk stops after about that much sound.
    """
    position = _skip_id3(file, size)
    found = _find_frame(file, position, size, None)
    if found is None:
        return None
    position, first = found
    promised = _promised(_read(file, position, min(first.size, 256)))
    if promised is not None:
        position += first.size
    limit = size if max_seconds is None else int(max_seconds * first.rate / first.samples) + 2
    return _walk(file, position, size, first, promised, limit)


def _walk(
    file: BinaryIO, start: int, size: int, first: FrameHeader, promised: int | None, limit: int
) -> Mp3Scan:
    position = end = start
    frames = skipped = 0
    while frames < limit:
        raw = _read(file, position, 4)
        header = parse_header(raw)
        if header is None or not _same_kind(header, first):
            found = None
            if not _is_tag(_read(file, position, 12)):
                found = _find_frame(file, position + 1, size, first)
            if found is None:
                break
            skipped += found[0] - position
            position, header = found
        if position + header.size > size:
            break
        frames += 1
        position = end = position + header.size
    return Mp3Scan(first, start, end, frames, promised, skipped, frames < limit)


def _same_kind(a: FrameHeader, b: FrameHeader) -> bool:
    return (a.rate, a.layer, a.version) == (b.rate, b.layer, b.version)


def _is_tag(raw: bytes) -> bool:
    return any(raw.startswith(tag) for tag in _TAGS)


def _promised(frame: bytes) -> int | None:
    """Frame count of a Xing, Info or VBRI header inside the first frame."""
    for name in (b"Xing", b"Info"):
        at = frame.find(name, 4, 64)
        if at >= 0 and len(frame) >= at + 12:
            flags, count = struct.unpack_from(">II", frame, at + 4)
            return count if flags & 1 else None
    if frame[36:40] == b"VBRI" and len(frame) >= 54:
        return int(struct.unpack_from(">I", frame, 50)[0])
    return None


def _skip_id3(file: BinaryIO, size: int) -> int:
    position = 0
    while position < size:
        head = _read(file, position, 10)
        if len(head) < 10 or head[:3] != b"ID3":
            break
        length = 0
        for byte in head[6:10]:
            length = length << 7 | byte & 0x7F
        position += 10 + length + (10 if head[5] & 0x10 else 0)
    return position


def _find_frame(
    file: BinaryIO, position: int, size: int, like: FrameHeader | None
) -> tuple[int, FrameHeader] | None:
    """Next offset at which a frame begins that is followed by another, or by the end."""
    window = _read(file, position, _SEARCH_BYTES)
    at = window.find(b"\xff")
    while at >= 0:
        header = parse_header(window[at : at + 4])
        if header is not None and (like is None or _same_kind(header, like)):
            after = position + at + header.size
            following = parse_header(_read(file, after, 4))
            if following is not None and _same_kind(following, header):
                return position + at, header
        at = window.find(b"\xff", at + 1)
    return None


def _read(file: BinaryIO, position: int, count: int) -> bytes:
    file.seek(position)
    return file.read(count)
