"""Our borders held against Unicode's own test files, where the system has them.

On Debian they are in the package ``unicode-data``; ``S2_UNICODE`` names another folder.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.text.graphemes import is_boundary
from engine.text.sentences import sentence_ends
from engine.text.split import split_segments

FOLDER = Path(os.environ.get("S2_UNICODE", "/usr/share/unicode/auxiliary"))
JOINER = "\u200d"
WORD_JOINER = "\u2060"
OURS_ALONE = {
    "\r\na\n\u0308": "a lone accent on a line of its own is no sentence",
    "etc.)’\xa0‘(the": "behind a closing bracket an abbreviation has ended",
    "etc.)’\xa0\u0308The": "an accent on a blank is part of no word",
    "etc.)’\u0308The": "an accent on a quotation mark makes a letter of it",
    "etc.)\n\u0308The": "a line never begins with an accent",
}


def cases(name: str) -> Iterator[tuple[str, set[int]]]:
    path = FOLDER / name
    if not path.is_file():
        pytest.skip(f"{path} is not here: install unicode-data")
    for line in path.read_text(encoding="utf-8").splitlines():
        text, cuts = "", set()
        for part in line.partition("#")[0].split():
            if part == "÷":
                cuts.add(len(text))
            elif part != "×":
                text += chr(int(part, 16))
        if text:
            yield text, cuts


def test_characters_are_divided_where_unicode_divides_them() -> None:
    count = 0
    for text, cuts in cases("GraphemeBreakTest.txt"):
        found = {at for at in range(len(text) + 1) if is_boundary(text, at)}
        if JOINER in text:  # joins more here: no word is ever cut at one
            assert found <= cuts
        else:
            assert found == cuts, ascii(text)
        count += 1
    assert count > 500


def test_sentences_end_where_unicode_ends_them() -> None:
    count = 0
    for text, cuts in cases("SentenceBreakTest.txt"):
        plain = text.replace(WORD_JOINER, "")
        if len(text) < 5 or plain in OURS_ALONE:  # shorter ones are no sentences
            continue
        assert {0, *sentence_ends(text)} == cuts, ascii(text)
        count += 1
    assert count > 30


@pytest.mark.parametrize("name", ["SentenceBreakTest.txt", "WordBreakTest.txt"])
@pytest.mark.parametrize("limit", [0, 3, 7])
def test_segments_of_every_line_join_to_it_and_divide_no_character(name: str, limit: int) -> None:
    for text, _ in cases(name):
        segments = split_segments(text, limit)
        assert "".join(text[s.start : s.end] for s in segments) == text
        assert all(is_boundary(text, s.end) for s in segments), ascii(text)
