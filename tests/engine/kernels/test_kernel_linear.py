"""Layers and whole models with the kernels on: still the reference's numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import torch
from golden_kit import TOLERANCE, GoldenRun, force, furthest
from lm_support import drain

from engine.gguf.linear import BlockMatrix, QuantLinear
from engine.gguf.quant_types import QuantType, row_bytes
from engine.gguf.reader import GGUFFile
from engine.kernels.jit import KernelLibrary, default_isa
from engine.kernels.linear import FusedLinear, MatrixKernel, PoolKernels
from engine.kernels.pool import KernelPool
from engine.lm.dual_ar import DualAR
from engine.lm.generate import generate
from engine.text.tokenizer import Tokenizer
from engine.types import Sampling

MODELS = ("tiny-f16-projin", "tiny-q8_0", "tiny-kquant")
PROMPTS = ("plain", "clone", "twospk", "twospk-clone")

FAST = " read fast"


@pytest.fixture(scope="module")
def kernels(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PoolKernels]:
    library = KernelLibrary(cache=tmp_path_factory.mktemp("kernels"))
    with KernelPool(2, library) as pool:
        yield PoolKernels(pool)


@pytest.fixture(scope="module")
def load(models: Any, kernels: PoolKernels) -> Iterator[Callable[[str], DualAR]]:
    made: dict[str, DualAR] = {}
    im_end = Tokenizer.load(models.tokenizer).im_end

    def get(name: str) -> DualAR:
        if name not in made:
            file = GGUFFile.open(models.path(name.removesuffix(FAST)))
            fast = PoolKernels(kernels.pool, "layers.") if name.endswith(FAST) else kernels
            made[name] = DualAR.from_gguf(file, im_end, kernels=fast)
        return made[name]

    yield get
    made.clear()


def matrix(name: str, rows: int, length: int, seed: int = 0) -> BlockMatrix:
    """Random stored rows: small numbers in any bits, whatever the type makes of them."""
    rng = np.random.default_rng(seed)
    raw = rng.integers(0, 0x30, (rows, row_bytes(QuantType[name], length)), np.uint8)
    return BlockMatrix(raw, QuantType[name], length)


@pytest.mark.parametrize("prompt", PROMPTS)
@pytest.mark.parametrize("name", MODELS)
def test_forced_numbers(
    name: str, prompt: str, load: Callable[[str], DualAR], golden: GoldenRun
) -> None:
    model, data = load(name), golden(name, prompt)
    ours = force(model, data["peer_prompt"], data["peer_codes"])
    ids = model.slow.head_ids.numpy()
    expected = {
        "slow_logits": (ours["logits"], data["ref_slow_logits"][:, ids]),
        "slow_hidden": (ours["hidden"], data["ref_slow_hidden"]),
        "fast_logits": (ours["fast"], data["ref_fast_logits"]),
    }
    for kind, (found, reference) in expected.items():
        distance, peer = furthest(found, reference), float(data[f"peer_dist_{kind}"][0])
        print(f"{name} {prompt} {kind}: ours {distance:.1e}, peer {peer:.1e}")
        assert distance < (TOLERANCE if name == "tiny-f16-projin" else peer / 10)


@pytest.mark.parametrize("prompt", PROMPTS)
@pytest.mark.parametrize("name", MODELS)
def test_greedy_codes_equal_the_reference(
    name: str, prompt: str, load: Callable[[str], DualAR], golden: GoldenRun
) -> None:
    data = golden(name, prompt)
    greedy = Sampling(top_k=1, max_new_tokens=24, seed=0)
    outcome = drain(generate(load(name), data["ref_prompt"], greedy))
    assert np.array_equal(outcome.codes, data["ref_free_codes_ref_prompt"])


@pytest.mark.parametrize("prompt", PROMPTS)
@pytest.mark.parametrize("name", ["tiny-q8_0", "tiny-kquant"])
def test_fast_prompts_stay_nearer_to_the_reference_than_the_peer(
    name: str, prompt: str, load: Callable[[str], DualAR], golden: GoldenRun
) -> None:
    model, data = load(name + FAST), golden(name, prompt)
    assert model.arithmetic == ("fast" if model.slow.compiled and default_isa().pairs else "exact")
    ours = force(model, data["peer_prompt"], data["peer_codes"])
    ids = model.slow.head_ids.numpy()
    for kind, found, reference in (
        ("slow_logits", ours["logits"], data["ref_slow_logits"][:, ids]),
        ("slow_hidden", ours["hidden"], data["ref_slow_hidden"]),
        ("fast_logits", ours["fast"], data["ref_fast_logits"]),
    ):
        distance, peer = furthest(found, reference), float(data[f"peer_dist_{kind}"][0])
        print(f"{name} {prompt} {kind}: ours {distance:.1e}, peer {peer:.1e}")
        assert distance < peer


def test_quantised_layers_of_a_model_use_the_kernels(load: Callable[[str], DualAR]) -> None:
    layers = [m for m in load("tiny-kquant").modules() if isinstance(m, QuantLinear)]
    assert layers
    assert all(isinstance(layer.kernel, MatrixKernel) for layer in layers)


def test_types_without_a_kernel_stay_with_tiles(kernels: PoolKernels) -> None:
    assert kernels(matrix("F32", 3, 32)) is None
    assert kernels(matrix("Q4_0", 3, 32)) is None
    assert kernels(matrix("Q4_K", 0, 256)) is None


@pytest.mark.parametrize("columns", [1, 3, 20])
@pytest.mark.parametrize("names", [("Q4_K", "Q4_K"), ("Q4_K", "Q6_K"), ("BF16", "Q8_0")])
def test_fused_layers_give_the_bits_of_single_ones(
    names: tuple[str, ...], columns: int, kernels: PoolKernels
) -> None:
    stored = [matrix(name, 30 + 9 * i, 256, i) for i, name in enumerate(names)]
    layers = [QuantLinear(m, kernel=kernels(m)) for m in stored]
    x = torch.randn(2, columns, 256, generator=torch.Generator().manual_seed(1))
    fused = FusedLinear(layers)(x)
    for layer, out in zip(layers, fused, strict=True):
        assert torch.equal(out, layer(x))


def test_fused_layers_without_kernels_work_for_themselves(kernels: PoolKernels) -> None:
    stored = matrix("Q4_K", 8, 256)
    eye = np.eye(256, dtype=np.float32)
    identity = BlockMatrix(eye.view(np.uint8), QuantType.F32, 256)
    mixed = [QuantLinear(stored, kernel=kernels(stored)), QuantLinear(identity)]
    x = torch.randn(4, 256, generator=torch.Generator().manual_seed(2))
    first, second = FusedLinear(mixed)(x)
    assert torch.equal(first, mixed[0](x))
    assert torch.equal(second, x)


def test_a_column_of_many_is_the_column_alone(kernels: PoolKernels) -> None:
    """So a prompt may be prefilled in pieces, and a prefix reused, without a changed bit."""
    stored = matrix("Q5_K", 40, 512)
    layer = QuantLinear(stored, kernel=kernels(stored))
    x = torch.randn(70, 512, generator=torch.Generator().manual_seed(3))
    whole = layer(x)
    assert torch.equal(whole[33:40], layer(x[33:40]))
    assert torch.equal(whole[69:], layer(x[69:]))


def test_rows_of_a_mapped_file_are_read_in_place(models: Any, kernels: PoolKernels) -> None:
    """The kernel's matrix is the file's map, not a copy."""
    path = models.path("tiny-kquant")
    with GGUFFile.open(path) as file:
        name = "layers.0.feed_forward.w1.weight"
        info, raw = file.info(name), file.raw(name)
        kernel = kernels(BlockMatrix(raw, info.type_id, info.row_length))
        assert kernel is not None
        assert np.shares_memory(kernel.stored.raw, file.raw(name))
