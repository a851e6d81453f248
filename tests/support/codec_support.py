"""Small random codecs for the tests of the codec."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import cycle

import numpy as np
import torch
from torch import nn

from engine.codec.codec import AudioCodec
from engine.codec.config import CodecConfig, TransformerConfig
from engine.codec.layers import packed
from engine.codec.model import CodecModel
from engine.codec.windowed import EmissionPlan, WindowedDecoder, auto_history

# Parallel loops over a few hundred numbers only wait for each other on a busy machine.
torch.set_num_threads(1)

S2_PRO = CodecConfig(
    sample_rate=44100,
    hop_length=512,
    encoder_dim=64,
    decoder_dim=1536,
    latent_dim=1024,
    encoder_rates=(2, 4, 8, 8),
    decoder_rates=(8, 8, 4, 2),
    encoder_transformers=(
        None,
        None,
        None,
        TransformerConfig(4, 1024, 16, 16, 64, 3072, 512, 1e4, 1e-5),
    ),
    downsample=(2, 2),
    codebook_dim=8,
    residual_codebooks=9,
    semantic_size=4096,
    residual_size=1024,
    rvq=TransformerConfig(8, 1024, 16, 16, 64, 3072, 128, 1e4, 1e-5),
)

SCALED_DOWN = CodecConfig(
    sample_rate=44100,
    hop_length=512,
    encoder_dim=2,
    decoder_dim=16,
    latent_dim=16,
    encoder_rates=(2, 4, 8, 8),
    decoder_rates=(8, 8, 4, 2),
    encoder_transformers=(None, None, None, TransformerConfig(1, 32, 2, 2, 16, 48, 512, 1e4, 1e-5)),
    downsample=(2, 2),
    codebook_dim=8,
    residual_codebooks=9,
    semantic_size=64,
    residual_size=32,
    rvq=TransformerConfig(2, 16, 2, 2, 8, 24, 128, 1e4, 1e-5),
)
"""Kernels, strides, dilations and window of the released codec, and hardly any channels."""

ODD = CodecConfig(
    sample_rate=8000,
    hop_length=15,
    encoder_dim=3,
    decoder_dim=8,
    latent_dim=12,
    encoder_rates=(3, 5),
    decoder_rates=(5, 3),
    encoder_transformers=(TransformerConfig(1, 6, 3, 1, 2, 9, 4, 1e3, 1e-6), None),
    downsample=(3,),
    codebook_dim=5,
    residual_codebooks=2,
    semantic_size=11,
    residual_size=7,
    rvq=TransformerConfig(2, 12, 4, 2, 6, 10, 5, 1e4, 1e-5),
)
"""Other rates, a window of 5, grouped heads, 45 samples a frame."""


def pack_weights(module: nn.Module) -> None:
    """Put the weights below ``module`` that are loaded in that order, in place."""
    for part in module.modules():
        weight = getattr(part, "weight", None)
        if isinstance(weight, nn.Parameter) and not weight.is_meta:
            weight.data = packed(part, weight.data)


def windowed(
    codec: AudioCodec, stride: int, context: int | None = None, holdback: int | None = None
) -> WindowedDecoder:
    """A windowed decoder; context ``None`` is automatic, holdback ``None`` the context."""
    context = auto_history(codec.config.window) if context is None else context
    plan = EmissionPlan(stride, context, context if holdback is None else holdback)
    c = codec.config
    return WindowedDecoder(codec.decode, c.num_codebooks, c.samples_per_frame, plan)


def make_codec(
    config: CodecConfig, seed: int = 1, dtype: torch.dtype = torch.float32
) -> CodecModel:
    """A codec with random weights whose sound is neither silent nor saturated."""
    model = CodecModel(config).eval().requires_grad_(False)
    generator = torch.Generator().manual_seed(seed)
    for name, parameter in model.named_parameters():
        owner = model.get_submodule(name.rpartition(".")[0])
        transposed = isinstance(owner, nn.ConvTranspose1d)
        # Inputs that add up in one output; two steps overlap in a transposed convolution.
        fan_in = 4 * len(parameter) if transposed else parameter[0].numel()
        parameter.copy_(_values(name, parameter, fan_in, generator))
    pack_weights(model)
    return model.to(dtype)


def _values(
    name: str, parameter: nn.Parameter, fan_in: int, generator: torch.Generator
) -> torch.Tensor:
    noise = torch.randn(parameter.shape, generator=generator)
    if name.endswith("alpha"):
        return 1 + 0.5 * noise.tanh()
    if name.endswith("gamma"):
        return 0.3 + 0.05 * noise
    if "norm.weight" in name:
        return 1 + 0.1 * noise
    if name.endswith("bias"):
        return 0.05 * noise
    if "codebook" in name:
        return noise
    quiet = name.endswith("block.3.conv.weight") or len(parameter) == 1
    gain = 0.35 if quiet else 1.0
    return gain * noise / math.sqrt(fan_in)


def random_codes(config: CodecConfig, frames: int, seed: int = 0) -> np.ndarray:
    """Codes in range, int32 ``(codebooks, frames)``."""
    rng = np.random.default_rng(seed)
    rows = [rng.integers(0, size, frames) for size in config.codebook_sizes]
    return np.array(rows, np.int32)


def cut(frames: int, sizes: Sequence[int]) -> Iterator[slice]:
    """Slices of the given sizes, repeated until ``frames`` are covered."""
    start = 0
    for size in cycle(sizes):
        if start >= frames:
            return
        yield slice(start, min(start + size, frames))
        start += size


CHUNKINGS: dict[str, Sequence[int]] = {
    **{str(n): (n,) for n in (1, 2, 3, 4, 7, 16, 32)},
    "mixed": (3, 1, 7, 2, 32, 1, 16, 5),
    "window": (127, 1, 1, 127, 129, 2),
}
"""Chunk sizes of a stream, by name."""


def decode_whole(model: CodecModel, codes: np.ndarray) -> np.ndarray:
    """Independent decode: no state anywhere, and the library's own convolutions."""
    with torch.enable_grad():
        return model.decode(torch.from_numpy(codes).long()[None])[0].detach().numpy()
