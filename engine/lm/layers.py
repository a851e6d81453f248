"""Building blocks of both transformers (spec 03, section 1).

Shapes: ``x`` is float32 ``(batch, positions, dim)``. The residual stream, norms, rotary
embedding and softmax stay in float32 whatever the weights and the cache are stored in.
"""

from __future__ import annotations

import math
from typing import cast

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from engine.gguf.linear import QuantLinear
from engine.kernels.linear import FusedLinear
from engine.lm.cache import KVCache
from engine.lm.config import StackConfig
from engine.lm.factory import WeightFactory
from engine.lm.rotary import rotate

# Scores held at once while many positions are processed: 2^24 floats are 64 MiB.
_MAX_SCORES = 1 << 24


class RMSNorm(nn.Module):
    """``x / sqrt(mean(x^2) + eps) * weight`` over the last axis, in float32."""

    def __init__(self, weight: Tensor, eps: float) -> None:
        super().__init__()
        self.weight = nn.Parameter(weight, requires_grad=weight.requires_grad)
        self.eps = eps

    def forward(self, x: Tensor) -> Tensor:
        """float32 ``(..., dim)`` to the same."""
        return F.rms_norm(x, self.weight.shape, self.weight, self.eps)


class FeedForward(nn.Module):
    """SwiGLU: ``w2(silu(w1 x) * w3 x)``."""

    def __init__(self, dim: int, ffn: int, weights: WeightFactory, prefix: str) -> None:
        super().__init__()
        self.w1 = weights.linear(f"{prefix}.w1.weight", ffn, dim)
        self.w3 = weights.linear(f"{prefix}.w3.weight", ffn, dim)
        self.w2 = weights.linear(f"{prefix}.w2.weight", dim, ffn)
        # Where the kernels multiply, both halves are one product.
        self._fused = (
            FusedLinear([self.w1, self.w3])
            if isinstance(self.w1, QuantLinear) and isinstance(self.w3, QuantLinear)
            else None
        )

    def forward(self, x: Tensor) -> Tensor:
        """float32 ``(batch, positions, dim)`` to the same."""
        gate, value = (self.w1(x), self.w3(x)) if self._fused is None else self._fused(x)
        out: Tensor = self.w2(F.silu(gate) * value)
        return out


class Attention(nn.Module):
    """Causal attention with grouped heads, optional head norms and rotary positions."""

    def __init__(self, config: StackConfig, weights: WeightFactory, prefix: str) -> None:
        super().__init__()
        c = config
        self.heads = (c.n_heads, c.n_kv_heads, c.n_kv_heads)
        self.head_dim = c.head_dim
        self.wqkv = weights.linear(f"{prefix}.wqkv.weight", c.qkv_rows, c.dim)
        self.wo = weights.linear(f"{prefix}.wo.weight", c.dim, c.n_heads * c.head_dim)
        self.q_norm: nn.Module = nn.Identity()
        self.k_norm: nn.Module = nn.Identity()
        if c.qk_norm:
            shape = (c.head_dim,)
            self.q_norm = RMSNorm(weights.f32(f"{prefix}.q_norm.weight", shape), c.eps)
            self.k_norm = RMSNorm(weights.f32(f"{prefix}.k_norm.weight", shape), c.eps)

    def forward(
        self, x: Tensor, rope: Tensor, mask: Tensor | None, cache: KVCache | None, layer: int
    ) -> Tensor:
        """Attend over the cached past and ``x`` itself.

        Args:
            rope: rotary rows of the positions of ``x``.
            mask: float ``(positions, past + positions)`` added to the scores; ``None`` when
                the only query may see everything.
            cache: where the past is and the new rows go; ``None`` for ``x`` alone.
        """
        qkv = self.wqkv(x).unflatten(-1, (-1, self.head_dim))
        q, k, v = qkv.split(self.heads, dim=-2)
        q = rotate(self.q_norm(q), rope)
        k = rotate(self.k_norm(k), rope).transpose(1, 2)
        v = v.transpose(1, 2)
        if cache is not None:
            past_k, past_v = cache.write(layer, k[0], v[0])
            k, v = past_k.float().unsqueeze(0), past_v.float().unsqueeze(0)
        out: Tensor = self.wo(grouped_attention(q, k, v, mask))
        return out


class TransformerLayer(nn.Module):
    """``h = x + attention(norm(x)); h + feed_forward(norm(h))``."""

    def __init__(self, config: StackConfig, weights: WeightFactory, prefix: str) -> None:
        super().__init__()
        shape = (config.dim,)
        self.attention = Attention(config, weights, f"{prefix}.attention")
        self.feed_forward = FeedForward(config.dim, config.ffn, weights, f"{prefix}.feed_forward")
        self.attention_norm = RMSNorm(
            weights.f32(f"{prefix}.attention_norm.weight", shape), config.eps
        )
        self.ffn_norm = RMSNorm(weights.f32(f"{prefix}.ffn_norm.weight", shape), config.eps)

    @property
    def device(self) -> torch.device:
        """Where this layer computes; layers of one stack may lie on different devices."""
        return self.attention_norm.weight.device

    def forward(
        self, x: Tensor, rope: Tensor, mask: Tensor | None, cache: KVCache | None, layer: int
    ) -> Tensor:
        """float32 ``(batch, positions, dim)`` to the same; arguments as in :class:`Attention`."""
        h = x + self.attention(self.attention_norm(x), rope, mask, cache, layer)
        out: Tensor = h + self.feed_forward(self.ffn_norm(h))
        return out


def run_layers(layers: nn.ModuleList, x: Tensor, rope: Tensor, cache: KVCache | None) -> Tensor:
    """Pass ``x`` through a stack and make its rows part of the cache.

    Args:
        x: ``(batch, positions, dim)``; with a cache the batch is 1. It follows the layers to
            their devices, and the result lies on the last one's.
        rope: rotary table from position 0 on, at least past plus positions long.

    Raises:
        GenerationError: the cache is full; nothing has changed then.
    """
    count = x.shape[1]
    past = 0
    if cache is not None:
        cache.check_room(count)
        past = cache.length
    rows, mask, home = rope, None, None
    for index, (layer, place) in enumerate(zip(layers, layer_devices(layers), strict=True)):
        if place != home:
            home = place
            x, rows = x.to(home), rope[past : past + count].to(home)
            mask = causal_mask(count, past, home)
        x = layer(x, rows, mask, cache, index)
    if cache is not None:
        cache.advance(count)
    return x


def layer_devices(layers: nn.ModuleList) -> list[torch.device]:
    """Where each layer of a stack computes."""
    return [cast(TransformerLayer, layer).device for layer in layers]


def causal_mask(count: int, past: int, device: torch.device) -> Tensor | None:
    """``(count, past + count)``: 0 where a query may look, minus infinity where not.

    ``None`` for one query, which may see all of the past and itself.
    """
    if count == 1:
        return None
    mask = torch.full((count, past + count), -math.inf, device=device)
    return mask.triu_(past + 1)


def grouped_attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> Tensor:
    """Scaled dot-product attention where several query heads share a key head.

    Queries are folded into their key head's rows, so neither keys nor values are repeated or
    copied, and each row of the past is read once. Own products rather than
    ``scaled_dot_product_attention``: its CPU kernel splits the past by the number of threads,
    which moves the last bits, and codes must not depend on that.

    Args:
        q: ``(batch, positions, heads, head_dim)``.
        k, v: ``(batch, kv_heads, length, head_dim)``, any strides with a dense last axis.
        mask: see :func:`causal_mask`.

    Returns:
        ``(batch, positions, heads * head_dim)``.
    """
    batch, count, heads, width = q.shape
    kv_heads, length = k.shape[1], k.shape[2]
    block = max(1, _MAX_SCORES // (batch * heads * length))
    keys, values = k.flatten(0, 1).transpose(1, 2), v.flatten(0, 1)
    outs = []
    for start in range(0, count, block):
        rows = q[:, start : start + block] * width**-0.5
        n = rows.shape[1]
        rows = rows.unflatten(2, (kv_heads, -1)).permute(0, 2, 3, 1, 4)
        scores = torch.bmm(rows.reshape(batch * kv_heads, -1, width), keys)
        if mask is not None:
            scores = scores.unflatten(1, (-1, n)) + mask[start : start + n]
        weights = torch.softmax(scores, -1).view(batch * kv_heads, -1, length)
        out = torch.bmm(weights, values).view(batch, kv_heads, -1, n, width)
        outs.append(out.permute(0, 3, 1, 2, 4).reshape(batch, n, heads * width))
    return outs[0] if len(outs) == 1 else torch.cat(outs, 1)
