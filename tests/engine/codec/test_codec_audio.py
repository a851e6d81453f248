"""AudioCodec: chunks, progress, cancel, errors, and the quantizer (spec 04, sections 3 to 5)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from codec_support import ODD, SCALED_DOWN, decode_whole, make_codec, random_codes, windowed

from engine.cancel import CancelToken
from engine.codec.codec import ENCODE_CHUNK, AudioCodec
from engine.codec.quantizer import VectorQuantizer
from engine.errors import (
    CancelledError,
    GenerationError,
    ModelFileError,
    ReferenceAudioError,
    RequestError,
)
from engine.gguf.reader import GGUFFile

PER_FRAME = SCALED_DOWN.samples_per_frame


@pytest.fixture(scope="module")
def codec() -> AudioCodec:
    return AudioCodec(make_codec(SCALED_DOWN))


def speechlike(samples: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    t = np.arange(samples) / 44100
    return (0.3 * np.sin(2 * np.pi * 220 * t) + 0.1 * rng.standard_normal(samples)).astype("f4")


@pytest.mark.parametrize("chunk", [1, 5, 32, 128])
def test_decode_in_chunks_equals_the_whole(chunk: int, codec: AudioCodec) -> None:
    codes = random_codes(SCALED_DOWN, 40)
    samples = codec.decode(codes, chunk=chunk)
    assert samples.dtype == np.float32
    assert np.abs(samples - decode_whole(codec.model, codes)).max() < 1e-5


def test_decode_of_nothing_is_empty(codec: AudioCodec) -> None:
    assert codec.decode(np.zeros((10, 0), np.int32)).shape == (0,)


def test_all_zero_codes_decode_to_finite_sound(codec: AudioCodec) -> None:
    samples = codec.decode(np.zeros((10, 8), np.int32))
    assert samples.shape == (16384,)
    assert np.isfinite(samples).all()
    assert np.abs(samples).max() <= 1


@pytest.mark.parametrize("chunk", [0, 129])
def test_decode_chunk_out_of_range_is_refused(chunk: int, codec: AudioCodec) -> None:
    with pytest.raises(RequestError, match="from 1 to 128"):
        codec.decode(np.zeros((10, 4), np.int32), chunk=chunk)


def test_decode_reports_progress_and_stops_when_cancelled(codec: AudioCodec) -> None:
    cancel, seen = CancelToken(), []

    def on_progress(done: int, total: int) -> None:
        seen.append((done, total))
        if done == 32:
            cancel.cancel()

    codes = random_codes(SCALED_DOWN, 100)
    with pytest.raises(CancelledError):
        codec.decode(codes, chunk=16, cancel=cancel, on_progress=on_progress)
    assert seen == [(16, 100), (32, 100)]
    assert len(codec.decode(codes[:, :3])) == 3 * PER_FRAME


def test_a_run_away_take_is_decoded_in_pieces(codec: AudioCodec) -> None:
    """2,048 frames of one stuck token: never more than one chunk in the decoder at once."""
    longest = 0

    def watch(_: Any, args: tuple[Any, ...]) -> None:
        nonlocal longest
        longest = max(longest, args[0].shape[1])

    hook = codec.model.decoder.model[0].register_forward_pre_hook(watch)
    try:
        samples = codec.decode(np.full((10, 2048), 3, np.int32))
    finally:
        hook.remove()
    assert samples.shape == (2048 * PER_FRAME,)
    assert longest == 32 * 4


@pytest.mark.parametrize(
    ("samples", "frames"), [(1, 1), (2047, 1), (2048, 1), (2049, 2), (44100, 22)]
)
def test_encode_makes_one_frame_of_each_started_2048_samples(
    samples: int, frames: int, codec: AudioCodec
) -> None:
    codes = codec.encode(speechlike(samples))
    assert codes.shape == (10, frames)
    assert codes.dtype == np.int32
    assert (codes >= 0).all()
    assert (codes < np.array(SCALED_DOWN.codebook_sizes)[:, None]).all()


def test_codes_of_a_beginning_are_the_beginning_of_the_codes(codec: AudioCodec) -> None:
    pcm = speechlike(90 * PER_FRAME)
    codes = codec.encode(pcm)
    for frames in (1, ENCODE_CHUNK, ENCODE_CHUNK + 7, 89):
        assert np.array_equal(codec.encode(pcm[: frames * PER_FRAME]), codes[:, :frames])


def test_encode_in_chunks_equals_the_whole() -> None:
    model = make_codec(SCALED_DOWN, dtype=torch.float64)
    pcm = speechlike(11 * 44100)
    codes = AudioCodec(model).encode(pcm)
    assert codes.shape[1] > 7 * ENCODE_CHUNK
    padded = np.zeros(codes.shape[1] * PER_FRAME)
    padded[: len(pcm)] = pcm
    with torch.enable_grad():
        whole = model.encode(torch.from_numpy(padded)[None])[0].numpy()
    assert np.array_equal(codes, whole)
    assert len(np.unique(codes[0])) > 5


def test_encode_with_other_dimensions() -> None:
    codec = AudioCodec(make_codec(ODD))
    codes = codec.encode(speechlike(200))
    assert codes.shape == (3, 5)
    assert codec.decode(codes).shape == (5 * 45,)


def test_encode_reports_progress_and_stops_when_cancelled(codec: AudioCodec) -> None:
    cancel, seen = CancelToken(), []

    def on_progress(done: int, total: int) -> None:
        seen.append((done, total))
        cancel.cancel()

    with pytest.raises(CancelledError):
        codec.encode(speechlike(80 * PER_FRAME), cancel=cancel, on_progress=on_progress)
    assert seen == [(ENCODE_CHUNK, 80)]


def test_encode_refuses_what_is_no_mono_sound(codec: AudioCodec) -> None:
    with pytest.raises(ReferenceAudioError, match="the clip is empty"):
        codec.encode(np.zeros(0, np.float32))
    with pytest.raises(ValueError, match="one axis"):
        codec.encode(np.zeros((2, 100), np.float32))
    with pytest.raises(ValueError, match="float"):
        codec.encode(np.zeros(100, np.int16))
    with pytest.raises(ReferenceAudioError, match="not finite"):
        codec.encode(np.array([0.0, np.nan], np.float32))


def test_decode_passes_a_failure_of_the_codec_on() -> None:
    model = make_codec(SCALED_DOWN)
    model.decoder.model[-1].conv.weight.fill_(float("inf"))
    with pytest.raises(GenerationError, match="codec produced non-finite samples"):
        AudioCodec(model).decode(random_codes(SCALED_DOWN, 2))


def test_windowed_decoder_with_full_context_is_exact(codec: AudioCodec) -> None:
    codes = random_codes(SCALED_DOWN, 30)
    decoder = windowed(codec, 4, 30, 2)
    samples = np.concatenate([decoder.push(codes), decoder.finish()])
    assert np.abs(samples - codec.decode(codes)).max() < 1e-5
    assert decoder.frames_decoded > 30


def test_windowed_decoder_defaults_come_from_the_window(codec: AudioCodec) -> None:
    decoder = windowed(codec, 4)
    assert len(decoder.push(random_codes(SCALED_DOWN, 144))) == 0
    assert len(decoder.push(random_codes(SCALED_DOWN, 1))) == PER_FRAME
    assert decoder.held_frames == 144


def quantizer(dim: int = 8) -> VectorQuantizer:
    vq = VectorQuantizer(dim, 8, 16).requires_grad_(False)
    vq.in_proj.weight.copy_(torch.eye(8, dim)[:, :, None])
    vq.in_proj.bias.zero_()
    vq.out_proj.weight.copy_(torch.eye(dim, 8)[:, :, None])
    vq.out_proj.bias.zero_()
    return vq


def test_search_ignores_length_and_reconstruction_does_not() -> None:
    vq = quantizer()
    entry = vq.codebook.weight[7]
    codes, quantized = vq.encode(5 * entry[None, None])
    assert codes.tolist() == [[7]]
    torch.testing.assert_close(quantized[0, 0], entry)


def test_ties_go_to_the_lowest_index_and_silence_is_no_error() -> None:
    vq = quantizer()
    vq.codebook.weight[11] = 2 * vq.codebook.weight[4]
    vq.codebook.weight[15] = vq.codebook.weight[4]
    codes, _ = vq.encode(vq.codebook.weight[15][None, None])
    assert codes.item() == 4
    codes, quantized = vq.encode(torch.zeros(1, 1, 8))
    assert codes.item() == 0
    assert quantized.isfinite().all()


def test_search_runs_in_float32_at_least() -> None:
    vq = quantizer().to(torch.bfloat16)
    codes, quantized = vq.encode(vq.codebook.weight[3][None, None])
    assert codes.item() == 3
    assert quantized.dtype == torch.bfloat16


def test_batches_are_independent(codec: AudioCodec) -> None:
    first, second = random_codes(SCALED_DOWN, 9, 1), random_codes(SCALED_DOWN, 9, 2)
    both = torch.from_numpy(np.stack([first, second])).long()
    with torch.no_grad():
        samples = codec.model.decode(both).numpy()
    for row, codes in zip(samples, (first, second), strict=True):
        assert np.abs(row - codec.decode(codes)).max() < 1e-5


def test_the_whole_codec_can_be_trained() -> None:
    model = make_codec(ODD).requires_grad_(True)
    samples = model.decode(torch.from_numpy(random_codes(ODD, 4)).long()[None])
    latent = model.encoder(torch.randn(2, 90, 1))
    loss = samples.square().mean() + model.quantizer.features(latent).square().mean()
    loss.backward()
    untouched = {name for name, p in model.named_parameters() if p.grad is None}
    assert all(name.split(".")[-2] == "in_proj" for name in untouched)


def test_encoding_half_is_read_when_it_is_first_needed(models: Any) -> None:
    with GGUFFile.open(models.path("tiny-f32")) as file:
        codec = AudioCodec.from_gguf(file)
        halves = {half: list(codec.model.parameters_of(encoder=half)) for half in (True, False)}
        assert all(p.is_meta for _, p in halves[True])
        assert not any(p.is_meta for _, p in halves[False])
        codec.decode(np.zeros((10, 1), np.int32))
        assert all(p.is_meta for _, p in codec.model.parameters_of(encoder=True))
        first = codec.encode(speechlike(3000))
        assert not any(p.is_meta for p in codec.model.parameters())
    assert np.array_equal(codec.encode(speechlike(3000)), first)


@pytest.mark.parametrize(
    "name",
    [
        "c.decoder.model.6.conv.weight",
        "c.encoder.block.0.conv.weight",
        "c.quantizer.pre_module.norm.weight",
    ],
)
def test_a_missing_tensor_of_either_half_is_found_at_load(
    name: str, models: Any, tmp_path: Path
) -> None:
    """Renamed in the directory, so that all offsets stay right."""
    data = Path(models.path("tiny-f32")).read_bytes()
    path = tmp_path / "renamed.gguf"
    path.write_bytes(data.replace(name.encode(), b"x" + name.encode()[1:], 1))
    with (
        GGUFFile.open(path) as file,
        pytest.raises(ModelFileError, match=f"missing tensor: {name}"),
    ):
        AudioCodec.from_gguf(file)
