"""The waveform decoder as compiled steps on fixed arrays: the fast path on the CPU.

What :class:`engine.codec.decoder.Decoder` does with tensor operations is here a list of
convolutions for one number of rows. Each writes straight into the next one's input, behind the
history that stands there, with the snake between them applied on the way; nothing is unfolded,
joined or copied between layers. Numbers are those of the modules up to float32 rounding, and
the state is the same, so a stream may go on with either.
"""

from __future__ import annotations

from typing import cast

import numpy as np
import torch
from torch import Tensor

from engine.codec.compiled_parts import Conv, Stage, Stages, Unit, Wave
from engine.codec.decoder import DecoderBlock
from engine.codec.layers import CausalConv1d, CausalTransposedConv1d, ResidualUnit, Snake
from engine.codec.layers import Sequence as Layers
from engine.codec.state import HistoryState, SequenceState, TailState
from engine.gguf.packed_linear import PackedOp, append, row_values
from engine.kernels.pool import KernelPool

# Latent steps that the first convolution and the first block take at once, and the other blocks:
# the former have large weights, which are best read for many rows, the latter large
# activations, which are best kept near.
FIRST_STEPS, LATER_STEPS = 64, 16


class _Up(Conv):
    """A transposed convolution: one that makes several rows of each."""


class _Block:
    """A decoder block; its first snake belongs to the part before."""

    def __init__(self, block: DecoderBlock, before: Conv, pool: KernelPool) -> None:
        snake, up, *units = block.block
        self.first = Wave(cast(Snake, snake), before)
        self.up = _Up(cast(CausalTransposedConv1d, up), pool)
        self.units = [Unit(cast(ResidualUnit, unit), self.up, pool) for unit in units]

    @property
    def last(self) -> Conv:
        return self.units[-1].pointwise


class CompiledDecoder:
    """Compiled decoders of one weight set; programs are made for each number of rows."""

    def __init__(self, model: Layers, pool: KernelPool) -> None:
        """``model`` is the ``model`` of a decoder on the CPU; its weights are copied."""
        first, *blocks, snake, last = model
        self._pool = pool
        self._first = Conv(cast(CausalConv1d, first), pool)
        self._blocks: list[_Block] = []
        before = self._first
        for block in blocks:
            self._blocks.append(_Block(cast(DecoderBlock, block), before, pool))
            before = self._blocks[-1].last
        self._wave = Wave(cast(Snake, snake), before)
        self._last = Conv(cast(CausalConv1d, last), pool)
        self._head, self._rest = Stages(), Stages()

    def __call__(self, x: Tensor, state: SequenceState) -> Tensor:
        """``(steps, latent)`` to samples ``(steps * rates,)`` before the tanh."""
        head, rest = self._states(state)
        pieces = []
        for piece in x.split(FIRST_STEPS):
            stage = self._head.of(len(piece), self._head_of)
            rows = stage.run(piece.numpy(), head)
            ratio = len(rows) // len(piece)
            for start in range(0, len(rows), LATER_STEPS * ratio):
                part = rows[start : start + LATER_STEPS * ratio]
                later = self._rest.of(len(part), self._rest_of)
                pieces.append(torch.from_numpy(later.run(part, rest)[:, 0].copy()))
        return pieces[0] if len(pieces) == 1 else torch.cat(pieces)

    def _states(self, state: SequenceState) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """Arrays of the state in the order in which the stages read them."""
        arrays: list[list[np.ndarray]] = []
        for part in state.parts:
            inner = part.parts if isinstance(part, SequenceState) else (part,)
            found = []
            for one in inner:
                if isinstance(one, HistoryState):
                    found.append(one.history[0].numpy())
                elif isinstance(one, TailState):
                    found.append(one.tail[0].numpy())
            arrays.append(found)
        return [*arrays[0], *arrays[1]], [a for found in arrays[2:] for a in found]

    def _head_of(self, rows: int) -> Stage:
        stage = _Decoding(self._pool, rows)
        source = stage.history(self._first, rows)
        block = self._blocks[0]
        room = stage.room(rows, block.up)
        stage.conv(self._first, source, rows, snake=(room[1:], block.first))
        stage.end = stage.block(block, room, rows, self._blocks[1].first, None)
        return stage

    def _rest_of(self, rows: int) -> Stage:
        stage = _Decoding(self._pool, rows)
        room = stage.room(rows, self._blocks[1].up)
        stage.begin = room[1:]
        for block, after in zip(self._blocks[1:], self._blocks[2:], strict=False):
            room = stage.block(block, room, rows, after.first, after.up)
            rows *= block.up.panels.groups
        block = self._blocks[-1]
        source = stage.block(block, room, rows, self._wave, self._last)
        rows *= block.up.panels.groups
        out = stage.array(rows, self._last)
        stage.conv(self._last, source, rows, out=out)
        stage.end = out
        return stage


class _Decoding(Stage):
    """A stage with the blocks of the decoder."""

    def room(self, rows: int, up: _Up) -> np.ndarray:
        """Room for the inputs of a transposed convolution between two rows of zeros.

        Behind them stands nothing of the last chunk, for what its last input leaves is in the
        tail; and before nothing comes, so that the last input's tail comes out.
        """
        return self._program.array(rows + 2, row_values(up.inputs, up.panels.width))

    def block(
        self, block: _Block, source: np.ndarray, rows: int, wave: Wave, after: Conv | None
    ) -> np.ndarray:
        """Append a decoder block; returns where its snaked results are, as ``after`` wants it.

        ``after`` is the next block's transposed convolution, the last convolution, or ``None``
        for plain rows.
        """
        up, groups = block.up, block.up.panels.groups
        tail_in, tail_out = self.array(groups, up), self.array(groups, up)
        self._states.append((tail_in, tail_out))
        results = rows * groups
        x = self.array(results, up)
        inner = self.history(block.units[0].dilated, results)
        first = block.units[0].first
        op = PackedOp(
            up.panels, source[1:], rows + 1, up.spacing, x, tail_in, 1, up.bias,
            inner[-results:], first.alpha, first.inverse, tail_out,
        )  # fmt: skip
        append(self._program, op)
        middle = self.array(results, up)
        for unit, following in zip(block.units, [*block.units[1:], None], strict=True):
            self.conv(unit.dilated, inner, results, snake=(middle, unit.second))
            if following is not None:
                inner = self.history(following.dilated, results)
                target = (inner[-results:], following.first)
                self.conv(unit.pointwise, middle, results, out=x, snake=target, add=x)
            else:
                end, to = self._end(after, results, up)
                self.conv(unit.pointwise, middle, results, snake=(to, wave), add=x)
        return end

    def _end(self, after: Conv | None, rows: int, up: Conv) -> tuple[np.ndarray, np.ndarray]:
        """Room for what follows a block, and its rows for the block's results."""
        if after is None:
            made = self.array(rows, up)
            return made, made
        if isinstance(after, _Up):
            made = self.room(rows, after)
            return made, made[1:]
        made = self.history(after, rows)
        return made, made[-rows:]
