"""Voices, clips and an encoder for tests of what is kept beside a voice."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np

from engine.audio.clip import AudioClip
from engine.voices import Codec, VoiceLibrary, VoiceNotes, VoiceProfile, kept_clip

SMALL = Codec(2, 64, 8000)
LARGE = Codec(10, 4096, 44100)
RATE = 16000


def clip_of(seconds: float = 1.0, seed: int = 0, level: float = 0.2) -> AudioClip:
    """A clip of noise as it is kept."""
    rng = np.random.default_rng(seed)
    samples = rng.normal(0, level, round(seconds * RATE)).astype(np.float32)
    return kept_clip(AudioClip.from_array(samples, RATE, f"clip {seed}"))


class Encoder:
    """Codes that follow from the samples, as an engine's do.

    Attributes:
        heard: the clips that were encoded.
    """

    def __init__(self, codec: Codec) -> None:
        self.codec = codec
        self.heard: list[AudioClip] = []

    def __call__(self, clip: AudioClip, text: str) -> VoiceProfile:
        self.heard.append(clip)
        seed = int.from_bytes(hashlib.sha256(clip.samples.tobytes()).digest()[:4], "big")
        frames = max(1, round(clip.seconds * 20))
        rng = np.random.default_rng(seed)
        codes = rng.integers(0, self.codec.codebook_size, (self.codec.num_codebooks, frames))
        return VoiceProfile(text, codes, self.codec.sample_rate, self.codec.codebook_size)


def kept_voice(
    folder: Path,
    name: str = "Anna",
    codec: Codec = SMALL,
    clips: tuple[tuple[AudioClip, str], ...] = (),
    notes: VoiceNotes | None = None,
) -> tuple[VoiceLibrary, str]:
    """A library with a voice of one clip, or of ``clips``; and its id."""
    from engine.voices.remake import make_voice

    library = VoiceLibrary(folder)
    clips = clips or ((clip_of(), "Every word."),)
    profile = make_voice(Encoder(codec), clips)
    return library, library.keep(name, profile, clips, notes)
