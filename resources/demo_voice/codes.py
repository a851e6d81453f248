"""Codes of all prepared speech, and the codec's fixed part (step ``codes``)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from torch import nn

from engine.codec.model import CodecModel
from engine.codec.quantizer import Quantizer
from resources.demo_voice.prepare import SHARDS_WITH_SOUND, heard_utterances, load_shards
from resources.demo_voice.quantise import Space, build_codebooks, codes_of, raw_features
from resources.demo_voice.robot import FRAME
from resources.demo_voice.sizes import WIDTH, codec_config
from resources.demo_voice.table import CodeTable, all_frames, features_of, key_of, make_table
from resources.demo_voice.units import frames_of, load_units

ROBOT_FRAMES, NATURAL_FRAMES = 40_000, 20_000
DAMPING = 0.7
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
    """Find space and codebooks from units and speech; write space.npz and books.pt."""
    units = load_units(work / "units.npz")
    frames = all_frames()
    robot = np.stack([features_of(u, frames) for u in units])
    weights = _weights(work, len(frames))
    rng = np.random.default_rng(seed)
    picked = rng.choice(len(frames), ROBOT_FRAMES, p=weights / weights.sum())
    natural, speakers = _natural(work, rng)
    space = Space.fit(
        np.concatenate([*robot[:, picked], natural]),
        np.concatenate([np.repeat(np.arange(len(units)), len(picked)), speakers]),
    )
    own = np.stack([space.latent(robot[s], s, WIDTH) for s in range(len(units))])[:, picked]
    heard = np.concatenate(
        [space.latent(natural[speakers == s], s, WIDTH) for s in range(len(units))]
    )
    z = np.concatenate([*own, heard])
    shared = np.concatenate([np.tile(own.mean(0), (len(units), 1)), heard])
    model = fresh_codec(seed)
    left = build_codebooks(
        model.quantizer, torch.from_numpy(z), torch.from_numpy(shared), seed=seed
    )
    space.save(work / "space.npz")
    state = {k: v for k, v in model.state_dict().items() if k.startswith(FIXED)}
    torch.save({"state": state, "left": left}, work / "books.pt")
    make_table(model.quantizer, space, units).save(work / "table.npz")
    return left


def _weights(work: Path, count: int) -> np.ndarray:
    """How much each frame that the robot can say counts: its number in the texts, dampened."""
    index = {key_of(frame): i for i, frame in enumerate(all_frames())}
    heard = np.zeros(count)
    for data in load_shards(work, name="heard"):
        for _, sounds, _ in heard_utterances(data):
            np.add.at(heard, [index[key_of(frame)] for frame in frames_of(sounds)], 1)
    return np.asarray(heard**DAMPING)


def _natural(work: Path, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Features of some frames of flite's own speech, and their speakers."""
    rows, speakers = [], []
    for data in load_shards(work, SHARDS_WITH_SOUND, "heard"):
        features = raw_features(data["raw_level"], data["raw_noise"])
        who = np.repeat(data["speaker"], np.diff(data["pcm_offsets"]) // FRAME)
        some = rng.choice(len(features), NATURAL_FRAMES // SHARDS_WITH_SOUND)
        rows.append(features[some])
        speakers.append(who[some])
    return np.concatenate(rows), np.concatenate(speakers)


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
    """Write the robot's codes_NNN.npz for every shard; returns how many were written."""
    table = CodeTable.load(work / "table.npz")
    written = 0
    for path in sorted(work.glob("heard_???.npz")):
        target = work / path.name.replace("heard", "codes")
        if target.exists():
            continue
        data = dict(np.load(path))
        codes = [table.speak(sounds, s) for s, sounds, _ in heard_utterances(data)]
        part = target.with_suffix(".part.npz")
        np.savez(
            part, codes=np.concatenate(codes, 1).astype(np.int16),
            offsets=np.cumsum([0] + [c.shape[1] for c in codes]), speaker=data["speaker"],
            text=data["text"],
        )  # fmt: skip
        part.rename(target)
        written += 1
    return written
