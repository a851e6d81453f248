"""The start of the encoder: a bank of band filters and a logarithm, by hand.

The first blocks only re-order samples into channels, 64 samples a step. The residual units of
the last block hold windowed waves, two in quadrature for each band; Snake's squared sine
makes magnitudes of them, which are averaged over a latent step. The first ConvNeXt block of the
down-sampling takes their logarithm, and a linear map, fitted to examples, gives the vectors
that are quantized. That is a fair listener before any training; training does the rest.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from engine.codec.model import CodecModel
from resources.demo_voice.latent_start import (
    ANCHOR,
    CONSTANT,
    MINUS,
    PLUS,
    STEADY,
    anchored,
    restore_mean,
    transparent,
)
from resources.demo_voice.quantise import CONSTANT as ONE
from resources.demo_voice.quantise import CONSTANT_VALUE, MARK
from resources.demo_voice.robot import BANDS, STEPS, band_centres
from resources.demo_voice.speak import RATE

CELL = 64
"""Samples in a step of the last block."""

NEARLY_LINEAR = 1e-4
"""Bend of a Snake that only passes on."""

FINE, COARSE = 32.0, 2.0
"""Bends of the Snakes that make magnitudes: of soft sound, and of loud sound."""

LONGEST = 7 * CELL
KNOTS = 16
SOFTEST, LOUDEST = 3e-5, 1.0
"""Range in which the logarithm is good."""

LOW_STEADY = 16.0
"""Steady channels beside the magnitudes: as small as they may be, since what they add to the
finest knots and take away again is large."""

RANGE = 1024.0
"""Factor between the norm and the layer behind it that keeps both fit for half precision."""

LOGS = slice(2 * BANDS, 4 * BANDS)
"""Channels of two steps' logarithms after the first half of the down-sampling."""

FREE = [c for c in range(ONE + 1, CONSTANT) if c not in (PLUS, MINUS)][: STEPS * BANDS]
"""Channels of a frame's logarithms, behind the vector that is quantized."""

USUAL, SPREAD = -5.0, 2.0
"""About the mean and the deviation of logarithms."""


def reordered(pcm: Tensor) -> Tensor:
    """Samples ``(batch, n)`` as the last block sees them at the start: ``(batch, n / 64, 128)``."""
    return F.pad(pcm.unflatten(1, (-1, CELL)), (0, CELL))


def magnitudes(model: CodecModel, cells: Tensor) -> Tensor:
    """Latent steps ``(batch, steps, latent)`` from cells; the blocks before are not run."""
    x = cells
    for part in list(model.encoder.block)[4:]:
        x = part(x)
    return x


@torch.no_grad()
def start_encoder(model: CodecModel, loudness: np.ndarray, seed: int = 0) -> None:
    """Everything up to the logarithms; ``loudness`` is the usual amplitude of each band."""
    torch.manual_seed(seed)
    parts: Any = list(model.encoder.block)
    first = parts[0].conv
    first.weight.zero_()
    first.bias.zero_()
    first.weight[0, 0, -1] = 1.0
    held = 1
    for block in parts[1:4]:
        held = _pass_on(block.block, held)
    _start_bank(parts[4].block, loudness)
    parts[5].alpha.fill_(NEARLY_LINEAR)
    last = parts[6].conv
    last.weight.normal_(0.0, 0.02)
    last.weight[:BANDS] = 0
    last.bias.zero_()
    for band in range(BANDS):
        last.weight[band, band, -1] = 1.0
    _start_logarithm(model.quantizer.downsample[0])
    _start_readout(model)


def _pass_on(block: Any, held: int) -> int:
    """A block that only re-orders: ``held`` samples a step become ``held * stride``."""
    *units, snake, down = block
    for unit in units:
        _silent(unit)
    snake.alpha.fill_(NEARLY_LINEAR)
    stride = down.stride
    weight = down.conv.weight.zero_()
    down.conv.bias.zero_()
    for r in range(stride):
        for i in range(held):
            weight[r * held + i, i, stride + r] = 1.0
    return int(held * stride)


def _silent(unit: Any) -> None:
    before, dilated, between, last = unit.block
    before.alpha.fill_(NEARLY_LINEAR)
    between.alpha.fill_(1.0)
    nn.init.zeros_(dilated.conv.bias)
    last.conv.weight.zero_()
    last.conv.bias.zero_()


def bank_waves(band: int, shift: float, late: int, longest: int) -> np.ndarray:
    """Windowed cosine and sine ``(2, longest)`` of one band, at the end of the window.

    ``shift`` moves the frequency by a share of the band's width; the wave ends ``late`` samples
    before the end.
    """
    centres = np.concatenate([[0.0], band_centres(), [RATE / 2]])
    width = (centres[band + 2] - centres[band]) / 2
    length = int(np.clip(1.44 * RATE / width, CELL, longest))
    at = np.arange(length) - (length - 1) / 2
    window = np.hanning(length + 2)[1:-1]
    phase = 2 * np.pi * (centres[band + 1] + shift * width) * at / RATE
    waves = np.stack([np.cos(phase), np.sin(phase)]) * window * 2 / window.sum()
    out = np.zeros((2, longest + late))
    out[:, longest - length : longest] = waves
    return out[:, late:] if late else out


def _start_bank(block: Any, loudness: np.ndarray) -> None:
    """Magnitudes of all bands, averaged over the latent step, in the first channels."""
    *units, snake, down = block
    for unit in units:
        _silent(unit)
    gain = 0.3 / np.maximum(loudness, 0.06 * loudness.max())
    high = list(range(BANDS - 16, BANDS))
    plans = (
        [(b, 0.0, 0) for b in range(BANDS)],
        [(b, shift, 0) for b in high for shift in (-0.5, 0.5)],
        [(b, shift, 0) for b in high for shift in (-0.25, 0.25)],
    )
    counts = np.bincount([b for plan in plans for b, _, _ in plan], minlength=BANDS)
    for unit, plan in zip(units, plans, strict=True):
        _, dilated, between, last = unit.block
        weight = dilated.conv.weight.zero_()
        reach = LONGEST if dilated.dilation == 1 else CELL
        for n, (band, shift, late) in enumerate(plan):
            waves = torch.from_numpy(gain[band] * bank_waves(band, shift, late, reach)).float()
            taps = waves.unflatten(1, (-1, CELL)).transpose(1, 2)  # (2, cell, taps)
            rows = slice(4 * n, 4 * n + 4)
            weight[rows, :CELL, -taps.shape[2] :] = taps.repeat(2, 1, 1)
            between.alpha[0, rows, 0] = torch.tensor([COARSE, COARSE, -FINE, -FINE])
            share = 1.0 / counts[band]
            last.conv.weight[CELL + band, rows, 0] = share * torch.tensor([1.0, 1, -1, -1])
    snake.alpha.fill_(NEARLY_LINEAR)
    weight = down.conv.weight.normal_(0.0, 0.02)
    weight[:BANDS] = 0
    down.conv.bias.zero_()
    for band in range(BANDS):
        weight[band, CELL + band, -down.stride :] = 1.0 / down.stride


def bank_weights(model: CodecModel) -> list[nn.Parameter]:
    """The waves of the bank and how their magnitudes are added, made ready for training.

    Each wave stands twice in the bank, bent in opposite ways, so that the waves themselves
    cancel and the magnitudes stay. Gradients are tied so that this remains true. Call it once.
    """
    block: Any = model.encoder.block[4]
    found: list[nn.Parameter] = []
    for unit in list(block.block)[:3]:
        waves, mix = unit.block[1].conv.weight, unit.block[3].conv.weight
        for parameter, hook in ((waves, _same_twice), (mix, _opposite_twice)):
            parameter.requires_grad_(True)
            parameter.register_hook(hook)
            found.append(parameter)
    return found


def _same_twice(gradient: Tensor) -> Tensor:
    pairs = gradient.unflatten(0, (-1, 2, 2))
    return pairs.mean(1, keepdim=True).expand_as(pairs).flatten(0, 2)


def _opposite_twice(gradient: Tensor) -> Tensor:
    pairs = gradient.unflatten(1, (-1, 2, 2))
    half = (pairs[:, :, :1] - pairs[:, :, 1:]) / 2
    return torch.cat([half, -half], 2).flatten(1, 3)


def _start_logarithm(part: Any) -> None:
    """Magnitudes of two steps side by side, and their logarithms behind them."""
    down, block = part
    weight = down.conv.weight
    weight.normal_(0.0, 0.02)
    down.conv.bias.zero_()
    weight[: LOGS.stop] = 0
    for step in range(2):
        for band in range(BANDS):
            weight[step * BANDS + band, band, step] = 1.0
    for channel, value in ((PLUS, LOW_STEADY), (MINUS, -LOW_STEADY)):
        weight[channel] = 0
        down.conv.bias[channel] = value
    knots, outer, shift = log_curve()
    transparent(block, LOW_STEADY)
    inner = block.pwconv1.weight.zero_()
    for pair in range(2 * BANDS):
        rows = slice(pair * KNOTS, (pair + 1) * KNOTS)
        inner[rows, pair] = 1.0 / (knots * RANGE)
        block.pwconv1.bias[rows] = -1.0
        block.pwconv2.weight[LOGS.start + pair, rows] = outer / SPREAD
        block.pwconv2.bias[LOGS.start + pair] = (shift - USUAL) / SPREAD
    restore_mean(block, LOW_STEADY)
    block.norm.weight *= RANGE


def log_curve() -> tuple[Tensor, Tensor, Tensor]:
    """Knots, weights and shift: ``log(m) = shift + weights @ gelu(m / knots - 1)``.

    Large numbers nearly cancel in that sum, and the file holds half precision. So the knots
    are made of such numbers, and what rounding takes from the slope at one knot is given to
    the next.
    """
    knots = torch.logspace(np.log10(SOFTEST), np.log10(0.5 * LOUDEST), KNOTS, dtype=torch.float64)
    knots = 1 / (_half(1 / (knots * RANGE)) * RANGE)
    m = torch.logspace(np.log10(SOFTEST) - 0.5, np.log10(LOUDEST), 4000, dtype=torch.float64)
    rows = torch.cat([F.gelu(m[:, None] / knots - 1), torch.ones(len(m), 1)], 1)
    wanted = (m + SOFTEST).log()
    size = rows.square().mean(0).sqrt()
    found = torch.linalg.lstsq(rows / size, wanted[:, None]).solution[:, 0] / size
    weights, left = found[:-1], torch.zeros((), dtype=torch.float64)
    for i, knot in enumerate(knots):
        exact = weights[i] + left * knot
        weights[i] = _half(exact)
        left = (exact - weights[i]) / knot
    shift = (wanted - rows[:, :-1] @ weights).mean()
    return knots.float(), weights.float(), shift.float()


def _half(x: Tensor) -> Tensor:
    return x.to(torch.float16).to(x.dtype)


def _start_readout(model: CodecModel) -> None:
    """Logarithms of the frame's steps side by side; the fitted vectors come later."""
    stage: Any = model.quantizer.downsample[1]
    down, block = stage[0], stage[1]
    weight = down.conv.weight.zero_()
    down.conv.bias.zero_()
    for place, channel in enumerate(FREE):
        weight[channel, LOGS.start + place % (2 * BANDS), place // (2 * BANDS)] = 1.0
    down.conv.bias[PLUS], down.conv.bias[MINUS] = STEADY, -STEADY
    down.conv.bias[ONE] = CONSTANT_VALUE
    transparent(block)
    restore_mean(block)
    block.pwconv2.bias[CONSTANT] = ANCHOR
    anchored(model.quantizer.pre_module)
    model.quantizer.pre_module.norm.weight[ONE + 1 :] = 0


@torch.no_grad()
def fit_readout(model: CodecModel, cells: Tensor, wanted: Tensor, penalty: float = 1e-3) -> float:
    """Fit the linear map from logarithms to wanted vectors ``(batch, frames, width)``.

    Returns the share of the wanted power that is missed.
    """
    stage: Any = model.quantizer.downsample[1]
    down = stage[0]
    half = model.quantizer.downsample[0](magnitudes(model, cells))
    frames = down(half)[..., FREE].flatten(0, 1).double()
    goal = wanted[..., : MARK + 1].flatten(0, 1).double()
    rows = torch.cat([frames, torch.ones(len(frames), 1)], 1)
    square = rows.T @ rows
    ridge = penalty * len(rows) * torch.eye(len(square))
    found = torch.linalg.solve(square + ridge, rows.T @ goal)
    for place in range(len(FREE)):
        source, half_frame = LOGS.start + place % (2 * BANDS), place // (2 * BANDS)
        down.conv.weight[: MARK + 1, source, half_frame] = found[place].float()
    down.conv.bias[: MARK + 1] = found[-1].float()
    return float((rows @ found - goal).square().sum() / goal.square().sum())
