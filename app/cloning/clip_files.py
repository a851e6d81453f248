"""Opens a clip with the text beside it, and makes what the window needs to draw and play it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from app.takes.peaks import Peaks
from engine.audio.clip import AudioClip
from engine.errors import ReferenceAudioError

MAX_SECONDS = 180.0
MAX_TEXT_BYTES = 1 << 18
SUFFIXES = (
    ".wav", ".flac", ".mp3", ".ogg", ".oga", ".opus", ".aif", ".aiff", ".aifc", ".au", ".caf",
    ".w64", ".rf64", ".m4a", ".aac", ".wma", ".mp4",
)  # fmt: skip
"""Names that are taken for audio; whether it is one is judged by its content."""

BOMS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


@dataclass(frozen=True, slots=True, eq=False)
class PreparedClip:
    """A clip with its picture.

    Attributes:
        clip: as it was read or recorded.
        mono: its mix, float32 ``(n,)``.
        pyramid: extremes of ``mono``.
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
    from engine.audio.resample import downmix

    mono = np.ascontiguousarray(downmix(clip.samples).samples, np.float32)
    peaks = Peaks()
    peaks.update(mono)
    return PreparedClip(clip, mono, peaks, path)


def open_clip(path: Path) -> PreparedClip:
    """Read a clip and the ``.txt`` of its name, if there is one.

    Raises:
        ReferenceAudioError: it is no audio, empty, or silent.
    """
    from engine.audio.files import read_audio

    clip = read_audio(path, max_seconds=MAX_SECONDS)
    if not clip.samples.any():
        raise ReferenceAudioError(
            f"{clip.name} holds only digital silence",
            "The microphone was muted, or the export went wrong. Choose another clip.",
        )
    made = prepare(clip, path)
    text, note = beside(path)
    return PreparedClip(made.clip, made.mono, made.peaks, path, text, note)


def beside(path: Path) -> tuple[str, str]:
    """Transcript beside a clip, and a sentence about how it was read; both may be empty."""
    for name in dict.fromkeys((path.with_suffix(".txt"), path.with_suffix(".TXT"))):
        try:
            if name.is_file() and name.stat().st_size <= MAX_TEXT_BYTES:
                return decode_text(name.read_bytes(), name.name)
        except OSError:
            continue
    return "", ""


def decode_text(data: bytes, name: str) -> tuple[str, str]:
    """Text of bytes of unknown coding.

    A byte order mark decides, then UTF-8. Anything else is a guess, and the second value, a
    sentence for the user, says so.
    """
    coding, guessed = _coding(data)
    try:
        text = data.decode(coding)
    except UnicodeDecodeError:
        return "", f"{name} could not be read as text; type the transcript."
    text = "\n".join(line.strip() for line in text.replace("\0", "").splitlines()).strip()
    note = f"{name} is not UTF-8. It was read as {coding}; check its letters." if guessed else ""
    return text, note


def _coding(data: bytes) -> tuple[str, bool]:
    for mark, coding in BOMS:
        if data.startswith(mark):
            return coding, False
    zeros = data.count(0)
    if zeros > len(data) // 5:
        return ("utf-16-le" if data[1::2].count(0) > data[::2].count(0) else "utf-16-be"), True
    try:
        data.decode("utf-8")
        return "utf-8", False
    except UnicodeDecodeError:
        pass
    return ("gb18030" if _looks_chinese(data) else "cp1252"), True


def _looks_chinese(data: bytes) -> bool:
    """High bytes of GB text come in pairs; those of a European text stand alone."""
    paired = alone = at = 0
    while at < len(data):
        if data[at] < 0x81:
            at += 1
        elif at + 1 < len(data) and data[at] >= 0xA1 and data[at + 1] >= 0xA1:
            paired, at = paired + 1, at + 2
        else:
            alone, at = alone + 1, at + 1
    if paired <= 4 * alone:
        return False
    try:
        foreign = [c for c in data.decode("gb18030") if ord(c) >= 0x80]
    except UnicodeDecodeError:
        return False
    han = sum("\u3000" <= c <= "\u9fff" or "\uff00" <= c <= "\uffef" for c in foreign)
    return han >= 0.9 * len(foreign)
