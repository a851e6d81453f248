"""Opens a clip with the text beside it, and makes what the window needs to draw and play it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from app.audio.peaks import Peaks
from app.core.text_files import decode_text
from engine.audio import AudioClip
from engine.errors import ReferenceAudioError

MAX_SECONDS = 180.0
MAX_TEXT_BYTES = 1 << 18
SUFFIXES = (
    ".wav", ".flac", ".mp3", ".ogg", ".oga", ".opus", ".aif", ".aiff", ".aifc", ".au", ".caf",
    ".w64", ".rf64", ".m4a", ".aac", ".wma", ".mp4", ".m4b", ".m4v", ".mov", ".3gp", ".webm",
    ".mkv", ".avi", ".amr",
)  # fmt: skip
"""Names that are taken for audio; whether it is one is judged by its content."""


@dataclass(frozen=True, slots=True, eq=False)
class PreparedClip:
    """A clip with its picture.

    Attributes:
        clip: as it was read or recorded.
        mono: its mix, float32 ``(n,)``.
        peaks: extremes of ``mono``.
        path: where it came from; ``None`` for a recording.
        text: transcript found beside it, empty without one.
        note: a sentence about that text, when it had to be guessed how to read it.
    """

    clip: AudioClip
    mono: np.ndarray
    peaks: Peaks
    path: Path | None = None
    text: str = ""
    note: str = ""


def prepare(clip: AudioClip, path: Path | None = None) -> PreparedClip:
    """Mix down and measure a clip; takes a moment for a long one."""
    from engine.audio import downmix

    mono = np.ascontiguousarray(downmix(clip.samples).samples, np.float32)
    peaks = Peaks()
    peaks.update(mono)
    return PreparedClip(clip, mono, peaks, path)


def open_clip(path: Path) -> PreparedClip:
    """Read a clip and the ``.txt`` of its name, if there is one.

    Raises:
        ReferenceAudioError: it is no audio, empty, or silent.
    """
    from engine.audio import read_audio

    clip = read_audio(path, max_seconds=MAX_SECONDS)
    if not clip.samples.any():
        raise ReferenceAudioError("clip.silent", name=clip.name)
    made = prepare(clip, path)
    text, note = beside(path)
    return PreparedClip(made.clip, made.mono, made.peaks, path, text, note)


def beside(path: Path) -> tuple[str, str]:
    """Transcript beside a clip, and a sentence about how it was read; both may be empty."""
    for name in dict.fromkeys((path.with_suffix(".txt"), path.with_suffix(".TXT"))):
        try:
            if name.is_file() and name.stat().st_size <= MAX_TEXT_BYTES:
                return _read_words(name.read_bytes(), name.name)
        except OSError:
            continue
    return "", ""


def _read_words(data: bytes, name: str) -> tuple[str, str]:
    """The text in a file, without blanks around its lines, and a sentence about a guess."""
    found = decode_text(data)
    if found is None:
        return "", f"{name} could not be read as text; type the transcript."
    text = "\n".join(line.strip() for line in found.text.splitlines()).strip()
    note = f"{name} is not UTF-8. It was read as {found.encoding}; check its letters."
    return text, note if found.guessed else ""
