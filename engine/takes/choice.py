"""Which of several readings of one text to keep: a rule that a person can read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.audio.reference_checks import Check
from engine.errors import Message


@dataclass(frozen=True, slots=True)
class RatedTake:
    """What the rule looks at.

    Attributes:
        checks: of :func:`engine.takes.checks.check_take`.
        seconds: its length.
        word_errors: in percent; ``None`` where the words were not checked.
    """

    checks: Sequence[Check]
    seconds: float
    word_errors: float | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """The pick.

    Attributes:
        index: of the take to keep.
        order: all takes, best first.
        reason: what decided, against the second best.
    """

    index: int
    order: tuple[int, ...]
    reason: Message


def best_take(takes: Sequence[RatedTake]) -> Choice:
    """Pick by lights, then word errors, then closeness to the median length, then by place.

    Fewer red lights come first, then fewer amber ones. A take whose words were not checked counts
    as the worst of those that were.

    Raises:
        ValueError: no take.
    """
    if not takes:
        raise ValueError("there is no take to choose from")
    median = float(np.median([take.seconds for take in takes]))
    known = [take.word_errors for take in takes if take.word_errors is not None]
    unknown = max(known, default=0.0)
    ranks = [_rank(take, unknown, median) for take in takes]
    order = tuple(sorted(range(len(takes)), key=lambda index: (ranks[index], index)))
    return Choice(order[0], order, _reason([ranks[index] for index in order]))


def _rank(take: RatedTake, unknown: float, median: float) -> tuple[int, int, float, float]:
    lights = [check.light for check in take.checks]
    errors = unknown if take.word_errors is None else take.word_errors
    return lights.count("red"), lights.count("amber"), errors, abs(take.seconds - median)


def _reason(ranks: Sequence[tuple[int, int, float, float]]) -> Message:
    if len(ranks) == 1:
        return Message("take_choice.only")
    best, second = ranks[:2]
    if best[:2] != second[:2]:
        return Message("take_choice.lights")
    if best[2] != second[2]:
        return Message("take_choice.words", errors=best[2])
    if best[3] != second[3]:
        return Message("take_choice.length")
    return Message("take_choice.equal")
