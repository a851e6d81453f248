"""An engine on a second device: where things go, and what happens when that device fails."""

from __future__ import annotations

import gc
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import toy_device

from engine import loading
from engine.cancel import CancelToken
from engine.codec.codec import AudioCodec
from engine.codec.fallback import CodecHost
from engine.engine import Engine
from engine.errors import CancelledError, DeviceError, GenerationError
from engine.gguf.linear import QuantLinear
from engine.gguf.reader import GGUFFile
from engine.machine import devices
from engine.types import CodecPolicy, Sampling, StreamOptions, SynthesisRequest

FRAMES = 8
Loader = Callable[..., Engine]


@pytest.fixture
def load(models: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Loader]:
    """Loads engines on the toy device, with a verdict file of their own."""
    toy_device.install()
    monkeypatch.setattr(loading, "resolve_device", lambda name: name)
    monkeypatch.setattr(loading, "verdict_path", lambda: tmp_path / "codec.json")
    made: list[Engine] = []

    def make(gpu_layers: int = 0, policy: CodecPolicy = "follow", device: str = "toy") -> Engine:
        made.append(
            Engine.load(models.path("tiny-f32"), models.tokenizer, device=device, threads=1,
                        gpu_layers=gpu_layers, codec_policy=policy)
        )  # fmt: skip
        return made[-1]

    yield make
    for engine in made:
        engine.close()


def request(**stream: Any) -> SynthesisRequest:
    sampling = Sampling(top_k=1, max_new_tokens=FRAMES, seed=1)
    options = StreamOptions(**stream)
    return SynthesisRequest("The ferry left late.", sampling=sampling, stream=options)


@pytest.mark.parametrize(("layers", "device"), [(0, "cpu"), (1, "toy"), (-1, "toy")])
def test_a_second_device_says_the_same(
    load: Loader, tiny_engine: Engine, collect: Any, layers: int, device: str
) -> None:
    engine = load(layers)
    total = engine._parts.model.config.n_layers  # type: ignore[union-attr]
    assert engine.info.device == device
    assert engine.info.gpu_layers == (total if layers < 0 else layers)
    assert engine.info.codec_device == "toy"
    assert engine._parts.decodes_in_thread == (layers == 0)  # type: ignore[union-attr]
    here, there = (collect(e.synthesize(request(stride=2))) for e in (tiny_engine, engine))
    np.testing.assert_array_equal(there.codes, here.codes)
    np.testing.assert_allclose(there.samples, here.samples, atol=1e-5)
    assert not [w for w in there.summary.warnings if "codec" in w]


@pytest.mark.parametrize("fail_after", [0, 0.2, 0.5, 0.95])
def test_a_codec_that_fails_on_the_way_goes_on_here(
    load: Loader, tiny_engine: Engine, collect: Any, fail_after: float
) -> None:
    engine, expected = load(), collect(tiny_engine.synthesize(request(stride=2)))
    with toy_device.failing(lambda _name, _done: None) as counter:
        collect(engine.synthesize(request(stride=2)))
        total = counter.done
    assert total > 100
    with toy_device.failing(toy_device.out_of_memory_at(max(1, int(fail_after * total)))):
        run = collect(engine.synthesize(request(stride=2)))
    (said,) = [w for w in run.summary.warnings if "codec" in w]
    assert "toy out of memory" in said
    assert "CPU decodes" in said
    np.testing.assert_allclose(run.samples, expected.samples, atol=1e-5)
    # Where one chunk ends depends on how far the other device had come; nothing may be missing.
    ends = np.cumsum([len(c.samples) for c in run.chunks])
    assert [c.start for c in run.chunks] == [0, *ends[:-1]]
    assert ends[-1] == len(expected.samples)
    assert run.summary.metrics.codec_frames_decoded == FRAMES
    assert engine.info.codec_device == "cpu"
    assert engine.info.codec_reason == said
    after = collect(engine.synthesize(request(stride=2)))
    assert not [w for w in after.summary.warnings if "codec" in w]
    np.testing.assert_array_equal(after.samples, expected.samples)


def test_windowed_decoding_and_encoding_go_on_here(
    load: Loader, tiny_engine: Engine, collect: Any, golden_file: Any
) -> None:
    windowed = {"decode_mode": "windowed", "stride": 2, "holdback": 2, "context": 8}
    expected = collect(tiny_engine.synthesize(request(**windowed)))
    with toy_device.failing(toy_device.out_of_memory_at(900)):
        run = collect(load().synthesize(request(**windowed)))
    np.testing.assert_allclose(run.samples, expected.samples, atol=1e-5)
    assert [w for w in run.summary.warnings if "CPU decodes" in w]
    clip = golden_file("ref-mono-44k1.flac")
    with toy_device.failing(toy_device.out_of_memory_at(50)):
        voice = load().encode_reference(clip, "Words.")
    np.testing.assert_array_equal(voice.codes, tiny_engine.encode_reference(clip, "Words.").codes)


def test_samples_that_are_no_numbers_count_as_failure(models: Any) -> None:
    class Broken:
        frames_decoded = clamped_codes = 0

        def push(self, codes: np.ndarray) -> np.ndarray:
            raise GenerationError("codec produced non-finite samples")

    with GGUFFile.open(models.path("tiny-f32")) as file:
        codec = AudioCodec.from_gguf(file, toy_device.install())
        host = CodecHost(codec, lambda: AudioCodec.from_gguf(file))
        stream = host.stream()
        stream._stream = Broken()  # type: ignore[attr-defined]
        codes = np.zeros((10, 1), np.int32)
        np.testing.assert_array_equal(stream.push(codes), AudioCodec.from_gguf(file).decode(codes))
        assert "non-finite" in host.trouble
        here = CodecHost(AudioCodec.from_gguf(file))
        with pytest.raises(ValueError, match="codebooks"):
            here.stream().push(np.zeros((3, 1), np.int32))
        assert not here.trouble


def test_a_cancel_ends_the_rebuilding(models: Any) -> None:
    cancel = CancelToken()
    with GGUFFile.open(models.path("tiny-f32")) as file:
        host = CodecHost(
            AudioCodec.from_gguf(file, toy_device.install()), lambda: AudioCodec.from_gguf(file)
        )
        stream = host.stream(cancel)
        stream.push(np.zeros((10, 2), np.int32))
        cancel.cancel()
        with (
            toy_device.failing(toy_device.out_of_memory_at(1)),
            pytest.raises(CancelledError),
        ):
            stream.push(np.zeros((10, 1), np.int32))


def test_a_full_accelerator_in_the_model_is_an_error_with_advice(
    load: Loader, tiny_engine: Engine, collect: Any
) -> None:
    engine = load(-1, "cpu")
    for number in (1, 400):
        with (
            toy_device.failing(toy_device.out_of_memory_at(number)),
            pytest.raises(DeviceError, match="memory") as error,
        ):
            list(engine.synthesize(request()))
        assert error.value.advice

    def broken(_name: str, done: int) -> None:
        if done > 300:
            raise RuntimeError("CUDA error: an illegal memory access was encountered\nmore")

    with (
        toy_device.failing(broken),
        pytest.raises(GenerationError, match="on toy failed: CUDA error") as failure,
    ):
        list(engine.synthesize(request()))
    assert "--device cpu" in failure.value.advice
    expected = collect(tiny_engine.synthesize(request()))
    np.testing.assert_array_equal(collect(engine.synthesize(request())).codes, expected.codes)


def test_a_model_that_does_not_fit_is_never_put_elsewhere(load: Loader) -> None:
    with (
        toy_device.failing(toy_device.out_of_memory_at(40)),
        pytest.raises(DeviceError, match="out of memory on toy while loading the model") as error,
    ):
        load(-1)
    assert "--gpu-layers" in error.value.advice


def test_a_codec_that_does_not_load_there_is_put_here(load: Loader, collect: Any) -> None:
    with toy_device.failing(toy_device.out_of_memory_at(40)):
        engine = load(0, "follow")
    assert engine.info.codec_device == "cpu"
    assert "toy failed" in engine.info.codec_reason
    assert collect(engine.synthesize(request())).frames


def test_the_verdict_has_times_and_is_kept(
    load: Loader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured: list[str] = []
    timed = devices.timed_decode

    def counted(decode: Callable[[], object]) -> float:
        measured.append("decode")
        return timed(decode)

    monkeypatch.setattr(loading, "timed_decode", counted)
    first = load(0, "auto")
    assert first.info.codec_device == "cpu", "a device made of Python cannot be faster"
    assert "8 frames" in first.info.codec_reason
    assert first.info.codec_reason.count(" ms") == 2
    assert len(measured) == 2
    (entry,) = json.loads((tmp_path / "codec.json").read_text(encoding="utf-8")).values()
    assert entry["cpu_ms"] < entry["accelerator_ms"]
    again = load(0, "auto")
    assert len(measured) == 2
    assert again.info.codec_reason == first.info.codec_reason


def test_layers_without_an_accelerator_are_refused(load: Loader) -> None:
    with pytest.raises(DeviceError, match="needs an accelerator"):
        load(4, device="cpu")


def test_a_probe_that_fails_is_told_before_the_model_is_read(load: Loader) -> None:
    def no_kernel(_name: str, _done: int) -> None:
        raise RuntimeError("no kernel image is available for execution on the device")

    with (
        toy_device.failing(no_kernel),
        pytest.raises(DeviceError, match="cannot run a product: no kernel image"),
    ):
        load()


def test_the_toy_device_counts_as_another(load: Loader) -> None:
    assert torch.device(toy_device.install(), 0) != torch.device("cpu")


def test_weights_keep_the_order_that_an_accelerator_convolves_in(models: Any) -> None:
    """Only the CPU multiplies taps as matrices; cuDNN would copy each weight at every push."""
    toy_device.install()
    with GGUFFile.open(models.path("tiny-f32")) as file:
        codec = AudioCodec.from_gguf(file, "toy")
        weights = [p for _, p in codec._model.parameters_of(encoder=False)]
        assert all(w.device.type == "toy" and w.is_contiguous() for w in weights)


@pytest.mark.slow
def test_an_error_that_is_shown_holds_no_part_of_the_model(load: Loader) -> None:
    def live() -> int:
        gc.collect()
        return sum(type(each) is QuantLinear for each in gc.get_objects())

    before = live()
    with (
        toy_device.failing(toy_device.out_of_memory_at(40)),
        pytest.raises(DeviceError, match="out of memory") as error,
    ):
        load(-1)
    assert error.value.__cause__ is not None
    assert live() == before
