"""Windowed causal transformer of the codec (spec 04, section 2), exact when streamed.

Query ``i`` sees keys ``max(0, i - window + 1) .. i``. A long sequence is attended block by
block, so no mask or score matrix grows with the square of its length.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from engine.codec.config import TransformerConfig
from engine.codec.state import AttentionState, TransformerState, zeros_like_state


class RMSNorm(nn.Module):
    """Root-mean-square norm with a gain per channel; statistics over the last axis."""

    def __init__(self, dim: int, eps: float) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(dim))
        self.eps = eps

    def forward(self, x: Tensor) -> Tensor:
        """``(..., channels)`` to the same, in the dtype of ``x``."""
        return F.rms_norm(x, self.weight.shape, self.weight, self.eps)


class LayerScale(nn.Module):
    """A gain per channel."""

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(dim))

    def forward(self, x: Tensor) -> Tensor:
        """``(..., channels)`` to the same."""
        return x * self.gamma


def rotation(position: int, count: int, width: int, base: float, like: Tensor) -> Tensor:
    """Cosines and sines ``(2, count, width / 2)`` of positions ``position ..``.

    Angles are float64 before the trigonometry, so that a stream of hours stays as exact as its
    first second.
    """
    pairs = torch.arange(width // 2, dtype=torch.float64)
    speed = base ** (-2.0 * pairs / width)
    steps = torch.arange(position, position + count, dtype=torch.float64)
    angles = steps[:, None] * speed
    return torch.stack([angles.cos(), angles.sin()]).to(device=like.device, dtype=like.dtype)


def rotate(x: Tensor, table: Tensor) -> Tensor:
    """Rotate neighbouring pairs of ``x`` ``(batch, heads, time, width)``."""
    cos, sin = table
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack([even * cos - odd * sin, odd * cos + even * sin], -1).flatten(-2)


def window_mask(first: int, rows: int, keys: int, window: int, device: torch.device) -> Tensor:
    """Boolean ``(rows, keys)``: may query ``first + row`` see key ``column``?"""
    query = torch.arange(first, first + rows, device=device)[:, None]
    key = torch.arange(keys, device=device)
    return (key <= query) & (key > query - window)


def attend(q: Tensor, k: Tensor, v: Tensor, window: int) -> Tensor:
    """Causal attention of the last ``q.shape[2]`` positions over the positions of ``k``.

    All are ``(batch, heads, time, width)``; the last row of ``q`` belongs to the last of ``k``.
    """
    rows, offset = q.shape[2], k.shape[2] - q.shape[2]
    outputs = []
    for start in range(0, rows, window):
        stop = min(start + window, rows)
        low = max(0, offset + start - window + 1)
        seen = slice(low, offset + stop)
        mask = None
        if stop - start > 1 or seen.stop - low > window:
            first = offset + start - low
            mask = window_mask(first, stop - start, seen.stop - low, window, q.device)
        block = F.scaled_dot_product_attention(
            q[:, :, start:stop], k[:, :, seen], v[:, :, seen], attn_mask=mask
        )
        outputs.append(block)
    return outputs[0] if len(outputs) == 1 else torch.cat(outputs, 2)


class Attention(nn.Module):
    """Windowed self-attention; rows of ``wqkv`` are all queries, all keys, all values."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        c = self.config = config
        self.wqkv = nn.Linear(c.dim, (c.heads + 2 * c.kv_heads) * c.head_dim, bias=False)
        self.wo = nn.Linear(c.heads * c.head_dim, c.dim, bias=False)

    def new_state(self, batch: int = 1) -> AttentionState:
        """An empty cache with room to append a window's worth before its rows must move."""
        c = self.config
        shape = (batch, c.kv_heads, 2 * c.window, c.head_dim)
        keys, values = (zeros_like_state(self.wqkv.weight, *shape) for _ in range(2))
        return AttentionState(keys, values, c.window - 1)

    def forward(self, x: Tensor, table: Tensor, state: AttentionState | None = None) -> Tensor:
        """``(batch, time, dim)`` to the same; ``table``: cosines and sines of these positions."""
        c = self.config
        batch, time, _ = x.shape
        qkv = self.wqkv(x).view(batch, time, -1, c.head_dim).transpose(1, 2)
        q, k, v = qkv.split([c.heads, c.kv_heads, c.kv_heads], 1)
        q, k = rotate(q, table), rotate(k, table)
        if state is not None:
            k, v = state.extend(k, v)
        if c.kv_heads != c.heads:
            group = c.heads // c.kv_heads
            k, v = k.repeat_interleave(group, 1), v.repeat_interleave(group, 1)
        y = attend(q, k, v, c.window)
        out: Tensor = self.wo(y.transpose(1, 2).reshape(batch, time, -1))
        return out


class FeedForward(nn.Module):
    """``w2(silu(w1 x) * w3 x)``."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.w1 = nn.Linear(config.dim, config.ffn, bias=False)
        self.w3 = nn.Linear(config.dim, config.ffn, bias=False)
        self.w2 = nn.Linear(config.ffn, config.dim, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        """``(batch, time, dim)`` to the same."""
        y: Tensor = self.w2(F.silu(self.w1(x)) * self.w3(x))
        return y


class TransformerLayer(nn.Module):
    """Attention and feed-forward network, each normed before and scaled after."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.attention = Attention(config)
        self.feed_forward = FeedForward(config)
        self.attention_norm = RMSNorm(config.dim, config.eps)
        self.ffn_norm = RMSNorm(config.dim, config.eps)
        self.attention_layer_scale = LayerScale(config.dim)
        self.ffn_layer_scale = LayerScale(config.dim)

    def forward(self, x: Tensor, table: Tensor, state: AttentionState | None = None) -> Tensor:
        """``(batch, time, dim)`` to the same; ``table`` as in :class:`Attention`."""
        y = self.attention(self.attention_norm(x), table, state)
        x = x + self.attention_layer_scale(y)
        result: Tensor = x + self.ffn_layer_scale(self.feed_forward(self.ffn_norm(x)))
        return result


class WindowedTransformer(nn.Module):
    """Layers and a final norm; input and output are ``(batch, time, dim)``."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.config = config
        self.layers = nn.ModuleList(TransformerLayer(config) for _ in range(config.layers))
        self.norm = RMSNorm(config.dim, config.eps)

    def new_state(self, batch: int = 1) -> TransformerState:
        """Empty caches at position 0."""
        layers = cast(Iterable[TransformerLayer], self.layers)
        return TransformerState(tuple(layer.attention.new_state(batch) for layer in layers))

    def forward(self, x: Tensor, state: TransformerState | None = None) -> Tensor:
        """``(batch, time, dim)`` to the same; a state holds the window's keys and values."""
        c = self.config
        position = 0 if state is None else state.position
        table = rotation(position, x.shape[1], c.head_dim, c.rope_base, x)
        for i, layer in enumerate(self.layers):
            x = layer(x, table, None if state is None else state.layers[i])
        if state is not None:
            state.position += x.shape[1]
        y: Tensor = self.norm(x)
        return y
