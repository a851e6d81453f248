"""Turning samples into the bytes of an audio file of any kind that is offered for export."""

from __future__ import annotations

import io
from dataclasses import dataclass
from enum import Enum

import numpy as np

from engine.audio.ogg_serial import with_fixed_serial
from engine.audio.resample import resample
from engine.audio.riff import chunk
from engine.audio.wav import HEADER_BYTES, MAX_RIFF_BYTES, to_pcm16, wav_header
from engine.errors import OutputError

BLOCK = 1 << 14
"""Samples given to libsndfile at a time; its Vorbis encoder overflows on very long pieces."""

MP3_RATES = (8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000)
MAX_VORBIS_RATE = 192_000
"""libsndfile's Vorbis encoder ends the process at 384 kHz."""


class ExportFormat(Enum):
    """A kind of file that a take can be saved as; the value is its stable name."""

    WAV_16 = "wav16"
    WAV_24 = "wav24"
    WAV_FLOAT = "wav32"
    FLAC_16 = "flac16"
    FLAC_24 = "flac24"
    MP3 = "mp3"
    VORBIS = "vorbis"
    OPUS = "opus"

    @property
    def title(self) -> str:
        """What it is called in a list."""
        return _SPECS[self].title

    @property
    def suffix(self) -> str:
        """File name ending with its full stop."""
        return _SPECS[self].suffix

    @property
    def max_comment_bytes(self) -> int:
        """Longest comment that libsndfile reads back."""
        return _SPECS[self].max_comment

    @property
    def ascii_comment(self) -> bool:
        """Other characters do not come back: WAV does not say how its text is coded, and the
        MP3 encoder writes UTF-8 but declares it to be Latin-1."""
        return self.is_wav or self is ExportFormat.MP3

    @property
    def is_wav(self) -> bool:
        """Written by our own writer, with room for private chunks."""
        return self.suffix == ".wav"

    def rate_for(self, rate: int) -> int:
        """The sample rate that a file of this kind gets for sound of ``rate`` Hz.

        The next higher one that the kind knows, so that nothing audible is lost, or else its
        highest.
        """
        if self is ExportFormat.OPUS:
            return 48_000
        if self is ExportFormat.VORBIS:
            return min(rate, MAX_VORBIS_RATE)
        if self is ExportFormat.MP3:
            return next((known for known in MP3_RATES if known >= rate), MP3_RATES[-1])
        return rate


@dataclass(frozen=True, slots=True)
class _Spec:
    title: str
    suffix: str
    container: str
    subtype: str
    max_comment: int = 1 << 20
    quality: float | None = None


_SPECS = {
    ExportFormat.WAV_16: _Spec("WAV, 16 bit", ".wav", "WAV", "PCM_16"),
    ExportFormat.WAV_24: _Spec("WAV, 24 bit", ".wav", "WAV", "PCM_24"),
    ExportFormat.WAV_FLOAT: _Spec("WAV, 32-bit float", ".wav", "WAV", "FLOAT"),
    ExportFormat.FLAC_16: _Spec("FLAC, 16 bit", ".flac", "FLAC", "PCM_16"),
    ExportFormat.FLAC_24: _Spec("FLAC, 24 bit", ".flac", "FLAC", "PCM_24"),
    ExportFormat.MP3: _Spec("MP3", ".mp3", "MP3", "MPEG_LAYER_III", quality=0.1),
    ExportFormat.VORBIS: _Spec("Ogg Vorbis", ".ogg", "OGG", "VORBIS", quality=0.2),
    # From 51 201 bytes on, libsndfile writes an Opus comment that it then refuses to open.
    ExportFormat.OPUS: _Spec("Ogg Opus", ".opus", "OGG", "OPUS", 48_000),
}


def encode_audio(
    samples: np.ndarray,
    rate: int,
    kind: ExportFormat,
    *,
    comment: str = "",
    chunks: tuple[tuple[bytes, bytes], ...] = (),
) -> bytes:
    """The bytes of a mono file of ``samples`` ``(n,)``; the same input gives the same bytes.

    Args:
        rate: of the samples, in Hz; they are resampled where ``kind`` needs it.
        comment: text for the comment field; see ``ascii_comment``.
        chunks: private RIFF chunks, name and content; WAV only.

    Raises:
        OutputError: no samples, samples that are not numbers, a file too large for its kind,
            or an encoder that this libsndfile lacks.
        ValueError: samples of more than one dimension, or chunks for another kind than WAV.
    """
    array = _checked(samples)
    if chunks and not kind.is_wav:
        raise ValueError(f"{kind.title} has no private chunks")
    target = kind.rate_for(rate)
    if target != rate:
        array = resample(array, rate, target)
    array = np.clip(array, -1.0, 1.0)
    if kind.is_wav:
        return _wav(array, target, kind, comment, chunks)
    data = _compressed(array, target, kind, comment)
    return with_fixed_serial(data) if data.startswith(b"OggS") else data


def to_pcm24(samples: np.ndarray) -> np.ndarray:
    """Floats of -1..1 as 24-bit whole numbers in the upper bytes of int32, cut towards zero."""
    clamped = np.clip(np.asarray(samples, np.float64), -1.0, 1.0) * (1 << 23)
    return np.minimum(clamped, (1 << 23) - 1).astype("<i4") << 8


def _checked(samples: np.ndarray) -> np.ndarray:
    array = np.asarray(samples, dtype=np.float32)
    if array.ndim != 1:
        raise ValueError(f"mono samples of one dimension are needed, not {array.shape}")
    if len(array) == 0:
        raise OutputError("sound.none_yet")
    bad = len(array) - int(np.count_nonzero(np.isfinite(array)))
    if bad:
        raise OutputError("sound.not_numbers", bad=bad)
    return array


def _wav(
    array: np.ndarray,
    rate: int,
    kind: ExportFormat,
    comment: str,
    chunks: tuple[tuple[bytes, bytes], ...],
) -> bytes:
    """The plain 44-byte header and the samples, as :mod:`engine.audio.wav` writes them, and
    behind them the rest, so that players which know only the plain form find it."""
    data, bits = _wav_data(array, kind)
    tail = b""
    if comment:
        text = comment.encode("ascii") + b"\0"
        tail += chunk(b"LIST", b"INFO" + chunk(b"ICMT", text))
    tail += b"".join(chunk(name, content) for name, content in chunks)
    tail = b"\0" * (len(data) & 1) + tail
    if HEADER_BYTES + len(data) + len(tail) > MAX_RIFF_BYTES:
        raise OutputError("sound.too_large")
    return wav_header(rate, len(data), bits=bits, tail_bytes=len(tail)) + data + tail


def _wav_data(array: np.ndarray, kind: ExportFormat) -> tuple[bytes, int]:
    if kind is ExportFormat.WAV_16:
        return to_pcm16(array).tobytes(), 16
    if kind is ExportFormat.WAV_24:
        wide = to_pcm24(array).astype("<i4").view(np.uint8).reshape(-1, 4)
        return wide[:, 1:].tobytes(), 24
    return array.astype("<f4").tobytes(), 32


def _compressed(array: np.ndarray, rate: int, kind: ExportFormat, comment: str) -> bytes:
    spec = _SPECS[kind]
    import soundfile  # the window lists takes at its start without it

    if not soundfile.check_format(spec.container, spec.subtype):
        raise OutputError("sound.format_absent", format=kind.title)
    whole = {"PCM_16": to_pcm16, "PCM_24": to_pcm24}.get(spec.subtype)
    out = io.BytesIO()
    try:
        with soundfile.SoundFile(
            out, "w", rate, 1, spec.subtype,
            format=spec.container, compression_level=spec.quality,
        ) as sound:  # fmt: skip
            if comment:
                sound.comment = comment
            for at in range(0, len(array), BLOCK):
                block = array[at : at + BLOCK]
                sound.write(whole(block) if whole else block)
    except (soundfile.SoundFileError, RuntimeError, ValueError, TypeError) as error:
        raise OutputError(
            "sound.format_failed", format=kind.title, rate=rate, reason=error
        ) from error
    return out.getvalue()
