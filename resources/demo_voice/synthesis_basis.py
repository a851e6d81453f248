"""The start of the waveform decoder: an exact synthesis filter bank in its own layers.

The robot's sound is linear in its carrier amplitudes. The sounds that one step of the latent
can contribute span a space of about 250 dimensions; a basis of it becomes the weights of the
decoder's first convolution, and its up-sampling layers begin as mere re-ordering of samples.
Training starts from there instead of having to find phases by itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from engine.codec.layers import ResidualUnit, Snake
from resources.demo_voice.robot import BANDS, FRAME, HOP, STEPS, carriers
from resources.demo_voice.speak import SPEAKERS

GAIN = 0.3
"""Full scale of the output over the robot's amplitude scale."""

WHITENING = 0.4


def ramped(carrier: np.ndarray) -> np.ndarray:
    """What a unit amplitude adds to its own step and to the next: ``(STEPS, BANDS, 2 * HOP)``."""
    steps = carrier.reshape(BANDS, STEPS, HOP)
    up = (np.arange(HOP) + 1) / HOP
    following = np.roll(steps, -1, axis=1)
    both = np.concatenate([steps * up, following * (1 - up)], -1)
    return np.ascontiguousarray(both.transpose(1, 0, 2))


class Basis:
    """Common basis of all speakers' carriers.

    Attributes:
        rows: float32 ``(width, 2 * HOP)``, orthogonal.
        maps: float32 ``(speakers, STEPS, 2 * BANDS, width)``: carrier amplitudes of a step to
            coefficients, by the step's place in its frame.
    """

    def __init__(self, loudness: np.ndarray, width: int) -> None:
        """``loudness`` is the usual amplitude of each band; it decides what is kept."""
        noise = ramped(carriers(1)[1])
        atoms = [np.concatenate([ramped(carriers(s.pulses)[0]), noise], 1) for s in SPEAKERS]
        weight = np.tile(loudness**WHITENING, 2)[:, None]
        stacked = np.concatenate([(a * weight).reshape(-1, 2 * HOP) for a in atoms])
        _, _, vectors = np.linalg.svd(stacked, full_matrices=False)
        self.rows = vectors[:width].astype(np.float32)
        maps = np.stack([GAIN * a @ self.rows.T for a in atoms])
        self.maps = maps.astype(np.float32)

    def even_out(self, coefficients: np.ndarray) -> None:
        """Scale the rows so that coefficients like these ``(steps, width)`` have unit size.

        What is rarely used stays small, or the network would spend itself on it.
        """
        size = np.sqrt(np.square(coefficients).mean(0))
        size = np.maximum(size, 0.03 * size.max()).astype(np.float32)
        self.rows = self.rows * size[:, None]
        self.maps = self.maps / size

    def coefficients(self, drive: np.ndarray, speaker: int) -> np.ndarray:
        """Latent steps ``(steps, width)`` of carrier amplitudes ``(steps, 2 * BANDS)``."""
        frames = drive.reshape(-1, STEPS, 2 * BANDS).astype(np.float32)
        return np.einsum("fpa,paw->fpw", frames, self.maps[speaker]).reshape(len(drive), -1)


def sound(coefficients: torch.Tensor, rows: torch.Tensor) -> torch.Tensor:
    """Overlap-add of ``(batch, steps, width)``: ``(batch, steps * HOP)``."""
    own, later = rows[:, :HOP], rows[:, HOP:]
    y = coefficients @ own
    y = y + torch.nn.functional.pad(coefficients[:, :-1] @ later, (0, 0, 1, 0))
    return y.flatten(1)


@torch.no_grad()
def start_decoder(decoder: Any, basis: Basis) -> None:
    """Make an engine decoder (``engine.codec.decoder``) play latent steps as ``sound`` does."""
    first, last = decoder.model[0].conv, decoder.model[-1].conv
    rows = torch.from_numpy(basis.rows)
    first.weight.zero_()
    first.bias.zero_()
    first.weight[:, :, -1] = rows[:, :HOP].T
    first.weight[:, :, -2] = rows[:, HOP:].T
    samples = FRAME // STEPS
    for block in list(decoder.model)[1:-2]:
        _, up, *units = block.block
        weight = up.conv.weight.zero_()
        up.conv.bias.zero_()
        stride = up.conv.stride[0]
        samples //= stride
        for r in range(stride):
            for i in range(samples):
                weight[r * samples + i, i, r] = 1.0
        for unit in units:
            unit.block[3].conv.weight.zero_()
    for name, value in decoder.named_parameters():
        if name.endswith("alpha"):
            value.fill_(1e-3)
    for unit in (m for m in decoder.modules() if isinstance(m, ResidualUnit)):
        # Inside a residual unit the bend may be strong: its result is added, and starts at zero.
        for snake in (m for m in unit.modules() if isinstance(m, Snake)):
            snake.alpha.fill_(1.0)
    last.weight.zero_()
    last.weight[0, 0, -1] = 1.0
    last.bias.zero_()
