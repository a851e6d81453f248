"""The file behind the settings: INI as QSettings writes it, read as data nobody vouches for.

QSettings itself is not used: it turns ``@Variant(...)`` in a file into any object that Qt can
stream, and a deep enough one ends the process at every start. Here a value is a text, a list of
texts or bytes; all else is kept as it stands and never understood. A file is written whole or
not at all, and values that another program changed meanwhile stay.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from PySide6.QtCore import QLockFile

from engine.storage.files import save_file, shown, telling
from engine.storage.regular_files import read_regular

MAX_BYTES = 4 << 20
WAIT_MS, STALE_MS = 2_000, 10_000
Value = str | list[str] | bytes
Key = tuple[str, str]
"""Group and name as they stand in the file."""

_SECTION = re.compile(r"\[([^\[\]]*)\]")
_NONE, _BYTES, _STRING = "@Invalid()", "@ByteArray(", "@String("
_NAMED = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_CODES = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\"}
_HEX, _OCTAL = re.compile("[0-9a-fA-F]{1,8}"), re.compile("[0-7]{1,8}")
_PLAIN = re.compile(r"[A-Za-z0-9_./+@-][A-Za-z0-9_./:+@ -]*(?<! )")


class DamagedError(ValueError):
    """The file is no settings file; nothing of it was taken."""


class SettingsFile:
    """Texts by ``group/name``.

    Attributes:
        path: the file, which need not exist.
    """

    def __init__(self, path: Path, *, empty: bool = False) -> None:
        """Raises :class:`DamagedError`; a file that cannot be opened counts as an empty one.

        ``empty`` does not even look at what is there.
        """
        self.path = path
        self._changed: set[Key] = set()
        self._decoded: dict[str, tuple[str, Value | None]] = {}
        self._seen = self._state()
        self._raw = {} if empty else self._read()

    def get(self, key: str) -> Value | None:
        """The value; ``None`` when there is none, or one of a foreign kind."""
        raw = self._raw.get(_split(key))
        if raw is None:
            return None
        known = self._decoded.get(key)
        if known is None or known[0] != raw:
            known = self._decoded[key] = raw, decode(raw)
        value = known[1]
        return list(value) if isinstance(value, list) else value

    def set(self, key: str, value: Value) -> None:
        """Keep a value, in memory until :meth:`save`."""
        self._raw[_split(key)] = encode(value)
        self._changed.add(_split(key))

    def writable(self) -> bool:
        """Whether :meth:`save` can be expected to work."""
        place = self.path if self.path.exists() else self.path.parent
        while not place.exists() and place != place.parent:
            place = place.parent
        return os.access(place, os.W_OK) and (place.is_dir() or place == self.path)

    def save(self) -> None:
        """Write what was changed, over what the file holds by now.

        Raises:
            OutputError: it cannot be written. The values stay in memory, for another try.
        """
        if not self._changed:
            return
        with self._alone():
            self._merge_and_write()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """No other window reads and writes meanwhile, or one of two changes would be lost.

        A lock that cannot be had stops nobody: what hinders it will hinder the writing too.
        """
        with suppress(OSError):  # the writing will tell
            self.path.parent.mkdir(parents=True, exist_ok=True)
        lock = QLockFile(f"{self.path}.lock")
        lock.setStaleLockTime(STALE_MS)
        held = lock.tryLock(WAIT_MS)
        try:
            yield
        finally:
            if held:
                lock.unlock()

    def _merge_and_write(self) -> None:
        if self._state() != self._seen:
            try:
                fresh = self._read()
            except DamagedError:
                fresh = {}
            self._raw = {**fresh, **{key: self._raw[key] for key in self._changed}}
        with telling(shown(self.path)):
            self.path.parent.mkdir(parents=True, exist_ok=True)
        # It may hold a key or a token.
        save_file(self.path, [_text(self._raw).encode("utf-8")], private=True)
        self._changed.clear()
        self._seen = self._state()

    def _state(self) -> tuple[int, int, int] | None:
        try:
            status = self.path.stat()
        except OSError:
            return None
        return status.st_ino, status.st_size, status.st_mtime_ns

    def _read(self) -> dict[Key, str]:
        try:
            data = read_regular(self.path, MAX_BYTES)
        except OSError:
            return {}
        if len(data) > MAX_BYTES:
            raise DamagedError("too large")
        try:
            return _parse(data.decode("utf-8-sig"))
        except UnicodeDecodeError as error:
            raise DamagedError("no text") from error


def _split(key: str) -> Key:
    group, _, name = key.rpartition("/")
    return group, name


def _parse(text: str) -> dict[Key, str]:
    if "\0" in text:
        raise DamagedError("no text")
    found: dict[Key, str] = {}
    group = ""
    for line in re.split("\r\n|\n|\r", text):
        line = line.strip(" \t")
        if not line or line[0] in ";#":
            continue
        section = _SECTION.fullmatch(line)
        if section is not None:
            name = section.group(1)
            group = "" if name == "General" else name
            continue
        key, equals, value = line.partition("=")
        if not equals or not key.strip():
            raise DamagedError("a line is neither a group nor a value")
        found[group, key.rstrip(" \t")] = value.lstrip(" \t")
    return found


def _text(raw: dict[Key, str]) -> str:
    groups: dict[str, list[str]] = {}
    for (group, name), value in raw.items():
        groups.setdefault(group or "General", []).append(f"{name}={value}\n")
    return "\n".join(f"[{group}]\n{''.join(lines)}" for group, lines in groups.items())


def encode(value: Value) -> str:
    """One value as it stands behind the equals sign."""
    if isinstance(value, bytes):
        return _quoted(f"{_BYTES}{value.decode('latin-1')})", always=False)
    if isinstance(value, str):
        return _quoted(_marked(value), always=not value)
    return ", ".join(_quoted(_marked(item), always=True) for item in value) or _NONE


def decode(raw: str) -> Value | None:
    """What :func:`encode` or QSettings wrote; ``None`` for a foreign kind of value."""
    items = _unquoted(raw)
    if len(items) > 1:
        plain = [_unmarked(item) for item in items]
        return [item for item in plain if isinstance(item, str)] if None not in plain else None
    return _unmarked(items[0])


def _marked(text: str) -> str:
    return f"@{text}" if text.startswith("@") else text


def _unmarked(text: str) -> str | bytes | None:
    if not text.startswith("@"):
        return text
    if text.startswith("@@"):
        return text[1:]
    if text.startswith(_STRING) and text.endswith(")"):
        return text[len(_STRING) : -1]
    if text.startswith(_BYTES) and text.endswith(")"):
        try:
            return text[len(_BYTES) : -1].encode("latin-1")
        except UnicodeEncodeError:
            return None
    return None


def _quoted(text: str, *, always: bool) -> str:
    if not always and _PLAIN.fullmatch(text):
        return text
    out = []
    after_number = False
    for char in text:
        code = ord(char)
        known = _CODES.get(char)
        # A digit behind a number would be taken for a part of it.
        number = known is None and (
            code < 0x20 or 0x7F <= code < 0xA0 or 0xD800 <= code < 0xE000 or char in "\u2028\u2029"
        )
        if number or (after_number and char in "0123456789abcdefABCDEF"):
            out.append(f"\\x{code:x}")
            after_number = True
        else:
            out.append(known or char)
            after_number = False
    return f'"{"".join(out)}"'


def _unquoted(raw: str) -> list[str]:
    """Items between commas; quotes and escapes are resolved, blanks around them are not meant."""
    items: list[str] = []
    item: list[str] = []
    solid, at, inside = 0, 0, False  # the first ``solid`` characters end in no bare blank
    while at < len(raw):
        char = raw[at]
        at += 1
        if char == "," and not inside:
            items.append("".join(item[:solid]))
            item, solid = [], 0
            continue
        if char == '"':
            inside = not inside
        elif char == "\\":
            char, at = _escape(raw, at)
            item.append(char)
        elif char in " \t" and not inside:
            if item:
                item.append(char)
            continue
        else:
            item.append(char)
        solid = len(item)
    items.append("".join(item[:solid]))
    return items


def _escape(raw: str, at: int) -> tuple[str, int]:
    """The character of the escape whose backslash lies before ``at``, and where it ends."""
    if at >= len(raw):
        return "", at
    char = raw[at]
    if char == "x" or char in "01234567":
        start = at + (char == "x")
        digits = (_HEX if char == "x" else _OCTAL).match(raw, start)
        if digits is None:
            return "", start
        code = int(digits.group(), 16 if char == "x" else 8)
        return (chr(code) if code < 0x110000 else "\ufffd"), digits.end()
    return _NAMED.get(char, char), at + 1
