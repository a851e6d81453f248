"""Convolutions over time-major tensors ``(batch, time, channels)``.

In this layout a convolution is a sum of matrix products of shifted row ranges, without
unfolding or copies, and linear layers and norms need no transposition. On a CPU without
autograd that is what runs: it reaches the speed of the plain matrix product also for the few
rows of a streaming step, where the library convolution spends its time re-ordering weights.
With autograd, or on an accelerator, the library's own convolution runs.

Weights keep their usual shapes, ``(out, in, kernel)`` and ``(in, out, kernel)``. The functions
``pack_*`` give them a memory order (not another shape) that makes the matrices contiguous;
other orders are slower, not wrong.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

UNFOLD_LIMIT = 32
"""Below this many input values per output (kernel x channels) one small product is faster."""


def use_products(x: Tensor) -> bool:
    """True where convolutions should run as sums of matrix products."""
    return x.device.type == "cpu" and not torch.is_grad_enabled()


def pack_conv(weight: Tensor) -> Tensor:
    """Same weight ``(out, in, kernel)``, stored so that each tap is an ``(in, out)`` matrix."""
    return weight.permute(2, 1, 0).contiguous().permute(2, 1, 0)


def pack_transposed(weight: Tensor) -> Tensor:
    """Same weight ``(in, out, kernel)``, stored as ``(in, kernel x out)``."""
    return weight.permute(0, 2, 1).contiguous().permute(0, 2, 1)


def pack_linear(weight: Tensor) -> Tensor:
    """Same weight ``(out, in)``, stored as ``(in, out)``: faster for 2 to 16 rows."""
    return weight.t().contiguous().t()


def _sum_of_products(
    inputs: list[Tensor], matrices: list[Tensor], bias: Tensor | None, rows: int
) -> Tensor:
    """``bias + sum_i inputs[i] @ matrices[i]`` for inputs ``(batch, rows, n)``."""
    batch = inputs[0].shape[0]
    out = inputs[0].new_empty(batch, rows, matrices[0].shape[1])
    for b in range(batch):
        target = out[b]
        if bias is None:
            torch.mm(inputs[0][b], matrices[0], out=target)
        else:
            torch.addmm(bias, inputs[0][b], matrices[0], out=target)
        for x, matrix in zip(inputs[1:], matrices[1:], strict=True):
            target.addmm_(x[b], matrix)
    return out


def conv(x: Tensor, weight: Tensor, bias: Tensor | None, dilation: int = 1) -> Tensor:
    """Valid convolution, stride 1: ``(batch, time, in)`` to ``(batch, time - reach, out)``.

    ``reach`` is ``(kernel - 1) * dilation``.
    """
    if not use_products(x):
        return F.conv1d(x.transpose(1, 2), weight, bias, dilation=dilation).transpose(1, 2)
    kernel, channels = weight.shape[2], weight.shape[1]
    rows = x.shape[1] - (kernel - 1) * dilation
    taps = weight.permute(2, 1, 0)
    if kernel > 1 and dilation == 1 and kernel * channels <= UNFOLD_LIMIT:
        unfolded = x.unfold(1, kernel, 1).transpose(2, 3).flatten(2)
        return _sum_of_products([unfolded], [taps.flatten(0, 1)], bias, rows)
    shifted = [x[:, j * dilation : j * dilation + rows] for j in range(kernel)]
    return _sum_of_products(shifted, list(taps), bias, rows)


def conv_depthwise(x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    """Valid convolution of each channel with its own kernel; weight ``(channels, 1, kernel)``."""
    channels, _, kernel = weight.shape
    if not use_products(x):
        return F.conv1d(x.transpose(1, 2), weight, bias, groups=channels).transpose(1, 2)
    rows = x.shape[1] - kernel + 1
    out = torch.addcmul(bias, x[:, :rows], weight[:, 0, 0])
    for j in range(1, kernel):
        out.addcmul_(x[:, j : j + rows], weight[:, 0, j])
    return out


def conv_strided(x: Tensor, weight: Tensor, bias: Tensor, stride: int) -> Tensor:
    """Valid convolution with ``kernel`` a multiple of ``stride``; time a multiple of it too."""
    if not use_products(x):
        return F.conv1d(x.transpose(1, 2), weight, bias, stride=stride).transpose(1, 2)
    kernel, channels = weight.shape[2], weight.shape[1]
    groups = kernel // stride
    steps = x.contiguous().view(x.shape[0], -1, stride * channels)
    rows = steps.shape[1] - groups + 1
    matrices = weight.permute(2, 1, 0).reshape(groups, stride * channels, weight.shape[0])
    return _sum_of_products(
        [steps[:, g : g + rows] for g in range(groups)], list(matrices), bias, rows
    )


def conv_transposed(
    x: Tensor, weight: Tensor, stride: int, tail: Tensor | None
) -> tuple[Tensor, Tensor]:
    """Transposed convolution without bias, cut to ``time * stride`` rows, and what was cut off.

    Args:
        x: ``(batch, time, in)``.
        weight: ``(in, out, kernel)``, kernel equal to the stride or twice the stride.
        tail: second result of the call before, ``(batch, kernel - stride, out)``; ``None`` is
            zeros.

    Returns:
        ``(batch, time * stride, out)`` and the next tail.
    """
    batch, time, _ = x.shape
    outputs, kernel = weight.shape[1], weight.shape[2]
    matrix = weight.permute(0, 2, 1)
    now = matrix[:, :stride].reshape(-1, stride * outputs)
    if kernel == stride:
        y = x @ now
        return y.view(batch, time * stride, outputs), x.new_zeros(batch, 0, outputs)
    later = matrix[:, stride:].reshape(-1, stride * outputs)
    last = x[:, -1] @ later
    if use_products(x):
        y = _sum_of_products([x], [now], None, time)
        for b in range(batch):
            y[b, 1:].addmm_(x[b, :-1], later)
        if tail is not None:
            y[:, 0] += tail.flatten(1)
    else:
        before = (
            x.new_zeros(batch, 1, stride * outputs) if tail is None else tail.flatten(1)[:, None]
        )
        y = x @ now + torch.cat([before, x[:, :-1] @ later], 1)
    return y.view(batch, time * stride, outputs), last.view(batch, stride, outputs)
