"""When a growing sound may start: cover by speed, the user's wish, after it ran dry."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.audio.start_rule import CUSHION_S, REBUFFER_S, SAFETY, SpeedMeter, cover


def needed(speed: float | None, wish: float | None = None, underruns: int = 0) -> float:
    """Seconds that must be at hand of a sound of 10 s, to a millisecond; infinite for never."""
    for made in np.arange(0, 10, 0.001):
        verdict = cover(
            buffered_s=made, made_s=made, expected_s=10.0, speed=speed, start_buffer_s=wish,
            underruns=underruns,
        )  # fmt: skip
        if verdict.start:
            return float(made)
    return math.inf


@pytest.mark.parametrize(
    ("speed", "wish", "underruns", "seconds"),
    [
        (None, None, 0, math.inf),
        (3.0, None, 0, CUSHION_S),
        (3.0, None, 1, REBUFFER_S),
        (1.0, None, 0, CUSHION_S),
        (0.5, None, 0, 5.42),
        (0.25, None, 0, 7.78),
        (None, 0.0, 0, 0.001),
        (0.25, 2.0, 0, 2.0),
        (0.25, 2.0, 1, 7.78),
    ],
)
def test_what_must_be_ready(
    speed: float | None, wish: float | None, underruns: int, seconds: float
) -> None:
    assert needed(speed, wish, underruns) == pytest.approx(seconds, abs=0.01)


@pytest.mark.parametrize("speed", [0.2, 0.5, 0.9])
def test_the_cover_is_neither_too_little_nor_too_much(speed: float) -> None:
    """Play a made-up sound by the rule: it never runs dry, and waits little more than needed."""
    length = 10.0
    start = needed(speed)
    begins = start / speed
    left = [min(length, speed * t) - (t - begins) for t in np.arange(begins, length / speed, 0.01)]
    assert min(left) > 0
    assert start < CUSHION_S + SAFETY * (1 - speed) * length


def test_the_guess_of_the_wait_shrinks_as_time_goes_by() -> None:
    waits = [
        cover(
            buffered_s=made, made_s=made, expected_s=10.0, speed=0.5, start_buffer_s=None,
            underruns=0,
        ).wait_s
        for made in (1.0, 2.0, 3.0)
    ]  # fmt: skip
    assert np.diff(waits) == pytest.approx([-2.0, -2.0]), "a second of sound takes two"


def test_a_whole_that_was_guessed_too_short_is_more_to_come() -> None:
    late = cover(
        buffered_s=0.5, made_s=12.0, expected_s=10.0, speed=0.5, start_buffer_s=None, underruns=1
    )
    assert not late.start


def test_the_speed_does_not_count_the_wait_for_the_first_chunk() -> None:
    meter, now, made = SpeedMeter(), 100.0, 0.05
    meter.note(made, now)
    assert meter.speed(now) is None
    for _ in range(10):
        now += 0.1
        made += 0.2
        meter.note(made, now)
    assert meter.speed(now) == pytest.approx(2.0)
    assert meter.speed(now + 1.0) == pytest.approx(1.0), "a stall lowers it"
