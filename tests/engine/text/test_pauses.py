"""Pauses of exact length in a text: what counts as one, and how the text is cut there."""

from __future__ import annotations

from fractions import Fraction

import pytest
from error_kit import refused
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import RequestError
from engine.synthesis.findings import request_warnings
from engine.text import estimate_seconds, pause_seconds, plan_speech
from engine.text.pauses import exact_pauses
from engine.types import PostProcessing, SynthesisRequest


@pytest.mark.parametrize(
    ("tag", "seconds"),
    [
        ("[pause 500ms]", "1/2"), ("[pause 1.2 s]", "6/5"), ("[pause 1,2s]", "6/5"),
        ("[Pause: 250 milliseconds]", "1/4"), ("[pause=2s]", "2"), ("[ pause 1 second ]", "1"),
        ("[pause 0ms]", "0"), ("[pause 60 s]", "60"), ("[pause2s]", "2"), ("[PAUSE 3 SEC.]", "3"),
    ],
)  # fmt: skip
def test_what_is_a_pause(tag: str, seconds: str) -> None:
    assert [s for *_, s in exact_pauses(f"Hi {tag} you")] == [Fraction(seconds)]


@pytest.mark.parametrize(
    "tag",
    [
        "[pause]", "[short pause]", "[pause 500]", "[pause ms]", "[pause 5 minutes]", "(pause 1s)",
        "[a pause 1s]", "[pause -1s]", "[whisper [pause 1s] low]", "[pause 1s", "[pause\n\n1s]",
        "[pause 1e3ms]",
    ],
)  # fmt: skip
def test_what_is_none(tag: str) -> None:
    assert not list(exact_pauses(f"Hi {tag} you"))
    assert plan_speech(f"Hi {tag} you").texts == [f"Hi {tag} you"]


def test_a_pause_of_more_than_a_minute_is_refused() -> None:
    with refused("text.pause_long", RequestError, tag="[pause 61s]"):
        plan_speech("Hi [pause 61s] you")
    assert pause_seconds("Hi [pause 61s] you") == 0.0


@pytest.mark.parametrize(
    ("text", "pieces", "silences"),
    [
        ("One [pause 1s] two.", ["One", "two."], [0, 1000, 0]),
        ("[pause 1s] One.", ["One."], [1000, 0]),
        ("One. [pause 1s]", ["One."], [0, 1000]),
        ("One [pause 1s].", ["One"], [0, 1000]),
        ("One [pause 1s] [pause 500ms] two", ["One", "two"], [0, 1500, 0]),
        ("One [pause 1s], [pause 500ms] two", ["One", "two"], [0, 1500, 0]),
        ("<|speaker:1|>One [pause 1s] two", ["<|speaker:1|>One", "<|speaker:1|>two"], [0, 1000, 0]),
        (
            "<|speaker:1|>One [pause 1s] <|speaker:0|>two",
            ["<|speaker:1|>One", "<|speaker:0|>two"],
            [0, 1000, 0],
        ),
        ("[pause 1ms] One [pause 2ms] [laughing] [pause 3ms]", ["One", "[laughing]"], [1, 2, 3]),
    ],
)
def test_the_text_is_cut_there(text: str, pieces: list[str], silences: list[int]) -> None:
    plan = plan_speech(text)
    assert plan.texts == pieces
    assert plan.silences(1000, 180) == silences


def test_sentences_keep_their_own_pause() -> None:
    plan = plan_speech("One. Two. [pause 1s] Three. Four.", sentences=True)
    assert plan.texts == ["One.", "Two.", "Three.", "Four."]
    assert plan.silences(44100, 180) == [0, 7938, 44100, 7938, 0]


@given(st.integers(0, 60000), st.sampled_from([8000, 22050, 44100, 48000]))
def test_samples_are_exact_to_half_of_one(ms: int, rate: int) -> None:
    (_, between, _) = plan_speech(f"a [pause {ms}ms] b").silences(rate, 180)
    assert abs(between - Fraction(ms * rate, 1000)) <= Fraction(1, 2)


@given(st.text(alphabet="ab. ,[]pause 1ms<|:0>\n", max_size=60))
def test_any_text_has_a_plan(text: str) -> None:
    plan = plan_speech(text, sentences=True)
    assert all(piece.text.strip() for piece in plan.segments)


def test_the_guessed_length_counts_pauses() -> None:
    assert estimate_seconds("One [pause 2s] two") == pytest.approx(estimate_seconds("One two") + 2)


def test_what_will_not_be_as_meant_is_told() -> None:
    told = [m.code for m in request_warnings(SynthesisRequest("Hi [pause 500] you"))]  # type: ignore[attr-defined]
    assert told == ["text.pause_unit"]
    cut = SynthesisRequest("Hi. [pause 1s]", post=PostProcessing(trim_silence=True))
    assert [m.code for m in request_warnings(cut)] == ["text.pause_trimmed"]  # type: ignore[attr-defined]
    assert not request_warnings(SynthesisRequest("Hi [pause] you [pause 500ms] there"))
