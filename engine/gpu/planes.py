"""Quantised matrices as a GPU reads them: the numbers of a GGUF block, sorted into planes.

A block mixes scales and numbers, and is 18 to 210 bytes long, so that threads that read one after
the other would read across each other. Here each kind of number has a plane of its own, rows of
which begin at multiples of 16 bytes where that matters. Nothing is rounded: a weight made from
planes has the bits of :func:`engine.gguf.dequant.dequantize`.

What a plane holds, for a row of K values:

- ``low``: half bytes as the file orders them, K/2 bytes, or whole signed bytes.
- ``high``: the fifth bits of Q5_K or the upper two of Q6_K, as the file orders them.
- ``scales``: small scales, without packing: for 64 values of Q4_K two pairs of scale and minimum.
- ``halves``: the float16 factors, one or two a block.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from engine.gguf.dequant import as_tensor, k_scales, q3_k_scales
from engine.gguf.linear import BlockMatrix
from engine.gguf.quant_types import QuantType, block_bytes
from engine.gpu.layouts import LAYOUT_OF, Layout, planes_bytes

_TILE_BYTES = 1 << 25

Parts = tuple[Tensor, ...]


def _nothing(blocks: Tensor) -> Tensor:
    return blocks[:, :0]


def _pairs(blocks: Tensor) -> Tensor:
    """Twelve bytes of Q4_K and Q5_K to eight pairs of scale and minimum."""
    return torch.stack(k_scales(blocks[:, 4:16]), -1).flatten(1)


def _q2_k(blocks: Tensor) -> Parts:
    """Numbers of two bits move into half bytes: 16 values low, the next 16 high."""
    quarters = blocks[:, 16:80].view(-1, 2, 1, 2, 16)
    shifts = torch.arange(0, 8, 2, dtype=torch.uint8, device=blocks.device)
    values = (quarters >> shifts.view(1, 1, 4, 1, 1)) & 3  # (n, half, plane, 16 values, 16)
    low = values[:, :, :, 0] | (values[:, :, :, 1] << 4)
    pairs = torch.stack((blocks[:, :16] & 15, blocks[:, :16] >> 4), -1)
    return low.flatten(1), _nothing(blocks), pairs.flatten(1), blocks[:, 80:]


def _q3_k(blocks: Tensor) -> Parts:
    """As Q6_K: the same scales of signed bytes, and numbers that are 28 greater."""
    shifts = torch.arange(0, 8, 2, dtype=torch.uint8, device=blocks.device)
    low = ((blocks[:, 32:96].view(-1, 2, 1, 32) >> shifts.view(1, 1, 4, 1)) & 3).flatten(1, 2)
    bits = torch.arange(8, dtype=torch.uint8, device=blocks.device)
    high = (blocks[:, None, :32] >> bits[:, None]) & 1
    values = (low | (high << 2)) + 28  # 28 to 35, and 32 stands for zero
    groups = values.view(-1, 2, 2, 64)  # halves of a block, of which the upper 64 go high
    packed = (groups[:, :, 0] & 15) | ((groups[:, :, 1] & 15) << 4)
    quarters = (values >> 4).view(-1, 2, 4, 32)
    tops = quarters[:, :, 0]
    for index in range(1, 4):
        tops = tops | (quarters[:, :, index] << (2 * index))
    scales = q3_k_scales(blocks[:, 96:108]).to(torch.int8).view(torch.uint8)
    return packed.flatten(1), tops.flatten(1), scales, blocks[:, 108:]


def _q4_k(blocks: Tensor) -> Parts:
    return blocks[:, 16:], _nothing(blocks), _pairs(blocks), blocks[:, :4]


def _q5_k(blocks: Tensor) -> Parts:
    return blocks[:, 48:], blocks[:, 16:48], _pairs(blocks), blocks[:, :4]


def _q6_k(blocks: Tensor) -> Parts:
    return blocks[:, :128], blocks[:, 128:192], blocks[:, 192:208], blocks[:, 208:]


def _q4_0(blocks: Tensor) -> Parts:
    return blocks[:, 2:], _nothing(blocks), _nothing(blocks), blocks[:, :2]


def _q5_0(blocks: Tensor) -> Parts:
    """As Q8_0: signed bytes."""
    nibbles = torch.cat((blocks[:, 6:] & 15, blocks[:, 6:] >> 4), 1)
    bits = torch.arange(8, dtype=torch.uint8, device=blocks.device)
    high = ((blocks[:, 2:6, None] >> bits) & 1).flatten(1)
    values = (nibbles | (high << 4)).view(torch.int8) - 16
    return values.view(torch.uint8), _nothing(blocks), _nothing(blocks), blocks[:, :2]


def _q8_0(blocks: Tensor) -> Parts:
    return blocks[:, 2:], _nothing(blocks), _nothing(blocks), blocks[:, :2]


_SORT: dict[int, Callable[[Tensor], Parts]] = {
    QuantType.Q2_K: _q2_k,
    QuantType.Q3_K: _q3_k,
    QuantType.Q4_K: _q4_k,
    QuantType.Q5_K: _q5_k,
    QuantType.Q6_K: _q6_k,
    QuantType.Q4_0: _q4_0,
    QuantType.Q5_0: _q5_0,
    QuantType.Q8_0: _q8_0,
}


@dataclass(frozen=True, slots=True, eq=False)
class Planes:
    """A matrix in planes, all on one device.

    Attributes:
        layout: what the planes hold.
        rows, row_length: of the matrix.
        parts: uint8 ``(rows, bytes)``: low, high, scales, halves; empty where a layout has none.
    """

    layout: Layout
    rows: int
    row_length: int
    parts: Parts

    @property
    def nbytes(self) -> int:
        return sum(part.nbytes for part in self.parts)

    @property
    def device(self) -> torch.device:
        return self.parts[0].device


def make_planes(matrix: BlockMatrix, device: torch.device) -> Planes | None:
    """Bring a stored matrix to a device as planes; ``None`` for one that has no such form.

    Blocks travel as they are, some megabytes at a time, and are sorted there.
    """
    if planes_bytes(matrix.type_id, matrix.rows, matrix.row_length) is None:
        return None
    layout, sort = LAYOUT_OF[matrix.type_id], _SORT[matrix.type_id]
    count = matrix.row_length // layout.block
    made = tuple(
        torch.empty((matrix.rows, count * size), dtype=torch.uint8, device=device)
        for size in layout.sizes
    )
    packed, width = as_tensor(matrix.raw), block_bytes(matrix.type_id)
    step = max(1, _TILE_BYTES // matrix.raw.shape[1])
    for start in range(0, matrix.rows, step):
        rows = packed[start : start + step].to(device)
        sorted_ = sort(rows.reshape(-1, width))
        for plane, part in zip(made, sorted_, strict=True):
            plane[start : start + step] = part.reshape(rows.shape[0], plane.shape[1])
    return Planes(layout, matrix.rows, matrix.row_length, made)


def values(planes: Planes, rows: Tensor | None = None) -> Tensor:
    """Weights in float32 ``(rows, row_length)``, by torch operations on any device.

    ``rows`` are int64 numbers of those asked for. It says what the kernels compute, bit for bit.
    """
    picked = planes.parts if rows is None else [part.index_select(0, rows) for part in planes.parts]
    count = planes.row_length // planes.layout.block
    low, high, scales, halves = (
        part.reshape(part.shape[0] * count, size)
        for part, size in zip(picked, planes.layout.sizes, strict=True)
    )
    factors = halves.contiguous().view(torch.float16).float()
    made = _VALUES[planes.layout.name](low, high, scales, factors)
    return made.reshape(-1, planes.row_length)


def _halves_of(low: Tensor, distance: int) -> Tensor:
    """Half bytes to numbers in the order of their values; upper ones ``distance`` further."""
    parts = low.view(low.shape[0], -1, distance)
    return torch.stack((parts & 15, parts >> 4), 2).flatten(1)


def _with_minima(numbers: Tensor, scales: Tensor, factors: Tensor) -> Tensor:
    pairs = scales.view(scales.shape[0], -1, 2).float() * factors[:, None]
    groups = numbers.view(numbers.shape[0], pairs.shape[1], -1).float()
    return groups * pairs[..., :1] - pairs[..., 1:]


def _bits(high: Tensor, width: int, span: int) -> Tensor:
    """Bits beside the half bytes: each byte holds ``8 / width`` values, 32 apart within a span."""
    shifts = torch.arange(0, 8, width, dtype=torch.uint8, device=high.device)
    parts = high.view(high.shape[0], -1, 1, 32)
    return ((parts >> shifts.view(-1, 1)) & ((1 << width) - 1)).reshape(-1, span)


def _values_q5(low: Tensor, high: Tensor, scales: Tensor, factors: Tensor) -> Tensor:
    return _with_minima(_halves_of(low, 32) | (_bits(high, 1, 256) << 4), scales, factors)


def _values_q6(low: Tensor, high: Tensor, scales: Tensor, factors: Tensor) -> Tensor:
    numbers = (_halves_of(low, 64) | (_bits(high, 2, 256) << 4)).float() - 32.0
    by = scales.contiguous().view(torch.int8).float() * factors
    return numbers.view(-1, 16, 16) * by[:, :, None]


_VALUES: dict[str, Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]] = {
    "q2k": lambda low, _h, s, f: _with_minima(_halves_of(low, 16), s, f),
    "q4k": lambda low, _h, s, f: _with_minima(_halves_of(low, 32), s, f),
    "q5k": _values_q5,
    "q6k": _values_q6,
    "q40": lambda low, _h, _s, f: (_halves_of(low, 16).float() - 8.0) * f,
    "q80": lambda low, _h, _s, f: low.contiguous().view(torch.int8).float() * f,
}
