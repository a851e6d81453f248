"""Typed state of the stateful layers: what a causal layer must remember (spec 04, section 8).

A layer makes its state with ``new_state()``, reads and updates it in place in
``forward(x, state)``, and keeps nothing on itself; so one set of weights serves any number of
streams, and tensors keep their addresses from call to call. Containers nest the states of
their parts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import TypeVar

import torch
from torch import Tensor

S = TypeVar("S", bound="State")


def zeros_like_state(weight: Tensor, *shape: int) -> Tensor:
    """Zeros for a state: where a weight is, and float32 or wider even if that is stored."""
    return weight.new_zeros(shape, dtype=torch.promote_types(weight.dtype, torch.float32))


@dataclass(slots=True)
class State:
    """Base: walks tensors, nested states and tuples of nested states of a dataclass."""

    def reset(self) -> None:
        """Back to the start of a stream, in place."""
        for f in fields(self):
            value = getattr(self, f.name)
            if isinstance(value, Tensor):
                value.zero_()
        for child in self._children():
            child.reset()

    def elements(self) -> int:
        """Numbers that the stream remembers now (scratch room of buffers not counted)."""
        own = (getattr(self, f.name) for f in fields(self))
        return sum(v.numel() for v in own if isinstance(v, Tensor)) + sum(
            child.elements() for child in self._children()
        )

    def _children(self) -> Iterator[State]:
        for f in fields(self):
            value = getattr(self, f.name)
            for item in value if isinstance(value, tuple) else (value,):
                if isinstance(item, State):
                    yield item


@dataclass(slots=True)
class HistoryState(State):
    """Last inputs of a convolution.

    Attributes:
        history: ``(batch, rows, channels)``; zeros at the start, which is the left padding.
    """

    history: Tensor


@dataclass(slots=True)
class TailState(State):
    """Outputs that a transposed convolution owes to the next input, without the bias.

    Attributes:
        tail: ``(batch, stride, channels)``; zeros at the start.
    """

    tail: Tensor


@dataclass(slots=True)
class AttentionState(State):
    """Keys and values that later queries may still see.

    The live rows are ``start:end`` of buffers that hold more rows than needed, so that a push
    appends without moving the past; the rows move to the front only when the room is used up.

    Attributes:
        keys, values: ``(batch, heads, capacity, head_dim)``; keys are already rotated.
        keep: rows worth keeping, the window less one.
        start, end: live rows.
    """

    keys: Tensor
    values: Tensor
    keep: int
    start: int = 0
    end: int = 0

    def reset(self) -> None:
        self.start = self.end = 0

    def elements(self) -> int:
        batch, heads, _, width = self.keys.shape
        return 2 * batch * heads * (self.end - self.start) * width

    def extend(self, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
        """Append the rows of a chunk; return all live rows, the chunk's included.

        The returned views stay valid until the next call.
        """
        rows, capacity = keys.shape[2], self.keys.shape[2]
        if self.end - self.start + rows > capacity:
            return self._extend_beyond(keys, values)
        if self.end + rows > capacity:
            self._move_to_front()
        new = slice(self.end, self.end + rows)
        self.keys[:, :, new] = keys
        self.values[:, :, new] = values
        live = slice(self.start, new.stop)
        self.end = new.stop
        self.start = max(self.start, self.end - self.keep)
        return self.keys[:, :, live], self.values[:, :, live]

    def _move_to_front(self) -> None:
        live = slice(self.start, self.end)
        count = self.end - self.start
        # Source and target may overlap, hence the copies.
        self.keys[:, :, :count] = self.keys[:, :, live].clone()
        self.values[:, :, :count] = self.values[:, :, live].clone()
        self.start, self.end = 0, count

    def _extend_beyond(self, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
        live = slice(self.start, self.end)
        keys = torch.cat([self.keys[:, :, live], keys], 2)
        values = torch.cat([self.values[:, :, live], values], 2)
        count = min(self.keep, keys.shape[2])
        first = keys.shape[2] - count
        self.keys[:, :, :count] = keys[:, :, first:]
        self.values[:, :, :count] = values[:, :, first:]
        self.start, self.end = 0, count
        return keys, values


@dataclass(slots=True)
class TransformerState(State):
    """Attention caches of all layers and the absolute position of the next input."""

    layers: tuple[AttentionState, ...]
    position: int = 0

    def reset(self) -> None:
        self.position = 0
        for layer in self.layers:
            layer.reset()


@dataclass(slots=True)
class SequenceState(State):
    """States of parts that run one after the other; ``None`` for a part without state."""

    parts: tuple[State | None, ...]
