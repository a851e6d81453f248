"""Model files that are on this machine already, wherever they came from."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

import platformdirs

from engine.hub.catalogue import REPOSITORY, VARIANTS, Variant
from engine.hub.ledger import Ledger
from engine.hub.partial_file import kept_bytes

DATA_NAME = "s2-voice-studio"
_SUFFIX = ".gguf"
_MOST_FOUND = 200


class Presence(Enum):
    """How much of a file is here."""

    ABSENT = "absent"
    PARTIAL = "partial"
    PRESENT = "present"
    VERIFIED = "verified"
    DAMAGED = "damaged"


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
    return Path(platformdirs.user_data_dir(DATA_NAME, False)) / "models"


def cache_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Where the hub's own tools keep what they fetched."""
    if environ.get("HF_HUB_CACHE"):
        return Path(environ["HF_HUB_CACHE"]).expanduser()
    if environ.get("HF_HOME"):
        return Path(environ["HF_HOME"]).expanduser() / "hub"
    base = environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(base).expanduser() / "huggingface" / "hub"


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
    if record is None or not record.wanted:
        return Presence.PRESENT
    return Presence.DAMAGED if record.bad else Presence.VERIFIED


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
        names = sorted(p for p in folder.iterdir() if p.suffix.lower() == _SUFFIX)
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
