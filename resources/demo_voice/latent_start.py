"""The start of the latent half of the decoder: codes to filter bank coefficients, by hand.

What codes stand for is linear in the levels (logarithms) and noise shares of a frame, and the
sound is linear in the carriers' amplitudes. Between the two lies one function of two numbers,
the same for all bands and steps, and a choice of carriers by speaker and by place in the frame.
The function becomes small networks of eight units a carrier in the first ConvNeXt block, the
choice becomes gates in the second. Training then starts from speech that is nearly right.

Norms are made transparent by steady channels: large constants beside which the others vary
the norm's statistics so little that it multiplies by a constant.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from engine.codec.quantizer import Quantizer
from resources.demo_voice.quantise import COMPONENTS, MARK, MARK_VALUE, NOISE_WEIGHT, Space
from resources.demo_voice.robot import BANDS, STEPS
from resources.demo_voice.synthesis_basis import Basis

UNITS = 16
"""Units that make both amplitudes of one band and step."""

SOFT = 0.025
"""Amplitudes well below this part of a band's usual one need not be relatively exact."""

ANCHOR, STEADY = 2048.0, 256.0
"""Constants that make norms transparent: of the transformer, and of the ConvNeXt blocks."""

SURE = 6.0
"""Far enough from zero for GELU to be the identity."""

SHUT = 64.0
"""What closes a gate."""

SHARP = 8.0

TURN, CONSTANT = 254, 255
SWITCH = (0, 1)
HALF = STEPS // 2
PAIRS = HALF * BANDS
LEVELS, NOISES = slice(0, PAIRS), slice(PAIRS, 2 * PAIRS)
GATE, PLACE, PLUS, MINUS = 2 * PAIRS, 2 * PAIRS + 1, 2 * PAIRS + 2, 2 * PAIRS + 3


@dataclass(frozen=True, eq=False)
class Curves:
    """Amplitudes of pulses and noise as functions of level and noise share, for each band.

    The functions are ``x + outer @ gelu(inner @ x + bias) + shift`` with
    ``x = (level - middle, noise - 0.5)``; they give amplitudes in units of ``size``.
    """

    middle: Tensor
    size: Tensor
    inner: Tensor
    bias: Tensor
    outer: Tensor
    shift: Tensor

    def __call__(self, level: Tensor, noise: Tensor) -> Tensor:
        """Amplitudes ``(..., BANDS, 2)`` of ``(..., BANDS)`` levels and shares."""
        x = torch.stack([level - self.middle, noise - 0.5], -1)
        hidden = F.gelu(torch.einsum("buk,...bk->...bu", self.inner, x) + self.bias)
        y = x + torch.einsum("bku,...bu->...bk", self.outer, hidden) + self.shift
        return y * self.size[:, None]


def wanted_amplitudes(level: Tensor, noise: Tensor) -> Tensor:
    """What the curves should give."""
    share = noise.clamp(0, 1)
    return level.exp()[..., None] * torch.stack([1 - share, share], -1).sqrt()


def fit_curves(
    level: np.ndarray, noise: np.ndarray, rounds: int = 1500, batch: int = 1024, seed: int = 0
) -> Curves:
    """Fit the small networks to levels and shares ``(steps, BANDS)`` as codes give them."""
    generator = torch.Generator().manual_seed(seed)
    levels, shares = torch.from_numpy(level), torch.from_numpy(noise)
    low, high = (torch.quantile(levels[:50_000], q, 0) for q in (0.02, 0.999))
    middle = (low + high) / 2
    size = (2 * levels).exp().mean(0).sqrt()
    knots = low[:, None] + (high - low)[:, None] * (torch.arange(UNITS) // 2 + 0.5) / (UNITS / 2)
    inner = torch.empty(BANDS, UNITS, 2)
    inner[..., 0] = 1.0
    inner[:, 0::2, 1], inner[:, 1::2, 1] = -3.0, 3.0
    outer = 0.01 * torch.randn(BANDS, 2, UNITS, generator=generator)
    values = [inner, middle[:, None] - knots, outer, torch.zeros(BANDS, 2)]
    for v in values:
        v.requires_grad_(True)
    optimizer = torch.optim.Adam(values, lr=0.02, betas=(0.9, 0.99))
    for i in range(rounds):
        optimizer.param_groups[0]["lr"] = 0.02 * (1 - i / rounds) + 1e-4
        pick = torch.randint(len(levels), (batch,), generator=generator)
        curves = Curves(middle, size, *values)
        wanted = wanted_amplitudes(levels[pick], shares[pick])
        whole = wanted.square().sum(-1, keepdim=True).sqrt()
        error = (curves(levels[pick], shares[pick]) - wanted) / (whole + SOFT * size[:, None])
        loss = error.square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return Curves(middle, size, *(v.detach() for v in values))


@torch.no_grad()
def start_latent_half(quantizer: Quantizer, space: Space, basis: Basis, curves: Curves) -> None:
    """Make ``quantizer.decode`` give the filter bank's coefficients of what codes stand for."""
    _start_transformer(quantizer)
    first, second = _parts(quantizer.upsample)
    _start_spread(first[0].conv, space, curves)
    _start_amplitudes(first[1], curves)
    _start_places(second[0].conv)
    _start_choice(second[1], basis, curves)


def _start_transformer(quantizer: Quantizer) -> None:
    """Passes on, adds a constant, and a switch for the speaker that is exactly 1 or 0."""
    steady = next(iter(quantizer.semantic_quantizer.members())).out_proj.bias
    assert steady is not None
    steady[CONSTANT] = ANCHOR
    anchored(quantizer.post_module)
    module: Any = quantizer.post_module
    module.norm.weight[CONSTANT] /= ANCHOR
    feed = module.layers[-1].feed_forward
    for unit, side in zip(SWITCH, (1.0, -1.0), strict=True):
        feed.w1.weight[unit].zero_()
        feed.w3.weight[unit].zero_()
        feed.w1.weight[unit, MARK] = 3 * SHARP / MARK_VALUE
        feed.w1.weight[unit, CONSTANT] = side * SHARP
        feed.w3.weight[unit, CONSTANT] = 1.0
        feed.w2.weight[TURN, unit] = side / (2 * SHARP)


def anchored(module: Any) -> None:
    """A transformer that passes on vectors whose last entry is the anchor."""
    rms = ANCHOR / float(np.sqrt(module.norm.weight.numel()))
    for layer in module.layers:
        layer.attention.wo.weight.zero_()
        layer.feed_forward.w2.weight.zero_()
        for scale in (layer.attention_layer_scale, layer.ffn_layer_scale):
            scale.gamma.fill_(1.0)
        for norm in (layer.attention_norm, layer.ffn_norm):
            norm.weight.fill_(rms)
            norm.weight[CONSTANT] = rms / ANCHOR
    module.norm.weight.fill_(rms)


def protect(quantizer: Quantizer) -> None:
    """Keep training from the few weights that hold steady channels, anchors and gates.

    Everything else is measured by those; a small change there would be a large one everywhere.
    Call it once, when the parameters already ask for gradients.
    """
    modules: tuple[Any, ...] = (quantizer.pre_module, quantizer.post_module)
    for module in modules:
        for layer in module.layers:
            _hold(layer.attention_norm.weight, (CONSTANT,))
            _hold(layer.ffn_norm.weight, (CONSTANT,))
            _hold(layer.attention.wo.weight, (CONSTANT, TURN))
            _hold(layer.feed_forward.w2.weight, (CONSTANT, TURN))
            _hold(layer.feed_forward.w1.weight, SWITCH)
            _hold(layer.feed_forward.w3.weight, SWITCH)
        _hold(module.norm.weight, (CONSTANT,))
    for up, block in _parts(quantizer.upsample):
        _hold(up.conv.weight, (PLUS, MINUS, GATE, PLACE), axis=1)
        _hold(up.conv.bias, (PLUS, MINUS, GATE, PLACE))
        _hold_block(block, (PLUS, MINUS, GATE, PLACE))
    for down, block in _parts(quantizer.downsample):
        _hold(down.conv.weight, (PLUS, MINUS))
        _hold(down.conv.bias, (PLUS, MINUS))
        _hold_block(block, (PLUS, MINUS))


def _parts(stages: Any) -> Any:
    return [(stage[0], stage[1]) for stage in stages]


def _hold_block(block: Any, rows: tuple[int, ...]) -> None:
    for layer in (block.dwconv.conv, block.norm, block.pwconv2):
        _hold(layer.weight, rows)
        _hold(layer.bias, rows)


def _hold(parameter: torch.nn.Parameter, rows: tuple[int, ...], axis: int = 0) -> None:
    if not parameter.requires_grad:
        return
    free = torch.ones_like(parameter).index_fill_(axis, torch.tensor(rows), 0.0)
    parameter.register_hook(lambda gradient: gradient * free)


def _start_spread(conv: Any, space: Space, curves: Curves) -> None:
    """Vectors to the levels and shares of two steps, for each half of the frame."""
    weight = conv.weight.zero_()
    conv.bias.zero_()
    basis, means = torch.from_numpy(space.basis), torch.from_numpy(space.means)
    for half in range(HALF):
        columns = torch.arange(half * 2 * PAIRS, (half + 1) * 2 * PAIRS).view(HALF, 2, BANDS)
        for kind, place, scale in ((0, LEVELS, 1.0), (1, NOISES, 1 / NOISE_WEIGHT)):
            of = columns[:, kind].flatten()
            middle = curves.middle.repeat(HALF) if kind == 0 else torch.full((PAIRS,), 0.5)
            weight[:COMPONENTS, place, half] = scale * basis[:, of]
            weight[TURN, place, half] = scale * (means[0, of] - means[1, of])
            weight[CONSTANT, place, half] = scale * means[1, of] - middle
        weight[TURN, GATE, half] = 1.0
        weight[CONSTANT, PLACE, half] = float(half)
    conv.bias[PLUS], conv.bias[MINUS] = STEADY, -STEADY


def transparent(block: Any, steady: float = STEADY) -> None:
    """A ConvNeXt block without past, whose norm only removes the mean."""
    block.dwconv.conv.weight.zero_()[:, 0, -1] = 1.0
    block.dwconv.conv.bias.zero_()
    width = block.norm.weight.numel()
    deviation = steady * float(np.sqrt(2 / width))
    block.norm.weight.fill_(deviation)
    block.norm.weight[PLUS] = block.norm.weight[MINUS] = deviation / steady
    block.norm.bias.zero_()
    block.pwconv1.weight.normal_(0.0, 0.3 * width**-0.5)
    block.pwconv1.bias.zero_()
    block.pwconv2.weight.zero_()
    block.pwconv2.bias.zero_()
    block.pwconv2.bias[PLUS], block.pwconv2.bias[MINUS] = -steady, steady
    block.gamma.fill_(1.0)


def restore_mean(block: Any, steady: float = STEADY) -> None:
    """Give back the mean that the norm takes away: the two steady channels' sum tells it."""
    weight = block.pwconv1.weight
    weight[:, PLUS] = weight[:, MINUS] = 0
    weight[:, PLUS] = -steady / 2 * weight.sum(1)
    weight[:, MINUS] = weight[:, PLUS]


def _start_amplitudes(block: Any, curves: Curves) -> None:
    """The curves, once for each band and step; results replace levels and shares."""
    transparent(block)
    inner, bias = block.pwconv1.weight.zero_(), block.pwconv1.bias
    outer, shift = block.pwconv2.weight, block.pwconv2.bias
    for pair in range(PAIRS):
        band, units = pair % BANDS, slice(pair * UNITS, (pair + 1) * UNITS)
        for k, channel in enumerate((pair, PAIRS + pair)):
            inner[units, channel] = curves.inner[band, :, k]
            outer[channel, units] = curves.outer[band, k]
            shift[channel] = curves.shift[band, k]
        bias[units] = curves.bias[band]
    restore_mean(block)


def _start_places(conv: Any) -> None:
    """Amplitudes of the two steps to channels of their own, pulses and noise side by side."""
    weight = conv.weight.zero_()
    conv.bias.zero_()
    for step in range(HALF):
        for band in range(BANDS):
            pair, place = step * BANDS + band, step * 2 * BANDS + band
            weight[pair, place, step] = 1.0
            weight[PAIRS + pair, place + BANDS, step] = 1.0
    weight[GATE, GATE] = 1.0
    weight[PLACE, PLACE] = 1.0
    conv.bias[PLUS], conv.bias[MINUS] = STEADY, -STEADY


def _start_choice(block: Any, basis: Basis, curves: Curves) -> None:
    """Each amplitude goes through the gate of its speaker and half frame to its carrier."""
    transparent(block)
    inner, bias = block.pwconv1.weight, block.pwconv1.bias
    outer = block.pwconv2.weight
    maps, unit = torch.from_numpy(basis.maps), 0

    def gate(speaker: int | None, half: int) -> None:
        inner[unit] = 0
        bias[unit] = SURE
        for channel, closed_at in ((GATE, speaker), (PLACE, 1 - half)):
            if closed_at is not None:
                inner[unit, channel] = -SHUT if closed_at else SHUT
                bias[unit] -= 0 if closed_at else SHUT

    for speaker in (*range(len(maps)), None):  # noise has the same carriers for all speakers
        for half in range(HALF):
            constant = torch.zeros(outer.shape[0])
            for step in range(HALF):
                for band in range(BANDS):
                    carrier = band if speaker is not None else BANDS + band
                    place = step * 2 * BANDS + carrier
                    gate(speaker, half)
                    inner[unit, place] = 1.0
                    column = maps[speaker or 0, half * HALF + step, carrier] * curves.size[band]
                    column[place] -= 1.0  # the block's input is not part of the result
                    outer[:, unit] = column
                    constant += column
                    unit += 1
            # What an open gate lets through without any amplitude is taken away again.
            gate(speaker, half)
            outer[:, unit] = -constant
            outer[GATE, unit] -= float(speaker == 0) / SURE
            outer[PLACE, unit] -= float(speaker is None and half == 1) / SURE
            unit += 1
    restore_mean(block)
