"""Codes of every frame that the robot can ever say (part of step ``codes``).

What a frame is like depends on its place in its sound and on one neighbour, so there are some
ten thousand of them. The semantic code of a frame is the same for all speakers: it is sought for
the mean of their latent vectors. The residual codes then say what is special to the speaker.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch

from engine.codec.quantizer import Quantizer
from resources.demo_voice.quantise import Space, raw_features, shared_codes_of
from resources.demo_voice.sizes import WIDTH
from resources.demo_voice.timing import FRAMES, VOWELS
from resources.demo_voice.units import (
    NAMES,
    NUMBER,
    Frame,
    Place,
    Units,
    frames_of,
    noise_of,
    sides,
)

NOBODY = -1
Key = tuple[int, Place, int]


def key_of(frame: Frame) -> Key:
    """What a frame depends on."""
    before, behind = sides(frame.place)
    return (frame.before if before else NOBODY, frame.place, frame.behind if behind else NOBODY)


def all_frames() -> list[Frame]:
    """One frame for each key there can be."""
    found: dict[Key, Frame] = {}
    everything = range(len(NAMES))
    for name, count in FRAMES.items():
        for n in (count, count + 1) if name in VOWELS else (count,):
            for k in range(n):
                place = (NUMBER[name], n, k)
                before, behind = sides(place)
                for b in everything if before else (NUMBER[name],):
                    for e in everything if behind else (NUMBER[name],):
                        frame = Frame(b, place, e)
                        found.setdefault(key_of(frame), frame)
    return list(found.values())


def features_of(units: Units, frames: Sequence[Frame]) -> np.ndarray:
    """Features ``(frames, ...)`` of :func:`resources.demo_voice.quantise.raw_features`."""
    level = np.concatenate([units.level(f).reshape(-1, noise_of(f).shape[1]) for f in frames])
    return raw_features(level, np.concatenate([noise_of(f) for f in frames]))


class CodeTable:
    """Codes of frames.

    Attributes:
        index: row of each key.
        codes: int16 ``(speakers, rows, codebooks)``.
    """

    def __init__(self, codes: np.ndarray) -> None:
        self.index = {key_of(frame): i for i, frame in enumerate(all_frames())}
        self.codes = codes

    def rows(self, sounds: Sequence[str]) -> np.ndarray:
        """Rows of the frames of an utterance."""
        return np.array([self.index[key_of(frame)] for frame in frames_of(sounds)])

    def speak(self, sounds: Sequence[str], speaker: int) -> np.ndarray:
        """Codes int32 ``(codebooks, frames)`` of an utterance."""
        return self.codes[speaker, self.rows(sounds)].T.astype(np.int32)

    def save(self, path: Path) -> None:
        np.savez(path, codes=self.codes)

    @classmethod
    def load(cls, path: Path) -> CodeTable:
        with np.load(path) as data:
            return cls(data["codes"])


def latents_of(units: Sequence[Units], space: Space, frames: Sequence[Frame]) -> np.ndarray:
    """``(speakers, frames, WIDTH)``."""
    return np.stack([space.latent(features_of(u, frames), s, WIDTH) for s, u in enumerate(units)])


def make_table(quantizer: Quantizer, space: Space, units: Sequence[Units]) -> CodeTable:
    """Codes of all frames."""
    z = torch.from_numpy(latents_of(units, space, all_frames()))
    codes = shared_codes_of(quantizer, z)
    return CodeTable(codes.permute(0, 2, 1).numpy().astype(np.int16))
