"""The meter against the signals of EBU Tech 3341 (made by formula) and BS.1770's own."""

from __future__ import annotations

import numpy as np
import pytest

from engine.audio.loudness import SILENT, integrated_loudness

RATE = 48_000


def tone(level_dbfs: float, seconds: float, rate: int = RATE, hz: float = 1000.0) -> np.ndarray:
    time = np.arange(round(seconds * rate)) / rate
    return (10 ** (level_dbfs / 20) * np.sin(2 * np.pi * hz * time)).astype(np.float32)


def stereo(*parts: tuple[float, float]) -> np.ndarray:
    sound = np.concatenate([tone(level, seconds) for level, seconds in parts])
    return np.stack([sound, sound], 1)


@pytest.mark.parametrize(
    ("parts", "wanted"),
    [
        ([(-23.0, 20.0)], -23.0),
        ([(-33.0, 20.0)], -33.0),
        ([(-36.0, 10.0), (-23.0, 60.0), (-36.0, 10.0)], -23.0),
        ([(-72.0, 10.0), (-36.0, 10.0), (-23.0, 60.0), (-36.0, 10.0), (-72.0, 10.0)], -23.0),
        ([(-26.0, 20.0), (-20.0, 20.1), (-26.0, 20.0)], -23.0),
    ],
    ids=["1", "2", "3", "4", "5"],
)
def test_signals_of_tech_3341(parts: list[tuple[float, float]], wanted: float) -> None:
    assert integrated_loudness(stereo(*parts), RATE) == pytest.approx(wanted, abs=0.1)


def test_five_channels_of_tech_3341() -> None:
    front, centre, behind = tone(-28.0, 20), tone(-24.0, 20), tone(-30.0, 20)
    sound = np.stack([front, front, centre, behind, behind], 1)
    assert integrated_loudness(sound, RATE) == pytest.approx(-23.0, abs=0.1)


@pytest.mark.parametrize("rate", [8_000, 22_050, 44_100, 48_000, 96_000])
def test_a_full_sine_of_997_hz_reads_3_lower_at_any_rate(rate: int) -> None:
    sound = tone(0.0, 5.0, rate, 997.0)
    assert integrated_loudness(sound, rate) == pytest.approx(-3.01, abs=0.1)


def test_a_low_tone_counts_less_and_a_high_one_more() -> None:
    middle, low, high = (integrated_loudness(tone(-20, 5, hz=hz), RATE) for hz in (1000, 30, 6000))
    assert low < middle - 6
    assert middle + 2.5 < high < middle + 3.5


def test_an_hour_is_weighted_in_turns_without_a_seam(monkeypatch: pytest.MonkeyPatch) -> None:
    sound = np.random.default_rng(3).normal(0, 0.1, 4 * RATE).astype(np.float32)
    whole = integrated_loudness(sound, RATE)
    monkeypatch.setattr("engine.audio.loudness._TURN_SAMPLES", 1 << 16)
    assert integrated_loudness(sound, RATE) == pytest.approx(whole, abs=1e-6)


def test_silence_and_nothing_have_no_loudness() -> None:
    assert integrated_loudness(np.zeros(RATE, np.float32), RATE) == SILENT
    assert integrated_loudness(np.zeros(0, np.float32), RATE) == SILENT
    assert integrated_loudness(tone(-20.0, 0.2), RATE) > -40.0


def test_six_channels_are_refused() -> None:
    with pytest.raises(ValueError, match="6 channels"):
        integrated_loudness(np.zeros((RATE, 6), np.float32), RATE)
