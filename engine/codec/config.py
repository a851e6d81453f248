"""Dimensions of the audio codec, read from GGUF metadata and checked (spec 01, section 2.4).

Nothing below this module knows a number of the released model: other rates, widths, codebook
counts and windows work as long as the metadata agrees with itself and with the tensors.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.errors import Message, ModelFileError

if TYPE_CHECKING:
    from engine.gguf.reader import GGUFFile

ENCODER_WINDOW = 512
"""Attention window of the encoder's transformers; the file format has no key for it."""

ENCODER_TRANSFORMER_PART = 5
"""Position of the transformer in an encoder block, behind units, activation and convolution."""

LOWEST_RATE = 4000
"""Below it there is no speech: a model that tells of less is damaged."""

_PREFIX = "fish_speech.codec."
_TENSOR_PREFIXES = {"fish-speech": "c.", "fish-speech-codec": ""}


@dataclass(frozen=True, slots=True)
class TransformerConfig:
    """One windowed causal transformer (spec 04, section 2).

    Attributes:
        layers, dim, heads, kv_heads, head_dim, ffn: sizes; ``heads`` is a multiple of
            ``kv_heads``.
        window: keys that a query may see, itself included.
        rope_base: base of the rotary angles.
        eps: floor of the RMS norms.
    """

    layers: int
    dim: int
    heads: int
    kv_heads: int
    head_dim: int
    ffn: int
    window: int
    rope_base: float
    eps: float


@dataclass(frozen=True, slots=True)
class CodecConfig:
    """Everything that shapes the codec.

    Attributes:
        sample_rate: in Hz.
        hop_length: samples per step of the latent (product of ``encoder_rates``).
        encoder_dim, decoder_dim, latent_dim: channels at the encoder's start, the decoder's
            start, and between encoder, quantizer and decoder.
        encoder_rates, decoder_rates: strides of the blocks, in the order of the signal.
        encoder_transformers: one entry per encoder block, ``None`` where it has none.
        downsample: strides of the quantizer's down-samplers; up-sampling mirrors them.
        codebook_dim: width of a codebook entry.
        residual_codebooks: codebooks after the semantic one.
        semantic_size, residual_size: entries of the codebooks.
        rvq: the transformer in front of and behind the quantizer (two sets of weights).
        tensor_prefix: what stands in front of every codec tensor name in the file.
    """

    sample_rate: int
    hop_length: int
    encoder_dim: int
    decoder_dim: int
    latent_dim: int
    encoder_rates: tuple[int, ...]
    decoder_rates: tuple[int, ...]
    encoder_transformers: tuple[TransformerConfig | None, ...]
    downsample: tuple[int, ...]
    codebook_dim: int
    residual_codebooks: int
    semantic_size: int
    residual_size: int
    rvq: TransformerConfig
    tensor_prefix: str = "c."

    def __post_init__(self) -> None:
        _check(self)

    @property
    def num_codebooks(self) -> int:
        """Codes per frame: the semantic one and the residual ones."""
        return self.residual_codebooks + 1

    @property
    def samples_per_frame(self) -> int:
        """PCM samples per column of codes."""
        return self.hop_length * math.prod(self.downsample)

    @property
    def frame_rate(self) -> float:
        """Columns of codes a second."""
        return self.sample_rate / self.samples_per_frame

    @property
    def window(self) -> int:
        """Attention window of the decoding transformer, in frames."""
        return self.rvq.window

    @property
    def codebook_sizes(self) -> tuple[int, ...]:
        """Entries per codebook; row i of a code matrix must stay below item i."""
        return (self.semantic_size,) + (self.residual_size,) * self.residual_codebooks

    @classmethod
    def from_gguf(cls, file: GGUFFile) -> CodecConfig:
        """Read and check the codec's metadata of a full model or of a codec-only file.

        Raises:
            ModelFileError: a key is missing, of the wrong type, out of range, or contradicts
                another one.
        """
        meta = _Metadata(file)
        architecture = file.metadata.get("general.architecture")
        if architecture is None:
            raise ModelFileError("codec.no_architecture")
        if architecture not in _TENSOR_PREFIXES:
            raise ModelFileError("codec.architecture", architecture=architecture)
        encoder_dim, rates = meta.count("encoder_dim"), meta.counts("encoder_rates")
        residual = meta.count("quantizer_residual_codebooks", 0)
        _check_against_ar(file, architecture, residual)
        return cls(
            sample_rate=meta.count("sample_rate", LOWEST_RATE),
            hop_length=meta.count("hop_length"),
            encoder_dim=encoder_dim,
            decoder_dim=meta.count("decoder_dim"),
            latent_dim=meta.count("latent_dim"),
            encoder_rates=rates,
            decoder_rates=meta.counts("decoder_rates"),
            encoder_transformers=_encoder_transformers(
                meta, encoder_dim, rates, _TENSOR_PREFIXES[architecture]
            ),
            downsample=meta.counts("quantizer_downsample_factor"),
            codebook_dim=meta.count("quantizer_codebook_dim"),
            residual_codebooks=residual,
            semantic_size=meta.count("quantizer_semantic_codebook_size"),
            residual_size=meta.count("quantizer_residual_codebook_size"),
            rvq=_rvq_transformer(meta),
            tensor_prefix=_TENSOR_PREFIXES[architecture],
        )


class _Metadata:
    """Typed access to the codec's keys; every error names the key."""

    def __init__(self, file: GGUFFile) -> None:
        self._values = file.metadata
        self._tensors = file.tensors

    def _get(self, name: str) -> Any:
        try:
            return self._values[_PREFIX + name]
        except KeyError:
            raise ModelFileError("codec.no_key", name=name) from None

    def integer(self, name: str) -> int:
        value = self._get(name)
        if isinstance(value, bool) or not isinstance(value, int):
            raise ModelFileError("codec.no_integer", name=name)
        return value

    def count(self, name: str, lowest: int = 1, default: int | None = None) -> int:
        if default is not None and _PREFIX + name not in self._values:
            return default
        return _in_range(name, self.integer(name), lowest)

    def counts(self, name: str, lowest: int = 1) -> tuple[int, ...]:
        values = self._get(name)
        if isinstance(values, (str, bytes)) or not hasattr(values, "__iter__"):
            raise ModelFileError("codec.no_integers", name=name)
        items = [v.item() if hasattr(v, "item") else v for v in values]
        if any(isinstance(v, bool) or not isinstance(v, int) for v in items):
            raise ModelFileError("codec.no_integers", name=name)
        return tuple(_in_range(name, v, lowest) for v in items)

    def positive(self, name: str) -> float:
        value = self._get(name)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise ModelFileError("codec.no_float", name=name)
        if not (math.isfinite(value) and value > 0):
            raise ModelFileError("codec.not_positive", name=name, value=value)
        return float(value)

    def rows(self, tensor: str, default: int) -> int:
        """First axis of a tensor; the default when there is none, which the loader reports."""
        info = self._tensors.get(tensor)
        return default if info is None else info.shape[0]

    def require(self, *names: str) -> None:
        """Keys that must be there although they do not change the arithmetic."""
        for name in names:
            self._get(name)


def _in_range(name: str, value: int, lowest: int) -> int:
    if not lowest <= value < 2**31:
        raise ModelFileError("codec.value_range", name=name, value=value)
    return value


def _kv_heads(meta: _Metadata, name: str, heads: int) -> int:
    kv = meta.integer(name)
    return heads if kv < 1 else kv


def _encoder_transformers(
    meta: _Metadata, encoder_dim: int, rates: tuple[int, ...], prefix: str
) -> tuple[TransformerConfig | None, ...]:
    layers = meta.counts("encoder_transformer_layers", 0)
    if len(layers) != len(rates):
        raise _inconsistent("codec.lengths_differ")
    meta.require("decoder_transformer_layers", "transformer.block_size")
    head_dim = meta.count("transformer.head_dim")
    base = meta.positive("transformer.rope_freq_base")
    eps = meta.positive("transformer.layer_norm_rms_eps")
    configs: list[TransformerConfig | None] = []
    for i, count in enumerate(layers):
        dim = encoder_dim * 2 ** (i + 1)
        if count == 0:
            configs.append(None)
            continue
        if dim % head_dim:
            raise _inconsistent("codec.head_width", head_dim=head_dim, dim=dim)
        heads = dim // head_dim
        kv_heads = _kv_heads(meta, "transformer.n_local_heads", heads)
        # No key tells the feed-forward width of these transformers; their tensors do.
        block = f"{prefix}encoder.block.{i + 1}.block.{ENCODER_TRANSFORMER_PART}"
        ffn = meta.rows(f"{block}.layers.0.feed_forward.w1.weight", default=3 * dim)
        configs.append(
            TransformerConfig(count, dim, heads, kv_heads, head_dim, ffn, ENCODER_WINDOW, base, eps)
        )
    return tuple(configs)


def _rvq_transformer(meta: _Metadata) -> TransformerConfig:
    name = "rvq_transformer."
    meta.require(name + "block_size")
    dim, head_dim = meta.count(name + "dim"), meta.count(name + "head_dim")
    heads = meta.count(name + "n_head", default=max(1, dim // head_dim))
    latent, quantizer = meta.count("latent_dim"), meta.count("quantizer_input_dim")
    if not latent == quantizer == dim:
        raise _inconsistent("codec.widths_differ", latent=latent, quantizer=quantizer, dim=dim)
    return TransformerConfig(
        layers=meta.count(name + "n_layer", 0),
        dim=dim,
        heads=heads,
        kv_heads=_kv_heads(meta, name + "n_local_heads", heads),
        head_dim=head_dim,
        ffn=meta.count(name + "feed_forward_length", default=3 * dim),
        window=meta.count(name + "window_size"),
        rope_base=meta.positive(name + "rope_freq_base"),
        eps=meta.positive(name + "layer_norm_rms_eps"),
    )


def _check_against_ar(file: GGUFFile, architecture: str, residual: int) -> None:
    codebooks = file.metadata.get("fish_speech.num_codebooks")
    if architecture == "fish-speech" and codebooks is not None and codebooks != residual + 1:
        raise _inconsistent("codec.codebooks_differ", codebooks=codebooks, found=residual + 1)


def _check(c: CodecConfig) -> None:
    for name, rates in (("encoder", c.encoder_rates), ("decoder", c.decoder_rates)):
        if math.prod(rates) != c.hop_length:
            raise _inconsistent(
                "codec.hop_length", hop_length=c.hop_length, name=name, rates=list(rates)
            )
    if c.decoder_dim % 2 ** len(c.decoder_rates):
        raise _inconsistent("codec.odd_decoder", decoder_dim=c.decoder_dim)
    for t in (c.rvq, *c.encoder_transformers):
        if t is not None and (t.heads % t.kv_heads or t.head_dim % 2):
            raise _inconsistent("codec.heads")


def _inconsistent(code: str, **params: object) -> ModelFileError:
    return ModelFileError("codec.inconsistent", reason=Message(code, **params))
