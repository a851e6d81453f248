"""Residual vector quantizer with its resamplers and transformers (spec 04, sections 4 and 5)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import cast

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from engine.codec.config import CodecConfig
from engine.codec.layers import (
    CausalTransposedConv1d,
    ConvNeXtBlock,
    Sequence,
    StridedConv1d,
)
from engine.codec.state import SequenceState, State, TransformerState
from engine.codec.transformer import WindowedTransformer

NORM_FLOOR = 1e-12


@dataclass(slots=True)
class QuantizerState(State):
    """State of one direction: the resamplers and the transformer beside the codebooks."""

    resample: SequenceState
    transformer: TransformerState


class VectorQuantizer(nn.Module):
    """One codebook, its projections from and to the latent width."""

    def __init__(self, dim: int, codebook_dim: int, size: int) -> None:
        super().__init__()
        self.in_proj = nn.Conv1d(dim, codebook_dim, 1)
        self.out_proj = nn.Conv1d(codebook_dim, dim, 1)
        entries = torch.empty(size, codebook_dim)
        if not entries.is_meta:  # where torch would load its compiler to draw no numbers at all
            entries.normal_()
        self.codebook = nn.Embedding(size, codebook_dim, _weight=entries)

    def encode(self, z: Tensor) -> tuple[Tensor, Tensor]:
        """Nearest entries by cosine similarity; the lowest index wins a tie.

        Args:
            z: ``(batch, time, dim)``.

        Returns:
            codes ``(batch, time)`` int64 and what they stand for, ``(batch, time, dim)``. The
            search runs in float32 or better.
        """
        wide = torch.promote_types(z.dtype, torch.float32)
        e = F.linear(z, self.in_proj.weight[:, :, 0], self.in_proj.bias)
        entries = F.normalize(self.codebook.weight.to(wide), dim=-1, eps=NORM_FLOOR)
        similarity = F.normalize(e.to(wide), dim=-1, eps=NORM_FLOOR) @ entries.T
        codes = similarity.argmax(-1)
        return codes, self.decode(codes)

    def decode(self, codes: Tensor) -> Tensor:
        """Latent contribution ``(batch, time, dim)`` of codes ``(batch, time)``."""
        return F.linear(self.codebook(codes), self.out_proj.weight[:, :, 0], self.out_proj.bias)


class CodebookStack(nn.Module):
    """Codebooks that quantize what the ones before left over."""

    def __init__(self, config: CodecConfig, count: int, size: int) -> None:
        super().__init__()
        self.quantizers = nn.ModuleList(
            VectorQuantizer(config.latent_dim, config.codebook_dim, size) for _ in range(count)
        )

    def members(self) -> Iterable[VectorQuantizer]:
        """The codebooks in order."""
        return cast(Iterable[VectorQuantizer], self.quantizers)

    def encode(self, residual: Tensor) -> tuple[list[Tensor], Tensor]:
        """Codes of each codebook, and the residual after the last."""
        rows = []
        for quantizer in self.members():
            codes, quantized = quantizer.encode(residual)
            rows.append(codes)
            residual = residual - quantized
        return rows, residual


class Quantizer(nn.Module):
    """Latent steps to codes and back; a column of codes spans several latent steps."""

    def __init__(self, config: CodecConfig) -> None:
        super().__init__()
        self.config = c = config
        self.downsample = Sequence(
            Sequence([StridedConv1d(c.latent_dim, c.latent_dim, f, f), ConvNeXtBlock(c.latent_dim)])
            for f in c.downsample
        )
        self.pre_module = WindowedTransformer(c.rvq)
        self.semantic_quantizer = CodebookStack(c, 1, c.semantic_size)
        self.quantizer = CodebookStack(c, c.residual_codebooks, c.residual_size)
        self.post_module = WindowedTransformer(c.rvq)
        self.upsample = Sequence(
            Sequence(
                [
                    CausalTransposedConv1d(c.latent_dim, c.latent_dim, f, f),
                    ConvNeXtBlock(c.latent_dim),
                ]
            )
            for f in reversed(c.downsample)
        )

    def new_encode_state(self, batch: int = 1) -> QuantizerState:
        """State for :meth:`encode`."""
        return QuantizerState(self.downsample.new_state(batch), self.pre_module.new_state(batch))

    def new_decode_state(self, batch: int = 1) -> QuantizerState:
        """State for :meth:`decode`."""
        return QuantizerState(self.upsample.new_state(batch), self.post_module.new_state(batch))

    def features(self, latent: Tensor, state: QuantizerState | None = None) -> Tensor:
        """What is quantized: ``(batch, steps, latent)`` to ``(batch, frames, latent)``."""
        z = self.downsample(latent, None if state is None else state.resample)
        out: Tensor = self.pre_module(z, None if state is None else state.transformer)
        return out

    def encode(self, latent: Tensor, state: QuantizerState | None = None) -> Tensor:
        """Codes ``(batch, codebooks, frames)`` int64 of a latent ``(batch, steps, latent)``."""
        rows, residual = self.semantic_quantizer.encode(self.features(latent, state))
        more, _ = self.quantizer.encode(residual)
        return torch.stack(rows + more, 1)

    def embed(self, codes: Tensor) -> Tensor:
        """Sum of what all codes stand for, ``(batch, frames, latent)``."""
        stacks = (*self.semantic_quantizer.members(), *self.quantizer.members())
        entries = [q.codebook(codes[:, i]) for i, q in enumerate(stacks)]
        weights = [q.out_proj.weight[:, :, 0] for q in stacks]
        biases = [q.out_proj.bias for q in stacks if q.out_proj.bias is not None]
        return F.linear(torch.cat(entries, -1), torch.cat(weights, 1), torch.stack(biases).sum(0))

    def clamp(self, codes: Tensor) -> tuple[Tensor, Tensor]:
        """Codes ``(batch, codebooks, frames)`` in range, and how many were not (a scalar).

        The dual-AR model can draw residual codes that no codebook has; they fall to the last.
        """
        highest = torch.tensor(self.config.codebook_sizes, device=codes.device)[:, None] - 1
        clamped = codes.clamp_min(0).minimum(highest)
        return clamped, (clamped != codes).sum()

    def decode(self, codes: Tensor, state: QuantizerState | None = None) -> Tensor:
        """Latent ``(batch, steps, latent)`` of codes in range ``(batch, codebooks, frames)``."""
        z = self.post_module(self.embed(codes), None if state is None else state.transformer)
        out: Tensor = self.upsample(z, None if state is None else state.resample)
        return out
