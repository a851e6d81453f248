"""The way a model is really used on a CPU: what is counted, what repeats, what is given back."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import psutil
import pytest
import torch
import toy_device
from lm_support import prefill

from engine.audio.clip import AudioClip
from engine.engine import Engine
from engine.errors import DeviceError, EngineError
from engine.gguf.inspect import memory_needs
from engine.gguf.linear import QuantLinear
from engine.gguf.reader import GGUFFile
from engine.kernels.jit import default_isa
from engine.kernels.linear import MatrixKernel, PoolKernels
from engine.kernels.pool import KernelPool
from engine.lm.dual_ar import DualAR
from engine.lm.generate import generate
from engine.lm.slow_ar import SlowState
from engine.machine.memory import available_memory, check_memory
from engine.text.tokenizer import Tokenizer
from engine.types import FrameCodes, Sampling, SynthesisRequest
from engine.voices import VoiceProfile

QUANTISED = ("tiny-kquant", "tiny-q8_0", "tiny-f16-projin")
FREE = Sampling(temperature=0.9, top_p=0.95, top_k=0, seed=11, max_new_tokens=16)
LONG = "The ferry left late, and nobody had thought of the lamps. " * 6


@pytest.fixture(scope="module")
def load(models: Any) -> Iterator[Callable[..., Engine]]:
    """Engines by model and number of threads, each made once."""
    made: dict[tuple[str, int], Engine] = {}

    def get(name: str = "tiny-kquant", threads: int = 2) -> Engine:
        if (name, threads) not in made:
            path = models.path(name)
            made[name, threads] = Engine.load(path, models.tokenizer, threads=threads)
        return made[name, threads]

    yield get
    for engine in made.values():
        engine.close()


@pytest.fixture(autouse=True)
def torch_threads() -> Iterator[None]:
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


def voice(seed: int = 5) -> VoiceProfile:
    codes = np.random.default_rng(seed).integers(0, 48, (10, 12)).astype(np.int32)
    return VoiceProfile("A short word.", codes, 44100, 64)


def codes_of(engine: Engine, text: str = "The ferry left late.", **options: Any) -> np.ndarray:
    request = SynthesisRequest(text, sampling=FREE, **options)
    events = list(engine.synthesize(request))
    return np.stack([e.codes for e in events if isinstance(e, FrameCodes)], axis=1)


@pytest.mark.parametrize("name", QUANTISED)
def test_a_loaded_model_uses_the_kernels_everywhere(load: Callable[..., Engine], name: str) -> None:
    parts = load(name)._parts
    assert parts is not None
    layers = [m for m in parts.model.modules() if isinstance(m, QuantLinear)]
    assert all(isinstance(layer.kernel, MatrixKernel) for layer in layers)
    assert parts.model.slow.compiled is not None
    assert parts.model.fast.compiled is not None
    assert parts.model.slow.head is not None


def test_a_model_in_float32_has_no_kernels_and_says_the_same(
    load: Callable[..., Engine],
) -> None:
    parts = load("tiny-f32")._parts
    assert parts is not None
    assert parts.model.slow.compiled is None
    assert codes_of(load("tiny-f32")).shape == (10, 16)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("name", [*QUANTISED, "tiny-f32"])
def test_same_seed_same_codes_for_any_number_of_threads(
    load: Callable[..., Engine], name: str, threads: int
) -> None:
    """With a context beyond the length from which heads are divided between threads."""
    two, other = load(name, 2), load(name, threads)
    torch.set_num_threads(2)
    expected = codes_of(two, LONG)
    torch.set_num_threads(threads)
    np.testing.assert_array_equal(codes_of(other, LONG), expected)


@pytest.mark.parametrize("columns", [5, 40, 300])
@pytest.mark.parametrize("name", QUANTISED)
def test_number_of_threads_does_not_change_a_bit(
    load: Callable[..., Engine], name: str, columns: int
) -> None:
    """Prompts of one chunk, of many columns and of several chunks, and the frame after them."""
    states = []
    for threads in (1, 2, 3):
        parts = load(name, threads)._parts
        assert parts is not None
        slow, rows = parts.model.slow, parts.model.config.num_codebooks + 1
        prompt = np.zeros((rows, columns + 1), np.int32)
        prompt[0] = np.random.default_rng(columns).integers(0, 100, columns + 1)
        torch.set_num_threads(threads)
        with torch.inference_mode():
            cache = slow.new_cache(columns + 1)
            first = prefill(slow, prompt[:, :columns], cache)
            states.append((*_numbers(first), *_numbers(slow.step(prompt[:, columns], cache))))
    for other in states[1:]:
        assert all(torch.equal(a, b) for a, b in zip(states[0], other, strict=True))


def _numbers(state: SlowState) -> tuple[torch.Tensor, torch.Tensor]:
    return state.hidden.clone(), state.logits.clone()


def test_the_first_run_and_the_tenth_are_the_same(load: Callable[..., Engine]) -> None:
    engine = load()
    first = codes_of(engine)
    for number in range(9):
        if number % 3 == 0:
            codes_of(engine, "Something else in between.", references=(voice(),))
        again = codes_of(engine)
        np.testing.assert_array_equal(again, first)


@pytest.mark.parametrize("count", [1, 2, 4, 75])
@pytest.mark.parametrize("name", QUANTISED)
def test_native_steps_say_what_the_layers_say(
    load: Callable[..., Engine], name: str, count: int
) -> None:
    parts = load(name)._parts
    assert parts is not None
    slow = parts.model.slow
    assert slow.compiled is not None
    prompt = np.zeros((parts.model.config.num_codebooks + 1, 80), np.int32)
    prompt[0] = np.arange(80)
    with torch.inference_mode():
        caches = [slow.new_cache(140), slow.new_cache(140)]
        for cache in caches:
            slow.extend(prompt[:, :60], cache)
        x = slow.embed(torch.from_numpy(prompt[:, :count]))
        assert slow.compiled.takes(caches[0])
        found = slow.compiled.extend(x, caches[0])
        expected = native_free(slow, x, caches[1])
    # Activations are rounded to 15 bits in front of quantised matrices: a last bit of
    # difference may round the other way there.
    bound = 1e-5 if name == "tiny-f16-projin" else 2e-3
    assert float((found - expected).abs().max()) < bound * float(expected.abs().max())
    assert caches[0].length == caches[1].length == 60 + count


def native_free(slow: Any, x: torch.Tensor, cache: Any) -> torch.Tensor:
    from engine.lm.layers import run_layers

    return run_layers(slow.layers, x[None], cache.rope, cache)[0]


def test_other_caches_are_left_to_the_layers(load: Callable[..., Engine]) -> None:
    parts = load()._parts
    assert parts is not None
    slow = parts.model.slow
    assert slow.compiled is not None
    assert not slow.compiled.takes(slow.new_cache(8, dtype=torch.bfloat16))


@pytest.mark.parametrize("arithmetic", ["exact", "fast"])
def test_neither_chunks_nor_threads_change_a_bit_of_a_prompt(models: Any, arithmetic: Any) -> None:
    path, states = models.path("tiny-kquant"), []
    for threads in (1, 3):
        with Engine.load(path, models.tokenizer, threads=threads, arithmetic=arithmetic) as engine:
            assert engine._parts is not None
            assert engine.info.arithmetic == (arithmetic if default_isa().pairs else "exact")
            slow = engine._parts.model.slow
            prompt = np.zeros((engine.info.num_codebooks + 1, 150), np.int32)
            prompt[0] = np.arange(150)
            # The generic code multiplies many columns as float32, which has bits of its own.
            for chunk in (150, 128, 77, 16, 3, 1) if default_isa().pairs else (64, 16, 3, 1):
                with torch.inference_mode():
                    made = prefill(slow, prompt, slow.new_cache(160), chunk=chunk)
                states.append(made.hidden)
    for state in states[1:]:
        assert torch.equal(state, states[0])


def test_fast_prompts_differ_and_frames_stay_exact(models: Any) -> None:
    if not default_isa().pairs:
        pytest.skip("this processor has no fast products")
    path, made = models.path("tiny-kquant"), {}
    for arithmetic in ("exact", "fast"):
        with Engine.load(path, models.tokenizer, arithmetic=arithmetic) as engine:
            assert engine._parts is not None
            slow = engine._parts.model.slow
            prompt = np.zeros((engine.info.num_codebooks + 1, 40), np.int32)
            prompt[0] = np.arange(40)
            cache = slow.new_cache(50)
            with torch.inference_mode():
                step = slow.step(prompt[:, 0], cache).hidden
                made[arithmetic] = step, prefill(slow, prompt, slow.new_cache(50)).hidden
    (one, exact), (two, fast) = made["exact"], made["fast"]
    assert torch.equal(one, two)
    assert 1e-4 < float((fast - exact).norm() / exact.norm()) < 0.1


def test_a_model_without_fast_products_says_so(models: Any) -> None:
    path = models.path("tiny-f16-projin")
    with Engine.load(path, models.tokenizer, arithmetic="fast") as engine:
        assert engine.info.arithmetic == "exact"
        assert [str(w) for w in engine.warnings if "exact arithmetic" in str(w)]


@pytest.mark.slow
def test_programs_go_with_their_cache(load: Callable[..., Engine]) -> None:
    parts = load()._parts
    assert parts is not None
    stack = parts.model.slow.compiled
    assert stack is not None
    codes_of(load())
    gc.collect()
    before = len(stack._programs)
    codes_of(load())
    gc.collect()
    assert len(stack._programs) == before == 0


def test_columns_passes_and_frames_are_counted(load: Callable[..., Engine], collect: Any) -> None:
    """A second request with the same voice computes the columns of its text alone."""
    engine = load()
    request = SynthesisRequest("One text.", (voice(77),), sampling=FREE)
    first = collect(engine.synthesize(request)).summary.metrics
    again = SynthesisRequest("Another text.", (voice(77),), sampling=FREE)
    second = collect(engine.synthesize(again)).summary.metrics
    alone = SynthesisRequest("Another text.", sampling=FREE)
    plain = collect(engine.synthesize(alone)).summary.metrics
    assert first.prefill_columns == first.prompt_columns
    assert second.prefill_columns < plain.prompt_columns
    assert second.prompt_columns - second.prefill_columns > voice().frames
    for metrics in (first, second, plain):
        assert metrics.fast_passes == 9 * metrics.frames
        assert metrics.codec_frames_decoded == metrics.frames


def test_bytes_of_a_frame_are_those_of_the_file(models: Any) -> None:
    """Each slow matrix once, each fast one nine times, the head packed as it is stored."""
    path = models.path("tiny-kquant")
    end = Tokenizer.load(models.tokenizer).im_end
    with GGUFFile.open(path) as file:
        sizes = {  # norms are read as float32
            name: info.nbytes if len(info.shape) > 1 else 4 * info.elements
            for name, info in file.tensors.items()
        }
        model = DualAR.from_gguf(file, end, kernels=PoolKernels(KernelPool(1)))
        table = file.info("embeddings.weight")
        head = 65 * table.nbytes // table.shape[0]
        slow = sum(size for name, size in sizes.items() if name.startswith("layers."))
        fast = sum(size for name, size in sizes.items() if name.startswith("fast_layers."))
        fast += sizes["fast_output.weight"]
        assert model.weight_bytes_per_frame == slow + 9 * fast + head
        model.close()


def test_bytes_of_a_frame_elsewhere_are_those_of_dense_matrices(models: Any) -> None:
    """16-bit numbers whatever the file holds, for the layers that are there."""
    device, end = toy_device.install(), Tokenizer.load(models.tokenizer).im_end
    with GGUFFile.open(models.path("tiny-kquant")) as file:
        found = [
            DualAR.from_gguf(file, end, device, layers=n).weight_bytes_per_frame for n in (0, 1, 2)
        ]
        layers = [
            (info.elements, info.nbytes)
            for name, info in file.tensors.items()
            if name.startswith("layers.0.") and len(info.shape) == 2
        ]
    dense, stored = 2 * sum(n for n, _ in layers), sum(size for _, size in layers)
    assert found[2] - found[1] == dense - stored > 0
    assert found[1] - found[0] > dense - stored  # the fast model moves with the first layer


def test_matrices_are_read_where_they_are_mapped(models: Any) -> None:
    end = Tokenizer.load(models.tokenizer).im_end
    with GGUFFile.open(models.path("tiny-kquant")) as file:
        model = DualAR.from_gguf(file, end, kernels=PoolKernels(KernelPool(1)))
        for layer in (m for m in model.modules() if isinstance(m, QuantLinear)):
            assert layer.matrix is not None
            if layer.matrix.name:  # the head is the one matrix that is gathered
                assert np.shares_memory(layer.matrix.raw, file.raw(layer.matrix.name))
        model.close()


@pytest.mark.slow
def test_memory_is_flat_over_runs(load: Callable[..., Engine]) -> None:
    engine, process = load(), psutil.Process()
    sizes = []
    request = SynthesisRequest("A text.", (voice(),), sampling=replace(FREE, max_new_tokens=4))
    for _ in range(20):
        assert len(list(engine.synthesize(request))) > 4
        gc.collect()
        sizes.append(process.memory_info().rss)
    assert sizes[-1] < 1.05 * sizes[4]


@pytest.mark.slow
def test_loading_and_unloading_gives_everything_back(models: Any) -> None:
    """The file's map, the pool's threads and the model itself, five times."""
    threads = threading.active_count()
    for _ in range(5):
        engine = Engine.load(models.path("tiny-kquant"), models.tokenizer, threads=2)
        codes_of(engine, LONG)
        parts = engine._parts
        assert parts is not None
        kept = [weakref.ref(parts.model), weakref.ref(parts.codec)]
        names = [t.name for t in threading.enumerate()]
        assert any(name.startswith("kernel-") for name in names)
        engine.close()
        del parts, engine
        gc.collect()
        assert [ref() for ref in kept] == [None, None]
        assert threading.active_count() == threads


def test_no_memory_while_encoding_fails_that_job_only(
    load: Callable[..., Engine], monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = load()
    parts = engine._parts
    assert parts is not None
    noise = np.random.default_rng(0).standard_normal(44100).astype(np.float32) * 0.1
    clip = AudioClip(noise[:, None], 44100)

    def full(*_args: object, **_options: object) -> None:
        raise RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory")

    model = parts.codec._codec.model
    with monkeypatch.context() as patch:
        patch.setattr(model.encoder, "forward", full)
        with pytest.raises(EngineError, match="out of memory on cpu while encoding"):
            engine.encode_reference(clip, "A word.")
    assert engine.encode_reference(clip, "A word.").codes.shape[0] == 10
    assert codes_of(engine).shape[1] == 16


def test_a_long_job_after_a_short_one_has_room(load: Callable[..., Engine]) -> None:
    """The cache fits the job, not the first job that came."""
    parts = load()._parts
    assert parts is not None
    model, rows = parts.model, parts.model.config.num_codebooks + 1
    for columns in (4, 200):
        prompt = np.zeros((rows, columns), np.int32)
        frames = [
            event
            for event in generate(model, prompt, replace(FREE, min_tokens_before_end=16))
            if isinstance(event, FrameCodes)
        ]
        assert len(frames) == 16


def test_memory_is_asked_for_before_loading(models: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    path = models.path("tiny-kquant")
    with GGUFFile.open(path) as file:
        needs = memory_needs(file)
    held, whole = needs.process + needs.codec, needs.on_cpu()
    assert check_memory(needs, (whole, 0)) == []
    (warning,) = check_memory(needs, (whole - 1, 0))
    assert f"{whole / 1e9:.1f} GB" in warning
    assert len(check_memory(needs, (0, held))) == 1
    with pytest.raises(DeviceError, match=r"needs at least .* GB .* and 0\.0 GB are free"):
        check_memory(needs, (held // 100, 0))
    assert min(available_memory()) >= 0
    monkeypatch.setattr("engine.machine.memory.available_memory", lambda: (1000, 0))
    with pytest.raises(DeviceError, match="beside its file"):
        Engine.load(path, models.tokenizer)
    monkeypatch.setattr("engine.machine.memory.available_memory", lambda: (held, 0))
    with Engine.load(path, models.tokenizer, threads=1) as engine:
        assert any("GB to run at full speed" in text for text in engine.warnings)
