"""Waveform decoder: latent steps to samples (spec 04, section 6)."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn

from engine.codec import ops
from engine.codec.config import CodecConfig
from engine.codec.layers import (
    CausalConv1d,
    CausalTransposedConv1d,
    ResidualUnit,
    Sequence,
    Snake,
    run,
    run_in_tiles,
)
from engine.codec.state import SequenceState

TILE_VALUES = 400_000
"""Numbers in the largest activation of a tile: 1.6 MB, two frames of the released model."""


class DecoderBlock(nn.Module):
    """A transposed convolution that halves the channels, then three residual units."""

    def __init__(self, inputs: int, stride: int) -> None:
        super().__init__()
        outputs = inputs // 2
        self.block = Sequence(
            [
                Snake(inputs),
                CausalTransposedConv1d(inputs, outputs, 2 * stride, stride),
                *(ResidualUnit(outputs, dilation) for dilation in (1, 3, 9)),
            ]
        )

    def new_state(self, batch: int = 1) -> SequenceState:
        """States of the parts."""
        return self.block.new_state(batch)

    def forward(self, x: Tensor, state: SequenceState | None = None) -> Tensor:
        """``(batch, steps, in)`` to ``(batch, steps * stride, in // 2)``, float32 or float16."""
        y: Tensor = self.block(x, state)
        return y


class Decoder(nn.Module):
    """``(batch, steps, latent)`` to ``(batch, samples)`` in -1..1.

    Attributes:
        compiled: the same as compiled steps, see :mod:`engine.codec.compiled_weights`; for one
            stream in float32 on the CPU.
    """

    def __init__(self, config: CodecConfig) -> None:
        super().__init__()
        width = config.decoder_dim
        parts: list[nn.Module] = [CausalConv1d(config.latent_dim, width, 7)]
        for stride in config.decoder_rates:
            parts.append(DecoderBlock(width, stride))
            width //= 2
        parts += [Snake(width), CausalConv1d(width, 1, 7)]
        self.model = Sequence(parts)
        self._first_tiled, self._tile_steps = _tiling(config)
        self.compiled: Callable[[Tensor, SequenceState], Tensor] | None = None

    def new_state(self, batch: int = 1) -> SequenceState:
        """States of the parts."""
        return self.model.new_state(batch)

    def forward(self, x: Tensor, state: SequenceState | None = None) -> Tensor:
        """Latents ``(batch, steps, latent)`` to samples ``(batch, steps * hop)`` of its dtype."""
        if not ops.use_products(x):
            return torch.tanh(self.model(x, state)).squeeze(-1)
        if state is None:
            state = self.new_state(x.shape[0])
        if self.compiled is not None and x.shape[0] == 1 and x.dtype == torch.float32:
            return self.compiled(x[0], state).tanh_()[None]
        parts = list(zip(self.model, state.parts, strict=True))
        before = x.shape[1]
        for part, part_state in parts[: self._first_tiled]:
            x = run(part, x, part_state)
        rows = self._tile_steps * (x.shape[1] // before)
        return run_in_tiles(parts[self._first_tiled :], x, rows).tanh_().squeeze(-1)


def _tiling(config: CodecConfig) -> tuple[int, int]:
    """First part of the decoder that runs in tiles, and latent steps in a tile.

    Those are the blocks with the largest activations; the ones before have large weights
    instead, which are best read once for all rows.
    """
    values, rows, width = [], 1, config.decoder_dim
    for stride in config.decoder_rates:
        rows, width = rows * stride, width // 2
        values.append(rows * width)
    first = next(i for i, v in enumerate(values) if 2 * v > max(values))
    return 1 + first, max(1, TILE_VALUES // max(values))
