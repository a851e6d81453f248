"""Plain weights in the order that the kernel of :mod:`engine.kernels.packed` reads.

A :class:`PackedWeight` is a copy of one weight, float32 or, where the file has that, float16: half
the memory, and half the reading where few rows meet a large weight. A :class:`PackedOp`
says what a product or convolution reads and writes; :func:`tasks_of` divides it into tasks, the
same for any number of threads.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from engine.kernels import packed as kernel
from engine.kernels import work_queue
from engine.kernels.ir import Isa
from engine.kernels.pool import KernelPool
from engine.kernels.program import Program, aligned

# Bytes of input rows that tasks with the same panel share: they, a panel and their results
# should stay in a second-level cache together.
_CHUNK_BYTES = 160 << 10
# Products for each thread below which waking it, and waiting for it on a busy machine, costs more
# than it saves: some 30 us.
_THREAD_PRODUCTS = 2 << 20
# Rows of arrays get this many more values than they need: rows a power of two apart would all
# fall into the same places of the first-level cache.
_APART = 16


def _up(value: int, step: int) -> int:
    return -(-value // step) * step


class PackedWeight:
    """A weight as panels.

    Attributes:
        inputs, outputs: values of an input row, and of a result.
        taps: rows of input that one result needs.
        groups: results of one input row, which follow each other as rows; 1 but for
            up-sampling.
        padded: outputs, filled up with zeros to whole panels.
        half: stored as float16.
        step: bytes of a panel.
    """

    def __init__(self, weight: Tensor, isa: Isa) -> None:
        """``weight`` is float32 or float16 ``(taps, inputs, groups, outputs)``, any strides."""
        self.taps, self.inputs, self.groups, self.outputs = weight.shape
        width = kernel.packed_shape(isa).width
        self.width, self.depth = width, _up(self.inputs, kernel.UNROLL)
        self.padded = _up(self.outputs, width)
        self.half = weight.dtype == torch.float16
        blocks = self.groups * self.padded // width
        kind = np.float16 if self.half else np.float32
        values = self.taps * self.depth * width
        self.step = values * np.dtype(kind).itemsize
        self.memory = aligned(blocks * self.step // 4).view(kind)
        to = torch.from_numpy(self.memory).view(
            self.groups, self.padded // width, self.taps, self.depth, width
        )
        given = weight.permute(2, 3, 0, 1)  # (groups, outputs, taps, inputs)
        whole = self.outputs // width
        if whole:
            cut = given[:, : whole * width].unflatten(1, (whole, width))
            to[:, :whole, :, : self.inputs] = cut.permute(0, 1, 3, 4, 2)
        if rest := self.outputs - whole * width:
            last = given[:, whole * width :].permute(0, 2, 3, 1)
            to[:, whole, :, : self.inputs, :rest] = last

    @property
    def blocks(self) -> int:
        """How many panels there are."""
        return self.groups * self.padded // self.width

    def vector(self, values: Tensor) -> np.ndarray:
        """A float32 vector of ``outputs`` values, filled up to whole panels with zeros."""
        made = aligned(self.padded)
        made[: self.outputs] = values.detach().float().flatten().numpy()
        return made


def row_values(values: int, width: int) -> int:
    """Values from row to row for arrays that hold rows of ``values``."""
    return _up(values, width) + _APART


@dataclass(slots=True)
class PackedOp:
    """One product or convolution on arrays ``(rows, row_values)`` of float32.

    Attributes:
        panels: the weight.
        source: input rows, from that of the first result's first tap on.
        rows: input rows that are worked on.
        spacing: rows from tap to tap; below 0 the later taps read rows before.
        out: receives the results, ``panels.groups`` rows for each input row.
        add: what is added first, to the results of the first ``add_rows`` input rows.
        bias: ``panels.padded`` values, added next.
        snake, alpha, inverse: receives ``y + sin(alpha y)^2 * inverse``, beside or instead of
            ``out``.
        tail: receives the results of the last input row as they are before the bias, instead of
            the others.
        tap_bytes: from tap to tap, where that is no whole number of rows of ``source``.
    """

    panels: PackedWeight
    source: np.ndarray
    rows: int
    spacing: int = 1
    out: np.ndarray | None = None
    add: np.ndarray | None = None
    add_rows: int = 0
    bias: np.ndarray | None = None
    snake: np.ndarray | None = None
    alpha: np.ndarray | None = None
    inverse: np.ndarray | None = None
    tail: np.ndarray | None = None
    tap_bytes: int | None = None

    @property
    def threads(self) -> int:
        """How many threads are worth their waking."""
        p = self.panels
        return 1 + self.rows * p.taps * p.depth * p.padded * p.groups // _THREAD_PRODUCTS

    def arrays(self) -> tuple[object, ...]:
        """What the addresses of the tasks point to."""
        return (
            self.panels, self.source, self.out, self.add, self.bias, self.snake, self.alpha,
            self.inverse, self.tail,
        )  # fmt: skip


def tasks_of(op: PackedOp, isa: Isa) -> np.ndarray:
    """Tasks int64 ``(tasks, TASK_WORDS)`` of an operation."""
    p = op.panels
    starts = np.arange(0, op.rows, _chunk(op, kernel.packed_shape(isa).rows), dtype=np.int64)
    counts = np.diff(np.append(starts, op.rows))
    tasks = np.zeros((len(starts), p.blocks, kernel.TASK_WORDS), np.int64)
    block = np.arange(p.blocks, dtype=np.int64)
    group, within = np.divmod(block, p.padded // p.width)
    column = 4 * p.width * within

    def set_rows(place: int, array: np.ndarray | None, groups: int) -> None:
        """Address and stride of an array with ``groups`` rows for each input row."""
        if array is None:
            return
        row = array.strides[0]
        tasks[:, :, place] = array.ctypes.data + starts[:, None] * (groups * row)
        if groups and place != kernel.T_A:
            tasks[:, :, place] += group * row + column
        tasks[:, :, place + 1] = groups * row

    def set_vector(place: int, array: np.ndarray | None) -> None:
        if array is not None:
            tasks[:, :, place] = array.ctypes.data + column

    set_rows(kernel.T_A, op.source, 1)
    set_rows(kernel.T_OUT, op.out, p.groups)
    set_rows(kernel.T_ADD, op.add, p.groups)
    set_rows(kernel.T_SNAKE, op.snake, p.groups)
    set_vector(kernel.T_BIAS, op.bias)
    set_vector(kernel.T_ALPHA, op.alpha)
    set_vector(kernel.T_INVERSE, op.inverse)
    tasks[:, :, kernel.T_ROWS] = counts[:, None]
    tasks[:, :, kernel.T_TAPS] = p.taps
    spaced = op.spacing * op.source.strides[0]
    tasks[:, :, kernel.T_TAP] = spaced if op.tap_bytes is None else op.tap_bytes
    tasks[:, :, kernel.T_DEPTH] = p.depth
    tasks[:, :, kernel.T_PANEL] = p.memory.ctypes.data + block * p.step
    if op.add is not None:
        tasks[:, :, kernel.T_ADD_ROWS] = np.maximum(op.add_rows - starts, 0)[:, None]
    tasks[:, :, kernel.T_TAIL_ROW] = -1
    if op.tail is not None:
        tasks[-1, :, kernel.T_TAIL_ROW] = counts[-1] - 1
        tasks[-1, :, kernel.T_TAIL] = op.tail.ctypes.data + group * op.tail.strides[0] + column
    return tasks.reshape(-1, kernel.TASK_WORDS)


def _chunk(op: PackedOp, most: int) -> int:
    """Input rows of a task: a multiple of what the registers take, as many as a cache holds."""
    return max(1, _CHUNK_BYTES // op.source.strides[0] // most) * most


def packed_function(pool: KernelPool, half: bool) -> int:
    """Address of the kernel over tasks."""
    name = "dense_half" if half else "dense_float"
    return pool.function(name, "product", lambda isa: kernel.build_packed(isa, half))


def segment_of(pool: KernelPool, tasks: np.ndarray, half: bool) -> np.ndarray:
    """The board's segment for tasks, one tile each."""
    words = np.zeros(work_queue.SEGMENT_BYTES // 8, np.int64)
    words[work_queue.END // 8] = words[work_queue.ROWS // 8] = len(tasks)
    words[work_queue.REST // 8], words[work_queue.W // 8] = (
        packed_function(pool, half),
        tasks.ctypes.data,
    )
    words[work_queue.ROW_BYTES // 8], words[work_queue.TILE_ROWS // 8] = kernel.TASK_BYTES, 1
    return words


def append(program: Program, op: PackedOp) -> None:
    """Make an operation the next step of a program."""
    tasks = tasks_of(op, program.pool.library.isa)
    program.keep(tasks, *op.arrays())
    segment = segment_of(program.pool, tasks, op.panels.half)
    program.tiles(segment, len(tasks), op.threads)


class PackedProduct:
    """``x @ W.T`` with a packed weight, for any number of rows."""

    def __init__(self, pool: KernelPool, panels: PackedWeight, bias: Tensor | None = None) -> None:
        self.pool, self.panels = pool, panels
        self._bias = None if bias is None else panels.vector(bias)

    def __call__(self, x: Tensor) -> Tensor:
        """float32 ``(rows, inputs)`` to ``(rows, groups * outputs)``, on the CPU."""
        p, rows = self.panels, x.shape[0]
        source = aligned(rows, row_values(p.inputs, p.width))
        source[:, : p.inputs] = x.numpy()
        out = aligned(rows * p.groups, p.padded)
        op = PackedOp(p, source, rows, out=out, bias=self._bias)
        tasks = tasks_of(op, self.pool.library.isa)
        self.pool.run_segment(segment_of(self.pool, tasks, p.half), len(tasks), op.threads)
        return torch.from_numpy(out[:, : p.outputs]).reshape(rows, -1)
