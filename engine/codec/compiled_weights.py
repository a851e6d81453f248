"""Preparing a half of the codec for the CPU: packed weights and compiled steps.

The modules stay as they are and keep their weights in the form of the file, which costs no
memory where those are plain numbers: pages of the map that nobody reads again. What works on them
are packed copies. With autograd, another batch than one, or another precision, the modules
compute as ever.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

import torch
from torch import Tensor, nn

from engine.codec import ops
from engine.codec.compiled_decoder import CompiledDecoder
from engine.codec.compiled_encoder import CompiledEncoder
from engine.codec.decoder import Decoder
from engine.codec.encoder import Encoder
from engine.codec.layers import CausalTransposedConv1d
from engine.codec.quantizer import Quantizer
from engine.codec.state import TailState
from engine.gguf.packed_linear import PackedProduct, PackedWeight
from engine.kernels.pool import KernelPool

SERVED = (
    "quantizer.post_module.",
    "quantizer.upsample.",
    "decoder.model.",
    "quantizer.pre_module.",
    "quantizer.downsample.",
)
"""Prefixes of the tensors whose packed copies work."""


def keeps_stored(name: str, owner: nn.Module) -> bool:
    """Whether a weight may stay in the form of the file, because a packed copy works."""
    kinds = (nn.Linear, nn.Conv1d, nn.ConvTranspose1d)
    # Convolutions inside of the encoder's blocks; the last one, behind them, is torch's.
    inside = name.startswith("encoder.block.") and name.count(".block.") > 1
    if not (inside or name.startswith(SERVED)) or not isinstance(owner, kinds):
        return False
    return getattr(owner, "groups", 1) == 1


def serve(quantizer: Quantizer, decoder: Decoder, pool: KernelPool) -> None:
    """Give the decoding half its packed weights; ``pool`` multiplies with them."""
    decoder.compiled = CompiledDecoder(decoder.model, pool)
    _serve_layers((quantizer.post_module, quantizer.upsample), pool)


def serve_encoder(quantizer: Quantizer, encoder: Encoder, pool: KernelPool) -> None:
    """Give the encoding half its packed weights; ``pool`` multiplies with them."""
    encoder.compiled = CompiledEncoder(encoder.block, pool)
    _serve_layers((encoder.block, quantizer.pre_module, quantizer.downsample), pool)


def _serve_layers(parts: Iterable[nn.Module], pool: KernelPool) -> None:
    for part in parts:
        for parent in list(part.modules()):
            for name, child in list(parent.named_children()):
                made = _served(child, pool)
                if made is not None:
                    setattr(parent, name, made)


def _served(part: nn.Module, pool: KernelPool) -> nn.Module | None:
    if isinstance(part, nn.Linear):
        return PackedLinear(part, pool)
    if isinstance(part, CausalTransposedConv1d) and part.overlap == 0:
        return PackedUpsampling(part, pool)
    return None


def _fits(x: Tensor) -> bool:
    return ops.use_products(x) and x.dtype == torch.float32


class PackedLinear(nn.Linear):
    """A linear layer that multiplies with a packed copy of its weight where that works."""

    def __init__(self, layer: nn.Linear, pool: KernelPool) -> None:
        nn.Module.__init__(self)
        self.in_features, self.out_features = layer.in_features, layer.out_features
        self.weight, self.bias = layer.weight, layer.bias
        weight = layer.weight.detach().t()[None, :, None, :]
        bias = None if layer.bias is None else layer.bias.detach()
        self._product = PackedProduct(pool, PackedWeight(weight, pool.library.isa), bias)

    def forward(self, x: Tensor) -> Tensor:
        """float32 ``(..., in)`` to ``(..., out)``; other dtypes go through torch."""
        if not _fits(x):
            return nn.functional.linear(x, self.weight.to(x.dtype), self.bias)
        y = self._product(x.reshape(-1, self.in_features))
        return y.view(*x.shape[:-1], self.out_features)


class PackedUpsampling(CausalTransposedConv1d):
    """A transposed convolution without overlap: each input row makes ``stride`` rows alone."""

    def __init__(self, layer: CausalTransposedConv1d, pool: KernelPool) -> None:
        nn.Module.__init__(self)
        self.conv, self.outputs = layer.conv, layer.outputs
        self.stride, self.overlap = layer.stride, layer.overlap
        # (in, out, kernel) -> (1, in, kernel, out)
        weight = layer.conv.weight.detach().permute(0, 2, 1)[None]
        bias = cast(Tensor, layer.conv.bias).detach()
        self._product = PackedProduct(pool, PackedWeight(weight, pool.library.isa), bias)

    def forward(self, x: Tensor, state: TailState | None = None) -> Tensor:
        """``(batch, time, in)`` to ``(batch, time * stride, out)``, float32 or through torch."""
        if not _fits(x):
            return super().forward(x, state)
        batch, time, inputs = x.shape
        y = self._product(x.reshape(-1, inputs))
        return y.view(batch, time * self.stride, self.outputs)
