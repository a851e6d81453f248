from __future__ import annotations

import pytest

from engine import Check, RatedTake, best_take
from engine.audio.reference_checks import Light
from engine.errors import Message

GOOD = Message("take_check.ended")


def rated(seconds: float, *lights: Light, words: float | None = None) -> RatedTake:
    checks = [Check(f"c{index}", 0.0, "", light, GOOD) for index, light in enumerate(lights)]
    return RatedTake(checks, seconds, words)


def test_lights_come_before_words_and_length() -> None:
    takes = [
        rated(3.0, "green", "red", words=0.0),
        rated(9.0, "green", "amber", words=0.0),
        rated(5.0, "green", "green", words=12.0),
        rated(4.0, "amber", "amber", words=0.0),
    ]
    choice = best_take(takes)
    assert choice.order == (2, 1, 3, 0)
    assert choice.index == 2
    assert choice.reason.code == "take_choice.lights"


def test_words_come_before_length() -> None:
    choice = best_take([rated(4.0, words=4.0), rated(9.0, words=0.0), rated(4.1, words=2.0)])
    assert choice.order == (1, 2, 0)
    assert "0.0 %" in str(choice.reason)


def test_a_length_like_the_others_wins_among_equals() -> None:
    choice = best_take([rated(9.0), rated(4.0), rated(4.2), rated(1.0), rated(4.4)])
    assert choice.index == 2
    assert choice.reason.code == "take_choice.length"


def test_unchecked_words_are_not_better_than_checked_ones() -> None:
    assert best_take([rated(4.0), rated(4.0, words=0.0), rated(4.0, words=3.0)]).order == (1, 0, 2)


def test_equal_takes_keep_their_order_and_one_alone_is_the_pick() -> None:
    assert best_take([rated(4.0), rated(4.0)]).reason.code == "take_choice.equal"
    assert best_take([rated(4.0, "red")]).reason.code == "take_choice.only"
    with pytest.raises(ValueError, match="no take"):
        best_take([])
