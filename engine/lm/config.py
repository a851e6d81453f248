"""Shape of the dual-AR model, read from a GGUF file's metadata and checked against its tensors.

Spec 01, sections 2.2, 2.3 and 6. No size of a released model is built in beyond the defaults
that the format itself gives to absent keys.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from engine.errors import Message, ModelFileError

logger = logging.getLogger(__name__)

_FAST = "fish_speech.fast_"
TEXT_LIMIT_KEY = "s2_voice_studio.text_limit"
"""Our own optional key: the most characters that a model can speak in one go."""


class TensorShape(Protocol):
    """What this module needs to know of a tensor."""

    @property
    def shape(self) -> tuple[int, ...]: ...


class MetadataFile(Protocol):
    """The part of :class:`engine.gguf.reader.GGUFFile` that a configuration is read from."""

    @property
    def metadata(self) -> Mapping[str, object]: ...

    @property
    def tensors(self) -> Mapping[str, TensorShape]: ...

    def get_u32(self, key: str, default: int = ...) -> int: ...

    def get_f32(self, key: str, default: float = ...) -> float: ...

    def get_bool(self, key: str, default: bool = ...) -> bool: ...

    def get_str(self, key: str, default: str = ...) -> str: ...


@dataclass(frozen=True, slots=True)
class StackConfig:
    """What one stack of transformer layers needs; both stacks are built from it.

    Attributes:
        dim: width of the residual stream.
        n_layers, n_heads, n_kv_heads, head_dim, ffn: sizes of a layer.
        rope_base: base of the rotary angles.
        eps: of every RMSNorm of the stack.
        qk_norm: queries and keys are normalised per head.
    """

    dim: int
    n_layers: int
    n_heads: int
    n_kv_heads: int
    head_dim: int
    ffn: int
    rope_base: float
    eps: float
    qk_norm: bool

    @property
    def group(self) -> int:
        """Query heads that share one key and value head."""
        return self.n_heads // self.n_kv_heads

    @property
    def qkv_rows(self) -> int:
        """Output rows of the joined query, key and value matrix."""
        return (self.n_heads + 2 * self.n_kv_heads) * self.head_dim


@dataclass(frozen=True, slots=True)
class FastConfig(StackConfig):
    """The codebook-axis transformer.

    Attributes:
        context_length: upper bound on its positions; one per codebook is used.
        project_in: the slow model's state passes through ``fast_project_in`` first.
        tie: its output matrix is its embedding table.
    """

    context_length: int
    project_in: bool
    tie: bool


@dataclass(frozen=True, slots=True)
class ARConfig(StackConfig):
    """The time-axis transformer, the token layout, and the codebook-axis transformer.

    Attributes:
        vocab_size: rows of the embedding table.
        context_length: columns that a prompt and its frames may take together.
        scale_codebooks: semantic columns are divided by ``sqrt(num_codebooks + 1)``.
        tie_embeddings: the output matrix is the embedding table.
        codebook_size: entries of a codebook as the transformers see it.
        num_codebooks: codes of a frame.
        semantic_begin, semantic_end: first and last (inclusive) semantic token id.
        norm_fast_input: the codebook-axis model is fed the normed state.
        fast: the codebook-axis transformer.
        text_limit: most characters that it can speak in one go; 0 is no limit of its own.
    """

    vocab_size: int
    context_length: int
    scale_codebooks: bool
    tie_embeddings: bool
    codebook_size: int
    num_codebooks: int
    semantic_begin: int
    semantic_end: int
    norm_fast_input: bool
    fast: FastConfig
    text_limit: int = 0

    @classmethod
    def from_gguf(cls, file: MetadataFile) -> ARConfig:
        """Read and check the configuration of an opened model file.

        Raises:
            ModelFileError: a tensor that a size is read from is missing, or values contradict
                each other ("inconsistent metadata: ...").
        """
        arch = file.get_str("general.architecture")
        key = f"{arch}."
        dim = file.get_u32(key + "embedding_length", 2560)
        n_heads = file.get_u32(key + "attention.head_count", 32)
        n_kv_heads = file.get_u32(key + "attention.head_count_kv", 8)
        rope_base = file.get_f32(key + "rope.freq_base", 1e6)
        eps = file.get_f32(key + "attention.layer_norm_rms_epsilon", 1e-6)
        config = cls(
            dim=dim,
            n_layers=file.get_u32(key + "block_count", 36),
            n_heads=n_heads,
            n_kv_heads=n_kv_heads,
            head_dim=_head_dim(file, "layers", n_heads, n_kv_heads),
            ffn=file.get_u32(key + "feed_forward_length", 9728),
            rope_base=rope_base,
            eps=eps,
            qk_norm=_qk_norm(file, "layers", "fish_speech.attention_qk_norm"),
            vocab_size=file.get_u32(key + "vocab_size", 155776),
            context_length=file.get_u32(key + "context_length", 32768),
            scale_codebooks=file.get_bool("fish_speech.scale_codebook_embeddings", True),
            tie_embeddings=file.get_bool("fish_speech.tie_word_embeddings", True),
            codebook_size=file.get_u32("fish_speech.codebook_size", 4096),
            num_codebooks=file.get_u32("fish_speech.num_codebooks", 10),
            semantic_begin=file.get_u32("fish_speech.semantic_begin_id", 151678),
            semantic_end=file.get_u32("fish_speech.semantic_end_id", 155773),
            norm_fast_input=file.get_bool("fish_speech.norm_fastlayer_input", True),
            fast=_fast_config(file, dim, rope_base, eps),
            text_limit=file.get_u32(TEXT_LIMIT_KEY, 0),
        )
        _check_stack(config, file, "layers")
        _check_stack(config.fast, file, "fast_layers")
        _check_tokens(config, file)
        return config


def _fast_config(file: MetadataFile, slow_dim: int, rope_base: float, eps: float) -> FastConfig:
    """The codebook-axis stack; it shares the slow one's rotary base and epsilon (spec 01, 8)."""
    for bias in ("qkv", "o"):
        if file.get_bool(f"{_FAST}attention_{bias}_bias", False):
            raise ModelFileError("lm.bias", bias=bias)
    for name, slow_value in (("rope_freq_base", rope_base), ("layer_norm_rms_eps", eps)):
        value = file.get_f32(_FAST + name, slow_value)
        if value != slow_value:
            logger.warning(
                "%s%s is %g but the model was trained with the slow stack's %g, which is used",
                _FAST,
                name,
                value,
                slow_value,
            )
    dim = file.get_u32(_FAST + "embedding_length", 2560)
    n_heads = file.get_u32(_FAST + "head_count", 32)
    n_kv_heads = file.get_u32(_FAST + "head_count_kv", 8)
    head_dim = _head_dim(file, "fast_layers", n_heads, n_kv_heads)
    stated = file.get_u32(_FAST + "head_dim", 0)
    if stated not in (0, head_dim):
        _inconsistent("lm.fast_head", stated=stated, head_dim=head_dim)
    project_in = file.get_bool(_FAST + "project_in", dim != slow_dim)
    if not project_in and dim != slow_dim:
        _inconsistent("lm.fast_project", slow_dim=slow_dim, dim=dim)
    return FastConfig(
        dim=dim,
        n_layers=file.get_u32(_FAST + "block_count", 4),
        n_heads=n_heads,
        n_kv_heads=n_kv_heads,
        head_dim=head_dim,
        ffn=file.get_u32(_FAST + "feed_forward_length", 9728),
        rope_base=rope_base,
        eps=eps,
        qk_norm=_qk_norm(file, "fast_layers", _FAST + "attention_qk_norm"),
        context_length=file.get_u32(_FAST + "context_length", 11),
        project_in=project_in,
        tie=file.get_bool(_FAST + "tie_word_embeddings", False),
    )


def _inconsistent(code: str, **params: object) -> None:
    raise ModelFileError("lm.inconsistent", reason=Message(code, **params))


def _shape(file: MetadataFile, name: str) -> tuple[int, ...]:
    info = file.tensors.get(name)
    if info is None:
        raise ModelFileError("lm.no_tensor", name=name)
    return info.shape


def _head_dim(file: MetadataFile, stack: str, n_heads: int, n_kv_heads: int) -> int:
    """Head width from the rows of the joined matrix, never from width by heads."""
    name = f"{stack}.0.attention.wqkv.weight"
    rows, heads = _shape(file, name)[0], n_heads + 2 * n_kv_heads
    if heads <= 0 or rows % heads:
        _inconsistent("lm.head_rows", name=name, rows=rows, heads=heads)
    return rows // heads


def _qk_norm(file: MetadataFile, stack: str, key: str) -> bool:
    """Whether queries and keys are normed: what the tensors say, unless the key asks for more.

    A key that is true without the tensor stays true, so that binding names the missing tensor.
    """
    present = f"{stack}.0.attention.q_norm.weight" in file.tensors
    stated = file.get_bool(key, present)
    if present and not stated:
        logger.warning("%s is false but the norm tensors are there; they are used", key)
    return present or stated


def _check_stack(c: StackConfig, file: MetadataFile, stack: str) -> None:
    sizes = (c.dim, c.n_layers, c.n_heads, c.n_kv_heads, c.head_dim, c.ffn)
    if min(sizes) < 1:
        _inconsistent("lm.no_size", stack=stack)
    if c.n_heads % c.n_kv_heads:
        _inconsistent("lm.key_heads", n_heads=c.n_heads, n_kv_heads=c.n_kv_heads)
    if c.head_dim % 2:
        _inconsistent("lm.odd_head", head_dim=c.head_dim, stack=stack)
    _check_layers(c.n_layers, file, stack)
    columns = _shape(file, f"{stack}.0.attention.wo.weight")[-1]
    if columns != c.n_heads * c.head_dim:
        _inconsistent(
            "lm.joined", stack=stack, columns=columns, n_heads=c.n_heads, head_dim=c.head_dim
        )
    if c.qk_norm:
        length = _shape(file, f"{stack}.0.attention.q_norm.weight")[-1]
        if length != c.head_dim:
            _inconsistent("lm.norm_length", stack=stack, length=length, head_dim=c.head_dim)


def _check_layers(count: int, file: MetadataFile, stack: str) -> None:
    """Layers that are stored and would not be used make another model than the file's."""
    named = (name.split(".")[:2] for name in file.tensors if name.startswith(f"{stack}."))
    stored = {int(parts[1]) for parts in named if len(parts) == 2 and parts[1].isdecimal()}
    if stored and max(stored) >= count:
        _inconsistent("lm.more_layers", stack=stack, stored=max(stored) + 1, count=count)


def _check_tokens(c: ARConfig, file: MetadataFile) -> None:
    rows = _shape(file, "embeddings.weight")[0]
    if rows != c.vocab_size:
        _inconsistent("lm.vocabulary", vocab_size=c.vocab_size, rows=rows)
    if c.num_codebooks < 1 or c.codebook_size < 1 or c.context_length < 1:
        _inconsistent("lm.too_small")
    if c.semantic_end - c.semantic_begin + 1 != c.codebook_size:
        _inconsistent(
            "lm.semantic_count",
            semantic_begin=c.semantic_begin,
            semantic_end=c.semantic_end,
            codebook_size=c.codebook_size,
        )
    if c.semantic_end >= c.vocab_size:
        _inconsistent("lm.semantic_range", semantic_end=c.semantic_end, vocab_size=c.vocab_size)
    if c.fast.context_length < c.num_codebooks:
        _inconsistent(
            "lm.fast_context", context_length=c.fast.context_length, num_codebooks=c.num_codebooks
        )
    residual_key = "fish_speech.codec.quantizer_residual_codebooks"
    if residual_key in file.metadata and file.get_u32(residual_key) + 1 != c.num_codebooks:
        _inconsistent(
            "lm.codebooks", num_codebooks=c.num_codebooks, found=file.get_u32(residual_key)
        )
