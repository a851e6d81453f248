"""What lies beside a ``.s2voice``: the sidecar with its notes, and a folder with recordings,
a picture, and the profiles of the same voice for other codecs.

::

    Anna.s2voice                      the voice, as the peer reads it
    Anna.json                         notes, see :mod:`engine.voices.notes`
    Anna.voice/clip-1.flac            what it was made of
    Anna.voice/picture.png
    Anna.voice/10x4096-44100.s2voice  made anew for another codec

Whatever happens to the first happens to the others. Clips and other profiles belong to one
``.s2voice``, whose hash the notes hold: put there by hand, another one has none of them.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
from dataclasses import replace
from itertools import count
from pathlib import Path

from engine.audio.clip import AudioClip
from engine.errors import EngineError, OutputError, VoiceError
from engine.storage.files import save_file
from engine.storage.names import free_name
from engine.storage.regular_files import read_regular
from engine.voices.clips import pack_clip, unpack_clip
from engine.voices.notes import MAX_BYTES, MAX_CLIPS, ClipNote, VoiceNotes
from engine.voices.profile import EXTENSION, Codec, VoiceProfile, read_head

SIDECAR = ".json"
FOLDER = ".voice"
MAX_OTHERS = 16
MAX_HASHED = 16 << 20
"""Bytes of a profile whose hash is compared; five hours of speech have fewer."""
PICTURES = {b"\x89PNG\r\n\x1a\n": "png", b"\xff\xd8\xff": "jpg", b"RIFF": "webp"}
"""First bytes of a picture to its kind."""
MAX_PICTURE = 4 << 20


class Companions:
    """The files beside one profile.

    Attributes:
        profile: the ``.s2voice``.
        sidecar, folder: where its notes and its folder lie or would lie.
    """

    def __init__(self, profile: Path) -> None:
        self.profile = profile
        self.sidecar = profile.with_name(profile.stem + SIDECAR)
        self.folder = profile.with_name(profile.stem + FOLDER)

    @property
    def files(self) -> tuple[Path, ...]:
        """Profile, sidecar and folder, as far as they are there; no link is followed."""
        return tuple(
            path
            for path, kind in (
                (self.profile, os.path.isfile),
                (self.sidecar, os.path.isfile),
                (self.folder, os.path.isdir),
            )
            if kind(path) and not os.path.islink(path)
        )

    def notes(self) -> VoiceNotes:
        """What the sidecar says; nothing when it is absent, damaged or too large. Clips of
        another profile than the one that is there are left out."""
        found = read_sidecar(self.sidecar)
        if found.clips and found.profile_sha256 != self.digest():
            found = replace(found, clips=(), profile_sha256="")
        return found

    def digest(self) -> str:
        """SHA-256 of the profile; empty when it cannot be read or is too large."""
        try:
            data = read_regular(self.profile, MAX_HASHED)
        except OSError:
            return ""
        return hashlib.sha256(data).hexdigest() if len(data) <= MAX_HASHED else ""

    def write_notes(self, notes: VoiceNotes) -> None:
        """Keep ``notes``; a sidecar that cannot be read is put aside first.

        Raises:
            OutputError: it cannot be written, or is a link.
        """
        path = self.sidecar
        if path.is_symlink():
            # Writing would go through it to a file that is no sidecar of ours.
            raise OutputError("voice.link", name=path.name)
        if path.exists() and not _readable(path):
            with contextlib.suppress(OSError):
                path.replace(free_name(path.with_name(f"{path.stem}.damaged{SIDECAR}"), " {}"))
        save_file(path, [notes.to_bytes()])

    def set_clips(self, clips: tuple[tuple[AudioClip, str], ...], notes: VoiceNotes) -> VoiceNotes:
        """Keep the clips that the profile was made of just now, each with its text, in place of
        all others; profiles for other codecs, made of the others, go.

        Args:
            clips: as :func:`~engine.voices.clips.kept_clip` makes them.

        Raises:
            OutputError: they cannot be written; then the voice has no clips.
        """
        self._drop_others()
        self.make_folder()
        before = read_sidecar(self.sidecar)
        there = {note.sha256: note.file for note in before.clips}
        # What the notes still name is written over by nothing before they name other files.
        taken = {*there.values()}
        kept: list[ClipNote] = []
        for clip, text in clips[:MAX_CLIPS]:
            note, data = pack_clip(clip, "", text, notes.language)
            file = there.get(note.sha256) or next(
                name for number in count(1) if (name := f"clip-{number}.flac") not in taken
            )
            taken.add(file)
            save_file(self.folder / file, [data])
            kept.append(replace(note, file=file))
        notes = replace(notes, clips=tuple(kept), profile_sha256=self.digest())
        self.write_notes(notes)
        for path in self.folder.glob("clip-*.flac"):
            if path.name not in {note.file for note in kept}:
                path.unlink(missing_ok=True)
        return notes

    def load_clip(self, note: ClipNote) -> AudioClip:
        """A kept clip; :class:`VoiceError` when it is gone or another sound."""
        if self.folder.is_symlink() or (self.folder / note.file).is_symlink():
            raise VoiceError("voice.clip_gone", name=note.name or note.file)
        return unpack_clip(self.folder / note.file, note)

    def set_picture(self, data: bytes, notes: VoiceNotes) -> VoiceNotes:
        """Keep a picture (PNG, JPEG or WebP, at most 4 MB; empty for none), and the notes.

        Raises:
            VoiceError: it is no such picture.
            OutputError: it cannot be written.
        """
        kind = picture_kind(data) if data else ""
        if data and not kind:
            raise VoiceError("voice.no_picture")
        name = f"picture.{kind}" if kind else ""
        if name:
            self.make_folder()
            save_file(self.folder / name, [data])
        for old in self.folder.glob("picture.*"):
            if old.name != name:
                old.unlink(missing_ok=True)
        notes = replace(notes, picture=name)
        self.write_notes(notes)
        return notes

    def picture(self, notes: VoiceNotes) -> bytes:
        """The picture; empty when there is none, or the file holds something else."""
        path = self.folder / notes.picture
        if not notes.picture or self.folder.is_symlink() or path.is_symlink():
            return b""
        try:
            data = read_regular(path, MAX_PICTURE)
        except OSError:
            return b""
        return data if picture_kind(data) == notes.picture.partition(".")[2] else b""

    def others(self) -> dict[Codec, Path]:
        """Profiles of this voice for other codecs. What they are for is in the files, not in
        their names; one with another text belongs to another voice."""
        found: dict[Codec, Path] = {}
        if self.folder.is_symlink():
            return found
        for path in sorted(self.folder.glob(f"*{EXTENSION}"))[:MAX_OTHERS]:
            if path.is_symlink():
                continue
            try:
                header, _ = read_head(path)
            except EngineError:
                continue
            found.setdefault(header.codec, path)
        # The hash is read only where it matters.
        whole = found and read_sidecar(self.sidecar).profile_sha256 == self.digest()
        return found if whole else {}

    def keep_other(self, profile: VoiceProfile) -> Path:
        """Keep the same voice as made for another codec; raises :class:`OutputError`."""
        self.make_folder()
        codec = profile.codec
        path = self.folder / f"{codec.num_codebooks}x{codec.codebook_size}-{codec.sample_rate}"
        path = path.with_name(path.name + EXTENSION)
        profile.save(path)
        return path

    def move(self, target: Path) -> None:
        """Give all of them the name of another profile, or none.

        Raises :class:`OSError`; what was moved is back then.
        """
        other = Companions(target)
        done: list[tuple[Path, Path]] = []
        pairs = dict(zip(self._paths, other._paths, strict=True))
        try:
            for path in self.files:
                os.rename(path, pairs[path])
                done.append((path, pairs[path]))
        except OSError:
            for old, new in reversed(done):
                with contextlib.suppress(OSError):
                    os.rename(new, old)
            raise

    def copy(self, target: Path) -> None:
        """Copy sidecar and folder to those of another profile, which is there.

        Raises :class:`OSError`.
        """
        other = Companions(target)
        if self.sidecar in self.files:
            save_file(other.sidecar, [self.sidecar.read_bytes()])
        if self.folder in self.files:
            shutil.copytree(self.folder, other.folder, symlinks=True, dirs_exist_ok=True)

    def remove(self) -> None:
        """Delete sidecar and folder; raises :class:`OSError`."""
        self.sidecar.unlink(missing_ok=True)
        if self.folder in self.files:
            shutil.rmtree(self.folder)

    @property
    def _paths(self) -> tuple[Path, Path, Path]:
        return self.profile, self.sidecar, self.folder

    def _drop_others(self) -> None:
        for path in self.folder.glob(f"*{EXTENSION}"):
            with contextlib.suppress(OSError):
                path.unlink()

    def make_folder(self) -> None:
        """Have the folder; raises :class:`OutputError`."""
        if self.folder.is_symlink():
            raise OutputError("voice.link", name=self.folder.name)
        try:
            self.folder.mkdir(exist_ok=True)
        except OSError as error:
            raise OutputError(
                "output.folder_not_made", folder=self.folder, reason=error.strerror or error
            ) from error


def read_sidecar(path: Path) -> VoiceNotes:
    """The notes in a file; empty when it is absent, damaged or too large."""
    try:
        return VoiceNotes.from_bytes(read_regular(path, MAX_BYTES))
    except (OSError, ValueError):
        return VoiceNotes()


def picture_kind(data: bytes) -> str:
    """``png``, ``jpg`` or ``webp`` by its first bytes; empty for anything else or too much."""
    if len(data) > MAX_PICTURE:
        return ""
    kind = next((kind for start, kind in PICTURES.items() if data.startswith(start)), "")
    return "" if kind == "webp" and data[8:12] != b"WEBP" else kind


def _readable(path: Path) -> bool:
    try:
        VoiceNotes.from_bytes(read_regular(path, MAX_BYTES))
    except (OSError, ValueError):
        return False
    return True
