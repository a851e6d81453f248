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
    return _search(semantic, np.zeros(0, bool) if quiet is None else quiet)[0]


def _search(
    semantic: np.ndarray, quiet: np.ndarray, skip: int = 0
) -> tuple[list[CodeMark], list[tuple[int, int]]]:
    """The marks that begin behind ``skip`` frames, and all runs that are one or may become one."""
    n = len(semantic)
    taken = np.zeros(n, bool)
    marks: list[CodeMark] = []
    spans: list[tuple[int, int]] = []

    def take(found: np.ndarray, least: int, kind: Literal["loop", "dead"], period: int) -> None:
        found[:skip] = False
        for start, end in runs(found):
            if end - start >= least or end == len(found):
                spans.append((start, end))
            if end - start >= least and not taken[start:end].any():
                first = max(0, start - period)
                while first < start and taken[first]:
                    first += 1
                marks.append(CodeMark(kind, first, end, 0 if kind == "dead" else period))
                taken[first:end] = True

    take(np.array(quiet[:n]), MIN_DEAD, "dead", 0)
    for period in range(1, min(MAX_PERIOD, n - 1) + 1):
        same = np.zeros(n, bool)
        same[period:] = semantic[period:] == semantic[:-period]
        if period == 1:
            take(same, MIN_DEAD - 1, "dead", period)
        else:
            take(same, max(2 * period, MIN_LOOP - period), "loop", period)
    return sorted(marks, key=lambda mark: mark.first), spans


class MarkSearch:
    """:func:`find_marks` over one run of frames that grows, without looking at all of it again.

    The next search begins at the last frame that no run crosses which is or may become a mark,
    and with none ending so near before it that a pattern behind could reach back to it.

    Attributes:
        settled: frames from the start that need no other look.
    """

    def __init__(self) -> None:
        self.settled = 0
        self._found: list[CodeMark] = []

    def update(self, semantic: np.ndarray, quiet: np.ndarray) -> list[CodeMark]:
        """Marks of everything so far.

        Args:
            semantic: int ``(frames,)``, from the start of the run.
            quiet: bool ``(k,)``, from frame ``settled`` on.
        """
        skip = min(self.settled, MAX_PERIOD)
        base = self.settled - skip
        marks, spans = _search(semantic[base:], np.concatenate([np.zeros(skip, bool), quiet]), skip)
        fresh = [CodeMark(m.kind, m.first + base, m.end + base, m.period) for m in marks]
        border = max(self.settled, min(len(semantic), self.settled + len(quiet) - 1))
        for start, end in sorted(spans, key=lambda span: -span[1]):
            if base + start < border < base + end + MAX_PERIOD:
                border = base + start
        found, self.settled = self._found + fresh, border
        self._found = [mark for mark in found if mark.end <= border]
        return found


def runs(flags: np.ndarray) -> list[tuple[int, int]]:
    """First and end index of each run of true values."""
    padded = np.concatenate(([False], flags.astype(bool), [False]))
    edges = np.flatnonzero(padded[1:] != padded[:-1])
    return [(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True)]
