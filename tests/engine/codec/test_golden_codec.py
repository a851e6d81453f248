"""The codec against arrays that two other engines made (tests/data/README.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import soundfile
import torch
from codec_support import CHUNKINGS, cut, decode_whole, windowed

from engine.codec.codec import AudioCodec
from engine.codec.model import CodecModel
from engine.codec.stream import DecoderStream
from engine.gguf.reader import GGUFFile
from engine.random_model.model import GOLDEN_MODELS

Arrays = dict[str, np.ndarray]
WITH_DECODE = ("tiny-f32", "tiny-f16-projin")
PEER_DISTANCE = 2.5e-3
"""The peer rounds the inputs of its convolutions to 16 bits; this is its distance from ref."""


@pytest.fixture(scope="module")
def codecs(models: Any) -> Iterator[Callable[[str], AudioCodec]]:
    files = {name: GGUFFile.open(models.path(name)) for name in GOLDEN_MODELS}
    made: dict[str, AudioCodec] = {}

    def get(name: str) -> AudioCodec:
        if name not in made:
            made[name] = AudioCodec.from_gguf(files[name])
        return made[name]

    yield get
    for file in files.values():
        file.close()


@pytest.mark.parametrize("name", GOLDEN_MODELS)
def test_decode_equals_the_reference(name: str, codecs: Any, golden: Any) -> None:
    arrays = golden(name, "clone")
    samples = codecs(name).decode(arrays["peer_codes"])
    assert np.abs(samples - arrays["ref_audio_full"]).max() < 1e-4


@pytest.mark.parametrize("name", WITH_DECODE)
def test_decode_beyond_the_window_equals_the_reference(
    name: str, codecs: Any, golden_arrays: Any
) -> None:
    arrays = golden_arrays(f"decode-{name}")
    codec = codecs(name)
    stream = codec.stream()
    samples = stream.push(arrays["decode_codes"])
    assert np.abs(samples - arrays["ref_audio"]).max() < 1e-4
    assert stream.clamped_codes == (arrays["decode_codes"][1:] >= 48).sum() > 0


@pytest.mark.parametrize("chunks", CHUNKINGS)
@pytest.mark.parametrize("name", WITH_DECODE)
def test_streams_equal_the_whole_in_both_precisions(
    name: str, chunks: str, codecs: Any, golden_arrays: Any, models: Any
) -> None:
    arrays = golden_arrays(f"decode-{name}")
    codec = codecs(name)
    codes = np.minimum(arrays["decode_codes"], np.array(codec.config.codebook_sizes)[:, None] - 1)
    for model, bound in ((codec.model, 1e-5), (double(name, models), 1e-12)):
        stream = DecoderStream(model)
        parts = [stream.push(codes[:, part]) for part in cut(codes.shape[1], CHUNKINGS[chunks])]
        assert np.abs(np.concatenate(parts) - whole(name, model, codes)).max() < bound


_DOUBLE: dict[str, CodecModel] = {}
_WHOLE: dict[tuple[str, torch.dtype], np.ndarray] = {}


def double(name: str, models: Any) -> CodecModel:
    """The golden model in float64."""
    if name not in _DOUBLE:
        with GGUFFile.open(models.path(name)) as file:
            _DOUBLE[name] = AudioCodec.from_gguf(file).model.double()
    return _DOUBLE[name]


def whole(name: str, model: CodecModel, codes: np.ndarray) -> np.ndarray:
    key = (name, model.sample(encoder=False).dtype)
    if key not in _WHOLE:
        _WHOLE[key] = decode_whole(model, codes)
    return _WHOLE[key]


def windowed_run(codec: AudioCodec, codes: np.ndarray, plan: tuple[Any, ...]) -> list[np.ndarray]:
    decoder = windowed(codec, *plan)
    pieces = [decoder.push(codes[:, i : i + 1]) for i in range(codes.shape[1])]
    return [piece for piece in [*pieces, decoder.finish()] if len(piece)]


PLANS: dict[str, tuple[Any, ...]] = {
    "default": (4, None, None),
    "low_latency": (1, None, 0),
    "s2_h2_c8": (2, 8, 2),
    "s3_h5_c64": (3, 64, 5),
}
"""Stride, context and holdback of the peer's streams."""


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("name", GOLDEN_MODELS)
def test_windowed_streams_are_cut_as_by_the_peer(
    name: str, plan: str, codecs: Any, golden: Any
) -> None:
    arrays = golden(name, "clone")
    pieces = windowed_run(codecs(name), arrays["peer_codes"], PLANS[plan])
    assert [len(piece) for piece in pieces] == arrays[f"peer_chunks_stream_{plan}"].tolist()


def test_windowed_sound_is_the_peers(codecs: Any, golden: Any) -> None:
    arrays = golden("tiny-f32", "clone")
    codec, codes = codecs("tiny-f32"), arrays["peer_codes"]
    # The peer decodes a finished take with a stride of 16 and takes the number that was given
    # as stride for the holdback; only so do its samples come out.
    for key, plan in (("stream_s2_h2_c8", (2, 8, 2)), ("offline_s4_c8", (16, 8, 4))):
        samples = np.concatenate(windowed_run(codec, codes, plan))
        assert np.abs(samples - arrays[f"peer_audio_{key}"]).max() < PEER_DISTANCE
        # Too little context is heard: the exact decode is far away.
        assert np.abs(samples - codec.decode(codes)).max() > 10 * PEER_DISTANCE


def recording(name: str, golden_file: Any) -> np.ndarray:
    """A golden recording as the golden engines saw it: mono at 44.1 kHz."""
    data, rate = soundfile.read(golden_file(f"{name}.flac"), dtype="int16", always_2d=True)
    mono = (data.astype(np.float32) / 32768).mean(axis=1, dtype=np.float32)
    if rate == 44100:
        return mono
    at = np.arange(len(mono) * 44100 // rate, dtype=np.float64) * rate / 44100
    left = at.astype(np.int64)
    right = np.minimum(left + 1, len(mono) - 1)
    part = (at - left).astype(np.float32)
    return mono[left] * (1 - part) + mono[right] * part


@pytest.mark.parametrize("sound", ["ref-mono-44k1", "ref-stereo-24k"])
@pytest.mark.parametrize("name", WITH_DECODE)
def test_encode_equals_the_reference(
    name: str, sound: str, codecs: Any, golden_arrays: Any, golden_file: Any
) -> None:
    arrays = golden_arrays(f"encoder-{name}-{sound}")
    codes = codecs(name).encode(recording(sound, golden_file))
    assert np.array_equal(codes, arrays["ref_codes_pad2048"])


@pytest.mark.parametrize("name", WITH_DECODE)
def test_encoder_latents_equal_the_reference(
    name: str, codecs: Any, golden_arrays: Any, golden_file: Any
) -> None:
    arrays = golden_arrays(f"encoder-{name}-ref-mono-44k1")
    codec = codecs(name)
    pcm = recording("ref-mono-44k1", golden_file)
    codec.encode(pcm[:2048])
    padded = np.pad(pcm, (0, -len(pcm) % 2048))
    with torch.no_grad():
        latent = codec.model.encoder(torch.from_numpy(padded)[None, :, None])
        features = codec.model.quantizer.features(latent)
    assert np.abs(latent[0].T.numpy() - arrays["ref_encoder_latent"]).max() < 1e-4
    assert np.abs(features[0].T.numpy() - arrays["ref_quantizer_input"]).max() < 1e-4
