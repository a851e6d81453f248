"""The archive of takes: kept across starts, bounded in size, never half there.

Each take is a folder named by its time: ``take.json`` (story, title, star, figures),
``sound.flac`` (24 bit) and ``codes.npy``. It is written under a hidden name and renamed when
complete, so a program that is killed leaves no half take. Removed takes wait in ``.trash``
until they are purged, for Undo.
"""

from __future__ import annotations

import builtins
import contextlib
import datetime
import os
import secrets
import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from engine.audio.encode import ExportFormat, encode_audio
from engine.audio.wav import KEPT
from engine.errors import EngineError, OutputError, ReferenceAudioError
from engine.storage.files import save_file, sync_folder, telling, write_file
from engine.takes.files import (
    CODES_FILE,
    META_FILE,
    SOUND_FILE,
    TakeError,
    TakeMeta,
    codes_bytes,
    load_codes,
    load_meta,
    meta_bytes,
    valid_take_id,
)
from engine.takes.provenance import Provenance
from engine.types import Metrics

__all__ = ["Added", "RemovedTake", "SavedTake", "TakeArchive", "TakeEntry", "TakeError"]

DEFAULT_MAX_BYTES = 2 << 30
_TRASH, _NEW = ".trash", ".new-"
_STALE_SECONDS = 3600.0
_OVERHEAD_BYTES = 16 << 10


@dataclass(frozen=True, slots=True, eq=False)
class SavedTake:
    """A take as it goes into the archive and comes out of it.

    Attributes:
        provenance: its story, with the codes.
        samples: float32 ``(n,)`` in -1..1; 24 bits of them are kept.
        rate: of the samples, in Hz.
        made: local time.
        voice: shown name of the voice.
        title: given by the user; empty for none.
        group, part: see :class:`~engine.takes.files.TakeMeta`.
    """

    provenance: Provenance
    samples: np.ndarray
    rate: int
    made: datetime.datetime = field(default_factory=datetime.datetime.now)
    voice: str = ""
    title: str = ""
    starred: bool = False
    metrics: Metrics = field(default_factory=Metrics)
    group: str = ""
    part: bool = False


@dataclass(frozen=True, slots=True)
class TakeEntry:
    """One line of the listing.

    Attributes:
        id: name of the folder.
        size: bytes on disk.
        error: why it cannot be used; empty when it can, as far as the story tells.
        provenance: without codes; ``None`` when damaged.
    """

    id: str
    size: int
    made: str = ""
    title: str = ""
    voice: str = ""
    starred: bool = False
    seconds: float = 0.0
    frames: int = 0
    metrics: Metrics = field(default_factory=Metrics)
    provenance: Provenance | None = None
    error: str = ""
    group: str = ""
    part: bool = False


@dataclass(frozen=True, slots=True)
class RemovedTake:
    """What :meth:`TakeArchive.undo` needs to bring a take back."""

    id: str


@dataclass(frozen=True, slots=True)
class Added:
    """A take was kept; ``removed`` are the old ones that went for it."""

    entry: TakeEntry
    removed: tuple[TakeEntry, ...] = ()


class TakeArchive:
    """Takes in one folder; every operation stays inside it.

    Attributes:
        folder: made by the first :meth:`add`.
        max_bytes: bound on the disk; starred takes and the newest one stay even beyond it.
        held: takes that something else rests on; they stay like starred ones.
    """

    def __init__(self, folder: str | Path, max_bytes: int = DEFAULT_MAX_BYTES) -> None:
        self.folder = Path(folder)
        self.max_bytes = max_bytes
        self.held: frozenset[str] = frozenset()

    def list(self) -> builtins.list[TakeEntry]:
        """All takes, newest first; a damaged one says why and hides no other."""
        entries = [self._entry(name) for name in self._ids(self.folder)]
        return sorted(entries, key=lambda entry: entry.id, reverse=True)

    def used_bytes(self) -> int:
        """Bytes of all takes, the removed ones included."""
        return sum(_size(self.folder / name) for name in self._ids(self.folder)) + self._trashed()

    @staticmethod
    def estimate_bytes(samples: int, frames: int, codebooks: int = 10) -> int:
        """Upper guess of what a take will need on disk."""
        return 3 * samples + 4 * codebooks * frames + _OVERHEAD_BYTES

    def would_remove(self, new_bytes: int = 0) -> builtins.list[TakeEntry]:
        """Takes that must go before ``new_bytes`` more fit: the oldest first, none starred.

        Removed ones that only wait for Undo are given up first and not listed. Damaged ones
        are left: nobody can tell whether they were starred.
        """
        return self._plan(new_bytes, ())

    def add(self, take: SavedTake) -> Added:
        """Keep a take, then let the oldest unstarred go as far as the bound asks for.

        Raises:
            OutputError: no sound, a full disk or a folder that cannot be written. The take
                is untouched in memory and nothing of it is on disk.
        """
        meta = TakeMeta(
            made=take.made.isoformat(timespec="microseconds"), voice=take.voice, title=take.title,
            starred=take.starred, rate=take.rate, samples=len(take.samples), metrics=take.metrics,
            group=take.group, part=take.part,
        )  # fmt: skip
        parts = {
            SOUND_FILE: encode_audio(take.samples, take.rate, ExportFormat.FLAC_24),
            META_FILE: meta_bytes(meta, take.provenance),
        }
        if take.provenance.codes is not None:
            parts[CODES_FILE] = codes_bytes(take.provenance.codes)
        stamp = take.made.strftime("%Y%m%d-%H%M%S-%f")
        take_id = f"{stamp}-{secrets.token_hex(4)}"
        with telling("the take", KEPT):
            self._write(take_id, parts)
        return Added(self._entry(take_id), tuple(self.prune(keep=(take_id,))))

    def load(self, take_id: str) -> SavedTake:
        """Read a take whole.

        Raises:
            TakeError: no such take, or it is damaged.
        """
        from engine.audio.files import read_audio  # loads the sound library

        folder = self._folder(take_id)
        meta, provenance = load_meta(folder)
        try:
            clip = read_audio(folder / SOUND_FILE)
        except ReferenceAudioError as error:
            raise TakeError("take.sound_unreadable", reason=error.detail) from error
        if clip.warnings or (len(clip.samples), clip.rate) != (meta.samples, meta.rate):
            raise TakeError("take.sound_damaged")
        samples = np.ascontiguousarray(clip.samples[:, 0])
        samples.flags.writeable = False
        codes = load_codes(folder / CODES_FILE, provenance.codebooks)
        return SavedTake(
            replace(provenance, codes=codes), samples, meta.rate,
            datetime.datetime.fromisoformat(meta.made), meta.voice, meta.title, meta.starred,
            meta.metrics, meta.group, meta.part,
        )  # fmt: skip

    def star(self, take_id: str, starred: bool = True) -> TakeEntry:
        """Set or take away the star, which keeps a take from being pruned."""
        return self._change(take_id, starred=starred)

    def rename(self, take_id: str, title: str) -> TakeEntry:
        """Give a take a title of the user's; empty takes it away."""
        return self._change(take_id, title=title)

    def remove(self, take_id: str) -> RemovedTake:
        """Move a take to the archive's own trash, from where :meth:`undo` brings it back.

        Raises:
            TakeError: no such take.
            OutputError: the folder cannot be written.
        """
        source = self._folder(take_id)
        trash = self._trash()
        try:
            trash.mkdir(exist_ok=True)
            os.rename(source, trash / take_id)
        except OSError as error:
            raise _not_changed(error) from error
        return RemovedTake(take_id)

    def undo(self, removed: RemovedTake) -> TakeEntry:
        """Bring a removed take back.

        Raises:
            TakeError: it was purged meanwhile.
            OutputError: the folder cannot be written.
        """
        source = self._trash() / _checked(removed.id)
        if not source.is_dir():
            raise TakeError("take.not_in_trash")
        try:
            os.rename(source, self.folder / removed.id)
        except OSError as error:
            raise _not_changed(error) from error
        return self._entry(removed.id)

    def purge(self, removed: Sequence[RemovedTake] | None = None) -> None:
        """Delete removed takes for good; all of them without an argument. Never raises."""
        try:
            trash = self._trash()
        except OutputError:
            return
        names = self._ids(trash) if removed is None else [_checked(one.id) for one in removed]
        for name in names:
            shutil.rmtree(trash / name, ignore_errors=True)
        with contextlib.suppress(OSError):
            trash.rmdir()

    def prune(self, keep: Sequence[str] = ()) -> builtins.list[TakeEntry]:
        """Do what :meth:`would_remove` says, except for the takes to ``keep``; what went."""
        if self.used_bytes() <= self.max_bytes:
            return []
        self.purge()
        gone = self._plan(0, keep)
        for entry in gone:
            # Under another name first: a program that is killed meanwhile leaves no half take.
            with contextlib.suppress(EngineError):
                self.purge([self.remove(entry.id)])
            shutil.rmtree(self.folder / entry.id, ignore_errors=True)
        return gone

    def tidy(self) -> None:
        """At the start of the program: empty the trash and drop what a killed one left."""
        self.purge()
        with contextlib.suppress(OSError):
            for path in self.folder.glob(f"{_NEW}*"):
                if time.time() - path.stat().st_mtime > _STALE_SECONDS:
                    shutil.rmtree(path, ignore_errors=True)

    def _plan(self, new_bytes: int, keep: Sequence[str]) -> builtins.list[TakeEntry]:
        entries = self.list()
        excess = sum(entry.size for entry in entries) + new_bytes - self.max_bytes
        plan = []
        for entry in reversed(entries):
            if excess <= 0:
                break
            if not (entry.starred or entry.error or entry.id in keep or entry.id in self.held):
                plan.append(entry)
                excess -= entry.size
        return plan

    def _write(self, take_id: str, parts: dict[str, bytes]) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        temporary = self.folder / f"{_NEW}{secrets.token_hex(8)}"
        try:
            temporary.mkdir()
            for name, data in parts.items():
                write_file(temporary / name, [data])
            os.rename(temporary, self.folder / take_id)
            sync_folder(self.folder)
        except BaseException:
            shutil.rmtree(temporary, ignore_errors=True)
            raise

    def _change(self, take_id: str, **changes: object) -> TakeEntry:
        folder = self._folder(take_id)
        meta, provenance = load_meta(folder)
        changed = replace(meta, **changes)  # type: ignore[arg-type]
        if changed != meta:
            if (folder / META_FILE).is_symlink():
                # Writing would go through it to a file outside of the archive.
                raise TakeError("take.file_link", file=META_FILE)
            save_file(folder / META_FILE, [meta_bytes(changed, provenance)])
        return self._entry(take_id)

    def _entry(self, take_id: str) -> TakeEntry:
        folder = self.folder / take_id
        size = _size(folder)
        try:
            if folder.is_symlink():
                raise TakeError("take.link")
            meta, provenance = load_meta(folder)
            if not (folder / SOUND_FILE).is_file():
                raise TakeError("take.no_sound")
        except EngineError as error:
            return TakeEntry(take_id, size, error=error.detail)
        seconds = meta.samples / meta.rate
        frames = meta.metrics.frames
        return TakeEntry(
            take_id, size, meta.made, meta.title, meta.voice, meta.starred, seconds, frames,
            meta.metrics, provenance, group=meta.group, part=meta.part,
        )  # fmt: skip

    def _trash(self) -> Path:
        """The trash; raises :class:`OutputError` for a link, which leads out of the archive."""
        trash = self.folder / _TRASH
        if trash.is_symlink():
            raise OutputError("take.trash_link", trash=trash)
        return trash

    def _folder(self, take_id: str) -> Path:
        folder = self.folder / _checked(take_id)
        if folder.is_symlink() or not folder.is_dir():
            raise TakeError("take.absent")
        return folder

    def _ids(self, folder: Path) -> builtins.list[str]:
        try:
            return sorted(
                item.name
                for item in os.scandir(folder)
                if valid_take_id(item.name) and item.is_dir()
            )
        except OSError:
            return []

    def _trashed(self) -> int:
        trash = self.folder / _TRASH
        return sum(_size(trash / name) for name in self._ids(trash))


def _checked(take_id: str) -> str:
    if not valid_take_id(take_id):
        raise TakeError("take.bad_name", take_id=take_id[:60])
    return take_id


def _size(folder: Path) -> int:
    try:
        return sum(item.stat(follow_symlinks=False).st_size for item in os.scandir(folder))
    except OSError:
        return 0


def _not_changed(error: OSError) -> OutputError:
    reason = error.strerror or str(error)
    return OutputError("take.not_moved", reason=reason)
