"""Post-processing against the spec's vectors and a plain loop."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wav_kit import RATE, sine, speech

from engine.audio.post import (
    dynamic_normalize,
    fade,
    peak_normalize,
    postprocess,
    trim_silence,
)
from engine.types import PostProcessing


def tone_and_silence(silence: float) -> np.ndarray:
    return np.concatenate([sine(1.0), np.zeros(round(silence * RATE), np.float32)])


def trim_by_loop(x: list[float], rate: int) -> list[float]:
    n = len(x)
    i = n - 1
    while i >= 1 and abs(x[i]) <= 0.01:
        i -= 1
    if i < 1:
        return []
    if n - 1 - i < int(0.08 * rate):
        return x
    cut = min(n, i + 1 + int(0.01 * rate))
    return x[: max(cut, min(n, int(0.1 * rate)))]


def dynamic_by_loop(x: np.ndarray, rate: int) -> np.ndarray:
    win = int(1.0 * rate)
    hop = win // 2
    env = [
        float(np.sqrt(np.mean(x[k : k + win].astype(np.float64) ** 2)))
        for k in range(0, len(x), hop)
    ]
    target = sum(env) / len(env)
    out = []
    for i, value in enumerate(x):
        k, rest = divmod(i / hop, 1)
        low = env[int(k)]
        high = env[min(int(k) + 1, len(env) - 1)]
        level = low + (high - low) * rest
        gain = 1.0 if level <= 1e-6 else min(4.0, target / level)
        out.append(max(-1.0, min(1.0, float(value) * gain)))
    return np.array(out)


def test_long_silence_is_cut_to_a_hundredth() -> None:
    trimmed = trim_silence(tone_and_silence(1.0), RATE)
    assert len(trimmed) / RATE == pytest.approx(1.01, abs=0.001)
    np.testing.assert_array_equal(trimmed[: RATE - 10], sine(1.0)[: RATE - 10])


def test_short_silence_stays() -> None:
    samples = tone_and_silence(0.05)
    np.testing.assert_array_equal(trim_silence(samples, RATE), samples)


def test_all_silence_is_empty_and_the_original_is_kept() -> None:
    silence = np.zeros(RATE, np.float32)
    assert len(trim_silence(silence, RATE)) == 0
    assert len(postprocess(silence, RATE, PostProcessing(trim_silence=True))) == RATE


def test_at_least_a_tenth_of_a_second_stays() -> None:
    samples = np.zeros(RATE, np.float32)
    samples[10] = 0.5
    assert len(trim_silence(samples, RATE)) == 4410


@given(
    st.lists(st.sampled_from([0.0, 0.005, -0.01, 0.0101, -0.5]), max_size=400),
    st.integers(50, 2000),
)
def test_trim_equals_the_plain_loop(values: list[float], rate: int) -> None:
    samples = np.array(values, np.float32)
    expected = trim_by_loop([float(v) for v in samples], rate)
    np.testing.assert_array_equal(trim_silence(samples, rate), expected)


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 400), st.integers(2, 90), st.integers(0, 9), st.floats(1e-8, 2))
def test_dynamic_equals_the_plain_loop(count: int, rate: int, seed: int, level: float) -> None:
    rng = np.random.default_rng(seed)
    x = (rng.standard_normal(count) * level * rng.choice([0, 0.01, 1], count)).astype(np.float32)
    result = dynamic_normalize(x, rate)
    expected = dynamic_by_loop(x, rate) if count else x
    np.testing.assert_allclose(result, expected, atol=2e-5)


def test_dynamic_evens_out_by_at_most_four() -> None:
    loud_then_soft = np.concatenate([sine(4, amplitude=0.8), sine(4, amplitude=0.01)])
    result = dynamic_normalize(loud_then_soft, RATE)
    soft = np.abs(result[6 * RATE : 7 * RATE]).max()
    assert soft == pytest.approx(0.04, rel=0.01)
    assert np.abs(result).max() <= 1


def test_peak_vector() -> None:
    np.testing.assert_allclose(peak_normalize(np.array([0.1, -0.5])), [0.19, -0.95], rtol=1e-6)
    assert not peak_normalize(np.zeros(5)).any()
    assert peak_normalize(np.array([1e-7]))[0] == np.float32(1e-7)
    assert len(peak_normalize(np.zeros(0))) == 0


def test_the_order_is_trim_dynamic_peak() -> None:
    samples = np.concatenate([speech(4), np.zeros(RATE, np.float32)])
    everything = PostProcessing(trim_silence=True, dynamic_normalize=True, normalize=True)
    by_hand = peak_normalize(dynamic_normalize(trim_silence(samples, RATE), RATE))
    np.testing.assert_array_equal(postprocess(samples, RATE, everything), by_hand)
    assert np.abs(by_hand).max() == pytest.approx(0.95)


def test_nothing_asked_changes_nothing() -> None:
    samples = speech(2)
    kept = samples.copy()
    np.testing.assert_array_equal(postprocess(samples, RATE, PostProcessing()), samples)
    for step in (trim_silence, dynamic_normalize):
        step(samples, RATE)
    peak_normalize(samples)
    fade(samples, 100, 100)
    np.testing.assert_array_equal(samples, kept)


def test_fades_rise_and_fall_and_fit() -> None:
    faded = fade(np.ones(1000, np.float32), 100, 200)
    assert faded[0] < 0.001
    assert faded[-1] < 0.001
    assert (faded[100:800] == 1).all()
    assert (np.diff(faded[:100]) > 0).all()
    assert (np.diff(faded[800:]) < 0).all()
    assert len(fade(np.ones(3), 100, 100)) == 3
    assert len(fade(np.zeros(0), 10, 10)) == 0
    np.testing.assert_allclose(
        fade(np.ones(64), fade_in=64) + fade(np.ones(64), fade_out=64), 1, atol=1e-6
    )
