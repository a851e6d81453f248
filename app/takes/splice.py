"""Putting a segment that was spoken again into its take, in place of the old one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.takes.store import TakeStore
from engine.synthesis import SegmentJoiner


@dataclass(frozen=True, slots=True)
class Spliced:
    """A whole take anew.

    Attributes:
        samples: float32 ``(n,)``.
        codes: int32 ``(codebooks, frames)``.
        segments: first frame and first sample of each segment.
    """

    samples: np.ndarray
    codes: np.ndarray
    segments: list[tuple[int, int]]


def splice(
    base: TakeStore, index: int, samples: np.ndarray, codes: np.ndarray, pause_ms: int
) -> Spliced:
    """Replace segment ``index`` of ``base``; everything outside of it stays sample for sample.

    The new one is shaped as the engine shapes segments: silence at its end cut, 5 ms fades,
    the pause behind it unless it is the last one.

    Raises:
        IndexError: there is no such segment.
    """
    parts = base.segments()
    old, last = parts[index], index == len(parts) - 1
    stop = base.length if last else parts[index + 1].start
    fresh = join([samples], base.format.sample_rate, pause_ms, index, last=last)[0]
    whole = np.concatenate([base.samples[: old.start], fresh, base.samples[stop:]])
    all_codes = np.concatenate(
        [base.codes[:, : old.first], codes, base.codes[:, old.end :]], axis=1
    )
    more_frames = codes.shape[1] - (old.end - old.first)
    more_samples = len(fresh) - (stop - old.start)
    segments = [
        (s.first, s.start) if at <= index else (s.first + more_frames, s.start + more_samples)
        for at, s in enumerate(parts)
    ]
    return Spliced(whole.astype(np.float32), all_codes.astype(np.int32), segments)


def join(
    sounds: list[np.ndarray], rate: int, pause_ms: int, index: int = 0, *, last: bool = True
) -> list[np.ndarray]:
    """Shape segments as the engine does when it speaks them one after the other.

    Args:
        index: number of the first one in its take; the very first keeps its beginning.
        last: nothing follows behind the last one.
    """
    joiner = SegmentJoiner(rate, pause_ms)
    if index:
        joiner.end_segment(last=False)
    shaped = []
    for number, sound in enumerate(sounds):
        head = joiner.push(np.asarray(sound, np.float32))
        tail = joiner.end_segment(last=last and number == len(sounds) - 1)
        shaped.append(np.concatenate([head, tail]))
    return shaped
