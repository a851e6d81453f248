"""The words of a text as they are spoken: without case, marks and tags, numbers in words.

Text and transcript go through the same rules, so that only what was said differs.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace

from engine.text.tags import tag_spans

_ONES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen",
)  # fmt: skip
_TENS = (
    "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
)  # fmt: skip
_SCALES = ((10**9, "billion"), (10**6, "million"), (1000, "thousand"), (100, "hundred"))
_MOST = 10**12
_APOSTROPHES = frozenset("'’ʼ＇`´")
# Scripts that put no blank between words; each of their characters stands for itself.
_UNSPACED = (
    (0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x3040, 0x30FF), (0x3400, 0x9FFF),
    (0xF900, 0xFAFF), (0x20000, 0x3FFFF),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class SpokenWord:
    """A word of a text.

    Attributes:
        letters: what is compared.
        start, end: where it stands in the text.
        numeric: it was written in digits, which can be read in several ways.
    """

    letters: str
    start: int
    end: int
    numeric: bool = False


def spoken_words(text: str, language: str = "en") -> list[SpokenWord]:
    """The words of ``text`` in order; style tags and speakers are left out.

    Args:
        language: code such as ``en``; numbers become words in English only.
    """
    english = language.partition("-")[0] in ("en", "")
    found: list[SpokenWord] = []
    for word in _plain_words(text):
        spelled = _spelled(word.letters) if english else ()
        found += [replace(word, letters=part, numeric=True) for part in spelled] or [word]
    return found


def _plain_words(text: str) -> Iterator[SpokenWord]:
    spans = iter([*tag_spans(text), (len(text), len(text))])
    tag = next(spans)
    letters, start = "", 0
    for place, character in enumerate(text):
        while place >= tag[1] and tag[0] < len(text):
            tag = next(spans)
        kept = "" if tag[0] <= place < tag[1] else _kept(character)
        if kept and _is_unspaced(character):
            if letters:
                yield _word(letters, start, place)
            yield _word(kept, place, place + 1)
            letters = ""
        elif kept:
            start = start if letters else place
            letters += kept
        elif letters and character not in _APOSTROPHES and not _is_digit_comma(text, place):
            yield _word(letters, start, place)
            letters = ""
    if letters:
        yield _word(letters, start, len(text))


def _kept(character: str) -> str:
    """The letters that a character stands for; empty for a mark or a blank."""
    if unicodedata.category(character)[0] not in "LNM":
        return ""
    return unicodedata.normalize("NFKC", character).casefold()


def _word(letters: str, start: int, end: int) -> SpokenWord:
    composed = unicodedata.normalize("NFC", letters)
    return SpokenWord(composed, start, end, any(c.isdigit() for c in composed))


def _is_unspaced(character: str) -> bool:
    return any(first <= ord(character) <= last for first, last in _UNSPACED)


def _is_digit_comma(text: str, place: int) -> bool:
    """A comma that groups thousands."""
    after = text[place + 1 : place + 4]
    return text[place] == "," and text[place - 1].isdigit() and len(after) == 3 and after.isdigit()


def _spelled(letters: str) -> tuple[str, ...]:
    if not (letters.isascii() and letters.isdigit()) or int(letters) >= _MOST:
        return ()
    return tuple(_number(int(letters)))


def _number(value: int) -> list[str]:
    if value < 20:
        return [_ONES[value]]
    if value < 100:
        tens = _TENS[value // 10 - 2]
        return [tens] if value % 10 == 0 else [tens, _ONES[value % 10]]
    size, name = next(scale for scale in _SCALES if value >= scale[0])
    rest = value % size
    return [*_number(value // size), name, *(_number(rest) if rest else [])]
