"""Dimensions and metadata of the stand-in models (spec 01, section 2)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

from engine.random_model.tokenizer import FULL_IDS, TINY_IDS
from engine.random_model.writer import KeyValue


@dataclass(frozen=True, slots=True)
class StackShape:
    """One transformer stack of the dual-AR model."""

    dim: int
    layers: int
    heads: int
    kv_heads: int
    head_dim: int
    ffn: int
    qk_norm: bool


@dataclass(frozen=True, slots=True)
class ARShape:
    """The dual-AR model; the fast stack's context is one more than the codebooks."""

    slow: StackShape
    fast: StackShape
    vocab_size: int = TINY_IDS.vocab_size
    semantic_begin: int = TINY_IDS.semantic_begin
    codebook_size: int = TINY_IDS.semantic_size
    codebooks: int = 10
    context: int = 1024
    rope_base: float = 1e6
    eps: float = 1e-6
    scale_codebooks: bool = True


@dataclass(frozen=True, slots=True)
class CodecShape:
    """The audio codec; ``output_gain`` sets how loud random weights sound."""

    encoder_dim: int = 8
    decoder_dim: int = 64
    latent_dim: int = 64
    encoder_rates: tuple[int, ...] = (2, 4, 8, 8)
    decoder_rates: tuple[int, ...] = (8, 8, 4, 2)
    encoder_layers: tuple[int, ...] = (0, 0, 0, 2)
    downsample: tuple[int, ...] = (2, 2)
    codebook_dim: int = 8
    residuals: int = 9
    residual_size: int = 48
    semantic_size: int = 64
    encoder_head_dim: int = 64
    window: int = 16
    layers: int = 2
    heads: int = 2
    head_dim: int = 32
    ffn: int = 96
    output_gain: float = 0.15


@dataclass(frozen=True, slots=True)
class Storage:
    """Types of the tensors: f32, f16, q8_0, q6_k, or kquant for a mixture of Q4_K and Q6_K."""

    matrices: str
    tables: str
    norms: str
    kernels: str = "f16"
    codec: str = "f16"


@dataclass(frozen=True, slots=True)
class Gains:
    """Spread of the tables and gain of the projections that write to the residual stream."""

    table: float = 0.05
    attention: float = 1.0
    ffn: float = 1.4


@dataclass(frozen=True, slots=True)
class ModelPlan:
    """Everything that decides a stand-in's bytes. ``file_type`` is for display only."""

    seed: int
    ar: ARShape
    codec: CodecShape
    storage: Storage
    gains: Gains = field(default_factory=Gains)
    file_type: int = 1


_F32 = ModelPlan(
    1033,
    ARShape(StackShape(64, 3, 4, 2, 32, 128, True), StackShape(64, 2, 2, 1, 32, 96, False)),
    CodecShape(),
    Storage("f32", "f32", "f32", codec="f32"),
)
_F16_PROJECTION = ModelPlan(
    2051,
    ARShape(
        StackShape(96, 2, 3, 3, 32, 160, False),
        StackShape(64, 2, 4, 2, 16, 128, True),
        codebooks=5,
        rope_base=1e4,
        eps=1e-5,
        scale_codebooks=False,
    ),
    CodecShape(residuals=4, window=8),
    Storage("f16", "f16", "f16"),
)
_Q8_0 = ModelPlan(
    3062,
    ARShape(StackShape(128, 3, 4, 2, 64, 256, True), StackShape(128, 2, 4, 2, 32, 192, False)),
    CodecShape(),
    Storage("q8_0", "q8_0", "f32"),
)
_KQUANT = ModelPlan(
    4069,
    ARShape(StackShape(256, 2, 4, 2, 64, 512, True), StackShape(256, 1, 4, 2, 64, 256, False)),
    CodecShape(),
    Storage("kquant", "q6_k", "f16"),
)

GOLDEN: dict[str, ModelPlan] = {
    "tiny-f32": _F32,
    "tiny-f16-projin": _F16_PROJECTION,
    "tiny-q8_0": _Q8_0,
    "tiny-kquant": _KQUANT,
}

_FULL_AR = ARShape(
    StackShape(2560, 36, 32, 8, 128, 9728, True),
    StackShape(2560, 4, 32, 8, 128, 9728, False),
    vocab_size=FULL_IDS.vocab_size,
    semantic_begin=FULL_IDS.semantic_begin,
    codebook_size=FULL_IDS.semantic_size,
    context=32768,
)
_FULL_CODEC = CodecShape(
    encoder_dim=64,
    decoder_dim=1536,
    latent_dim=1024,
    encoder_layers=(0, 0, 0, 4),
    residual_size=1024,
    semantic_size=4096,
    window=128,
    layers=8,
    heads=16,
    head_dim=64,
    ffn=3072,
)

# Type -> (tiny dimensions, storage, general.file_type).
_TYPES: dict[str, tuple[ModelPlan, Storage, int]] = {
    "f32": (_F32, Storage("f32", "f32", "f32", codec="f32"), 0),
    "f16": (_F32, Storage("f16", "f16", "f16"), 1),
    "q8_0": (_Q8_0, Storage("q8_0", "q8_0", "f16"), 7),
    "q4_k": (_KQUANT, Storage("kquant", "q6_k", "f16"), 15),
}
TYPES = tuple(_TYPES)
SIZES = ("tiny", "full")

# Tiny models speak longer than the golden ones and at the level of quiet speech.
_TINY_CONTEXT = 4096
_TINY_OUTPUT_GAIN = 0.05
_FULL_GAINS = Gains(table=0.02, attention=0.5, ffn=0.5)
_FULL_SEED = 7


def random_plan(size: str, type_name: str, seed: int | None) -> ModelPlan:
    """The plan of :func:`engine.random_model.model.make_random_model`.

    Raises ``ValueError`` for a size or type that does not exist.
    """
    if size not in SIZES:
        raise ValueError(f"the size must be one of {', '.join(SIZES)}, not {size}")
    if type_name not in _TYPES:
        raise ValueError(f"the type must be one of {', '.join(TYPES)}, not {type_name}")
    tiny, storage, file_type = _TYPES[type_name]
    if size == "full":
        chosen = _FULL_SEED if seed is None else seed
        return ModelPlan(chosen, _FULL_AR, _FULL_CODEC, storage, _FULL_GAINS, file_type)
    return replace(
        tiny,
        seed=tiny.seed if seed is None else seed,
        ar=replace(tiny.ar, context=_TINY_CONTEXT),
        codec=replace(tiny.codec, output_gain=_TINY_OUTPUT_GAIN),
        storage=storage,
        file_type=file_type,
    )


def metadata(plan: ModelPlan) -> list[KeyValue]:
    """All metadata entries of a model, in file order."""
    general = _entries(
        "general.",
        ("architecture", "str", "fish-speech"),
        ("name", "str", "synthetic fish speech s2 (random weights)"),
        ("file_type", "u32", plan.file_type),
    )
    return general + _slow_metadata(plan.ar) + _fast_metadata(plan.ar) + _codec_metadata(plan.codec)


def _entries(
    prefix: str, *rows: tuple[str, str, int | float | bool | str | list[int]]
) -> list[KeyValue]:
    return [KeyValue(prefix + key, kind, value) for key, kind, value in rows]


def _slow_metadata(ar: ARShape) -> list[KeyValue]:
    slow = ar.slow
    scoped = _entries(
        "fish-speech.",
        ("context_length", "u32", ar.context),
        ("embedding_length", "u32", slow.dim),
        ("feed_forward_length", "u32", slow.ffn),
        ("block_count", "u32", slow.layers),
        ("attention.head_count", "u32", slow.heads),
        ("attention.head_count_kv", "u32", slow.kv_heads),
        ("rope.freq_base", "f32", ar.rope_base),
        ("attention.layer_norm_rms_epsilon", "f32", ar.eps),
        ("vocab_size", "u32", ar.vocab_size),
    )
    return scoped + _entries(
        "fish_speech.",
        ("model_type", "str", "dual_ar"),
        ("codebook_size", "u32", ar.codebook_size),
        ("num_codebooks", "u32", ar.codebooks),
        ("semantic_begin_id", "u32", ar.semantic_begin),
        ("semantic_end_id", "u32", ar.semantic_begin + ar.codebook_size - 1),
        ("audio_pad_token_id", "u32", 0),
        ("scale_codebook_embeddings", "bool", ar.scale_codebooks),
        ("norm_fastlayer_input", "bool", True),
        ("tie_word_embeddings", "bool", True),
        ("attention_qk_norm", "bool", slow.qk_norm),
    )


def _fast_metadata(ar: ARShape) -> list[KeyValue]:
    fast = ar.fast
    return _entries(
        "fish_speech.fast_",
        ("context_length", "u32", ar.codebooks + 1),
        ("embedding_length", "u32", fast.dim),
        ("feed_forward_length", "u32", fast.ffn),
        ("block_count", "u32", fast.layers),
        ("head_count", "u32", fast.heads),
        ("head_count_kv", "u32", fast.kv_heads),
        ("head_dim", "u32", fast.head_dim),
        ("rope_freq_base", "f32", ar.rope_base),
        ("layer_norm_rms_eps", "f32", ar.eps),
        ("tie_word_embeddings", "bool", False),
        ("attention_qk_norm", "bool", fast.qk_norm),
        ("attention_qkv_bias", "bool", False),
        ("attention_o_bias", "bool", False),
        ("project_in", "bool", fast.dim != ar.slow.dim),
    )


def _codec_metadata(codec: CodecShape) -> list[KeyValue]:
    scalar = _entries(
        "fish_speech.codec.",
        ("sample_rate", "u32", 44100),
        ("hop_length", "u32", math.prod(codec.encoder_rates)),
        ("frame_length", "u32", 512),
        ("encoder_dim", "u32", codec.encoder_dim),
        ("decoder_dim", "u32", codec.decoder_dim),
        ("latent_dim", "u32", codec.latent_dim),
        ("encoder_rates", "i32s", list(codec.encoder_rates)),
        ("decoder_rates", "i32s", list(codec.decoder_rates)),
        ("encoder_transformer_layers", "i32s", list(codec.encoder_layers)),
        # As in the released file: names layers that do not exist and must not be looked for.
        ("decoder_transformer_layers", "i32s", [4, 0, 0, 0]),
        ("quantizer_type", "str", "downsample_residual_vector_quantize"),
        ("quantizer_input_dim", "u32", codec.latent_dim),
        ("quantizer_codebook_dim", "u32", codec.codebook_dim),
        ("quantizer_residual_codebooks", "u32", codec.residuals),
        ("quantizer_residual_codebook_size", "u32", codec.residual_size),
        ("quantizer_semantic_codebook_size", "u32", codec.semantic_size),
        ("quantizer_downsample_factor", "i32s", list(codec.downsample)),
    )
    return scalar + _codec_transformers(codec)


def _codec_transformers(codec: CodecShape) -> list[KeyValue]:
    encoder = _entries(
        "fish_speech.codec.transformer.",
        ("block_size", "u32", 8192),
        ("n_local_heads", "i32", -1),
        ("head_dim", "u32", codec.encoder_head_dim),
        ("rope_freq_base", "f32", 1e4),
        ("layer_norm_rms_eps", "f32", 1e-5),
    )
    return encoder + _entries(
        "fish_speech.codec.rvq_transformer.",
        ("window_size", "u32", codec.window),
        ("block_size", "u32", 2048),
        ("n_layer", "u32", codec.layers),
        ("n_head", "u32", codec.heads),
        ("n_local_heads", "i32", -1),
        ("head_dim", "u32", codec.head_dim),
        ("dim", "u32", codec.latent_dim),
        ("feed_forward_length", "u32", codec.ffn),
        ("rope_freq_base", "f32", 1e4),
        ("layer_norm_rms_eps", "f32", 1e-5),
    )
