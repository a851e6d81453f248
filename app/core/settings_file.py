"""The file behind the settings: one JSON object, read as data nobody vouches for.

What this version does not know stays as it is. A file is written whole or not at all, and values
that another window changed meanwhile stay.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from PySide6.QtCore import QLockFile

from engine.storage import parse_object, read_regular, save_file

MAX_BYTES = 4 << 20
WAIT_MS, STALE_MS = 2_000, 10_000


class DamagedError(ValueError):
    """The file is no settings file; nothing of it was taken."""


class SettingsFile:
    """JSON values by key.

    Attributes:
        path: the file, which need not exist.
    """

    def __init__(self, path: Path, *, empty: bool = False) -> None:
        """Raises :class:`DamagedError`; a file that cannot be opened counts as an empty one.

        ``empty`` does not even look at what is there.
        """
        self.path = path
        self._changed: set[str] = set()
        self._seen = self._state()
        self._values = {} if empty else self._read()

    def get(self, key: str) -> Any:
        """The value; ``None`` when there is none."""
        return self._values.get(key)

    def set(self, key: str, value: Any) -> None:
        """Keep a value, in memory until :meth:`save`."""
        self._values[key] = value
        self._changed.add(key)

    def writable(self) -> bool:
        """Whether :meth:`save` can be expected to work."""
        place = self.path if self.path.exists() else self.path.parent
        while not place.exists() and place != place.parent:
            place = place.parent
        return os.access(place, os.W_OK) and (place.is_dir() or place == self.path)

    def save(self) -> None:
        """Write what was changed, over what the file holds by now.

        It may hold a key or a token: only its owner may read it.

        Raises:
            OutputError: it cannot be written. The values stay in memory, for another try.
        """
        if not self._changed:
            return
        with self._alone():
            if self._state() != self._seen:
                try:
                    fresh = self._read()
                except DamagedError:
                    fresh = {}
                self._values = {**fresh, **{key: self._values[key] for key in self._changed}}
            save_file(self.path, [_text(self._values)], private=True)
            self._changed.clear()
            self._seen = self._state()

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

    def _state(self) -> tuple[int, int, int] | None:
        try:
            status = self.path.stat()
        except OSError:
            return None
        return status.st_ino, status.st_size, status.st_mtime_ns

    def _read(self) -> dict[str, Any]:
        try:
            data = read_regular(self.path, MAX_BYTES)
        except OSError:
            return {}
        try:
            values = parse_object(data.decode("utf-8-sig")) if data.strip() else {}
            if len(data) > MAX_BYTES or values is None:
                raise DamagedError("no settings")
            _text(values)  # a number may be too large to be written again
        except ValueError as error:
            raise DamagedError(str(error)) from error
        return values


def _text(values: dict[str, Any]) -> bytes:
    """One value a line. Each is written without an indent, which would take ten times as long."""
    lines = (f" {_json(key)}: {_json(values[key])}" for key in sorted(values))
    # Half of a surrogate pair becomes what JSON writes for it.
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode("utf-8", "backslashreplace")


def _json(value: Any) -> str:
    return json.dumps(
        value, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")
    )
