"""Where a sound came from: everything needed to make a take again, carried in its file.

A take's text, voices, seed, settings and model stand as one line of JSON in the comment of the
sound file, its codes in a private chunk of WAV or in the JSON itself
(:mod:`engine.takes.provenance_codes`). Nothing in it tells the time unless asked, so the same seed
gives the same file.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from engine.audio.riff import is_wav
from engine.errors import EngineError, Message
from engine.storage.regular_files import NotRegularError, open_regular
from engine.storage.strict_json import dump_line, parse_object, read_record, short
from engine.takes.provenance_codes import (
    MAX_COMMENT_BYTES,
    CodesError,
    file_size,
    pack_codes,
    read_wav_chunks,
    unpack_codes,
)
from engine.takes.sound_mark import is_same_sound
from engine.text.pronunciations import checked_pronunciations
from engine.types import (
    MAX_SEED,
    NUMBERS_VERSION,
    FinishReason,
    ModelInfo,
    PostProcessing,
    Sampling,
    Segmentation,
    StreamOptions,
    Summary,
    SynthesisRequest,
)
from engine.voices import VoiceProfile

MARK = "s2take"
VERSION = 1
MAX_VOICES = 64
MAX_SEGMENTS = 1 << 16
_HEAD_BYTES = 12
_NOT_PLAIN = frozenset({"codes", "warnings"})


class ProvenanceError(EngineError):
    """A file says that it is a take, but what it says cannot be used."""


@dataclass(frozen=True, slots=True)
class VoiceMark:
    """A voice as a take remembers it.

    Attributes:
        id: its name in the library then.
        sha256: of its codes, see :func:`codes_hash`; tells whether the voice is still the same.
    """

    id: str
    sha256: str


@dataclass(frozen=True, slots=True, eq=False)
class Provenance:
    """Everything that made a take.

    Attributes:
        seed: the seed that was used; ``sampling.seed`` is what was asked, perhaps ``None``.
        voices: in the order of their speaker numbers; empty for none.
        quantisation: main type of the weights, such as ``Q4_K``.
        sample_rate: of the model, in Hz; the file may have another one.
        code_sizes: entries of the semantic and of the residual codebooks.
        segments: first frame and first sample of each piece of a long text; empty for one.
        pronunciations: of the request; what is spoken is not in ``text``.
        prefix_frames: frames of ``codes`` that the take was given to begin with.
        codes: int32 ``(codebooks, frames)``, read-only; ``None`` when the file has none.
        numbers: version of the random numbers that the seed stands for; those of another one
            sound different.
        made: time in ISO form, empty unless asked for.
        sound: mark of the sound of an exported file (:mod:`engine.takes.sound_mark`).
        warnings: sentences about what could not be restored; not compared, not stored.
    """

    text: str
    seed: int
    sampling: Sampling = field(default_factory=Sampling)
    stream: StreamOptions = field(default_factory=StreamOptions)
    post: PostProcessing = field(default_factory=PostProcessing)
    segmentation: Segmentation = field(default_factory=Segmentation)
    voices: tuple[VoiceMark, ...] = ()
    model: str = ""
    quantisation: str = ""
    engine_version: str = ""
    sample_rate: int = 0
    samples_per_frame: int = 0
    codebooks: int = 0
    code_sizes: tuple[int, int] = (0, 0)
    finish_reason: FinishReason = "end"
    segments: tuple[tuple[int, int], ...] = ()
    pronunciations: tuple[tuple[str, str], ...] = ()
    prefix_frames: int = 0
    codes: np.ndarray | None = None
    numbers: int = 1
    made: str = ""
    sound: str = ""
    warnings: tuple[str, ...] = ()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Provenance):
            return NotImplemented
        mine, its = ({**each._plain(), "sound": ""} for each in (self, other))
        return mine == its and _same_codes(self.codes, other.codes)

    def __hash__(self) -> int:
        return hash((self.text, self.seed, self.model))

    @classmethod
    def of(
        cls,
        request: SynthesisRequest,
        summary: Summary,
        info: ModelInfo,
        voice_ids: Sequence[str] = (),
        *,
        segments: Sequence[tuple[int, int]] = (),
        made: str = "",
    ) -> Provenance:
        """What a finished synthesis was. ``voice_ids`` go with ``request.references``."""
        ids = [*voice_ids, *[""] * len(request.references)]
        from engine import __version__

        return cls(
            text=request.text,
            seed=summary.seed,
            sampling=request.sampling,
            stream=request.stream,
            post=request.post,
            segmentation=request.segmentation,
            voices=tuple(
                VoiceMark(name, codes_hash(voice))
                for name, voice in zip(ids, request.references, strict=False)
            ),
            model=info.name or Path(info.path).stem,
            quantisation=main_type(info.types),
            engine_version=__version__,
            sample_rate=info.sample_rate,
            samples_per_frame=info.samples_per_frame,
            codebooks=info.num_codebooks,
            code_sizes=(info.semantic_size, info.residual_size),
            finish_reason=summary.finish_reason,
            segments=tuple(segments),
            pronunciations=request.pronunciations,
            prefix_frames=_frames(request.prefix_codes),
            codes=_frozen(summary.codes),
            numbers=NUMBERS_VERSION,
            made=made,
        )

    def request(self, references: tuple[VoiceProfile, ...] = ()) -> SynthesisRequest:
        """The synthesis that gives this take again, with its seed, spoken by ``references``."""
        sampling = replace(self.sampling, seed=self.seed)
        begun = None
        if self.prefix_frames and self.codes is not None:
            begun = self.codes[:, : self.prefix_frames]
        return SynthesisRequest(
            self.text, references, sampling, self.stream, self.post, self.segmentation,
            pronunciations=self.pronunciations, prefix_codes=begun,
        )  # fmt: skip

    @property
    def seed_warnings(self) -> tuple[Message, ...]:
        """Whether the seed still gives this take."""
        if self.numbers == NUMBERS_VERSION:
            return ()
        return (Message("provenance.other_numbers"),)

    def of_this_sound(self, samples: np.ndarray, rate: int) -> Provenance:
        """The story as far as it fits the ``samples`` ``(n,)`` that stand beside it.

        Where they are not those that were exported, codes and pieces are another sound's: they are
        left out, and ``warnings`` say so. Pieces that would begin behind the end go too.
        """
        if is_same_sound(self.sound, samples, rate) and self._is_long_enough(len(samples), rate):
            return self
        told = (*self.warnings, Message("provenance.other_sound"))
        return replace(self, codes=None, segments=(), warnings=told)

    def _is_long_enough(self, count: int, rate: int) -> bool:
        """For files without a mark: whether pieces and codes fit into the sound."""
        if self.sound or self.post.any or not self.sample_rate:
            return True
        seconds = count / rate
        begins = max((start for _, start in self.segments), default=0) / self.sample_rate
        frames = 0 if self.codes is None else self.codes.shape[1]
        least = frames * self.samples_per_frame / self.sample_rate
        return begins <= seconds and least <= seconds + 0.05

    def check_codec(self, info: ModelInfo) -> None:
        """Check that the codec of a model can decode the codes.

        Raises:
            ProvenanceError: there are none, or the codec is another one; names the difference.
        """
        if self.codes is None:
            raise ProvenanceError("provenance.no_codes")
        # The codes themselves are not compared with the sizes: a model may generate a code
        # beyond its codec's table, which the codec clamps, then as now.
        pairs = (
            ("number of codebooks", self.codebooks, info.num_codebooks),
            ("sample rate", self.sample_rate, info.sample_rate),
            ("samples a frame", self.samples_per_frame, info.samples_per_frame),
            ("sizes of codebooks", self.code_sizes, (info.semantic_size, info.residual_size)),
        )
        wrong = [f"{name} {mine}, not {model}" for name, mine, model in pairs if mine != model]
        if wrong:
            raise ProvenanceError(
                "provenance.other_codec",
                differences="; ".join(wrong),
                model=self.model or "that made it",
            )

    def to_json(self, *, with_codes: bool = False, ascii_only: bool = False) -> str:
        """One line of JSON. With codes they come last, so that a reader sees the rest first."""
        plain = {MARK: VERSION, **self._plain()}
        if with_codes and self.codes is not None and self.codes.size:
            plain["codes"] = base64.b64encode(pack_codes(self.codes)).decode("ascii")
        return dump_line(plain, ascii_only=ascii_only)

    @classmethod
    def from_json(cls, text: str | bytes, packed: bytes | None = None) -> Provenance | None:
        """Read what :meth:`to_json` wrote; ``None`` for any text that is something else.

        Codes that are damaged are left out and named in ``warnings``: the rest still helps.

        Args:
            packed: codes that stand outside of the JSON; they go first.

        Raises:
            ProvenanceError: it is a take's, but damaged or of a newer version.
        """
        plain = _parse(text)
        if plain is None:
            return None
        if plain.get(MARK) != VERSION:
            raise ProvenanceError("provenance.form", form=short(plain.get(MARK)))
        codes, warnings = _codes_of(plain, packed)
        try:
            made = read_record(plain, cls, skip=_NOT_PLAIN)
            made._check()
        except ValueError as error:  # RequestError among them
            reason = error.detail if isinstance(error, EngineError) else str(error)
            raise ProvenanceError("provenance.damaged", reason=reason) from error
        return replace(made, codes=codes, warnings=(*warnings, *made.seed_warnings))

    def _plain(self) -> dict[str, Any]:
        values = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in _NOT_PLAIN}
        for name in ("sampling", "stream", "post", "segmentation"):
            values[name] = asdict(values[name])
        values["voices"] = [asdict(voice) for voice in self.voices]
        values["segments"] = [list(segment) for segment in self.segments]
        values["code_sizes"] = list(self.code_sizes)
        for name in ("made", "pronunciations", "prefix_frames"):
            if not values[name]:
                del values[name]
        return values

    def _check(self) -> None:
        if not 0 <= self.seed <= MAX_SEED:
            raise ValueError("the seed is out of range")
        numbers = (self.sample_rate, self.samples_per_frame, self.codebooks, *self.code_sizes)
        if any(not 0 <= number < 1 << 31 for number in (*numbers, self.prefix_frames)):
            raise ValueError("a size is out of range")
        if len(self.voices) > MAX_VOICES or len(self.segments) > MAX_SEGMENTS:
            raise ValueError("there are too many voices or pieces")
        checked_pronunciations(self.pronunciations)
        last = (-1, -1)
        for segment in self.segments:
            if segment[0] < 0 or segment[1] < 0 or segment <= last:
                raise ValueError("the pieces are not in order")
            last = segment


def _frames(codes: np.ndarray | None) -> int:
    return 0 if codes is None else int(codes.shape[1])


def codes_hash(voice: VoiceProfile) -> str:
    """SHA-256 of a voice's codes as little-endian int32, codebook after codebook, in hex."""
    return hashlib.sha256(voice.codes.astype("<i4").tobytes()).hexdigest()


def main_type(kinds: dict[str, int]) -> str:
    """The quantisation of a model: its most frequent type, plain floats only if alone."""
    packed = {name: count for name, count in kinds.items() if name.upper() not in ("F32",)}
    chosen = packed or kinds
    return max(chosen, key=lambda name: chosen[name]) if chosen else ""


def read_provenance(path: str | os.PathLike[str]) -> Provenance | None:
    """What a sound file says about itself; ``None`` when it is no take of this program.

    Raises:
        ProvenanceError: it is a take, but damaged, or the file cannot be opened.
    """
    try:
        opened = open_regular(path)
    except (IsADirectoryError, NotRegularError):
        return None
    except OSError as error:
        reason = error.strerror or str(error)
        raise ProvenanceError("provenance.unopened", reason=reason) from error
    with opened as file:
        try:
            head = file.read(_HEAD_BYTES)
            if is_wav(head):
                comment, packed = read_wav_chunks(file, file_size(file))
                return Provenance.from_json(comment, packed) if comment else None
            if head[:4] in (b"fLaC", b"OggS") or head[:3] == b"ID3":
                file.seek(0)
                return Provenance.from_json(_tag_comment(file))
        except OSError as error:
            raise ProvenanceError("provenance.unreadable", reason=error.strerror) from error
    return None


def _tag_comment(file: BinaryIO) -> str:
    """The comment field of FLAC, Ogg or MP3; empty when the file cannot be decoded at all."""
    import soundfile

    try:
        with soundfile.SoundFile(file) as sound:
            return str(sound.comment or "")
    except (soundfile.SoundFileError, RuntimeError, TypeError, ValueError):
        return ""


def _parse(text: str | bytes) -> dict[str, Any] | None:
    """The object, or ``None`` when it is no take's JSON."""
    if isinstance(text, bytes):
        text = text.decode("utf-8", "replace")
    text = text.strip("\0 \r\n\t")
    if not text.startswith("{") or f'"{MARK}"' not in text[:64]:
        return None
    if len(text) > MAX_COMMENT_BYTES:
        raise ProvenanceError("provenance.too_long")
    try:
        plain = parse_object(text)
    except ValueError as error:
        raise ProvenanceError("provenance.cut") from error
    return plain if MARK in plain else None


def _codes_of(
    plain: dict[str, Any], packed: bytes | None
) -> tuple[np.ndarray | None, tuple[str, ...]]:
    inline = plain.get("codes")
    if packed is None and not isinstance(inline, str):
        return None, ()
    try:
        data = base64.b64decode(str(inline), validate=True) if packed is None else packed
        codes = unpack_codes(data)
        if codes.shape[0] != plain.get("codebooks"):
            raise CodesError("codes.codebooks")
    except (CodesError, binascii.Error, ValueError) as error:
        reason = error.detail if isinstance(error, CodesError) else Message("codes.damaged")
        return None, (Message("provenance.codes_unusable", reason=reason),)
    return codes, ()


def _frozen(codes: np.ndarray) -> np.ndarray | None:
    if codes.size == 0:
        return None
    copy = np.array(codes, dtype=np.int32, order="C")
    copy.flags.writeable = False
    return copy


def _same_codes(one: np.ndarray | None, other: np.ndarray | None) -> bool:
    if one is None or other is None:
        return one is other
    return bool(np.array_equal(one, other))
