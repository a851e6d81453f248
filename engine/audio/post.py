"""What may be done to a finished take (spec 06, section 7): trim, even out, bring up to level.

The order is fixed: trim, then dynamic, then peak; each only if asked for. Functions take mono
float samples ``(n,)`` and return float32; the input is never changed.
"""

from __future__ import annotations

import numpy as np

from engine.audio.levels import peak
from engine.types import PostProcessing

TRIM_THRESHOLD = 0.01
TRIM_MIN_SILENCE = 0.08
TRIM_KEEP = 0.01
TRIM_MIN_RESULT = 0.1

DYNAMIC_WINDOW = 1.0
DYNAMIC_MAX_GAIN = 4.0

PEAK_TARGET = 0.95
_TINY = 1e-6


def trim_silence(samples: np.ndarray, rate: int) -> np.ndarray:
    """Cut trailing silence of 0.08 s or more, leaving 0.01 s of it and at least 0.1 s in all.

    Nothing above the threshold gives an empty result; callers then keep the original.
    """
    array = np.asarray(samples, dtype=np.float32)
    count = len(array)
    loud = np.flatnonzero(np.abs(array[1:]) > TRIM_THRESHOLD)
    if len(loud) == 0:
        return array[:0]
    last = int(loud[-1]) + 1
    if count - 1 - last < int(TRIM_MIN_SILENCE * rate):
        return array
    cut = min(count, last + 1 + int(TRIM_KEEP * rate))
    return array[: max(cut, min(count, int(TRIM_MIN_RESULT * rate)))]


def dynamic_normalize(samples: np.ndarray, rate: int) -> np.ndarray:
    """Draw the loudness of each second towards the mean, with at most 12 dB of gain."""
    array = np.asarray(samples, dtype=np.float32)
    window = max(1, int(DYNAMIC_WINDOW * rate))
    hop = max(1, window // 2)
    if len(array) == 0:
        return array
    starts = np.arange(0, len(array), hop)
    ends = np.minimum(starts + window, len(array))
    energy = np.concatenate([[0.0], np.cumsum(array.astype(np.float64) ** 2)])
    envelope = np.sqrt((energy[ends] - energy[starts]).clip(min=0) / (ends - starts))
    level = np.interp(np.arange(len(array)) / hop, np.arange(len(envelope)), envelope)
    sounding = level > _TINY
    gain = np.where(sounding, envelope.mean() / np.where(sounding, level, 1.0), 1.0)
    result = array * np.minimum(gain, DYNAMIC_MAX_GAIN)
    return np.clip(result, -1.0, 1.0).astype(np.float32)


def peak_normalize(samples: np.ndarray) -> np.ndarray:
    """Scale so that the largest magnitude is 0.95; silence stays as it is."""
    array = np.asarray(samples, dtype=np.float32)
    loudest = peak(array)
    if loudest <= _TINY:
        return array
    return (array * np.float64(PEAK_TARGET / loudest)).astype(np.float32)


def postprocess(samples: np.ndarray, rate: int, options: PostProcessing) -> np.ndarray:
    """Apply what is asked for, in the fixed order."""
    result = np.asarray(samples, dtype=np.float32)
    if options.trim_silence:
        trimmed = trim_silence(result, rate)
        result = trimmed if len(trimmed) else result
    if options.dynamic_normalize:
        result = dynamic_normalize(result, rate)
    if options.normalize:
        result = peak_normalize(result)
    return result


def fade(samples: np.ndarray, fade_in: int = 0, fade_out: int = 0) -> np.ndarray:
    """Raised-cosine fades of so many samples at the ends, for joins and stops.

    Fades longer than the samples are shortened to them. Returns a new float32 array.
    """
    result = np.array(samples, dtype=np.float32)
    up = min(max(0, fade_in), len(result))
    down = min(max(0, fade_out), len(result))
    if up:
        result[:up] *= _ramp(up)
    if down:
        result[len(result) - down :] *= _ramp(down)[::-1]
    return result


def _ramp(count: int) -> np.ndarray:
    phase = (np.arange(count) + 0.5) / count
    return (0.5 - 0.5 * np.cos(np.pi * phase)).astype(np.float32)
