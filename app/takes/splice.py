"""Putting a piece that was spoken again into its take, in place of the old one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.takes.store import TakeStore
from engine.synthesis.joining import SegmentJoiner


@dataclass(frozen=True, slots=True)
class Spliced:
    """A whole take anew.

    Attributes:
        samples: float32 ``(n,)``.
        codes: int32 ``(codebooks, frames)``.
        segments: first frame and first sample of each piece.
    """

    samples: np.ndarray
    codes: np.ndarray
    segments: list[tuple[int, int]]


def splice(
    base: TakeStore, index: int, samples: np.ndarray, codes: np.ndarray, pause_ms: int
) -> Spliced:
    """Replace piece ``index`` of ``base``; everything outside of it stays sample for sample.

    The new piece is shaped as the engine shapes pieces: silence at its end cut, 5 ms fades,
    the pause behind it unless it is the last one.

    Raises:
        IndexError: there is no such piece.
    """
    runs = base.segments()
    first, end, start = runs[index]
    last = index == len(runs) - 1
    stop = base.length if last else runs[index + 1][2]
    fresh = join([samples], base.format.sample_rate, pause_ms, index, last=last)[0]
    whole = np.concatenate([base.samples[:start], fresh, base.samples[stop:]])
    all_codes = np.concatenate([base.codes[:, :first], codes, base.codes[:, end:]], axis=1)
    more_frames, more_samples = codes.shape[1] - (end - first), len(fresh) - (stop - start)
    segments = [
        (f, s) if at <= index else (f + more_frames, s + more_samples)
        for at, (f, _, s) in enumerate(runs)
    ]
    return Spliced(whole.astype(np.float32), all_codes.astype(np.int32), segments)


def join(
    pieces: list[np.ndarray], rate: int, pause_ms: int, index: int = 0, *, last: bool = True
) -> list[np.ndarray]:
    """Shape pieces as the engine does when it speaks them one after the other.

    Args:
        index: number of the first one in its take; the very first keeps its beginning.
        last: nothing follows behind the last one.
    """
    joiner = SegmentJoiner(rate, pause_ms)
    if index:
        joiner.end_segment(last=False)
    shaped = []
    for number, piece in enumerate(pieces):
        head = joiner.push(np.asarray(piece, np.float32))
        tail = joiner.end_segment(last=last and number == len(pieces) - 1)
        shaped.append(np.concatenate([head, tail]))
    return shaped
