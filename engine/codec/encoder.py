"""Waveform encoder: samples to latent steps (spec 04, section 3)."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn

from engine.codec import ops
from engine.codec.config import CodecConfig
from engine.codec.layers import (
    CausalConv1d,
    ResidualUnit,
    Sequence,
    Snake,
    StridedConv1d,
)
from engine.codec.state import SequenceState
from engine.codec.transformer import WindowedTransformer


class EncoderBlock(nn.Module):
    """Three residual units, then a strided convolution that doubles the channels.

    A block whose configuration asks for it ends in a transformer.
    """

    def __init__(self, config: CodecConfig, index: int) -> None:
        super().__init__()
        inputs = config.encoder_dim * 2**index
        stride = config.encoder_rates[index]
        parts: list[nn.Module] = [ResidualUnit(inputs, dilation) for dilation in (1, 3, 9)]
        parts += [Snake(inputs), StridedConv1d(inputs, 2 * inputs, 2 * stride, stride)]
        transformer = config.encoder_transformers[index]
        if transformer is not None:
            parts.append(WindowedTransformer(transformer))
        self.block = Sequence(parts)

    def new_state(self, batch: int = 1) -> SequenceState:
        """States of the parts."""
        return self.block.new_state(batch)

    def forward(self, x: Tensor, state: SequenceState | None = None) -> Tensor:
        """``(batch, time, in)`` to ``(batch, time / stride, 2 * in)``, float32."""
        y: Tensor = self.block(x, state)
        return y


class Encoder(nn.Module):
    """``(batch, samples, 1)`` to ``(batch, samples / hop, latent)``.

    With a state a chunk must consist of whole hops.
    """

    def __init__(self, config: CodecConfig) -> None:
        super().__init__()
        width = config.encoder_dim * 2 ** len(config.encoder_rates)
        self.block = Sequence(
            [
                CausalConv1d(1, config.encoder_dim, 7),
                *(EncoderBlock(config, i) for i in range(len(config.encoder_rates))),
                Snake(width),
                CausalConv1d(width, config.latent_dim, 3),
            ]
        )
        self.compiled: Callable[[Tensor, SequenceState], Tensor] | None = None

    def new_state(self, batch: int = 1) -> SequenceState:
        """States of the parts."""
        return self.block.new_state(batch)

    def forward(self, pcm: Tensor, state: SequenceState | None = None) -> Tensor:
        """Samples float32 ``(batch, samples, 1)``, whole hops, to ``(batch, steps, latent)``."""
        plain = pcm.shape[0] == 1 and pcm.dtype == torch.float32
        if self.compiled is not None and plain and ops.use_products(pcm):
            return self.compiled(pcm, self.new_state() if state is None else state)
        y: Tensor = self.block(pcm, state)
        return y
