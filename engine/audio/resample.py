"""Making mono of several channels, and changing the sample rate (spec 06, section 6)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import soxr

from engine.errors import Message

ANTIPHASE = -0.5
"""Correlation from which on two channels are taken as each other's negative.

A plain mean of two equally loud channels loses 6 dB there and everything at -1; turning one
over loses 1.2 dB at most.
"""

SILENT_BESIDE = 0.01
"""A channel this much weaker than the loudest, 40 dB, is as good as empty."""
TOLD_LOSS_DB = 1.0

_SILENT = 1e-12


class Downmix(NamedTuple):
    """Result of :func:`downmix`.

    Attributes:
        samples: float32 ``(n,)``.
        correlation: lowest correlation of a channel with the loudest one; 1 for mono.
        warning: a sentence when channels were turned over or level was lost, else empty.
    """

    samples: np.ndarray
    correlation: float
    warning: str = ""


def downmix(samples: np.ndarray) -> Downmix:
    """Mean of the channels, with those in opposite phase turned over first.

    Args:
        samples: float ``(n, channels)`` or ``(n,)``.
    """
    array = np.asarray(samples, dtype=np.float32)
    if array.ndim == 1 or array.shape[1] == 1:
        return Downmix(np.ascontiguousarray(array.reshape(-1)), 1.0)
    levels = array.std(axis=0, dtype=np.float64) if len(array) else np.zeros(array.shape[1])
    sounding = levels > levels.max() * SILENT_BESIDE
    if sounding.any() and not sounding.all():
        # An empty channel would only take level away from those that hold the voice.
        return downmix(array[:, sounding])
    correlation = channel_correlation(array)
    lowest = float(correlation.min())
    if lowest > ANTIPHASE:
        mixed = array.mean(axis=1, dtype=np.float32)
        return Downmix(mixed, lowest, _told_loss(mixed, float(levels.max())))
    signs = np.where(correlation <= ANTIPHASE, -1.0, 1.0).astype(np.float32)
    mixed = (array @ signs) / np.float32(array.shape[1])
    return Downmix(mixed.astype(np.float32, copy=False), lowest, Message("audio.opposite_phase"))


def _told_loss(mixed: np.ndarray, loudest: float) -> str:
    """A sentence when the mix is weaker than its loudest channel by more than can be ignored."""
    level = float(mixed.std(dtype=np.float64)) if len(mixed) else 0.0
    if loudest <= 0 or level <= 0:
        return ""
    loss = 20 * float(np.log10(loudest / level))
    return Message("audio.level_lost", loss=loss) if loss > TOLD_LOSS_DB else ""


def channel_correlation(samples: np.ndarray) -> np.ndarray:
    """Correlation of each channel of ``(n, channels)`` with the loudest; 0 for a silent one."""
    if len(samples) == 0:
        return np.ones(samples.shape[1])
    means = samples.mean(axis=0, dtype=np.float64)
    centred = samples - means.astype(np.float32)
    power = np.einsum("nc,nc->c", centred, centred, dtype=np.float64)
    loudest = int(power.argmax())
    product = np.einsum("nc,n->c", centred, centred[:, loudest], dtype=np.float64)
    norm = np.sqrt(power * power[loudest])
    silent = norm < _SILENT * len(samples)
    result = np.where(silent, 0.0, product / np.where(silent, 1.0, norm))
    result[loudest] = 1.0
    return result


def resampled_length(count: int, source_rate: int, target_rate: int) -> int:
    """Samples that ``count`` samples become: the exact ratio, rounded up."""
    return -(-count * target_rate // source_rate)


def resample(samples: np.ndarray, source_rate: int, target_rate: int) -> np.ndarray:
    """Band-limited change of the rate of mono samples ``(n,)``, at soxr's highest quality.

    Returns float32 of :func:`resampled_length` samples; the samples themselves when the rates
    are equal.
    """
    stream = StreamResampler(source_rate, target_rate, quality="VHQ")
    head = stream.push(samples)
    if source_rate == target_rate:
        return head
    return np.concatenate([head, stream.flush()])


class StreamResampler:
    """Changes the rate of mono samples that come piece by piece, without a seam.

    The pieces put together equal :func:`resample` of the whole with the same quality, and
    their total is exact: rounded up from the ratio, however the input was cut.
    """

    def __init__(self, source_rate: int, target_rate: int, quality: str = "HQ") -> None:
        if source_rate < 1 or target_rate < 1:
            raise ValueError(f"rates must be positive, not {source_rate} and {target_rate}")
        self.source_rate = source_rate
        self.target_rate = target_rate
        self._quality = quality
        self.reset()

    def reset(self) -> None:
        """Forget everything that was pushed."""
        self._taken = 0
        self._given = 0
        self._stream = None
        if self.source_rate != self.target_rate:
            self._stream = soxr.ResampleStream(
                self.source_rate, self.target_rate, 1, dtype="float32", quality=self._quality
            )

    def push(self, samples: np.ndarray) -> np.ndarray:
        """Take the next samples ``(n,)``; return those that are ready, perhaps none."""
        array = np.ascontiguousarray(samples, dtype=np.float32)
        if array.ndim != 1:
            raise ValueError(f"mono samples of one dimension are needed, not {array.shape}")
        self._taken += len(array)
        if self._stream is None or len(array) == 0:
            return array
        ready = np.asarray(self._stream.resample_chunk(array))
        self._given += len(ready)
        return ready

    def flush(self) -> np.ndarray:
        """End the stream: return what is still held back, and start afresh."""
        if self._stream is None or self._taken == 0:
            self.reset()
            return np.zeros(0, dtype=np.float32)
        # soxr rounds the length to the nearest; a little silence behind the end gives it
        # material for the last sample when the exact length rounds up.
        missing = resampled_length(self._taken, self.source_rate, self.target_rate) - self._given
        spare = np.zeros(self.source_rate // self.target_rate + 2, dtype=np.float32)
        tail = np.asarray(self._stream.resample_chunk(spare, last=True))
        self.reset()
        return tail[:missing]
