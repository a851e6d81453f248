"""Where the command line reads a wish: the text from a file or a pipe, the kind of an output.

What cannot be met is refused; nothing else is done in its place.
"""

from __future__ import annotations

import argparse
import os
import stat
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO
from zipfile import BadZipFile

import numpy as np

from engine.audio.encode import ExportFormat, encode_audio
from engine.audio.stretch import FASTEST, SLOWEST
from engine.audio.wav import encode_wav, to_pcm16
from engine.commands.args import DEFAULT_TEXT, UsageError
from engine.commands.console import Console
from engine.errors import EngineError, OutputError, RequestError
from engine.storage.files import save_file
from engine.text.pauses import pause_seconds

STDIN = "-"
MAX_TEXT_BYTES = 16 << 20
RAW_ENDINGS = (".pcm", ".raw", ".s16")
KINDS = {
    ".flac": ExportFormat.FLAC_24,
    ".mp3": ExportFormat.MP3,
    ".ogg": ExportFormat.VORBIS,
    ".oga": ExportFormat.VORBIS,
    ".opus": ExportFormat.OPUS,
}
WAV_ENDINGS = (".wav", ".wave", "")


def text_of(args: argparse.Namespace, console: Console) -> str:
    """The text to speak: given, from a file, or what comes through a pipe.

    Raises:
        UsageError: it was given twice.
        EngineError: it cannot be read, is too long, or is no UTF-8.
        RequestError: the pipe or the file was empty.
    """
    if args.text is not None and args.text_file is not None:
        raise UsageError("cli.text_twice")
    if args.text is not None:
        return str(args.text)
    if args.text_file is not None and args.text_file != STDIN:
        return _from_file(args.text_file)
    if args.text_file is None and not is_piped():
        return DEFAULT_TEXT
    if args.text_file is None:
        console.info("Reading the text from standard input.")
    return _from_pipe()


def lines_of(name: str) -> list[str]:
    """The lines of a text file, or of standard input for ``-``, that have something on them.

    Raises:
        EngineError, RequestError: as :func:`text_of`.
    """
    text = _from_pipe() if name == STDIN else _from_file(name)
    return [line.strip() for line in text.splitlines() if line.strip()]


def check_speed(args: argparse.Namespace, text: str, console: Console, *, several: bool) -> None:
    """Refuse a speed that cannot be had, and say what else it changes.

    Raises:
        UsageError: out of range, or for sound that is no single finished file.
    """
    if not SLOWEST <= args.speed <= FASTEST:
        raise UsageError("cli.speed", lowest=SLOWEST, highest=FASTEST)
    if args.speed != 1 and (args.stream_file or args.play or several):
        raise UsageError("cli.speed_live")
    if args.speed != 1 and pause_seconds(text):
        console.warn("--speed changes pauses of exact length too")


def is_piped() -> bool:
    """Whether standard input is a pipe, a file or a socket: neither a terminal nor nothing."""
    try:
        mode = os.fstat(sys.stdin.fileno()).st_mode
    except (AttributeError, OSError, ValueError):
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISREG(mode) or stat.S_ISSOCK(mode)


def _from_file(name: str) -> str:
    try:
        with Path(name).open("rb") as file:
            return _decoded(file, name)
    except OSError as error:
        raise EngineError("cli.text_unreadable", path=name, reason=error) from error


def _from_pipe() -> str:
    stream = sys.stdin.buffer if sys.stdin is not None else None
    if stream is None:
        raise RequestError("cli.no_stdin")
    return _decoded(stream, "standard input")


def _decoded(file: BinaryIO, name: str) -> str:
    """All of a text, whatever its mark says of its encoding; no more than a bound is read."""
    data = file.read(MAX_TEXT_BYTES + 1)
    if len(data) > MAX_TEXT_BYTES:
        raise EngineError("cli.text_too_long", path=name, limit=MAX_TEXT_BYTES >> 20)
    try:
        text = data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise EngineError("cli.text_no_utf8", path=name, place=error.start) from error
    if not text.strip():
        raise RequestError("cli.text_empty", path=name)
    return text


def read_codes(path: str) -> np.ndarray:
    """Read codes from a .npy file; nothing in it is ever executed."""
    try:
        with Path(path).open("rb") as file:
            codes = np.load(file, allow_pickle=False)
    except (OSError, ValueError, EOFError, BadZipFile, MemoryError) as error:
        raise EngineError("cli.codes_unreadable", path=path, reason=error) from error
    if not isinstance(codes, np.ndarray) or codes.ndim != 2 or codes.dtype.kind not in "iu":
        raise EngineError("cli.bad_codes", path=path)
    if codes.shape[1] == 0:
        raise EngineError("cli.no_frames", path=path)
    return codes


@dataclass(frozen=True, slots=True)
class OutputKind:
    """What an output file will be.

    Attributes:
        raw: 16-bit samples without a header.
        kind: a compressed kind; ``None`` for WAV and raw.
    """

    raw: bool = False
    kind: ExportFormat | None = None


def output_kind(name: str, *, stream: bool, pcm16: bool) -> OutputKind:
    """What the ending of an output asks for.

    Args:
        stream: it is written while the sound is made.
        pcm16: 16 bits were asked for.

    Raises:
        OutputError: an ending that names no kind, or one that cannot do what was asked.
    """
    ending = Path(name).suffix.lower()
    if name == STDIN or ending in RAW_ENDINGS:
        return OutputKind(raw=True)
    if ending in WAV_ENDINGS:
        return OutputKind()
    kind = KINDS.get(ending)
    if kind is None:
        known = ", ".join([".wav", *KINDS, *RAW_ENDINGS])
        raise OutputError("cli.unknown_ending", ending=ending, known=known)
    if stream:
        raise OutputError("cli.stream_ending", ending=ending)
    if pcm16 and kind is not ExportFormat.FLAC_24:
        raise OutputError("cli.no_pcm16", ending=ending)
    return OutputKind(kind=ExportFormat.FLAC_16 if pcm16 else kind)


def save_sound(
    name: str, samples: np.ndarray, rate: int, asked: OutputKind, pcm16: bool = False
) -> None:
    """Write finished samples ``(n,)`` as :func:`output_kind` says."""
    if asked.raw:
        data = to_pcm16(samples).tobytes()
    elif asked.kind is not None:
        data = encode_audio(samples, rate, asked.kind)
    else:
        data = encode_wav(samples, rate, "PCM_16" if pcm16 else "FLOAT")
    save_file(name, [data])


def require_ending(name: str, ending: str) -> None:
    """Refuse a file name that says another kind than the one that is written.

    Raises:
        OutputError: it has another ending; none is right too.
    """
    found = Path(name).suffix.lower()
    if found not in ("", ending):
        raise OutputError("cli.other_ending", ending=found, wanted=ending)
