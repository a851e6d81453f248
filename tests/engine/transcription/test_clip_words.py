"""Does a transcript fit its clip?"""

from __future__ import annotations

import pytest

from engine.transcription import Heard, HeardWord, Transcript, check_clip_words, words_to_score

SAID = "The morning train was late, so we waited by the river until the sun came out again."


def heard(text: str) -> Heard:
    words = tuple(HeardWord(n / 4, n / 4 + 0.2, w) for n, w in enumerate(text.split()))
    return Heard(Transcript(text, "en", 1.0, words))


@pytest.mark.parametrize(
    ("text", "light", "code"),
    [
        (SAID, "green", "check.words_fit"),
        (SAID.upper().replace(",", ""), "green", "check.words_fit"),
        (SAID.replace("river", "rivulet"), "green", "check.words_differ"),
        (SAID.replace("river", "lake").replace("train", "bus"), "amber", "check.words_differ"),
        (SAID[:30], "red", "check.words_differ"),
        ("Something else that was never said at all.", "red", "check.words_differ"),
    ],
)
def test_the_light_follows_the_words_that_differ(text: str, light: str, code: str) -> None:
    check = check_clip_words(text, heard(SAID))
    assert (check.key, check.light, check.message.code) == ("words", light, code)  # type: ignore[attr-defined]
    assert 0 <= check.value <= 100
    assert bool(check.cure) == (light != "green")


def test_the_first_word_that_differs_is_named_with_its_place() -> None:
    check = check_clip_words(SAID.replace("train", "bus"), heard(SAID))
    assert "“bus”" in check.message
    assert check.at_s == pytest.approx(0.5, abs=0.25)


def test_numbers_are_looked_for_as_they_are_said() -> None:
    assert words_to_score("Room 12.") == ["room", "twelve"]
    assert words_to_score("Zimmer 12.", "de") == ["zimmer", "12"]
