"""Products with many columns: unpacked rows against the reference, and what must not matter."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from test_kernels import BLOCK_TYPES, ISAS, TYPES, dense, distance, stored

from engine.gguf.quant_types import QuantType
from engine.kernels import many_columns as kernel_wide
from engine.kernels import prompts as wide
from engine.kernels.jit import KernelLibrary, host_isas
from engine.kernels.pool import KernelPool, StoredMatrix


@pytest.fixture(scope="module", params=ISAS)
def library(request: pytest.FixtureRequest) -> KernelLibrary:
    if request.param not in host_isas():
        pytest.skip(f"this machine has no {request.param}")
    return KernelLibrary(request.param)


@pytest.fixture
def pool(library: KernelLibrary) -> Iterator[KernelPool]:
    with KernelPool(2, library) as made:
        yield made


def multiply(
    pool: KernelPool, name: str, raw: np.ndarray, x: np.ndarray, way: wide.Way = wide.FLOATS
) -> np.ndarray:
    out = np.full((len(x), len(raw)), np.nan, np.float32)
    stored, place = StoredMatrix.of(raw, QuantType[name]), (out.ctypes.data, out.strides[0])
    pool.run_prompt(way, [stored], len(x), (x.ctypes.data, x.strides[0]), [place])
    return out


def columns(count: int, length: int, seed: int = 2) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((count, length)).astype(np.float32)


@pytest.mark.parametrize("name", TYPES)
def test_it_is_the_dequantised_product_in_float32(name: str, pool: KernelPool) -> None:
    raw = stored(name, 53, 1280, np.random.default_rng(1))
    weights = dense(name, raw)
    for count in (wide.MANY_COLUMNS, 97, 128):
        x = columns(count, 1280)
        assert distance(multiply(pool, name, raw, x), weights, x) < 1e-6, count


def test_rows_longer_than_a_piece(pool: KernelPool) -> None:
    """A row in several pieces, of which the last is shorter."""
    length = 2 * kernel_wide.PIECE_VALUES + 512
    assert length % kernel_wide.piece_values(length)
    raw = stored("Q4_K", 50, length, np.random.default_rng(1))
    x = columns(wide.MANY_COLUMNS + 1, length)
    assert distance(multiply(pool, "Q4_K", raw, x), dense("Q4_K", raw), x) < 1e-6


def test_more_columns_than_are_taken_at_once(pool: KernelPool) -> None:
    raw = stored("Q6_K", 5, 256, np.random.default_rng(1))
    x = columns(2 * wide.FLOATS.most_columns + 3, 256)
    assert distance(multiply(pool, "Q6_K", raw, x), dense("Q6_K", raw), x) < 1e-5


def test_threads_rows_and_strides_do_not_matter(library: KernelLibrary) -> None:
    raw = stored("Q5_K", 200, 768, np.random.default_rng(1))
    x = columns(90, 768)
    with KernelPool(1, library) as one, KernelPool(4, library) as four:
        whole = multiply(one, "Q5_K", raw, x)
        for _ in range(3):
            assert (multiply(four, "Q5_K", raw, x) == whole).all()
        assert (multiply(one, "Q5_K", raw[61:140], x) == whole[:, 61:140]).all()
    apart = np.zeros((90, 800), np.float32)
    apart[:, :768] = x
    out = np.full((90, 230), np.nan, np.float32)
    with KernelPool(2, library) as pool:
        stored_rows = StoredMatrix.of(raw, QuantType.Q5_K)
        places = (apart.ctypes.data, apart.strides[0]), [(out.ctypes.data, out.strides[0])]
        pool.run_prompt(wide.FLOATS, [stored_rows], 90, *places)
    assert (out[:, :200] == whole).all()
    assert np.isnan(out[:, 200:]).all(), "nothing beside the result may be written"


def test_matrices_of_several_types_and_lengths_in_turn(pool: KernelPool) -> None:
    """The memory of the threads grows and shrinks with the rows."""
    rng = np.random.default_rng(1)
    for length in (256, 5120, 512):
        raws = {name: stored(name, 60, length, rng) for name in ("Q4_K", "Q6_K", "F16")}
        x = columns(80, length)
        outs = [np.empty((80, 60), np.float32) for _ in raws]
        made = [StoredMatrix.of(raw, QuantType[name]) for name, raw in raws.items()]
        places = [(out.ctypes.data, out.strides[0]) for out in outs]
        pool.run_prompt(wide.FLOATS, made, 80, (x.ctypes.data, x.strides[0]), places)
        for out, (name, raw) in zip(outs, raws.items(), strict=True):
            assert distance(out, dense(name, raw), x) < 1e-6


def test_a_value_that_is_no_number_reaches_its_column_only(pool: KernelPool) -> None:
    raw = stored("Q4_K", 20, 512, np.random.default_rng(1))
    x = columns(100, 512)
    x[37, 5] = np.nan
    out = multiply(pool, "Q4_K", raw, x)
    assert np.isnan(out[37]).all()
    assert np.isfinite(np.delete(out, 37, 0)).all()


def test_rows_that_fill_no_record_go_the_other_way() -> None:
    isa = host_isas()["generic"]
    assert not kernel_wide.takes(isa, QuantType.Q8_0, 288)
    assert not kernel_wide.takes(isa, QuantType.F32, 512)
    assert kernel_wide.takes(isa, QuantType.BF16, 512)
    for length in (256, 2560, 2816, 9728):
        piece = kernel_wide.piece_values(length)
        assert piece % 256 == 0
        assert piece <= max(256, kernel_wide.PIECE_VALUES)


@pytest.mark.parametrize("name", BLOCK_TYPES)
def test_unpacked_once_gives_the_bits_of_a_few_columns_at_a_time(
    name: str, pool: KernelPool
) -> None:
    for rows, length, count in ((37, 2816, 131), (3, 256, 5), (20, 1024, 64)):
        raw = stored(name, rows, length, np.random.default_rng(1))
        x = columns(count, length)
        whole = multiply(pool, name, raw, x, wide.UNPACKED)
        few = np.full_like(whole, np.nan)
        matrix = StoredMatrix.of(raw, QuantType[name])
        for start in range(0, count, 8):
            some = x[start : start + 8]
            pool.matmul_many([matrix], some, [few[start : start + 8]])
        assert (whole == few).all()
