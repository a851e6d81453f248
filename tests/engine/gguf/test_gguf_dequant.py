"""Dequantisation against the reference package and against hand-made blocks (spec 01, 9)."""

from __future__ import annotations

import gguf
import numpy as np
import pytest
import torch
from gguf import quants

from engine.gguf import quant_types
from engine.gguf.dequant import can_dequantize, dequantize
from engine.gguf.quant_types import QuantType

VALUE_TYPES = [t for t in QuantType if can_dequantize(t)]
BLOCK_TYPES = [t for t in VALUE_TYPES if quant_types.block_size(t) > 1]


def reference(raw: np.ndarray, kind: QuantType) -> np.ndarray:
    with np.errstate(all="ignore"):
        return quants.dequantize(raw.copy(), gguf.GGMLQuantizationType(int(kind)))


def same_bits(ours: torch.Tensor, theirs: np.ndarray) -> None:
    left, right = ours.numpy(), np.ascontiguousarray(theirs, np.float32)
    assert left.shape == right.shape
    number = ~np.isnan(right)
    assert np.array_equal(np.isnan(left), ~number)
    assert np.array_equal(left.view(np.uint32)[number], right.view(np.uint32)[number])


def one_block(kind: QuantType, **fields: bytes) -> torch.Tensor:
    """Dequantise one block that is zero but for bytes given as ``at_OFFSET``."""
    raw = np.zeros((1, quant_types.block_bytes(kind)), np.uint8)
    for place, data in fields.items():
        start = int(place.removeprefix("at_"))
        raw[0, start : start + len(data)] = np.frombuffer(data, np.uint8)
    return dequantize(raw, kind, quant_types.block_size(kind))[0]


ONE = np.float16(1).tobytes()


@pytest.mark.parametrize("kind", VALUE_TYPES)
def test_random_bytes_give_the_reference_bits(kind: QuantType) -> None:
    rng = np.random.default_rng(int(kind))
    length = 512
    width = quant_types.row_bytes(kind, length)
    raw = rng.integers(0, 256, (33, width), dtype=np.uint8)
    same_bits(dequantize(raw, kind, length), reference(raw, kind))


@pytest.mark.parametrize("kind", VALUE_TYPES)
def test_leading_axes_and_given_buffer(kind: QuantType) -> None:
    rng = np.random.default_rng(1)
    raw = rng.integers(0, 64, (2, 3, quant_types.row_bytes(kind, 256)), dtype=np.uint8)
    out = torch.full((2, 3, 256), torch.nan)
    given = dequantize(torch.from_numpy(raw), kind, 256, out=out)
    assert given is out
    same_bits(out.view(6, 256), reference(raw.reshape(6, -1), kind))


@pytest.mark.parametrize("kind", VALUE_TYPES)
def test_zero_bytes_are_zero(kind: QuantType) -> None:
    assert not one_block(kind).any()


def test_what_the_reference_can_read_can_be_read() -> None:
    """All types but integers, float64 and those that only hold activations."""
    rest = {t.name for t in QuantType if not can_dequantize(t)}
    assert rest == {"I8", "I16", "I32", "I64", "F64", "Q8_1", "Q8_K"} | (rest & {"Q1_0"})
    assert quant_types.type_name(10_000) == "type 10000"
    assert not can_dequantize(10_000)


def test_q8_0_vector() -> None:
    values = np.arange(-128, -96, dtype=np.int8)
    assert one_block(QuantType.Q8_0, at_0=ONE, at_2=values.tobytes()).tolist() == values.tolist()


def test_q4_k_vector() -> None:
    block = one_block(QuantType.Q4_K, at_0=ONE, at_4=b"\1" * 4, at_16=b"\x21" * 128)
    expected = np.zeros(256)
    expected[0:32] = expected[64:96] = 1
    expected[32:64] = expected[96:128] = 2
    assert block.tolist() == expected.tolist()


@pytest.mark.parametrize(("fill", "value"), [(b"\x00", -32.0), (b"\xff", 31.0)])
def test_q6_k_vector(fill: bytes, value: float) -> None:
    block = one_block(QuantType.Q6_K, at_0=fill * 192, at_192=b"\1" * 16, at_208=ONE)
    assert (block == value).all()


@pytest.mark.parametrize(("mask", "value"), [(b"\x00", 128.0), (b"\xff", 0.0)])
def test_q3_k_vector(mask: bytes, value: float) -> None:
    assert (one_block(QuantType.Q3_K, at_0=mask * 32, at_108=ONE) == value).all()


def test_q2_k_vector() -> None:
    fields = {"at_0": b"\x11" * 16, "at_16": b"\xff" * 64, "at_80": ONE, "at_82": ONE}
    assert (one_block(QuantType.Q2_K, **fields) == 2.0).all()


def test_misuse_is_told() -> None:
    assert not can_dequantize(QuantType.I32)
    with pytest.raises(ValueError, match="I32 cannot"):
        dequantize(np.zeros((1, 4), np.uint8), QuantType.I32, 1)
    with pytest.raises(ValueError, match="34 bytes"):
        dequantize(np.zeros((1, 33), np.uint8), QuantType.Q8_0, 32)
    with pytest.raises(ValueError, match="multiple of 32"):
        dequantize(np.zeros((1, 34), np.uint8), QuantType.Q8_0, 31)
    with pytest.raises(ValueError, match="out must be"):
        dequantize(np.zeros((1, 34), np.uint8), QuantType.Q8_0, 32, out=torch.empty(2, 32))
