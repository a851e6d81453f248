"""A list of words that are spoken otherwise than they are written.

It is applied to what the model reads, never to a text that is shown or stored. Only whole words
are replaced, in one pass, outside of tags, the longest entry first. An entry without a capital
letter stands for the word in any case, one with a capital for exactly that.
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from engine.errors import RequestError
from engine.storage.regular_files import read_regular
from engine.text.sentences import is_cjk
from engine.text.tags import harmless, is_visible, spoken_text, tag_spans

Pronunciations: TypeAlias = tuple[tuple[str, str], ...]
"""What is written, and what is spoken in its place."""

MAX_ENTRIES = 2000
MAX_LETTERS = 200
MAX_BYTES = 1 << 20
_APOSTROPHES = "'’"
_JOINERS = "\u200c\u200d"


def checked_pronunciations(pairs: Iterable[tuple[str, str]]) -> Pronunciations:
    """``pairs`` as they are compared; of two for one word the last one counts.

    Raises:
        RequestError: too many, or one that is empty, too long, or holds a bracket or line end.
    """
    found: dict[str, str] = {}
    for written, spoken in pairs:
        key, value = _normal(written), _normal(spoken)
        for text in (key, value):
            bad = len(text) > MAX_LETTERS or any(char in "[]<>\n\r" for char in text)
            if bad or not any(is_visible(char) for char in text):
                raise RequestError("text.pronunciation", entry=harmless(f"{written} = {spoken}"))
        found[key] = value
        if len(found) > MAX_ENTRIES:
            raise RequestError("text.pronunciations", limit=MAX_ENTRIES)
    return tuple(found.items())


def parse_pronunciations(text: str) -> Pronunciations:
    """Lines of ``written = spoken``; blank ones and those that begin with ``#`` are passed over.

    Raises:
        RequestError: see :func:`checked_pronunciations`; or a line without ``=``.
    """
    pairs = []
    for line in text.splitlines():
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        written, sign, spoken = line.partition("=")
        if not sign:
            raise RequestError("text.pronunciation", entry=harmless(line.strip()))
        pairs.append((written, spoken))
    return checked_pronunciations(pairs)


def dump_pronunciations(pairs: Pronunciations) -> str:
    """What :func:`parse_pronunciations` reads."""
    return "".join(f"{written} = {spoken}\n" for written, spoken in pairs)


def read_pronunciations(path: str | os.PathLike[str]) -> Pronunciations:
    """The list in a file, which is UTF-8, or UTF-16 with its mark.

    Raises:
        RequestError: it cannot be read, is too large, or is no such list.
    """
    name = os.path.basename(os.fspath(path))
    try:
        data = read_regular(path, MAX_BYTES)
    except OSError as error:
        reason = error.strerror or str(error)
        raise RequestError("text.unreadable", name=name, reason=reason) from error
    if len(data) > MAX_BYTES:
        raise RequestError("text.unreadable", name=name, reason="it is larger than 1 MB")
    try:
        wide = data[:2] in (b"\xff\xfe", b"\xfe\xff")
        return parse_pronunciations(data.decode("utf-16" if wide else "utf-8-sig"))
    except UnicodeDecodeError as error:
        raise RequestError("text.unreadable", name=name, reason="it is no UTF-8") from error


def pronounce(text: str, pairs: Pronunciations) -> str:
    """``text`` as it is to be spoken; the same text where no entry stands in it."""
    plain = _normal(text, strip=False)
    spots = list(_spots(plain, pairs))
    if not spots:
        return text
    parts, at = [], 0
    for start, end, spoken in spots:
        parts += [plain[at:start], spoken]
        at = end
    return "".join([*parts, plain[at:]])


def used_pronunciations(text: str, pairs: Pronunciations) -> Pronunciations:
    """Words of ``text``, as they stand there, that are spoken otherwise, each once."""
    plain = _normal(text, strip=False)
    found = ((plain[start:end], spoken) for start, end, spoken in _spots(plain, pairs))
    return tuple(dict.fromkeys(found))


def inside_word(text: str, at: int) -> bool:
    """Whether a word goes on from the character in front of ``at`` to the one behind it."""
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    if is_cjk(before) and not _is_mark(after):
        return False  # written without blanks between words
    if _is_mark(after) or after in _JOINERS or (before in _JOINERS and _is_letter(after)):
        return True
    if _is_letter(before) and _is_letter(after):
        return not is_cjk(after)
    near, far = text[at - 2 : at - 1], text[at + 1 : at + 2]
    if after in ".," or before in ".,":
        around = (before, far) if after in ".," else (near, after)
        return all(char.isdigit() for char in around) and all(around)
    if after in _APOSTROPHES or before in _APOSTROPHES:
        first, second = (before, far) if after in _APOSTROPHES else (near, after)
        owner = (
            after in _APOSTROPHES and far in ("s", "S") and not _is_letter(text[at + 2 : at + 3])
        )
        return first.isalpha() and second.isalpha() and not owner
    return False


def _spots(text: str, pairs: Pronunciations) -> Iterator[tuple[int, int, str]]:
    """Where entries stand in a normal text, ascending, without overlap."""
    if not pairs:
        return
    by_first: dict[str, list[tuple[str, str, bool]]] = {}
    # Of two as long as each other the one with a capital is asked first.
    in_order = sorted(pairs, key=lambda pair: (-len(pair[0]), pair[0] == pair[0].lower()))
    for written, spoken in in_order:
        exact = written != written.lower()
        for first in {written[0], written[0].upper(), written[0].lower()}:
            by_first.setdefault(first, []).append((written, spoken, exact))
    tags = [*tag_spans(text), (len(text), len(text))]
    at = tag = 0
    while at < len(text):
        if at >= tags[tag][0] and tag < len(tags) - 1:
            at, tag = max(at, tags[tag][1]), tag + 1
            continue
        found = _entry_at(text, at, tags[tag][0], by_first.get(text[at], ()))
        if found is None:
            at += 1
            continue
        yield at, at + len(found[0]), found[1]
        at += len(found[0])


def _entry_at(
    text: str, at: int, stop: int, entries: Iterable[tuple[str, str, bool]]
) -> tuple[str, str] | None:
    for written, spoken, exact in entries:
        end = at + len(written)
        there = text[at:end]
        same = there == written or (not exact and there.lower() == written)
        if same and end <= stop and not inside_word(text, at) and not inside_word(text, end):
            return written, spoken
    return None


def _is_letter(char: str) -> bool:
    return char.isalnum() or char == "_"


def _is_mark(char: str) -> bool:
    return char >= "\u0300" and unicodedata.category(char)[0] == "M"


def _normal(text: str, *, strip: bool = True) -> str:
    plain = unicodedata.normalize("NFC", spoken_text(text))
    return plain.strip() if strip else plain
