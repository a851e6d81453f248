"""Voice profiles: transcript and codec codes of a reference recording (spec 05, sections 1-4).

The byte layout is the peer's, so files travel both ways. A profile from disk is data that
nobody vouches for: every field is checked before it is used, in a fixed order, and no memory
is taken on the word of a header.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, NamedTuple, Protocol

import numpy as np

from engine.errors import Message, OutputError, VoiceError
from engine.storage.files import write_file, write_new
from engine.storage.regular_files import open_regular
from engine.text.tags import is_speakable

EXTENSION = ".s2voice"
MAGIC = b"S2VOICE\0"
VERSION = 1
HEADER = struct.Struct("<8sIiiiiQQ")
MAX_TRANSCRIPT_BYTES = 2**20
MAX_CODES_BYTES = 2**28
MAX_CODEBOOKS = 64
MAX_FRAMES = 65536
MAX_SAMPLE_RATE = 768_000
MAX_CODEBOOK_SIZE = 65536


def _error(code: str, source: str = "") -> VoiceError:
    return VoiceError(code, "advice.voice_file" if source else "advice.voice_again", source=source)


class HasCodec(Protocol):
    """What tells its codec, such as :class:`~engine.types.ModelInfo`."""

    @property
    def num_codebooks(self) -> int: ...

    @property
    def codebook_size(self) -> int: ...

    @property
    def sample_rate(self) -> int: ...


class Codec(NamedTuple):
    """What a voice and a model must have in common before the one can speak with the other."""

    num_codebooks: int
    codebook_size: int
    sample_rate: int

    @classmethod
    def of(cls, info: HasCodec) -> Codec:
        """That of a model."""
        return cls(info.num_codebooks, info.codebook_size, info.sample_rate)


@dataclass(frozen=True, slots=True)
class VoiceHeader:
    """The first 44 bytes of a profile.

    Attributes:
        frames: codec frames, 2048 samples each in the released model.
        sample_rate: of the codec, in Hz.
        codebook_size: of the AR model's tables, not of the codec.
        transcript_bytes: UTF-8 bytes with the closing NUL.
        codes_bytes: bytes of the codes.
    """

    num_codebooks: int
    frames: int
    sample_rate: int
    codebook_size: int
    transcript_bytes: int
    codes_bytes: int

    @property
    def codec(self) -> Codec:
        """What it was made with."""
        return Codec(self.num_codebooks, self.codebook_size, self.sample_rate)

    @property
    def total_bytes(self) -> int:
        """Size of the file that this header announces."""
        return HEADER.size + self.transcript_bytes + self.codes_bytes

    @classmethod
    def parse(cls, head: bytes, size: int, source: str = "") -> VoiceHeader:
        """Checks 2 to 6 of spec 05, section 3, which say how much may be read.

        Args:
            head: the first 44 bytes, or fewer when there are fewer.
            size: bytes that the whole file has.
        """
        if size < HEADER.size or len(head) < HEADER.size:
            raise _error("profile.truncated", source)
        magic, version, *rest = HEADER.unpack(head[: HEADER.size])
        num_codebooks, frames, rate, codebook_size, transcript_bytes, codes_bytes = rest
        header = cls(num_codebooks, frames, rate, codebook_size, transcript_bytes, codes_bytes)
        if magic != MAGIC:
            raise _error("profile.magic", source)
        if version != VERSION:
            raise _error("profile.version", source)
        if transcript_bytes < 1:
            raise _error("profile.transcript_length", source)
        if transcript_bytes > MAX_TRANSCRIPT_BYTES or codes_bytes > MAX_CODES_BYTES:
            raise _error("profile.too_large", source)
        if header.total_bytes > size:
            raise _error("profile.truncated", source)
        return header

    def check_codes(self, source: str = "") -> None:
        """Checks 9 to 11: the numbers are sane and agree with each other."""
        if self.codes_bytes % 4:
            raise _error("profile.codes_size", source)
        if not (
            1 <= self.num_codebooks <= MAX_CODEBOOKS
            and 1 <= self.frames <= MAX_FRAMES
            and 1 <= self.sample_rate <= MAX_SAMPLE_RATE
            and 1 <= self.codebook_size <= MAX_CODEBOOK_SIZE
        ):
            raise _error("profile.header", source)
        if self.codes_bytes != 4 * self.num_codebooks * self.frames:
            raise _error("profile.codes_mismatch", source)


def parse_transcript(data: bytes, source: str = "") -> str:
    """Checks 7 and 8: ``data`` is UTF-8 with one NUL, at its end; returns it without."""
    if data[-1:] != b"\0":
        raise _error("profile.open_transcript", source)
    text = data[:-1]
    if b"\0" in text:
        raise _error("profile.transcript", source)
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _error("profile.transcript", source) from error


@dataclass(frozen=True, slots=True, eq=False)
class VoiceProfile:
    """A voice: the transcript of a recording and its codes.

    Attributes:
        transcript: what is said in the recording.
        codes: int32 ``(codebooks, frames)``, read-only; row 0 is the semantic codebook.
        sample_rate: of the codec that made the codes, in Hz.
        codebook_size: of the AR model; every code is below it.
        warnings: sentences for the user about the file it came from.
    """

    transcript: str
    codes: np.ndarray
    sample_rate: int
    codebook_size: int
    warnings: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        codes = np.asarray(self.codes)
        if codes.ndim != 2 or not np.issubdtype(codes.dtype, np.integer):
            raise VoiceError("voice.code_array")
        # Before the cast, which would fold a wide number into the valid range.
        if codes.size and (int(codes.min()) < 0 or int(codes.max()) >= self.codebook_size):
            raise _error("profile.code_range")
        codes = np.array(codes, dtype=np.int32, order="C")
        codes.flags.writeable = False
        object.__setattr__(self, "codes", codes)

    @property
    def num_codebooks(self) -> int:
        """Number of codebooks."""
        return int(self.codes.shape[0])

    @property
    def codec(self) -> Codec:
        """What it was made with."""
        return Codec(self.num_codebooks, self.codebook_size, self.sample_rate)

    @property
    def frames(self) -> int:
        """Length in codec frames."""
        return int(self.codes.shape[1])

    def _key(self) -> tuple[object, ...]:
        shape, content = self.codes.shape, self.codes.tobytes()
        return self.transcript, self.sample_rate, self.codebook_size, shape, content

    def __eq__(self, other: object) -> bool:
        """Same content; warnings do not count."""
        return self._key() == other._key() if isinstance(other, VoiceProfile) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    @classmethod
    def from_bytes(cls, data: bytes | bytearray | memoryview, source: str = "") -> VoiceProfile:
        """Read a profile with every check of spec 05, section 3, in its order.

        Bytes behind the codes are accepted and named in ``warnings``.

        Args:
            source: file name for the message of an error.

        Raises:
            VoiceError: the first check that failed.
        """
        view = memoryview(data).cast("B")
        header = VoiceHeader.parse(bytes(view[: HEADER.size]), len(view), source)
        return cls._from_body(header, view[HEADER.size :], len(view), source)

    @classmethod
    def _from_body(
        cls, header: VoiceHeader, body: memoryview, size: int, source: str
    ) -> VoiceProfile:
        """Checks 7 to 13 on ``body``, the bytes behind the header, of a file of ``size`` bytes."""
        end = header.transcript_bytes
        transcript = parse_transcript(bytes(body[:end]), source)
        header.check_codes(source)
        codes = np.frombuffer(body[end : end + header.codes_bytes], dtype="<i4")
        if codes.min() < 0 or codes.max() >= header.codebook_size:
            raise _error("profile.code_range", source)
        extra = size - header.total_bytes
        warnings = (Message("voice.extra_bytes", extra=extra),) if extra else ()
        return cls(
            transcript,
            codes.reshape(header.num_codebooks, header.frames),
            header.sample_rate,
            header.codebook_size,
            warnings,
        )

    def to_bytes(self) -> bytes:
        """The file's bytes, exactly those that the peer writes for the same content.

        Raises:
            VoiceError: the profile would not pass the checks of :meth:`from_bytes`.
        """
        try:
            text = self.transcript.encode("utf-8") + b"\0"
        except UnicodeEncodeError as error:
            raise _error("profile.transcript") from error
        if len(text) > MAX_TRANSCRIPT_BYTES:
            raise _error("profile.too_large")
        parse_transcript(text)
        counts = self.num_codebooks, self.frames, self.sample_rate, self.codebook_size
        header = VoiceHeader(*counts, len(text), 4 * self.codes.size)
        header.check_codes()
        packed = HEADER.pack(MAGIC, VERSION, *counts, len(text), header.codes_bytes)
        return packed + text + self.codes.astype("<i4").tobytes()

    @classmethod
    def load(cls, path: str | Path) -> VoiceProfile:
        """Read a profile from disk; no more than the header rightly announces is read.

        Raises:
            VoiceError: it cannot be opened or fails a check.
        """
        source = str(path)
        with open_profile(Path(path)) as file, _reading(source):
            size = os.fstat(file.fileno()).st_size
            header = VoiceHeader.parse(file.read(HEADER.size), size, source)
            body = file.read(header.total_bytes - HEADER.size)
        if len(body) < header.total_bytes - HEADER.size:  # cut while it was read
            raise _error("profile.truncated", source)
        return cls._from_body(header, memoryview(body), size, source)

    def save(self, path: str | Path, *, overwrite: bool = True) -> None:
        """Write the profile whole or not at all.

        Raises:
            VoiceError: no transcript, or content that could not be loaded again.
            OutputError: the file cannot be written, or it exists and must not be replaced.
        """
        path = Path(path)
        if not is_speakable(self.transcript):
            raise VoiceError("voice.unsaved_transcript")
        data = self.to_bytes()
        try:
            if overwrite:
                write_file(path, [data])
            else:
                write_new([path], [data])
        except FileExistsError as error:
            raise already_exists(path.stem) from error
        except OSError as error:
            raise not_written(path.stem, error, path.parent) from error

    def check_model(
        self,
        num_codebooks: int,
        codebook_size: int,
        sample_rate: int,
        semantic_size: int,
        residual_size: int,
        *,
        as_reference: bool = True,
    ) -> None:
        """Check that a model can use this voice (spec 05, section 4).

        An encoder writes row 0 with the semantic codebook and the other rows with the smaller
        residual ones. A code beyond its own codebook passes the file's single limit but means
        another sound than was recorded, so it is refused, naming the row.

        Args:
            num_codebooks, codebook_size: of the AR model.
            sample_rate: of the codec, in Hz.
            semantic_size, residual_size: entries of the codec's codebooks.
            as_reference: for cloning, which needs the transcript; false for mere decoding.

        Raises:
            VoiceError: names what differs.
        """
        pairs = (
            ("number of codebooks", self.num_codebooks, num_codebooks),
            ("codebook size", self.codebook_size, codebook_size),
            ("sample rate", self.sample_rate, sample_rate),
        )
        wrong = [f"{name} is {mine}, not {model}" for name, mine, model in pairs if mine != model]
        if wrong:
            raise VoiceError("voice.incompatible", differences=", ".join(wrong))
        if as_reference and not is_speakable(self.transcript):
            raise VoiceError("voice.no_transcript")
        for row, codes in enumerate(self.codes):
            limit = residual_size if row else min(semantic_size, codebook_size)
            if codes.size and int(codes.max()) >= limit:
                raise VoiceError("voice.code_range", code=int(codes.max()), row=row, last=limit - 1)


def read_head(path: Path) -> tuple[VoiceHeader, str]:
    """Header and transcript of a profile, with every check that does not need the codes.

    Raises :class:`VoiceError`.
    """
    with open_profile(path) as file, _reading(str(path)):
        size = os.fstat(file.fileno()).st_size
        header = VoiceHeader.parse(file.read(HEADER.size), size, str(path))
        transcript = parse_transcript(file.read(header.transcript_bytes), str(path))
    header.check_codes(str(path))
    return header, transcript


@contextmanager
def _reading(source: str) -> Iterator[None]:
    """A disk that fails while it is read is a voice that cannot be read."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise VoiceError("voice.read_failed", source=source, reason=reason) from error


def open_profile(path: Path) -> BinaryIO:
    """Open a regular file for reading (check 1); the caller closes it.

    Raises:
        VoiceError: missing, unreadable, or something that is not a regular file, whose size
            and end could not be trusted.
    """
    try:
        return open_regular(path)
    except IsADirectoryError as error:
        raise _cannot_open(path, Message("voice.not_regular")) from error
    except OSError as error:
        raise _cannot_open(path, error.strerror or str(error)) from error


def already_exists(name: str) -> OutputError:
    """The error for a name that is taken."""
    return OutputError("voice.exists", name=name)


def not_written(name: str, error: OSError, folder: Path) -> OutputError:
    """The error for a voice that cannot be written into ``folder``."""
    reason = error.strerror or str(error)
    return OutputError("voice.not_saved", name=name, reason=reason, folder=folder)


def _cannot_open(path: Path, reason: str) -> VoiceError:
    return VoiceError("voice.unopened", path=path, reason=reason)
