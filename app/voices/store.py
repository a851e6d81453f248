"""Keeps voices with their sidecars: save, rename, duplicate, move to the trash, take back.

Whatever happens to a ``.s2voice`` happens to the ``.json`` beside it. Nothing is ever
overwritten without being asked for, and nothing is ever deleted for good.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import numpy as np

from app.core.file_dialogs import to_trash
from app.voices.notes import MAX_BYTES, VoiceNotes
from engine.audio import AudioClip
from engine.errors import EngineError, OutputError, VoiceError
from engine.storage import free_name, read_regular, save_file
from engine.voices import VoiceLibrary, VoiceProfile, safe_name, unique_name

SIDECAR = ".json"
NAME_CHARS = 60


@dataclass(frozen=True, slots=True)
class Trashed:
    """A voice in the trash.

    Attributes:
        voice_id: its name in the library.
        files: (where it was, where it is now).
    """

    voice_id: str
    files: tuple[tuple[Path, Path], ...]


class VoiceStore:
    """The user's voices on disk.

    Attributes:
        library: the folder with the profiles.
    """

    def __init__(
        self, library: VoiceLibrary, trash: Callable[[Path], Path | None] = to_trash
    ) -> None:
        self.library = library
        self._trash = trash

    def sidecar(self, voice_id: str) -> Path:
        """Where the sidecar lies or would lie."""
        return self.library.path(voice_id).with_name(voice_id + SIDECAR)

    def free_name(self, wish: str) -> str:
        """A name like ``wish`` that is valid and not taken."""
        name = safe_name(wish, NAME_CHARS, fallback="voice")
        return unique_name(name, self.library.ids())

    def like(self, name: str) -> str:
        """The voice whose name some file system takes for ``name``; empty when there is none."""
        for other in self.library.ids():
            if unique_name(name, [other]) != name:
                return other
        return ""

    def read_notes(self, voice_id: str) -> VoiceNotes:
        """The sidecar; empty when there is none or it is damaged."""
        return read_sidecar(self.sidecar(voice_id))

    def write_notes(self, voice_id: str, notes: VoiceNotes) -> None:
        """Keep ``notes``; a damaged sidecar is put aside first.

        Raises:
            OutputError: it cannot be written.
        """
        path = self.sidecar(voice_id)
        if path.is_symlink():
            # Writing would go through it to a file that is no sidecar of ours.
            raise OutputError("voice.link", name=path.name)
        if path.exists() and not _readable(path):
            with contextlib.suppress(OSError):
                path.replace(free_name(path.with_name(f"{voice_id}.damaged{SIDECAR}"), " {}"))
        save_file(path, [notes.to_bytes()])

    def save(
        self, voice_id: str, profile: VoiceProfile, notes: VoiceNotes, overwrite: bool = False
    ) -> str:
        """Keep a new voice, or replace one when ``overwrite`` says so.

        Raises:
            VoiceError, OutputError: see :meth:`VoiceLibrary.save`. When only the sidecar
                fails, the voice is kept and the error says so.
        """
        self.library.save(voice_id, profile, overwrite=overwrite)
        try:
            self.write_notes(voice_id, notes)
        except OutputError as error:
            raise OutputError(
                "voice.notes_unsaved", advice=error.advice, voice_id=voice_id, reason=error.detail
            ) from error
        return voice_id

    def keep(
        self, name: str, profile: VoiceProfile, clip: AudioClip, language: str, replaces: str = ""
    ) -> str:
        """Keep a voice that was made of ``clip`` just now; returns its name.

        The voice that it ``replaces`` goes to the trash, and comes back when keeping fails.

        Raises:
            VoiceError, OutputError: see :meth:`trash` and :meth:`save`.
        """
        pcm = np.ascontiguousarray(clip.samples, "<f4")
        notes = VoiceNotes(
            language=language,
            source_name=clip.name,
            source_sha256=hashlib.sha256(pcm.data).hexdigest(),
            source_seconds=round(clip.seconds, 3),
            made=datetime.now().astimezone().isoformat(timespec="seconds"),
        )
        old = self.trash(replaces) if replaces else None
        try:
            return self.save(name, profile, notes)
        except EngineError:
            if old is not None:
                self.restore(old)
            raise

    def rename(self, old: str, new: str) -> None:
        """Give a voice and its sidecar another name.

        Raises:
            VoiceError, OutputError: see :meth:`VoiceLibrary.rename`; then both are as before.
        """
        source, target = self.sidecar(old), self.sidecar(new)
        self.library.rename(old, new)
        if not source.is_file():
            return
        try:
            os.replace(source, target)
        except OSError as error:
            self.library.rename(new, old)
            raise OutputError(
                "voice.not_renamed", name=source.name, reason=error.strerror or error
            ) from error

    def import_file(self, path: Path) -> str:
        """Add a profile from anywhere, with its sidecar, under a free name.

        Raises:
            VoiceError, OutputError: it is damaged or cannot be written.
        """
        profile = VoiceProfile.load(path)
        name = self.free_name(path.stem)
        return self.save(name, profile, read_sidecar(path.with_name(path.stem + SIDECAR)))

    def export(self, source: Path, target: Path) -> None:
        """Copy a voice and its sidecar; the caller asked before replacing anything.

        Raises:
            VoiceError, OutputError: it is damaged or cannot be written.
        """
        VoiceProfile.load(source)
        save_file(target, [source.read_bytes()])
        notes = source.with_name(source.stem + SIDECAR)
        if notes.is_file():
            save_file(target.with_name(target.stem + SIDECAR), [notes.read_bytes()])

    def trash(self, voice_id: str) -> Trashed:
        """Move a voice and its sidecar to the system's trash.

        Raises:
            VoiceError: there is no such voice.
            OutputError: there is no trash for that folder, or it refused.
        """
        path = self.library.find(voice_id)
        if not path.is_file():
            raise VoiceError("voice.deleted", voice_id=voice_id)
        moved: list[tuple[Path, Path]] = []
        for file in (path, self.sidecar(voice_id)):
            if not file.is_file():
                continue
            place = self._trash(file)
            if place is None:
                if not moved:
                    raise OutputError("voice.not_trashed", name=file.name)
                continue
            moved.append((file, place))
        return Trashed(voice_id, tuple(moved))

    def restore(self, trashed: Trashed) -> None:
        """Take a voice back out of the trash.

        Raises:
            OutputError: its name is taken by now, or the trash was emptied.
        """
        for home, place in trashed.files:
            if os.path.lexists(home):
                raise OutputError("voice.name_taken", name=home.name)
            if not place.exists():
                raise OutputError("voice.trash_emptied", voice_id=trashed.voice_id)
        for home, place in trashed.files:
            try:
                shutil.move(place, home)
                _forget_trash_info(place)
            except OSError as error:
                raise OutputError(
                    "voice.not_taken_back", name=home.name, reason=error.strerror or error
                ) from error


def read_sidecar(path: Path) -> VoiceNotes:
    """The notes in a file; empty when it is absent, damaged or too large."""
    try:
        return VoiceNotes.from_bytes(read_regular(path, MAX_BYTES))
    except (OSError, ValueError):
        return VoiceNotes()


def _readable(path: Path) -> bool:
    try:
        VoiceNotes.from_bytes(read_regular(path, MAX_BYTES))
    except (OSError, ValueError):
        return False
    return True


def _forget_trash_info(place: Path) -> None:
    """The desktop's note about a trashed file goes with the file."""
    info = place.parent.parent / "info" / f"{place.name}.trashinfo"
    with contextlib.suppress(OSError):
        info.unlink(missing_ok=True)
