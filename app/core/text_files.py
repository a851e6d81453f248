"""Plain text in and out: a byte order mark is believed, everything else is guessed and said."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from pathlib import Path

from engine.errors import RequestError
from engine.storage import read_regular, save_file

MAX_TEXT_BYTES = 4 << 20
MOSTLY = 0.6
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig", "UTF-8"),
    (codecs.BOM_UTF32_LE, "utf-32", "UTF-32"),
    (codecs.BOM_UTF32_BE, "utf-32", "UTF-32"),
    (codecs.BOM_UTF16_LE, "utf-16", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16", "UTF-16"),
)
_CONTROL = re.compile("[\0-\x08\x0e-\x1a\x1c-\x1f]")
_HAN = re.compile("[\u3400-\u9fff\u3000-\u303f\uff00-\uffef]")


@dataclass(frozen=True, slots=True)
class TextFile:
    """A text and how it was read.

    Attributes:
        encoding: name for people.
        guessed: neither a mark nor valid UTF-8 told.
    """

    text: str
    encoding: str
    guessed: bool = False


def read_text(path: Path) -> TextFile:
    """Read a text file; line ends become line feeds.

    Raises:
        RequestError: it cannot be read, is too large, or is no text.
    """
    try:
        data = read_regular(path, MAX_TEXT_BYTES)
    except OSError as error:
        raise _refused(path, error.strerror or str(error)) from error
    if len(data) > MAX_TEXT_BYTES:
        raise _refused(path, "it is larger than 4 MB")
    found = decode_text(data)
    if found is None:
        raise _refused(path, "it holds no text")
    return found


def decode_text(data: bytes) -> TextFile | None:
    """Turn bytes into text; ``None`` when they are none."""
    for mark, codec, name in _MARKS:
        if data.startswith(mark):
            return _decoded(data, codec, name, guessed=False)
    plain = _decoded(data, "utf-8", "UTF-8", guessed=False)
    if plain is not None:
        return plain
    if b"\0" in data:
        even, odd = data[::2].count(0), data[1::2].count(0)
        codec = "utf-16-be" if even > odd else "utf-16-le"
        if len(data) % 2 or 4 * max(even, odd) < len(data):
            return None
        return _decoded(data, codec, "UTF-16", guessed=True)
    chinese = _decoded(data, "gb18030", "GB 18030", guessed=True)
    if chinese is not None:
        high = sum(1 for char in chinese.text if char > "\x7f")
        if high and len(_HAN.findall(chinese.text)) >= MOSTLY * high and _pairs(data) > 1.5:
            return chinese
    return _decoded(data, "cp1252", "Windows-1252", guessed=True)


def write_text(path: Path, text: str) -> None:
    """Write UTF-8 with line feeds, whole or not at all.

    Raises:
        OutputError: the place cannot be written.
    """
    save_file(path, [text.encode("utf-8", "surrogatepass")])


def _decoded(data: bytes, codec: str, name: str, *, guessed: bool) -> TextFile | None:
    try:
        text = data.decode(codec)
    except UnicodeDecodeError:
        return None
    if _CONTROL.search(text):
        return None
    return TextFile(text.replace("\r\n", "\n").replace("\r", "\n"), name, guessed)


def _pairs(data: bytes) -> float:
    """Mean length of runs of bytes above 127: long in Chinese, one or two in Western text."""
    runs = re.findall(rb"[\x80-\xff]+", data)
    return sum(map(len, runs)) / len(runs) if runs else 0.0


def _refused(path: Path, reason: str) -> RequestError:
    return RequestError("text.unreadable", name=path.name, reason=reason)
