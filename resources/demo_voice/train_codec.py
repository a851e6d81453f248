"""Training of the codec's networks around its fixed codebooks (steps ``decoder``, ``encoder``)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from engine.codec.model import CodecModel
from resources.demo_voice.codes import load_fixed
from resources.demo_voice.muon import Muon
from resources.demo_voice.pace import Clock
from resources.demo_voice.prepare import load_shards
from resources.demo_voice.quantise import COMPONENTS, MARK, Space, raw_features
from resources.demo_voice.robot import FRAME, STEPS, Track, amplitudes, render
from resources.demo_voice.sizes import WIDTH
from resources.demo_voice.speak import RATE, SPEAKERS
from resources.demo_voice.synthesis_basis import GAIN, Basis, sound, start_decoder

CROP = 20
LEAD = 3
"""Frames at the start of a crop that are not judged: their past is missing."""

SCALES = ((2048, 512, 96), (1024, 256, 96), (512, 128, 64), (256, 64, 40))


class MelLoss(nn.Module):
    """Mean difference of log-mel magnitudes at four resolutions."""

    def __init__(self, floor: float = 2e-3) -> None:
        super().__init__()
        self.floor = floor
        self.parts = []
        for size, hop, bands in SCALES:
            self.parts.append((size, hop, torch.hann_window(size), mel_filters(size, bands)))

    def forward(self, y: Tensor, wanted: Tensor) -> Tensor:
        total = y.new_zeros(())
        for size, hop, window, filters in self.parts:
            logs = []
            for x in (y, wanted):
                bins = torch.stft(x, size, hop, window=window, return_complex=True, center=False)
                magnitude = (bins.real.square() + bins.imag.square() + 1e-9).sqrt() / size**0.5
                logs.append((filters @ magnitude + self.floor).log())
            total = total + F.l1_loss(*logs)
        return total / len(self.parts)


def mel_filters(size: int, bands: int) -> Tensor:
    """Averaging triangles ``(bands, bins)``; empty bands are left out."""
    from resources.demo_voice import robot

    edges = robot._hertz(np.linspace(robot._mel(0), robot._mel(RATE / 2), bands + 2))[:, None]
    f = np.linspace(0, RATE / 2, size // 2 + 1)
    up, down = (
        (f - edges[:-2]) / (edges[1:-1] - edges[:-2]),
        (edges[2:] - f) / (edges[2:] - edges[1:-1]),
    )
    w = np.maximum(0, np.minimum(up, down))
    w = w[w.sum(1) > 0]
    return torch.tensor(w / w.sum(1, keepdims=True), dtype=torch.float32)


class CodecData:
    """Crops of whole frames from the prepared shards, utterances joined."""

    def __init__(self, work: Path, space: Space, seed: int) -> None:
        self.space = space
        self.rng = np.random.default_rng(seed)
        self.shards = load_shards(work, 8)
        loud = [np.exp(2 * s["level"][::7].astype(np.float32)).mean(0) for s in self.shards]
        self.loudness = np.sqrt(np.mean(loud, 0))

    def _pick(self, offsets: np.ndarray, unit: int, need: int) -> tuple[int, int]:
        """An utterance and where in it a crop of ``need`` frames starts."""
        while True:
            i = int(self.rng.integers(len(offsets) - 1))
            frames = (offsets[i + 1] - offsets[i]) // unit
            if frames >= need:
                return i, int(self.rng.integers(0, frames - need + 1))

    def aligned(self) -> tuple[Track, int]:
        """A crop of the robot's speech and its speaker."""
        shard = self.shards[self.rng.integers(len(self.shards))]
        i, at = self._pick(shard["offsets"], STEPS, CROP)
        rows = slice(shard["offsets"][i] + at * STEPS, shard["offsets"][i] + (at + CROP) * STEPS)
        return _track(shard["level"][rows], shard["noise"][rows]), int(shard["speaker"][i])

    def natural(self) -> tuple[np.ndarray, Track, int]:
        """A crop of flite's own sound, its track, and its speaker."""
        with_sound = [s for s in self.shards if "pcm" in s]
        shard = with_sound[self.rng.integers(len(with_sound))]
        i, at = self._pick(shard["pcm_offsets"], FRAME, CROP)
        first = shard["pcm_offsets"][i] // FRAME + at
        rows = slice(first * STEPS, (first + CROP) * STEPS)
        pcm = shard["pcm"][first * FRAME : (first + CROP) * FRAME].astype(np.float32) / 32768
        return (
            pcm,
            _track(shard["raw_level"][rows], shard["raw_noise"][rows]),
            int(shard["speaker"][i]),
        )

    def latent(self, track: Track, speaker: int) -> np.ndarray:
        """What the codec should quantize for a track."""
        return self.space.latent(raw_features(track.level, track.noise), speaker, WIDTH)

    def basis(self) -> Basis:
        """The synthesis basis that fits this speech."""
        basis = Basis(self.loudness, WIDTH)
        crops = [self.aligned() for _ in range(200)]
        basis.even_out(np.concatenate([basis.coefficients(amplitudes(t), s) for t, s in crops]))
        return basis


def _track(level: np.ndarray, noise: np.ndarray) -> Track:
    return Track(level.astype(np.float32), noise.astype(np.float32))


def decoder_batches(
    data: CodecData, model: CodecModel, size: int
) -> Iterator[tuple[Tensor, Tensor]]:
    """Codes ``(batch, codebooks, CROP)`` and wanted sound ``(batch, CROP * FRAME)``."""
    q = model.quantizer
    while True:
        crops = [data.aligned() for _ in range(size)]
        z = torch.from_numpy(np.stack([data.latent(t, s) for t, s in crops]))
        with torch.no_grad():
            rows, residual = q.semantic_quantizer.encode(z)
            more, _ = q.quantizer.encode(residual)
        wanted = [render(t, SPEAKERS[s].pulses, GAIN) for t, s in crops]
        yield torch.stack(rows + more, 1), torch.from_numpy(np.stack(wanted))


def encoder_batches(data: CodecData, size: int) -> Iterator[tuple[Tensor, Tensor]]:
    """Sound ``(batch, CROP * FRAME)``, natural or robot, and latents ``(batch, CROP, width)``."""
    while True:
        sounds, latents = [], []
        for _ in range(size):
            if data.rng.random() < 0.5:
                pcm, track, speaker = data.natural()
            else:
                track, speaker = data.aligned()
                pcm = render(track, SPEAKERS[speaker].pulses, GAIN)
            sounds.append(pcm * np.float32(data.rng.uniform(0.6, 1.3)))
            latents.append(data.latent(track, speaker))
        yield torch.from_numpy(np.stack(sounds)), torch.from_numpy(np.stack(latents))


def judged(x: Tensor) -> Tensor:
    """The part of ``(batch, CROP * n, ...)`` that counts."""
    return x[:, x.shape[1] * LEAD // CROP :]


def sound_loss(y: Tensor, wanted: Tensor, mel: MelLoss) -> tuple[Tensor, Tensor, Tensor]:
    """Total, mel part, and wave part (1 is as bad as silence)."""
    y, wanted = judged(y), judged(wanted)
    # A first difference lifts the upper formants to the level of the first.
    dy, dw = y[:, 1:] - 0.9 * y[:, :-1], wanted[:, 1:] - 0.9 * wanted[:, :-1]
    wave = (dy - dw).abs().mean() / dw.abs().mean()
    spectral = mel(y, wanted)
    return 2 * spectral + wave, spectral, wave


def encoder_loss(found: Tensor, wanted: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Total, share of the components' variance that is missed, and the same of the mark."""
    found, wanted = judged(found), judged(wanted)
    part, whole = slice(0, COMPONENTS), wanted[..., :COMPONENTS].square().mean()
    missed = (found[..., part] - wanted[..., part]).square().mean() / whole
    mark = (found[..., MARK] - wanted[..., MARK]).square().mean() / wanted[
        ..., MARK
    ].square().mean()
    return missed + 0.1 * mark, missed, mark


Loss = Callable[[], tuple[Tensor, Tensor, Tensor]]


def run(
    path: Path, model: CodecModel, chosen: list[nn.Parameter], loss: Loss, *, steps: int,
    minutes: float, peak: float, name: str, muon: float = 0.0,
) -> None:  # fmt: skip
    """Common loop: AdamW (and Muon, if it has a rate), warm-up and cosine, checkpoints."""
    for p in model.parameters():
        p.requires_grad_(False)
    for p in chosen:
        p.requires_grad_(True)
    inner = [p for p in chosen if p.ndim > 1 and p.shape[1] > 1 and p.shape[0] > 1] if muon else []
    own = {id(p) for p in inner}
    rest = [p for p in chosen if id(p) not in own]
    optimizers: list[torch.optim.Optimizer] = [
        torch.optim.AdamW(rest, lr=peak, betas=(0.8, 0.98), weight_decay=1e-4)
    ]
    peaks = [peak]
    if inner:
        optimizers.append(Muon(inner, decay=0.0))
        peaks.append(muon)
    step, used = 0, 0.0
    if path.exists():
        saved = torch.load(path, weights_only=True)
        model.load_state_dict(saved["model"])
        step, used = saved["step"], saved["minutes"]
        if saved.get("stage") == name:
            for optimizer, state in zip(optimizers, saved["optimizers"], strict=True):
                optimizer.load_state_dict(state)
        else:
            step, used = 0, 0.0
    clock = Clock(used, minutes)
    means = np.zeros(2)

    def save() -> None:
        state = {"model": model.state_dict(), "optimizers": [o.state_dict() for o in optimizers]}
        part = path.with_suffix(".part")
        torch.save({**state, "step": step, "minutes": clock.minutes, "stage": name}, part)
        part.rename(path)

    while step < steps and clock.progress < 1:
        clock.wait_if_paused()
        progress = max(step / steps, clock.progress)
        warm = min(1.0, (step + 1) / 30)
        share = warm * (0.03 + 0.97 * 0.5 * (1 + math.cos(math.pi * progress)))
        total, a, b = loss()
        model.zero_grad()
        total.backward()
        nn.utils.clip_grad_norm_(chosen, 1.0)
        for optimizer, most in zip(optimizers, peaks, strict=True):
            optimizer.param_groups[0]["lr"] = most * share
            optimizer.step()
        step += 1
        means += [a.item(), b.item()]
        if step % 20 == 0:
            print(f"{name} {step} {means[0] / 20:.4f} {means[1] / 20:.4f} "
                  f"{clock.minutes:.1f} min", flush=True)  # fmt: skip
            means[:] = 0
        if step % 100 == 0:
            save()
    save()


def train_latent_half(work: Path, *, steps: int, minutes: float, batch: int = 24) -> None:
    """Codes to latent steps, heard through the exact filter bank (cheap)."""
    torch.manual_seed(1)
    model, space = load_fixed(work)
    data = CodecData(work, space, 1)
    basis = data.basis()
    start_decoder(model.decoder, basis)
    rows, mel = torch.from_numpy(basis.rows), MelLoss()
    batches = decoder_batches(data, model, batch)
    q = model.quantizer

    def loss() -> tuple[Tensor, Tensor, Tensor]:
        codes, wanted = next(batches)
        return sound_loss(sound(q.decode(codes), rows), wanted, mel)

    chosen = [*q.post_module.parameters(), *q.upsample.parameters()]
    run(work / "codec.pt", model, chosen, loss, steps=steps, minutes=minutes, peak=2e-3,
        name="latent")  # fmt: skip


def train_decoder(work: Path, *, steps: int, minutes: float, batch: int = 6) -> None:
    """The whole decoding half of the engine's codec, end to end."""
    torch.manual_seed(2)
    model, space = load_fixed(work)
    data = CodecData(work, space, 2)
    mel = MelLoss()
    batches = decoder_batches(data, model, batch)
    q = model.quantizer

    def loss() -> tuple[Tensor, Tensor, Tensor]:
        codes, wanted = next(batches)
        return sound_loss(model.decode(codes), wanted, mel)

    chosen = [*q.post_module.parameters(), *q.upsample.parameters(), *model.decoder.parameters()]
    run(work / "codec.pt", model, chosen, loss, steps=steps, minutes=minutes, peak=2e-4,
        name="decoder")  # fmt: skip


def train_encoder(work: Path, *, steps: int, minutes: float, batch: int = 8) -> None:
    """Sound to the vectors that are quantized."""
    torch.manual_seed(3)
    model, space = load_fixed(work)
    data = CodecData(work, space, 3)
    batches = encoder_batches(data, batch)
    q = model.quantizer

    # The norm in front of the codebooks gives each component its usual size from the start.
    with torch.no_grad():
        usual = next(batches)[1].flatten(0, 1).square().mean(0).sqrt()
        q.pre_module.norm.weight[: MARK + 1] = 1.5 * usual[: MARK + 1]

    def loss() -> tuple[Tensor, Tensor, Tensor]:
        pcm, wanted = next(batches)
        return encoder_loss(q.features(model.encoder(pcm.unsqueeze(-1))), wanted)

    chosen = [
        *model.encoder.parameters(), *q.downsample.parameters(), *q.pre_module.parameters()
    ]  # fmt: skip
    run(work / "codec.pt", model, chosen, loss, steps=steps, minutes=minutes, peak=1.5e-3,
        name="encoder", muon=0.01)  # fmt: skip
