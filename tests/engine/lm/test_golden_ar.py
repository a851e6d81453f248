"""The dual-AR engine against the reference's numbers, on all golden models and prompts.

Where the matrices are stored in 32 or 16 bits, everything must lie within 1e-4 of the
reference; where they are quantised, well nearer to it than the other engine is, which rounds
activations to 8 bits in front of such matrices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import torch
from golden_kit import TOLERANCE, Arrays, GoldenRun, force, furthest
from lm_support import drain, prefill

from engine.gguf.reader import GGUFFile
from engine.gguf.weights import WeightSource
from engine.lm.dual_ar import DualAR
from engine.lm.factory import FreshWeights
from engine.lm.generate import generate
from engine.text.tokenizer import Tokenizer
from engine.types import Sampling

MODELS = ("tiny-f32", "tiny-f16-projin", "tiny-q8_0", "tiny-kquant")
PROMPTS = ("plain", "clone", "twospk", "twospk-clone")
UNQUANTISED = ("tiny-f32", "tiny-f16-projin")


@pytest.fixture(scope="module")
def load(models: Any) -> Iterator[Callable[[str], DualAR]]:
    """Bound models, each made once."""
    made: dict[str, DualAR] = {}
    im_end = Tokenizer.load(models.tokenizer).im_end

    def get(name: str) -> DualAR:
        if name not in made:
            made[name] = DualAR.from_gguf(GGUFFile.open(models.path(name)), im_end)
        return made[name]

    yield get
    made.clear()


@pytest.mark.parametrize("prompt", PROMPTS)
@pytest.mark.parametrize("name", MODELS)
def test_forced_numbers(
    name: str, prompt: str, load: Callable[[str], DualAR], golden: GoldenRun
) -> None:
    model, data = load(name), golden(name, prompt)
    ours = force(model, data["peer_prompt"], data["peer_codes"])
    ids = model.slow.head_ids.numpy()
    expected = {
        "logits": data["ref_slow_logits"][:, ids],
        "hidden": data["ref_slow_hidden"],
        "fast": data["ref_fast_logits"],
    }
    keys = {"logits": "slow_logits", "hidden": "slow_hidden", "fast": "fast_logits"}
    for kind, array in expected.items():
        ours_far, peer_far = furthest(ours[kind], array), float(data[f"peer_dist_{keys[kind]}"][0])
        print(f"{name} {prompt} {kind}: ours {ours_far:.1e}, peer {peer_far:.1e}")
        assert ours_far < (TOLERANCE if name in UNQUANTISED else peer_far / 10)


@pytest.mark.parametrize("prompt", PROMPTS)
@pytest.mark.parametrize("name", MODELS)
def test_greedy_codes_equal_the_reference(
    name: str, prompt: str, load: Callable[[str], DualAR], golden: GoldenRun
) -> None:
    """24 frames of our own choosing; two runs end early by the end token."""
    data = golden(name, prompt)
    expected = data["ref_free_codes_ref_prompt"]
    greedy = Sampling(top_k=1, max_new_tokens=24, seed=0)
    outcome = drain(generate(load(name), data["ref_prompt"], greedy))
    assert np.array_equal(outcome.codes, expected)
    assert outcome.stats.finish_reason == ("length" if expected.shape[1] == 24 else "end")
    assert outcome.stats.fast_passes == expected.shape[1] * (expected.shape[0] - 1)


@pytest.mark.parametrize("count", [1, 2, 8])
@pytest.mark.parametrize("name", MODELS)
def test_short_prefills(
    name: str,
    count: int,
    load: Callable[[str], DualAR],
    golden_arrays: Callable[[str], Arrays],
) -> None:
    model, data = load(name), golden_arrays(f"prefill-{name}")
    with torch.inference_mode():
        state = prefill(model.slow, data[f"prompt_{count}"], model.slow.new_cache(count))
        fast = model.fast.begin(state.fast_input, 3, model.fast.new_cache())
    ids = model.slow.head_ids.numpy()
    found = {
        "logits": (state.logits.numpy(), data[f"ref_logits_{count}"][ids]),
        "hidden": (state.hidden.numpy(), data[f"ref_hidden_{count}"]),
        "fast": (fast.numpy(), data[f"ref_fast_{count}"]),
    }
    for kind, (ours, expected) in found.items():
        print(f"{name} prefill of {count}, {kind}: {furthest(ours, expected):.1e}")
        peer = furthest(data[f"peer_{kind}_{count}"], data[f"ref_{kind}_{count}"])
        assert furthest(ours, expected) < (TOLERANCE if name in UNQUANTISED else peer / 10)


class PlainWeights(FreshWeights):
    """A file's weights as ordinary trainable layers."""

    def __init__(self, source: WeightSource) -> None:
        super().__init__()
        self._source = source

    def f32(self, name: str, shape: tuple[int, ...]) -> torch.nn.Parameter:
        return torch.nn.Parameter(self._source.f32(name, shape))

    def _matrix(self, name: str, rows: int, columns: int, std: float) -> torch.nn.Parameter:
        return self.f32(name, (rows, columns))


@pytest.mark.parametrize("name", UNQUANTISED)
def test_dense_layers_say_the_same_as_mapped_ones(
    name: str, models: Any, load: Callable[[str], DualAR], golden: GoldenRun
) -> None:
    """The trainable form of a file's weights, in one batched pass without a cache."""
    mapped, data = load(name), golden(name, "plain")
    with GGUFFile.open(models.path(name)) as file:
        dense = DualAR(mapped.config, PlainWeights(WeightSource(file)), 562)
    with torch.inference_mode():
        prompt = torch.from_numpy(data["peer_prompt"])[None]
        hidden, fast_input, logits = dense.slow(prompt)
        codes = torch.from_numpy(data["peer_codes"][:-1, :1].T.copy())
        fast = dense.fast(fast_input[:, -1], codes)
    ids = mapped.slow.head_ids.numpy()
    assert furthest(hidden[0, -1].numpy(), data["ref_slow_hidden"][0]) < TOLERANCE
    assert furthest(logits[0, -1].numpy(), data["ref_slow_logits"][0, ids]) < TOLERANCE
    assert furthest(fast[0].numpy(), data["ref_fast_logits"][0]) < TOLERANCE


def test_bytes_of_a_frame_are_counted(load: Callable[[str], DualAR], models: Any) -> None:
    """Layers once, the fast stack once a pass, the gathered head in float32; tiny-f32 by hand."""
    with GGUFFile.open(models.path("tiny-f32")) as file:
        sizes = {name: info.nbytes for name, info in file.tensors.items()}
    slow = sum(size for name, size in sizes.items() if name.startswith("layers."))
    fast = sum(size for name, size in sizes.items() if name.startswith("fast_layers."))
    fast += sizes["fast_output.weight"]
    assert load("tiny-f32").weight_bytes_per_frame == slow + 9 * fast + 65 * 64 * 4
