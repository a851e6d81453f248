"""The dense kernel against float64 sums, in every form of code that this machine runs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch

from engine.gguf.packed_linear import (
    PackedOp,
    PackedProduct,
    PackedWeight,
    append,
    row_values,
    tasks_of,
)
from engine.kernels.jit import KernelLibrary, host_isas
from engine.kernels.packed import packed_shape
from engine.kernels.pool import KernelPool
from engine.kernels.program import Program, aligned

RNG = np.random.default_rng(3)


@pytest.fixture(scope="module", params=sorted(host_isas()))
def library(request: pytest.FixtureRequest) -> KernelLibrary:
    return KernelLibrary(request.param)


@pytest.fixture(params=[1, 3])
def pool(request: pytest.FixtureRequest, library: KernelLibrary) -> Iterator[KernelPool]:
    with KernelPool(request.param, library) as made:
        yield made


def weight(*shape: int, half: bool = False) -> torch.Tensor:
    values = torch.from_numpy(RNG.standard_normal(shape).astype(np.float32))
    return values.half() if half else values


def rows(count: int, panels: PackedWeight, values: int) -> np.ndarray:
    made = aligned(count, row_values(values, panels.width))
    made[:, :values] = RNG.standard_normal((count, values))
    return made


def reference(x: np.ndarray, w: torch.Tensor, count: int, spacing: int) -> np.ndarray:
    """Valid convolution in float64: ``(count * groups, outputs)``."""
    wide, w64 = x.astype(np.float64), w.double().numpy()
    total = sum(
        np.einsum("ri,igo->rgo", wide[j * spacing : j * spacing + count, : w.shape[1]], w64[j])
        for j in range(w.shape[0])
    )
    return np.asarray(total).reshape(count * w.shape[2], w.shape[3])


def work(pool: KernelPool, op: PackedOp) -> None:
    program = Program(pool, 1)
    append(program, op)
    program.run()


@pytest.mark.parametrize("half", [False, True])
@pytest.mark.parametrize(
    ("count", "taps", "inputs", "groups", "outputs", "spacing"),
    [(1, 1, 4, 1, 1, 1), (13, 7, 5, 1, 33, 3), (25, 2, 18, 3, 12, 1), (400, 3, 96, 1, 64, 9),
     (2, 1, 1024, 1, 96, 1)],
)  # fmt: skip
def test_products_and_convolutions(
    count: int, taps: int, inputs: int, groups: int, outputs: int, spacing: int, half: bool,
    pool: KernelPool,
) -> None:  # fmt: skip
    w = weight(taps, inputs, groups, outputs, half=half)
    panels = PackedWeight(w, pool.library.isa)
    assert panels.half == half
    x = rows(count + (taps - 1) * spacing, panels, inputs)
    out = rows(count * groups, panels, outputs)
    bias = torch.randn(outputs)
    work(pool, PackedOp(panels, x, count, spacing, out=out, bias=panels.vector(bias)))
    expected = reference(x, w, count, spacing) + bias.double().numpy()
    error = np.abs(out[:, :outputs] - expected).max()
    assert error < 5e-6 + 3e-7 * taps * inputs  # sums in one order, one term after the other
    assert not out[:, outputs : panels.padded].any(), "padding must stay zero for the next layer"


def test_term_bias_snake_and_tail(pool: KernelPool) -> None:
    """A transposed convolution: two outputs of a row, the last row's into the tail."""
    w = weight(2, 6, 2, 5)
    panels = PackedWeight(w, pool.library.isa)
    count = 17
    x = rows(count + 2, panels, 6)
    x[[0, -1]] = 0
    out, waved = rows(2 * count, panels, 5), rows(2 * count, panels, 5)
    first, tail = rows(2, panels, 5), rows(2, panels, 5)
    bias, alpha, inverse = (torch.randn(5) for _ in range(3))
    op = PackedOp(
        panels, x[1:], count + 1, -1, out, first, 1, panels.vector(bias), waved,
        panels.vector(alpha), panels.vector(inverse), tail,
    )  # fmt: skip
    work(pool, op)
    whole = reference(x, w.flip(0), count + 1, 1)
    whole[:2] += first[:, :5]
    assert np.abs(tail[:, :5] - whole[-2:]).max() < 1e-5
    expected = whole[:-2] + bias.double().numpy()
    assert np.abs(out[:, :5] - expected).max() < 1e-5
    wave = np.sin(alpha.double().numpy() * expected) ** 2 * inverse.double().numpy()
    assert np.abs(waved[:, :5] - expected - wave).max() < 2e-5


@pytest.mark.parametrize("scale", [1e-3, 1.0, 30.0, 2000.0])
def test_snake_of_small_and_large_numbers(scale: float, library: KernelLibrary) -> None:
    with KernelPool(1, library) as pool:
        identity = torch.eye(8)[None, :, None, :]
        panels = PackedWeight(identity, library.isa)
        x = rows(500, panels, 8)
        x *= scale
        waved = rows(500, panels, 8)
        one = panels.vector(torch.ones(8))
        work(pool, PackedOp(panels, x, 500, snake=waved, alpha=one, inverse=one))
        given = x[:, :8].astype(np.float64)
        error = np.abs(waved[:, :8] - given - np.sin(given) ** 2)
        assert error.max() < 4e-7 * max(1.0, scale)


def test_numbers_that_are_none_come_through(library: KernelLibrary) -> None:
    with KernelPool(1, library) as pool:
        panels = PackedWeight(torch.eye(4)[None, :, None, :], library.isa)
        x = rows(3, panels, 4)
        x[1, 2] = np.nan
        x[2, 0] = 1e30
        waved, one = rows(3, panels, 4), panels.vector(torch.ones(4))
        work(pool, PackedOp(panels, x, 3, snake=waved, alpha=one, inverse=one))
        assert np.isnan(waved[1, 2])
        assert np.isfinite(waved[0]).all()
        assert waved[2, 0] == np.float32(1e30)


def test_a_result_depends_on_its_row_alone(pool: KernelPool) -> None:
    w = weight(3, 40, 1, 70)
    panels = PackedWeight(w, pool.library.isa)
    x = rows(300, panels, 40)
    whole = rows(296, panels, 70)
    work(pool, PackedOp(panels, x, 296, 2, out=whole))
    for start, stop in ((0, 1), (1, 8), (8, 23), (23, 296)):
        part = rows(stop - start, panels, 70)
        work(pool, PackedOp(panels, x[start:], stop - start, 2, out=part))
        assert (part[:, :70] == whole[start:stop, :70]).all()


def test_tasks_cover_each_row_and_panel_once(library: KernelLibrary) -> None:
    panels = PackedWeight(weight(1, 768, 2, 100), library.isa)
    x, out = rows(1000, panels, 768), rows(2000, panels, 100)
    tasks = tasks_of(PackedOp(panels, x, 1000, out=out), library.isa)
    assert tasks[:, 2].sum() == 1000 * panels.blocks
    assert len(tasks) > panels.blocks
    shape = packed_shape(library.isa)
    assert panels.width == shape.width == shape.vectors * shape.lanes


def test_small_work_wakes_no_other_thread(library: KernelLibrary) -> None:
    panels = PackedWeight(weight(1, 64, 1, 64), library.isa)
    x = rows(4000, panels, 64)
    assert PackedOp(panels, x, 1).threads == 1
    assert PackedOp(panels, x, 4000).threads > 4


def test_linear_layers(pool: KernelPool) -> None:
    w, bias = torch.randn(50, 30), torch.randn(50)
    product = PackedProduct(pool, PackedWeight(w.t()[None, :, None, :], pool.library.isa), bias)
    for count in (1, 5, 40):
        x = torch.randn(count, 30)
        expected = x.double() @ w.double().T + bias.double()
        assert (product(x).double() - expected).abs().max() < 1e-5


def test_the_generic_code_is_among_them(tmp_path: Path) -> None:
    assert "generic" in host_isas()
    assert KernelLibrary("generic", tmp_path).isa.name == "generic"
