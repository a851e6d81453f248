"""The recordings that voices were made of, kept so that the voices can be made anew.

What is kept is what the encoder got: the mix of the channels on the grid of a FLAC file. A voice
made of the kept clip, now or in ten years, has the same codes as long as the codec is the same.
"""

from __future__ import annotations

import hashlib
import io
from dataclasses import replace
from pathlib import Path

import numpy as np

from engine.audio.clip import AudioClip
from engine.errors import Message, ReferenceAudioError, VoiceError
from engine.voices.notes import ClipNote

MAX_RATE = 192_000
"""FLAC knows no more than 655 kHz; nobody speaks above 96."""
MAX_FILE_BYTES = 64 << 20
_GRID_16, _GRID_24 = float(1 << 15), float(1 << 23)


def kept_clip(clip: AudioClip) -> AudioClip:
    """``clip`` as it can be kept without loss: one channel on the grid of 16 or 24 bits, no
    longer than a reference may be. Make the voice of this, and it can be made again."""
    from engine.audio.reference import MAX_SECONDS, OVERSCALE_PEAK
    from engine.audio.resample import downmix, resample

    warnings = list(clip.warnings)
    mix = downmix(clip.samples)
    if mix.warning:
        warnings.append(Message("reference.named", name=clip.name, warning=mix.warning))
    samples, rate = mix.samples[: int(MAX_SECONDS * clip.rate)], clip.rate
    if len(samples) < len(mix.samples):
        warnings.append(
            Message("reference.long", name=clip.name, seconds=clip.seconds, limit=MAX_SECONDS)
        )
    if rate > MAX_RATE:
        samples, rate = resample(samples, rate, MAX_RATE), MAX_RATE
    loudest = float(np.abs(samples).max(initial=0.0))
    if loudest > OVERSCALE_PEAK:
        samples = samples / np.float32(loudest)
    whole, scale = _on_grid(samples)
    kept = (whole / np.float32(_GRID_24) * np.float32(scale)).astype(np.float32)
    kept.flags.writeable = False
    return replace(
        clip, samples=kept[:, None], rate=rate, warnings=tuple(warnings),
        source_seconds=max(clip.source_seconds, clip.seconds),
    )  # fmt: skip


def pack_clip(clip: AudioClip, file: str, text: str, language: str = "") -> tuple[ClipNote, bytes]:
    """A FLAC of a clip that :func:`kept_clip` has made, and what is known about it.

    Raises :class:`ReferenceAudioError` when there is nothing in it.
    """
    import soundfile

    if not len(clip.samples):
        raise ReferenceAudioError("reference.no_samples", name=clip.name)
    whole, scale = _on_grid(clip.samples[:, 0])
    small = not np.any(whole % (1 << 8))
    out = io.BytesIO()
    soundfile.write(
        out, whole << 8, clip.rate, format="FLAC", subtype="PCM_16" if small else "PCM_24"
    )
    in_file = (whole / np.float32(_GRID_24)).astype(np.float32)
    note = ClipNote(
        file, text.strip(), _digest(in_file), round(clip.seconds, 3), scale, clip.name, language
    )
    return note, out.getvalue()


def unpack_clip(path: Path, note: ClipNote) -> AudioClip:
    """The clip in a file of a voice's folder, if it is the one that was kept there.

    Raises:
        VoiceError: it is gone, damaged, or another sound than the note says.
    """
    from engine.audio.files import read_audio
    from engine.audio.reference import MAX_SECONDS

    name = note.name or note.file
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise VoiceError("voice.clip_changed", name=name)
        clip = read_audio(path, max_seconds=MAX_SECONDS + 1, name=name)
    except OSError as error:
        raise VoiceError("voice.clip_gone", name=name) from error
    except ReferenceAudioError as error:
        code = "voice.clip_gone" if error.code == "audio.absent" else "voice.clip_changed"
        raise VoiceError(code, name=name) from error
    if clip.channels != 1 or _digest(clip.samples[:, 0]) != note.sha256:
        raise VoiceError("voice.clip_changed", name=name)
    samples = clip.samples * np.float32(note.scale)
    return replace(clip, samples=samples, source_seconds=clip.seconds)


def _on_grid(samples: np.ndarray) -> tuple[np.ndarray, float]:
    """Samples ``(n,)`` as int32 in steps of 2^-23, and the factor that they were divided by."""
    above = np.any(samples > 1 - 1 / _GRID_24) or np.any(samples < -1)
    sixteen = samples * np.float32(_GRID_16)
    if not above and np.array_equal(sixteen, np.rint(sixteen)):
        return (sixteen.astype(np.int32) << 8), 1.0
    scale = 2.0 if above else 1.0
    whole = np.rint(samples.astype(np.float64) / scale * _GRID_24)
    return np.clip(whole, -_GRID_24, _GRID_24 - 1).astype(np.int32), scale


def _digest(samples: np.ndarray) -> str:
    return hashlib.sha256(np.ascontiguousarray(samples, "<f4").data).hexdigest()
