"""The robot's inventory of sounds: what every frame of every sound is like beside its neighbours.

From many utterances the levels of a sound's frame are fitted as a sum: what is usual for this
frame, a change by the sound before (first half) and a change by the sound behind (second half).
Changes that were heard rarely are drawn towards zero. So the robot's speech depends on the
neighbouring sounds and on nothing else, and any text has exactly one right rendering, which a
small model can learn and be measured by.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from resources.demo_voice.robot import BANDS, STEPS, Track, noise_profile
from resources.demo_voice.timing import SILENCES, SOUNDS, counts_of

NAMES = (*SOUNDS, *SILENCES)
NUMBER = {name: i for i, name in enumerate(NAMES)}
DOUBT = 2.0
"""So many unheard, unchanged frames are added to those of each neighbour."""

ROUNDS = 4

Place = tuple[int, int, int]
"""A sound's number, its frames, and which of them."""


@dataclass(frozen=True)
class Frame:
    """A frame of an utterance in its context: numbers of sounds, and its place in its own."""

    before: int
    place: Place
    behind: int


def frames_of(sounds: Sequence[str]) -> list[Frame]:
    """All frames of an utterance in order."""
    numbers = [NUMBER[sound] for sound in sounds]
    edge = [numbers[0], *numbers, numbers[-1]]
    return [
        Frame(edge[i], (number, count, k), edge[i + 2])
        for i, (number, count) in enumerate(zip(numbers, counts_of(sounds), strict=True))
        for k in range(count)
    ]


def sides(place: Place) -> tuple[bool, bool]:
    """Whether a frame depends on the sound before and on the one behind.

    The middle one of three or five depends on neither.
    """
    _, count, k = place
    return 2 * k + 1 < count or count == 1, 2 * k + 1 > count or count == 1


@dataclass(eq=False)
class Units:
    """Levels ``(STEPS * BANDS,)`` of one speaker.

    Attributes:
        usual: by place.
        change: by place, side (0 before, 1 behind) and the neighbour's number.
    """

    usual: dict[Place, np.ndarray]
    change: dict[tuple[Place, int, int], np.ndarray]

    def level(self, frame: Frame) -> np.ndarray:
        """The levels of a frame in its context; an unheard place borrows from the nearest."""
        place = frame.place
        if place not in self.usual:
            place = min(self.usual, key=lambda p: _distance(p, place))
        total = self.usual[place].copy()
        for side, neighbour in enumerate((frame.before, frame.behind)):
            found = self.change.get((place, side, neighbour))
            if sides(place)[side] and found is not None:
                total += found
        return total

    def track(self, sounds: Sequence[str]) -> Track:
        """The one rendering of an utterance."""
        frames = frames_of(sounds)
        level = np.concatenate([self.level(f).reshape(STEPS, BANDS) for f in frames])
        return Track(level.astype(np.float32), np.concatenate([noise_of(f) for f in frames]))


def _distance(a: Place, b: Place) -> tuple[bool, float]:
    return a[0] != b[0], abs(a[1] - b[1]) + abs(a[2] / a[1] - b[2] / b[1])


def noise_of(frame: Frame) -> np.ndarray:
    """Noise shares ``(STEPS, BANDS)``, a little mixed with those of the neighbours at its ends."""
    own, before, behind = (_profile(n) for n in (frame.place[0], frame.before, frame.behind))
    shares = np.tile(own, (STEPS, 1))
    if frame.place[2] == 0:
        shares[0] = 0.75 * own + 0.25 * before
    if frame.place[2] == frame.place[1] - 1:
        shares[-1] = 0.75 * own + 0.25 * behind
    return shares


@cache
def _profile(number: int) -> np.ndarray:
    name = NAMES[number]
    return noise_profile("pau" if name in SILENCES else name).astype(np.float32)


def fit_units(utterances: Sequence[tuple[Sequence[str], np.ndarray]]) -> Units:
    """Fit from pairs of sounds and their levels ``(frames * STEPS, BANDS)``."""
    heard: dict[Place, list[tuple[Frame, np.ndarray]]] = defaultdict(list)
    for sounds, level in utterances:
        rows = level.reshape(-1, STEPS * BANDS)
        for frame, row in zip(frames_of(sounds), rows, strict=True):
            heard[frame.place].append((frame, row))
    units = Units({}, {})
    for place, pairs in heard.items():
        _fit_place(units, place, [f for f, _ in pairs], np.stack([r for _, r in pairs]))
    return units


def _fit_place(units: Units, place: Place, frames: list[Frame], rows: np.ndarray) -> None:
    usual = rows.mean(0)
    index = [np.array([f.before for f in frames]), np.array([f.behind for f in frames])]
    change = np.zeros((2, len(NAMES), rows.shape[1]))
    for _ in range(ROUNDS):
        for side in (0, 1):
            if not sides(place)[side]:
                continue
            rest = rows - usual - change[1 - side][index[1 - side]]
            sums = np.zeros_like(change[side])
            np.add.at(sums, index[side], rest)
            counts = np.bincount(index[side], minlength=len(NAMES))
            change[side] = sums / (counts + DOUBT)[:, None]
        usual = (rows - change[0][index[0]] - change[1][index[1]]).mean(0)
    units.usual[place] = usual
    for side in (0, 1):
        for neighbour in set(index[side].tolist()):
            units.change[place, side, neighbour] = change[side, neighbour]


def save_units(path: Path, units: Sequence[Units]) -> None:
    """Store the units of all speakers."""
    arrays = {}
    for s, one in enumerate(units):
        arrays[f"places_{s}"] = np.array(list(one.usual))
        arrays[f"usual_{s}"] = np.stack(list(one.usual.values())).astype(np.float32)
        arrays[f"keys_{s}"] = np.array([(*p, side, n) for p, side, n in one.change])
        arrays[f"change_{s}"] = np.stack(list(one.change.values())).astype(np.float32)
    np.savez(path, **arrays)


def load_units(path: Path) -> list[Units]:
    """Read what :func:`save_units` stored."""
    found = []
    with np.load(path) as data:
        for s in range(len([k for k in data if k.startswith("usual_")])):
            places = [tuple(map(int, p)) for p in data[f"places_{s}"]]
            keys = [tuple(map(int, k)) for k in data[f"keys_{s}"]]
            usual, change = data[f"usual_{s}"], data[f"change_{s}"]
            found.append(
                Units(
                    dict(zip(places, usual, strict=True)),  # type: ignore[arg-type]
                    {(k[:3], k[3], k[4]): row for k, row in zip(keys, change, strict=True)},  # type: ignore[misc]
                )
            )
    return found
