"""Does a transcript fit its clip? The word check of takes, as one check of a clip."""

from __future__ import annotations

from engine.audio.reference_checks import Check, Light
from engine.errors import Message
from engine.transcription.heard import Heard
from engine.transcription.word_check import check_words
from engine.transcription.words import spoken_words

FITTING = 6.0
USABLE = 25.0
SHOWN = 3


def words_to_score(text: str, language: str = "") -> list[str]:
    """What the recogniser shall look for in the clip."""
    return [word.letters for word in spoken_words(text, language or "en")]


def check_clip_words(text: str, heard: Heard) -> Check:
    """The share of words that differ between a transcript and its clip, in percent, and which.

    A recogniser mishears names and rare words, so a few are no fault.
    """
    report = check_words(text, heard)
    # Of words that are heard and not written each one counts: the text is not whole.
    count = sum(len(m.heard.split()) if m.kind == "added" else 1 for m in report.marks)
    errors = min(100.0, 100 * count / max(1, report.words))
    light: Light = "green" if errors <= FITTING else "amber" if errors <= USABLE else "red"
    if not report.marks:
        return Check("words", 0.0, "%", light, Message("check.words_fit"))
    which = ", ".join(f"“{text[m.start : m.end] or m.heard}”" for m in report.marks[:SHOWN])
    message = Message("check.words_differ", count=count, which=which)
    cure = "" if light == "green" else Message("check.compare_words")
    at = report.marks[0].at_s
    return Check("words", errors, "%", light, message, cure, at)
