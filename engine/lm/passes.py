"""The passes of a frame, one stream's alone or many streams' at once.

A frame reads every matrix of both models once. Streams that are in the same place share that
read: each is a column of the same products, whose sums do not depend on their company, with keys
and values of its own. So a stream's numbers are the same to the last bit alone and with others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from engine.gguf.linear import QuantLinear
from engine.lm.cache import KVCache
from engine.lm.compiled import SharedPass
from engine.lm.dual_ar import DualAR
from engine.lm.slow_ar import SlowState

MOST_STREAMS = 32
"""Two columns a stream begin a frame, and up to 64 columns keep their bits in any company."""


@dataclass(frozen=True, slots=True, eq=False)
class Pass:
    """Something that a stream waits for."""

    cache: KVCache


@dataclass(frozen=True, slots=True, eq=False)
class NextFrame(Pass):
    """The slow model reads ``column``, int ``(num_codebooks + 1,)``; answered by its state."""

    column: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class BeginFrame(Pass):
    """The fast model starts from ``fast_input (dim,)`` and the semantic ``code``; answered by the
    logits ``(codebook_size,)`` of the next one."""

    fast_input: Tensor
    code: int


@dataclass(frozen=True, slots=True, eq=False)
class NextCode(Pass):
    """The fast model reads the code that was drawn last; answered by logits as before."""

    code: int


class Passes:
    """Makes passes for a model; keeps what a company of streams works with, until it changes."""

    def __init__(self, model: DualAR) -> None:
        self._slow, self._fast = model.slow, model.fast
        self._shared: dict[type[Pass], SharedPass] = {}

    @property
    def can_share(self) -> bool:
        """Whether passes of several streams cost less than one after the other."""
        return self._slow.compiled is not None and self._fast.compiled is not None

    def alone(self, wanted: Pass) -> SlowState | Tensor:
        """The answer to one pass."""
        with torch.inference_mode():
            if isinstance(wanted, NextFrame):
                return self._slow.step(wanted.column, wanted.cache)
            if isinstance(wanted, BeginFrame):
                return self._fast.begin(wanted.fast_input, wanted.code, wanted.cache)
            assert isinstance(wanted, NextCode)
            return self._fast.step(wanted.code, wanted.cache)

    def together(self, wanted: Sequence[Pass]) -> list[SlowState] | list[Tensor]:
        """The answers to passes of one kind, of streams with caches of their own."""
        if len(wanted) == 1 or not self.can_share:
            return [self.alone(each) for each in wanted]  # type: ignore[return-value]
        with torch.inference_mode():
            if isinstance(wanted[0], NextFrame):
                return self._frames([each for each in wanted if isinstance(each, NextFrame)])
            if isinstance(wanted[0], BeginFrame):
                return self._begun([each for each in wanted if isinstance(each, BeginFrame)])
            return self._codes([each for each in wanted if isinstance(each, NextCode)])

    def _frames(self, wanted: Sequence[NextFrame]) -> list[SlowState]:
        slow = self._slow
        rows = torch.cat([slow.embed_frame(each.column) for each in wanted])
        last = self._extend(wanted, rows, 1)
        hidden = _each(slow.norm, last)
        inputs = hidden if slow.config.norm_fast_input else last
        logits = _each(slow.logits, hidden) if slow.head is None else slow.logits(hidden)
        return [SlowState(*each) for each in zip(hidden, inputs, logits, strict=True)]

    def _begun(self, wanted: Sequence[BeginFrame]) -> list[Tensor]:
        fast = self._fast
        inputs = torch.stack([each.fast_input for each in wanted])
        first = _rows(fast.project_in, inputs)
        for each in wanted:
            each.cache.truncate(0)
        rows = [(first[i : i + 1], fast.embed(each.code)) for i, each in enumerate(wanted)]
        return self._read_codes(
            self._extend(wanted, torch.cat([row for pair in rows for row in pair]), 2)[1::2]
        )

    def _codes(self, wanted: Sequence[NextCode]) -> list[Tensor]:
        rows = torch.cat([self._fast.embed(each.code) for each in wanted])
        return self._read_codes(self._extend(wanted, rows, 1))

    def _read_codes(self, last: Tensor) -> list[Tensor]:
        return list(_rows(self._fast.output, _each(self._fast.norm, last)))

    def _extend(self, wanted: Sequence[Pass], rows: Tensor, columns: int) -> Tensor:
        kind, caches = type(wanted[0]), [each.cache for each in wanted]
        shared = self._shared.get(kind)
        if shared is None or not shared.is_for(caches):
            stack = self._slow.compiled if kind is NextFrame else self._fast.compiled
            assert stack is not None
            shared = self._shared[kind] = stack.shared(caches, columns)
        return shared.extend(rows)


def _each(module: Callable[[Tensor], Tensor], rows: Tensor) -> Tensor:
    """A part that torch computes, row by row: its sums may depend on the number of rows."""
    return torch.stack([module(row) for row in rows])


def _rows(module: nn.Module, rows: Tensor) -> Tensor:
    """All rows at once where a kernel multiplies them, whose columns keep to themselves."""
    if isinstance(module, QuantLinear) and module.kernel is not None:
        product: Tensor = module(rows)
        return product
    return _each(module, rows)
