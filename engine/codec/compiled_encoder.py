"""The waveform encoder's convolutions as compiled steps, as ``compiled_decoder`` has them.

They run up to the strided convolution in front of the first transformer, which with all that
follows works on few steps. States are those of the modules.
"""

from __future__ import annotations

from typing import cast

import numpy as np
import torch
from torch import Tensor

from engine.codec.compiled_parts import Conv, Stage, Stages, Unit, Wave
from engine.codec.encoder import EncoderBlock
from engine.codec.layers import CausalConv1d, ResidualUnit, Snake, StridedConv1d, run
from engine.codec.layers import Sequence as Layers
from engine.codec.state import HistoryState, SequenceState
from engine.gguf.packed_linear import PackedWeight
from engine.kernels.pool import KernelPool

# Latent steps that are worked on at once: as much as a cache of some megabytes holds.
STEPS = 16


class _First(Conv):
    """The convolution of single samples: its taps are one row of samples that follow."""

    def _panels(self, taps: Tensor, pool: KernelPool) -> PackedWeight:
        return PackedWeight(taps.permute(1, 0, 2, 3), pool.library.isa)


class _Block:
    """Residual units, and the snake and the strided convolution behind them."""

    def __init__(self, block: EncoderBlock, before: Conv, pool: KernelPool) -> None:
        *units, snake, down = block.block[:5]
        self.units = [Unit(cast(ResidualUnit, unit), before, pool) for unit in units]
        self.wave = Wave(cast(Snake, snake), self.units[-1].pointwise)
        self.stride = cast(StridedConv1d, down).stride
        self.down = Conv(cast(StridedConv1d, down), pool)


class CompiledEncoder:
    """Compiled convolutions of one weight set; programs are made for each number of samples."""

    def __init__(self, parts: Layers, pool: KernelPool) -> None:
        """``parts`` is the ``block`` of an encoder on the CPU; its weights are copied."""
        self._pool, self._parts = pool, parts
        self._first = _First(cast(CausalConv1d, parts[0]), pool)
        self._blocks: list[_Block] = []
        before: Conv = self._first
        self._hop = 1
        for part in parts:
            if isinstance(part, EncoderBlock):
                self._blocks.append(_Block(part, before, pool))
                before, self._hop = self._blocks[-1].down, self._hop * self._blocks[-1].stride
                if len(part.block) > 5:
                    break
        self._stages = Stages()

    def __call__(self, pcm: Tensor, state: SequenceState) -> Tensor:
        """Samples float32 ``(1, samples, 1)``, whole hops, to ``(1, steps, latent)``."""
        count = 1 + len(self._blocks)
        histories = [one.history[0].numpy() for one in _histories(state, count)]
        width, pieces = self._blocks[-1].down.panels.outputs, []
        for piece in pcm[0].split(STEPS * self._hop):
            rows = self._stages.of(len(piece), self._stage).run(piece.numpy(), histories)
            pieces.append(torch.from_numpy(rows[:, :width].copy()))
        x = torch.cat(pieces)[None]
        last = cast(EncoderBlock, self._parts[count - 1])
        behind = cast(SequenceState, state.parts[count - 1])
        steps = [*zip(last.block[5:], behind.parts[5:], strict=True)]
        for part, part_state in [
            *steps,
            *zip(self._parts[count:], state.parts[count:], strict=True),
        ]:
            x = run(part, x, part_state)
        return x

    def _stage(self, rows: int) -> Stage:
        stage = Stage(self._pool, rows)
        x, inner = self._samples(stage, rows)
        for number, block in enumerate(self._blocks):
            middle = stage.array(rows, block.units[0].dilated)
            for unit, following in zip(block.units, [*block.units[1:], None], strict=True):
                stage.conv(unit.dilated, inner, rows, snake=(middle, unit.second))
                after, wave, out = block.down, block.wave, None
                if following is not None:
                    after, wave, out = following.dilated, following.first, x
                inner = stage.history(after, rows)
                target = (inner[-rows:], wave)
                stage.conv(unit.pointwise, middle, rows, out=out, snake=target, add=x)
            source, rows = inner, rows // block.stride
            x, snake = stage.array(rows, block.down), None
            if number + 1 < len(self._blocks):
                unit = self._blocks[number + 1].units[0]
                inner = stage.history(unit.dilated, rows)
                snake = (inner[-rows:], unit.first)
            stage.conv(
                block.down, source[:: block.stride], rows, out=x, snake=snake,
                tap_bytes=source.strides[0],
            )  # fmt: skip
        stage.end = x
        return stage

    def _samples(self, stage: Stage, rows: int) -> tuple[np.ndarray, np.ndarray]:
        """Append the first convolution: its results, and their snakes for the first unit."""
        first, unit = self._first, self._blocks[0].units[0]
        taken = stage.samples(first.reach, rows, first.panels.depth)
        x = stage.array(rows, first)
        inner = stage.history(unit.dilated, rows)
        stage.conv(first, taken, rows, out=x, snake=(inner[-rows:], unit.first))
        return x, inner


def _histories(state: SequenceState, count: int) -> list[HistoryState]:
    """Histories of the first parts, in the order of the convolutions."""
    found: list[HistoryState] = []
    for part in state.parts[:count]:
        inner = part.parts if isinstance(part, SequenceState) else (part,)
        found += [one for one in inner if isinstance(one, HistoryState)]
    return found
