"""The folder that keeps voices, one ``ID.s2voice`` each (spec 05, section 5)."""

from __future__ import annotations

import builtins
import os
from dataclasses import dataclass
from pathlib import Path

from engine.errors import EngineError, Message, OutputError, VoiceError
from engine.storage.names import is_companion
from engine.text.tags import is_speakable
from engine.voices.names import name_key, valid_id
from engine.voices.profile import (
    EXTENSION,
    HEADER,
    VoiceHeader,
    VoiceProfile,
    already_exists,
    not_written,
    open_profile,
    parse_transcript,
)

DEFAULT_DIRECTORY = Path("voices")
FRAME_SECONDS = 2048 / 44100
"""A frame of this model family's codecs; smaller sample rates have shorter frames in samples."""
PREVIEW_CHARS = 80
_MAX_FILE_NAME_BYTES = 255


@dataclass(frozen=True, slots=True)
class VoiceEntry:
    """One line of a listing, read from the file's head; the codes are not looked at.

    Attributes:
        seconds: length of the recording.
        preview: first characters of the transcript, on one line.
        size: bytes of the file.
        mtime: time of the last change, seconds since 1970.
        error: why the file cannot be used; empty when it can, as far as the head tells.
        warnings: sentences for the user.
    """

    id: str
    path: Path
    frames: int = 0
    seconds: float = 0.0
    preview: str = ""
    size: int = 0
    mtime: float = 0.0
    num_codebooks: int = 0
    sample_rate: int = 0
    codebook_size: int = 0
    error: str = ""
    warnings: tuple[str, ...] = ()


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
        return [self._entry(path) for path in self._files()]

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

    def find(self, voice_id: str) -> Path:
        """Where the voice lies, under whatever case and composition of letters it has there.

        Raises:
            VoiceError: as :meth:`path`, or several voices differ by nothing else.
        """
        path = self.path(voice_id)
        if os.path.lexists(path):
            return path
        key = name_key(voice_id)
        like = [other for other in self._files() if name_key(other.stem) == key]
        if len(like) > 1:
            names = ", ".join(other.name for other in like)
            raise VoiceError("voice.several", voice_id=voice_id, names=names)
        return like[0] if like else path

    def load(self, voice_id: str) -> VoiceProfile:
        """Read a voice with all its codes; :class:`VoiceError` when that fails."""
        return VoiceProfile.load(self.find(voice_id))

    def save(self, voice_id: str, profile: VoiceProfile, overwrite: bool = True) -> Path:
        """Keep ``profile`` under ``voice_id``; makes the folder when it is missing.

        Raises:
            VoiceError: no valid id, an id that differs from another one only by case or
                accents' composition, or a profile that cannot be saved.
            OutputError: the file cannot be written, or it exists and ``overwrite`` is false.
        """
        path = self.find(voice_id)
        if path.stem != voice_id:
            path = self.path(voice_id)
        self._check_alike(voice_id)
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise not_written(voice_id, error, self.directory) from error
        profile.save(path, overwrite=overwrite)
        return path

    def rename(self, old: str, new: str) -> Path:
        """Give a voice another id; another spelling of its own is fine.

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
            os.rename(source, target)
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

    def _seconds(self, header: VoiceHeader) -> float:
        if self.samples_per_frame is None:
            return header.frames * FRAME_SECONDS
        return header.frames * self.samples_per_frame / header.sample_rate

    def _entry(self, path: Path) -> VoiceEntry:
        size, mtime = 0, 0.0
        try:
            status = path.stat()
            size, mtime = status.st_size, status.st_mtime
            self.path(path.stem)
            header, transcript = _read_head(path)
        except (EngineError, OSError) as error:
            reason = error.detail if isinstance(error, EngineError) else str(error)
            return VoiceEntry(path.stem, path, size=size, mtime=mtime, error=reason)
        warnings = []
        if size > header.total_bytes:
            extra = size - header.total_bytes
            warnings.append(Message("voice.extra_bytes", extra=extra))
        if not is_speakable(transcript):
            warnings.append(Message("voice.no_transcript"))
        return VoiceEntry(
            path.stem,
            path,
            frames=header.frames,
            seconds=self._seconds(header),
            preview=_preview(transcript),
            size=size,
            mtime=mtime,
            num_codebooks=header.num_codebooks,
            sample_rate=header.sample_rate,
            codebook_size=header.codebook_size,
            warnings=tuple(warnings),
        )

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


def _read_head(path: Path) -> tuple[VoiceHeader, str]:
    """Header and transcript of a profile, with every check that does not need the codes."""
    with open_profile(path) as file:
        size = os.fstat(file.fileno()).st_size
        header = VoiceHeader.parse(file.read(HEADER.size), size, str(path))
        transcript = parse_transcript(file.read(header.transcript_bytes), str(path))
    header.check_codes(str(path))
    return header, transcript


def _preview(transcript: str) -> str:
    line = " ".join(transcript[: 4 * PREVIEW_CHARS].split())
    return line if len(line) <= PREVIEW_CHARS else line[: PREVIEW_CHARS - 1] + "…"
