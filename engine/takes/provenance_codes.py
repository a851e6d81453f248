"""The codes of a take inside a sound file: one packed form for all kinds of files.

Layout, little-endian: version (u16, 1), bytes a code (u8, 2 or 4), zero (u8), codebooks (u32),
frames (u32), CRC-32 of the plain codes (u32), then the codes as one zlib stream, codebook
after codebook, as signed integers. In a WAV this is the content of a chunk named ``s2cd``; in
other kinds it stands in the comment, in base64.

What is read comes from a file that nobody vouches for: every number is checked before memory
is taken for it.
"""

from __future__ import annotations

import io
import os
import struct
import zlib
from typing import BinaryIO

import numpy as np

from engine.audio.riff import chunks
from engine.errors import EngineError

CHUNK_NAME = b"s2cd"
VERSION = 1
MAX_CODEBOOKS = 64
MAX_FRAMES = 1 << 20
"""About 13 hours of the released model's frames."""

MAX_PLAIN_BYTES = 64 << 20
MAX_PACKED_BYTES = MAX_PLAIN_BYTES + (1 << 16)
MAX_COMMENT_BYTES = 1 << 20

_HEAD = struct.Struct("<HBBIII")
_MAX_CHUNKS = 256
_MAX_SUBCHUNKS = 64


class CodesError(EngineError, ValueError):
    """The packed codes are damaged; the text says how."""


def pack_codes(codes: np.ndarray) -> bytes:
    """Pack codes, whole numbers from 0 on of shape ``(codebooks, frames)``.

    Raises:
        CodesError: another shape or type, a negative code, or more than can be read back.
    """
    array = np.asarray(codes)
    if array.ndim != 2 or array.dtype.kind not in "iu":
        raise CodesError("codes.no_array")
    if not (1 <= array.shape[0] <= MAX_CODEBOOKS and 1 <= array.shape[1] <= MAX_FRAMES):
        raise CodesError("codes.shape", shape=array.shape)
    if int(array.min()) < 0 or int(array.max()) >= 1 << 31:
        raise CodesError("codes.range")
    width = 2 if int(array.max()) < 1 << 15 else 4
    plain = np.ascontiguousarray(array, dtype=f"<i{width}").tobytes()
    if len(plain) > MAX_PLAIN_BYTES:
        raise CodesError("codes.too_many_to_keep")
    head = _HEAD.pack(VERSION, width, 0, array.shape[0], array.shape[1], zlib.crc32(plain))
    return head + zlib.compress(plain, 9)


def unpack_codes(data: bytes) -> np.ndarray:
    """The codes, int32 ``(codebooks, frames)``, read-only.

    Raises:
        CodesError: the first thing that is wrong.
    """
    if len(data) < _HEAD.size:
        raise CodesError("codes.cut")
    version, width, zero, codebooks, frames, crc = _HEAD.unpack_from(data)
    if version != VERSION:
        raise CodesError("codes.version", version=version)
    if width not in (2, 4) or zero:
        raise CodesError("codes.header")
    if not (1 <= codebooks <= MAX_CODEBOOKS and 1 <= frames <= MAX_FRAMES):
        raise CodesError("codes.size")
    size = codebooks * frames * width
    if size > MAX_PLAIN_BYTES:
        raise CodesError("codes.too_many")
    plain = _inflate(data[_HEAD.size :], size)
    if zlib.crc32(plain) != crc:
        raise CodesError("codes.checksum")
    codes = np.frombuffer(plain, dtype=f"<i{width}").astype(np.int32)
    if int(codes.min()) < 0:
        raise CodesError("codes.one_range")
    codes = codes.reshape(codebooks, frames)
    codes.flags.writeable = False
    return codes


def _inflate(data: bytes, size: int) -> bytes:
    """Exactly ``size`` bytes; a stream that would give more is never followed further."""
    inflater = zlib.decompressobj()
    try:
        plain = inflater.decompress(data, size + 1)
    except zlib.error as error:
        raise CodesError("codes.damaged") from error
    if len(plain) != size or not inflater.eof or inflater.unused_data:
        raise CodesError("codes.length")
    return plain


def read_wav_chunks(file: BinaryIO, size: int) -> tuple[bytes, bytes | None]:
    """Comment and packed codes of a RIFF/WAVE file; empty and ``None`` where there are none.

    Follows the chunk sizes by the rules and stops at the first that leads out of the file, so
    a damaged file costs no search. Chunks that are larger than they may be are passed over.
    """
    comment, packed = b"", None
    for found in chunks(file, most=_MAX_CHUNKS):
        if found.end > size:
            break
        if found.name == CHUNK_NAME and packed is None:
            packed = file.read(found.size) if found.size <= MAX_PACKED_BYTES else b""
        elif found.name == b"LIST" and not comment and found.size <= 2 * MAX_COMMENT_BYTES:
            comment = _info_comment(file.read(found.size))
    return comment, packed


def _info_comment(content: bytes) -> bytes:
    """The ``ICMT`` field of a ``LIST`` chunk of the kind ``INFO``."""
    if content[:4] == b"INFO":
        for found in chunks(io.BytesIO(content), 4, _MAX_SUBCHUNKS):
            if found.name == b"ICMT":
                return content[found.start : found.end].rstrip(b"\0")
    return b""


def file_size(file: BinaryIO) -> int:
    """Bytes of an open regular file."""
    return os.fstat(file.fileno()).st_size
