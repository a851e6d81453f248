"""The encoder as compiled steps: the same numbers, the same state, and when it is used."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import torch
from codec_support import ODD, SCALED_DOWN, make_codec
from test_compiled_decoder import tensors

from engine.codec.codec import AudioCodec
from engine.codec.compiled_weights import serve_encoder
from engine.codec.config import CodecConfig
from engine.codec.model import CodecModel
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
    serve_encoder(model.quantizer, model.encoder, pool)
    return model


@pytest.mark.parametrize("name", CONFIGS)
def test_it_equals_the_modules_and_leaves_the_same_state(name: str, pool: KernelPool) -> None:
    config = CONFIGS[name]
    plain, made = make_codec(config), served(config, pool)
    pcm = 0.3 * torch.randn(1, 40 * config.hop_length, 1)
    with torch.inference_mode():
        left, right = plain.encoder.new_state(), made.encoder.new_state()
        for start, stop in ((0, 1), (1, 4), (4, 39), (39, 40)):
            part = pcm[:, start * config.hop_length : stop * config.hop_length]
            expected, result = plain.encoder(part, left), made.encoder(part, right)
            assert result.shape == expected.shape
            assert (result - expected).abs().max() < 2e-5 * max(1, float(expected.abs().max()))
            for a, b in zip(tensors(left), tensors(right), strict=True):
                assert (a - b).abs().max() < 2e-5 * max(1, float(a.abs().max()))
        whole = made.encoder(pcm)
        assert (whole - plain.encoder(pcm)).abs().max() < 1e-4


def test_autograd_batches_and_float64_use_the_modules(pool: KernelPool) -> None:
    model, plain = served(SCALED_DOWN, pool), make_codec(SCALED_DOWN)
    pcm = 0.3 * torch.randn(1, 4 * SCALED_DOWN.hop_length, 1)
    expected = plain.encoder(pcm)
    model.requires_grad_(True)
    latent = model.encoder(pcm)
    latent.square().sum().backward()
    assert model.get_parameter("encoder.block.0.conv.weight").grad is not None
    with torch.no_grad():
        both = model.encoder(pcm.repeat(2, 1, 1))
        assert (both - expected).abs().max() < 1e-4
        assert model.to(torch.float64).encoder(pcm.double()).dtype == torch.float64


@pytest.mark.parametrize("name", ["tiny-f32", "tiny-f16-projin"])
def test_a_file_is_served_when_something_is_encoded(name: str, models: Any) -> None:
    with GGUFFile.open(models.path(name)) as file, KernelPool(2) as pool:
        codec = AudioCodec.from_gguf(file, pool=pool)
        assert codec.model.encoder.compiled is None
        pcm = 0.2 * torch.randn(5 * codec.config.samples_per_frame - 7).numpy()
        codes = codec.encode(pcm)
        assert codec.model.encoder.compiled is not None
        codec.model.encoder.compiled = None
        assert (codec.encode(pcm) == codes).mean() > 0.95
