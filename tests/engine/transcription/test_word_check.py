"""What counts as lost, added, repeated and changed, with scores and without."""

from __future__ import annotations

import pytest

from engine.transcription.heard import Heard, HeardWord, Transcript
from engine.transcription.word_check import check_words
from engine.transcription.words import spoken_words

TEXT = "The train to the city leaves in ten minutes."


def heard(said: str, fits: dict[str, float] | None = None, sure: float = 0.9) -> Heard:
    """As if ``said`` had been heard; ``fits`` are the scores of words that fit badly."""
    words = tuple(
        HeardWord(0.3 * i, 0.3 * i + 0.25, word, sure) for i, word in enumerate(said.split())
    )
    scores: tuple[HeardWord, ...] = ()
    if fits is not None:
        scores = tuple(
            HeardWord(0.3 * i, 0.3 * i + 0.25, "", fits.get(word.letters, 0.9))
            for i, word in enumerate(spoken_words(TEXT))
        )
    return Heard(Transcript(said, "en", 1.0, words), scores)


def marks(
    said: str, fits: dict[str, float] | None = None, sure: float = 0.9
) -> list[tuple[str, str]]:
    report = check_words(TEXT, heard(said, fits, sure))
    return [(mark.kind, TEXT[mark.start : mark.end]) for mark in report.marks]


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("the train to the city leaves in 10 minutes", []),
        ("The train to the city leaves in minutes", [("lost", "ten")]),
        ("The train to the the city leaves in ten minutes", [("repeated", "the")]),
        ("The train to the big city leaves in ten minutes", [("added", "")]),
        ("The plane to the city leaves in ten minutes", [("changed", "train")]),
        ("", [("lost", word.strip(".")) for word in TEXT.split()]),
    ],
)
def test_without_scores_every_difference_counts(said: str, found: list[tuple[str, str]]) -> None:
    assert marks(said) == found


def test_a_word_that_fits_was_only_misheard() -> None:
    assert marks("The drain to the city leaves in ten minutes", {"train": 0.07}) == []
    assert marks("The plane to the city leaves in ten minutes", {"train": 0.0001}) == [
        ("changed", "train")
    ]
    assert marks("The train to the city in ten minutes", {}) == []
    assert marks("The train to the city in ten minutes", {"leaves": 0.001}) == [("lost", "leaves")]


def test_a_doubtful_extra_word_is_none() -> None:
    said = "The train to the big city leaves in ten minutes"
    assert marks(said, {}, sure=0.2) == []
    assert marks(said, {}) == [("added", "")]


def test_what_scores_twice_is_repeated_once() -> None:
    said = heard("The train to the city leaves in ten minutes", {})
    twice = Heard(said.transcript, said.fits, ((4, 0.4), (5, 0.001)))
    (mark,) = check_words(TEXT, twice).marks
    assert (mark.kind, TEXT[mark.start : mark.end], mark.at_s) == ("repeated", "city", 1.2)
    both = heard("The train to the city city leaves in ten minutes", {})
    assert len(check_words(TEXT, Heard(both.transcript, both.fits, ((4, 0.4),))).marks) == 1


def test_other_blanks_and_hyphens_are_no_error() -> None:
    report = check_words("I left my keys.", Heard(Transcript("", "en", 1, (
        HeardWord(0, 0.2, "I"), HeardWord(0.2, 0.4, "left"), HeardWord(0.4, 0.9, "Mykeys."),
    ))))  # fmt: skip
    assert report.marks == ()


def test_the_report_counts_and_knows_the_times() -> None:
    report = check_words(TEXT, heard("The train to the city leaves in minutes", {"ten": 0.0}))
    assert report.words == 9
    assert report.errors == pytest.approx(100 / 9)
    assert [TEXT[start:end] for start, end, _, _ in report.times][:3] == ["The", "train", "to"]
    assert report.times[1][2:] == pytest.approx((0.3, 0.55))
    without = check_words(TEXT, heard("The train to the city leaves in minutes"))
    assert len(without.times) == 8
