"""One line of a listing of voices, read from the file's head and from what lies beside it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from engine.audio.clip import AudioClip
from engine.errors import EngineError, Message
from engine.text.tags import is_speakable
from engine.voices.companions import Companions
from engine.voices.names import name_key, safe_name
from engine.voices.notes import VoiceNotes
from engine.voices.profile import Codec, VoiceHeader, VoiceProfile, read_head

FRAME_SECONDS = 2048 / 44100
"""A frame of this model family's codecs; smaller sample rates have shorter frames in samples."""
PREVIEW_CHARS = 80
ID_CHARS = 60
"""Of an id that is made of a name."""


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
        name: what the voice is called.
        notes: what is known about it.
        codecs: what it can speak with, that of the file itself first.
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
    name: str = ""
    notes: VoiceNotes = field(default_factory=VoiceNotes)
    codecs: tuple[Codec, ...] = ()


@dataclass(frozen=True, slots=True)
class NewVoice:
    """A voice that was made of a clip just now.

    Attributes:
        name: what it is called, any text.
        clip, transcript: what it was made of.
        consent: who allowed it; empty when nobody said.
        replaces: id of the voice whose place it takes.
    """

    name: str
    profile: VoiceProfile
    clip: AudioClip
    transcript: str
    language: str = ""
    consent: str = ""
    replaces: str = ""


def read_entry(path: Path, samples_per_frame: int | None = None) -> VoiceEntry:
    """The line of a file; one that cannot be used says why in ``error``."""
    size, mtime = _facts(path)
    try:
        header, transcript = read_head(path)
    except EngineError as error:
        return broken_entry(path, error.detail)
    warnings = []
    if size > header.total_bytes:
        warnings.append(Message("voice.extra_bytes", extra=size - header.total_bytes))
    if not is_speakable(transcript):
        warnings.append(Message("voice.no_transcript"))
    beside = Companions(path)
    notes = beside.notes()
    return VoiceEntry(
        path.stem,
        path,
        frames=header.frames,
        seconds=_seconds(header, samples_per_frame),
        preview=_preview(transcript),
        size=size,
        mtime=mtime,
        num_codebooks=header.num_codebooks,
        sample_rate=header.sample_rate,
        codebook_size=header.codebook_size,
        warnings=tuple(warnings),
        name=called(notes.name, path.stem),
        notes=notes,
        codecs=(header.codec, *beside.others()),
    )


def broken_entry(path: Path, reason: str) -> VoiceEntry:
    """The line of a file that cannot be used."""
    size, mtime = _facts(path)
    return VoiceEntry(path.stem, path, size=size, mtime=mtime, error=reason, name=path.stem)


def called(noted: str, stem: str) -> str:
    """The noted name of a voice whose file is called ``stem``; of another file name than is made
    of it the file's, which somebody has changed."""
    made = name_key(safe_name(noted, ID_CHARS, fallback="voice"))
    key = name_key(stem)
    numbered = key.startswith(made + " ") and key[len(made) + 1 :].isdecimal()
    return noted if noted and (key == made or numbered) else stem


def _facts(path: Path) -> tuple[int, float]:
    try:
        status = path.stat()
    except OSError:
        return 0, 0.0
    return status.st_size, status.st_mtime


def _seconds(header: VoiceHeader, samples_per_frame: int | None) -> float:
    if samples_per_frame is None:
        return header.frames * FRAME_SECONDS
    return header.frames * samples_per_frame / header.sample_rate


def _preview(transcript: str) -> str:
    line = " ".join(transcript[: 4 * PREVIEW_CHARS].split())
    return line if len(line) <= PREVIEW_CHARS else line[: PREVIEW_CHARS - 1] + "…"
