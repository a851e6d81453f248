"""Tensors of the stand-in models in file order, with the spread of their values (spec 01, 3-4).

Spreads keep activations near unit size and logits apart; layer scales are far larger than an
untrained network's, so that an error in any layer shows in the output.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from engine.gguf.quant_types import QuantType
from engine.random_model.config import ARShape, CodecShape, ModelPlan, StackShape, Storage
from engine.random_model.weights import Around, Filler, Normal, RandomTensor, Uniform
from engine.random_model.writer import TensorLayout

_KINDS = {
    "f32": QuantType.F32,
    "f16": QuantType.F16,
    "q8_0": QuantType.Q8_0,
    "q4_k": QuantType.Q4_K,
    "q6_k": QuantType.Q6_K,
}


def tensors(plan: ModelPlan) -> list[RandomTensor]:
    """Every tensor of a model: the dual-AR model, then the codec below ``c.``."""
    ar = _ARLayout(plan).build()
    return [*ar, *_CodecLayout(plan.codec, plan.storage).build()]


def _tensor(name: str, shape: tuple[int, ...], kind: str, filler: Filler) -> RandomTensor:
    return RandomTensor(TensorLayout(name, shape, _KINDS[kind]), filler)


class _ARLayout:
    """Tensors of the slow and the fast stack."""

    def __init__(self, plan: ModelPlan) -> None:
        self.shape: ARShape = plan.ar
        self.storage = plan.storage
        self.gains = plan.gains

    def build(self) -> Iterator[RandomTensor]:
        ar, slow, fast = self.shape, self.shape.slow, self.shape.fast
        table = self.gains.table
        rows = ar.codebook_size * ar.codebooks
        yield self._table("embeddings", ar.vocab_size, slow.dim, table)
        yield self._table("codebook_embeddings", rows, slow.dim, table)
        yield self._norm("norm", slow.dim)
        yield from self._stack("layers", slow)
        if fast.dim != slow.dim:
            yield self._matrix("fast_project_in", fast.dim, slow.dim, 1.0)
        yield self._table("fast_embeddings", ar.codebook_size, fast.dim, 0.7)
        yield from self._stack("fast_layers", fast)
        yield self._norm("fast_norm", fast.dim)
        # Wide logits: the best choice stands clear of rounding.
        yield self._matrix("fast_output", ar.codebook_size, fast.dim, 4.0, fine=True)

    def _stack(self, prefix: str, stack: StackShape) -> Iterator[RandomTensor]:
        width = stack.heads * stack.head_dim
        rows = width + 2 * stack.kv_heads * stack.head_dim
        for index in range(stack.layers):
            at = f"{prefix}.{index}."
            yield self._norm(at + "attention_norm", stack.dim)
            yield self._norm(at + "ffn_norm", stack.dim)
            if stack.qk_norm:
                yield self._norm(at + "attention.q_norm", stack.head_dim, 1.3)
                yield self._norm(at + "attention.k_norm", stack.head_dim, 1.3)
            yield self._matrix(at + "attention.wqkv", rows, stack.dim, 1.0, fine=index == 0)
            yield self._matrix(at + "attention.wo", stack.dim, width, self.gains.attention)
            yield self._matrix(at + "feed_forward.w1", stack.ffn, stack.dim, 1.0)
            yield self._matrix(at + "feed_forward.w3", stack.ffn, stack.dim, 1.0)
            yield self._matrix(
                at + "feed_forward.w2", stack.dim, stack.ffn, self.gains.ffn, fine=index % 2 == 0
            )

    def _matrix(
        self, name: str, rows: int, columns: int, gain: float, fine: bool = False
    ) -> RandomTensor:
        """A weight; ``fine`` ones have the higher precision in a mixture."""
        kind = self.storage.matrices
        if kind == "kquant":
            kind = "q6_k" if fine else "q4_k"
        filler = Normal(gain / math.sqrt(columns))
        return _tensor(name + ".weight", (rows, columns), kind, filler)

    def _table(self, name: str, rows: int, columns: int, std: float) -> RandomTensor:
        return _tensor(name + ".weight", (rows, columns), self.storage.tables, Normal(std))

    def _norm(self, name: str, length: int, centre: float = 1.0) -> RandomTensor:
        return _tensor(name + ".weight", (length,), self.storage.norms, Around(centre, 0.1))


class _CodecLayout:
    """Tensors of the audio codec."""

    def __init__(self, shape: CodecShape, storage: Storage) -> None:
        self.shape = shape
        self.storage = storage

    def build(self) -> Iterator[RandomTensor]:
        yield from self._encoder()
        yield from self._quantizer()
        yield from self._decoder()

    def _encoder(self) -> Iterator[RandomTensor]:
        codec, dim = self.shape, self.shape.encoder_dim
        # The first gain is large because samples of speech are small.
        yield from self._conv("encoder.block.0.conv", dim, 1, 7, 6.0)
        for index, (rate, layers) in enumerate(
            zip(codec.encoder_rates, codec.encoder_layers, strict=True)
        ):
            at = f"encoder.block.{index + 1}.block"
            yield from self._residual_units(at, 0, dim)
            yield self._alpha(f"{at}.3", dim)
            yield from self._conv(f"{at}.4.conv", 2 * dim, dim, 2 * rate)
            dim *= 2
            if layers:
                width = dim // codec.encoder_head_dim * codec.encoder_head_dim
                yield from self._transformer(f"{at}.5", layers, dim, width, 3 * dim)
        last = len(codec.encoder_rates) + 1
        yield self._alpha(f"encoder.block.{last}", dim)
        yield from self._conv(f"encoder.block.{last + 1}.conv", codec.latent_dim, dim, 3)

    def _quantizer(self) -> Iterator[RandomTensor]:
        codec, dim = self.shape, self.shape.latent_dim
        yield from self._codebooks("semantic_quantizer", 1, codec.semantic_size)
        yield from self._codebooks("quantizer", codec.residuals, codec.residual_size)
        for index, factor in enumerate(codec.downsample):
            at = f"quantizer.downsample.{index}"
            yield from self._conv(f"{at}.0.conv", dim, dim, factor)
            yield from self._convnext(f"{at}.1", dim)
        for index, factor in enumerate(reversed(codec.downsample)):
            at = f"quantizer.upsample.{index}"
            yield from self._transposed(f"{at}.0.conv", dim, dim, factor, factor, 1.0)
            yield from self._convnext(f"{at}.1", dim)
        width = codec.heads * codec.head_dim
        for module in ("pre_module", "post_module"):
            yield from self._transformer(f"quantizer.{module}", codec.layers, dim, width, codec.ffn)

    def _decoder(self) -> Iterator[RandomTensor]:
        codec, dim = self.shape, self.shape.decoder_dim
        yield from self._conv("decoder.model.0.conv", dim, codec.latent_dim, 7)
        for index, rate in enumerate(codec.decoder_rates):
            at = f"decoder.model.{index + 1}.block"
            yield self._alpha(f"{at}.0", dim)
            yield from self._transposed(f"{at}.1.conv", dim, dim // 2, 2 * rate, rate, 0.8)
            dim //= 2
            yield from self._residual_units(at, 2, dim)
        last = len(codec.decoder_rates) + 1
        yield self._alpha(f"decoder.model.{last}", dim)
        yield from self._conv(f"decoder.model.{last + 1}.conv", 1, dim, 7, codec.output_gain)

    def _codebooks(self, group: str, count: int, size: int) -> Iterator[RandomTensor]:
        small, large = self.shape.codebook_dim, self.shape.latent_dim
        for index in range(count):
            at = f"quantizer.{group}.quantizers.{index}"
            yield from self._conv(f"{at}.in_proj", small, large, 1)
            yield from self._conv(f"{at}.out_proj", large, small, 1, 0.5)
            yield self._plain(f"{at}.codebook.weight", (size, small), Normal(1.0))

    def _residual_units(self, at: str, first: int, channels: int) -> Iterator[RandomTensor]:
        for index in range(first, first + 3):
            unit = f"{at}.{index}.block"
            yield self._alpha(f"{unit}.0", channels)
            yield from self._conv(f"{unit}.1.conv", channels, channels, 7)
            yield self._alpha(f"{unit}.2", channels)
            yield from self._conv(f"{unit}.3.conv", channels, channels, 1, 0.35)

    def _transformer(
        self, at: str, layers: int, dim: int, width: int, ffn: int
    ) -> Iterator[RandomTensor]:
        for index in range(layers):
            layer = f"{at}.layers.{index}."
            yield self._linear(layer + "attention.wqkv", 3 * width, dim, 1.3)
            yield self._linear(layer + "attention.wo", dim, width)
            yield self._linear(layer + "feed_forward.w1", ffn, dim)
            yield self._linear(layer + "feed_forward.w3", ffn, dim)
            yield self._linear(layer + "feed_forward.w2", dim, ffn)
            yield self._plain(layer + "ffn_norm.weight", (dim,), Around(1.0, 0.1))
            yield self._plain(layer + "attention_norm.weight", (dim,), Around(1.0, 0.1))
            yield self._plain(layer + "attention_layer_scale.gamma", (dim,), Around(0.3, 0.05))
            yield self._plain(layer + "ffn_layer_scale.gamma", (dim,), Around(0.3, 0.05))
        yield self._plain(f"{at}.norm.weight", (dim,), Around(1.0, 0.1))

    def _convnext(self, at: str, dim: int) -> Iterator[RandomTensor]:
        yield from self._conv(f"{at}.dwconv.conv", dim, 1, 7)
        yield self._plain(f"{at}.norm.weight", (dim,), Around(1.0, 0.1))
        yield self._bias(f"{at}.norm", dim)
        for name, out, inner in (("pwconv1", 4 * dim, dim), ("pwconv2", dim, 4 * dim)):
            yield self._linear(f"{at}.{name}", out, inner)
            yield self._bias(f"{at}.{name}", out)
        yield self._plain(f"{at}.gamma", (dim,), Around(0.3, 0.05))

    def _conv(
        self, name: str, out: int, inner: int, kernel: int, gain: float = 1.0
    ) -> Iterator[RandomTensor]:
        """A convolution with its bias; ``inner`` is the input channels of one group."""
        filler = Normal(gain / math.sqrt(inner * kernel))
        shape = (out, inner, kernel)
        yield _tensor(f"c.{name}.weight", shape, self.storage.kernels, filler)
        yield self._bias(name, out)

    def _transposed(
        self, name: str, inner: int, out: int, kernel: int, stride: int, gain: float
    ) -> Iterator[RandomTensor]:
        filler = Normal(gain / math.sqrt(inner * kernel / stride))
        yield self._plain(f"{name}.weight", (inner, out, kernel), filler)
        yield self._bias(name, out)

    def _linear(self, name: str, out: int, inner: int, gain: float = 1.0) -> RandomTensor:
        return self._plain(f"{name}.weight", (out, inner), Normal(gain / math.sqrt(inner)))

    def _alpha(self, name: str, channels: int) -> RandomTensor:
        return self._plain(f"{name}.alpha", (1, channels, 1), Uniform(0.4, 1.6))

    def _bias(self, name: str, length: int) -> RandomTensor:
        return self._plain(f"{name}.bias", (length,), Around(0.0, 0.05))

    def _plain(self, name: str, shape: tuple[int, ...], filler: Filler) -> RandomTensor:
        return _tensor(f"c.{name}", shape, self.storage.codec, filler)
