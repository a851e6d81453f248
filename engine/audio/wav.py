"""Our own WAV writer: mono, 44-byte header, 16-bit or 32-bit float (spec 06, section 5).

libsndfile would do, but it puts a time stamp into float files, so that one seed would give
two different files, and it turns NaN into a full-scale click.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from typing import Literal

import numpy as np

from engine.audio.riff import FLOAT_TAG, PCM_TAG, wav_head
from engine.errors import OutputError
from engine.storage.files import save_file, shown

Subtype = Literal["FLOAT", "PCM_16"]

HEADER_BYTES = 44
PROVISIONAL_SIZE = 0x7FFFFFF0
MAX_RIFF_BYTES = 0xFFFFFFFE
"""Largest even size of a whole file whose size fields still hold 32 bits."""

KEPT = "advice.in_memory"
"""What an error of writing sound adds to its next step."""
"""What to say to the person whose sound could not be written."""

_BLOCK = 1 << 16


def wav_header(
    rate: int,
    data_bytes: int | None = None,
    *,
    bits: int = 16,
    channels: int = 1,
    tail_bytes: int = 0,
) -> bytes:
    """The 44 bytes in front of the samples.

    Args:
        rate: samples a second.
        data_bytes: size of the samples; ``None`` writes the provisional sizes of a stream.
        bits: 16 for integers, 32 for IEEE floats (format tag 3).
        channels: number of channels.
        tail_bytes: what follows the samples, padding included.
    """
    align = channels * bits // 8
    tag = FLOAT_TAG if bits == 32 else PCM_TAG
    fmt = struct.pack("<HHIIHH", tag, channels, rate, rate * align, align, bits)
    if data_bytes is None:
        return wav_head(fmt, PROVISIONAL_SIZE, riff_size=PROVISIONAL_SIZE)
    return wav_head(fmt, data_bytes, tail_bytes)


def to_pcm16(samples: np.ndarray) -> np.ndarray:
    """Convert floats to little-endian int16 of the same shape: clamp, then cut towards zero.

    1 and more gives 32767, -1 gives -32768. NaN gives 0, because a silent sample is better
    than the full-scale click that an unchecked conversion makes of it.
    """
    clamped = np.clip(np.asarray(samples), -1.0, 1.0).astype(np.float32)
    scaled = np.nan_to_num(clamped, nan=0.0) * np.float32(32768)
    result: np.ndarray = np.minimum(scaled, np.float32(32767)).astype("<i2")
    return result


def encode_wav(samples: np.ndarray, rate: int, subtype: Subtype = "FLOAT") -> bytes:
    """A whole WAV file as bytes; arguments and errors as in :func:`write_wav`."""
    return b"".join(_parts(samples, rate, subtype, "the WAV"))


def write_wav(
    path: str | os.PathLike[str], samples: np.ndarray, rate: int, subtype: Subtype = "FLOAT"
) -> None:
    """Write mono samples ``(n,)`` to a WAV file, whole or not at all.

    Raises:
        OutputError: the samples hold NaN or infinity, are too long for a WAV, or the file
            cannot be written; an older file of that name is then as it was.
        ValueError: the samples are not one-dimensional, or the subtype is unknown.
    """
    save_file(path, _parts(samples, rate, subtype, shown(path)), kept=KEPT)


def _parts(
    samples: np.ndarray, rate: int, subtype: Subtype, target: str
) -> Iterator[bytes | memoryview]:
    array = np.asarray(samples)
    if array.ndim != 1:
        raise ValueError(f"mono samples of one dimension are needed, not {array.shape}")
    if subtype not in ("FLOAT", "PCM_16"):
        raise ValueError(f"the subtype must be FLOAT or PCM_16, not {subtype}")
    width = 4 if subtype == "FLOAT" else 2
    if len(array) * width + HEADER_BYTES > MAX_RIFF_BYTES:
        raise OutputError("sound.wav_too_large", target=target)
    bad = sum(
        int(np.count_nonzero(~np.isfinite(array[i : i + _BLOCK])))
        for i in range(0, len(array), _BLOCK)
    )
    if bad:
        raise OutputError("sound.file_not_numbers", target=target, bad=bad)
    yield wav_header(rate, len(array) * width, bits=8 * width)
    for start in range(0, len(array), _BLOCK):
        block = array[start : start + _BLOCK]
        yield (block.astype("<f4") if width == 4 else to_pcm16(block)).tobytes()
