"""Codec metadata: derived values and refusals (spec 01, sections 2.4 and 6)."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from codec_support import ODD, S2_PRO

from engine.codec.config import CodecConfig
from engine.errors import ModelFileError

KEY = "fish_speech.codec."


def metadata() -> dict[str, Any]:
    """The released model's keys."""
    plain = {
        "sample_rate": 44100,
        "hop_length": 512,
        "frame_length": 512,
        "encoder_dim": 64,
        "decoder_dim": 1536,
        "latent_dim": 1024,
        "encoder_rates": [2, 4, 8, 8],
        "decoder_rates": [8, 8, 4, 2],
        "encoder_transformer_layers": [0, 0, 0, 4],
        "decoder_transformer_layers": [4, 0, 0, 0],
        "quantizer_type": "downsample_residual_vector_quantize",
        "quantizer_input_dim": 1024,
        "quantizer_codebook_dim": 8,
        "quantizer_residual_codebooks": 9,
        "quantizer_residual_codebook_size": 1024,
        "quantizer_semantic_codebook_size": 4096,
        "quantizer_downsample_factor": [2, 2],
        "transformer.block_size": 8192,
        "transformer.n_local_heads": -1,
        "transformer.head_dim": 64,
        "transformer.rope_freq_base": 10000.0,
        "transformer.layer_norm_rms_eps": 1e-5,
        "rvq_transformer.window_size": 128,
        "rvq_transformer.block_size": 2048,
        "rvq_transformer.n_layer": 8,
        "rvq_transformer.n_head": 16,
        "rvq_transformer.n_local_heads": -1,
        "rvq_transformer.head_dim": 64,
        "rvq_transformer.dim": 1024,
        "rvq_transformer.feed_forward_length": 3072,
        "rvq_transformer.rope_freq_base": 10000.0,
        "rvq_transformer.layer_norm_rms_eps": 1e-5,
    }
    values = {KEY + key: value for key, value in plain.items()}
    return {"general.architecture": "fish-speech", "fish_speech.num_codebooks": 10, **values}


def read(values: dict[str, Any], tensors: dict[str, Any] | None = None) -> CodecConfig:
    file: Any = SimpleNamespace(metadata=values, tensors=tensors or {})
    return CodecConfig.from_gguf(file)


def test_released_model() -> None:
    config = read(metadata())
    assert config == S2_PRO
    assert (config.num_codebooks, config.samples_per_frame, config.window) == (10, 2048, 128)
    assert config.frame_rate * 2048 == 44100
    assert config.codebook_sizes == (4096,) + (1024,) * 9


def test_other_rates_and_sizes_derive_from_the_numbers() -> None:
    assert (ODD.samples_per_frame, ODD.num_codebooks, ODD.window) == (45, 3, 5)


def test_codec_only_file_has_no_prefix() -> None:
    values = metadata() | {"general.architecture": "fish-speech-codec"}
    del values["fish_speech.num_codebooks"]
    assert read(values).tensor_prefix == ""


def test_feed_forward_width_of_the_encoder_comes_from_its_tensor() -> None:
    name = "c.encoder.block.4.block.5.layers.0.feed_forward.w1.weight"
    config = read(metadata(), {name: SimpleNamespace(shape=(2048, 1024))})
    transformer = config.encoder_transformers[3]
    assert transformer is not None
    assert transformer.ffn == 2048


@pytest.mark.parametrize("missing", ["n_head", "feed_forward_length"])
def test_keys_that_can_be_derived_may_be_missing(missing: str) -> None:
    values = metadata()
    del values[f"{KEY}rvq_transformer.{missing}"]
    assert read(values) == S2_PRO


OPTIONAL = {"frame_length", "quantizer_type", "rvq_transformer.n_head"}
OPTIONAL |= {"rvq_transformer.feed_forward_length"}


@pytest.mark.parametrize(
    "key", [k for k in metadata() if k.startswith(KEY) and k.removeprefix(KEY) not in OPTIONAL]
)
def test_each_required_key_is_named_when_missing(key: str) -> None:
    values = metadata()
    del values[key]
    with pytest.raises(ModelFileError, match=f"missing key: {key}"):
        read(values)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("sample_rate", "44100", "expected INT32/UINT32 for key"),
        ("sample_rate", 44100.0, "expected INT32/UINT32 for key"),
        ("sample_rate", True, "expected INT32/UINT32 for key"),
        ("sample_rate", 0, "out of range"),
        ("encoder_dim", 2**40, "out of range"),
        ("encoder_rates", 8, "expected an integer array"),
        ("encoder_rates", [2, 4, 8, 0], "out of range"),
        ("encoder_rates", [2.0, 4, 8, 8], "expected an integer array"),
        ("encoder_rates", [2, 4, 8], "differ in length"),
        ("hop_length", 256, "hop_length 256 is not the product of encoder_rates"),
        ("decoder_rates", [8, 8, 4, 4], "not the product of decoder_rates"),
        ("decoder_dim", 1540, "cannot be halved"),
        ("quantizer_input_dim", 512, "differ"),
        ("transformer.head_dim", 60, "does not divide"),
        ("rvq_transformer.n_local_heads", 3, "do not fit"),
        ("rvq_transformer.layer_norm_rms_eps", 0.0, "must be above 0"),
        ("rvq_transformer.rope_freq_base", float("nan"), "must be above 0"),
        ("quantizer_residual_codebooks", 4, "num_codebooks is 10 but the codec has 5"),
    ],
)
def test_values_that_do_not_fit_are_refused(key: str, value: Any, message: str) -> None:
    with pytest.raises(ModelFileError, match=message):
        read(metadata() | {KEY + key: value})


def test_wrong_or_missing_architecture() -> None:
    with pytest.raises(ModelFileError, match="unexpected architecture: llama"):
        read(metadata() | {"general.architecture": "llama"})
    values = metadata()
    del values["general.architecture"]
    with pytest.raises(ModelFileError, match=r"missing key: general\.architecture"):
        read(values)
