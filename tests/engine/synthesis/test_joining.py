"""Pieces of speech are joined with short fades and exact pauses (spec 06, section 8)."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.synthesis.joining import SegmentJoiner

RATE = 44100


def tone(seconds: float) -> np.ndarray:
    t = np.arange(int(seconds * RATE)) / RATE
    return (0.5 * np.cos(2 * np.pi * 220 * t)).astype(np.float32)


def join(segments: list[np.ndarray], block: int, pause_ms: int = 180) -> list[np.ndarray]:
    joiner = SegmentJoiner(RATE)
    pause = RATE * pause_ms // 1000
    out = []
    for index, segment in enumerate(segments):
        parts = [joiner.push(segment[i : i + block]) for i in range(0, len(segment), block)]
        parts.append(joiner.end_segment(None if index == len(segments) - 1 else pause))
        out.append(np.concatenate(parts))
    return out


def test_pauses_lie_between_pieces_only() -> None:
    first, second, third = join([tone(0.5)] * 3, 2048)
    assert len(first) == len(second) == len(tone(0.5)) + 7938
    assert not first[-7938:].any()
    assert len(third) == len(tone(0.5))


def test_trailing_silence_is_cut_to_a_hundredth_of_a_second() -> None:
    spoken = tone(0.5)
    (out,) = join([np.concatenate((spoken, np.zeros(RATE, np.float32)))], 2048)
    assert len(out) == pytest.approx(len(spoken) + 441, abs=441)


@pytest.mark.parametrize("block", [100, 2048, 10**6])
def test_a_silent_piece_stays_and_a_word_keeps_a_tenth_of_a_second(block: int) -> None:
    silent = np.full(RATE, 0.001, np.float32)
    np.testing.assert_array_equal(join([silent], block)[0], silent)
    word = np.concatenate((tone(0.02), np.zeros(RATE, np.float32)))
    assert len(join([word], block)[0]) == RATE // 10


def test_short_silence_and_silence_inside_stay() -> None:
    gap = np.zeros(RATE, np.float32)
    segment = np.concatenate((tone(0.2), gap, tone(0.2), gap[:1000]))
    (out,) = join([segment], 2048)
    np.testing.assert_array_equal(out, segment)


def test_joins_have_no_step() -> None:
    first, second = join([tone(0.5), tone(0.5)], 2048)
    assert abs(first[-7939]) < 0.01
    assert second[0] == 0
    np.testing.assert_array_equal(second[221:], tone(0.5)[221:])


@settings(deadline=None, max_examples=40)
@given(st.integers(20, 5000))
def test_the_size_of_the_blocks_does_not_matter(block: int) -> None:
    segment = np.concatenate((tone(0.05), np.zeros(3000, np.float32), tone(0.03)))
    whole = np.concatenate(join([segment, segment], 10**6))
    np.testing.assert_array_equal(np.concatenate(join([segment, segment], block)), whole)


def test_nothing_to_join_is_no_error() -> None:
    joiner = SegmentJoiner(RATE)
    assert not len(joiner.push(np.empty(0, np.float32)))
    assert not len(joiner.end_segment(None))
