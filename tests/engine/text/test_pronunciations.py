"""Words that are spoken otherwise: whole ones, in their case, outside of tags."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from error_kit import refused
from hypothesis import given
from hypothesis import strategies as st
from server_kit import client_of, form, serving, short
from test_unicode_files import cases

from engine.cli import main
from engine.engine import Engine
from engine.errors import RequestError
from engine.takes.provenance import Provenance
from engine.text.pronunciations import (
    checked_pronunciations,
    dump_pronunciations,
    inside_word,
    parse_pronunciations,
    pronounce,
    read_pronunciations,
    used_pronunciations,
)
from engine.text.sentences import is_cjk
from engine.types import Sampling, Segmentation, SegmentStart, SynthesisRequest

LIST = parse_pronunciations(
    """
    # names
    API = A P I
    us = you and me
    US = United States
    Nguyễn = Win
    Anna = Ahna
    3 = three
    重庆 = 虫庆
    New York = Noo Yawk
    York = Yawk
    don = Don
    naïve = nah eve
    कल = kal
    e.g. = for example
    """
)


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        ("The API, APIs and api.", "The A P I, APIs and api."),
        ("Tell us, Us and US!", "Tell you and me, you and me and United States!"),
        ("NGUYỄN and Nguyễn", "NGUYỄN and Win"),
        ("Nguye\u0302\u0303n", "Win"),
        ("Anna's and Anna’s hat, Annas", "Ahna's and Ahna’s hat, Annas"),
        ("I don't, don said", "I don't, Don said"),
        ("3 or 3.14 or 3,5 or 13", "three or 3.14 or 3,5 or 13"),
        ("我去重庆了", "我去虫庆了"),
        ("New York, York", "Noo Yawk, Yawk"),
        ("[us] us <|speaker:3|>us", "[us] you and me <|speaker:3|>you and me"),
        ("nai\u0308ve", "nah eve"),
        ("co\u00adus u\u00ads", "cous you and me"),
        ("कला कल", "कला kal"),
        ("us_1 _us us-us", "us_1 _us you and me-you and me"),
        ("Take one, e.g. this", "Take one, for example this"),
        ("nothing here", "nothing here"),
        ("USA", "USA"),
        ("'us'", "'you and me'"),
        ("us", "you and me"),
    ],
)
def test_whole_words_are_replaced(text: str, spoken: str) -> None:
    assert pronounce(text, LIST) == spoken


def test_what_was_replaced_is_not_replaced_again() -> None:
    assert pronounce("a b", checked_pronunciations([("a", "b"), ("b", "a")])) == "b a"


@given(st.text(max_size=40))
def test_a_text_without_entries_is_the_same_text(text: str) -> None:
    assert pronounce(text, ()) == text
    assert (
        pronounce(text, checked_pronunciations([("zqxj", "x")])) == text or "zqxj" in text.lower()
    )


@given(st.lists(st.tuples(st.text("abcAB ü'", min_size=1), st.text("abc", min_size=1)), max_size=4))
def test_a_list_is_read_as_it_was_written(pairs: list[tuple[str, str]]) -> None:
    kept = checked_pronunciations([pair for pair in pairs if pair[0].strip()])
    assert parse_pronunciations(dump_pronunciations(kept)) == kept


@pytest.mark.parametrize(
    "line", ["word", "= x", "x =", "x = \u200b", "[x] = y", "x = [whisper] y", "x = <|speaker:1|>",
             "w" * 201 + " = x"]
)  # fmt: skip
def test_what_is_no_entry_is_refused(line: str) -> None:
    with refused("text.pronunciation", RequestError):
        parse_pronunciations(f"good = fine\n{line}\n")


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "p.txt"
    for code in ("utf-8", "utf-8-sig", "utf-16"):
        path.write_text("Zoë = Zo ee\n", encoding=code)
        assert read_pronunciations(path) == (("Zoë", "Zo ee"),)
    path.write_bytes(b"Zo\xeb = Zo ee\n")
    with refused("text.unreadable", RequestError):
        read_pronunciations(path)
    with refused("text.unreadable", RequestError):
        read_pronunciations(tmp_path / "none.txt")
    path.write_bytes(b"a = b\n" * 200_000)
    with refused("text.unreadable", RequestError):
        read_pronunciations(path)


def test_words_end_where_unicode_says() -> None:
    """Between two letters, digits or marks; what joins words otherwise is told by our rules."""
    for text, cuts in cases("WordBreakTest.txt"):
        for at in range(1, len(text)):
            before, after = text[at - 1], text[at]
            if before.isalnum() and after.isalnum() and not is_cjk(before) and not is_cjk(after):
                assert inside_word(text, at) is (at not in cuts), ascii(text)


def request(text: str, **more: Any) -> SynthesisRequest:
    sampling = Sampling(seed=5, max_new_tokens=4)
    return SynthesisRequest(text, sampling=sampling, pronunciations=LIST, **more)


def test_the_model_reads_what_is_spoken_and_people_what_is_written(
    tiny_engine: Engine, collect: Any
) -> None:
    asked = request("Tell us.")
    spoken = SynthesisRequest("Tell you and me.", sampling=asked.sampling)
    assert tiny_engine.prompt(asked).tolist() == tiny_engine.prompt(spoken).tolist()
    made = collect(tiny_engine.synthesize(asked))
    assert [e.text for e in made.events if isinstance(e, SegmentStart)] == ["Tell us."]
    assert made.codes.tolist() == collect(tiny_engine.synthesize(spoken)).codes.tolist()


def test_the_piece_before_is_remembered_as_it_was_spoken(tiny_engine: Engine, collect: Any) -> None:
    cut = Segmentation(sentences=True, history=True)
    ours = collect(tiny_engine.synthesize(request("Tell us. Go on.", segmentation=cut)))
    plain = SynthesisRequest(
        "Tell you and me. Go on.", sampling=request("x").sampling, segmentation=cut
    )
    assert ours.codes.tolist() == collect(tiny_engine.synthesize(plain)).codes.tolist()


def test_a_take_remembers_them(tiny_engine: Engine) -> None:
    asked = request("Tell us.")
    made = tiny_engine.render(asked)
    story = Provenance.of(asked, made.summary, tiny_engine.info)
    back = Provenance.from_json(story.to_json())
    assert back is not None
    assert back.pronunciations == LIST
    assert back.request().pronunciations == LIST
    assert back.text == "Tell us."
    plain = Provenance.of(SynthesisRequest("Hi."), made.summary, tiny_engine.info)
    assert "pronunciations" not in plain.to_json()


def test_the_command_line_says_what_it_speaks(
    models: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "p.txt"
    path.write_text("us = you and me\n")
    words = ["synth", "-m", str(models.path("tiny-f32")), "-t", str(models.tokenizer),
             "--max-tokens", "2", "-o", str(tmp_path / "a.wav")]  # fmt: skip
    assert main([*words, "--text", "Tell us.", "--pronunciations", str(path)]) == 0
    assert "us as you and me" in capsys.readouterr().err
    assert main([*words, "--text", "Hi.", "--pronunciations", str(path)]) == 0
    assert "No word of the text" in capsys.readouterr().err
    path.write_text("nonsense\n")
    assert main([*words, "--text", "Hi.", "--pronunciations", str(path)]) == 1
    assert "nonsense: not a pronunciation" in capsys.readouterr().err


def test_the_server_takes_them(tiny_engine: Engine) -> None:
    """With a list of its own; a request's entry for the same word wins."""
    base = checked_pronunciations([("us", "them")])
    mine = {"us": "you and me"}
    with serving(tiny_engine, pronunciations=base) as server, client_of(server) as client:

        def ask(text: str, **more: Any) -> bytes:
            return client.post("/generate", **form(text, params=short(3, **more))).content

        assert ask("Tell us.") == ask("Tell them.")
        assert ask("Tell us.", pronunciations=mine) == ask("Tell you and me.")
        assert ask("Tell us.") != ask("Tell us.", pronunciations=mine)
        body = {"input": "Tell us.", "seed": 3, "max_new_tokens": 3, "response_format": "wav"}
        one = client.post("/v1/audio/speech", json={**body, "pronunciations": mine})
        other = client.post("/v1/audio/speech", json={**body, "input": "Tell you and me."})
        assert one.content == other.content
        for wrong in (["us"], {"us": 1}, {"us": ""}, {"[a]": "b"}):
            bad = client.post("/v1/audio/speech", json={**body, "pronunciations": wrong})
            assert bad.status_code == 400
            assert "pronunciation" in bad.text


def test_used_words_are_told_once() -> None:
    assert used_pronunciations("Us us US us", LIST) == (
        ("Us", "you and me"), ("us", "you and me"), ("US", "United States")
    )  # fmt: skip
