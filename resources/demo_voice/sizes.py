"""Sizes of the demo voice: those of S2 Pro's layout, made small."""

from __future__ import annotations

from engine.codec.config import CodecConfig, TransformerConfig
from engine.lm.config import ARConfig, FastConfig

WIDTH = 256
CODEBOOKS = 2
CODEBOOK_SIZE = 1024
TEXT_FRAMES = 192
"""Tokens that every text is filled up to, and the most frames of one utterance."""


def codec_config() -> CodecConfig:
    """22,050 Hz, 1024 samples a frame, two codebooks of 1024 entries."""
    rvq = TransformerConfig(
        layers=1, dim=WIDTH, heads=4, kv_heads=4, head_dim=64, ffn=256, window=16,
        rope_base=10000.0, eps=1e-5,
    )  # fmt: skip
    return CodecConfig(
        sample_rate=22050, hop_length=256, encoder_dim=16, decoder_dim=WIDTH, latent_dim=WIDTH,
        encoder_rates=(2, 4, 8, 4), decoder_rates=(4, 8, 4, 2),
        encoder_transformers=(None, None, None, None), downsample=(2, 2), codebook_dim=32,
        residual_codebooks=CODEBOOKS - 1, semantic_size=CODEBOOK_SIZE,
        residual_size=CODEBOOK_SIZE, rvq=rvq, tensor_prefix="c.",
    )  # fmt: skip


def ar_config(vocab_size: int, semantic_begin: int) -> ARConfig:
    """About three million parameters on the time axis, half a million on the codebook axis.

    The rotary base is small, so that a head can tell a distance of two hundred columns from the
    next one.
    """
    fast = FastConfig(
        dim=128, n_layers=2, n_heads=2, n_kv_heads=1, head_dim=64, ffn=256, rope_base=1000.0,
        eps=1e-6, qk_norm=False, context_length=CODEBOOKS, project_in=True, tie=False,
    )  # fmt: skip
    return ARConfig(
        dim=256, n_layers=4, n_heads=4, n_kv_heads=2, head_dim=64, ffn=512, rope_base=1000.0,
        eps=1e-6, qk_norm=True, vocab_size=vocab_size, context_length=2048,
        scale_codebooks=True, tie_embeddings=True, codebook_size=CODEBOOK_SIZE,
        num_codebooks=CODEBOOKS, semantic_begin=semantic_begin,
        semantic_end=semantic_begin + CODEBOOK_SIZE - 1, norm_fast_input=True, fast=fast,
    )  # fmt: skip
