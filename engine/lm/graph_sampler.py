"""Drawing tokens where the logits are: the rules of :mod:`engine.lm.sampler`, without branches.

Every operation has fixed shapes and leaves its result on the device, so that it can be part of
a CUDA graph. With the same uniform number the same token comes out as on the CPU, up to the
last bits of sums in float64.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from engine.lm.sampler import (
    MIN_TEMPERATURE,
    RAS_TEMPERATURE,
    RAS_TOP_P,
    RAS_WINDOW,
)
from engine.types import Sampling


@dataclass(frozen=True, slots=True)
class SamplingTensors:
    """Settings of a draw as scalars on a device: temperature and top-p float64, top-k int64."""

    temperature: Tensor
    top_p: Tensor
    top_k: Tensor

    @classmethod
    def of(
        cls, temperature: float, top_p: float, top_k: int, device: torch.device
    ) -> SamplingTensors:
        """Settings for :func:`draw`, see :func:`engine.lm.sampler.probabilities`."""
        reals = torch.tensor([temperature, top_p], dtype=torch.float64, device=device)
        return cls(reals[0], reals[1], torch.tensor(top_k, dtype=torch.int64, device=device))

    def assign(self, temperature: float, top_p: float, top_k: int) -> None:
        """Other settings, where these are."""
        self.temperature.fill_(temperature)
        self.top_p.fill_(top_p)
        self.top_k.fill_(top_k)


def draw(logits: Tensor, sampling_tensors: SamplingTensors, u: Tensor) -> Tensor:
    """One token: index int64 ``()`` of ``logits (n,)`` for a uniform ``u`` float64 ``()``.

    Logits that are no numbers give some index; see :func:`usable`.
    """
    z, order = torch.sort(logits.double(), descending=True, stable=True)
    rank = torch.arange(z.shape[0], device=z.device)
    first = rank == 0
    weight = torch.exp(z - z[0])
    share = torch.cumsum(weight, 0) / weight.sum()
    kept = (z > -torch.inf) & ((sampling_tensors.top_k <= 0) | (rank < sampling_tensors.top_k))
    kept &= (
        (sampling_tensors.top_p >= 1.0) | (share <= sampling_tensors.top_p.clamp(min=0.0)) | first
    )
    kept &= (sampling_tensors.temperature >= MIN_TEMPERATURE) | first
    heat = sampling_tensors.temperature.clamp(min=MIN_TEMPERATURE)
    chance = torch.where(kept, torch.exp((z - z[0]) / heat), 0.0)
    reached = torch.cumsum(chance / chance.sum(), 0) <= u
    place = torch.minimum(reached.sum(), kept.sum() - 1)
    # An index that is a tensor would be read back by the CPU, which a capture refuses.
    return order.index_select(0, place.clamp(min=0)[None])[0]


def usable(logits: Tensor) -> Tensor:
    """Whether a token can be drawn, bool ``()``: no NaN, no infinity but minus, and not all."""
    top = logits.max()
    return torch.isfinite(top) & ~torch.isnan(logits).any()


class MainDraw:
    """Draws of the main token with repetition-aware sampling (spec 03, section 4.1).

    Attributes:
        recent: int64 ``(RAS_WINDOW,)``, tokens drawn last, -1 where there was none yet.
        allow_end: bool ``()``, whether the end token may be drawn.
    """

    def __init__(self, sampling: Sampling, end_index: int, device: torch.device) -> None:
        s = sampling
        self._sampling_tensors = SamplingTensors.of(s.temperature, s.top_p, s.top_k, device)
        self._again = SamplingTensors.of(RAS_TEMPERATURE, RAS_TOP_P, s.top_k, device)
        self._end = end_index
        self.recent = torch.full((RAS_WINDOW,), -1, dtype=torch.int64, device=device)
        self.allow_end = torch.ones((), dtype=torch.bool, device=device)

    def begin(self, sampling: Sampling, mains: Sequence[int] = ()) -> None:
        """Another request: its settings, and the main tokens that its take begins with."""
        s = sampling
        self._sampling_tensors.assign(s.temperature, s.top_p, s.top_k)
        self._again.assign(RAS_TEMPERATURE, RAS_TOP_P, s.top_k)
        last = list(mains[-RAS_WINDOW:])
        self.recent.copy_(torch.tensor([-1] * (RAS_WINDOW - len(last)) + last))

    def __call__(self, logits: Tensor, u: Tensor) -> Tensor:
        """The token int64 ``()``, drawn with ``u[0]`` and perhaps again with ``u[1]``."""
        ends = torch.arange(logits.shape[0], device=logits.device) == self._end
        z = torch.where(ends & ~self.allow_end, -torch.inf, logits.double())
        first, second = draw(z, self._sampling_tensors, u[0]), draw(z, self._again, u[1])
        repeats = (first != self._end) & (self.recent == first).any()
        main = torch.where(repeats, second, first)
        self.recent.copy_(torch.cat((self.recent[1:], main[None])))
        return main
