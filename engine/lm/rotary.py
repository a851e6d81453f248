"""Rotary position embedding on interleaved pairs (spec 03, section 1)."""

from __future__ import annotations

import torch
from torch import Tensor


def rope_table(
    length: int, head_dim: int, base: float, device: torch.device | str = "cpu"
) -> Tensor:
    """Float32 ``(length, head_dim / 2, 2)``: row p holds cosine and sine of ``p theta_j``.

    Angles are computed in float64 on the CPU and rounded once to float32, because a float32
    angle at position 30000 is already wrong in its fourth decimal.
    """
    pairs = torch.arange(0, head_dim, 2, dtype=torch.float64, device="cpu")
    angles = torch.outer(
        torch.arange(length, dtype=torch.float64, device="cpu"), base ** (-pairs / head_dim)
    )
    return torch.stack((angles.cos(), angles.sin()), -1).float().to(device)


def rotate(x: Tensor, table: Tensor) -> Tensor:
    """Turn the pairs ``(2i, 2i+1)`` of each head vector by its position's angles.

    Args:
        x: float32 ``(..., positions, heads, head_dim)``.
        table: rows of :func:`rope_table` for these positions, ``(positions, head_dim / 2, 2)``.
    """
    # No complex numbers: older systems of Apple cannot multiply them on their GPU.
    a, b = x.unflatten(-1, (-1, 2)).unbind(-1)
    cos, sin = table.unsqueeze(-3).unbind(-1)
    return torch.stack((a * cos - b * sin, a * sin + b * cos), -1).flatten(-2)
