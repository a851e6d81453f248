"""WAV files as recorders, converters and attackers write them."""

from __future__ import annotations

import os
import time
from pathlib import Path

import numpy as np
import pytest
import soundfile
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from wav_kit import RATE, chunk, float_wav, fmt, pcm, riff, sine

from engine.audio.files import read_audio
from engine.audio.resample import resample
from engine.errors import ReferenceAudioError

TONE = sine()
DATA = chunk(b"data", pcm(TONE))

HOSTILE = {
    "zero-filled LIST": riff(fmt(), chunk(b"LIST", bytes(393_164)), DATA),
    "RIFF size 36": riff(fmt(), DATA, size=36),
    "RIFF size 0": riff(fmt(), DATA, size=0),
    "absurd chunk before": riff(fmt(), chunk(b"junk", b"abcd", 0xFFFFFFF0), DATA),
    "absurd chunk after": riff(fmt(), DATA, chunk(b"junk", b"abcd", 0xFFFFFFF0)),
    "absurd chunk before fmt": riff(chunk(b"junk", b"abcd", 0xFFFFFFF0), fmt(), DATA),
    "odd chunk without pad": riff(fmt(), chunk(b"abcd", b"xyz", pad=False), DATA),
    "odd LIST without pad": riff(fmt(), chunk(b"LIST", b"INFOISFTabc", pad=False), DATA),
    "short id3": riff(fmt(), DATA, chunk(b"id3 ", b"ID3\3" + bytes(16), 32)),
    "data size 0": riff(fmt(), chunk(b"data", pcm(TONE), 0)),
    "data size 0, RIFF size 0": riff(fmt(), chunk(b"data", pcm(TONE), 0), size=0),
    "streaming sizes": riff(fmt(), chunk(b"data", pcm(TONE), 0x7FFFFFF0), size=0x7FFFFFF0),
    "unknown sizes": riff(fmt(), chunk(b"data", pcm(TONE), 0xFFFFFFFF), size=0xFFFFFFFF),
    "zeros between chunks": riff(fmt(), bytes(64), DATA),
}


def put(folder: Path, data: bytes, name: str = "clip.wav") -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_wav_loads_at_full_length(tmp_path: Path, kind: str) -> None:
    started = time.thread_time()
    clip = read_audio(put(tmp_path, HOSTILE[kind]))
    assert time.thread_time() - started < 1
    assert clip.rate == RATE
    np.testing.assert_allclose(clip.samples[:, 0], TONE, atol=1e-4)


@pytest.mark.parametrize("kind", ["absurd chunk before", "odd chunk without pad", "data size 0"])
def test_a_mended_header_is_told(tmp_path: Path, kind: str) -> None:
    assert "mended" in " ".join(read_audio(put(tmp_path, HOSTILE[kind])).warnings)


def test_sound_files_raise_no_warning(tmp_path: Path) -> None:
    for kind in ("zero-filled LIST", "RIFF size 36", "short id3", "streaming sizes"):
        assert read_audio(put(tmp_path, HOSTILE[kind])).warnings == ()


def test_a_cut_wav_says_what_is_missing(tmp_path: Path) -> None:
    clip = read_audio(put(tmp_path, riff(fmt(), DATA)[: 44 + 88200]))
    assert clip.seconds == 1.0
    assert "2.00 s were promised, 1.00 s are there" in clip.warnings[0]


def test_bytes_after_zero_data_that_are_chunks_are_no_samples(tmp_path: Path) -> None:
    path = put(tmp_path, riff(fmt(), chunk(b"data", b""), chunk(b"LIST", b"INFO")))
    with pytest.raises(ReferenceAudioError, match="no samples"):
        read_audio(path)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "no bytes"),
        (riff(fmt()), "cannot be decoded"),
        (riff(fmt(), chunk(b"data", b"")), "holds no samples"),
        (riff(fmt(channels=0), DATA), "0 channels"),
        (riff(fmt(rate=0), DATA), "0 Hz"),
        (riff(fmt(rate=1), DATA), "outside 1000 to 768000"),
        (riff(fmt(rate=0x7FFFFFFF), DATA), "outside 1000 to 768000"),
        (riff(fmt(channels=1000), DATA), "1000 channels"),
        (riff(fmt(tag=0x99), DATA), "cannot be decoded"),
        (b"Dear reader, this is no sound.\n" * 9, "a text file"),
        ("Grüße, dies ist kein Klang.\n".encode() * 20, "a text file"),
        (b"\0\0\0\x1cftypM4A \0\0\2\0M4A isomiso2" + bytes(2000), "MPEG-4"),
        (b"S2VOICE\0" + bytes(100), "a voice profile"),
        (b"\x1aE\xdf\xa3" + bytes(100), "Matroska"),
        (os.urandom(5000).replace(b"\xff", b"\x01"), "unknown kind|file"),
    ],
)
def test_what_is_no_audio_is_named_with_the_accepted_kinds(
    tmp_path: Path, data: bytes, words: str
) -> None:
    for name in ("clip.wav", "clip.m4a", "clip.raw", "clip"):
        with pytest.raises(ReferenceAudioError, match=words) as caught:
            read_audio(put(tmp_path, data, name))
        assert name in caught.value.detail
        if "0 channels" in words or "outside" in words or "channels" in words:
            continue
        assert "WAV, FLAC, Ogg Vorbis, Opus, MP3" in caught.value.advice


def test_one_sample_is_read(tmp_path: Path) -> None:
    clip = read_audio(put(tmp_path, riff(fmt(), chunk(b"data", b"\0\x40"))))
    assert clip.samples.tolist() == [[0.5]]


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_values_that_are_no_numbers_are_refused(tmp_path: Path, bad: float) -> None:
    samples = sine()
    samples[RATE] = bad
    with pytest.raises(ReferenceAudioError, match=r"not numbers, the first at 1\.00 s"):
        read_audio(put(tmp_path, float_wav(samples)))


def test_missing_file_folder_and_device(tmp_path: Path) -> None:
    with pytest.raises(ReferenceAudioError, match="does not exist"):
        read_audio(tmp_path / "none.wav")
    with pytest.raises(ReferenceAudioError, match=r"folder|could not be read"):
        read_audio(tmp_path)
    if os.path.exists("/dev/zero"):
        with pytest.raises(ReferenceAudioError, match="not a file"):
            read_audio("/dev/zero")


@pytest.mark.parametrize(
    ("rate", "options"),
    [
        (11025, {"subtype": "PCM_U8"}),
        (8000, {"subtype": "ULAW"}),
        (8000, {"subtype": "ALAW"}),
        (44100, {"subtype": "IMA_ADPCM"}),
        (44100, {"subtype": "MS_ADPCM"}),
        (48000, {"format": "WAVEX", "subtype": "PCM_24"}),
        (44100, {"format": "RF64", "subtype": "PCM_24"}),
        (44100, {"format": "W64", "subtype": "PCM_16"}),
        (44100, {"subtype": "DOUBLE"}),
        (44100, {"subtype": "PCM_32"}),
        (192000, {"subtype": "PCM_24"}),
    ],
)
def test_every_coding_keeps_level_pitch_and_length(
    tmp_path: Path, rate: int, options: dict[str, str]
) -> None:
    path = tmp_path / "clip.wav"
    soundfile.write(path, sine(rate=rate), rate, **{"format": "WAV", **options})
    clip = read_audio(path)
    heard = resample(clip.samples[:, 0], clip.rate, RATE)
    assert abs(len(heard) / RATE - 2.0) < 0.05
    middle = heard[RATE // 2 : RATE * 3 // 2]
    assert abs(float(middle.mean())) < 5e-3
    # A sine's peak by its power: quantising to 8 bits alone moves the largest sample by 2 %.
    assert np.sqrt(2 * np.var(middle)) == pytest.approx(0.3, rel=0.02)
    spectrum = np.abs(np.fft.rfft(middle * np.hanning(len(middle))))
    spectrum[:50] = 0
    assert spectrum.argmax() == 220


def test_nothing_above_half_the_rate_folds_down(tmp_path: Path) -> None:
    path = tmp_path / "clip.wav"
    soundfile.write(path, sine(rate=192_000, hertz=30_000), 192_000, subtype="PCM_24")
    heard = resample(read_audio(path).samples[:, 0], 192_000, RATE)
    assert np.abs(heard[1000:-1000]).max() < 1e-4


def test_channels_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "clip.wav"
    stereo = np.stack([sine(), sine(hertz=330)], axis=1)
    soundfile.write(path, stereo, RATE, subtype="FLOAT")
    clip = read_audio(path)
    assert clip.channels == 2
    np.testing.assert_array_equal(clip.samples, stereo)


@settings(max_examples=150, deadline=2000, suppress_health_check=list(HealthCheck))
@given(
    kind=st.sampled_from(sorted(HOSTILE)),
    edits=st.lists(st.tuples(st.integers(0, 90), st.integers(0, 255)), max_size=6),
    keep=st.integers(0, 4000),
)
def test_a_mutated_header_is_read_or_refused_with_a_typed_error(
    tmp_path: Path, kind: str, edits: list[tuple[int, int]], keep: int
) -> None:
    data = bytearray(HOSTILE[kind][:keep])
    for at, value in edits:
        if at < len(data):
            data[at] = value
    try:
        clip = read_audio(put(tmp_path, bytes(data)), max_seconds=5)
    except ReferenceAudioError:
        return
    assert len(clip.samples) > 0
    assert np.isfinite(clip.samples).all()
    assert clip.samples.nbytes < 200e6
