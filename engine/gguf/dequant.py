"""Exact dequantisation of GGUF blocks (spec 01, section 5).

Types with a compiled product have a function in torch here, which works on any device; the
others go through the reference of the ``gguf`` package.

Results are bit-equal to the reference dequantiser: every product is rounded to float32 on
its own, in the same order. Functions take uint8 ``(n, block_bytes)`` and write float32
``(n, block_size)`` into ``out``, so that a caller can reuse one buffer for many tiles.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

import numpy as np
import torch
from gguf import quants
from torch import Tensor

from engine.gguf import quant_types
from engine.gguf.quant_types import QuantType


class _MapView:
    """Presents a read-only array as writable, for torch, which wraps no other kind silently.

    Nothing in the engine writes to weights; the view keeps its owner alive.
    """

    def __init__(self, owner: np.ndarray) -> None:
        self.owner = owner
        interface = dict(owner.__array_interface__)
        interface["data"] = (interface["data"][0], False)
        self.__array_interface__ = interface


def as_tensor(raw: np.ndarray) -> Tensor:
    """The bytes as a torch tensor without a copy; must not be written to."""
    if not raw.flags.writeable:
        raw = np.asarray(_MapView(raw))
    return torch.from_numpy(raw)


def _half(blocks: Tensor, start: int) -> Tensor:
    """The float16 at byte ``start`` of each block, as float32 ``(n, 1)``."""
    return blocks[:, start : start + 2].contiguous().view(torch.float16).float()


def _nibbles(packed: Tensor, out: Tensor) -> None:
    """Bytes ``(n, g, w)`` to ``out`` ``(n, g, 2, w)``: low halves, then high halves."""
    out[:, :, 0].copy_(packed & 15)
    out[:, :, 1].copy_(packed >> 4)


def _f32(blocks: Tensor, out: Tensor) -> None:
    out.copy_(blocks.contiguous().view(torch.float32))


def _f16(blocks: Tensor, out: Tensor) -> None:
    out.copy_(blocks.contiguous().view(torch.float16))


def _bf16(blocks: Tensor, out: Tensor) -> None:
    out.copy_(blocks.contiguous().view(torch.bfloat16))


def _q8_0(blocks: Tensor, out: Tensor) -> None:
    out.copy_(blocks[:, 2:].view(torch.int8))
    out.mul_(_half(blocks, 0))


def _two_bits(packed: Tensor, out: Tensor) -> None:
    """Bytes ``(n, 64)`` to ``out`` ``(n, 256)``: four planes for each half of 32 bytes."""
    planes = out.view(-1, 2, 4, 32)
    halves = packed.unflatten(1, (2, 32))
    for j in range(4):
        planes[:, :, j].copy_((halves >> (2 * j)) & 3)


def _q2_k(blocks: Tensor, out: Tensor) -> None:
    scales = blocks[:, :16]
    _two_bits(blocks[:, 16:80], out)
    groups = out.view(-1, 16, 16)
    groups.mul_(((scales & 15).float() * _half(blocks, 80))[:, :, None])
    groups.sub_(((scales >> 4).float() * _half(blocks, 82))[:, :, None])


def q3_k_scales(packed: Tensor) -> Tensor:
    """Twelve bytes to sixteen signed scales, float32 ``(n, 16)``."""
    low = torch.cat((packed[:, :8] & 15, packed[:, :8] >> 4), 1)
    high = torch.cat([(packed[:, 8:] >> (2 * k)) & 3 for k in range(4)], 1)
    return (low | (high << 4)).float() - 32.0


def _q3_k(blocks: Tensor, out: Tensor) -> None:
    _two_bits(blocks[:, 32:96], out)
    mask = blocks[:, :32]
    planes = out.view(-1, 8, 32)
    for bit in range(8):
        # A clear bit subtracts four.
        planes[:, bit].sub_((((mask >> bit) & 1) ^ 1) << 2)
    scales = q3_k_scales(blocks[:, 96:108]) * _half(blocks, 108)
    out.view(-1, 16, 16).mul_(scales[:, :, None])


def k_scales(packed: Tensor) -> tuple[Tensor, Tensor]:
    """Twelve bytes to eight scales and eight minima, six bits each, uint8 ``(n, 8)``."""
    a, b, c = packed[:, 0:4], packed[:, 4:8], packed[:, 8:12]
    scales = torch.cat((a & 63, (c & 15) | ((a >> 2) & 48)), 1)
    minima = torch.cat((b & 63, (c >> 4) | ((b >> 2) & 48)), 1)
    return scales, minima


def _scale_and_shift(blocks: Tensor, out: Tensor) -> None:
    """Finish Q4_K and Q5_K: ``d * scale * q - dmin * minimum`` for groups of 32."""
    scales, minima = k_scales(blocks[:, 4:16])
    groups = out.view(-1, 8, 32)
    groups.mul_((scales.float() * _half(blocks, 0))[:, :, None])
    groups.sub_((minima.float() * _half(blocks, 2))[:, :, None])


def _q4_k(blocks: Tensor, out: Tensor) -> None:
    _nibbles(blocks[:, 16:].unflatten(1, (4, 32)), out.view(-1, 4, 2, 32))
    _scale_and_shift(blocks, out)


def _q5_k(blocks: Tensor, out: Tensor) -> None:
    _nibbles(blocks[:, 48:].unflatten(1, (4, 32)), out.view(-1, 4, 2, 32))
    high = blocks[:, 16:48]
    planes = out.view(-1, 8, 32)
    for bit in range(8):
        planes[:, bit].add_(((high >> bit) & 1) << 4)
    _scale_and_shift(blocks, out)


def _q6_k(blocks: Tensor, out: Tensor) -> None:
    low = blocks[:, :128].unflatten(1, (2, 2, 32))
    high = blocks[:, 128:192].unflatten(1, (2, 32))
    planes = out.view(-1, 2, 4, 32)
    for g in range(4):
        nibble = (low[:, :, g % 2] >> (4 * (g // 2))) & 15
        planes[:, :, g].copy_(nibble | (((high >> (2 * g)) & 3) << 4))
    out.sub_(32.0)
    scales = blocks[:, 192:208].view(torch.int8).float() * _half(blocks, 208)
    out.view(-1, 16, 16).mul_(scales[:, :, None])


_BY_TYPE: dict[int, Callable[[Tensor, Tensor], None]] = {
    QuantType.F32: _f32,
    QuantType.F16: _f16,
    QuantType.BF16: _bf16,
    QuantType.Q8_0: _q8_0,
    QuantType.Q2_K: _q2_k,
    QuantType.Q3_K: _q3_k,
    QuantType.Q4_K: _q4_k,
    QuantType.Q5_K: _q5_k,
    QuantType.Q6_K: _q6_k,
}


def _by_reference(type_id: int, blocks: Tensor, out: Tensor) -> None:
    raw = blocks.cpu().contiguous().numpy()
    with np.errstate(all="ignore"):  # a damaged block may hold any number
        values = quants.dequantize(raw, QuantType(type_id))
    out.copy_(torch.from_numpy(values))


@cache
def can_dequantize(type_id: int) -> bool:
    """Whether values of the type can be had as float32."""
    if type_id in _BY_TYPE:
        return True
    if not quant_types.is_known(type_id):
        return False
    try:
        quants.dequantize(
            np.zeros((1, quant_types.block_bytes(type_id)), np.uint8), QuantType(type_id)
        )
    except NotImplementedError:
        return False
    return True


def dequantize(
    raw: np.ndarray | Tensor, type_id: int, row_length: int, out: Tensor | None = None
) -> Tensor:
    """Turn raw rows into numbers.

    Args:
        raw: uint8 ``(..., row_bytes)``.
        type_id: storage type, see :class:`~engine.gguf.quant_types.QuantType`.
        row_length: values in a row, whole blocks.
        out: contiguous float32 ``(..., row_length)`` to write into.

    Returns:
        float32 ``(..., row_length)`` on the device of ``raw``, bit-equal to the reference.

    Raises:
        ValueError: the type cannot be dequantised, or the shape does not fit it.
    """
    if not can_dequantize(type_id):
        raise ValueError(f"{quant_types.type_name(type_id)} cannot be dequantised")
    blocks = as_tensor(raw) if isinstance(raw, np.ndarray) else raw
    width = quant_types.row_bytes(type_id, row_length)
    if blocks.dtype != torch.uint8 or blocks.shape[-1] != width:
        raise ValueError(f"a row must be {width} bytes, not {blocks.dtype} {tuple(blocks.shape)}")
    shape = (*blocks.shape[:-1], row_length)
    if out is None:
        out = torch.empty(shape, dtype=torch.float32, device=blocks.device)
    elif out.shape != shape or not out.is_contiguous():
        raise ValueError(f"out must be contiguous {shape}, not {tuple(out.shape)}")
    function = _BY_TYPE.get(type_id, partial(_by_reference, type_id))
    if type_id in (QuantType.F32, QuantType.F16, QuantType.BF16):
        function(blocks.reshape(-1, width), out.view(-1, row_length))
    else:
        packed = blocks.reshape(-1, quant_types.block_bytes(type_id))
        function(packed, out.view(-1, quant_types.block_size(type_id)))
    return out
