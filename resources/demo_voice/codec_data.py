"""Examples for the codec's networks: crops of whole frames from the prepared speech."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import soxr
import torch
from torch import Tensor

from engine.codec.quantizer import Quantizer
from resources.demo_voice.codec_losses import CROP
from resources.demo_voice.prepare import load_shards
from resources.demo_voice.quantise import Space, codes_of, raw_features
from resources.demo_voice.robot import FRAME, STEPS, Track, amplitudes, render, sample_steps
from resources.demo_voice.sizes import WIDTH
from resources.demo_voice.speak import RATE, SPEAKERS
from resources.demo_voice.synthesis_basis import GAIN, Basis

SHARDS = 8
NATURAL = 0.5
"""Share of natural speech in what the encoder hears."""

STRANGE = 0.5
"""Share of changed sound in the natural speech."""

SPEED = 0.16
"""Largest change of speed, as a logarithm."""

NATURAL_CODED = 0.3
"""Share of natural tracks in what the decoder learns to play."""


@dataclass(frozen=True, eq=False)
class Crop:
    """``CROP`` frames of a track, who speaks, and its codes ``(codebooks, CROP)``."""

    track: Track
    speaker: int
    codes: np.ndarray


class CodecData:
    """Crops of the robot's speech and of flite's own."""

    def __init__(self, work: Path, space: Space, quantizer: Quantizer, seed: int) -> None:
        self.space, self.quantizer = space, quantizer
        self.rng = np.random.default_rng(seed)
        self.shards = load_shards(work, SHARDS)
        self.codes = load_shards(work, SHARDS, "codes")
        for shard, codes in zip(self.shards, self.codes, strict=True):
            assert (codes["offsets"] * STEPS == shard["offsets"]).all()
        loud = [np.exp(2 * s["level"][::7].astype(np.float32)).mean(0) for s in self.shards]
        self.loudness = np.sqrt(np.mean(loud, 0))

    def _pick(self, offsets: np.ndarray, unit: int, need: int = CROP) -> tuple[int, int]:
        """An utterance and the frame in it where a crop of ``need`` frames starts."""
        while True:
            i = int(self.rng.integers(len(offsets) - 1))
            frames = (offsets[i + 1] - offsets[i]) // unit
            if frames >= need:
                return i, int(self.rng.integers(0, frames - need + 1))

    def robot(self) -> Crop:
        """A crop of the robot's speech, with the codes that the language model learns."""
        number = int(self.rng.integers(len(self.shards)))
        shard = self.shards[number]
        i, at = self._pick(shard["offsets"], STEPS)
        first = shard["offsets"][i] // STEPS + at
        rows = slice(first * STEPS, (first + CROP) * STEPS)
        codes = self.codes[number]["codes"][:, first : first + CROP].astype(np.int64)
        return Crop(_track(shard["level"][rows], shard["noise"][rows]), shard["speaker"][i], codes)

    def natural(self, frames: int = CROP) -> tuple[np.ndarray, Track, int]:
        """A crop of flite's own sound, its track, and its speaker."""
        with_sound = [s for s in self.shards if "pcm" in s]
        shard = with_sound[self.rng.integers(len(with_sound))]
        i, at = self._pick(shard["pcm_offsets"], FRAME, frames)
        first = shard["pcm_offsets"][i] // FRAME + at
        rows = slice(first * STEPS, (first + frames) * STEPS)
        pcm = shard["pcm"][first * FRAME : (first + frames) * FRAME].astype(np.float32) / 32768
        track = _track(shard["raw_level"][rows], shard["raw_noise"][rows])
        return pcm, track, int(shard["speaker"][i])

    def stranger(self) -> tuple[np.ndarray, Track, int]:
        """As :meth:`natural`, but from another throat, room and microphone.

        Played faster or slower, with other treble, and with some noise; what is wanted are
        the speaker's own levels at the new times.
        """
        speed = float(np.exp(self.rng.uniform(-SPEED, SPEED)))
        pcm, track, speaker = self.natural(int(np.ceil(CROP * speed)) + 1)
        sound = soxr.resample(pcm, RATE * speed, RATE)[: CROP * FRAME]
        at = np.arange(1, CROP * STEPS + 1) * speed - 1
        power = float(np.square(sound).mean()) + 1e-9
        sound = sound + self.rng.uniform(-0.3, 0.8) * np.diff(sound, prepend=sound[:1])
        sound *= np.sqrt(power / (float(np.square(sound).mean()) + 1e-9))
        hiss = 10 ** self.rng.uniform(-3.0, -1.3) * np.sqrt(power)
        sound += hiss * self.rng.standard_normal(len(sound))
        track = Track(sample_steps(track.level, at), sample_steps(track.noise, at))
        return sound.astype(np.float32), track, speaker

    def coded_natural(self) -> Crop:
        """A crop of flite's own speech as a track, with the codes nearest to it."""
        _, track, speaker = self.natural()
        z = torch.from_numpy(self.latent(track, speaker))
        return Crop(track, speaker, codes_of(self.quantizer, z).numpy())

    def latent(self, track: Track, speaker: int) -> np.ndarray:
        """What the codec should quantize for a track."""
        return self.space.latent(raw_features(track.level, track.noise), speaker, WIDTH)

    def coded(self) -> Crop:
        """What the decoder learns from: mostly the robot's speech."""
        natural = self.rng.random() < NATURAL_CODED
        return self.coded_natural() if natural else self.robot()

    def basis(self) -> Basis:
        """The synthesis basis that fits this speech."""
        basis = Basis(self.loudness, WIDTH)
        crops = [self.coded() for _ in range(200)]
        rows = [basis.coefficients(amplitudes(c.track), c.speaker) for c in crops]
        basis.even_out(np.concatenate(rows))
        return basis

    def decoded_tracks(self, count: int = 800) -> Track:
        """Levels and shares as codes give them, of many crops."""
        with torch.no_grad():
            z = [self.quantizer.embed(torch.from_numpy(self.coded().codes)[None])[0]
                 for _ in range(count)]  # fmt: skip
        return self.space.track(torch.cat(z).numpy())[0]


def _track(level: np.ndarray, noise: np.ndarray) -> Track:
    return Track(level.astype(np.float32), noise.astype(np.float32))


def decoder_batches(data: CodecData, size: int) -> Iterator[tuple[Tensor, list[Crop]]]:
    """Codes ``(batch, codebooks, CROP)`` and the crops they are of."""
    while True:
        crops = [data.coded() for _ in range(size)]
        yield torch.from_numpy(np.stack([c.codes for c in crops])), crops


def encoder_batches(data: CodecData, size: int) -> Iterator[tuple[Tensor, Tensor]]:
    """Sound ``(batch, CROP * FRAME)``, natural or robot, and latents ``(batch, CROP, width)``.

    Natural sound comes at many levels, since recordings do; what is wanted stays the same.
    """
    while True:
        sounds, latents = [], []
        for _ in range(size):
            if data.rng.random() < NATURAL:
                strange = data.rng.random() < STRANGE
                pcm, track, speaker = data.stranger() if strange else data.natural()
                gain = np.exp(data.rng.uniform(np.log(0.35), np.log(1.3)))
            else:
                crop = data.robot()
                track, speaker = crop.track, crop.speaker
                pcm = render(track, SPEAKERS[speaker].pulses, GAIN)
                gain = data.rng.uniform(0.95, 1.05)
            sounds.append(pcm * np.float32(gain))
            latents.append(data.latent(track, speaker))
        yield torch.from_numpy(np.stack(sounds)), torch.from_numpy(np.stack(latents))
