"""Products with activations of 8 bits: against the rounded product, and what must not matter."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator

import numpy as np
import pytest
from test_kernels import FACTORS, dense, distance, stored

from engine.gguf.quant_types import QuantType, block_bytes, row_bytes
from engine.kernels.interleave import LAYOUTS
from engine.kernels.jit import KernelLibrary, host_isas
from engine.kernels.pool import KernelPool, StoredMatrix
from engine.kernels.prompts import EIGHT_BITS

NAMES = [kind.name for kind in LAYOUTS]


@pytest.fixture(scope="module", params=["avx512", "avx2"])
def library(request: pytest.FixtureRequest) -> KernelLibrary:
    if request.param not in host_isas():
        pytest.skip(f"this machine has no {request.param}")
    return KernelLibrary(request.param)


@pytest.fixture
def pool(library: KernelLibrary) -> Iterator[KernelPool]:
    with KernelPool(2, library) as made:
        yield made


def columns(count: int, length: int) -> np.ndarray:
    return np.random.default_rng(2).standard_normal((count, length)).astype(np.float32)


def rounded(x: np.ndarray) -> np.ndarray:
    """What the kernel makes of activations: 32 of them share a scale of 127 steps."""
    parts = x.reshape(len(x), -1, 32)
    step = np.abs(parts).max(2, keepdims=True) / 127
    return np.asarray((np.rint(parts / step) * step).reshape(x.shape))


def multiply(pool: KernelPool, name: str, raw: np.ndarray, x: np.ndarray) -> np.ndarray:
    out = np.full((len(x), len(raw)), np.nan, np.float32)
    matrix = StoredMatrix.of(raw, QuantType[name])
    place = (out.ctypes.data, out.strides[0])
    pool.product([matrix], eight_bits=True)(len(x), x.ctypes.data, x.strides[0], [place])
    return out


@pytest.mark.parametrize("name", NAMES)
def test_it_is_the_product_of_rounded_activations(name: str, pool: KernelPool) -> None:
    raw = stored(name, 53, 1280, np.random.default_rng(1))
    weights = dense(name, raw)
    for count in (1, 16, 37, 2 * EIGHT_BITS.most_columns + 3):
        x = columns(count, 1280)
        out = multiply(pool, name, raw, x)
        assert distance(out, weights, rounded(x)) < 1e-6, count
        assert 1e-5 < distance(out, weights, x) < 5e-3


@pytest.mark.parametrize("byte", [0x00, 0x7F, 0x80, 0xFF])
@pytest.mark.parametrize("name", NAMES)
def test_no_sum_of_bytes_overflows(name: str, byte: int, pool: KernelPool) -> None:
    """The largest quants with the largest activations, all of one sign."""
    kind = QuantType[name]
    raw = np.full((3, row_bytes(kind, 512)), byte, np.uint8)
    for place in FACTORS[name]:
        factor = np.array([1.0], np.float16).view(np.uint8)
        raw.reshape(-1, block_bytes(kind))[:, place : place + 2] = factor
    x = np.ones((2, 512), np.float32)
    x[1] = -1
    exact = dense(name, raw).sum(1)
    np.testing.assert_allclose(multiply(pool, name, raw, x), [exact, -exact], rtol=1e-5)


@pytest.mark.parametrize("name", NAMES)
def test_threads_company_and_strides_do_not_matter(name: str, library: KernelLibrary) -> None:
    raw = stored(name, 150, 768, np.random.default_rng(1))
    x = columns(150, 768)
    with KernelPool(1, library) as one, KernelPool(4, library) as four:
        whole = multiply(one, name, raw, x)
        for _ in range(3):
            assert (multiply(four, name, raw, x) == whole).all()
        assert (multiply(four, name, raw[61:140], x) == whole[:, 61:140]).all()
        for start, stop in ((0, 1), (3, 20), (20, 149)):
            assert (multiply(four, name, raw, x[start:stop]) == whole[start:stop]).all()
        apart = np.zeros((150, 800), np.float32)
        apart[:, :768] = x
        assert (multiply(one, name, raw, apart[:, :768]) == whole).all()


def test_a_value_that_is_no_number_reaches_its_column_only(pool: KernelPool) -> None:
    raw = stored("Q4_K", 20, 512, np.random.default_rng(1))
    for value in (np.nan, np.inf):
        x = columns(40, 512)
        x[37, 5] = value
        out = multiply(pool, "Q4_K", raw, x)
        assert np.isnan(out[37]).all()
        assert np.isfinite(np.delete(out, 37, 0)).all()


def test_columns_of_zeros_are_zeros(pool: KernelPool) -> None:
    raw = stored("Q6_K", 20, 512, np.random.default_rng(1))
    x = columns(20, 512)
    x[7] = 0
    x[8] *= 1e-38
    out = multiply(pool, "Q6_K", raw, x)
    assert (out[7] == 0).all()
    assert np.abs(out[8]).max() < 1e-35


def test_no_copy_of_the_weights_is_made(library: KernelLibrary) -> None:
    """What a product of the largest shape adds to a model's memory, in bytes."""
    raw = stored("Q4_K", 2560, 9728, np.random.default_rng(1))
    x = columns(EIGHT_BITS.most_columns, 9728)
    with KernelPool(2, library) as pool:
        tracemalloc.start()
        try:
            out = multiply(pool, "Q4_K", raw, x)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert peak - out.nbytes < 2 << 20


def test_which_products_there_are() -> None:
    isas = host_isas()
    generic = isas["generic"]
    assert not EIGHT_BITS.takes(generic, QuantType.Q4_K, 256)
    best = next(iter(isas.values()))
    assert EIGHT_BITS.takes(best, QuantType.Q4_K, 512) == best.pairs
    assert not EIGHT_BITS.takes(best, QuantType.Q3_K, 512)
    assert not EIGHT_BITS.takes(best, QuantType.Q4_K, 300)
