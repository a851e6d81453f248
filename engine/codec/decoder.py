"""Waveform decoder: latent steps to samples (spec 04, section 6)."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from engine.codec.config import CodecConfig
from engine.codec.layers import (
    CausalConv1d,
    CausalTransposedConv1d,
    ResidualUnit,
    Sequence,
    Snake,
)
from engine.codec.state import SequenceState


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
        y: Tensor = self.block(x, state)
        return y


class Decoder(nn.Module):
    """``(batch, steps, latent)`` to ``(batch, samples)`` in -1..1."""

    def __init__(self, config: CodecConfig) -> None:
        super().__init__()
        width = config.decoder_dim
        parts: list[nn.Module] = [CausalConv1d(config.latent_dim, width, 7)]
        for stride in config.decoder_rates:
            parts.append(DecoderBlock(width, stride))
            width //= 2
        parts += [Snake(width), CausalConv1d(width, 1, 7)]
        self.model = Sequence(parts)

    def new_state(self, batch: int = 1) -> SequenceState:
        """States of the parts."""
        return self.model.new_state(batch)

    def forward(self, x: Tensor, state: SequenceState | None = None) -> Tensor:
        return torch.tanh(self.model(x, state)).squeeze(-1)
