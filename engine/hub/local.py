"""Model files that are on this machine, wherever they came from, and what is remembered of them.

A folder's accepted licenses and the hashes of its files lie in it as ``models.json``. A file that
was changed since its hash was taken (another size or time) counts as not looked at.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path
from typing import Any

from engine.hub.catalogue import REPOSITORY, VARIANTS, License, Variant
from engine.hub.disk import disk_error, make_folder, write_json
from engine.hub.partial_file import kept_bytes
from engine.storage.names import is_companion
from engine.storage.places import user_folder
from engine.storage.strict_json import read_object

NAME = "models.json"
_VERSION = 1


class Presence(Enum):
    """How much of a file is here."""

    ABSENT = "absent"
    PARTIAL = "partial"
    PRESENT = "present"
    VERIFIED = "verified"
    DAMAGED = "damaged"


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
    def presence(self) -> Presence:
        """What the content makes of the file; undecided where no hash is published."""
        if not self.wanted:
            return Presence.PRESENT
        return Presence.VERIFIED if self.sha256 == self.wanted else Presence.DAMAGED


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
        self._change("files", path.name, {"stamp": _stamp(path), **asdict(record)})

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


DATA_NAME = "s2-voice-studio"
_SUFFIX = ".gguf"
_MOST_FOUND = 200


class Place(Enum):
    """Where a file was found."""

    FOLDER = "folder"
    CACHE = "cache"
    RECENT = "recent"


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the list of models.

    Attributes:
        variant: what it is, ``None`` for a file of the user's own.
        path: where it lies, or will lie when it is fetched.
        presence: how much of it is here.
        done: bytes that are here.
        size: bytes of the whole, a guess for some that are absent.
        place: where it was found.
    """

    variant: Variant | None
    path: Path
    presence: Presence
    done: int
    size: int
    place: Place = Place.FOLDER

    @property
    def usable(self) -> bool:
        """It can be opened."""
        return self.presence in (Presence.PRESENT, Presence.VERIFIED)

    @property
    def title(self) -> str:
        """Its name for people."""
        return self.variant.title if self.variant is not None else self.path.stem


def default_folder() -> Path:
    """Where models are kept unless the user says otherwise."""
    return user_folder("data", DATA_NAME) / "models"


def cache_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Where the hub's own tools keep what they fetched."""
    try:
        if environ.get("HF_HUB_CACHE"):
            return Path(environ["HF_HUB_CACHE"]).expanduser()
        if environ.get("HF_HOME"):
            return Path(environ["HF_HOME"]).expanduser() / "hub"
        base = environ.get("XDG_CACHE_HOME") or "~/.cache"
        return Path(base).expanduser() / "huggingface" / "hub"
    except RuntimeError:  # a tilde, and no home
        return user_folder("cache", "huggingface") / "hub"


def list_entries(
    folder: Path,
    recent: Iterable[Path] = (),
    cache: Path | None = None,
    variants: tuple[Variant, ...] = VARIANTS,
) -> list[Entry]:
    """Every known variant, then other files of the folder, then recent ones elsewhere.

    A variant that is not in ``folder`` but in the hub's cache or among the recent ones is
    shown from there. Reads names and sizes only, never a whole file.
    """
    ledger = Ledger(folder)
    cache = cache_folder() if cache is None else cache
    recent = [path for path in recent if path.suffix.lower() == _SUFFIX]
    entries = [_variant_entry(each, folder, ledger, recent, cache) for each in variants]
    shown = {_real(entry.path) for entry in entries}
    for place, paths in ((Place.FOLDER, _models_in(folder)), (Place.RECENT, recent)):
        for path in paths:
            size = _size(path)
            if size is None or _real(path) in shown:
                continue
            shown.add(_real(path))
            presence = _judge(path, size, None, ledger)
            entries.append(Entry(None, path, presence, size, size, place))
    return entries


def find_file(variant: Variant, folder: Path, cache: Path | None = None) -> Entry:
    """Where ``variant`` is, or would be."""
    cache = cache_folder() if cache is None else cache
    return _variant_entry(variant, folder, Ledger(folder), (), cache)


def _variant_entry(
    variant: Variant, folder: Path, ledger: Ledger, recent: Iterable[Path], cache: Path
) -> Entry:
    target = folder / variant.file.name
    size = _size(target)
    if size is not None:
        whole = variant.file.size if variant.file.exact else size
        return Entry(variant, target, _judge(target, size, variant, ledger), size, whole)
    kept = kept_bytes(target)
    if kept:
        return Entry(variant, target, Presence.PARTIAL, kept, variant.file.size)
    for place, paths in (
        (Place.CACHE, _in_cache(variant, cache)),
        (Place.RECENT, [path for path in recent if path.name == variant.file.name]),
    ):
        for path in paths:
            size = _size(path)
            if size is None or (variant.file.exact and size != variant.file.size):
                continue
            return Entry(variant, path, Presence.PRESENT, size, size, place)
    return Entry(variant, target, Presence.ABSENT, 0, variant.file.size)


def _judge(path: Path, size: int, variant: Variant | None, ledger: Ledger) -> Presence:
    if variant is not None and variant.file.exact and size != variant.file.size:
        return Presence.DAMAGED
    record = ledger.record(path)
    return Presence.PRESENT if record is None else record.presence


def _in_cache(variant: Variant, cache: Path) -> list[Path]:
    """Files of the hub's cache, the newest first."""
    snapshots = cache / f"models--{REPOSITORY.replace('/', '--')}" / "snapshots"
    try:
        found = [p for p in snapshots.glob(f"*/{variant.file.name}") if p.is_file()]
        return sorted(found, key=lambda path: path.stat().st_mtime, reverse=True)
    except OSError:
        return []


def _models_in(folder: Path) -> list[Path]:
    try:
        names = sorted(
            p for p in folder.iterdir() if p.suffix.lower() == _SUFFIX and not is_companion(p.name)
        )
    except OSError:
        return []
    return names[:_MOST_FOUND]


def _size(path: Path) -> int | None:
    try:
        return path.stat().st_size if path.is_file() else None
    except OSError:
        return None


def _real(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError):
        return path
