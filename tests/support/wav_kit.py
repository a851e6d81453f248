"""Test signals and hand-made WAV files, sound or hostile."""

from __future__ import annotations

import struct

import numpy as np

RATE = 44100


def sine(
    seconds: float = 2.0, rate: int = RATE, hertz: float = 220.0, amplitude: float = 0.3
) -> np.ndarray:
    """A sine as float32."""
    time = np.arange(round(seconds * rate)) / rate
    return (amplitude * np.sin(2 * np.pi * hertz * time)).astype(np.float32)


def speech(seconds: float = 8.0, rate: int = RATE, level: float = 0.1, seed: int = 1) -> np.ndarray:
    """Noise bursts in the rhythm of syllables and phrases, with quiet pauses and quiet ends.

    ``level`` is the RMS inside the bursts; the pauses lie 50 dB below.
    """
    rng = np.random.default_rng(seed)
    count = round(seconds * rate)
    time = np.arange(count) / rate
    voiced = (time % 2.0 < 1.5) & (time > 0.2) & (time < seconds - 0.3)
    envelope = np.where(voiced, 0.6 + 0.4 * np.sin(2 * np.pi * 4 * time), 0.003)
    noise = rng.standard_normal(count)
    return (level * envelope * noise).astype(np.float32)


def chunk(name: bytes, data: bytes, size: int | None = None, *, pad: bool = True) -> bytes:
    """One RIFF chunk; ``size`` may lie."""
    raw = name + struct.pack("<I", len(data) if size is None else size) + data
    return raw + b"\0" if pad and len(data) & 1 else raw


def fmt(tag: int = 1, channels: int = 1, rate: int = RATE, bits: int = 16) -> bytes:
    """A plain format chunk."""
    align = channels * bits // 8
    return chunk(b"fmt ", struct.pack("<HHIIHH", tag, channels, rate, rate * align, align, bits))


def riff(*chunks: bytes, size: int | None = None) -> bytes:
    """A WAV file of these chunks; the RIFF ``size`` may lie."""
    body = b"WAVE" + b"".join(chunks)
    return b"RIFF" + struct.pack("<I", len(body) if size is None else size) + body


def pcm(samples: np.ndarray) -> bytes:
    """16-bit samples."""
    return np.round(samples * 32767).astype("<i2").tobytes()


def float_wav(samples: np.ndarray, rate: int = RATE) -> bytes:
    """A 32-bit float WAV of any samples, NaN included."""
    data = chunk(b"data", np.asarray(samples, "<f4").tobytes())
    return riff(fmt(3, rate=rate, bits=32), data)
