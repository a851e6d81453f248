"""What is remembered about a model folder: the accepted license and the files' hashes.

It lies in the folder itself as ``models.json``. A file that was changed since its hash was
taken (another size or time) counts as not looked at.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from engine.hub.catalogue import License
from engine.hub.disk import disk_error, make_folder, write_json
from engine.storage.strict_json import read_object

NAME = "models.json"
_VERSION = 1


@dataclass(frozen=True, slots=True)
class Record:
    """What is known about a file.

    Attributes:
        sha256: of its content when it was last read as a whole.
        wanted: what it ought to be, empty when no one has told.
        ours: it was fetched by this program, so a newer download may replace it.
    """

    sha256: str
    wanted: str = ""
    ours: bool = False

    @property
    def good(self) -> bool:
        """The content is the published one."""
        return bool(self.wanted) and self.sha256 == self.wanted

    @property
    def bad(self) -> bool:
        """The content is another one than was published."""
        return bool(self.wanted) and self.sha256 != self.wanted


class Ledger:
    """The notes of one model folder; every change is written at once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._path = folder / NAME

    def accepted(self, license: License) -> bool:
        """Whether this wording of ``license`` was accepted here."""
        notes = read_object(self._path).get("licenses")
        return isinstance(notes, dict) and isinstance(notes.get(license.id), str)

    def accept(self, license: License) -> None:
        """Keep that ``license`` was accepted now; raises :class:`OutputError`."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        self._change("licenses", license.id, now)

    def record(self, path: Path) -> Record | None:
        """What is known about ``path`` as it lies there now."""
        return self._read(path.name, _stamp(path))

    def noted(self, name: str) -> Record | None:
        """What was known about a file of that name, whether it was changed since or not."""
        return self._read(name, None)

    def _read(self, name: str, stamp: list[int] | None) -> Record | None:
        files = read_object(self._path).get("files")
        note = files.get(name) if isinstance(files, dict) else None
        if not isinstance(note, dict) or (stamp is not None and note.get("stamp") != stamp):
            return None
        digest, wanted = note.get("sha256"), note.get("wanted")
        if not isinstance(digest, str) or not isinstance(wanted, str):
            return None
        return Record(digest, wanted, note.get("ours") is True)

    def is_ours(self, name: str) -> bool:
        """Whether a file of that name was fetched by this program."""
        noted = self.noted(name)
        return noted is not None and noted.ours

    def keep(self, path: Path, record: Record) -> None:
        """Remember what is known about ``path``; raises :class:`OutputError`."""
        note = {
            "stamp": _stamp(path),
            "sha256": record.sha256,
            "wanted": record.wanted,
            "ours": record.ours,
        }
        self._change("files", path.name, note)

    def forget(self, name: str) -> None:
        """Remember nothing about a file that is gone."""
        data = read_object(self._path)
        files = data.get("files")
        if isinstance(files, dict) and files.pop(name, None) is not None:
            self._write(data)

    def _change(self, group: str, key: str, value: Any) -> None:
        make_folder(self._folder)
        data = read_object(self._path)
        notes = data.get(group)
        data[group] = {**(notes if isinstance(notes, dict) else {}), key: value}
        self._write(data)

    def _write(self, data: dict[str, Any]) -> None:
        try:
            write_json(self._path, {**data, "version": _VERSION})
        except OSError as error:
            raise disk_error(error, self._path) from error


def _stamp(path: Path) -> list[int]:
    """Size and time of a file: when they are the same, so is the content."""
    try:
        status = path.stat()
    except OSError:
        return []
    return [status.st_size, status.st_mtime_ns]
