"""The codec as one module tree whose parameter names are the file's tensor names.

The tree is built without memory and filled by halves: decoding needs about half of the
weights, and the encoding half is read when a reference is first encoded.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from engine.codec.compiled_weights import keeps_stored, serve, serve_encoder
from engine.codec.config import CodecConfig
from engine.codec.decoder import Decoder
from engine.codec.encoder import Encoder
from engine.codec.layers import packed
from engine.codec.quantizer import Quantizer, QuantizerState
from engine.codec.state import SequenceState, State

if TYPE_CHECKING:
    from engine.gguf.weights import WeightSource
    from engine.kernels.pool import KernelPool

ENCODER_HALF = ("encoder.", "quantizer.downsample.", "quantizer.pre_module.")
"""Prefixes of the tensors that only encoding needs."""


@dataclass(slots=True)
class DecodeState(State):
    """Everything the decoding half remembers between chunks."""

    quantizer: QuantizerState
    decoder: SequenceState


@dataclass(slots=True)
class EncodeState(State):
    """Everything the encoding half remembers between chunks."""

    encoder: SequenceState
    quantizer: QuantizerState


class CodecModel(nn.Module):
    """Encoder, quantizer and decoder; differentiable, batched, stateless by itself."""

    def __init__(self, config: CodecConfig) -> None:
        super().__init__()
        self.config = config
        self.encoder = Encoder(config)
        self.quantizer = Quantizer(config)
        self.decoder = Decoder(config)

    @classmethod
    def empty(cls, config: CodecConfig) -> CodecModel:
        """The tree with shapes but without memory, ready for :meth:`load`."""
        with torch.device("meta"):
            return cls(config).eval().requires_grad_(False)

    def parameters_of(self, *, encoder: bool) -> Iterator[tuple[str, nn.Parameter]]:
        """Parameters of the encoding half or of the decoding half, with their names."""
        for name, parameter in self.named_parameters():
            if name.startswith(ENCODER_HALF) == encoder:
                yield name, parameter

    def sample(self, *, encoder: bool) -> Tensor:
        """A parameter of one half, to read its device and dtype from."""
        return next(parameter for _, parameter in self.parameters_of(encoder=encoder))

    def check(self, source: WeightSource) -> None:
        """Raise ModelFileError unless the file has every tensor of both halves in shape."""
        for name, parameter in self.named_parameters():
            source.check(name, tuple(parameter.shape))

    def load(
        self,
        source: WeightSource,
        *,
        encoder: bool,
        device: torch.device,
        pool: KernelPool | None = None,
    ) -> None:
        """Read one half into memory of ``device``, as float32.

        With a ``pool`` the half is prepared for it
        (:mod:`engine.codec.compiled_weights`), and weights that the file holds as plain numbers
        stay in its map, which must outlive the model.
        """
        serves = pool is not None and device.type == "cpu"
        for name, parameter in list(self.parameters_of(encoder=encoder)):
            place, _, leaf = name.rpartition(".")
            owner = self.get_submodule(place)
            values = source.numbers(name, tuple(parameter.shape))
            if leaf == "weight" and not (serves and keeps_stored(name, owner)):
                # Put in order while it is small, then made wide; other devices want torch's order.
                ordered = packed(owner, values) if device.type == "cpu" else values.contiguous()
                values = ordered.to(torch.float32, copy=True)
            elif leaf != "weight":
                values = values.to(torch.float32, copy=True)
            setattr(owner, leaf, nn.Parameter(values.to(device), requires_grad=False))
        if serves and pool is not None and encoder:
            serve_encoder(self.quantizer, self.encoder, pool)
        elif serves and pool is not None:
            serve(self.quantizer, self.decoder, pool)

    def new_decode_state(self, batch: int = 1) -> DecodeState:
        """State at the start of a stream of codes."""
        return DecodeState(self.quantizer.new_decode_state(batch), self.decoder.new_state(batch))

    def new_encode_state(self, batch: int = 1) -> EncodeState:
        """State at the start of a stream of samples."""
        return EncodeState(self.encoder.new_state(batch), self.quantizer.new_encode_state(batch))

    def decode(self, codes: Tensor, state: DecodeState | None = None) -> Tensor:
        """Codes in range ``(batch, codebooks, frames)`` to samples ``(batch, samples)``."""
        latent = self.quantizer.decode(codes, None if state is None else state.quantizer)
        samples: Tensor = self.decoder(latent, None if state is None else state.decoder)
        return samples

    def encode(self, pcm: Tensor, state: EncodeState | None = None) -> Tensor:
        """Samples ``(batch, whole frames)`` to codes ``(batch, codebooks, frames)``."""
        latent = self.encoder(pcm.unsqueeze(-1), None if state is None else state.encoder)
        return self.quantizer.encode(latent, None if state is None else state.quantizer)
