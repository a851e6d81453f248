"""Pauses of exact length inside a text: ``[pause 500ms]``, ``[pause 1.2 s]``.

The model never sees them: the text is cut there (:mod:`engine.text.speech_plan`), and so many
samples of silence are put between the parts. ``[pause]`` alone is a tag of the model's own, whose
length it chooses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from engine.errors import RequestError
from engine.text.tags import tag_spans

EXACT_PAUSE = re.compile(
    r"\[\s*pause\s*[:=]?\s*([0-9]{1,7})(?:[.,]([0-9]{1,6}))?\s*"
    r"(ms|msec|milliseconds?|s|secs?|seconds?)\.?\s*\]",
    re.IGNORECASE,
)
"""A pause of exact length; its groups are whole part, digits behind the point, and unit."""
NO_UNIT = re.compile(r"\[\s*pause\s*[:=]?\s*[0-9.,]+\s*\]", re.IGNORECASE)
"""What is meant as one and says no unit."""
MAX_PAUSE_S = 60


def exact_pauses(text: str) -> Iterator[tuple[int, int, Fraction]]:
    """Start, end and seconds of each pause of exact length, ascending.

    Raises:
        RequestError: one is longer than a minute.
    """
    if "[" not in text:
        return
    for start, end in tag_spans(text):
        found = EXACT_PAUSE.fullmatch(text, start, end)
        if found is None:
            continue
        seconds = Fraction(f"{found[1]}.{found[2] or 0}")
        if found[3].lower().startswith("m"):
            seconds /= 1000
        if seconds > MAX_PAUSE_S:
            raise RequestError("text.pause_long", tag=found.group(), longest=MAX_PAUSE_S)
        yield start, end, seconds


def longest_pause(text: str) -> float:
    """Seconds of the longest pause of exact length in ``text``; 0 where one is too long to be."""
    try:
        return max((float(seconds) for *_, seconds in exact_pauses(text)), default=0.0)
    except RequestError:
        return 0.0


def pause_seconds(text: str) -> float:
    """What the pauses of exact length of ``text`` last together; a too long one counts nothing."""
    try:
        return float(sum(seconds for *_, seconds in exact_pauses(text)))
    except RequestError:
        return 0.0
