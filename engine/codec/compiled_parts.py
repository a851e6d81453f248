"""What the compiled decoder and encoder are made of: convolutions, snakes, stages of a program."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import cast

import numpy as np
from torch import Tensor

from engine.codec.layers import (
    SNAKE_FLOOR,
    CausalConv1d,
    CausalTransposedConv1d,
    ResidualUnit,
    Snake,
    StridedConv1d,
)
from engine.gguf.packed_linear import PackedOp, PackedWeight, append, row_values
from engine.kernels.pool import KernelPool
from engine.kernels.program import Program

# Numbers of rows for which arrays and steps are kept; streams push in one or two sizes.
KEPT = 4
# Weights of more values than this stay float16 where the file has that: reading them is what
# takes time.
_HALF_VALUES = 3 << 20


class Conv:
    """A convolution's packed weight, its bias, and how far apart its taps are."""

    def __init__(
        self, part: CausalConv1d | CausalTransposedConv1d | StridedConv1d, pool: KernelPool
    ) -> None:
        weight = part.conv.weight.detach()
        if isinstance(part, CausalTransposedConv1d):
            # (in, out, kernel) -> an input's own outputs first, then what it adds to the next's.
            taps = weight.unflatten(2, (-1, part.stride)).permute(2, 0, 3, 1)
            self.spacing, self.inputs = -1, weight.shape[0]
        else:
            taps = weight.permute(2, 1, 0).unsqueeze(2)
            self.spacing = 1 if isinstance(part, StridedConv1d) else part.dilation
            self.inputs = weight.shape[1]
        self.reach = (taps.shape[0] - 1) * self.spacing
        if isinstance(part, StridedConv1d):
            self.reach = part.reach
        self.panels = self._panels(taps.float() if weight.numel() < _HALF_VALUES else taps, pool)
        assert part.conv.bias is not None
        self.bias = self.panels.vector(part.conv.bias)

    def _panels(self, taps: Tensor, pool: KernelPool) -> PackedWeight:
        return PackedWeight(taps, pool.library.isa)


class Wave:
    """A snake's vectors, filled up to the columns of the convolution in front of it."""

    def __init__(self, snake: Snake, before: Conv) -> None:
        alpha = snake.alpha.detach().flatten()
        self.alpha = before.panels.vector(alpha)
        self.inverse = before.panels.vector((alpha + SNAKE_FLOOR).reciprocal())


class Unit:
    """A residual unit: snake (of the part before), convolution, snake, convolution."""

    def __init__(self, unit: ResidualUnit, before: Conv, pool: KernelPool) -> None:
        first, dilated, second, pointwise = unit.block
        self.first = Wave(cast(Snake, first), before)
        self.dilated = Conv(cast(CausalConv1d, dilated), pool)
        self.second = Wave(cast(Snake, second), self.dilated)
        self.pointwise = Conv(cast(CausalConv1d, pointwise), pool)


Target = tuple[np.ndarray, Wave]


class Stage:
    """A program for some rows, its arrays, and where states go in and come out.

    Attributes:
        begin: input rows, to be filled before a run.
        end: rows that a run leaves.
    """

    def __init__(self, pool: KernelPool, rows: int) -> None:
        self._program = Program(pool, 1)
        self._rows = rows
        self._states: list[tuple[np.ndarray, np.ndarray]] = []
        self.begin = self.end = np.empty((0, 0), np.float32)

    def run(self, x: np.ndarray, states: Sequence[np.ndarray]) -> np.ndarray:
        """Work on rows ``x``; the result is valid until the next run."""
        self.begin[: self._rows, : x.shape[1]] = x
        for (place, _), state in zip(self._states, states, strict=True):
            place[:, : state.shape[1]] = state
        self._program.run()
        for (_, place), state in zip(self._states, states, strict=True):
            state[:] = place[:, : state.shape[1]]
        return self.end

    def array(self, rows: int, conv: Conv) -> np.ndarray:
        """Room for the results of a convolution, or for rows as wide."""
        panels = conv.panels
        return self._program.array(rows, row_values(panels.outputs, panels.width))

    def history(self, conv: Conv, rows: int) -> np.ndarray:
        """Room for the inputs of a convolution, its history in front; that is a state."""
        width = row_values(conv.inputs, conv.panels.width)
        made = self._program.array(conv.reach + rows, width)
        self._states.append((made[: conv.reach], made[rows : rows + conv.reach]))
        if not self.begin.size:
            self.begin = made[conv.reach :]
        return made

    def samples(self, reach: int, rows: int, depth: int) -> np.ndarray:
        """Room for single samples behind ``reach`` others, a state: as rows of ``depth`` each."""
        made = self._program.array(reach + rows + depth)
        self._states.append((made[:reach, None], made[rows : rows + reach, None]))
        self.begin = made[reach:, None]
        return np.lib.stride_tricks.as_strided(made, (rows, depth), (4, 4))

    def conv(
        self,
        conv: Conv,
        source: np.ndarray,
        rows: int,
        *,
        out: np.ndarray | None = None,
        snake: Target | None = None,
        add: np.ndarray | None = None,
        tap_bytes: int | None = None,
    ) -> None:
        """Append a convolution of ``rows`` rows of results."""
        to, wave = (None, None) if snake is None else snake
        op = PackedOp(
            conv.panels, source, rows, conv.spacing, out, add, 0 if add is None else rows,
            conv.bias, to, None if wave is None else wave.alpha,
            None if wave is None else wave.inverse, tap_bytes=tap_bytes,
        )  # fmt: skip
        append(self._program, op)


class Stages(OrderedDict[int, Stage]):
    """Stages by their number of rows, of which a few are kept."""

    def of(self, rows: int, make: Callable[[int], Stage]) -> Stage:
        """The stage for so many rows."""
        if rows not in self:
            while len(self) >= KEPT:
                self.popitem(last=False)
            self[rows] = make(rows)
        self.move_to_end(rows)
        return self[rows]
