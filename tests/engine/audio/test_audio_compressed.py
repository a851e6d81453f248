"""MP3, FLAC and Ogg references, whole and damaged; names and lengths of any kind."""

from __future__ import annotations

import io
import os
import struct
from pathlib import Path

import numpy as np
import pytest
import soundfile
from wav_kit import RATE, sine

from engine.audio.files import BLOCK_FRAMES, read_audio
from engine.audio.mp3_scan import parse_header, scan_mp3
from engine.errors import ReferenceAudioError


def encode(samples: np.ndarray, kind: str, rate: int = RATE, subtype: str | None = None) -> bytes:
    buffer = io.BytesIO()
    soundfile.write(buffer, samples, rate, format=kind, subtype=subtype)
    return buffer.getvalue()


def mixed(seconds: float) -> np.ndarray:
    """Silence, then noise: a variable-rate file whose first frames are small."""
    noise = np.random.default_rng(3).standard_normal(round(seconds * RATE)) * 0.1
    noise[: RATE // 2] = 0
    return noise.astype(np.float32)


@pytest.fixture(scope="module")
def mp3() -> bytes:
    return encode(sine(), "MP3")


def put(folder: Path, data: bytes, name: str = "clip.mp3") -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def without_first_frame(data: bytes) -> bytes:
    header = parse_header(data[:4])
    assert header is not None
    return data[header.size :]


def id3_cover(size: int = 300_000) -> bytes:
    frame = b"APIC" + struct.pack(">I", size) + b"\0\0" + os.urandom(size)
    length = len(frame)
    packed = bytes(length >> shift & 0x7F for shift in (21, 14, 7, 0))
    return b"ID3\3\0\0" + packed + frame


def test_mp3_plain_with_cover_and_named_wav_are_equal(tmp_path: Path, mp3: bytes) -> None:
    plain = read_audio(put(tmp_path, mp3))
    cover = read_audio(put(tmp_path, id3_cover() + mp3))
    named = read_audio(put(tmp_path, mp3, "clip.wav"))
    assert plain.seconds == 2.0
    for clip in (plain, cover, named):
        assert clip.warnings == ()
        np.testing.assert_array_equal(clip.samples, plain.samples)


def test_half_an_mp3_says_that_it_is_damaged(tmp_path: Path, mp3: bytes) -> None:
    clip = read_audio(put(tmp_path, mp3[: len(mp3) // 2]))
    assert 0.7 < clip.seconds < 1.1
    assert "damaged or was cut" in clip.warnings[0]
    assert clip.source_seconds == clip.seconds


def test_garbage_inside_an_mp3_is_told(tmp_path: Path) -> None:
    data = bytearray(encode(mixed(4), "MP3"))
    data[len(data) // 3 : len(data) // 2] = bytes(len(data) // 2 - len(data) // 3)
    clip = read_audio(put(tmp_path, bytes(data)))
    assert any("damaged" in warning for warning in clip.warnings)
    assert np.isfinite(clip.samples).all()


def test_variable_rate_without_a_frame_count_is_read_to_its_end(tmp_path: Path) -> None:
    data = without_first_frame(encode(mixed(4), "MP3"))
    with soundfile.SoundFile(io.BytesIO(data)) as guessed:
        assert abs(guessed.frames / RATE - 4) > 0.5, "the decoder's own guess is wrong"
    clip = read_audio(put(tmp_path, data))
    assert clip.seconds == pytest.approx(4, abs=0.15)
    assert clip.warnings == ()


def test_joined_mp3_files_are_read_to_the_end(tmp_path: Path, mp3: bytes) -> None:
    clip = read_audio(put(tmp_path, mp3 + without_first_frame(mp3)))
    assert clip.seconds == pytest.approx(4, abs=0.2)


def test_tags_at_the_end_are_no_damage(tmp_path: Path, mp3: bytes) -> None:
    for tag in (b"TAG" + bytes(125), b"APETAGEX" + bytes(3000)):
        clip = read_audio(put(tmp_path, mp3 + tag))
        assert clip.seconds == 2.0
        assert clip.warnings == ()


def test_frame_scan_counts_what_the_encoder_wrote(mp3: bytes) -> None:
    scan = scan_mp3(io.BytesIO(mp3), len(mp3))
    assert scan is not None
    assert scan.frames == scan.promised
    assert (scan.skipped_bytes, scan.end, scan.complete) == (0, len(mp3), True)
    part = scan_mp3(io.BytesIO(mp3), len(mp3), max_seconds=0.5)
    assert part is not None
    assert not part.complete
    assert part.seconds < 0.6


@pytest.mark.parametrize("rate", [8000, 11025, 16000, 22050, 24000, 32000, 44100, 48000])
def test_frame_headers_of_every_rate(rate: int) -> None:
    data = encode(sine(rate=rate), "MP3", rate)
    scan = scan_mp3(io.BytesIO(data), len(data))
    assert scan is not None
    assert scan.first.rate == rate
    assert scan.frames == scan.promised


def test_no_mp3_is_no_scan() -> None:
    for data in (b"", b"\xff" * 5000, bytes(5000), b"ID3" + b"\x7f" * 40):
        assert scan_mp3(io.BytesIO(data), len(data)) is None


@pytest.mark.parametrize(
    ("kind", "subtype", "rate"),
    [
        ("FLAC", "PCM_16", RATE),
        ("OGG", "VORBIS", RATE),
        ("OGG", "OPUS", 48000),
        ("AIFF", None, RATE),
    ],
)
def test_other_kinds(tmp_path: Path, kind: str, subtype: str | None, rate: int) -> None:
    clip = read_audio(put(tmp_path, encode(sine(rate=rate), kind, rate, subtype), "clip.wav"))
    assert clip.seconds == 2.0
    assert clip.kind.startswith(kind)
    assert clip.warnings == ()
    assert np.abs(clip.samples[RATE // 2 : -RATE // 2]).max() == pytest.approx(0.3, rel=0.05)


def test_half_a_flac_gives_what_was_decoded_and_says_so(tmp_path: Path) -> None:
    data = encode(mixed(4), "FLAC")
    clip = read_audio(put(tmp_path, data[: len(data) // 2]))
    assert 0.5 < clip.seconds < 3
    assert "damaged" in clip.warnings[0]


@pytest.mark.parametrize("subtype", ["VORBIS", "OPUS"])
@pytest.mark.parametrize("share", [0.5, 0.999])
def test_a_cut_ogg_gives_what_was_decoded_and_says_so(
    tmp_path: Path, subtype: str, share: float
) -> None:
    noise = np.random.default_rng(5).standard_normal(4 * 48000) * 0.1
    data = encode(noise, "OGG", 48000, subtype)
    clip = read_audio(put(tmp_path, data[: int(len(data) * share)]))
    assert 0.5 < clip.seconds < 4
    assert "its end is missing" in clip.warnings[0]


def test_an_ogg_cut_inside_its_first_page_of_sound_is_refused(tmp_path: Path) -> None:
    data = encode(sine(4, 48000), "OGG", 48000, "VORBIS")
    for cut in (20, 300, len(data) // 2):
        with pytest.raises(ReferenceAudioError, match=r"damaged|could be decoded"):
            read_audio(put(tmp_path, data[:cut]))


@pytest.mark.parametrize(
    "name",
    [
        "VOICE.WAV",
        "Голос ☃ cafe\u0301.wav",
        "声\u3000音.flac",
        "🎤.Mp3",
        "n" * 200 + ".wav",
        "100% #1.wav",
        "no extension",
        "wrong.txt",
        "clip.raw",
    ],
)
def test_any_name_is_accepted(tmp_path: Path, name: str) -> None:
    path = put(tmp_path, encode(sine(0.6), "WAV"), name)
    assert read_audio(path).name == name
    assert read_audio(str(path)).seconds == pytest.approx(0.6)


@pytest.mark.skipif(os.name == "nt", reason="file names are Unicode there")
def test_a_name_that_is_not_unicode(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/caf\xe9.wav"
    try:
        Path(os.fsdecode(path)).write_bytes(encode(sine(0.6), "WAV"))
    except OSError:
        pytest.skip("this file system takes only Unicode names")
    clip = read_audio(os.fsdecode(path))
    assert clip.name.encode("utf-8").startswith(b"caf")
    assert clip.seconds == pytest.approx(0.6)


@pytest.mark.parametrize("kind", ["WAV", "FLAC", "MP3"])
def test_a_long_file_is_read_only_up_to_the_limit(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = put(tmp_path, encode(sine(60, 8000), kind, 8000))
    taken: list[int] = []
    read = soundfile.SoundFile.read

    def counted(self: soundfile.SoundFile, frames: int, **options: object) -> np.ndarray:
        block = read(self, frames, **options)
        taken.append(len(block))
        return block

    monkeypatch.setattr(soundfile.SoundFile, "read", counted)
    clip = read_audio(path, max_seconds=5)
    assert sum(taken) <= 5 * 8000 + BLOCK_FRAMES
    assert clip.seconds == 5.0
    assert clip.samples.base is None, "a view would keep more than was asked for alive"
    assert clip.source_seconds == pytest.approx(60, abs=0.2)
    assert "60.0 s long; only the first 5.0 s" in clip.warnings[0]


def test_a_limited_variable_rate_mp3_still_knows_its_length(tmp_path: Path) -> None:
    clip = read_audio(put(tmp_path, without_first_frame(encode(mixed(8), "MP3"))), max_seconds=3)
    assert clip.seconds == 3.0
    assert clip.source_seconds == pytest.approx(8, abs=0.15)
