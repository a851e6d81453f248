"""Where streamed sound goes: a growing WAV file, a raw pipe, or a function.

A sink gets ``start`` once, ``write`` for each piece, and then exactly one of ``finish`` and
``abort``. ``write`` returns false to ask the producer to stop (spec 06, section 4.3). Sinks
are used from one thread.
"""

from __future__ import annotations

import contextlib
import errno
import os
from itertools import islice
from pathlib import Path
from typing import BinaryIO, Protocol, runtime_checkable

import numpy as np

from engine.audio.wav import HEADER_BYTES, MAX_RIFF_BYTES, to_pcm16, wav_header
from engine.storage.files import (
    create_exclusive,
    is_special,
    output_error,
    shown,
    telling,
    write_all,
)
from engine.storage.names import numbered

SAMPLE_BYTES = 2


@runtime_checkable
class Sink(Protocol):
    """Takes mono float samples in the order of time."""

    def start(self, rate: int) -> None:
        """Prepare for samples at ``rate`` Hz; called before anything is generated."""

    def write(self, samples: np.ndarray) -> bool:
        """Take float samples ``(n,)``; false asks the producer to stop."""

    def finish(self) -> None:
        """Everything was written."""

    def abort(self) -> None:
        """The job was cancelled or failed; keep what there is. Never raises."""


class RawPcm16Sink:
    """Writes little-endian 16-bit samples without a header to a binary stream, at once.

    The stream stays open: it is the caller's, and often the standard output.
    """

    def __init__(self, stream: BinaryIO, name: str = "the output") -> None:
        self._stream = stream
        self._name = name
        self.samples_written = 0

    def start(self, rate: int) -> None:
        """Raw samples have no header; the reader must know the rate."""

    def write(self, samples: np.ndarray) -> bool:
        """Write and flush. Raises :class:`OutputError` when the reader is gone or it is full."""
        with telling(self._name):
            write_all(self._stream, to_pcm16(samples).tobytes())
            self._stream.flush()
        self.samples_written += len(samples)
        return True

    def finish(self) -> None:
        """Each piece was flushed already."""

    def abort(self) -> None:
        """Each piece was flushed already."""


class WavFileSink:
    """A 16-bit WAV file that is valid at every moment, up to the last piece.

    The header first holds the provisional sizes of spec 06, section 5. After each piece the
    samples are handed to the system, and only then the sizes are brought up to date, so that
    a killed process leaves a file that opens. An existing file is not touched before the
    first samples come. A file without samples is removed. What does not fit into one WAV goes
    on, sample by sample, in ``name.part2.wav`` and so on; existing files of such names are
    never overwritten. A pipe or device keeps the provisional header.

    Attributes:
        paths: files that hold samples or are about to, in order.
        samples_written: over all files.
    """

    def __init__(self, path: str | os.PathLike[str], *, max_bytes: int = MAX_RIFF_BYTES) -> None:
        """``max_bytes`` is the largest size of one file, header included."""
        if not HEADER_BYTES + SAMPLE_BYTES <= max_bytes <= MAX_RIFF_BYTES:
            raise ValueError(f"a WAV file cannot be limited to {max_bytes} bytes")
        self._first = Path(path)
        self._capacity = (max_bytes - HEADER_BYTES) // SAMPLE_BYTES
        self._special = False
        self._file: BinaryIO | None = None
        self._created = False
        self._in_file = 0
        self._rate = 0
        self._more_names = islice(numbered(self._first, ".part{}"), 1, None)
        self.paths: list[Path] = []
        self.samples_written = 0

    def start(self, rate: int) -> None:
        """Open the file, so that a place that cannot be written is known at once.

        Raises:
            OutputError: with the reason and a next step.
            RuntimeError: already started.
        """
        if self._file is not None:
            raise RuntimeError("this sink was already started")
        self._rate = rate
        self.paths = []
        self.samples_written = 0
        self._special = is_special(self._first)
        try:
            self._open_first()
        except OSError as error:
            self._end(keep_errors=False)
            raise output_error(shown(self._first), error) from error

    def write(self, samples: np.ndarray) -> bool:
        """Append samples, clamped to -1..1.

        Raises:
            OutputError: the disk is full or the file cannot be written; what was written
                before stays, and the file is closed and valid.
            RuntimeError: not started, or ended.
        """
        if self._file is None:
            raise RuntimeError("this sink is not open")
        pcm = to_pcm16(samples)
        try:
            while len(pcm):
                room = len(pcm) if self._special else self._capacity - self._in_file
                if room == 0:
                    self._open_part()
                    continue
                self._append(pcm[:room])
                pcm = pcm[room:]
        except OSError as error:
            failed = shown(self.paths[-1])
            self._end(keep_errors=False)
            raise output_error(failed, error) from error
        return True

    def finish(self) -> None:
        """Close the file. Raises :class:`OutputError` if that fails; harmless when ended."""
        with telling(shown(self._first)):
            self._end(keep_errors=True)

    def abort(self) -> None:
        """Close the file after a cancel or an error, keeping its samples; never raises."""
        self._end(keep_errors=False)

    def _open_first(self) -> None:
        self.paths.append(self._first)
        self._in_file = 0
        self._created = False
        if self._special:
            self._file = open(self._first, "wb", buffering=0)  # noqa: SIM115 (open until the end)
            write_all(self._file, wav_header(self._rate))
            return
        if self._first.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        try:
            self._file = create_exclusive(self._first)
        except FileExistsError:
            self._file = open(self._first, "r+b", buffering=0)  # noqa: SIM115 (open until the end)
            return
        self._begin_file()

    def _begin_file(self) -> None:
        assert self._file is not None
        self._created = True
        self._in_file = 0
        write_all(self._file, wav_header(self._rate))

    def _open_part(self) -> None:
        """Go on in a new file next to the first."""
        self._close()
        for path in self._more_names:
            with contextlib.suppress(FileExistsError):
                self._file = create_exclusive(path)
                break
        else:
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
        self.paths.append(path)
        self._begin_file()

    def _append(self, pcm: np.ndarray) -> None:
        file = self._file
        assert file is not None
        if not self._special and not self._created and self._in_file == 0:
            # The first samples of this job: only now an older file gives way.
            file.truncate(0)
            self._begin_file()
        write_all(file, pcm.tobytes())
        self._in_file += len(pcm)
        self.samples_written += len(pcm)
        self._patch()

    def _patch(self) -> None:
        """Bring the sizes up to date and return to the end of the samples."""
        if self._special or self._file is None:
            return
        header = wav_header(self._rate, self._in_file * SAMPLE_BYTES)
        self._file.seek(0)
        write_all(self._file, header)
        self._file.seek(HEADER_BYTES + self._in_file * SAMPLE_BYTES)

    def _end(self, *, keep_errors: bool) -> None:
        if self._file is None:
            return
        suppressed: tuple[type[BaseException], ...] = () if keep_errors else (OSError,)
        with contextlib.suppress(*suppressed):
            if self._created and self._in_file and not self._special:
                # Drops the part of a piece that a full disk took before it failed.
                self._file.truncate(HEADER_BYTES + self._in_file * SAMPLE_BYTES)
                self._patch()
        remove = self._created and self._in_file == 0 and not self._special
        self._close()
        if remove:
            with contextlib.suppress(OSError):
                self.paths[-1].unlink()
            self.paths.pop()
        elif self.samples_written == 0:
            self.paths.clear()

    def _close(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            with contextlib.suppress(OSError):
                file.close()
