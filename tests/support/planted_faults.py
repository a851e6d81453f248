"""Plants the faults of speech models into sound takes, each in a way of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from engine.audio import levels


@dataclass(frozen=True)
class PlantedTake:
    """Samples float32 ``(n,)`` and codes ``(codebooks, frames)`` that belong together."""

    samples: np.ndarray
    codes: np.ndarray
    text: str
    rate: int = 22_050
    frame: int = 1024
    voice: int = 0


def cut_end(take: PlantedTake, rng: np.random.Generator) -> PlantedTake:
    """Stop in a word: where the sound is loud, 0.2 to 0.6 s before its end."""
    quiet = levels.frame_levels(take.samples, take.rate)
    loud = quiet >= levels.speech_level(quiet) - 3
    last = len(quiet) - int(rng.integers(10, 30))
    while not loud[last - 1]:
        last -= 1
    end = last * int(levels.FRAME_SECONDS * take.rate)
    return replace(take, samples=take.samples[:end], codes=take.codes[:, : -(-end // take.frame)])


def hole(take: PlantedTake, rng: np.random.Generator) -> PlantedTake:
    """1.2 to 3 s of nearly nothing, somewhere in the middle half."""
    at = int(rng.uniform(0.25, 0.75) * len(take.samples))
    silence = 1e-5 * rng.standard_normal(int(rng.uniform(1.2, 3.0) * take.rate))
    samples = np.concatenate([take.samples[:at], silence.astype(np.float32), take.samples[at:]])
    return replace(take, samples=samples)


def noise_burst(take: PlantedTake, rng: np.random.Generator) -> PlantedTake:
    """60 to 250 ms of white noise as loud as the speech, or louder."""
    count = int(rng.uniform(0.06, 0.25) * take.rate)
    at = int(rng.integers(count, len(take.samples) - 2 * count))
    level = levels.from_db(levels.speech_level(levels.frame_levels(take.samples, take.rate)))
    samples = take.samples.copy()
    samples[at : at + count] += rng.uniform(1.0, 2.5) * level * rng.standard_normal(count)
    return replace(take, samples=np.clip(samples, -0.99, 0.99).astype(np.float32))


def sinking(take: PlantedTake, rng: np.random.Generator) -> PlantedTake:
    """8 to 14 dB less at the end than at the start."""
    fall = rng.uniform(8, 14)
    gain = 10 ** (-fall * np.linspace(0, 1, len(take.samples)) / 20)
    return replace(take, samples=(take.samples * gain).astype(np.float32))


def one_frame(take: PlantedTake, rng: np.random.Generator) -> PlantedTake:
    """Nothing but the first sounding frame."""
    at = int(rng.integers(4, 12))
    samples = take.samples[at * take.frame : (at + 1) * take.frame]
    return replace(take, samples=samples, codes=take.codes[:, at : at + 1])


def stuck(take: PlantedTake, rng: np.random.Generator) -> PlantedTake:
    """A frame, or a loop of up to half a second, again and again for 1 to 3 s."""
    frames = take.codes.shape[1]
    period = int(rng.choice([1, 1, 3, 8]))
    at = int(rng.integers(frames // 4, frames // 2))
    times = max(3, int(rng.uniform(1.0, 3.0) * take.rate / take.frame / period))
    order = np.concatenate(
        [np.arange(at), np.tile(np.arange(at, at + period), times), np.arange(at + period, frames)]
    )
    samples = np.concatenate([take.samples[i * take.frame : (i + 1) * take.frame] for i in order])
    return replace(take, samples=samples, codes=take.codes[:, order])


def clipped(take: PlantedTake, rng: np.random.Generator) -> PlantedTake:
    """Too loud for the format."""
    gain = rng.uniform(2.0, 4.0) / np.abs(take.samples).max()
    return replace(take, samples=np.clip(take.samples * gain, -1, 1).astype(np.float32))


SOUND_FAULTS: dict[str, Callable[[PlantedTake, np.random.Generator], PlantedTake]] = {
    "cut_end": cut_end,
    "gap": hole,
    "noise_burst": noise_burst,
    "sinking": sinking,
    "pace": one_frame,
    "stuck": stuck,
    "clipping": clipped,
}
"""By the check that has to find them."""


def word_faults(text: str, kind: str, rng: np.random.Generator, others: list[str]) -> str:
    """What is said in place of ``text``: a word ``lost``, ``repeated`` or ``changed``."""
    words = text.split()
    long = [i for i, word in enumerate(words) if len(word.strip(".,?!")) >= 4]
    at = int(rng.choice(long))
    bare = words[at].strip(".,?!")
    if kind == "lost":
        return " ".join(words[:at] + words[at + 1 :])
    if kind == "repeated":
        return " ".join([*words[:at], bare, *words[at:]])
    other = rng.choice([o for o in others if o[:2].lower() != bare[:2].lower()])
    return " ".join([*words[:at], words[at].replace(bare, str(other)), *words[at + 1 :]])
