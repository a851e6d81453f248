"""The demo voice's codec before training: what its hand-written weights must do."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
import torch

from engine.codec.model import CodecModel
from engine.codec.quantizer import Quantizer
from resources.demo_voice import latent_start, robot
from resources.demo_voice.codec_losses import AmplitudeLoss, vector_loss
from resources.demo_voice.codes import fresh_codec
from resources.demo_voice.encoder_start import (
    LOGS,
    SOFTEST,
    SPREAD,
    USUAL,
    bank_weights,
    fit_readout,
    log_curve,
    magnitudes,
    reordered,
    start_encoder,
)
from resources.demo_voice.latent_start import Curves, protect, start_latent_half
from resources.demo_voice.quantise import CONSTANT as ONE
from resources.demo_voice.quantise import CONSTANT_VALUE, MARK, MARK_VALUE, Space
from resources.demo_voice.sizes import WIDTH
from resources.demo_voice.speak import RATE, SPEAKERS
from resources.demo_voice.synthesis_basis import Basis

LOUDNESS = np.full(robot.BANDS, 0.1)
FEATURES = 2 * robot.BANDS * robot.STEPS


@pytest.fixture(scope="module")
def space() -> Space:
    rng = np.random.default_rng(0)
    rows = np.linalg.qr(rng.normal(size=(FEATURES, 48)))[0].T
    usual = np.tile(np.repeat([-3.0, 0.6], robot.BANDS), robot.STEPS)
    means = usual + rng.normal(0, 0.3, (len(SPEAKERS), FEATURES))
    return Space(means.astype(np.float32), np.ascontiguousarray(rows, np.float32))


@pytest.fixture(scope="module")
def curves() -> Curves:
    """Any smooth functions will do where only their place in the network is tested."""
    torch.manual_seed(1)
    bands, units = robot.BANDS, latent_start.UNITS
    return Curves(
        torch.full((bands,), -3.0), torch.full((bands,), 0.1), torch.randn(bands, units, 2),
        torch.randn(bands, units), 0.05 * torch.randn(bands, 2, units), torch.rand(bands, 2),
    )  # fmt: skip


@pytest.fixture(scope="module")
def basis() -> Basis:
    return Basis(LOUDNESS, WIDTH)


@pytest.fixture(scope="module")
def quantizer(space: Space, basis: Basis, curves: Curves) -> Quantizer:
    made = fresh_codec().quantizer
    start_latent_half(made, space, basis, curves)
    return made


@pytest.fixture(scope="module")
def listener() -> CodecModel:
    model = fresh_codec()
    start_encoder(model, LOUDNESS)
    return model


def _vectors(speakers: list[int], frames: int) -> torch.Tensor:
    z = torch.zeros(len(speakers), frames, WIDTH)
    z[..., :48] = torch.randn(z[..., :48].shape, generator=torch.Generator().manual_seed(2))
    for row, speaker in enumerate(speakers):
        z[row, :, MARK] = MARK_VALUE * (1 - 2 * speaker)
    z[..., ONE] = CONSTANT_VALUE
    z[..., latent_start.CONSTANT] = latent_start.ANCHOR
    return z


def test_wanted_amplitudes_share_the_power_of_the_level() -> None:
    level = torch.linspace(-5, 0, 12)
    wanted = latent_start.wanted_amplitudes(level, torch.linspace(-0.2, 1.2, 12))
    assert torch.allclose(wanted.square().sum(-1).sqrt(), level.exp())
    assert wanted[0, 1] == 0
    assert wanted[-1, 0] == 0


def test_the_latent_half_plays_what_vectors_stand_for(
    quantizer: Quantizer, space: Space, basis: Basis, curves: Curves
) -> None:
    z = _vectors([0, 1], 5)
    with torch.no_grad():
        found = quantizer.upsample(quantizer.post_module(z)).numpy()
    for row, speaker in enumerate((0, 1)):
        track, speakers = space.track(z[row].numpy())
        assert (speakers == speaker).all()
        both = (z[row, :, :48].numpy() @ space.basis + space.means[speaker]).reshape(-1, 64)
        noise = torch.from_numpy(both[:, robot.BANDS :]) / 1.5
        drive = curves(torch.from_numpy(track.level), noise).detach()
        wanted = basis.coefficients(drive.transpose(1, 2).flatten(1).numpy(), speaker)
        assert np.square(found[row] - wanted).mean() < 1e-3 * np.square(wanted).mean()


def test_the_speakers_switch_is_sharp(quantizer: Quantizer) -> None:
    z = _vectors([0, 1], 2)
    near = z.clone()
    near[..., MARK] *= 0.85
    with torch.no_grad():
        a, b = (quantizer.upsample(quantizer.post_module(x)) for x in (z, near))
    assert (a - b).abs().max() < 0.05 * a.abs().max()


def test_the_encoder_starts_by_reordering_samples(listener: CodecModel) -> None:
    pcm = 0.3 * torch.randn(2, 4 * robot.FRAME, generator=torch.Generator().manual_seed(3))
    with torch.no_grad():
        x = pcm.unsqueeze(-1)
        for part in list(listener.encoder.block)[:4]:
            x = part(x)
        assert torch.allclose(x, reordered(pcm), atol=1e-3)
        whole, short = listener.encoder(pcm.unsqueeze(-1)), magnitudes(listener, reordered(pcm))
    assert (whole - short).abs().max() < 2e-3 * whole.abs().max()


def test_the_logarithm_is_one() -> None:
    knots, weights, shift = log_curve()
    m = torch.logspace(-4, -0.1, 50)
    found = torch.nn.functional.gelu(m[:, None] / knots - 1) @ weights + shift
    assert (found - (m + SOFTEST).log()).abs().max() < 0.1


def test_the_bank_hears_each_band_at_its_place(listener: CodecModel) -> None:
    at = np.arange(6 * robot.FRAME) / RATE
    heard = []
    for amplitude in (0.02, 0.08):
        tones = np.stack(
            [amplitude * np.sin(2 * np.pi * f * at) for f in robot.band_centres()]
        ).astype(np.float32)
        with torch.no_grad():
            steps = magnitudes(listener, reordered(torch.from_numpy(tones)))
            half = listener.quantizer.downsample[0](steps)
        logs = half[:, -4:, LOGS].unflatten(2, (2, robot.BANDS)).mean((1, 2))
        heard.append(USUAL + SPREAD * logs)
    off = (heard[1].argmax(1) - torch.arange(robot.BANDS)).abs()
    assert (off <= 1).all()
    assert (off == 0).float().mean() > 0.8
    louder = (heard[1] - heard[0]).diagonal()
    assert (louder > 0.7).all()
    assert (louder < 3.2).all()


def test_the_readout_is_fitted_to_examples(listener: CodecModel) -> None:
    generator = torch.Generator().manual_seed(4)
    pcm = 0.2 * torch.randn(24, 6 * robot.FRAME, generator=generator)
    pcm *= torch.rand(24, 1, generator=generator)
    loud = pcm.unflatten(1, (6, -1)).square().mean(-1).log()
    wanted = torch.zeros(24, 6, WIDTH)
    wanted[..., 0] = loud - loud.mean()
    missed = fit_readout(listener, reordered(pcm), wanted)
    assert missed < 0.1
    with torch.no_grad():
        found = listener.quantizer.features(listener.encoder(pcm.unsqueeze(-1)))
    assert ((found - wanted)[:, 1:, :48].square().sum() / wanted[:, 1:].square().sum()) < 0.2
    assert torch.allclose(found[..., ONE], torch.tensor(CONSTANT_VALUE), rtol=1e-2)


def test_the_bank_keeps_its_pairs_in_training(listener: CodecModel) -> None:
    waves, mix, *_ = bank_weights(listener)
    pcm = 0.2 * torch.randn(1, 2 * robot.FRAME, generator=torch.Generator().manual_seed(6))
    magnitudes(listener, reordered(pcm)).square().mean().backward()
    pairs = waves.grad.unflatten(0, (-1, 2, 2))  # type: ignore[union-attr]
    assert pairs.abs().sum() > 0
    assert torch.equal(pairs[:, 0], pairs[:, 1])
    pairs = mix.grad.unflatten(1, (-1, 2, 2))  # type: ignore[union-attr]
    assert torch.equal(pairs[:, :, 0], -pairs[:, :, 1])


def test_the_starts_fit_into_half_precision(listener: CodecModel) -> None:
    model = copy.deepcopy(listener)
    pcm = 0.2 * torch.randn(2, 2 * robot.FRAME, generator=torch.Generator().manual_seed(7))
    with torch.no_grad():
        before = model.quantizer.downsample[0](magnitudes(model, reordered(pcm)))[..., LOGS]
        for value in model.parameters():
            value.copy_(value.half().float() if value.ndim > 1 else value)
        after = model.quantizer.downsample[0](magnitudes(model, reordered(pcm)))[..., LOGS]
    assert (before - after).abs().max() < 0.1


def test_training_leaves_the_steady_channels_alone(quantizer: Quantizer) -> None:
    protect(quantizer)
    quantizer.upsample(quantizer.post_module(_vectors([0, 1], 4))).square().mean().backward()
    stage: Any = quantizer.upsample[0]
    block = stage[1]
    module: Any = quantizer.post_module
    steady = [latent_start.PLUS, latent_start.MINUS]
    assert (block.pwconv2.weight.grad[steady] == 0).all()
    assert (block.norm.weight.grad[steady] == 0).all()
    assert (module.norm.weight.grad[latent_start.CONSTANT] == 0).all()
    assert block.pwconv2.weight.grad.abs().sum() > 0


def test_right_coefficients_and_vectors_have_no_loss(basis: Basis) -> None:
    rng = np.random.default_rng(5)
    drive = rng.uniform(0, 0.2, (20 * robot.STEPS, 2 * robot.BANDS)).astype(np.float32)
    judge = AmplitudeLoss(basis, LOUDNESS)
    found = torch.from_numpy(np.stack([basis.coefficients(drive, s) for s in (0, 1)]))
    wanted = torch.from_numpy(drive).expand(2, -1, -1)
    right = judge(found, wanted, torch.tensor([0, 1]))
    wrong = judge(0.8 * found, wanted, torch.tensor([0, 1]))
    assert right[0] < 1e-4
    assert wrong[1] > 0.1
    z = _vectors([0, 1], 20)
    assert vector_loss(z, z)[0] == 0
    assert vector_loss(-z, z)[2] == 4
