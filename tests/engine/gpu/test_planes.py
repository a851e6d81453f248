"""Planes hold the very numbers of the blocks, whatever the type."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from engine.gguf.dequant import dequantize
from engine.gguf.linear import BlockMatrix
from engine.gguf.quant_types import QuantType, row_bytes, type_name
from engine.gpu.layouts import LAYOUT_OF, planes_bytes
from engine.gpu.planes import make_planes, values

CPU = torch.device("cpu")
TYPES = tuple(LAYOUT_OF)


def same(ours: torch.Tensor, theirs: torch.Tensor) -> bool:
    """Equal bits, where any not-a-number is as good as another."""
    bad = theirs.isnan()
    bits = ours.view(torch.int32) == theirs.view(torch.int32)
    return bool((ours.isnan() == bad).all() and bits[~bad].all())


@pytest.mark.parametrize("kind", TYPES, ids=type_name)
@pytest.mark.parametrize(("rows", "length"), [(1, 256), (7, 512), (300, 768)])
def test_values_have_the_bits_of_the_blocks(kind: int, rows: int, length: int) -> None:
    raw = np.random.default_rng(kind).integers(
        0, 256, (rows, row_bytes(kind, length)), dtype=np.uint8
    )
    planes = make_planes(BlockMatrix(raw, kind, length), CPU)
    assert planes is not None
    expected = dequantize(raw, kind, length)
    assert same(values(planes), expected)
    some = torch.tensor([rows - 1, 0, rows // 2])
    assert same(values(planes, some), expected[some])
    assert planes.nbytes == planes_bytes(kind, rows, length)
    assert all(part.shape[0] == rows and part.is_contiguous() for part in planes.parts)


def test_large_matrices_are_brought_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = np.random.default_rng(1).integers(0, 256, (11, 288), dtype=np.uint8)
    matrix = BlockMatrix(raw, QuantType.Q4_K, 512)
    whole = make_planes(matrix, CPU)
    monkeypatch.setattr("engine.gpu.planes._TILE_BYTES", 3 * 288)
    pieces = make_planes(matrix, CPU)
    assert whole is not None
    assert pieces is not None
    assert all(torch.equal(a, b) for a, b in zip(whole.parts, pieces.parts, strict=True))


def test_what_a_value_costs() -> None:
    """In bits; the file's own 16-bit numbers would be 16."""
    costs = {type_name(kind): 8 * (planes_bytes(kind, 4, 2560) or 0) / 10240 for kind in TYPES}
    assert costs == {
        "Q2_K": 5.125, "Q3_K": 6.5625, "Q4_K": 4.625, "Q5_K": 5.625, "Q6_K": 6.5625,
        "Q4_0": 4.5, "Q5_0": 8.5, "Q8_0": 8.5,
    }  # fmt: skip


def test_what_has_no_planes() -> None:
    assert planes_bytes(QuantType.F16, 4, 256) is None
    assert planes_bytes(QuantType.Q4_1, 4, 256) is None
    assert planes_bytes(QuantType.Q4_K, 4, 96) is None
    assert planes_bytes(QuantType.Q8_0, 4, 96) == 4 * 102
    assert planes_bytes(QuantType.Q8_0, 1 << 20, 2048) is None
    raw = np.zeros((2, 512), np.uint8)
    assert make_planes(BlockMatrix(raw, QuantType.F16, 256), CPU) is None
