"""The folder that keeps voices, one ``ID.s2voice`` each (spec 05, section 5).

A voice has a name, which is any text, and an id, which is the name of its file and is made of the
name. Both find it; where the two mean different voices the name counts, since it is what is shown.
"""

from __future__ import annotations

import builtins
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from engine.audio.clip import AudioClip
from engine.errors import EngineError, Message, OutputError, VoiceError
from engine.storage.names import is_companion
from engine.voices.companions import FOLDER, SIDECAR, Companions, read_sidecar
from engine.voices.listing import ID_CHARS, VoiceEntry, broken_entry, called, read_entry
from engine.voices.names import name_key, safe_name, unique_name, valid_id
from engine.voices.notes import VoiceNotes, shown_name
from engine.voices.profile import (
    EXTENSION,
    Codec,
    VoiceProfile,
    already_exists,
    not_written,
)

DEFAULT_DIRECTORY = Path("voices")
_MAX_FILE_NAME_BYTES = 255


class VoiceLibrary:
    """Voices in one folder; every operation stays inside it.

    The folder is made by the first save and by nothing else.

    Attributes:
        directory: the folder, which need not exist.
        samples_per_frame: of the codec, for the lengths in a listing; ``None`` takes frames as
            long as those of S2 Pro, since a voice file does not tell.
    """

    def __init__(
        self,
        directory: str | Path = DEFAULT_DIRECTORY,
        *,
        samples_per_frame: int | None = None,
    ) -> None:
        self.directory = Path(directory)
        self.samples_per_frame = samples_per_frame

    def ids(self) -> builtins.list[str]:
        """Ids of all voice files with a valid name, sorted; empty without a folder."""
        return [path.stem for path in self._files() if valid_id(path.stem)]

    def list(self) -> builtins.list[VoiceEntry]:
        """All voice files, sorted by id; one that is unusable says why in ``error``."""
        found = []
        for path in self._files():
            try:
                self.path(path.stem)
                found.append(read_entry(path, self.samples_per_frame))
            except EngineError as error:
                found.append(broken_entry(path, error.detail))
        return found

    def path(self, voice_id: str) -> Path:
        """Where the voice lies or would lie.

        Raises:
            VoiceError: no valid id, or a link that leads out of the folder.
        """
        path = self.directory / f"{_checked(voice_id)}{EXTENSION}"
        try:
            inside = path.resolve().is_relative_to(self.directory.resolve())
        except (OSError, RuntimeError):  # a loop of links
            inside = False
        if not inside:
            raise VoiceError("voice.outside", path=path)
        return path

    def find(self, name: str) -> Path:
        """Where the voice of a name or an id lies, under whatever case and composition of letters.

        Raises:
            VoiceError: several voices differ by nothing else; or no voice has it, and it cannot
                be an id.
        """
        there = self._by_id(name) if valid_id(name) else None
        key = name_key(name)
        if there is not None and name_key(self.name_of(there)) == key:
            return there
        called = [path for path in self._files() if name_key(self.name_of(path)) == key]
        if len(called) > 1:
            raise _several(name, called)
        if called:
            return called[0]
        if there is not None:
            return there
        return self.path(name)

    def _by_id(self, voice_id: str) -> Path | None:
        path = self.path(voice_id)
        if os.path.lexists(path):
            return path
        key = name_key(voice_id)
        like = [other for other in self._files() if name_key(other.stem) == key]
        if len(like) > 1:
            raise _several(voice_id, like)
        return like[0] if like else None

    def name_of(self, path: Path) -> str:
        """What the voice in a file is called: by its notes, or else like the file. Notes whose
        name this file was not made of are older than the file's name, which somebody changed."""
        return called(read_sidecar(Companions(path).sidecar).name, path.stem)

    def like(self, name: str, but: str = "") -> str:
        """Id of the voice that is called ``name`` but for case and composition; empty when there is
        none. ``but`` is an id that does not count."""
        key = name_key(shown_name(name))
        for path in self._files():
            if path.stem != but and name_key(self.name_of(path)) == key:
                return path.stem
        return ""

    def free_name(self, wish: str) -> str:
        """A name like ``wish`` that no voice has."""
        taken = [self.name_of(path) for path in self._files()]
        return unique_name(shown_name(wish) or "voice", taken)

    def load(self, voice_id: str, codec: Codec | None = None) -> VoiceProfile:
        """Read a voice with all its codes: as it was made for ``codec``, where it was.

        Raises :class:`VoiceError` when that fails.
        """
        return load_for(self.find(voice_id), codec)

    def companions(self, voice_id: str) -> Companions:
        """What lies beside a voice; raises :class:`VoiceError` as :meth:`find`."""
        return Companions(self.find(voice_id))

    def keep(
        self,
        name: str,
        profile: VoiceProfile,
        clips: Sequence[tuple[AudioClip, str]] = (),
        notes: VoiceNotes | None = None,
    ) -> str:
        """Keep a new voice under any name, with the clips that it was made of and their texts.

        Args:
            clips: as :func:`~engine.voices.clips.kept_clip` makes them.

        Returns:
            The id that was made of the name.

        Raises:
            VoiceError: no name, one that another voice has, or a profile that cannot be saved.
            OutputError: it cannot be written. When only what belongs beside the voice cannot, the
                voice is kept and the error says so.
        """
        name = self._new_name(name)
        voice_id = self._free_id(name)
        path = self.save(voice_id, profile, overwrite=False)
        try:
            noted = "" if name == voice_id else name
            beside, notes = Companions(path), replace(notes or VoiceNotes(), name=noted)
            if clips:
                beside.set_clips(tuple(clips), notes)
            else:
                beside.write_notes(notes)
        except OutputError as error:
            raise OutputError(
                "voice.notes_unsaved", advice=error.advice, voice_id=name, reason=error.detail
            ) from error
        return voice_id

    def put(
        self,
        name: str,
        profile: VoiceProfile,
        clips: Sequence[tuple[AudioClip, str]] = (),
        consent: str = "",
    ) -> str:
        """Keep a voice in place of the one that is called ``name``, if there is one, with its
        clips; what is noted about that one stays. Returns the id; see :meth:`keep` for errors."""
        voice_id = self.like(name)
        if not voice_id:
            return self.keep(name, profile, clips, VoiceNotes(consent=consent))
        beside = Companions(self.save(voice_id, profile))
        notes = beside.notes()
        if consent:
            notes = replace(notes, consent=consent)
        beside.set_clips(tuple(clips), notes)
        return voice_id

    def call(self, voice_id: str, name: str) -> str:
        """Give a voice another name, which is any text; its files follow.

        Returns:
            Its id from now on.

        Raises:
            VoiceError: there is no such voice, no name, or another voice has it.
            OutputError: the files cannot be written; then nothing has changed.
        """
        source = self.find(voice_id)
        if not os.path.isfile(source):
            raise VoiceError("voice.absent", advice=self._known(), name=voice_id)
        name = self._new_name(name, but=source.stem)
        new = self._free_id(name, but=source.stem)
        target, beside = self.path(new), Companions(source)
        notes = beside.notes()
        try:
            if new != source.stem:
                beside.move(target)
            if called(notes.name, new) != name:
                Companions(target).write_notes(replace(notes, name=name))
        except OSError as error:
            raise not_written(name, error, self.directory) from error
        except OutputError:
            if new != source.stem:
                Companions(target).move(source)
            raise
        return new

    def _new_name(self, name: str, but: str = "") -> str:
        shown = shown_name(name)
        if not shown:
            raise VoiceError("voice.no_name")
        if other := self.like(shown, but):
            called = self.name_of(self.path(other))
            raise VoiceError("voice.similar_name", voice_id=shown, stem=called)
        return shown

    def _free_id(self, name: str, but: str = "") -> str:
        """An id made of a name; what lies here without its voice counts as taken."""
        try:
            files = [path for path in self.directory.iterdir() if path.stem != but]
        except OSError:
            files = []
        taken = [path.stem for path in files if path.suffix in (EXTENSION, SIDECAR, FOLDER)]
        return unique_name(safe_name(name, ID_CHARS, fallback="voice"), taken)

    def save(self, voice_id: str, profile: VoiceProfile, overwrite: bool = True) -> Path:
        """Keep ``profile`` under ``voice_id``; makes the folder when it is missing.

        Raises:
            VoiceError: no valid id, an id that differs from another one only by case or
                accents' composition, or a profile that cannot be saved.
            OutputError: the file cannot be written, or it exists and ``overwrite`` is false.
        """
        path = self._by_id(voice_id)
        if path is None or path.stem != voice_id:
            path = self.path(voice_id)
        self._check_alike(voice_id)
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise not_written(voice_id, error, self.directory) from error
        profile.save(path, overwrite=overwrite)
        return path

    def rename(self, old: str, new: str) -> Path:
        """Give a voice another id, and its files with it; another spelling of its own is fine.

        Raises:
            VoiceError: an id is not valid, ``old`` does not exist, or ``new`` is like the id
                of a third voice.
            OutputError: ``new`` exists or the folder cannot be written.
        """
        source, target = self.find(old), self.path(new)
        if not os.path.isfile(source):
            raise VoiceError("voice.absent", advice=self._known(), name=old)
        self._check_alike(new, but=source.stem)
        try:
            if (
                source != target
                and os.path.lexists(target)
                and not os.path.samefile(source, target)
            ):
                raise already_exists(new)
            Companions(source).move(target)
        except OSError as error:
            raise not_written(new, error, self.directory) from error
        return target

    def remove(self, voice_id: str) -> bool:
        """Delete a voice; false when there is none.

        Raises:
            VoiceError: no valid id or outside the folder.
            OutputError: the file cannot be deleted.
        """
        path = self.find(voice_id)
        if not os.path.isfile(path):
            return False
        try:
            path.unlink()
            Companions(path).remove()
        except OSError as error:
            reason = error.strerror or str(error)
            raise OutputError("voice.not_removed", voice_id=voice_id, reason=reason) from error
        return True

    def _files(self) -> builtins.list[Path]:
        try:
            found = [
                path
                for path in self.directory.iterdir()
                if path.suffix.lower() == EXTENSION
                and not is_companion(path.name)
                and path.is_file()
            ]
        except OSError:
            return []
        return sorted(found, key=lambda path: os.fsencode(path.stem))

    def _check_alike(self, voice_id: str, but: str | None = None) -> None:
        """Refuse an id that another system would take for that of an existing voice."""
        for other in self._files():
            if other.stem in (voice_id, but):
                continue
            if name_key(other.stem) == name_key(voice_id):
                raise VoiceError("voice.similar_name", voice_id=voice_id, stem=other.stem)

    def _known(self) -> Message:
        ids = self.ids()
        if not ids:
            return Message("voice.none_there", folder=self.directory)
        more = " ..." if len(ids) > 10 else ""
        return Message("voice.known", names=", ".join(ids[:10]) + more)


def resolve_voice(
    value: str, directory: str | Path | None = None
) -> tuple[Path | None, str | None]:
    """Folder and id of a voice that was given as an id or as a path (spec 05, section 5).

    Only a value that ends in ``.s2voice`` and has a folder in front of it is a path; then
    ``directory`` does not count.

    Returns:
        The folder, ``None`` when neither the value nor ``directory`` names one, so that the
        caller's default holds; and the id, unchecked, ``None`` for no voice.
    """
    folder = Path(directory) if directory is not None and str(directory) else None
    if not value:
        return folder, None
    path = Path(value)
    if path.suffix.lower() != EXTENSION:
        return folder, value
    if path.name != value:
        return path.parent, path.stem
    return folder, path.stem


def _checked(voice_id: str) -> str:
    if not valid_id(voice_id):
        raise VoiceError("voice.bad_name", voice_id=voice_id[:60])
    try:
        too_long = len(f"{voice_id}{EXTENSION}".encode()) > _MAX_FILE_NAME_BYTES
    except UnicodeEncodeError:
        too_long = True
    if too_long:
        raise VoiceError("voice.long_name", voice_id=voice_id[:60])
    return voice_id


def load_for(path: Path, codec: Codec | None) -> VoiceProfile:
    """The voice of a file: as it was made for ``codec``, where it was, or else the file itself.

    Raises :class:`VoiceError`.
    """
    profile = VoiceProfile.load(path)
    if codec is None or profile.codec == codec:
        return profile
    other = Companions(path).others().get(codec)
    return profile if other is None else VoiceProfile.load(other)


def _several(name: str, paths: builtins.list[Path]) -> VoiceError:
    return VoiceError("voice.several", voice_id=name, names=", ".join(p.name for p in paths))
