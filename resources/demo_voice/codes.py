"""Codes of all prepared speech, and the codec's fixed part (step ``codes``)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from torch import nn

from engine.codec.model import CodecModel
from engine.codec.quantizer import Quantizer
from resources.demo_voice.prepare import load_shards
from resources.demo_voice.quantise import Space, build_codebooks, codes_of, raw_features
from resources.demo_voice.robot import STEPS
from resources.demo_voice.sizes import WIDTH, codec_config
from resources.demo_voice.speak import SPEAKERS

FIT_FRAMES = 90_000
FIXED = ("quantizer.semantic_quantizer.", "quantizer.quantizer.")
"""Prefixes of the parameters that this step finds and no later one changes."""


def fresh_codec(seed: int = 0) -> CodecModel:
    """The engine's codec with random weights, scaled for training from the start."""
    torch.manual_seed(seed)
    model = CodecModel(codec_config())
    with torch.no_grad():
        for name, value in model.named_parameters():
            if name.endswith("gamma"):
                value.fill_(0.2)
            elif name.endswith("bias"):
                value.zero_()
        for part in model.modules():
            if isinstance(part, (nn.Conv1d, nn.Linear)):
                fan = part.weight[0].numel()
                part.weight.normal_(0.0, fan**-0.5)
            elif isinstance(part, nn.ConvTranspose1d):
                reach = part.weight.shape[0] * part.weight.shape[2] / part.stride[0]
                part.weight.normal_(0.0, reach**-0.5)
    return model


def fit(work: Path, seed: int = 0) -> list[float]:
    """Find space and codebooks from the shards there are; write space.npz and books.pt."""
    shards = load_shards(work)
    features = np.concatenate([raw_features(s["level"], s["noise"]) for s in shards])
    speakers = np.concatenate(
        [np.repeat(s["speaker"], np.diff(s["offsets"]) // STEPS) for s in shards]
    )
    space = Space.fit(features, speakers)
    rng = np.random.default_rng(seed)
    picked = rng.permutation(len(features))[:FIT_FRAMES]
    z = np.concatenate(
        [
            space.latent(features[picked[speakers[picked] == s]], s, WIDTH)
            for s in range(len(SPEAKERS))
        ]
    )
    model = fresh_codec(seed)
    left = build_codebooks(model.quantizer, torch.from_numpy(z), seed=seed)
    space.save(work / "space.npz")
    state = {k: v for k, v in model.state_dict().items() if k.startswith(FIXED)}
    torch.save({"state": state, "left": left}, work / "books.pt")
    return left


def load_fixed(work: Path) -> tuple[CodecModel, Space]:
    """A fresh codec with the fixed codebooks, and the space they live in."""
    model = fresh_codec()
    state = torch.load(work / "books.pt", weights_only=True)["state"]
    _, unexpected = model.load_state_dict(state, strict=False)
    assert not unexpected, unexpected
    return model, Space.load(work / "space.npz")


def encode_tracks(
    quantizer: Quantizer, space: Space, level: np.ndarray, noise: np.ndarray, speaker: int
) -> np.ndarray:
    """Codes int16 ``(codebooks, frames)`` of a track."""
    z = space.latent(raw_features(level, noise), speaker, WIDTH)
    return codes_of(quantizer, torch.from_numpy(z)).numpy().astype(np.int16)


def write_codes(work: Path) -> int:
    """Write codes_NNN.npz for every shard that has none; returns how many were written."""
    model, space = load_fixed(work)
    written = 0
    for path in sorted(work.glob("shard_???.npz")):
        target = work / path.name.replace("shard", "codes")
        if target.exists():
            continue
        with np.load(path) as data:
            shard = {k: data[k] for k in ("level", "noise", "offsets", "speaker", "text")}
        steps = np.diff(shard["offsets"])
        speakers = np.repeat(shard["speaker"], steps)
        codes = np.zeros((model.config.num_codebooks, steps.sum() // STEPS), np.int16)
        for s in range(len(SPEAKERS)):
            rows = speakers == s
            frames = rows[::STEPS]
            codes[:, frames] = encode_tracks(
                model.quantizer, space, shard["level"][rows], shard["noise"][rows], s
            )
        part = target.with_suffix(".part.npz")
        np.savez(
            part, codes=codes, offsets=shard["offsets"] // STEPS, speaker=shard["speaker"],
            text=shard["text"],
        )  # fmt: skip
        part.rename(target)
        written += 1
    return written
