"""The codebooks, found on the robot's tracks before any network is trained (step ``codes``).

A frame's features are its band levels and noise shares. Their principal components, one mark
for the speaker and one constant make the vector that the codec quantizes. The semantic codebook
sees the components only, so both speakers share it; the first residual codebook also sees the
mark and thereby carries the voice. Codebooks stay fixed from here on: the language model can
learn codes while the codec's networks learn to make and to render them.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from engine.codec.quantizer import Quantizer
from resources.demo_voice.robot import BANDS, STEPS, Track
from resources.demo_voice.speak import SPEAKERS

COMPONENTS = 48
MARK = COMPONENTS
CONSTANT = COMPONENTS + 1
CONSTANT_VALUE = 12.0
LOWEST_LEVEL = -7.5
NOISE_WEIGHT = 1.5
MARK_VALUE = 6.0
BIAS = 40.0
"""Constant entry of each projected vector: with it, cosine similarity ranks as distance does."""


def raw_features(level: np.ndarray, noise: np.ndarray) -> np.ndarray:
    """``(frames, 2 * BANDS * STEPS)`` of tracks whose steps fill whole frames."""
    clipped = np.maximum(level.astype(np.float32), LOWEST_LEVEL)
    both = np.concatenate([clipped, NOISE_WEIGHT * noise.astype(np.float32)], 1)
    return both.reshape(-1, STEPS * 2 * BANDS)


@dataclass(frozen=True, eq=False)
class Space:
    """Linear map between tracks and the codec's latent vectors.

    Attributes:
        means: ``(speakers, features)``, what is usual for each speaker.
        basis: ``(COMPONENTS, features)``, orthonormal rows.
    """

    means: np.ndarray
    basis: np.ndarray

    @classmethod
    def fit(cls, features: np.ndarray, speakers: np.ndarray) -> Space:
        """From frames ``(n, features)`` and their speakers' numbers."""
        means = np.stack([features[speakers == s].mean(0) for s in range(len(SPEAKERS))])
        centred = features - means[speakers]
        _, vectors = np.linalg.eigh(centred.T @ centred / len(centred))
        return cls(means, np.ascontiguousarray(vectors[:, ::-1][:, :COMPONENTS].T))

    def latent(self, features: np.ndarray, speaker: int, width: int) -> np.ndarray:
        """Latent vectors ``(n, width)``; what lies behind the constant is zero."""
        z = np.zeros((len(features), width), np.float32)
        z[:, :COMPONENTS] = (features - self.means[speaker]) @ self.basis.T
        z[:, MARK] = MARK_VALUE * mark(speaker)
        z[:, CONSTANT] = CONSTANT_VALUE
        return z

    def track(self, z: np.ndarray) -> tuple[Track, np.ndarray]:
        """The track that latent vectors stand for, and the speaker's number in each frame."""
        speaker = (z[:, MARK] < 0).astype(int)
        features = z[:, :COMPONENTS] @ self.basis + self.means[speaker]
        both = features.reshape(-1, 2 * BANDS)
        noise = np.clip(both[:, BANDS:] / NOISE_WEIGHT, 0, 1)
        return Track(both[:, :BANDS], noise), speaker

    def save(self, path: Path) -> None:
        np.savez(path, means=self.means, basis=self.basis)

    @classmethod
    def load(cls, path: Path) -> Space:
        with np.load(path) as data:
            return cls(data["means"], data["basis"])


def mark(speaker: int) -> float:
    """Speaker 0 is +1, speaker 1 is -1."""
    return 1.0 - 2.0 * speaker


def k_means(data: Tensor, count: int, rounds: int, generator: torch.Generator) -> Tensor:
    """Centres ``(count, dims)``; an empty one moves to a random point."""
    centres = data[torch.randperm(len(data), generator=generator)[:count]].clone()
    for _ in range(rounds):
        index = nearest(data, centres)
        sums = torch.zeros_like(centres).index_add_(0, index, data)
        size = torch.bincount(index, minlength=count).unsqueeze(1)
        spare = data[torch.randint(len(data), (count,), generator=generator)]
        centres = torch.where(size > 0, sums / size.clamp_min(1), spare)
    return centres


def nearest(data: Tensor, centres: Tensor) -> Tensor:
    """Index of the nearest centre for each row."""
    offset = centres.square().sum(1) / 2
    return torch.cat([(part @ centres.T - offset).argmax(1) for part in data.split(8192)])


@torch.no_grad()
def build_codebooks(
    quantizer: Quantizer, z: Tensor, shared: Tensor | None = None, rounds: int = 12, seed: int = 0
) -> list[float]:
    """Fill projections and codebooks from latents ``(n, width)``.

    Args:
        shared: what the semantic code of each row is sought for, where it is not ``z`` itself.

    Returns:
        The share of the variance that is left after each codebook.
    """
    generator = torch.Generator().manual_seed(seed)
    residual = z.clone()
    residual[:, CONSTANT] = 0
    total = float(residual[:, :COMPONENTS].square().sum())
    left = []
    for number, vq in enumerate(_books(quantizer)):
        sought = shared if number == 0 and shared is not None else residual
        sought = sought.clone()
        sought[:, CONSTANT] = 0
        size, dims = vq.codebook.weight.shape
        part = sought[:, :COMPONENTS]
        _, vectors = torch.linalg.eigh(part.T @ part)
        basis = torch.zeros(dims - 1, z.shape[1])
        own = dims - 1 if number != 1 else dims - 2
        basis[:own, :COMPONENTS] = vectors.flip(1)[:, :own].T
        if number == 1:
            basis[own, MARK] = 1.0
        centres = k_means(sought @ basis.T, size, rounds, generator)
        _fill(vq, basis, centres, CONSTANT_VALUE if number == 0 else 0.0)
        _, quantized = vq.encode(sought.unsqueeze(0))
        residual = residual - quantized[0]
        residual[:, CONSTANT] = 0
        left.append(float(residual[:, :COMPONENTS].square().sum()) / total)
    return left


def _books(quantizer: Quantizer) -> list[Any]:
    return [*quantizer.semantic_quantizer.quantizers, *quantizer.quantizer.quantizers]


def _fill(vq: Any, basis: Tensor, centres: Tensor, constant: float) -> None:
    vq.in_proj.weight.zero_()[:-1, :, 0] = basis
    vq.in_proj.bias.zero_()[-1] = BIAS
    vq.out_proj.weight.zero_()[:, :-1, 0] = basis.T
    vq.out_proj.bias.zero_()[CONSTANT] = constant
    vq.codebook.weight[:, :-1] = centres
    vq.codebook.weight[:, -1] = BIAS


@torch.no_grad()
def codes_of(quantizer: Quantizer, z: Tensor) -> Tensor:
    """Codes ``(codebooks, n)`` of latents ``(n, width)``, as the codec itself finds them."""
    rows, residual = quantizer.semantic_quantizer.encode(z.unsqueeze(0))
    more, _ = quantizer.quantizer.encode(residual)
    return torch.cat(rows + more)


@torch.no_grad()
def shared_codes_of(quantizer: Quantizer, z: Tensor) -> Tensor:
    """Codes ``(speakers, codebooks, n)`` of latents ``(speakers, n, width)`` of the same sounds.

    All speakers have one semantic code, which is sought for the mean of their latents.
    """
    rows, rest = quantizer.semantic_quantizer.encode(z.mean(0, keepdim=True))
    quantized = z.mean(0) - rest[0]
    more, _ = quantizer.quantizer.encode(z - quantized)
    return torch.stack([rows[0].expand(len(z), -1), *more], 1)
