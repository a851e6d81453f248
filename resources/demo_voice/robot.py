# ruff: noqa: SIM905
"""The robot that is the target of the codec: a channel vocoder on the codec's frame grid.

Speech is reduced to band amplitudes four times a frame. They drive fixed carriers, a pulse
train and a frozen noise, that repeat with each frame of 1024 samples. So a frame of sound is
linear in its amplitudes, which a small decoder can represent nearly exactly, and a speaker's
pitch is a whole number of pulses per frame.

The speech is also bent in time so that each sound takes the whole number of frames that
:mod:`timing` gives it. Equal sounds then become equal codes, which makes a small language model
sufficient.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from resources.demo_voice.speak import RATE, Spoken
from resources.demo_voice.timing import counts_of, framed

FRAME, STEPS = 1024, 4
HOP = FRAME // STEPS
BANDS = 32
LOWEST, HIGHEST = 60.0, 10500.0
FLOOR = 1e-4
"""Smallest band amplitude; 80 dB below full scale."""

_VOICED_FRICATIVES = frozenset("z v dh zh".split())
_UNVOICED = frozenset("pau s sh f th t k p ch hh ssil".split())
_STOPS = frozenset("b d g jh".split())
_BREATHED = frozenset(("hh",))


@dataclass(frozen=True, eq=False)
class Track:
    """Band amplitudes of an utterance.

    Attributes:
        level: float32 ``(steps, BANDS)``, natural logarithm of the band amplitude.
        noise: float32 ``(steps, BANDS)``, share of the power that is noise, 0 to 1.
    """

    level: np.ndarray
    noise: np.ndarray

    @property
    def frames(self) -> int:
        return len(self.level) // STEPS


def band_filters(bins: int) -> np.ndarray:
    """Triangular power filters ``(BANDS, bins)``, equally wide on the mel scale."""
    edges = _hertz(np.linspace(_mel(LOWEST), _mel(HIGHEST), BANDS + 2))[:, None]
    f = np.linspace(0, RATE / 2, bins)
    up = (f - edges[:-2]) / (edges[1:-1] - edges[:-2])
    down = (edges[2:] - f) / (edges[2:] - edges[1:-1])
    return np.maximum(0, np.minimum(up, down))


def band_centres() -> np.ndarray:
    """Hz."""
    return _hertz(np.linspace(_mel(LOWEST), _mel(HIGHEST), BANDS + 2))[1:-1]


def _mel(hertz: float | np.ndarray) -> np.ndarray:
    return 2595 * np.log10(1 + np.asarray(hertz) / 700)


def _hertz(mel: np.ndarray) -> np.ndarray:
    return 700 * (10 ** (mel / 2595) - 1)


def noise_profile(phone: str) -> np.ndarray:
    """Share of noise in each band while a phone sounds, ``(BANDS,)``."""
    f = band_centres()
    if phone in _UNVOICED:
        return np.ones(BANDS)
    if phone in _BREATHED:
        return np.asarray(1 / (1 + (700.0 / f) ** 6))
    turn = 1500.0 if phone in _VOICED_FRICATIVES else 3000.0 if phone in _STOPS else 6500.0
    return np.asarray(1 / (1 + (turn / f) ** 6))


def analyse(spoken: Spoken) -> Track:
    """Band amplitudes and noise shares of an utterance as it was spoken."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pyworld  # type: ignore[import-untyped]

    x = np.pad(spoken.pcm.astype(np.float64), (0, -len(spoken.pcm) % FRAME))
    period = 1000 * HOP / RATE
    f0, at = pyworld.dio(x, RATE, f0_floor=60, f0_ceil=400, frame_period=period, speed=4)
    power = pyworld.cheaptrick(x, f0, at, RATE)
    filters = band_filters(power.shape[1])
    filters /= filters.sum(1, keepdims=True)
    level = np.log(np.maximum(np.sqrt(power @ filters.T), FLOOR))
    return Track(level.astype(np.float32), _noise_shares(spoken, at).astype(np.float32))


def _noise_shares(spoken: Spoken, at: np.ndarray) -> np.ndarray:
    profiles = np.stack([noise_profile(p) for p in spoken.phones])
    index = np.minimum(np.searchsorted(spoken.ends, at, "right"), len(profiles) - 1)
    shares = profiles[index]
    padded = np.pad(shares, ((1, 1), (0, 0)), mode="edge")
    return np.asarray(0.25 * padded[:-2] + 0.5 * padded[1:-1] + 0.25 * padded[2:])


def align(spoken: Spoken, track: Track) -> tuple[list[str], Track]:
    """Bend the track in time so that each sound fills the frames that the rule gives it.

    Returns:
        The sounds, see :func:`resources.demo_voice.timing.framed`, and the track.
    """
    sounds, ends = framed(spoken.phones, [float(end) for end in spoken.ends])
    old_ends = np.concatenate([[0.0], ends]) * RATE / HOP
    return sounds, stretch(track, sounds, old_ends)


def stretch(track: Track, sounds: Sequence[str], old_ends: np.ndarray) -> Track:
    """A track on frames from one whose sounds end at other steps, the first end being 0."""
    new_ends = np.concatenate([[0], np.cumsum(counts_of(sounds))]) * STEPS
    # Step k of a frame is the amplitude that is reached at its end, sample (k + 1) * HOP.
    wanted = np.interp(np.arange(1, new_ends[-1] + 1), new_ends, old_ends)
    return Track(sample_steps(track.level, wanted), sample_steps(track.noise, wanted))


def sample_steps(values: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Rows of ``(steps, BANDS)`` at places between steps."""
    at = np.clip(at, 0, len(values) - 1)
    low = np.minimum(at.astype(int), len(values) - 2)
    part = (at - low)[:, None].astype(np.float32)
    return np.asarray((1 - part) * values[low] + part * values[low + 1], np.float32)


def carriers(pulses: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Pulse carriers and noise carriers, each ``(BANDS, FRAME)``, periodic with a frame."""
    at = np.arange(pulses) * FRAME / pulses
    low = np.floor(at).astype(int)
    train = np.zeros(FRAME)
    np.add.at(train, low, 1 - (at - low))
    np.add.at(train, (low + 1) % FRAME, at - low)
    train *= np.sqrt(FRAME / pulses)
    noise = np.random.default_rng(seed).standard_normal(FRAME)
    weights = np.sqrt(band_filters(FRAME // 2 + 1))
    return (
        np.fft.irfft(np.fft.rfft(train) * weights),
        np.fft.irfft(np.fft.rfft(noise) * weights),
    )


def amplitudes(track: Track) -> np.ndarray:
    """Carrier amplitudes ``(steps, 2 * BANDS)``: pulses, then noise."""
    level = np.exp(track.level)
    return np.concatenate([level * np.sqrt(1 - track.noise), level * np.sqrt(track.noise)], axis=1)


def render(track: Track, pulses: int, gain: float = 1.0) -> np.ndarray:
    """The robot's sound, float32 ``(frames * FRAME,)``.

    Between two steps amplitudes move on straight lines; the step before the first is silent.
    """
    drive = amplitudes(track)
    basis = np.concatenate(carriers(pulses)).reshape(-1, STEPS, HOP)
    before = np.concatenate([np.zeros_like(drive[:1]), drive[:-1]])
    ramp = (np.arange(HOP) + 1) / HOP
    out = np.empty((len(drive), HOP))
    for phase in range(STEPS):
        part = basis[:, phase]
        out[phase::STEPS] = before[phase::STEPS] @ (part * (1 - ramp)) + drive[phase::STEPS] @ (
            part * ramp
        )
    return np.asarray(gain * out.ravel(), np.float32)
