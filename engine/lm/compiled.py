"""Columns through a stack of layers in a single call into compiled code.

A frame is some seventy passes of a layer, a prompt thirty-six. Done with tensor operations each
pass costs more in calls and in barriers between threads than in arithmetic, and ten times that
when the machine is busy. :class:`CompiledStack` writes a stack down, as steps on fixed addresses,
and runs it. Numbers are those of :mod:`engine.lm.layers` up to float32 rounding.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self, cast
from weakref import WeakKeyDictionary, ref

import numpy as np
import torch
from torch import Tensor, nn

from engine.gguf.linear import QuantLinear
from engine.kernels.linear import MatrixKernel
from engine.kernels.pool import KernelPool
from engine.kernels.program import CachePlace, HeadSizes, Program, program_fits
from engine.lm.cache import KVCache
from engine.lm.config import StackConfig
from engine.lm.layers import RMSNorm, TransformerLayer

# Passes of so few columns are written down once for a cache; prompts have any length.
MAX_COLUMNS = 4


class CompiledStack:
    """A stack whose matrices all have kernels in one pool.

    Programs belong to a cache and a number of columns, and go when the cache goes.

    Attributes:
        eight_bits: products with a prompt round activations to 8 bits.
    """

    def __init__(self, config: StackConfig, layers: Sequence[TransformerLayer]) -> None:
        """Use :meth:`of`, which checks what this takes for granted."""
        self._config, self._layers = config, tuple(layers)
        kernels = [_matrices(layer) for layer in layers]
        self._pool = kernels[0][0].pool
        self._kernels = kernels
        self.eight_bits = any(kernel.eight_bits for found in kernels for kernel in found)
        self._programs: WeakKeyDictionary[KVCache, dict[int, _Pass]] = WeakKeyDictionary()

    @classmethod
    def of(cls, config: StackConfig, layers: nn.ModuleList) -> Self | None:
        """The stack as native steps, or ``None`` when a layer is elsewhere or has no kernel."""
        made = [cast(TransformerLayer, layer) for layer in layers]
        if not program_fits(config.dim, config.head_dim, config.ffn):
            return None
        kernels = [_matrices(layer) for layer in made]
        if any(len(found) != 5 for found in kernels):
            return None
        if len({kernel.pool for found in kernels for kernel in found}) != 1:
            return None
        return cls(config, made)

    def takes(self, cache: KVCache) -> bool:
        """Whether :meth:`extend` may be called."""
        return cache.dtype == torch.float32

    def extend(self, x: Tensor, cache: KVCache, *, prompt: bool = False) -> Tensor:
        """Pass ``x`` float32 ``(columns, dim)`` through the layers and into the cache.

        ``prompt``: the columns are part of one, and not a frame that the model made. A result
        does not depend on how many columns are passed at once.

        Raises:
            GenerationError: the cache is full; nothing has changed then.
        """
        count = x.shape[0]
        cache.check_room(count)
        eight_bits = prompt and self.eight_bits
        if eight_bits or count > MAX_COLUMNS:
            result = self._pass([cache], count, eight_bits).run(x)
        else:
            made = self._programs.setdefault(cache, {})
            if count not in made:
                made[count] = self._pass([cache], count, False)
            result = made[count].run(x)
        cache.advance(count)
        return result

    def shared(self, caches: Sequence[KVCache], columns: int) -> SharedPass:
        """A pass of several streams at once, each with so many columns and its own cache."""
        return SharedPass(caches, columns, self._pass(caches, columns, False))

    def _pass(self, caches: Sequence[KVCache], count: int, eight_bits: bool) -> _Pass:
        return _Pass(
            self._pool, self._config, self._layers, self._kernels, caches, count, eight_bits
        )


class SharedPass:
    """The same columns of many streams through a stack, again and again.

    A stream's results are those of :meth:`CompiledStack.extend`, to the last bit.
    """

    def __init__(self, caches: Sequence[KVCache], columns: int, made: _Pass) -> None:
        self._caches, self._columns, self._pass = tuple(caches), columns, made

    def is_for(self, caches: Sequence[KVCache]) -> bool:
        """Whether it was made for these caches, in this order."""
        pairs = zip(self._caches, caches, strict=False)
        return len(self._caches) == len(caches) and all(one is two for one, two in pairs)

    def extend(self, x: Tensor) -> Tensor:
        """Pass ``x`` float32 ``(streams * columns, dim)`` through the layers, into the caches.

        Raises:
            GenerationError: a cache is full; nothing has changed then.
        """
        for cache in self._caches:
            cache.check_room(self._columns)
        result = self._pass.run(x)
        for cache in self._caches:
            cache.advance(self._columns)
        return result


def _matrices(layer: TransformerLayer) -> list[MatrixKernel]:
    """The kernels of a layer's five matrices; fewer when one has none."""
    attention, feed = layer.attention, layer.feed_forward
    linears = (attention.wqkv, attention.wo, feed.w1, feed.w3, feed.w2)
    kernels = [linear.kernel for linear in linears if isinstance(linear, QuantLinear)]
    return [kernel for kernel in kernels if isinstance(kernel, MatrixKernel)]


class _Pass:
    """The program of some caches and a number of columns each, and the arrays it works on."""

    def __init__(
        self,
        pool: KernelPool,
        config: StackConfig,
        layers: Sequence[TransformerLayer],
        kernels: Sequence[Sequence[MatrixKernel]],
        caches: Sequence[KVCache],
        each: int,
        eight_bits: bool,
    ) -> None:
        c, columns = config, each * len(caches)
        p = self._program = Program(pool, columns, len(caches))
        # Not the caches: programs are kept by them, and would keep them alive.
        self._caches = [ref(cache) for cache in caches]
        self._config, self._eight_bits = config, eight_bits
        self._sizes = HeadSizes(c.n_heads, c.n_kv_heads, c.head_dim)
        self._x, self._normed, self._delta = (p.array(columns, c.dim) for _ in range(3))
        self._qkv = p.array(columns, c.qkv_rows)
        self._mixed = p.array(columns, c.n_heads * c.head_dim)
        self._gate, self._value = p.array(columns, c.ffn), p.array(columns, c.ffn)
        longest = max(cache.capacity for cache in caches)
        self._scores = p.array(len(caches) * c.n_heads, -(-longest // 8) * 8 + 8)
        p.keep(*((cache.rope, cache.keys, cache.values) for cache in caches))
        addend: np.ndarray | None = None
        for index, (layer, matrices) in enumerate(zip(layers, kernels, strict=True)):
            places = [_place(cache, index) for cache in caches]
            self._attention(layer, matrices, places, addend)
            self._feed_forward(layer, matrices)
            addend = self._delta

    def run(self, x: Tensor) -> Tensor:
        caches = [found for each in self._caches if (found := each()) is not None]
        self._x[:] = x.numpy()
        self._program.run(*(cache.length for cache in caches))
        return torch.from_numpy(self._x + self._delta)

    def _attention(
        self,
        layer: TransformerLayer,
        matrices: Sequence[MatrixKernel],
        places: Sequence[CachePlace],
        addend: np.ndarray | None,
    ) -> None:
        p, attention = self._program, layer.attention
        self._norm(layer.attention_norm, addend)
        self._multiply(matrices[:1], self._normed, [self._qkv])
        norms = (_weight(attention.q_norm), _weight(attention.k_norm))
        p.heads(self._qkv, self._sizes, norms, self._config.eps, places)
        p.attend(self._qkv, self._sizes, places, self._scores, self._mixed)
        self._multiply(matrices[1:2], self._mixed, [self._delta])

    def _feed_forward(self, layer: TransformerLayer, matrices: Sequence[MatrixKernel]) -> None:
        self._norm(layer.ffn_norm, self._delta)
        self._multiply(matrices[2:4], self._normed, [self._gate, self._value])
        self._program.gate(self._gate, self._value)
        self._multiply(matrices[4:5], self._gate, [self._delta])

    def _multiply(
        self, matrices: Sequence[MatrixKernel], x: np.ndarray, outs: Sequence[np.ndarray]
    ) -> None:
        """Products of matrices with the same columns, together where they round them alike."""
        pairs = list(zip(matrices, outs, strict=True))
        for eight_bits in (False, True):
            some = [
                pair for pair in pairs if (self._eight_bits and pair[0].eight_bits) == eight_bits
            ]
            if some:
                stored, to = [kernel.stored for kernel, _ in some], [out for _, out in some]
                self._program.multiply(stored, x, to, eight_bits)

    def _norm(self, norm: RMSNorm, addend: np.ndarray | None) -> None:
        self._program.keep(norm.weight)
        self._program.norm(self._x, addend, norm.weight.data_ptr(), self._normed, norm.eps)


def _place(cache: KVCache, layer: int) -> CachePlace:
    keys, values = cache.keys[layer], cache.values[layer]
    return CachePlace(keys.data_ptr(), values.data_ptr(), 4 * keys.stride(0), cache.rope.data_ptr())


def _weight(norm: nn.Module) -> int:
    """Address of a head norm's weight, 0 without one; the layer keeps it."""
    return norm.weight.data_ptr() if isinstance(norm, RMSNorm) else 0
