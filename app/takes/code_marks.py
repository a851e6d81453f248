"""What can be seen to be wrong in the codes of a take: repeats and dead stretches.

A model that got stuck says the same again and again, or nothing at all. Both show in the
codes before anyone has listened to the whole take.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

MAX_PERIOD = 48
MIN_LOOP = 12
MIN_DEAD = 16
QUIET = 0.002
"""Peak of a frame, about -54 dBFS, below which it counts as silent."""


@dataclass(frozen=True, slots=True)
class CodeMark:
    """A stretch of frames that deserves a look.

    Attributes:
        first, end: frames, ``end`` not included.
        period: length in frames of what is repeated; 0 for a dead stretch.
    """

    kind: Literal["loop", "dead"]
    first: int
    end: int
    period: int = 0


def find_marks(semantic: np.ndarray, quiet: np.ndarray | None = None) -> list[CodeMark]:
    """Marks over one run of frames, ascending, without overlap.

    A loop is a pattern of up to 48 semantic codes that comes three times over, at least 12
    frames in all; a dead stretch is 16 frames or more (0.7 s) of silence, or of one and the
    same semantic code. A shorter pattern wins over its multiples.

    Args:
        semantic: int ``(frames,)``, row 0 of the codes.
        quiet: bool ``(k,)`` with ``k <= frames``: frames without audible sound, as far as
            their sound is there.
    """
    n = len(semantic)
    taken = np.zeros(n, bool)
    marks: list[CodeMark] = []
    if quiet is not None:
        _take(marks, taken, quiet[:n], MIN_DEAD, "dead", 0)
    for period in range(1, min(MAX_PERIOD, n // 3) + 1):
        same = np.zeros(n, bool)
        same[period:] = semantic[period:] == semantic[:-period]
        kind: Literal["loop", "dead"] = "dead" if period == 1 else "loop"
        least = MIN_DEAD - 1 if period == 1 else max(2 * period, MIN_LOOP - period)
        _take(marks, taken, same, least, kind, period)
    return sorted(marks, key=lambda mark: mark.first)


def _take(
    marks: list[CodeMark],
    taken: np.ndarray,
    found: np.ndarray,
    least: int,
    kind: Literal["loop", "dead"],
    period: int,
) -> None:
    """Add runs of ``found`` of at least ``least`` frames that no earlier mark covers."""
    for start, end in runs(found):
        first = max(0, start - period)
        if end - start >= least and not taken[start:end].any():
            while first < start and taken[first]:
                first += 1
            marks.append(CodeMark(kind, first, end, 0 if kind == "dead" else period))
            taken[first:end] = True


def runs(flags: np.ndarray) -> list[tuple[int, int]]:
    """First and end index of each run of true values."""
    padded = np.concatenate(([False], flags.astype(bool), [False]))
    edges = np.flatnonzero(padded[1:] != padded[:-1])
    return [(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True)]
