"""Keeps voices with what lies beside them: save, rename, duplicate, trash, take back.

Nothing is ever overwritten without being asked for, and nothing is ever deleted for good.
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
from engine.errors import EngineError, OutputError, VoiceError
from engine.storage import save_file
from engine.voices import (
    BUNDLE,
    Companions,
    NewVoice,
    VoiceLibrary,
    VoiceNotes,
    VoiceProfile,
    add_file,
    export_bundle,
)


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
        return Companions(self.library.path(voice_id)).sidecar

    def beside(self, voice_id: str) -> Companions:
        """What lies beside a voice; raises :class:`VoiceError`."""
        return self.library.companions(voice_id)

    def free_name(self, wish: str) -> str:
        """A name like ``wish`` that no voice has."""
        return self.library.free_name(wish)

    def like(self, name: str) -> str:
        """Id of the voice of that name but for case and composition; empty when there is none."""
        return self.library.like(name)

    def has_clips(self, voice_id: str) -> bool:
        """Whether what a voice was made of is kept, so that a clip can be added to it."""
        return bool(self.beside(voice_id).notes().clips)

    def read_notes(self, voice_id: str) -> VoiceNotes:
        """What is known about a voice; empty when nothing is, or its sidecar is damaged."""
        return self.beside(voice_id).notes()

    def write_notes(self, voice_id: str, notes: VoiceNotes) -> None:
        """Keep ``notes``; a damaged sidecar is put aside first.

        Raises:
            OutputError: it cannot be written.
        """
        Companions(self.library.path(voice_id)).write_notes(notes)

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

    def keep(self, made: NewVoice) -> str:
        """Keep a voice that was made of a clip just now; returns its id.

        The voice that it replaces goes to the trash, and comes back when keeping fails.

        Raises:
            VoiceError, OutputError: see :meth:`trash` and :meth:`VoiceLibrary.keep`.
        """
        pcm = np.ascontiguousarray(made.clip.samples, "<f4")
        notes = VoiceNotes(
            language=made.language,
            consent=made.consent,
            source_name=made.clip.name,
            source_sha256=hashlib.sha256(pcm.data).hexdigest(),
            source_seconds=round(made.clip.seconds, 3),
            made=datetime.now().astimezone().isoformat(timespec="seconds"),
        )
        old = self.trash(made.replaces) if made.replaces else None
        try:
            return self.library.keep(made.name, made.profile, [(made.clip, made.transcript)], notes)
        except EngineError:
            if old is not None:
                self.restore(old)
            raise

    def rename(self, old: str, new: str) -> str:
        """Give a voice another name, which is any text; returns its id from now on.

        Raises:
            VoiceError, OutputError: see :meth:`VoiceLibrary.call`; then all is as before.
        """
        return self.library.call(old, new)

    def import_file(self, path: Path) -> str:
        """Add a voice from anywhere, with what belongs to it, under a free name.

        Raises:
            VoiceError, OutputError: it is damaged or cannot be written.
        """
        return add_file(self.library, path)

    def export(self, source: Path, target: Path) -> None:
        """Copy a voice: all of it into a bundle, or the profile alone with its notes; the caller
        asked before replacing anything.

        Raises:
            VoiceError, OutputError: it is damaged or cannot be written.
        """
        if target.suffix == BUNDLE:
            export_bundle(VoiceLibrary(source.parent), source.stem, target)
            return
        VoiceProfile.load(source)
        save_file(target, [source.read_bytes()])
        notes = Companions(source).sidecar
        if notes.is_file():
            save_file(Companions(target).sidecar, [notes.read_bytes()])

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
        for file in Companions(path).files:
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


def _forget_trash_info(place: Path) -> None:
    """The desktop's note about a trashed file goes with the file."""
    info = place.parent.parent / "info" / f"{place.name}.trashinfo"
    with contextlib.suppress(OSError):
        info.unlink(missing_ok=True)
