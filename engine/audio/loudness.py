"""How loud a take is heard: integrated loudness by ITU-R BS.1770-5.

Libraries that measure it ask for SciPy, 100 MB for two filters; here the two stages of the
K-weighting are applied as one by Fourier transform, which also lets them hold for any rate.
"""

from __future__ import annotations

import numpy as np

SILENT = float("-inf")
_BLOCK_SECONDS = 0.4
_STEPS_PER_BLOCK = 4
_ABSOLUTE_GATE = -70.0
_RELATIVE_GATE = -10.0
_OFFSET = -0.691
_CHANNEL_WEIGHTS = (1.0, 1.0, 1.0, 1.41, 1.41)
"""Left, right, centre, and the two behind; the low-frequency channel is not counted."""
_TAIL_SECONDS = 0.5
"""The weighting's answer has fallen below -200 dB by then: 38 Hz with a Q of 0.5."""
_TURN_SAMPLES = 1 << 18


def integrated_loudness(samples: np.ndarray, rate: int) -> float:
    """Integrated loudness in LUFS; :data:`SILENT` where nothing passes the gates.

    Args:
        samples: float ``(n,)``, or ``(n, channels)`` of left, right, centre, left and right behind.
        rate: in Hz. Sound shorter than one block of 0.4 s counts as one block.

    Raises:
        ValueError: more than five channels.
    """
    channels = np.asarray(samples)
    channels = channels[:, None] if channels.ndim == 1 else channels
    if channels.shape[1] > len(_CHANNEL_WEIGHTS):
        raise ValueError(f"{channels.shape[1]} channels; five at most have a weight")
    power = sum(
        (
            weight * _block_power(channels[:, index], rate)
            for index, weight in zip(range(channels.shape[1]), _CHANNEL_WEIGHTS, strict=False)
        ),
        np.zeros(1),
    )
    kept = power[_lufs(power) > _ABSOLUTE_GATE]
    if not len(kept):
        return SILENT
    gate = float(_lufs(kept.mean())) + _RELATIVE_GATE
    return float(_lufs(kept[_lufs(kept) > gate].mean()))


def _lufs(power: np.ndarray | np.floating) -> np.ndarray:
    with np.errstate(divide="ignore"):
        return _OFFSET + 10 * np.log10(power)


def _block_power(samples: np.ndarray, rate: int) -> np.ndarray:
    """Mean square of the weighted sound in each block, four blocks begun in each one's length."""
    step = max(1, round(rate * _BLOCK_SECONDS / _STEPS_PER_BLOCK))
    block = step * _STEPS_PER_BLOCK
    padded = np.zeros(max(len(samples), block), np.float32)
    padded[: len(samples)] = samples
    squares = np.square(_weighted(padded, rate))
    steps = len(squares) // step
    sums = squares[: steps * step].reshape(steps, step).sum(1)
    return np.convolve(sums, np.ones(_STEPS_PER_BLOCK), "valid") / block


def _weighted(samples: np.ndarray, rate: int) -> np.ndarray:
    """The K-weighted sound, float64 ``(n,)``, made in turns so that an hour needs little memory."""
    tail = int(rate * _TAIL_SECONDS)
    size = 1 << (max(_TURN_SAMPLES, 2 * tail) - 1).bit_length()
    answer = _answer(rate, size)
    weighted = np.empty(len(samples))
    for start in range(0, len(samples), size - tail):
        end = min(len(samples), start + size - tail)
        before = max(0, start - tail)
        turn = np.fft.irfft(np.fft.rfft(samples[before:end], size) * answer, size)
        weighted[start:end] = turn[start - before : end - before]
    return weighted


def _answer(rate: int, size: int) -> np.ndarray:
    """The two stages at the frequencies of a transform of ``size``; annex 1 for 48 kHz."""
    z = np.exp(-2j * np.pi * np.fft.rfftfreq(size))
    warp, q = np.tan(np.pi * 1681.974450955533 / rate), 0.7071752369554196
    high = 10 ** (3.999843853973347 / 20)
    middle = high**0.4996667741545416
    shelf = np.polyval(
        [
            high - middle * warp / q + warp * warp,
            2 * (warp * warp - high),
            high + middle * warp / q + warp * warp,
        ],
        z,
    ) / np.polyval([1 - warp / q + warp * warp, 2 * (warp * warp - 1), 1 + warp / q + warp**2], z)
    warp, q = np.tan(np.pi * 38.13547087602444 / rate), 0.5003270373238773
    scale = 1 + warp / q + warp * warp
    low_cut = np.polyval([1.0, -2.0, 1.0], z) / np.polyval(
        [(1 - warp / q + warp * warp) / scale, 2 * (warp * warp - 1) / scale, 1.0], z
    )
    return np.asarray(shelf * low_cut)
