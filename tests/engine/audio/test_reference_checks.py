"""Each reference check: green on a good clip, another light on its own fault, with a cure."""

from __future__ import annotations

import numpy as np
import pytest
import soxr
from wav_kit import RATE, sine, speech

from engine.audio.clip import AudioClip
from engine.audio.levels import clipping, end_silence, from_db, noise_level, to_db
from engine.audio.reference_checks import (
    Check,
    check_reference,
    check_transcript,
    last_pause,
    speaking_weight,
    suggested_gain_db,
    suggested_trim,
    worst,
)

GOOD = speech(8.0)
TEXT = "This is what a person says in about six seconds of clear and calm speech, no more."


def lights(samples: np.ndarray, rate: int = RATE, text: str | None = None) -> dict[str, Check]:
    return {
        check.key: check
        for check in check_reference(AudioClip.from_array(samples, rate, "clip"), text)
    }


def test_a_good_clip_is_all_green() -> None:
    checks = lights(GOOD, text=TEXT)
    assert {key: check.light for key, check in checks.items() if check.light != "green"} == {}
    assert all(check.cure == "" for check in checks.values())
    assert worst(checks.values()) == "green"
    assert list(checks) == [
        "length",
        "clipping",
        "level",
        "noise",
        "end_silence",
        "ending",
        "zeros",
        "channels",
        "bandwidth",
        "transcript",
    ]


def test_without_a_transcript_it_is_not_asked_for() -> None:
    assert "transcript" not in lights(GOOD)


@pytest.mark.parametrize(
    ("seconds", "light", "cure"),
    [(0.7, "red", "longer"), (3, "amber", "longer"), (40, "amber", "Trim"), (70, "red", "Trim")],
)
def test_length(seconds: float, light: str, cure: str) -> None:
    check = lights(speech(seconds, 8000), 8000)["length"]
    assert (check.light, check.value) == (light, pytest.approx(seconds))
    assert cure in check.cure


@pytest.mark.parametrize(("places", "light"), [(0, "green"), (2, "amber"), (9, "red")])
def test_clipping_counts_places(places: int, light: str) -> None:
    samples = GOOD.copy()
    for i in range(places):
        samples[20_000 + 3000 * i :][:5] = -1.0
    samples[[5, 6]] = 1.0
    check = lights(samples)["clipping"]
    assert (check.value, check.light) == (places, light)
    assert clipping(samples) == (places, 5 * places)


def test_clipping_in_one_channel_is_seen() -> None:
    loud = GOOD.copy()
    loud[30_000:30_005] = 1.0
    assert lights(np.stack([GOOD, loud], axis=1))["clipping"].value == 1


@pytest.mark.parametrize(("level", "light"), [(0.004, "red"), (0.02, "amber"), (0.9, "amber")])
def test_level_offers_the_gain_that_cures_it(level: float, light: str) -> None:
    voice = speech(level=level, seed=4)
    check = lights(voice)["level"]
    assert check.light == light
    gain = suggested_gain_db(voice, RATE)
    assert f"{gain:+.1f} dB" in check.cure
    mended = voice * from_db(gain)
    assert lights(mended)["level"].light == "green"
    assert np.abs(mended).max() <= from_db(-1) + 1e-6


def test_gain_of_silence_is_none() -> None:
    assert suggested_gain_db(np.zeros(RATE, np.float32), RATE) == 0


@pytest.mark.parametrize(("noise", "light"), [(0.004, "amber"), (0.05, "red")])
def test_noise(noise: float, light: str) -> None:
    hiss = np.random.default_rng(9).standard_normal(len(GOOD)) * noise
    check = lights(GOOD + hiss.astype(np.float32))["noise"]
    assert check.light == light
    assert "quieter room" in check.cure


def test_a_gate_hides_no_noise_but_padding_does_not_count() -> None:
    hiss = GOOD + np.random.default_rng(9).standard_normal(len(GOOD)).astype(np.float32) * 0.05
    padded = np.concatenate([np.zeros(4 * RATE, np.float32), hiss, np.zeros(RATE, np.float32)])
    assert lights(padded)["noise"].light == "red"
    assert lights(np.where(np.abs(GOOD) < 0.002, 0, GOOD))["noise"].light == "green"


@pytest.mark.parametrize(("silence", "light"), [(0.1, "green"), (1.2, "amber"), (4.0, "red")])
@pytest.mark.parametrize("side", ["start", "end"])
def test_silence_at_the_ends_offers_a_trim(silence: float, light: str, side: str) -> None:
    quiet = np.random.default_rng(2).standard_normal(round(silence * RATE)) * 1e-4
    voice = GOOD[: int(7.7 * RATE)]
    parts = [quiet, voice] if side == "start" else [voice, quiet]
    samples = np.concatenate(parts).astype(np.float32)
    check = lights(samples)["end_silence"]
    assert check.light == light
    first, last = suggested_trim(samples, RATE)
    assert lights(samples[first:last])["end_silence"].light == "green"
    if light != "green":
        assert f"{first / RATE:.2f} - {last / RATE:.2f} s" in check.cure


def test_trim_keeps_all_of_a_silent_clip() -> None:
    silent = np.zeros(RATE, np.float32)
    assert suggested_trim(silent, RATE) == (0, RATE)
    assert end_silence(silent, RATE) == (1.0, 1.0)


def test_a_clip_cut_inside_a_word_is_seen_and_a_pause_offered() -> None:
    cut = GOOD[: int(5.0 * RATE)]
    check = lights(cut)["ending"]
    assert check.light == "amber"
    pause = last_pause(cut, RATE)
    assert pause is not None
    assert 3.5 < pause / RATE < 4.0
    assert f"{pause / RATE:.2f} s" in check.cure
    assert lights(cut[:pause])["ending"].light == "green"


def test_no_pause_is_no_offer() -> None:
    assert last_pause(sine(), RATE) is None
    assert last_pause(np.zeros(5, np.float32), RATE) is None
    assert "after the last word" in lights(sine(6))["ending"].cure


def test_zeros() -> None:
    nothing = lights(np.zeros(6 * RATE, np.float32))
    assert nothing["zeros"].light == "red"
    assert "microphone" in nothing["zeros"].cure
    gaps = GOOD.copy()
    gaps[RATE : 4 * RATE] = 0
    assert lights(gaps)["zeros"].light == "amber"
    assert lights(gaps)["zeros"].value == pytest.approx(37.5, abs=0.1)


def test_opposite_channels() -> None:
    check = lights(np.stack([GOOD, -GOOD], axis=1))["channels"]
    assert (check.light, check.value) == ("amber", pytest.approx(-1, abs=1e-3))
    assert "turned over" in check.cure
    assert lights(np.stack([GOOD, GOOD], axis=1))["channels"].light == "green"


@pytest.mark.parametrize(
    ("rate", "light"), [(6000, "red"), (8000, "amber"), (11025, "amber"), (16000, "green")]
)
def test_bandwidth_is_that_of_the_sound_not_of_the_file(rate: int, light: str) -> None:
    low = soxr.resample(speech(8, 48000), 48000, rate)
    high = soxr.resample(low, rate, 48000).astype(np.float32)
    check = lights(high, 48000)["bandwidth"]
    assert check.light == light
    assert check.value == pytest.approx(rate / 2000, rel=0.12)


@pytest.mark.parametrize(
    ("text", "seconds", "light"),
    [
        ("", 10, "red"),
        (" [laughing] <|speaker:0|> ... ", 10, "red"),
        ("only three words", 12, "red"),
        ("word " * 200, 3, "red"),
        ("The morning train was late, so we waited by the river.", 3, "green"),
        ("早上的火车晚点了，所以我们在河边等着。", 4, "green"),
        ("아침 기차가 늦어서 우리는 강가에서 기다렸습니다.", 4, "green"),
        ("あさのでんしゃがおくれたので、かわのそばでまちました。", 4.5, "green"),
        ("Утренний поезд опоздал, поэтому мы ждали у реки.", 3, "green"),
        ("slow words here are few", 4, "amber"),
    ],
)
def test_transcript_pace(text: str, seconds: float, light: str) -> None:
    check = check_transcript(text, seconds)
    assert check.light == light
    assert (check.cure == "") == (light == "green")


def test_cures_of_the_transcript_say_which_way() -> None:
    assert "complete it" in check_transcript("three short words", 12).cure
    assert "shorten it" in check_transcript("word " * 200, 3).cure
    assert "complete it" in lights(speech(12), text="three short words")["transcript"].cure


def test_weight_ignores_tags_marks_and_how_accents_are_stored() -> None:
    assert speaking_weight("cafe\u0301 [laugh] <|speaker:1|>!") == 4
    assert speaking_weight("你好") == pytest.approx(6.6)
    assert check_transcript("no sound at all", 0.0).light == "red"


def test_the_shortest_clips_are_answered_too() -> None:
    for count in (1, 10, 1000):
        checks = lights(np.full(count, 0.1, np.float32), text="x")
        assert checks["length"].light == "red"
        assert all(np.isfinite(check.value) for check in checks.values())


def test_worst_light() -> None:
    green = Check("a", 0, "", "green", "")
    amber = Check("b", 0, "", "amber", "")
    red = Check("c", 0, "", "red", "")
    assert worst([]) == "green"
    assert worst([green, amber]) == "amber"
    assert worst([red, amber, green]) == "red"


def test_levels_have_a_floor() -> None:
    assert to_db(0.0) == -120
    assert to_db(1.0) == 0
    assert noise_level(np.array([])) == -120
