"""What the codec's networks are trained by: quantized vectors, and carrier amplitudes."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn

from resources.demo_voice.quantise import COMPONENTS, MARK
from resources.demo_voice.robot import BANDS, STEPS
from resources.demo_voice.synthesis_basis import Basis

CROP = 20
"""Frames of an example."""

LEAD = 3
"""Frames at the start of an example that are not judged: their past is missing."""

Losses = tuple[Tensor, Tensor, Tensor]
"""The total, and two parts of it to look at."""


def judged(x: Tensor) -> Tensor:
    """The part of ``(batch, CROP * n, ...)`` that counts."""
    return x[:, x.shape[1] * LEAD // CROP :]


class AmplitudeLoss(nn.Module):
    """Judges filter bank coefficients by the carrier amplitudes they stand for.

    No sound is made, which makes it many times cheaper than a spectral loss.
    """

    def __init__(self, basis: Basis, loudness: np.ndarray) -> None:
        super().__init__()
        maps = torch.from_numpy(basis.maps)
        self.maps = maps
        # Ridge: carriers of neighbouring bands are alike, and noise must not be blown up.
        gram = maps @ maps.transpose(-1, -2)
        ridge = 1e-5 * gram.diagonal(dim1=-2, dim2=-1).mean(-1)[..., None, None]
        self.back = torch.linalg.solve(gram + ridge * torch.eye(2 * BANDS), maps).transpose(-1, -2)
        self.floor = 0.02 * torch.from_numpy(loudness).float() + 3e-4

    def forward(self, found: Tensor, drive: Tensor, speakers: Tensor) -> Losses:
        """Total, mean error of the log amplitudes, and error of the coefficients.

        Args:
            found: coefficients ``(batch, steps, width)``.
            drive: wanted amplitudes ``(batch, steps, 2 * BANDS)``.
            speakers: ``(batch,)``.
        """
        found, drive = (judged(x).unflatten(1, (-1, STEPS)) for x in (found, drive))
        wanted = torch.einsum("bfpa,bpaw->bfpw", drive, self.maps[speakers])
        back = self.back[speakers]
        seen, drive = (torch.einsum("bfpw,bpwa->bfpa", x, back) for x in (found, wanted))
        logs = [self._log(x) for x in (seen, drive)]
        level = (logs[0] - logs[1]).abs().mean()
        power = wanted.square().mean(-1) + 0.02 * wanted.square().mean()
        error = ((found - wanted).square().mean(-1) / power).mean()
        share = (seen - drive).abs() / (
            self._power(drive).repeat(1, 1, 1, 2) + self.floor.repeat(2)
        )
        return level + error.clamp_min(1e-12).sqrt() + 0.5 * share.mean(), level, error

    def _power(self, drive: Tensor) -> Tensor:
        pulses, noise = drive.split(BANDS, -1)
        return (pulses.square() + noise.square() + 1e-12).sqrt()

    def _log(self, drive: Tensor) -> Tensor:
        return (self._power(drive) + self.floor).log()


def vector_loss(found: Tensor, wanted: Tensor) -> Losses:
    """Total, share of the components' variance that is missed, and the same of the mark."""
    found, wanted = judged(found), judged(wanted)
    part, whole = slice(0, COMPONENTS), wanted[..., :COMPONENTS].square().mean()
    missed = (found[..., part] - wanted[..., part]).square().mean() / whole
    mark = (found[..., MARK] - wanted[..., MARK]).square().mean()
    mark = mark / wanted[..., MARK].square().mean()
    return missed + 0.1 * mark, missed, mark
