"""The checks of a take find what was planted, and leave sound takes alone."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import soundfile
from planted_faults import SOUND_FAULTS, PlantedTake

from engine import Engine, SynthesisRequest
from engine.cli import main
from engine.storage.shipped import shipped_resources, shipped_voices
from engine.takes.checks import (
    TakeFacts,
    check_end_token,
    check_gaps,
    check_noise_bursts,
    check_sinking,
    check_stuck,
    check_take,
    failed,
    own_paces,
    pace_of,
)
from engine.types import AudioChunk, Sampling, Summary
from engine.voices import VoiceProfile

TEXTS = (
    "Please close the window before you leave the room.",
    "The children played in the garden until it was dark.",
    "He reads the newspaper every day after breakfast.",
)
RATE = 22_050


@pytest.fixture(scope="module")
def takes() -> list[PlantedTake]:
    """Readings of the demo voice."""
    voice = VoiceProfile.load(sorted(shipped_voices().glob("*.s2voice"))[0])
    made = []
    with Engine.load(shipped_resources() / "demo_voice.gguf", threads=1) as engine:
        for seed, text in enumerate(TEXTS):
            request = SynthesisRequest(text, (voice,), Sampling(seed=seed))
            events = list(engine.synthesize(request))
            sound = [event.samples for event in events if isinstance(event, AudioChunk)]
            (summary,) = [event for event in events if isinstance(event, Summary)]
            made.append(PlantedTake(np.concatenate(sound), summary.codes, text))
    return made


@pytest.fixture(scope="module")
def long_take(takes: list[PlantedTake]) -> PlantedTake:
    """Twenty seconds and more."""
    many = takes * 3
    return replace(
        takes[0],
        samples=np.concatenate([take.samples for take in many]),
        codes=np.concatenate([take.codes for take in many], axis=1),
        text=" ".join(take.text for take in many),
    )


def keys(take: PlantedTake, pace: float = 0.0) -> set[str]:
    """The checks that are not green."""
    facts = TakeFacts(take.text, take.codes, take.frame / take.rate, "end", pace=pace)
    return {check.key for check in failed(check_take(take.samples, take.rate, facts))}


def test_sound_takes_are_green(takes: list[PlantedTake], long_take: PlantedTake) -> None:
    pace = own_paces([(take.samples, take.rate, TakeFacts(take.text)) for take in takes])[0]
    assert 8 < pace < 16
    assert [keys(take, pace) for take in takes] == [set()] * 3
    assert "sinking" not in keys(long_take)


@pytest.mark.parametrize("fault", SOUND_FAULTS)
def test_a_planted_fault_is_found(
    takes: list[PlantedTake], long_take: PlantedTake, fault: str
) -> None:
    rng = np.random.default_rng(5)
    for take in [long_take] * 3 if fault == "sinking" else takes:
        assert fault in keys(SOUND_FAULTS[fault](take, rng), 11.7)


@pytest.mark.parametrize("fault", ["gap", "noise_burst", "stuck"])
def test_the_cure_names_the_place(takes: list[PlantedTake], fault: str) -> None:
    broken = SOUND_FAULTS[fault](takes[1], np.random.default_rng(3))
    facts = TakeFacts(broken.text, broken.codes, broken.frame / broken.rate, "end")
    (check,) = [c for c in check_take(broken.samples, broken.rate, facts) if c.key == fault]
    assert check.at_s is not None
    assert 0 < check.at_s < len(broken.samples) / broken.rate
    assert f"0:{check.at_s:04.1f}" in check.cure


def test_marks_in_the_text_explain_longer_silences() -> None:
    rng = np.random.default_rng(0)
    word = (0.1 * rng.standard_normal(RATE)).astype(np.float32)
    silence = np.zeros(int(1.1 * RATE), np.float32)
    samples = np.concatenate([word, silence, word])
    assert check_gaps(samples, RATE, "One two").light == "amber"
    assert check_gaps(samples, RATE, "One. Two").light == "green"
    assert check_gaps(samples, RATE, "One two", pause_s=0.5).light == "green"
    assert check_gaps(samples, RATE, "The end.").light == "amber"


@pytest.mark.parametrize(
    ("reason", "light"), [("end", "green"), ("length", "red"), ("cancelled", "red")]
)
def test_the_end_token(reason: str, light: str) -> None:
    check = check_end_token(reason)  # type: ignore[arg-type]
    assert check.light == light
    assert bool(check.cure) == (light != "green")


def test_silence_may_repeat_itself() -> None:
    codes = np.full((2, 200), 7)
    silent = np.zeros(200 * 1024, np.float32)
    assert check_stuck(codes, 1024 / RATE, silent, RATE).light == "green"
    loud = (0.1 * np.random.default_rng(0).standard_normal(200 * 1024)).astype(np.float32)
    assert check_stuck(codes, 1024 / RATE, loud, RATE).light == "red"


@pytest.mark.parametrize("count", [0, 1, 100, RATE // 10])
def test_the_shortest_sounds_are_judged(count: int) -> None:
    samples = np.zeros(count, np.float32)
    checks = check_take(samples, RATE, TakeFacts("Hello there.", np.zeros((2, 1)), 0.05, "end"))
    assert "pace" in {check.key for check in failed(checks)} or count == 0
    assert all(np.isfinite(check.value) for check in checks)


def test_an_hour_is_judged_in_one_pass() -> None:
    """At a low rate, which the checks do not mind; what counts is the number of blocks."""
    rate = 2000
    rng = np.random.default_rng(1)
    loud = np.repeat(0.5 + 0.5 * rng.random(7200 * 2), rate // 4)
    samples = (0.1 * loud * rng.standard_normal(len(loud))).astype(np.float32)
    fading = samples * np.linspace(1, 0.2, len(samples), dtype=np.float32)
    assert check_sinking(samples, rate).light == "green"
    check = check_sinking(fading, rate)
    assert check.light == "red"
    assert check.value == pytest.approx(0.23, abs=0.1)
    assert check_noise_bursts(samples, rate).value > 0


def test_paces_need_company() -> None:
    rng = np.random.default_rng(2)
    samples = (0.1 * rng.standard_normal(RATE)).astype(np.float32)
    facts = TakeFacts("Twelve letters", voice=("a",))
    assert pace_of(samples, RATE, facts.text) == pytest.approx(13, rel=0.05)
    assert own_paces([(samples, RATE, facts)] * 2) == [0.0, 0.0]
    other = replace(facts, voice=("b",))
    paces = own_paces([(samples, RATE, facts)] * 3 + [(samples, RATE, other)])
    assert paces[0] > 0
    assert paces[3] == 0.0


def test_the_command_prints_a_table_and_json(
    takes: list[PlantedTake], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad = tmp_path / "a.wav", tmp_path / "b.flac"
    broken = SOUND_FAULTS["gap"](takes[1], np.random.default_rng(3))
    soundfile.write(good, takes[0].samples, RATE)
    soundfile.write(bad, broken.samples, RATE)
    assert main(["check", str(good), "--text", takes[0].text]) == 0
    told = capsys.readouterr().out
    assert told.startswith("a.wav\n  green")
    assert "not checked: give --transcriber" in told
    assert main(["check", str(tmp_path), "--json"]) == 1
    first, second = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert (first["take"], second["take"]) == ("a.wav", "b.flac")
    assert {c["light"] for c in first["checks"]} == {"green"}
    assert [c["key"] for c in second["checks"] if c["light"] != "green"] == ["gap"]
    assert second["words"] is None


def test_the_command_says_what_is_no_take(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", str(tmp_path)]) == 2
    assert "holds no takes" in capsys.readouterr().err
    assert main(["check", str(tmp_path / "absent.wav")]) == 1
    assert "absent.wav" in capsys.readouterr().err
