"""The decoder as compiled steps: the same numbers, the same state, and when it is used."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from typing import Any

import numpy as np
import pytest
import torch
from codec_support import ODD, SCALED_DOWN, cut, make_codec, random_codes

from engine.codec import compiled_parts
from engine.codec.codec import AudioCodec
from engine.codec.compiled_weights import serve
from engine.codec.config import CodecConfig
from engine.codec.model import CodecModel
from engine.codec.state import HistoryState, SequenceState, TailState
from engine.codec.stream import DecoderStream
from engine.gguf.reader import GGUFFile
from engine.kernels.jit import KernelLibrary, host_isas
from engine.kernels.pool import KernelPool

CONFIGS = {"scaled": SCALED_DOWN, "odd": ODD}


@pytest.fixture(scope="module", params=sorted(host_isas()))
def pool(request: pytest.FixtureRequest) -> Iterator[KernelPool]:
    with KernelPool(2, KernelLibrary(request.param)) as made:
        yield made


def served(config: CodecConfig, pool: KernelPool) -> CodecModel:
    model = make_codec(config)
    serve(model.quantizer, model.decoder, pool)
    return model


def tensors(state: SequenceState) -> list[torch.Tensor]:
    found = []
    for part in state.parts:
        if isinstance(part, SequenceState):
            found += tensors(part)
        elif isinstance(part, HistoryState):
            found.append(part.history)
        elif isinstance(part, TailState):
            found.append(part.tail)
    return found


def first_weight(model: CodecModel) -> torch.Tensor:
    return model.get_parameter("decoder.model.0.conv.weight")


@pytest.mark.parametrize("name", CONFIGS)
def test_it_equals_the_modules_and_leaves_the_same_state(name: str, pool: KernelPool) -> None:
    plain, made = make_codec(CONFIGS[name]), served(CONFIGS[name], pool)
    latent = torch.randn(1, 90, CONFIGS[name].latent_dim)
    with torch.inference_mode():
        left, right = plain.decoder.new_state(), made.decoder.new_state()
        for start, stop in ((0, 1), (1, 4), (4, 72), (72, 90)):
            expected = plain.decoder(latent[:, start:stop], left)
            result = made.decoder(latent[:, start:stop], right)
            assert (result - expected).abs().max() < 2e-5
            for a, b in zip(tensors(left), tensors(right), strict=True):
                assert (a - b).abs().max() < 2e-5


@pytest.mark.parametrize("name", CONFIGS)
def test_streams_in_any_pieces_equal_the_whole(name: str, pool: KernelPool) -> None:
    model, codes = served(CONFIGS[name], pool), random_codes(CONFIGS[name], 40)
    whole = DecoderStream(model).push(codes)
    for sizes in ((1,), (3, 1, 7, 2), (16,)):
        stream = DecoderStream(model)
        parts = [stream.push(codes[:, part]) for part in cut(40, sizes)]
        assert np.abs(np.concatenate(parts) - whole).max() < 1e-5


def test_a_stream_can_change_sides(pool: KernelPool) -> None:
    """The state is the modules' own: half a stream with steps, half with modules."""
    model, codes = served(SCALED_DOWN, pool), random_codes(SCALED_DOWN, 12)
    whole = DecoderStream(model).push(codes)
    stream = DecoderStream(model)
    first = stream.push(codes[:, :5])
    steps, model.decoder.compiled = model.decoder.compiled, None
    middle = stream.push(codes[:, 5:8])
    model.decoder.compiled = steps
    last = stream.push(codes[:, 8:])
    assert np.abs(np.concatenate([first, middle, last]) - whole).max() < 1e-5


def test_autograd_batches_and_float64_use_the_modules(pool: KernelPool) -> None:
    model, plain = served(SCALED_DOWN, pool), make_codec(SCALED_DOWN)
    codes = torch.from_numpy(random_codes(SCALED_DOWN, 3)).long()[None]
    expected = plain.decode(codes)
    model.requires_grad_(True)
    sound = model.decode(codes)
    assert sound.requires_grad
    sound.square().sum().backward()
    assert first_weight(model).grad is not None
    with torch.no_grad():
        both = model.decode(codes.repeat(2, 1, 1))
    assert (both - expected).abs().max() < 1e-5
    with torch.no_grad():
        assert model.to(torch.float64).decode(codes).dtype == torch.float64


def test_arrays_are_kept_for_few_sizes(pool: KernelPool) -> None:
    model = served(ODD, pool)
    assert model.decoder.compiled is not None
    stream = DecoderStream(model)
    for size in range(1, 9):
        stream.push(random_codes(ODD, size))
    assert len(model.decoder.compiled._head) <= compiled_parts.KEPT


@pytest.mark.parametrize("name", ["tiny-f32", "tiny-f16-projin"])
def test_a_file_is_served_and_keeps_its_weights_as_stored(name: str, models: Any) -> None:
    with GGUFFile.open(models.path(name)) as file:
        codec = AudioCodec.from_gguf(file)
        model = codec.model
        assert model.decoder.compiled is not None
        weight = first_weight(model)
        info = file.info("c.decoder.model.0.conv.weight")
        assert weight.element_size() * weight.numel() == info.nbytes
        frames = random_codes(codec.config, 3)
        assert np.isfinite(codec.decode(frames)).all()
        assert codec.model.sample(encoder=False).dtype == torch.float32
    moved = AudioCodec.from_gguf(GGUFFile.open(models.path(name)), "meta")
    assert moved.model.decoder.compiled is None


def test_a_stream_waits_for_a_model_that_is_being_read_only_when_it_decodes(models: Any) -> None:
    with GGUFFile.open(models.path("tiny-f32")) as file:
        expected = AudioCodec.from_gguf(file)
        codes = random_codes(expected.config, 4)
        codec = AudioCodec.from_gguf(file)
        reading: Future[None] = Future()
        codec._reading, codec._device = reading, torch.device("cpu")
        stream = codec.stream()
        assert codec.device.type == "cpu"
        assert stream.frames_decoded == stream.clamped_codes == 0
        assert not reading.done()
        reading.set_result(None)
        assert (stream.push(codes) == expected.decode(codes)).all()


def test_what_went_wrong_while_reading_comes_out_of_the_first_push(models: Any) -> None:
    with GGUFFile.open(models.path("tiny-f32")) as file:
        codec = AudioCodec.from_gguf(file)
        codec._reading, codec._device = Future(), torch.device("cpu")
        codec._reading.set_exception(MemoryError("no room"))
        stream = codec.stream()
        with pytest.raises(MemoryError, match="no room"):
            stream.push(random_codes(codec.config, 1))
