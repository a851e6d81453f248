"""When a sound that is still being made may start to be heard.

Starting too early ends in a gap, starting too late bores. With the measured speed of the
making and a guess of what remains, the right moment can be computed: the buffer must cover
what the playing will outrun the making by.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

CUSHION_S = 0.15
REAL_TIME = 1.05
SAFETY = 1.15
REBUFFER_S = 0.6
MEASURE_S = 0.2
QUICK_MEASURE_S = 0.05
QUICK_CHUNKS = 3


class SpeedMeter:
    """Seconds of sound made in a second of time, measured from the first chunk on.

    The first chunk itself does not count: it carries the wait for the prompt.
    """

    def __init__(self) -> None:
        self._first_time: float | None = None
        self._first_seconds = 0.0
        self._seconds = 0.0
        self._chunks = 0

    def note(self, total_seconds: float, now: float) -> None:
        """The sound is ``total_seconds`` long at time ``now``."""
        if self._first_time is None:
            self._first_time, self._first_seconds = now, total_seconds
        if total_seconds > self._seconds or self._chunks == 0:
            self._chunks += 1
        self._seconds = total_seconds

    def speed(self, now: float) -> float | None:
        """The speed, or ``None`` before it can be told. A stall lowers it as time goes by."""
        if self._first_time is None:
            return None
        elapsed = now - self._first_time
        quick = self._chunks >= QUICK_CHUNKS and elapsed >= QUICK_MEASURE_S
        if not quick and elapsed < MEASURE_S:
            return None
        return (self._seconds - self._first_seconds) / elapsed


@dataclass(frozen=True, slots=True)
class Cover:
    """Verdict of the rule.

    Attributes:
        start: play now.
        wait_s: guess of the seconds until the start; infinite when unknown.
    """

    start: bool
    wait_s: float = 0.0


def cover(
    *,
    buffered_s: float,
    made_s: float,
    expected_s: float,
    speed: float | None,
    start_buffer_s: float | None,
    underruns: int,
) -> Cover:
    """May the playing of a sound that is not complete start, or go on after it ran dry?

    Args:
        buffered_s: sound at hand that was not played.
        made_s: all sound so far.
        expected_s: guess of the whole; where it is too small, a tenth more is expected.
        speed: see :class:`SpeedMeter`.
        start_buffer_s: the user's wish; holds for the first start only, since keeping a
            wish that was too small would stutter.
        underruns: how often it ran dry so far.
    """
    shrinks = 0.0
    if start_buffer_s is not None and underruns == 0:
        need = start_buffer_s
    elif speed is None:
        return Cover(False, math.inf)
    elif speed >= REAL_TIME:
        need = CUSHION_S
    else:
        # Making what remains takes remaining / speed seconds; as long as that the playing
        # takes more than comes.
        remaining = expected_s - made_s if expected_s > made_s else max(1.0, 0.1 * made_s)
        shrinks = (1 - speed) * SAFETY
        need = CUSHION_S + remaining * shrinks / max(speed, 1e-3)
    need = max(need, REBUFFER_S if underruns else 1e-3)
    if buffered_s >= need:
        return Cover(True)
    return Cover(False, (need - buffered_s) / (speed + shrinks) if speed else math.inf)
