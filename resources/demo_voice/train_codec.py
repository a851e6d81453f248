"""Training of the codec's networks around its fixed codebooks (steps ``latent`` and ``encoder``).

Each half of the codec starts as a network that was written by hand."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from engine.codec.model import CodecModel
from resources.demo_voice.codec_data import (
    CodecData,
    decoder_batches,
    encoder_batches,
)
from resources.demo_voice.codec_losses import (
    AmplitudeLoss,
    Losses,
    vector_loss,
)
from resources.demo_voice.codes import load_fixed
from resources.demo_voice.encoder_start import (
    bank_weights,
    fit_readout,
    magnitudes,
    reordered,
    start_encoder,
)
from resources.demo_voice.latent_start import fit_curves, protect, start_latent_half
from resources.demo_voice.pace import Clock
from resources.demo_voice.robot import amplitudes
from resources.demo_voice.synthesis_basis import start_decoder

FIT_CROPS = 256
POOL = 2400
"""Examples that wait in memory, heard by the part of the encoder that does not learn."""

RENEWED = 4
FRONT_PEAK = 5e-4
USUAL_WEIGHT, USUAL_INPUTS = 0.05, 64
"""A tensor of smaller weights, or of more inputs, takes proportionally smaller steps."""


class Training:
    """A checkpoint file, and the model in it.

    Attributes:
        model: on which steps work.
    """

    def __init__(self, path: Path, model: CodecModel) -> None:
        self.path, self.model = path, model
        self.saved: dict[str, Any] = {"started": []}
        if path.exists():
            self.saved = torch.load(path, weights_only=True)
            model.load_state_dict(self.saved["model"])

    def start(self, half: str, by_hand: Callable[[], None]) -> None:
        """Write a half's weights by hand, unless that was done before."""
        if half not in self.saved["started"]:
            by_hand()
            self.saved = {"started": [*self.saved["started"], half]}

    def run(
        self, chosen: list[nn.Parameter], loss: Callable[[], Losses], *, name: str, steps: int,
        minutes: float, peak: float,
    ) -> None:  # fmt: skip
        """AdamW with warm-up and cosine, and checkpoints; goes on where it was stopped."""
        for p in self.model.parameters():
            p.requires_grad_(False)
        groups = []
        for p in chosen:
            p.requires_grad_(True)
            groups.append({"params": [p], "share": share_of(p.detach())})
        protect(self.model.quantizer)
        optimizer = torch.optim.AdamW(groups, lr=peak, betas=(0.9, 0.98), weight_decay=0.0)
        step, used = 0, 0.0
        if self.saved.get("stage") == name:
            optimizer.load_state_dict(self.saved["optimizer"])
            step, used = self.saved["step"], self.saved["minutes"]
        clock, means = Clock(used, minutes), np.zeros(2)
        while step < steps and clock.progress < 1:
            clock.wait_if_paused()
            rate = peak * pace(step, max(step / steps, clock.progress))
            for group in optimizer.param_groups:
                group["lr"] = rate * group["share"]
            total, a, b = loss()
            self.model.zero_grad()
            total.backward()
            nn.utils.clip_grad_norm_(chosen, 1.0)
            optimizer.step()
            step += 1
            means += [a.item(), b.item()]
            if step % 20 == 0:
                print(f"{name} {step} {means[0] / 20:.4f} {means[1] / 20:.4f} "
                      f"{clock.minutes:.1f} min", flush=True)  # fmt: skip
                means[:] = 0
            if step % 100 == 0:
                self._save(optimizer, name, step, clock.minutes)
        self._save(optimizer, name, step, clock.minutes)

    def _save(self, optimizer: torch.optim.Optimizer, name: str, step: int, minutes: float) -> None:
        self.saved = {
            "model": self.model.state_dict(), "optimizer": optimizer.state_dict(),
            "started": self.saved["started"], "stage": name, "step": step, "minutes": minutes,
        }  # fmt: skip
        part = self.path.with_suffix(".part")
        torch.save(self.saved, part)
        part.rename(self.path)


def share_of(weight: Tensor) -> float:
    """How large the steps of a tensor are, beside those of usual ones.

    What was written by hand has weights of very different sizes.
    """
    size = float(weight.square().mean().sqrt()) or USUAL_WEIGHT
    inputs = weight[0].numel() if weight.ndim > 1 else 1
    return min(1.0, max(0.01, size / USUAL_WEIGHT)) * min(1.0, USUAL_INPUTS / inputs)


def pace(step: int, progress: float) -> float:
    """Share of the highest learning rate."""
    warm = min(1.0, (step + 1) / 30)
    return warm * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * min(1.0, progress))))


def train_latent_half(work: Path, *, steps: int, minutes: float, batch: int = 24) -> None:
    """Codes to latent steps, judged by carrier amplitudes (cheap)."""
    torch.manual_seed(1)
    model, space = load_fixed(work)
    q = model.quantizer
    data = CodecData(work, space, q, 1)
    basis = data.basis()
    training = Training(work / "codec.pt", model)

    def by_hand() -> None:
        track = data.decoded_tracks()
        start_decoder(model.decoder, basis)
        start_latent_half(q, space, basis, fit_curves(track.level, track.noise))

    training.start("decoder", by_hand)
    judge = AmplitudeLoss(basis, data.loudness)
    batches = decoder_batches(data, batch)

    def loss() -> Losses:
        codes, crops = next(batches)
        drive = torch.from_numpy(np.stack([amplitudes(c.track) for c in crops]))
        return judge(q.decode(codes), drive, torch.tensor([int(c.speaker) for c in crops]))

    chosen = [*q.post_module.parameters(), *q.upsample.parameters()]
    training.run(chosen, loss, name="latent", steps=steps, minutes=minutes, peak=1.5e-4)


def train_encoder(work: Path, *, steps: int, minutes: float, batch: int = 24) -> None:
    """Sound to the vectors that are quantized: first what follows the logarithms, then all.

    The second part takes a quarter of the steps, with half as many examples in each.
    """
    torch.manual_seed(3)
    model, space = load_fixed(work)
    q = model.quantizer
    data = CodecData(work, space, q, 3)
    training = Training(work / "codec.pt", model)

    def by_hand() -> None:
        start_encoder(model, data.loudness)
        pcm, wanted = next(encoder_batches(data, FIT_CROPS))
        print("missed by the start:", fit_readout(model, reordered(pcm), wanted), flush=True)

    training.start("encoder", by_hand)
    late = [*q.downsample[1].parameters(), *q.pre_module.parameters()]
    if training.saved.get("stage") != "front":
        pool = Pool(model, data)

        def late_loss() -> Losses:
            heard, wanted = pool.batch(batch)
            return vector_loss(q.pre_module(q.downsample[1](heard)), wanted)

        training.run(late, late_loss, name="encoder", steps=steps, minutes=minutes, peak=1.5e-3)
    batches = encoder_batches(data, batch // 2)

    def loss() -> Losses:
        pcm, wanted = next(batches)
        return vector_loss(q.features(magnitudes(model, reordered(pcm))), wanted)

    training.run([*bank_weights(model), *late], loss, name="front", steps=steps // 4,
                 minutes=minutes, peak=FRONT_PEAK)  # fmt: skip


class Pool:
    """Examples for the late part of the encoder, a few of which are renewed with each batch."""

    def __init__(self, model: CodecModel, data: CodecData) -> None:
        self._model = model
        self._fresh = encoder_batches(data, RENEWED)
        pairs = [self._hear() for _ in range(POOL // RENEWED)]
        self._heard = torch.cat([p[0] for p in pairs])
        self._wanted = torch.cat([p[1] for p in pairs])
        self._at = 0

    @torch.no_grad()
    def _hear(self) -> tuple[Tensor, Tensor]:
        pcm, wanted = next(self._fresh)
        steps = magnitudes(self._model, reordered(pcm))
        return self._model.quantizer.downsample[0](steps), wanted

    def batch(self, size: int) -> tuple[Tensor, Tensor]:
        """Half-frames ``(size, 2 * CROP, width)`` and vectors ``(size, CROP, width)``."""
        rows = slice(self._at, self._at + RENEWED)
        self._heard[rows], self._wanted[rows] = self._hear()
        self._at = (self._at + RENEWED) % POOL
        pick = torch.randint(POOL, (size,))
        return self._heard[pick], self._wanted[pick]
