"""From any clip to what the codec's encoder takes: mono, at its rate, neither empty nor endless.

Only what makes cloning impossible is refused; what makes it worse is told (spec 06, section 6).
The level is left as it is, so that the codes are those of the recording.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

import numpy as np

from engine.audio.clip import AudioClip, require_finite
from engine.audio.files import read_audio
from engine.audio.levels import clipping, from_db, peak, rms, swing, to_db
from engine.audio.resample import downmix, resample
from engine.errors import Message, ReferenceAudioError

MAX_SECONDS = 60.0
MIN_SECONDS = 0.5
SHORT_SECONDS = 1.0
SILENT_PEAK = from_db(-80.0)
QUIET_RMS = from_db(-45.0)
CLIPPED_FRACTION = 1e-3
OVERSCALE_PEAK = 2.0
"""Float files hold speech somewhat above 1 after lossy coding; beyond this the scale is wrong."""


@dataclass(frozen=True, slots=True, eq=False)
class ReferenceAudio:
    """A reference, ready for the encoder, with facts about its source.

    Attributes:
        samples: float32 ``(n,)`` at ``rate``, finite.
        rate: the codec's rate in Hz.
        warnings: sentences for the user.
        source_rate, source_channels: of the clip before conversion.
        source_seconds: length before it was cut to the limit.
        clipped_fraction: share of the source's samples in clipped stretches.
        rms, peak: of the mono signal, as amplitudes.
        correlation: lowest between the channels; 1 for mono.
        name: what the clip is called.
    """

    samples: np.ndarray
    rate: int
    warnings: tuple[str, ...]
    source_rate: int
    source_channels: int
    source_seconds: float
    clipped_fraction: float
    rms: float
    peak: float
    correlation: float = 1.0
    name: str = ""

    @property
    def seconds(self) -> float:
        return len(self.samples) / self.rate


def load_reference(
    source: str | os.PathLike[str] | AudioClip, rate: int, max_seconds: float = MAX_SECONDS
) -> ReferenceAudio:
    """Read, mix down, check and resample a reference.

    Args:
        source: a file, or a clip in memory.
        rate: sample rate of the codec in Hz.
        max_seconds: longer clips are cut to this, with a warning.

    Raises:
        ReferenceAudioError: unreadable, silent, or shorter than half a second.
    """
    clip = source if isinstance(source, AudioClip) else read_audio(source, max_seconds=max_seconds)
    warnings = list(clip.warnings)
    channels = _cut(clip, max_seconds, warnings)
    require_finite(channels, clip.rate, clip.name)
    _require_length(clip, warnings)
    channels = _unscale(channels, clip.name, warnings)
    mix = downmix(channels)
    if mix.warning:
        warnings.append(Message("reference.named", name=clip.name, warning=mix.warning))
    loudest, level = peak(mix.samples), rms(mix.samples)
    _require_sound(channels, mix.samples, clip.name)
    clipped = sum(clipping(channels[:, i])[1] for i in range(clip.channels)) / channels.size
    if clipped > CLIPPED_FRACTION:
        warnings.append(Message("reference.clipped", name=clip.name, part=clipped))
    if level < QUIET_RMS:
        warnings.append(Message("reference.quiet", name=clip.name, decibel=to_db(level)))
    samples = resample(mix.samples, clip.rate, rate)
    return ReferenceAudio(
        samples=samples,
        rate=rate,
        warnings=tuple(warnings),
        source_rate=clip.rate,
        source_channels=clip.channels,
        source_seconds=max(clip.source_seconds, clip.seconds),
        clipped_fraction=clipped,
        rms=level,
        peak=loudest,
        correlation=mix.correlation,
        name=clip.name,
    )


def _cut(clip: AudioClip, max_seconds: float, warnings: list[str]) -> np.ndarray:
    limit = max(1, int(max_seconds * clip.rate))
    if len(clip.samples) <= limit:
        return clip.samples
    warnings.append(
        Message("reference.long", name=clip.name, seconds=clip.seconds, limit=max_seconds)
    )
    return clip.samples[:limit]


def _require_length(clip: AudioClip, warnings: list[str]) -> None:
    if len(clip.samples) == 0:
        raise ReferenceAudioError("reference.no_samples", name=clip.name)
    if clip.seconds < MIN_SECONDS:
        raise ReferenceAudioError("reference.too_short", name=clip.name, seconds=clip.seconds)
    if clip.seconds < SHORT_SECONDS:
        warnings.append(Message("reference.short", name=clip.name, seconds=clip.seconds))


def _unscale(channels: np.ndarray, name: str, warnings: list[str]) -> np.ndarray:
    loudest = peak(channels)
    if loudest <= OVERSCALE_PEAK:
        return channels
    warnings.append(Message("reference.over", name=name, decibel=to_db(loudest)))
    return (channels / np.float32(loudest)).astype(np.float32, copy=False)


def _require_sound(channels: np.ndarray, mono: np.ndarray, name: str) -> None:
    if not channels.any():
        raise ReferenceAudioError("reference.silent", name=name)
    loudest = swing(mono)
    if loudest < SILENT_PEAK:
        code = "reference.faint" if peak(mono) < SILENT_PEAK else "reference.offset"
        raise ReferenceAudioError(code, name=name, decibel=to_db(loudest))
