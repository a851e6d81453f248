"""Frames with fixed addresses: the same draws and the same codes as the ordinary loop."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
import torch
from lm_support import (
    CONFIG,
    ScriptedUniform,
    drain,
    make_model,
    make_prompt,
    prefill,
    set_constant_logits,
)

from engine.errors import GenerationError
from engine.gguf.reader import GGUFFile
from engine.kernels.linear import PoolKernels
from engine.kernels.pool import KernelPool
from engine.lm.cuda_graphs import StaticFrames, attended_lengths, on_one_device, prepare_frames
from engine.lm.dual_ar import DualAR
from engine.lm.generate import generate
from engine.lm.graph_sampler import MainDraw, SamplingTensors, draw, usable
from engine.lm.sampler import frame_uniforms, sample, sample_main
from engine.text.tokenizer import Tokenizer
from engine.types import Sampling

CPU = torch.device("cpu")
SETTINGS = [
    (0.8, 0.8, 30), (1.0, 0.9, 30), (0.0, 0.8, 30), (0.7, 1.0, 0), (1.9, 0.01, 5), (1.0, 0.95, 1),
]  # fmt: skip


@pytest.mark.parametrize(("temperature", "top_p", "top_k"), SETTINGS)
def test_draws_are_those_of_the_sampler(temperature: float, top_p: float, top_k: int) -> None:
    rng = np.random.default_rng(4)
    knobs = SamplingTensors.of(temperature, top_p, top_k, CPU)
    for trial in range(60):
        logits = rng.standard_normal(97).astype(np.float32) * 3
        logits[rng.integers(0, 97, 20)] = logits[0]  # ties
        if trial % 3 == 0:
            logits[rng.integers(0, 97, 30)] = -np.inf
        u = float(rng.random())
        expected = sample(logits, temperature, top_p, top_k, ScriptedUniform(u))
        result = draw(torch.from_numpy(logits), knobs, torch.tensor(u, dtype=torch.float64))
        assert int(result) == expected


def test_extreme_uniform_numbers_stay_in_the_kept_set() -> None:
    logits = torch.randn(50)
    for u in (0.0, 1 - 2**-53):
        knobs = SamplingTensors.of(0.8, 0.5, 10, CPU)
        expected = sample(logits, 0.8, 0.5, 10, ScriptedUniform(u))
        assert int(draw(logits, knobs, torch.tensor(u, dtype=torch.float64))) == expected


def test_main_draws_repeat_as_the_sampler_does() -> None:
    rng = np.random.default_rng(8)
    sampling, end = Sampling(temperature=0.4, top_p=0.9, top_k=4), 20
    main = MainDraw(sampling, end, CPU)
    recent: list[int] = []
    twice = 0
    for step in range(80):
        logits = rng.standard_normal(21).astype(np.float32) * 2
        logits[end] = 2.0
        u = rng.random(2)
        allowed = step % 5 == 0
        main.allow_end.fill_(allowed)
        script = ScriptedUniform(*u)
        expected = sample_main(logits, sampling, recent, script, end_index=end, allow_end=allowed)
        assert int(main(torch.from_numpy(logits), torch.from_numpy(u))) == expected
        twice += not script.values
        recent.append(expected)
    assert twice > 5


@pytest.mark.parametrize("kept", [1, 9, 40])
def test_main_draws_go_on_behind_given_tokens(kept: int) -> None:
    sampling, logits = Sampling(temperature=0.4, top_p=0.9, top_k=4), torch.zeros(21)
    logits[:3] = 8.0
    mains = [5] * (kept - 1) + [0]
    main = MainDraw(sampling, 20, CPU)
    other = 0
    for u in np.random.default_rng(3).random((40, 2)):
        main.begin(sampling, mains)
        expected = sample_main(
            logits.numpy(), sampling, mains, ScriptedUniform(*u), end_index=20, allow_end=True
        )
        drawn = int(main(logits, torch.from_numpy(u)))
        assert drawn == expected
        main.begin(sampling)
        other += int(main(logits, torch.from_numpy(u))) != drawn
    assert other, "what was spoken before counts"


def test_what_cannot_be_drawn_from_is_seen() -> None:
    for bad in (float("nan"), float("inf")):
        assert not usable(torch.tensor([0.0, bad, 1.0]))
    assert not usable(torch.full((3,), -torch.inf))
    assert usable(torch.tensor([-torch.inf, 0.0]))


NUMBERS = frame_uniforms(1, 0, CONFIG.num_codebooks)


def begin(frames: StaticFrames, prompt: np.ndarray, sampling: Sampling) -> None:
    """Put a prompt into the cache and start behind it."""
    with torch.inference_mode():
        frames.cache.truncate(0)
        state = prefill(frames._model.slow, prompt, frames.cache)
    frames.begin(state, sampling)


def static_codes(model: DualAR, prompt: np.ndarray, sampling: Sampling) -> np.ndarray:
    """What the loop does, with static frames."""
    with torch.inference_mode():
        frames = StaticFrames(model, prompt.shape[1] + sampling.max_new_tokens)
        cache = frames.cache
        assert sampling.seed is not None
        begin(frames, prompt, sampling)
    found: list[np.ndarray] = []
    while len(found) < sampling.max_new_tokens:
        uniforms = frame_uniforms(sampling.seed, len(found), model.config.num_codebooks)
        codes = frames.frame(len(found) >= sampling.min_tokens_before_end, uniforms)
        if codes is None:
            break
        found.append(codes)
        if len(found) < sampling.max_new_tokens:
            frames.step()
    assert cache.length == prompt.shape[1] + max(0, len(found) - (codes is not None))
    return np.stack(found, 1)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("temperature", [0.0, 0.9])
def test_codes_are_those_of_the_loop(seed: int, temperature: float) -> None:
    model, prompt = make_model(seed), make_prompt()
    sampling = Sampling(temperature=temperature, top_p=0.9, max_new_tokens=20, seed=seed)
    ordinary = drain(generate(model, prompt, sampling))
    assert (static_codes(model, prompt, sampling) == ordinary.codes).all()
    assert ordinary.stats.frames == ordinary.codes.shape[1] > 0


@pytest.mark.parametrize("changes", [{"norm_fast_input": False}, {"scale_codebooks": False}])
def test_other_models(changes: dict[str, Any]) -> None:
    model, sampling = make_model(**changes), Sampling(max_new_tokens=8, seed=2)
    ordinary = drain(generate(model, make_prompt(), sampling))
    assert (static_codes(model, make_prompt(), sampling) == ordinary.codes).all()


@pytest.mark.parametrize("name", ["tiny-f32", "tiny-kquant"])
@pytest.mark.parametrize("kernels", [False, True])
def test_golden_models(name: str, kernels: bool, models: Any, golden: Any) -> None:
    """Also against a loop whose layers run as compiled steps."""
    end = Tokenizer.load(models.tokenizer).im_end
    prompt = golden(name, "clone")["ref_prompt"]
    sampling = Sampling(temperature=0.0, max_new_tokens=8, min_tokens_before_end=8, seed=0)
    with GGUFFile.open(models.path(name)) as file, KernelPool(1) as pool:
        model = DualAR.from_gguf(file, end, kernels=PoolKernels(pool) if kernels else None)
        ordinary = drain(generate(model, prompt, sampling))
        assert (static_codes(model, prompt, sampling) == ordinary.codes).all()


def test_addresses_and_shapes_never_change() -> None:
    model, prompt = make_model(), make_prompt()
    with torch.inference_mode():
        frames = StaticFrames(model, 30)
        cache = frames.cache
        begin(frames, prompt, Sampling(seed=1))

    def places() -> list[tuple[int, torch.Size]]:
        fixed = [frames._logits, frames._fast_input, frames._result, frames._uniform]
        fixed += [frames._rows.position, frames._main.recent, *cache.keys, *cache.values]
        return [(tensor.data_ptr(), tensor.shape) for tensor in fixed]

    before = places()
    for _ in range(5):
        assert frames.frame(False, NUMBERS) is not None
        frames.step()
    assert places() == before
    assert int(frames._rows.position) == cache.length == prompt.shape[1] + 5


def test_rows_behind_the_position_are_never_seen() -> None:
    """Whatever the memory held before: it is masked, and not a number does not leak."""
    model, prompt, sampling = make_model(), make_prompt(), Sampling(max_new_tokens=6, seed=3)
    expected = static_codes(model, prompt, sampling)
    with torch.inference_mode():
        frames = StaticFrames(model, prompt.shape[1] + 6)
        for rows in (*frames.cache.keys, *frames.cache.values):
            rows.fill_(float("nan"))
        begin(frames, prompt, sampling)
    for index, column in enumerate(expected.T):
        codes = frames.frame(True, frame_uniforms(3, index, CONFIG.num_codebooks))
        assert codes is not None
        assert (codes == column).all()
        frames.step()
    with pytest.raises(GenerationError, match="overflow"):
        frames.step()


def test_the_end_token_and_broken_logits() -> None:
    model, prompt = make_model(), make_prompt()
    last = [-9.0] * CONFIG.codebook_size + [9.0]
    set_constant_logits(model, last)
    with torch.inference_mode():
        frames = StaticFrames(model, 30)
        begin(frames, prompt, Sampling(seed=1))
        assert frames.frame(True, NUMBERS) is None
        assert frames.frame(False, NUMBERS) is not None
        frames._logits.fill_(float("nan"))
        with pytest.raises(GenerationError, match="non-finite"):
            frames.frame(True, NUMBERS)


def test_graphs_are_for_cuda_alone() -> None:
    model = make_model()
    assert on_one_device(model) == CPU
    assert prepare_frames(model) is None
    assert not model.graphs.failure


def test_steps_attend_over_the_next_length() -> None:
    assert attended_lengths(2048) == [512, 1024, 2048]
    assert attended_lengths(30) == [30]
    model, prompt, sampling = make_model(), make_prompt(), Sampling(max_new_tokens=9, seed=3)
    expected = static_codes(model, prompt, sampling)
    frames = StaticFrames(model, 40)
    seen: list[int] = []
    frames._steps = {n: partial(_noted, frames, n, seen) for n in (14, 17, 40)}
    begin(frames, prompt, sampling)
    first = frames.cache.length
    for index, column in enumerate(expected.T):
        codes = frames.frame(True, frame_uniforms(3, index, CONFIG.num_codebooks))
        assert codes is not None
        assert (codes == column).all()
        frames.step()
    assert seen == [next(n for n in (14, 17, 40) if n > first + i) for i in range(len(seen))]
    assert set(seen) == {14, 17, 40}


def _noted(frames: StaticFrames, length: int, seen: list[int]) -> None:
    seen.append(length)
    frames._step_frame(length)
