"""Sound files: containers, chunks, packed kinds, and the story of a take inside them."""

from __future__ import annotations

import io
import random
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import soundfile
from export_kit import a_provenance, speech
from fuzz_mutate import HOSTILE_INTS, dump_json, mutate_bytes, mutate_json
from fuzz_target import Case, said
from wav_kit import chunk, float_wav, fmt, pcm, riff

from app.cloning.clip_files import open_clip
from app.takes.files import read_take
from engine.audio.encode import ExportFormat, encode_audio
from engine.audio.files import read_audio
from engine.audio.reference import load_reference
from engine.audio.wav import encode_wav
from engine.errors import EngineError
from engine.takes.provenance import Provenance, read_provenance
from engine.takes.provenance_codes import CHUNK_NAME, pack_codes

_SECONDS = 0.6


def read_like_the_program(path: Path, only: Callable[[Path], object] | None = None) -> str:
    """Every way in that a sound file has, or ``only`` one; what is refused may differ."""
    done = []
    ways = (read_provenance, open_clip, _reference, read_take, _whole)
    for work in ways if only is None else (only,):
        try:
            work(path)
        except EngineError as error:
            said(error)
            continue
        done.append(work.__name__.strip("_"))
    return "+".join(done) or "refused"


def _reference(path: Path) -> None:
    reference = load_reference(path, 44100)
    assert np.isfinite(reference.samples).all()
    assert len(reference.samples) <= 60 * 44100 + 1


def _whole(path: Path) -> None:
    clip = read_audio(path)
    assert np.isfinite(clip.samples).all()
    assert clip.samples.dtype == np.float32


def _encoded(kind: str, subtype: str, channels: int = 1, rate: int = 22050) -> bytes:
    out = io.BytesIO()
    sound = speech(_SECONDS, rate)
    soundfile.write(out, np.stack([sound] * channels, 1), rate, format=kind, subtype=subtype)
    return out.getvalue()


class WavTarget:
    """RIFF chunks and other plain containers, with a story and codes in them."""

    name = "wav"
    errors: tuple[type[Exception], ...] = (EngineError,)

    def prepare(self, home: Path) -> None:
        sound = speech(_SECONDS, 22050)
        provenance = a_provenance()
        comment = provenance.to_json(ascii_only=True)
        chunks = ((CHUNK_NAME, pack_codes(provenance.codes)),)
        take = encode_audio(sound, 22050, ExportFormat.WAV_16, comment=comment, chunks=chunks)
        data = chunk(b"data", pcm(sound))
        self._good = [
            take, take, riff(fmt(rate=22050), data), float_wav(sound, 22050),
            encode_wav(sound, 22050), _encoded("WAV", "IMA_ADPCM"), _encoded("WAV", "MS_ADPCM"),
            riff(chunk(b"JUNK", bytes(13)), fmt(rate=22050, channels=2), chunk(b"fact", bytes(4)),
                 data),
            _encoded("WAV", "ULAW"), _encoded("WAV", "GSM610", rate=8000), _encoded("AU", "FLOAT"),
            _encoded("WAVEX", "PCM_24", 3), _encoded("RF64", "PCM_16"), _encoded("W64", "PCM_16"),
            _encoded("AIFF", "PCM_16", 2), _encoded("CAF", "ALAC_16"), _encoded("AU", "G721_32"),
        ]  # fmt: skip
        path = home / "good.wav"
        for data in self._good:
            path.write_bytes(data)
            assert read_like_the_program(path) != "refused"

    def make(self, rng: random.Random) -> Case:
        good = rng.choice(self._good)
        fields = [4, 16, 20, 22, 24, 28, 32, 34, 40]
        at = good.find(b"data")
        if at > 0:
            fields.append(at + 4)
        for name in (b"s2cd", b"LIST", b"ICMT", b"fact", b"COMM", b"SSND"):
            place = good.find(name)
            if place > 0:
                fields += [place + 4, place + 8, place + 12, place + 16]
        if rng.random() < 0.15:
            return Case({"clip.wav": self._lie(rng)})
        return Case({"clip.wav": mutate_bytes(rng, good, self._good, fields)})

    def _lie(self, rng: random.Random) -> bytes:
        """A file of chunks that are whole, with sizes and kinds that make no sense."""
        sound = chunk(
            b"data", rng.randbytes(rng.choice((0, 1, 7, 2000))), rng.choice(HOSTILE_INTS) % 2**32
        )
        head = chunk(b"fmt ", rng.randbytes(rng.choice((0, 16, 18, 40))))
        if rng.random() < 0.5:
            tag = rng.choice((1, 3, 6, 7, 0xFFFE, 2, 0x11, 0))
            channels, bits = rng.choice((0, 1, 2, 33, 4000)), rng.choice((8, 16, 24, 32, 64))
            head = fmt(tag, channels, rng.choice((0, 1, 8000, 44100, 130_000)), bits)
        many = [
            chunk(rng.choice((b"JUNK", b"\0\0\0\0", b"LIST")), b"")
            for _ in range(rng.choice((0, 2, 5000)))
        ]
        pieces = [head, *many, sound]
        if rng.random() < 0.3:
            rng.shuffle(pieces)
        return riff(*pieces, size=rng.choice(HOSTILE_INTS) % 2**32)

    def read(self, folder: Path, case: Case) -> str:
        return read_like_the_program(folder / "clip.wav")


class PackedTarget:
    """FLAC, MP3, Ogg Vorbis and Opus."""

    name = "packed"
    errors: tuple[type[Exception], ...] = (EngineError,)

    def prepare(self, home: Path) -> None:
        sound = speech(_SECONDS, 24000)
        provenance = a_provenance()
        self._good = []
        for kind in (ExportFormat.FLAC_16, ExportFormat.FLAC_24, ExportFormat.MP3,
                     ExportFormat.VORBIS, ExportFormat.OPUS):  # fmt: skip
            comment = provenance.to_json(with_codes=True, ascii_only=kind.ascii_comment)
            self._good.append(encode_audio(sound, 24000, kind, comment=comment))
        self._good.append(_encoded("MP3", "MPEG_LAYER_III", 2, 44100))
        self._good.append(_encoded("FLAC", "PCM_16", 8, 96000))
        self._bomb = silence(45, 8, 192_000)
        path = home / "good.flac"
        for data in self._good:
            path.write_bytes(data)
            assert read_like_the_program(path) != "refused"

    def make(self, rng: random.Random) -> Case:
        if rng.random() < 0.01:
            return Case({"clip.flac": self._bomb}, plan=rng.choice((open_clip, _reference)))
        good = rng.choice(self._good)
        fields = list(range(4, 60))
        for name in (b"Xing", b"Info", b"vorbis", b"OpusTags", b"OggS", b"COMMENT", b"comment"):
            place = good.find(name)
            if place > 0:
                fields += list(range(place, place + 40, 2))
        data = mutate_bytes(rng, good, self._good, fields)
        if rng.random() < 0.5 and data[:4] == b"OggS":
            data = _with_sums(data)
        return Case({"clip.flac": data})

    def read(self, folder: Path, case: Case) -> str:
        return read_like_the_program(folder / "clip.flac", case.plan)


def silence(seconds: int, channels: int, rate: int) -> bytes:
    """A FLAC that packs hundreds of megabytes of samples into next to nothing."""
    out = io.BytesIO()
    block = np.zeros((rate, channels), np.int16)
    block[0] = 1
    with soundfile.SoundFile(out, "w", rate, channels, "PCM_16", format="FLAC") as sound:
        for _ in range(seconds):
            sound.write(block)
    return out.getvalue()


def _with_sums(data: bytes) -> bytes:
    """Damaged Ogg pages with checksums that are right again, so that the decoder goes on."""
    from engine.audio.ogg_serial import with_fixed_serial

    try:
        return with_fixed_serial(data)
    except (ValueError, IndexError, struct.error):
        return data


class StoryTarget:
    """The JSON and the packed codes of a take, by themselves and inside a WAV."""

    name = "story"
    errors: tuple[type[Exception], ...] = (EngineError,)

    def prepare(self, home: Path) -> None:
        import json

        provenance = a_provenance()
        self._sound = speech(0.1, 22050)
        self._packed = pack_codes(provenance.codes)
        self._tree = json.loads(provenance.to_json())
        self._whole = json.loads(provenance.to_json(with_codes=True))
        assert Provenance.from_json(json.dumps(self._whole)) == provenance

    def make(self, rng: random.Random) -> Case:
        tree = mutate_json(rng, rng.choice((self._tree, self._whole)))
        text = dump_json(rng, tree)
        if rng.random() < 0.2:
            text = mutate_bytes(rng, text)
        packed = mutate_bytes(rng, self._packed, (), tuple(range(16)))
        if rng.random() < 0.03:
            packed = self._bomb(rng)
        chunks = [chunk(CHUNK_NAME, packed)] * rng.choice((1, 1, 2, 300))
        info = chunk(b"LIST", b"INFO" + chunk(b"ICMT", text + b"\0") * rng.choice((1, 1, 2, 100)))
        body = chunk(b"data", pcm(self._sound))
        wav = riff(fmt(rate=22050), info, *chunks, body)
        return Case({"take.wav": wav}, plan=(text, packed if rng.random() < 0.5 else None))

    def _bomb(self, rng: random.Random) -> bytes:
        """Codes that are a thousand times larger than they look."""
        width, books = rng.choice((2, 4)), rng.choice((1, 10, 64))
        frames = rng.choice((1 << 18, 1 << 20, (64 << 20) // (width * books)))
        plain = bytes(min(width * books * frames, 64 << 20))
        head = struct.pack("<HBBIII", 1, width, 0, books, frames, zlib.crc32(plain))
        return head + zlib.compress(plain, 1)

    def read(self, folder: Path, case: Case) -> str:
        text, packed = case.plan
        outcomes: list[Any] = []
        for work in (
            lambda: Provenance.from_json(text, packed),
            lambda: read_take(folder / "take.wav"),
        ):
            try:
                found = work()
            except EngineError as error:
                outcomes.append(type(error).__name__)
                continue
            outcomes.append("none" if found is None else "read")
            if isinstance(found, Provenance):
                self._again(found)
        return "/".join(outcomes)

    def _again(self, found: Provenance) -> None:
        again = Provenance.from_json(found.to_json(with_codes=True))
        assert again == found, "it does not survive being written again"
        assert found.request().text == found.text
