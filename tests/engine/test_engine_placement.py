"""``--gpu-layers``: some layers on a second device, the rest on the CPU, the same speech."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import torch
import toy_device
from lm_support import prefill

from engine.gguf.reader import GGUFFile
from engine.lm.cache import PrefixCache
from engine.lm.dual_ar import DualAR
from engine.lm.generate import generate
from engine.text.tokenizer import Tokenizer
from engine.types import FrameCodes, Sampling

MODEL = "tiny-f32"


@pytest.fixture(scope="module")
def file(models: Any) -> Iterator[GGUFFile]:
    with GGUFFile.open(models.path(MODEL)) as opened:
        yield opened


@pytest.fixture(scope="module")
def place(models: Any, file: GGUFFile) -> Callable[[int], DualAR]:
    """A model with so many layers on the toy device."""
    device, end = toy_device.install(), Tokenizer.load(models.tokenizer).im_end
    return lambda layers: DualAR.from_gguf(file, end, device, layers=layers)


def homes(model: DualAR) -> str:
    """One letter a layer: c for the CPU, t for the toy device."""
    return "".join(str(layer.device)[0] for layer in model.slow.layers)


def test_the_last_layers_move_with_head_and_fast_model(place: Callable[[int], DualAR]) -> None:
    total = place(0).config.n_layers
    assert total > 2
    for count in range(total + 1):
        model = place(count)
        assert homes(model) == "c" * (total - count) + "t" * count
        home = "toy" if count else "cpu"
        assert model.slow.device.type == model.fast.device.type == home
        state = model.slow.step(np.full(11, 5, np.int32), model.slow.new_cache(4))
        assert state.logits.device.type == home
        cache = model.slow.new_cache(8)
        assert [k.device.type[0] for k in cache.keys] == list(homes(model))
        assert [v.device.type[0] for v in cache.values] == list(homes(model))
        assert model.slow.embeddings._packed.device.type == "cpu"


@pytest.mark.parametrize("count", [0, 1, 2])
def test_the_frames_are_those_of_the_processor(
    place: Callable[[int], DualAR], golden: Any, count: int
) -> None:
    arrays = golden(MODEL, "clone")
    model, prompt, kept = place(count), arrays["ref_prompt"], PrefixCache()
    for _ in range(2):
        events = generate(model, prompt, Sampling(top_k=1, max_new_tokens=6), prefix=kept,
                          prefix_columns=prompt.shape[1] // 2, chunk=50)  # fmt: skip
        codes = np.stack([e.codes for e in events if isinstance(e, FrameCodes)], axis=1)
        np.testing.assert_array_equal(codes, arrays["ref_free_codes_ref_prompt"][:, :6])
    assert (kept.hits, kept.misses) == (1, 1)


def test_logits_do_not_depend_on_the_cut(place: Callable[[int], DualAR], golden: Any) -> None:
    prompt = golden(MODEL, "plain")["ref_prompt"]
    logits = []
    for count in range(place(0).config.n_layers + 1):
        slow = place(count).slow
        with torch.inference_mode():
            logits.append(prefill(slow, prompt, slow.new_cache(256), chunk=32).logits.cpu())
    for other in logits[1:]:
        torch.testing.assert_close(other, logits[0], atol=1e-5, rtol=1e-5)


def test_a_stored_type_becomes_dense_only_where_it_moved(models: Any, golden: Any) -> None:
    device, end = toy_device.install(), Tokenizer.load(models.tokenizer).im_end
    with GGUFFile.open(models.path("tiny-q8_0")) as file:
        model = DualAR.from_gguf(file, end, device, layers=1)
        first, last = model.slow.layers[0], model.slow.layers[-1]
        assert first.attention.wqkv.matrix is not None
        assert last.attention.wqkv.matrix is None
        assert last.attention.wqkv.weight.dtype == torch.bfloat16
        slow = model.slow
        prompt = golden("tiny-q8_0", "plain")["ref_prompt"]
        state = prefill(slow, prompt, slow.new_cache(256))
        assert bool(state.logits.cpu().isfinite().all())


def test_mixing_the_devices_would_fail() -> None:
    """The toy device can fail the tests above: it does not compute with the CPU's tensors."""
    there = torch.ones(3).to(toy_device.install())
    with pytest.raises(RuntimeError, match="same device"):
        there + torch.ones(3)
    assert (there + 1).cpu().tolist() == [2, 2, 2]
