"""Measures of a recording: level, clipping, noise, bandwidth, silence. Pure functions.

All take float samples ``(n,)``; times are in seconds, levels in dB of full scale (dBFS), where
a full-scale sine has -3 dB RMS.
"""

from __future__ import annotations

import numpy as np

FLOOR_DB = -120.0
FRAME_SECONDS = 0.02
CLIP_LEVEL = 0.999
CLIP_RUN = 3
"""Samples in a row at :data:`CLIP_LEVEL` or above that count as clipping."""

SPEECH_RANGE_DB = 25.0
"""Frames no further than this below the loud ones count as speech."""

QUIET_RANGE_DB = 35.0
"""Frames further than this below the loud ones count as silence."""

_BANDWIDTH_RANGE_DB = 50.0
_STRONG_MOMENTS = 97.0
_FFT = 2048
_MOST_WINDOWS = 2000


def to_db(value: float) -> float:
    """Amplitude in dBFS, not below :data:`FLOOR_DB`."""
    return max(FLOOR_DB, 20 * float(np.log10(max(value, 1e-12))))


def from_db(level: float) -> float:
    """Amplitude of a level in dBFS."""
    return float(10 ** (level / 20))


def rms(samples: np.ndarray) -> float:
    """Root of the mean square around the mean, so that an offset is no sound; 0 for none."""
    if len(samples) == 0:
        return 0.0
    square = np.einsum("n,n->", samples, samples, dtype=np.float64) / len(samples)
    return float(np.sqrt(max(0.0, square - float(samples.mean(dtype=np.float64)) ** 2)))


def swing(samples: np.ndarray) -> float:
    """Largest distance from the mean, which a constant offset does not raise; 0 for none."""
    if not samples.size:
        return 0.0
    mean = float(samples.mean(dtype=np.float64))
    return float(max(samples.max() - mean, mean - samples.min()))


def peak(samples: np.ndarray) -> float:
    """Largest magnitude; 0 for no samples."""
    return float(max(samples.max(), -samples.min())) if samples.size else 0.0


def runs(mask: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Start and end indices of the stretches where a boolean ``(n,)`` is true."""
    edges = np.diff(np.concatenate([[False], mask, [False]]).astype(np.int8))
    return np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)


def clipping(samples: np.ndarray) -> tuple[int, int]:
    """Number of clipped stretches, and of the samples in them."""
    starts, ends = runs(np.abs(samples) >= CLIP_LEVEL)
    lengths = (ends - starts)[ends - starts >= CLIP_RUN]
    return len(lengths), int(lengths.sum())


def frame_levels(samples: np.ndarray, rate: int) -> np.ndarray:
    """RMS in dBFS of frames of :data:`FRAME_SECONDS`; a rest shorter than that is left out.

    The mean of each frame is taken away, so that an offset does not pass as sound.
    """
    size = max(1, int(FRAME_SECONDS * rate))
    count = len(samples) // size
    frames = np.asarray(samples[: count * size], dtype=np.float32).reshape(count, size)
    power = np.maximum(frames.var(axis=1, dtype=np.float64), 1e-24)
    result: np.ndarray = np.maximum(FLOOR_DB, 10 * np.log10(power))
    return result


def loud_level(levels: np.ndarray) -> float:
    """Level of the loud frames, robust against single clicks."""
    return float(np.percentile(levels, 95)) if len(levels) else FLOOR_DB


def speech_level(levels: np.ndarray) -> float:
    """Mean power, in dBFS, of the frames that count as speech."""
    if len(levels) == 0:
        return FLOOR_DB
    active = levels[levels >= loud_level(levels) - SPEECH_RANGE_DB]
    return max(FLOOR_DB, float(10 * np.log10(np.mean(10 ** (active / 10)))))


def noise_level(levels: np.ndarray) -> float:
    """Level of the quietest tenth of the frames, digital silence around the clip left out.

    Digital silence inside counts: there, a gate left nothing that could be heard.
    """
    sounding = np.flatnonzero(levels > FLOOR_DB)
    if len(sounding) == 0:
        return FLOOR_DB
    return float(np.percentile(levels[sounding[0] : sounding[-1] + 1], 10))


def quiet_frames(levels: np.ndarray) -> np.ndarray:
    """Which frames count as silence, boolean, shaped like ``levels``."""
    return levels < loud_level(levels) - QUIET_RANGE_DB


def end_silence(samples: np.ndarray, rate: int) -> tuple[float, float]:
    """Seconds of silence at the start and at the end; the whole length twice if all is silent."""
    levels = frame_levels(samples, rate)
    sounding = np.flatnonzero(~quiet_frames(levels) & (levels > FLOOR_DB))
    total = len(samples) / rate
    if len(sounding) == 0:
        return total, total
    size = max(1, int(FRAME_SECONDS * rate))
    return sounding[0] * size / rate, max(0.0, total - (sounding[-1] + 1) * size / rate)


def zero_fraction(samples: np.ndarray, rate: int) -> float:
    """Share of the samples in stretches of 10 ms or more that stay at one value.

    That is zero, or the offset of a line on which nothing is heard.
    """
    if len(samples) == 0:
        return 0.0
    starts, ends = runs(np.diff(samples) == 0)
    lengths = ends - starts + 1
    return float(lengths[lengths >= max(1, rate // 100)].sum()) / len(samples)


def bandwidth(samples: np.ndarray, rate: int) -> float:
    """Highest frequency in Hz, up to half the rate, that carries the voice.

    Each frequency counts by its strongest moments, because hiss sounds, which reach highest,
    are rare and weak beside vowels. The result is the highest bin within a fixed range of the
    strongest one.
    """
    count = len(samples) // _FFT
    if count == 0:
        return 0.0
    windows = np.asarray(samples[: count * _FFT], dtype=np.float32).reshape(count, _FFT)
    windows = windows[:: -(-count // _MOST_WINDOWS)]
    taper = np.hanning(_FFT).astype(np.float32)
    power = np.abs(np.fft.rfft(windows * taper, axis=1)) ** 2
    strong = np.percentile(power, _STRONG_MOMENTS, axis=0)
    smooth = np.convolve(strong, np.ones(9) / 9, mode="same")
    if smooth.max() <= 0:
        return 0.0
    present = np.flatnonzero(smooth >= smooth.max() * 10 ** (-_BANDWIDTH_RANGE_DB / 10))
    return float(present[-1]) * rate / _FFT
