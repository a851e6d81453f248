"""Causal building blocks of the codec (spec 04, sections 2 and 8.1).

All tensors are time-major, ``(batch, time, channels)``. Every stateful layer has one
``forward(x, state=None)`` for both uses: with a state the input continues a stream, without
one it is a whole sequence whose past is empty. Parameter names equal the tensor names of the
model file, so that the same modules load it and can be trained.
"""

from __future__ import annotations

from collections.abc import Iterable

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from engine.codec import ops
from engine.codec.state import HistoryState, SequenceState, State, TailState, zeros_like_state

SNAKE_FLOOR = 1e-9


def with_history(x: Tensor, rows: int, state: HistoryState | None) -> Tensor:
    """``x`` behind its ``rows`` last predecessors (zeros at the start); updates the state."""
    if rows == 0:
        return x
    if state is None:
        return F.pad(x, (0, 0, rows, 0))
    joined = torch.cat([state.history, x], 1)
    state.history.copy_(joined[:, -rows:])
    return joined


class Snake(nn.Module):
    """``x + sin^2(alpha x) / (alpha + 1e-9)``, alpha per channel, of any sign."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.alpha = nn.Parameter(torch.ones(1, channels, 1))

    def forward(self, x: Tensor) -> Tensor:
        """``(batch, time, channels)``, any float dtype, to the same."""
        alpha = self.alpha.flatten()
        inverse = (alpha + SNAKE_FLOOR).reciprocal()
        if torch.is_grad_enabled():
            return x + torch.sin(alpha * x).square() * inverse
        wave = torch.mul(x, alpha).sin_().square_()
        return torch.addcmul(x, wave, inverse, out=wave)


class CausalConv1d(nn.Module):
    """Convolution of stride 1 that sees ``(kernel - 1) * dilation`` past inputs."""

    def __init__(
        self, inputs: int, outputs: int, kernel: int, dilation: int = 1, depthwise: bool = False
    ) -> None:
        super().__init__()
        groups = inputs if depthwise else 1
        self.conv = nn.Conv1d(inputs, outputs, kernel, dilation=dilation, groups=groups)
        self.depthwise = depthwise
        self.inputs = inputs
        self.dilation = dilation
        self.reach = (kernel - 1) * dilation

    def new_state(self, batch: int = 1) -> HistoryState:
        """Zeros in front of the first input."""
        return HistoryState(zeros_like_state(self.conv.weight, batch, self.reach, self.inputs))

    def forward(self, x: Tensor, state: HistoryState | None = None) -> Tensor:
        """``(batch, time, in)`` to ``(batch, time, out)``, float32 or float16."""
        x = with_history(x, self.reach, state)
        weight, bias = self.conv.weight.to(x.dtype), self.conv.bias
        assert bias is not None
        if self.depthwise:
            return ops.conv_depthwise(x, weight, bias)
        return ops.conv(x, weight, bias, self.dilation)


class StridedConv1d(nn.Module):
    """Down-sampling convolution, kernel equal to the stride or twice the stride.

    The last partial step is completed with zeros; with a state the chunk must consist of whole
    steps.
    """

    def __init__(self, inputs: int, outputs: int, kernel: int, stride: int) -> None:
        super().__init__()
        self.conv = nn.Conv1d(inputs, outputs, kernel, stride=stride)
        self.inputs, self.stride, self.reach = inputs, stride, kernel - stride

    def new_state(self, batch: int = 1) -> HistoryState:
        """Zeros in front of the first input."""
        return HistoryState(zeros_like_state(self.conv.weight, batch, self.reach, self.inputs))

    def forward(self, x: Tensor, state: HistoryState | None = None) -> Tensor:
        """``(batch, time, in)`` to ``(batch, time / stride, out)``; whole strides only."""
        missing = -x.shape[1] % self.stride
        if missing and state is not None:
            raise ValueError(f"a chunk must be a multiple of {self.stride} steps")
        if missing:
            x = F.pad(x, (0, 0, 0, missing))
        x = with_history(x, self.reach, state)
        assert self.conv.bias is not None
        return ops.conv_strided(x, self.conv.weight.to(x.dtype), self.conv.bias, self.stride)


class CausalTransposedConv1d(nn.Module):
    """Up-sampling convolution, kernel equal to the stride or twice the stride.

    What falls behind the last output is cut off, or kept in the state for the next chunk. The
    bias is added to each output once and never stands in that tail.
    """

    def __init__(self, inputs: int, outputs: int, kernel: int, stride: int) -> None:
        super().__init__()
        self.conv = nn.ConvTranspose1d(inputs, outputs, kernel, stride=stride)
        self.outputs, self.stride, self.overlap = outputs, stride, kernel - stride

    def new_state(self, batch: int = 1) -> TailState:
        """A tail of zeros."""
        return TailState(zeros_like_state(self.conv.weight, batch, self.overlap, self.outputs))

    def forward(self, x: Tensor, state: TailState | None = None) -> Tensor:
        """``(batch, time, in)`` to ``(batch, time * stride, out)``."""
        tail = None if state is None else state.tail
        y, rest = ops.conv_transposed(x, self.conv.weight.to(x.dtype), self.stride, tail)
        if state is not None:
            state.tail.copy_(rest)
        assert self.conv.bias is not None
        return y + self.conv.bias if torch.is_grad_enabled() else y.add_(self.conv.bias)


class ResidualUnit(nn.Module):
    """``x + conv1(snake(conv7(snake(x))))``; the skip path needs no state."""

    def __init__(self, channels: int, dilation: int) -> None:
        super().__init__()
        self.block = nn.ModuleList(
            [
                Snake(channels),
                CausalConv1d(channels, channels, 7, dilation),
                Snake(channels),
                CausalConv1d(channels, channels, 1),
            ]
        )

    def new_state(self, batch: int = 1) -> HistoryState:
        """State of the dilated convolution."""
        dilated = self.block[1]
        assert isinstance(dilated, CausalConv1d)
        return dilated.new_state(batch)

    def forward(self, x: Tensor, state: HistoryState | None = None) -> Tensor:
        """``(batch, time, channels)`` to the same."""
        snake, dilated, second, pointwise = self.block
        y: Tensor = pointwise(second(dilated(snake(x), state)))
        return x + y if torch.is_grad_enabled() else y.add_(x)


class ConvNeXtBlock(nn.Module):
    """Depthwise convolution and a two-layer network per time step, added to the input."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.dwconv = CausalConv1d(channels, channels, 7, depthwise=True)
        self.norm = nn.LayerNorm(channels, eps=1e-6)
        self.pwconv1 = nn.Linear(channels, 4 * channels)
        self.pwconv2 = nn.Linear(4 * channels, channels)
        self.gamma = nn.Parameter(torch.ones(channels))

    def new_state(self, batch: int = 1) -> HistoryState:
        """State of the depthwise convolution."""
        return self.dwconv.new_state(batch)

    def forward(self, x: Tensor, state: HistoryState | None = None) -> Tensor:
        """``(batch, time, channels)`` to the same."""
        y = F.gelu(self.pwconv1(self.norm(self.dwconv(x, state))))
        result: Tensor = x + self.gamma * self.pwconv2(y)
        return result


class Sequence(nn.ModuleList):
    """Modules that run one after the other, with a joint state; named by their index."""

    def new_state(self, batch: int = 1) -> SequenceState:
        """States of the parts that have one."""
        return SequenceState(tuple(_state_of(part, batch) for part in self))

    def forward(self, x: Tensor, state: SequenceState | None = None) -> Tensor:
        """``(batch, time, channels)`` of the first part to that of the last."""
        for i, part in enumerate(self):
            x = run(part, x, None if state is None else state.parts[i])
        return x


def _state_of(part: nn.Module, batch: int) -> State | None:
    make = getattr(part, "new_state", None)
    return None if make is None else make(batch)


def run(part: nn.Module, x: Tensor, state: State | None) -> Tensor:
    """Apply a part that may or may not have a state."""
    y: Tensor = part(x) if state is None else part(x, state)
    return y


def run_in_tiles(parts: Iterable[tuple[nn.Module, State | None]], x: Tensor, rows: int) -> Tensor:
    """Apply stateful parts to one piece of ``rows`` steps after the other.

    The states make this exact. A piece is small enough for its activations to stay in the
    processor's cache from part to part.
    """
    steps = list(parts)
    pieces = []
    for piece in x.split(rows, 1):
        for part, state in steps:
            piece = run(part, piece, state)
        pieces.append(piece)
    return pieces[0] if len(pieces) == 1 else torch.cat(pieces, 1)


def packed(part: nn.Module, weight: Tensor) -> Tensor:
    """A weight of ``part`` in the order that products like best.

    Only the order in memory changes, not a shape or a value.
    """
    if isinstance(part, nn.Linear):
        return ops.pack_linear(weight)
    if isinstance(part, nn.ConvTranspose1d):
        return ops.pack_transposed(weight)
    if isinstance(part, nn.Conv1d) and part.groups == 1:
        return ops.pack_conv(weight)
    return weight
