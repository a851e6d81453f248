"""The compiled steps between products: their numbers, on every kind of code, and their order."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch

from engine.kernels.jit import KernelLibrary, host_isas
from engine.kernels.pool import KernelPool
from engine.kernels.program import CachePlace, HeadSizes, Program, aligned, program_fits
from engine.lm.layers import causal_mask, grouped_attention
from engine.lm.rotary import rope_table, rotate

ISAS = ["avx512", "avx2", "generic"]
EPS = 1e-6


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("kernels")


@pytest.fixture(params=ISAS)
def pool(request: pytest.FixtureRequest, folder: Path) -> Iterator[KernelPool]:
    if request.param not in host_isas():
        pytest.skip(f"this processor has no {request.param}")
    with KernelPool(2, KernelLibrary(request.param, cache=folder)) as made:
        yield made


def filled(seed: int, *shape: int) -> np.ndarray:
    out = aligned(*shape)
    out[:] = np.random.default_rng(seed).standard_normal(shape)
    return out


def address(array: np.ndarray) -> int:
    return int(array.ctypes.data)


@pytest.mark.parametrize("columns", [1, 3])
@pytest.mark.parametrize("length", [8, 24, 2560])
def test_norm_adds_and_norms(pool: KernelPool, columns: int, length: int) -> None:
    x, addend, out = (
        filled(0, columns, length),
        filled(1, columns, length),
        aligned(columns, length),
    )
    weight = filled(2, length)
    total = x.astype(np.float64) + addend
    program = Program(pool, columns)
    program.norm(x, addend, address(weight), out, EPS)
    program.run(0)
    expected = total / np.sqrt((total**2).mean(1, keepdims=True) + EPS) * weight
    np.testing.assert_allclose(x, total, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(out, expected, rtol=2e-6, atol=2e-6)
    program = Program(pool, columns)
    program.norm(x, None, address(weight), out, EPS)
    program.run(0)
    np.testing.assert_allclose(out, expected, rtol=2e-6, atol=2e-6)


def test_gate_is_silu_times_value(pool: KernelPool) -> None:
    a = aligned(1, 4000)
    a[0] = np.linspace(-120, 120, 4000)
    b = filled(3, 1, 4000)
    wide = a.astype(np.float64)
    expected = wide / (1 + np.exp(-wide)) * b
    program = Program(pool, 1)
    program.gate(a, b)
    program.run(0)
    np.testing.assert_allclose(a, expected, rtol=1e-6, atol=1e-35)


def test_gate_hides_nothing(pool: KernelPool) -> None:
    a, b = aligned(1, 8), aligned(1, 8)
    a[:], b[:] = 1, 1
    a[0, 2], a[0, 4] = np.nan, np.inf
    program = Program(pool, 1)
    program.gate(a, b)
    program.run(0)
    assert np.isnan(a[0, 2])
    assert a[0, 4] == np.inf
    assert np.isfinite(np.delete(a, [2, 4])).all()


@pytest.mark.parametrize(
    ("sizes", "normed"),
    [
        (HeadSizes(4, 2, 8), True),
        (HeadSizes(32, 8, 128), True),
        (HeadSizes(32, 8, 128), False),
        (HeadSizes(3, 3, 24), False),
        (HeadSizes(8, 1, 32), True),
    ],
)
@pytest.mark.parametrize("columns", [1, 2])
@pytest.mark.parametrize("past", [0, 1, 7, 150])
def test_attention_is_that_of_the_layers(
    pool: KernelPool, sizes: HeadSizes, normed: bool, columns: int, past: int
) -> None:
    """Against tensor operations; every slot that must not be read is poisoned."""
    width, capacity = sizes.width, past + columns + 3
    qkv = filled(past, columns, sizes.row)
    keys, values = (torch.full((sizes.kv, capacity, width), torch.nan) for _ in range(2))
    random = torch.Generator().manual_seed(past)
    keys[:, :past] = torch.randn(sizes.kv, past, width, generator=random)
    values[:, :past] = torch.randn(sizes.kv, past, width, generator=random)
    rope = rope_table(capacity, width, 1e4)
    norms = filled(9, 2, width) + 1 if normed else None
    expected, new_keys, new_values = by_tensors(
        qkv.copy(), sizes, norms, rope[past : past + columns], keys[:, :past], values[:, :past]
    )

    program = Program(pool, columns)
    out = aligned(columns, sizes.queries * width)
    scores = aligned(sizes.queries, -(-capacity // 8) * 8 + 8)
    scores[:] = np.nan
    place = CachePlace(keys.data_ptr(), values.data_ptr(), 4 * keys.stride(0), rope.data_ptr())
    weights = (0, 0) if norms is None else (address(norms[0]), address(norms[1]))
    program.heads(qkv, sizes, weights, EPS, [place])
    program.attend(qkv, sizes, [place], scores, out)
    program.run(past)
    torch.testing.assert_close(torch.from_numpy(out), expected, rtol=2e-5, atol=2e-6)
    new = slice(past, past + columns)
    torch.testing.assert_close(keys[:, new], new_keys, rtol=1e-5, atol=2e-6)
    assert torch.equal(values[:, new], new_values)
    assert keys[:, past + columns :].isnan().all()


def by_tensors(
    qkv: np.ndarray,
    sizes: HeadSizes,
    norms: np.ndarray | None,
    rope: torch.Tensor,
    keys: torch.Tensor,
    values: torch.Tensor,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Attention's result and the new rows of the cache, as :mod:`engine.lm.layers` makes them."""
    parts = torch.from_numpy(qkv).view(len(qkv), -1, sizes.width)
    q, k, v = parts.split((sizes.queries, sizes.kv, sizes.kv), 1)
    if norms is not None:
        weights = torch.from_numpy(norms)
        q = torch.nn.functional.rms_norm(q, (sizes.width,), weights[0], EPS)
        k = torch.nn.functional.rms_norm(k, (sizes.width,), weights[1], EPS)
    q, k = rotate(q, rope), rotate(k, rope).transpose(0, 1)
    v = v.transpose(0, 1)
    mask = causal_mask(len(qkv), keys.shape[1], torch.device("cpu"))
    everything = torch.cat((keys, k), 1)[None], torch.cat((values, v), 1)[None]
    return grouped_attention(q[None], *everything, mask)[0], k, v


def test_attention_shows_a_state_that_is_not_finite(pool: KernelPool) -> None:
    sizes = HeadSizes(2, 1, 8)
    qkv = filled(1, 1, sizes.row)
    keys, values = torch.zeros(1, 4, 8), torch.zeros(1, 4, 8)
    keys[0, 1, 3] = torch.nan
    out, scores = aligned(1, 16), aligned(2, 16)
    program = Program(pool, 1)
    place = CachePlace(keys.data_ptr(), values.data_ptr(), 128, 0)
    program.attend(qkv, sizes, [place], scores, out)
    program.run(2)
    assert np.isnan(out).all()


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_attention_is_the_same_bits_for_any_number_of_threads(folder: Path, threads: int) -> None:
    """Also beyond the length from which heads are divided at all."""
    outs = []
    sizes, past = HeadSizes(32, 8, 128), 300
    for count in (1, threads):
        random = torch.Generator().manual_seed(4)
        keys, values = (torch.randn(8, past + 1, 128, generator=random) for _ in range(2))
        qkv, out, scores = filled(2, 1, sizes.row), aligned(1, 4096), aligned(32, past + 20)
        with KernelPool(count, KernelLibrary(cache=folder)) as pool:
            program = Program(pool, 1)
            place = CachePlace(keys.data_ptr(), values.data_ptr(), 4 * keys.stride(0), 0)
            program.attend(qkv, sizes, [place], scores, out)
            program.run(past)
            first = out.copy()
            for _ in range(20):
                program.run(past)
                assert np.array_equal(out, first)
        outs.append(first)
    assert np.array_equal(*outs)


def test_odd_lengths_do_not_fit() -> None:
    assert program_fits(2560, 128, 9728)
    assert not program_fits(2560, 12)
