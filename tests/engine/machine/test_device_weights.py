"""Matrices on another device than the CPU: 16-bit numbers where they fit, else packed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import torch
import toy_device

from engine.gguf.linear import QuantLinear, dense
from engine.gguf.reader import GGUFFile
from engine.gguf.weights import WeightSource
from engine.lm import dual_ar
from engine.lm.dual_ar import DualAR
from engine.lm.generate import generate
from engine.text.tokenizer import Tokenizer
from engine.types import FrameCodes, Sampling

MODEL = "tiny-kquant"
Place = Callable[..., DualAR]


@pytest.fixture(scope="module")
def file(models: Any) -> Iterator[GGUFFile]:
    with GGUFFile.open(models.path(MODEL)) as opened:
        yield opened


@pytest.fixture(scope="module")
def place(models: Any, file: GGUFFile) -> Place:
    device, end = toy_device.install(), Tokenizer.load(models.tokenizer).im_end
    return lambda **options: DualAR.from_gguf(file, end, device, **options)


def linears(model: DualAR) -> list[QuantLinear]:
    return [m for m in model.modules() if isinstance(m, QuantLinear)]


def codes(model: DualAR, prompt: np.ndarray) -> np.ndarray:
    events = generate(model, prompt, Sampling(top_k=1, max_new_tokens=3))
    return np.stack([e.codes for e in events if isinstance(e, FrameCodes)], axis=1)


def test_packed_and_dense_matrices_say_the_same(place: Place, golden: Any) -> None:
    prompt = golden(MODEL, "plain")["ref_prompt"]
    wide, packed = place(packed=False), place(packed=True)
    for a, b in zip(linears(wide), linears(packed), strict=True):
        assert a.matrix is b.matrix is None
        assert a.packed is None
        assert b.weight is None
        assert a.weight is not None
        assert a.weight.dtype == torch.bfloat16
        assert b.packed is not None
        assert b.packed.dtype == torch.uint8
        assert b.packed.device.type == "toy"
    np.testing.assert_array_equal(codes(wide, prompt), codes(packed, prompt))


def test_a_packed_matrix_is_unpacked_exactly(file: GGUFFile) -> None:
    layer = WeightSource(file).linear("layers.0.attention.wo.weight", 256, 256)
    assert layer.matrix is not None
    expected = dense(layer.matrix, torch.device("cpu"))
    layer.keep_packed = True
    layer.to(toy_device.install())
    assert layer.matrix is None
    assert torch.equal(layer._weight_there().cpu(), expected)


def test_only_layers_that_move_are_kept_packed(place: Place) -> None:
    model = place(layers=1, packed=True)
    first, last = model.slow.layers[0], model.slow.layers[-1]
    assert first.attention.wqkv.matrix is not None
    assert last.attention.wqkv.packed is not None
    assert all(m.packed is not None for m in model.fast.modules() if isinstance(m, QuantLinear))


def test_the_free_memory_decides(file: GGUFFile, monkeypatch: pytest.MonkeyPatch) -> None:
    layer = WeightSource(file).linear("layers.0.attention.wo.weight", 256, 256)
    need = 2 * 256 * 256 + dual_ar._WORKING_BYTES
    for free, expected in ((need, False), (need + 1, True)):
        monkeypatch.setattr(torch.cuda, "mem_get_info", lambda _device, f=free: (f, 10**12))
        assert dual_ar._fits(torch.device("cuda:0"), [layer]) is expected
    assert dual_ar._fits(torch.device("mps"), [layer])
