"""Text of strangers and of other scripts: shown harmless, read whole, cut where it ends."""

from __future__ import annotations

import unicodedata
from pathlib import Path
from typing import Any

import pytest
from gguf_support import ARCHITECTURE, gguf_bytes, save, text
from hypothesis import given
from hypothesis import strategies as st

from engine.cli import main
from engine.text.prompt import build_prompt
from engine.text.split import split_sentences
from engine.text.tags import harmless, spoken_text
from engine.text.tokenizer import Tokenizer
from engine.voices import VoiceProfile


@pytest.mark.parametrize(
    ("given_text", "shown"),
    [
        ("\x1b[31mred\x1b]0;t\x07", r"\x1b[31mred\x1b]0;t\x07"),
        ("a\rb", r"a\rb"),
        ("\x9b2J", r"\x9b2J"),
        ("abc\u202egpj.exe", "abc\\u202egpj.exe"),
        ("\u2066x\u2069", "\\u2066x\\u2069"),
        ("a\x00b\x08", r"a\x00b\x08"),
        ("line\nnext\ttab", "line\nnext\ttab"),
        ("Grüße 你好 👩\u200d🚀", "Grüße 你好 👩\u200d🚀"),
        ("\x7f", r"\x7f"),
        ("a\u2028b", "a\\u2028b"),
    ],
)
def test_what_drives_a_terminal_is_escaped(given_text: str, shown: str) -> None:
    assert harmless(given_text) == shown


@given(st.text())
def test_nothing_that_drives_is_left(given_text: str) -> None:
    left = harmless(given_text)
    assert not [c for c in left if unicodedata.category(c) == "Cc" and c not in "\n\t"]
    assert harmless(left) == left


def test_no_command_lets_them_through(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import numpy as np

    evil = "\x1b[2J\x07\u202eevil"
    codes = np.zeros((10, 4), np.int32)
    VoiceProfile(evil, codes, 44100, 64).save(tmp_path / "odd.s2voice")
    model = tmp_path / "m.gguf"
    name = text("general.name") + b"\x08\0\0\0" + text(evil)
    save(model, gguf_bytes([ARCHITECTURE, name]))
    for given_words in (
        ["voices", "list", "--voice-dir", str(tmp_path)],
        ["voices", "show", "odd", "--voice-dir", str(tmp_path)],
        ["info", str(model)],
        ["info", str(tmp_path / "\x1b[31m.gguf")],
    ):
        main(given_words)
        told = capsys.readouterr()
        assert not {"\x1b", "\x07", "\u202e", "\r"} & set(told.out + told.err)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("co\u00adop\u00ader\u00ada\u00adtion", "cooperation"),
        ("co\u200boperation", "cooperation"),
        ("\ufeffHi", "Hi"),
        ("a\u2060b", "ab"),
        ("\u2067שלום\u2069", "שלום"),
        ("left\u200e right\u200f", "left right"),
        ("well\u2011known", "well-known"),
        ("10\u00a0km\u202fh", "10 km h"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("क्\u200dष", "क्\u200dष"),
        ("👩\u200d🚀", "👩\u200d🚀"),
        ("x\u202edcba\u202c", "xdcba"),
    ],
)
def test_marks_that_nobody_sees_break_no_word(written: str, read: str) -> None:
    assert spoken_text(written) == read


def test_the_prompt_is_that_of_the_text_without_them(models: Any) -> None:
    tokenizer = Tokenizer.load(models.tokenizer)
    facts = {"num_codebooks": 10, "codebook_size": 64, "semantic_begin": 151678}
    with_marks = build_prompt(tokenizer, "co\u00adop\u00ader\u00ada\u00adtion\u200b.", **facts)
    assert with_marks.tolist() == build_prompt(tokenizer, "cooperation.", **facts).tolist()


@pytest.mark.parametrize(
    ("script", "count"),
    [
        ("བཀྲ་ཤིས་བདེ་ལེགས། ཁྱེད་རང་ག་པར་འགྲོ་གི་ཡིན། ང་ལྷ་སར་འགྲོ།", 3),
        ("Τι κάνεις; Είμαι καλά. Πού πας\u037e Σπίτι.", 4),
        ("ᠰᠠᠶᠢᠨ᠃ ᠪᠠᠶᠢᠨ᠃ ᠤᠤ᠃", 3),
        ("ආයුබෝවන්෴ ඔබට කොහොමද෴", 2),
        ("សួស្តី។ អ្នកសុខសប្បាយទេ៕", 2),
        ("မင်္ဂလာပါ။ နေကောင်းလား။", 2),
        ("नमस्ते। आप कैसे हैं॥", 2),
        ("ሰላም። እንዴት ነህ፧", 2),
        ("Բարև։ Ինչպես ես։", 2),
        ("ܫܠܡܐ܀ ܐܝܟܢ ܐܢܬ܂", 2),
        ("ᱡᱚᱦᱟᱨ᱾ ᱪᱮᱫ᱿", 2),
        ("ꯈꯨꯔꯨꯝꯖꯔꯤ꯫ ꯀꯔꯝ꯫", 2),
        ("一。二！三？", 3),
        ("a; b; c.", 1),
        ("Price: 3.50; more.", 1),
    ],
)
def test_sentences_end_where_their_script_says(script: str, count: int) -> None:
    pieces = split_sentences(script)
    assert len(pieces) == count
    assert "".join(pieces).replace(" ", "") == script.replace(" ", "")


@pytest.mark.parametrize("limit", range(47, 140))
def test_no_sentence_ends_with_a_style(limit: int) -> None:
    """Where the style and a word behind it fit."""
    script = (
        "<|speaker:0|>Some words come first, then [whispering in a small voice] more words follow "
        "and they go on for a while, [laughing] until the end is reached."
    )
    assert not [piece for piece in split_sentences(script, limit) if piece.endswith("]")]


@pytest.mark.parametrize(
    ("script", "count"),
    [
        ("Good.\u200e Next one.", 2),
        ("Good\u200f.\u200f Next one.", 2),
        ("\u2067שלום.\u2069 \u2067להתראות.\u2069", 2),
        ("Dr\u2060. Smith came.", 1),
        ("Dr.\u200b Smith came.", 1),
        ("It is 3\u2060.\u206014 long.", 1),
        ("U.S.A\u0300. is", 1),
        ("Fin\u00ad. Suite\u00ad.", 2),
        ("He said\u200b: \u201cGo!\u201d\u200e Then he went.", 2),
        ("一。\u200b二。", 2),
    ],
)
def test_marks_that_nobody_sees_move_no_end_of_a_sentence(script: str, count: int) -> None:
    assert len(split_sentences(script)) == count
