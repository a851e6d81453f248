"""The sound of what phones record and of videos, read through the optional part ``av`` (FFmpeg).

Only kinds that are named here are tried, each by its own reader: a reader that is guessed could be
one that opens other files or the network. What a file says about its length is not believed.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
import soundfile

from engine.errors import Message, ReferenceAudioError

if TYPE_CHECKING:
    from av.audio.frame import AudioFrame
    from av.audio.resampler import AudioResampler

KINDS: tuple[tuple[int, bytes, str], ...] = (
    (4, b"ftyp", "mov"),
    (4, b"moov", "mov"),
    (4, b"mdat", "mov"),
    (4, b"wide", "mov"),
    (0, b"\x1aE\xdf\xa3", "matroska"),
    (0, b"\xff\xf1", "aac"),
    (0, b"\xff\xf9", "aac"),
    (0, b"0&\xb2u\x8ef\xcf\x11", "asf"),
    (0, b"#!AMR", "amr"),
    (8, b"AVI LIST", "avi"),
)
"""Place and bytes of a mark, and the reader of such files."""
MAX_READS = 8
"""Times that a whole file may be read: a damaged index makes a reader jump to and fro."""
SPARE_BYTES = 16 << 20
MAX_SILENT_PACKETS = 200_000
"""Packets without sound, such as pictures of a video, before the first or next sample."""


def media_kind(head: bytes) -> str:
    """The reader for a file that begins so (12 bytes or more); empty when none is meant."""
    return next((kind for at, mark, kind in KINDS if head.startswith(mark, at)), "")


def media_installed() -> bool:
    """Whether the optional part is there; it is not imported for that."""
    try:
        return importlib.util.find_spec("av") is not None
    except (ImportError, ValueError):
        return False


def missing_part(label: str, what: str) -> ReferenceAudioError:
    """The error where the part is absent, with the step that helps this installation."""
    advice = "audio.media_packaged" if getattr(sys, "frozen", False) else "audio.media_install"
    return ReferenceAudioError(
        "audio.media_missing", advice, label=label, what=what, python=sys.executable
    )


class MediaSound:
    """One sound track, read from start to end, as soundfile's files are.

    Attributes:
        samplerate, channels: of the first frame; later ones are converted to them.
        frames: samples that the file promises, 0 where it does not tell.
        format, subtype: container and coding.
        warnings: sentences about what was chosen.
    """

    def __init__(self, file: BinaryIO, size: int, kind: str, label: str) -> None:
        import av

        self.label, self.warnings = label, []  # type: tuple[str, list[str]]
        self._file = _Bounded(file, MAX_READS * size + SPARE_BYTES)
        self._rest = np.empty((0, 1), np.float32)
        self._container: Any = None
        try:
            self._container = av.open(self._file, format=kind, metadata_errors="ignore")
            self._begin(kind)
        except (av.FFmpegError, OSError, ValueError) as error:
            self.close()
            raise soundfile.SoundFileRuntimeError(str(error)) from error
        except BaseException:
            self.close()
            raise

    def _begin(self, kind: str) -> None:
        """Choose the track and decode its first samples, which tell what it is."""
        import av

        label, tracks = self.label, self._container.streams.audio
        if not tracks:
            raise ReferenceAudioError("audio.no_track", label=label)
        if len(tracks) > 1:
            self.warnings.append(Message("audio.first_track", label=label, tracks=len(tracks)))
        track = tracks[0]
        if track.codec_context is None:
            raise soundfile.SoundFileRuntimeError("its coding is unknown")
        self.format, self.subtype = kind.upper(), str(track.codec_context.name)
        self._resampler: AudioResampler | None = None
        self._shape: tuple[object, ...] = ()
        self._frames = self._decoded(track)
        first = next(self._frames, None)
        if first is None:
            raise soundfile.SoundFileRuntimeError("no sound could be decoded")
        self.samplerate, self.channels = self._rate, first.shape[1]
        self._rest = first
        seconds = 0.0
        if track.duration is not None and track.time_base is not None:
            seconds = float(track.duration * track.time_base)
        elif self._container.duration is not None:
            seconds = self._container.duration / av.time_base
        self.frames = round(seconds * self.samplerate) if 0 < seconds < 1e7 else 0

    def read(self, count: int, **_: object) -> np.ndarray:
        """Up to ``count`` samples, float32 ``(n, channels)``; none at the end.

        Raises :class:`soundfile.SoundFileRuntimeError` on damage.
        """
        parts, have = [self._rest], len(self._rest)
        while have < count:
            block = next(self._frames, None)
            if block is None:
                break
            parts.append(block)
            have += len(block)
        joined = np.concatenate(parts)
        self._rest = joined[count:].copy()
        return joined[:count]

    def close(self) -> None:
        if self._container is not None:
            self._container.close()

    def __enter__(self) -> MediaSound:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _decoded(self, track: Any) -> Iterator[np.ndarray]:
        import av

        empty = 0
        try:
            for packet in self._container.demux(track):
                empty += 1
                if empty > MAX_SILENT_PACKETS:
                    raise soundfile.SoundFileRuntimeError("packets without sound")
                for frame in packet.decode():
                    for block in self._converted(frame):
                        empty = 0
                        yield block
            for block in self._converted(None):
                yield block
        except (av.FFmpegError, OSError, ValueError) as error:
            raise soundfile.SoundFileRuntimeError(str(error)) from error

    def _converted(self, frame: AudioFrame | None) -> Iterator[np.ndarray]:
        """Samples of a frame, in the form of the first one; a file may change its mind."""
        from av.audio.resampler import AudioResampler

        shape: tuple[object, ...] = ()
        if frame is not None:
            shape = (frame.format.name, frame.layout.name, frame.sample_rate)
            if not self._shape:
                self._rate, self._layout = frame.sample_rate, frame.layout.name
        made: list[AudioFrame] = []
        if self._resampler is not None and shape != self._shape:
            made += self._resampler.resample(None)
            self._resampler = None
        if frame is not None:
            if self._resampler is None:
                self._resampler = AudioResampler("fltp", self._layout, self._rate)
                self._shape = shape
            frame.pts = None
            made += self._resampler.resample(frame)
        for each in made:
            block = np.ascontiguousarray(each.to_ndarray().T, np.float32)
            if len(block):
                yield block


class _Bounded:
    """A file that ends when it was read too often."""

    def __init__(self, file: BinaryIO, budget: int) -> None:
        self._file, self._left = file, budget
        file.seek(0)

    def read(self, count: int = -1) -> bytes:
        if self._left <= 0:
            return b""
        data = self._file.read(count)
        self._left -= len(data) + 64
        return data

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()
