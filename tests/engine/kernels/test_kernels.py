"""Products on stored blocks: against the reference dequantisation, on every path."""

from __future__ import annotations

import gc
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import gguf
import numpy as np
import pytest

from engine.gguf.quant_types import QuantType, block_bytes, block_size, row_bytes
from engine.kernels.jit import KernelLibrary, host_isas
from engine.kernels.pool import KernelPool, StoredMatrix, max_columns, supported

BLOCK_TYPES = ["Q2_K", "Q3_K", "Q4_K", "Q5_K", "Q6_K", "Q8_0"]
TYPES = [*BLOCK_TYPES, "F16", "BF16"]
ISAS = ["avx512", "avx2", "generic"]
# Places of the float16 factors in a block.
FACTORS = {"Q2_K": (80, 82), "Q3_K": (108,), "Q4_K": (0, 2), "Q5_K": (0, 2), "Q6_K": (208,)}
FACTORS["Q8_0"] = (0,)

ROOT = Path(__file__).parents[3]

PoolMaker = Callable[..., KernelPool]


def stored(name: str, rows: int, length: int, rng: np.random.Generator) -> np.ndarray:
    """Random raw rows, uint8 ``(rows, row_bytes)``: any bits, but for factors of modest size."""
    kind = QuantType[name]
    if name in ("F16", "BF16"):
        values = rng.standard_normal((rows, length)).astype(np.float32)
        if name == "F16":
            return values.astype(np.float16).view(np.uint8)
        return (values.view(np.uint32) >> 16).astype(np.uint16).view(np.uint8)
    blocks = rng.integers(0, 256, (rows * length // block_size(kind), block_bytes(kind)), np.uint8)
    for place in FACTORS[name]:
        factors = rng.uniform(-2e-3, 2e-3, len(blocks)).astype(np.float16)
        blocks[:, place : place + 2] = factors[:, None].view(np.uint8)
    return blocks.reshape(rows, -1)


def dense(name: str, raw: np.ndarray) -> np.ndarray:
    kind = gguf.GGMLQuantizationType[name]
    return gguf.quants.dequantize(np.ascontiguousarray(raw), kind).astype(np.float64)


def distance(out: np.ndarray, weights: np.ndarray, x: np.ndarray) -> float:
    """Largest deviation from the exact product, in units of the norms of row and column."""
    exact = x.astype(np.float64) @ weights.T
    norms = np.linalg.norm(x, axis=1)[:, None] * np.linalg.norm(weights, axis=1)[None]
    return float((np.abs(out - exact) / np.maximum(norms, 1e-30)).max())


def multiply(pool: KernelPool, name: str, raw: np.ndarray, x: np.ndarray) -> np.ndarray:
    out = np.full((x.shape[0], raw.shape[0]), np.nan, np.float32)
    pool.matmul(raw, QuantType[name], x, out)
    return out


@pytest.fixture(scope="session")
def kernel_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("kernels")


@pytest.fixture(scope="session")
def libraries(kernel_folder: Path) -> dict[str, KernelLibrary]:
    return {name: KernelLibrary(name, kernel_folder) for name in host_isas()}


@pytest.fixture
def make_pool(libraries: dict[str, KernelLibrary]) -> Iterator[PoolMaker]:
    pools = []

    def make(isa: str | None = None, threads: int = 1) -> KernelPool:
        if isa is None:
            isa = next(iter(libraries))
        if isa not in libraries:
            pytest.skip(f"this machine has no {isa}")
        pools.append(KernelPool(threads, libraries[isa]))
        return pools[-1]

    yield make
    for pool in pools:
        pool.close()


def lengths(name: str) -> list[int]:
    """One block, and a row that fills no whole number of 256-value records where it may."""
    size = block_size(QuantType[name])
    return {1: [7, 96], 32: [32, 32 * 13]}.get(size, [256, 1280])


@pytest.mark.parametrize("isa", ISAS)
@pytest.mark.parametrize("name", TYPES)
def test_product_is_the_dequantised_product(name: str, isa: str, make_pool: PoolMaker) -> None:
    rng = np.random.default_rng(1)
    pool = make_pool(isa)
    for length in lengths(name):
        raw = stored(name, 37, length, rng)
        weights = dense(name, raw)
        for columns in range(1, 9) if isa != "generic" else (1, 2, 7):
            x = rng.standard_normal((columns, length)).astype(np.float32)
            # Far below 2e-4, the bound asked for, so that a lost bit shows.
            assert distance(multiply(pool, name, raw, x), weights, x) < 2e-5, (length, columns)


@pytest.mark.parametrize("name", BLOCK_TYPES)
def test_outliers_stay_within_the_bound_and_far_below_eight_bits(
    name: str, make_pool: PoolMaker
) -> None:
    rng = np.random.default_rng(2)
    raw = stored(name, 64, 1024, rng)
    weights = dense(name, raw)
    x = rng.standard_normal((4, 1024)).astype(np.float32)
    x[:, ::256] *= 300  # what normed activations of language models look like at the worst
    blocks = x.reshape(4, -1, 256)
    step = np.abs(blocks).max(2, keepdims=True) / 127
    eight_bits = (np.rint(blocks / step) * step).reshape(4, -1)
    ours = distance(multiply(make_pool(), name, raw, x), weights, x)
    assert ours < 2e-4
    assert ours < 0.02 * distance(eight_bits @ weights.T, weights, x)


@pytest.mark.parametrize("isa", ISAS)
@pytest.mark.parametrize("name", BLOCK_TYPES)
@pytest.mark.parametrize("byte", [0x00, 0x7F, 0x80, 0xFF])
def test_no_integer_sum_overflows(name: str, byte: int, isa: str, make_pool: PoolMaker) -> None:
    """The largest quants with the largest sub-scales and activations, all of one sign."""
    kind = QuantType[name]
    raw = np.full((3, row_bytes(kind, 512)), byte, np.uint8)
    blocks = raw.reshape(-1, block_bytes(kind))
    for place in FACTORS[name]:
        blocks[:, place : place + 2] = np.array([1.0], np.float16).view(np.uint8)
    x = np.ones((3, 512), np.float32)
    x[1] = -1
    x[2, ::2] = -1
    assert distance(multiply(make_pool(isa), name, raw, x), dense(name, raw), x) < 2e-6


@pytest.mark.parametrize("name", ["Q6_K", "Q3_K"])
def test_extreme_scales_with_extreme_quants(name: str, make_pool: PoolMaker) -> None:
    """Signed sub-scales at their ends with zero bits, which are the most negative quants."""
    raw = np.zeros((1, block_bytes(QuantType[name])), np.uint8)
    if name == "Q6_K":
        raw[0, 192:208] = 0x80
    raw[0, FACTORS[name][0] :] = np.array([1.0], np.float16).view(np.uint8)
    x = np.ones((2, 256), np.float32)
    x[1] = -1
    assert distance(multiply(make_pool(), name, raw, x), dense(name, raw), x) < 2e-6


@pytest.mark.parametrize("name", TYPES)
def test_a_result_depends_on_its_row_and_column_alone(name: str, make_pool: PoolMaker) -> None:
    """Not on threads, other columns or how often: bit for bit."""
    rng = np.random.default_rng(3)
    length = 2560
    rows = 2 + 5 * (48 << 10) // row_bytes(QuantType[name], length)
    raw = stored(name, rows, length, rng)
    x = rng.standard_normal((11, length)).astype(np.float32)
    one = make_pool(threads=1)
    together = multiply(one, name, raw, x)
    for threads in (2, 3):
        assert np.array_equal(multiply(make_pool(threads=threads), name, raw, x), together)
    for count in (1, 2, 5):
        assert np.array_equal(multiply(one, name, raw, x[:count]), together[:count])


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_values_that_are_not_finite_are_never_hidden(
    name: str, value: float, make_pool: PoolMaker
) -> None:
    rng = np.random.default_rng(4)
    raw = stored(name, 5, 512, rng)
    x = rng.standard_normal((3, 512)).astype(np.float32)
    clean = multiply(make_pool(), name, raw, x)
    x[1, 300] = value
    out = multiply(make_pool(), name, raw, x)
    assert not np.isfinite(out[1]).any()
    assert np.array_equal(out[[0, 2]], clean[[0, 2]])


@pytest.mark.parametrize("isa", ISAS)
@pytest.mark.parametrize("name", TYPES)
def test_wild_float16_numbers_in_the_weights(name: str, isa: str, make_pool: PoolMaker) -> None:
    rng = np.random.default_rng(5)
    if name == "BF16":
        specials = np.array([0x7FC0, 0x7F80, 0xFF80, 0x0001, 0x8001, 0x7D7F], np.uint16)
    else:
        specials = np.array([0x7E00, 0x7C00, 0xFC00, 0x0001, 0x83FF, 0x7BFF], np.uint16)
    raw = stored(name, len(specials), 256, rng)
    place = FACTORS[name][0] if name in FACTORS else 0
    raw[:, place : place + 2] = specials[:, None].view(np.uint8)
    x = np.abs(rng.standard_normal((1, 256))).astype(np.float32)
    out = multiply(make_pool(isa), name, raw, x)
    finite = [3, 4, 5]
    assert not np.isfinite(out[0, :3]).any()
    assert distance(out[:, finite], dense(name, raw[finite]), x) < 2e-5


@pytest.mark.parametrize("name", TYPES)
def test_rows_at_any_address_and_stride(name: str, make_pool: PoolMaker) -> None:
    rng = np.random.default_rng(6)
    raw = stored(name, 9, 512, rng)
    x = rng.standard_normal((2, 512)).astype(np.float32)
    expected = multiply(make_pool(), name, raw, x)
    room = np.zeros((9, raw.shape[1] + 3), np.uint8)
    for shift in (1, 3):
        view = room.reshape(-1)[shift:][: 8 * room.shape[1] + raw.shape[1]]
        view = np.lib.stride_tricks.as_strided(view, raw.shape, (room.shape[1], 1))
        view[:] = raw
        assert np.array_equal(multiply(make_pool(), name, view, x), expected)


def test_zero_and_tiny_columns_give_zero(make_pool: PoolMaker) -> None:
    raw = stored("Q4_K", 4, 256, np.random.default_rng(7))
    x = np.zeros((3, 256), np.float32)
    x[1] = 1e-42
    out = multiply(make_pool(), "Q4_K", raw, x)
    assert not out.any()


def test_matrices_of_several_types_share_one_call(make_pool: PoolMaker) -> None:
    rng = np.random.default_rng(8)
    raws = [(name, stored(name, 40 + i, 512, rng)) for i, name in enumerate(TYPES)]
    x = rng.standard_normal((3, 512)).astype(np.float32)
    pool = make_pool(threads=2)
    outs = [np.empty((3, raw.shape[0]), np.float32) for _, raw in raws]
    matrices = [StoredMatrix.of(raw, QuantType[name]) for name, raw in raws]
    pool.matmul_many(matrices, x, outs)
    for (name, raw), out in zip(raws, outs, strict=True):
        assert np.array_equal(out, multiply(pool, name, raw, x))


def test_an_empty_product_is_fine(make_pool: PoolMaker) -> None:
    raw = stored("Q4_K", 4, 256, np.random.default_rng(9))
    assert multiply(make_pool(), "Q4_K", raw, np.empty((0, 256), np.float32)).shape == (0, 4)
    assert multiply(make_pool(), "Q4_K", raw[:0], np.ones((1, 256), np.float32)).shape == (1, 0)


def test_what_does_not_fit_is_refused(make_pool: PoolMaker) -> None:
    pool = make_pool()
    raw = stored("Q4_K", 4, 256, np.random.default_rng(10))
    x, out = np.ones((2, 256), np.float32), np.empty((2, 4), np.float32)
    kind = QuantType.Q4_K
    for bad in (
        lambda: pool.matmul(raw, QuantType.F32, x, out),
        lambda: pool.matmul(raw[:, :-1], kind, x, out),
        lambda: pool.matmul(raw.view(np.int8), kind, x, out),
        lambda: pool.matmul(raw, kind, x.astype(np.float64), out),
        lambda: pool.matmul(raw, kind, x[:, :-1], out),
        lambda: pool.matmul(raw, kind, x, out[:1]),
        lambda: pool.matmul(raw, kind, x, out.T.copy().T),
        lambda: pool.matmul_many([], x, []),
        lambda: KernelPool(0, pool.library),
    ):
        with pytest.raises(ValueError, match=r".+"):
            bad()


def test_supported_types_and_widths() -> None:
    assert all(supported(QuantType[name]) and max_columns(QuantType[name]) for name in TYPES)
    for name in ("F32", "I32", "Q4_0"):
        assert not supported(QuantType[name])
        assert max_columns(QuantType[name]) == 0


def test_many_short_products_lose_no_tile(make_pool: PoolMaker) -> None:
    """Helpers that wake late meet boards being closed and written: the results must not care."""
    rng = np.random.default_rng(11)
    pool = make_pool(threads=4)
    small = stored("Q8_0", 120, 1024, rng)
    large = stored("Q4_K", 700, 512, rng)
    x1, x2 = rng.standard_normal((1, 1024)), rng.standard_normal((2, 512))
    cases = [("Q8_0", small, x1.astype(np.float32)), ("Q4_K", large, x2.astype(np.float32))]
    expected = [multiply(pool, *case) for case in cases]
    for turn in range(600):
        got = multiply(pool, *cases[turn % 2])
        assert np.array_equal(got, expected[turn % 2])


def test_callers_from_several_threads_take_turns(make_pool: PoolMaker) -> None:
    rng = np.random.default_rng(12)
    pool = make_pool(threads=2)
    raw = stored("Q6_K", 300, 512, rng)
    columns = [rng.standard_normal((1, 512)).astype(np.float32) for _ in range(4)]
    expected = [multiply(pool, "Q6_K", raw, x) for x in columns]
    wrong: list[int] = []

    def call(number: int) -> None:
        for _ in range(50):
            if not np.array_equal(multiply(pool, "Q6_K", raw, columns[number]), expected[number]):
                wrong.append(number)

    callers = [threading.Thread(target=call, args=(n,)) for n in range(4)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert not wrong


def kernel_threads() -> int:
    return sum(t.name.startswith("kernel-") for t in threading.enumerate())


def test_helpers_start_when_needed_and_end_with_the_pool(make_pool: PoolMaker) -> None:
    rng = np.random.default_rng(13)
    before = kernel_threads()
    raw = stored("Q4_K", 700, 512, rng)
    x = rng.standard_normal((1, 512)).astype(np.float32)
    pool = make_pool(threads=3)
    multiply(pool, "Q4_K", raw[:8], x)
    assert kernel_threads() == before
    first = multiply(pool, "Q4_K", raw, x)
    assert kernel_threads() == before + 2
    pool.close()
    assert kernel_threads() == before
    assert np.array_equal(multiply(pool, "Q4_K", raw, x), first)


def test_a_forgotten_pool_sends_its_helpers_home(libraries: dict[str, KernelLibrary]) -> None:
    before = kernel_threads()
    raw = stored("Q8_0", 700, 512, np.random.default_rng(16))
    pool = KernelPool(2, next(iter(libraries.values())))
    multiply(pool, "Q8_0", raw, np.ones((1, 512), np.float32))
    assert kernel_threads() == before + 1
    del pool
    gc.collect()
    assert kernel_threads() == before


def test_a_program_ends_with_a_pool_in_use(kernel_folder: Path) -> None:
    code = (
        "import sys, pathlib, numpy as np; from engine.kernels.pool import KernelPool;"
        "from engine.kernels.jit import KernelLibrary;"
        "pool = KernelPool(3, KernelLibrary(cache=pathlib.Path(sys.argv[1])));"
        "raw, out = np.zeros((900, 544), np.uint8), np.empty((1, 900), np.float32);"
        "pool.matmul(raw, 8, np.ones((1, 512), np.float32), out)"
    )
    command = [sys.executable, "-c", code, str(kernel_folder)]
    assert subprocess.run(command, cwd=ROOT, timeout=60).returncode == 0


def test_code_is_compiled_once_and_then_loaded(tmp_path: Path) -> None:
    first = KernelLibrary(cache=tmp_path)
    with KernelPool(1, first) as pool:
        pool.warm_up([QuantType.F16, QuantType.F32], columns=(1,))
    assert first.compiled == 3
    second = KernelLibrary(cache=tmp_path)
    with KernelPool(1, second) as pool:
        pool.warm_up([QuantType.F16], columns=(1,))
    assert (second.compiled, second.loaded) == (0, 3)


@pytest.mark.parametrize("damage", [b"", b"short", b"x" * 5000])
def test_a_damaged_cache_file_is_made_again(damage: bytes, tmp_path: Path) -> None:
    KernelPool(1, KernelLibrary(cache=tmp_path)).close()
    for file in tmp_path.iterdir():
        file.write_bytes(damage or file.read_bytes()[:-1])
    library = KernelLibrary(cache=tmp_path)
    with KernelPool(1, library) as pool:
        raw = stored("F16", 3, 8, np.random.default_rng(14))
        x = np.ones((1, 8), np.float32)
        assert distance(multiply(pool, "F16", raw, x), dense("F16", raw), x) < 1e-6
    assert (library.compiled, library.loaded) == (3, 0)


def test_a_folder_that_cannot_be_written_is_no_hindrance(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_bytes(b"")
    library = KernelLibrary(cache=blocked / "kernels")
    with KernelPool(1, library) as pool:
        raw = stored("F16", 3, 8, np.random.default_rng(15))
        x = np.ones((1, 8), np.float32)
        assert distance(multiply(pool, "F16", raw, x), dense("F16", raw), x) < 1e-6
    assert library.loaded == 0


def test_different_code_never_shares_a_cache_file(tmp_path: Path) -> None:
    for name in host_isas():
        KernelPool(1, KernelLibrary(name, tmp_path)).close()
    assert len(list(tmp_path.iterdir())) == 2 * len(host_isas())


def test_importing_the_kernels_imports_no_heavy_library() -> None:
    code = (
        "import sys, engine.kernels.pool;"
        "bad = {'torch', 'numba'} & set(sys.modules);"
        "import threading;"
        "sys.exit(repr(bad) if bad or threading.active_count() > 1 else 0)"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT).returncode == 0
