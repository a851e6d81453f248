"""Sentence splitting: nothing lost, nothing divided, no text too long (spec 06, section 8)."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.errors import RequestError
from engine.text.graphemes import is_boundary
from engine.text.split import (
    estimate_seconds,
    has_words,
    is_speakable,
    split_segments,
    split_sentences,
)
from engine.text.tags import SPEAKER_TAG, tag_spans

WHOLE = [
    "Dr. Smith and Mrs. Jones met St. John.",
    "Pi is 3.14 or 3,14 and 37,0 and 1.000,50 is a price.",
    "He lives in the U.S. and works for the U.N. these days.",
    "J. R. R. Tolkien and J. K. Rowling wrote.",
    "See https://a.example/b.c?d=e!f and www.example.com/x.y or x.y@example.com now.",
    "Wait... what",
    "Well… maybe not",
    "Use e.g. this, i.e. that, etc. and so on vs. nothing.",
    "On Jan. 5 at 5 p.m. Eastern, see p. 7, fig. 3 and No. 12.",
    "1. First",
    '"What?" he asked',
    "[Wow! It. Is. Long] yes",
    "a [b [c. D] e. F] g",
    "<|odd.Tag!|> x",
    "12:00\u202fAM a\u00a0b",
    "She has a Ph.D. Degree",
    "bzw. Dr. Müller, z.B. Herr Schmidt",
    "Hello!\u0301 b",
]

SPLIT = [
    ('Hi. You!? (ok) "Yes." End', ["Hi.", "You!?", '(ok) "Yes."', "End"]),
    (
        "你好，世界。今天很好！真的吗？是；对",
        ["你好，世界。", "今天很好！", "真的吗？", "是；", "对"],
    ),
    ("「好！」他说。再见", ["「好！」", "他说。", "再见"]),
    ("नमस्ते। कैसे हो? هل أنت؟ نعم۔ جيد", ["नमस्ते।", "कैसे हो?", "هل أنت؟", "نعم۔", "جيد"]),
    ("one\ntwo\r\n\r\nthree\u2029four", ["one", "two", "three", "four"]),
    ("Hello.\u00a0World. Ok", ["Hello.", "World.", "Ok"]),
    ("It is 5. Then I said no. Yes.", ["It is 5.", "Then I said no.", "Yes."]),
    ("Stop... Now", ["Stop...", "Now"]),
    ("Visit a.example. Then go.", ["Visit a.example.", "Then go."]),
    ("Hi.[pause] You.", ["Hi.", "[pause] You."]),
    ("1. One.\n2. Two.", ["1. One.", "2. Two."]),
    ("a\n.\nb", ["a\n.", "b"]),
    ("a.\n***\nb.", ["a.\n***", "b."]),
    ("a.\n[pause]\nb.", ["a.", "[pause]\nb."]),
    ("a.\n[laughing]", ["a.\n[laughing]"]),
    ("🇩🇪🇫🇷! 👨‍👩‍👧? ok", ["🇩🇪🇫🇷!", "👨‍👩‍👧?", "ok"]),
    ("Bye", ["Bye"]),
    ("[whisper] a", ["[whisper] a"]),
    ("(laugh) [", ["(laugh) ["]),
    ("…", ["…"]),
    ("[pause]", ["[pause]"]),
    ("", []),
    (" \n\u200b\ufeff", []),
    ("<|speaker:0|>", []),
]


def joined(text: str, max_chars: int = 0) -> str:
    segments = split_segments(text, max_chars)
    assert [p.start for p in segments] == [0, *(p.end for p in segments)][: len(segments)]
    return "".join(text[p.start : p.end] for p in segments)


@pytest.mark.parametrize("text", WHOLE)
def test_no_end_inside_a_sentence(text: str) -> None:
    assert split_sentences(text) == [text]
    assert split_sentences(f"{text}\nNext.") == [text, "Next."]


@pytest.mark.parametrize(("text", "expected"), SPLIT)
def test_ends_of_sentences(text: str, expected: list[str]) -> None:
    assert split_sentences(text) == expected
    assert joined(text) == text


def test_speaker_tag_is_carried() -> None:
    text = "Intro. <|speaker:0|>Are we lost?\n<|speaker:1|>Not at all. Hm, <|speaker:0|>ok. So."
    assert split_sentences(text) == [
        "Intro.",
        "<|speaker:0|>Are we lost?",
        "<|speaker:1|>Not at all.",
        "<|speaker:1|>Hm, <|speaker:0|>ok.",
        "<|speaker:0|>So.",
    ]
    assert split_sentences("<|speaker:2|>\nHi.\nYou.") == [
        "<|speaker:2|>\nHi.",
        "<|speaker:2|>You.",
    ]
    assert joined(text) == text


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        ("alpha beta, gamma delta", 14, ["alpha beta,", "gamma delta"]),
        ("alpha, beta gamma delta", 16, ["alpha, beta", "gamma delta"]),
        ("a: b; ccccc ddddd", 11, ["a: b; ccccc", "ddddd"]),
        ("x" * 50, 20, ["x" * 20, "x" * 20, "x" * 10]),
        ("one " + "x" * 25, 10, ["one", "x" * 10, "x" * 10, "x" * 5]),
        ("word 1 000 000 dollars", 12, ["word", "1 000 000", "dollars"]),
        ("see Dr. Smith now", 9, ["see", "Dr. Smith", "now"]),
        ("at 12:00\u202fAM", 10, ["at", "12:00\u202fAM"]),
        ("37,0 and 1.000,50", 12, ["37,0 and", "1.000,50"]),
        ("你好世界，今天天气很好", 7, ["你好世界，", "今天天气很好"]),
        ("你好 world 你好 world", 9, ["你好 world", "你好 world"]),
        ("[a very long tag] b [x] c", 6, ["[a very long tag]", "b", "[x] c"]),
        ("xxx[pause][pause]", 9, ["xxx", "[pause]", "[pause]"]),
        ("🇩🇪" * 5, 5, ["🇩🇪🇩🇪", "🇩🇪🇩🇪", "🇩🇪"]),
        ("👨‍👩‍👧👨‍👩‍👧", 6, ["👨‍👩‍👧", "👨‍👩‍👧"]),
        ("e\u0301\u0302\u0303 b", 2, ["e\u0301\u0302\u0303", "b"]),
        ("<|speaker:3|>alpha beta gamma", 24, ["<|speaker:3|>alpha beta", "<|speaker:3|>gamma"]),
        ("Hi " + "." * 30, 5, ["Hi"]),
    ],
)
def test_long_sentences_are_cut(text: str, limit: int, expected: list[str]) -> None:
    assert split_sentences(text, limit) == expected
    assert joined(text, limit) == text


def test_long_sentence_without_a_stop_gives_the_fewest_pieces() -> None:
    text = ("seven letter words only " * 34)[:800].strip()
    segments = split_sentences(text, 300)
    assert len(segments) == 3
    assert " ".join(segments) == text
    assert len(split_sentences("你好世界" * 200, 300)) == 3


def test_negative_limit_is_refused() -> None:
    with pytest.raises(RequestError, match="max chars"):
        split_sentences("a", -1)


UNITS = "a B 1 . , ! ? [ ] \" ' ( < | > x 。 ， 你 … 🇩 👩 가 नि \u0301 \u200d \ufe0f \u1100 \u1161"
ALPHABET = st.sampled_from(
    [*UNITS.split(" "), "<|speaker:1|>", "[pause]", "Dr.", " ", "\n", "\r\n", "... ", "\u00a0"]
)


@example("a[B\n<|speaker:1|>\n]", 1)
@settings(max_examples=400, deadline=None)
@given(st.lists(ALPHABET, max_size=60).map("".join), st.integers(0, 30))
def test_nothing_is_lost_or_divided(text: str, limit: int) -> None:
    assert joined(text, limit) == text
    spans = tag_spans(text)
    for segment in split_segments(text, limit):
        assert not any(start < segment.end < end for start, end in spans)
        assert is_boundary(text, segment.end)
        assert (
            segment.speech.endswith(text[segment.start : segment.end].strip()) or not segment.speech
        )
    said = "".join(split_sentences(text, limit))
    for char in SPEAKER_TAG.sub("", text):
        if char.isalnum():
            assert char in said


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="ab .,!?\n你，。1", max_size=120), st.integers(1, 40))
def test_limit_holds(text: str, limit: int) -> None:
    assert all(len(segment) <= limit for segment in split_sentences(text, limit))


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=80), st.integers(0, 20))
def test_any_text(text: str, limit: int) -> None:
    assert joined(text, limit) == text
    assert estimate_seconds(text) >= 0
    is_speakable(text)


HUGE = {
    "letters": "a",
    "digits": "1",
    "stops": ".",
    "blanks": " ",
    "lines": "\n",
    "open brackets": "[",
    "nested": "[a]",
    "initials": "A. ",
    "sentences": "Hello world. ",
    "flags": "🇩🇪",
    "marks": "\u0301",
    "cjk": "你好",
    "tags": "[pause]",
    "speakers": "<|speaker:0|>a. ",
    "half tags": "<|",
}


@pytest.mark.parametrize("unit", HUGE.values(), ids=HUGE.keys())
@pytest.mark.parametrize("limit", [0, 200])
def test_time_grows_linearly(unit: str, limit: int) -> None:
    def cost(size: int) -> float:
        text = (unit * (size // len(unit) + 1))[:size]
        best = float("inf")
        for _ in range(2):
            started = time.process_time()
            segments = split_segments(text, limit)
            best = min(best, time.process_time() - started)
        assert segments[-1].end == size
        return best

    small, large = cost(3_000), cost(24_000)
    # Eight times the text; quadratic time would be 64 times as much.
    assert large < 24 * small + 0.05


def test_three_thousand_letters_are_quick() -> None:
    started = time.process_time()
    assert split_sentences("a" * 3000, 200) == ["a" * 200] * 15
    assert time.process_time() - started < 0.2


@pytest.mark.parametrize(
    ("text", "speakable", "words"),
    [
        ("", False, False),
        (" \t\n", False, False),
        ("\u200b\u200c\u200d\ufeff\u2060\u00ad", False, False),
        ("\u3164\u2800", False, False),
        ("<|speaker:0|> ", False, False),
        ("…", True, False),
        ("***", True, False),
        ("”", True, False),
        ("[pause]", True, False),
        ("[pause] a", True, True),
        ("Bye", True, True),
        ("7", True, True),
        ("你", True, True),
        ("😀", True, True),
        ("[", True, False),
    ],
)
def test_what_can_be_spoken(text: str, speakable: bool, words: bool) -> None:
    assert (is_speakable(text), has_words(text)) == (speakable, words)


def test_estimate() -> None:
    assert estimate_seconds("") == 0
    assert estimate_seconds("a" * 150) == pytest.approx(10)
    assert estimate_seconds("你" * 45) == pytest.approx(10)
    assert estimate_seconds("[pause] <|speaker:0|>" + "a" * 150) == pytest.approx(10)


@pytest.mark.parametrize(
    "char",
    ["é", "🇩🇪", "👨\u200d👩\u200d👧", "👍🏽", "각", "각", "\r\n", "नि", "กำ", "1️⃣"],
)
def test_boundaries_of_characters(char: str) -> None:
    text = f"x{char}y"
    found = [i for i in range(len(text) + 1) if is_boundary(text, i)]
    assert found == [0, 1, 1 + len(char), len(text)]
