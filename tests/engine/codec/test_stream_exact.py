"""Streamed decoding equals whole decoding, however it is cut (spec 04, sections 7, 8 and 11)."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np
import pytest
import torch
from codec_support import (
    CHUNKINGS,
    ODD,
    S2_PRO,
    SCALED_DOWN,
    cut,
    decode_whole,
    make_codec,
    random_codes,
)
from torch import nn

from engine.codec.model import CodecModel
from engine.codec.stream import DecoderStream
from engine.errors import GenerationError

FRAMES = 300
PER_FRAME = SCALED_DOWN.samples_per_frame


@pytest.fixture(scope="module")
def exact_model() -> CodecModel:
    return make_codec(SCALED_DOWN, dtype=torch.float64)


@pytest.fixture(scope="module")
def exact_whole(exact_model: CodecModel) -> np.ndarray:
    return decode_whole(exact_model, random_codes(SCALED_DOWN, FRAMES))


@pytest.fixture(scope="module")
def model() -> CodecModel:
    return make_codec(SCALED_DOWN)


def stream_all(model: CodecModel, codes: np.ndarray, sizes: Sequence[int]) -> np.ndarray:
    stream = DecoderStream(model)
    return np.concatenate([stream.push(codes[:, part]) for part in cut(codes.shape[1], sizes)])


@pytest.mark.parametrize("name", CHUNKINGS)
def test_float64_streams_equal_the_whole(
    name: str, exact_model: CodecModel, exact_whole: np.ndarray
) -> None:
    codes = random_codes(SCALED_DOWN, FRAMES)
    samples = stream_all(exact_model, codes, CHUNKINGS[name])
    assert samples.shape == exact_whole.shape == (FRAMES * PER_FRAME,)
    assert np.abs(samples - exact_whole).max() < 1e-12
    assert 0.01 < exact_whole.std() < 0.9


@pytest.mark.parametrize("name", CHUNKINGS)
def test_float32_streams_equal_the_whole(name: str, model: CodecModel) -> None:
    codes = random_codes(SCALED_DOWN, 160)
    samples = stream_all(model, codes, CHUNKINGS[name])
    assert samples.dtype == np.float32
    assert np.abs(samples - decode_whole(model, codes)).max() < 1e-5


@pytest.mark.parametrize("sizes", [(1,), (4,), (16,), (90,)])
def test_no_click_at_the_seams_and_nothing_lost(sizes: Sequence[int], model: CodecModel) -> None:
    codes = random_codes(SCALED_DOWN, 95)
    whole = decode_whole(model, codes)
    samples = stream_all(model, codes, sizes)
    assert len(samples) == 95 * PER_FRAME
    for part in cut(95, sizes):
        seam = slice(max(0, part.start * PER_FRAME - 64), part.start * PER_FRAME + 64)
        assert np.abs(samples[seam] - whole[seam]).max() < 1e-3 * np.abs(whole).max()


@pytest.mark.parametrize("sizes", [(1,), (2, 5, 1), (13,)])
def test_other_dimensions_stream_as_exactly(sizes: Sequence[int]) -> None:
    odd = make_codec(ODD, dtype=torch.float64)
    codes = random_codes(ODD, 40)
    whole = decode_whole(odd, codes)
    assert len(whole) == 40 * 45
    assert np.abs(stream_all(odd, codes, sizes) - whole).max() < 1e-12


def test_reset_reproduces_the_first_chunk_bit_for_bit(model: CodecModel) -> None:
    codes = random_codes(SCALED_DOWN, 20)
    stream = DecoderStream(model)
    first = stream.push(codes[:, :7])
    stream.push(codes[:, 7:] + 10_000)
    assert stream.clamped_codes > 0
    stream.reset()
    assert (stream.frames_decoded, stream.clamped_codes) == (0, 0)
    assert np.array_equal(stream.push(codes[:, :7]), first)


def test_streams_of_one_model_do_not_touch_each_other(model: CodecModel) -> None:
    a, b = random_codes(SCALED_DOWN, 12, 1), random_codes(SCALED_DOWN, 12, 2)
    first, second = DecoderStream(model), DecoderStream(model)
    mixed = [(first.push(a[:, i : i + 3]), second.push(b[:, i : i + 3])) for i in range(0, 12, 3)]
    for codes, pieces in zip((a, b), zip(*mixed, strict=True), strict=True):
        assert np.array_equal(np.concatenate(pieces), stream_all(model, codes, (3,)))


def test_a_stream_works_in_another_thread_than_its_maker(model: CodecModel) -> None:
    codes = random_codes(SCALED_DOWN, 6)
    stream = DecoderStream(model)
    head = stream.push(codes[:, :3])
    tail: list[np.ndarray] = []
    # A new thread starts with autograd on and inference mode off.
    worker = threading.Thread(target=lambda: tail.append(stream.push(codes[:, 3:])))
    worker.start()
    worker.join()
    assert np.abs(np.concatenate([head, *tail]) - decode_whole(model, codes)).max() < 1e-5


def test_no_sample_depends_on_a_later_frame(exact_model: CodecModel) -> None:
    codes = random_codes(SCALED_DOWN, 32)
    changed = codes.copy()
    changed[:, 20] = (changed[:, 20] + 7) % 32
    difference = np.abs(decode_whole(exact_model, codes) - decode_whole(exact_model, changed))
    assert difference[: 20 * PER_FRAME].max() == 0
    assert difference[20 * PER_FRAME : 21 * PER_FRAME].max() > 1e-6


def test_convolutions_reach_ten_frames_back() -> None:
    model = make_codec(SCALED_DOWN, dtype=torch.float64)
    model.quantizer.post_module.layers = nn.ModuleList()
    codes = random_codes(SCALED_DOWN, 40)
    changed = codes.copy()
    changed[:, 20] = (changed[:, 20] + 7) % 32
    difference = np.abs(decode_whole(model, codes) - decode_whole(model, changed))
    assert difference[31 * PER_FRAME :].max() == 0
    assert difference[30 * PER_FRAME : 31 * PER_FRAME].max() > 0


@pytest.mark.parametrize("frames", [1, 2, 3, 127, 128, 129, 300])
def test_length_is_samples_per_frame_times_frames(frames: int, model: CodecModel) -> None:
    samples = DecoderStream(model).push(random_codes(SCALED_DOWN, frames))
    assert samples.shape == (frames * PER_FRAME,)
    assert samples.dtype == np.float32


def test_state_of_the_released_model_has_the_size_of_the_table() -> None:
    model = CodecModel.empty(S2_PRO)
    state = model.new_decode_state()
    convolutions = 141_504
    assert state.elements() == convolutions
    for frames, seen in ((1, 1), (125, 126), (1, 127), (1, 127), (200, 127)):
        z = torch.zeros(1, frames, 1024, device="meta")
        model.quantizer.post_module(z, state.quantizer.transformer)
        assert state.elements() == convolutions + 8 * 2 * 16 * 64 * seen
    assert state.elements() == 2_222_272


def test_encoder_state_of_the_released_model_has_the_size_of_the_table() -> None:
    model = CodecModel.empty(S2_PRO)
    state = model.new_encode_state()
    pcm = torch.zeros(1, 256 * 2048, device="meta")
    latent = model.encoder(pcm.unsqueeze(-1), state.encoder)
    assert model.quantizer.features(latent, state.quantizer).shape == (1, 256, 1024)
    assert state.elements() == 6_362_886


def test_an_empty_push_changes_nothing(model: CodecModel) -> None:
    codes = random_codes(SCALED_DOWN, 4)
    stream = DecoderStream(model)
    assert stream.push(codes[:, :0]).shape == (0,)
    stream.push(codes[:, :2])
    assert stream.push(codes[:, :0]).dtype == np.float32
    assert stream.frames_decoded == 2


def test_out_of_range_codes_fall_to_the_nearest_and_are_counted(model: CodecModel) -> None:
    codes = random_codes(SCALED_DOWN, 3)
    wild, tame = codes.copy(), codes.copy()
    wild[0, 0], tame[0, 0] = 64, 63
    wild[3, 1], tame[3, 1] = 5000, 31
    wild[5, 2], tame[5, 2] = -1, 0
    kept = wild.copy()
    stream = DecoderStream(model)
    assert np.array_equal(stream.push(wild), DecoderStream(model).push(tame))
    assert stream.clamped_codes == 3
    assert np.array_equal(wild, kept)


@pytest.mark.parametrize("dtype", [np.int16, np.int32, np.int64, np.uint8])
def test_any_integer_type_and_layout(dtype: type, model: CodecModel) -> None:
    codes = random_codes(SCALED_DOWN, 5)
    expected = DecoderStream(model).push(codes)
    flipped = np.asfortranarray(codes.astype(dtype))
    flipped.setflags(write=False)
    assert np.array_equal(DecoderStream(model).push(flipped), expected)
    assert np.array_equal(DecoderStream(model).push(torch.from_numpy(codes)), expected)


def test_wrong_codes_are_refused(model: CodecModel) -> None:
    stream = DecoderStream(model)
    with pytest.raises(ValueError, match="expected 10 codebooks, got 9"):
        stream.push(np.zeros((9, 4), np.int32))
    with pytest.raises(ValueError, match="got 1 axes"):
        stream.push(np.zeros(10, np.int32))
    with pytest.raises(TypeError, match="integers"):
        stream.push(np.zeros((10, 4), np.float32))
    assert stream.frames_decoded == 0


def test_samples_that_are_no_numbers_are_an_error() -> None:
    model = make_codec(SCALED_DOWN)
    model.decoder.model[0].conv.bias.fill_(float("nan"))
    with pytest.raises(GenerationError, match="codec produced non-finite samples"):
        DecoderStream(model).push(random_codes(SCALED_DOWN, 2))
