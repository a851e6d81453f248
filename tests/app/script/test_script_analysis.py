"""What is said of a script: length, pieces, speakers, slips, and the voices of speakers."""

from __future__ import annotations

import numpy as np
import pytest

from app.core.text_files import decode_text
from app.inference.segments import PASS_FRAMES, SEGMENT_SECONDS, plan_segments
from app.inference.speakers import dump_speakers, numbered, parse_speakers
from app.script.analysis import TextMap, find_notes, look_at
from app.script.tags import ALL_TAGS, CHIPS
from engine.text.split import estimate_seconds, split_sentences
from engine.voices import VoiceProfile

SENTENCE = "The harbour is quiet tonight, and the last boat has come in. "


def kinds(text: str) -> list[str]:
    return [note.kind for note in find_notes(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Good evening.", []),
        ("[whisper] Good evening.", []),
        ("[a free description of a tone] Hi.", []),
        ("<|speaker:0|>Hi. <|speaker:12|>Ho.", []),
        ("[whisper Hi.", ["bracket"]),
        ("whisper] Hi.", ["bracket"]),
        ("[a [b] c] Hi.", []),
        ("<|speaker 1|> Hi.", ["speaker"]),
        ("<speaker:1> Hi.", ["speaker"]),
        ("<|Speaker:1|> Hi.", ["speaker"]),
        ("<|speaker:1> Hi.", ["speaker"]),
        ("Hi <|im_end|> ho", ["control"]),
        ("[wisper] Hi.", ["tag"]),
        ("…", ["words"]),
        ("[pause]", ["words"]),
        ("   ", []),
        ("", []),
    ],
)
def test_slips_are_found(text: str, expected: list[str]) -> None:
    assert kinds(text) == expected


def test_a_near_miss_names_the_tag_that_is_meant() -> None:
    (note,) = find_notes("Well, [laughin] it is.")
    assert (note.detail, note.start, note.end) == ("laughing", 6, 15)


def test_all_documented_tags_are_offered() -> None:
    assert len(ALL_TAGS) == len(set(ALL_TAGS)) == 34
    assert set(CHIPS) <= set(ALL_TAGS)


def test_a_short_text_is_spoken_in_one_go() -> None:
    plan = plan_segments(SENTENCE * 3)
    assert not plan.split
    assert plan_segments(SENTENCE * 3, "always").split


@pytest.mark.parametrize(
    "text",
    [SENTENCE * 40, "word " * 800, "今天的天气真好，我们去公园吧。" * 40, "a" * 3000, "字" * 900],
    ids=["sentences", "no stop", "chinese", "one word", "no blanks"],
)
def test_no_piece_of_a_long_text_is_too_long(text: str) -> None:
    plan = plan_segments(text)
    assert plan.split
    pieces = split_sentences(text, plan.max_chars)
    assert len(pieces) == len(plan.starts)
    longest = max(map(estimate_seconds, pieces))
    assert longest <= SEGMENT_SECONDS
    assert longest * 21.53 < PASS_FRAMES
    assert not plan_segments(text, "never").split


def test_the_report_knows_who_speaks() -> None:
    assert look_at("Hi.").used == (0,)
    assert look_at("<|speaker:2|>Hi. <|speaker:1|>Ho.").used == (1, 2)
    assert look_at("Well. <|speaker:1|>Ho.").used == (0, 1)
    assert look_at("Hi.").speakers == ()


def test_positions_count_like_the_editor() -> None:
    text = "a😀b👩‍👩‍👧c"
    where = TextMap(text)
    for i in range(len(text) + 1):
        assert where.to_qt(i) == len(text[:i].encode("utf-16-le")) // 2


def voice(transcript: str) -> VoiceProfile:
    return VoiceProfile(transcript, np.zeros((10, 4), np.int32), 44100, 4096)


def test_each_voice_keeps_its_speaker_number() -> None:
    a, b = voice("Alpha."), voice("Beta.")
    assert numbered({0: a}) == (a,)
    assert numbered({1: b, 0: a}) == (a, b), "the engine counts these itself"
    assert [v.transcript for v in numbered({0: a, 2: b})] == ["Alpha.", "<|speaker:2|>Beta."]
    assert [v.transcript for v in numbered({1: b})] == ["<|speaker:1|>Beta."]


def test_a_tag_from_the_recording_does_not_swap_voices() -> None:
    first, second = voice("<|speaker:1|>Alpha."), voice("<|speaker:0|>Beta.")
    texts = [v.transcript for v in numbered({0: first, 1: second})]
    assert texts == ["<|speaker:0|>Alpha.", "<|speaker:1|>Beta."]
    assert numbered({0: first}) == (first,), "alone it stays what it is"


def test_the_cast_survives_its_settings() -> None:
    cast = {1: "Ann", 12: "a=b", 3: "shipped:Demo"}
    assert parse_speakers(dump_speakers(cast)) == cast
    assert parse_speakers(["", "x=y", "999=Ann", "2"]) == {}


QUOTE = "“It’s 5 €”, she said – naïve."


@pytest.mark.parametrize(
    ("codec", "text", "guessed"),
    [
        ("utf-8", QUOTE, False), ("utf-8-sig", QUOTE, False), ("utf-16", QUOTE, False),
        ("utf-16-be", QUOTE, True), ("utf-16-le", QUOTE, True), ("cp1252", QUOTE, True),
        ("gbk", "今天的天气真好，我们去公园吧。OK", True),
    ],
)  # fmt: skip
def test_text_files_are_read_right(codec: str, text: str, guessed: bool) -> None:
    found = decode_text((text + "\r\nb").encode(codec))
    assert found is not None
    assert found.text == text + "\nb"
    assert found.guessed is guessed


@pytest.mark.parametrize(
    "data", [b"\xff\xfe\x80", b"\x00\x01\x02\x03", b"PK\x03\x04\xff\x00", b"\xff\x01\x02"]
)
def test_what_is_no_text_is_refused(data: bytes) -> None:
    assert decode_text(data) is None
