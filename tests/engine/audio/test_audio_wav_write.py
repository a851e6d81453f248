"""Our WAV writer: exact bytes, whole or not at all, errors with a next step."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import soundfile
from hypothesis import given
from hypothesis import strategies as st
from wav_kit import RATE, sine

from engine.audio.files import encode_wav, to_pcm16, wav_header, write_wav
from engine.errors import OutputError
from engine.storage import files as output

HEADER = bytes.fromhex(
    "52494646f0ffff7f57415645666d7420100000000100010044ac0000885801000200100064617461f0ffff7f"
)


def test_streaming_header_is_exact() -> None:
    assert wav_header(44100) == HEADER


def test_final_header_holds_the_true_sizes() -> None:
    header = wav_header(24000, 1000, bits=32)
    assert len(header) == 44
    assert int.from_bytes(header[4:8], "little") == 1036
    assert int.from_bytes(header[40:], "little") == 1000
    assert header[20:22] == b"\3\0"
    assert int.from_bytes(header[28:32], "little") == 96000


def test_pcm16_vectors() -> None:
    given_ = [1.0, 0.999999, -1.0, 0.5, -0.00001, 2.0, -7.0, 0.0, np.nan, np.inf, -np.inf]
    wanted = [32767, 32767, -32768, 16384, 0, 32767, -32768, 0, 0, 32767, -32768]
    for kind in (np.float32, np.float64):
        result = to_pcm16(np.array(given_, kind))
        assert result.dtype == np.dtype("<i2")
        assert result.tolist() == wanted


@given(st.lists(st.floats(-1.5, 1.5, width=32), max_size=50))
def test_pcm16_cuts_towards_zero(values: list[float]) -> None:
    expected = [max(-32768, min(32767, int(v * 32768))) for v in values]
    assert to_pcm16(np.array(values, np.float32)).tolist() == expected


@pytest.mark.parametrize("subtype", ["FLOAT", "PCM_16"])
def test_what_is_written_reads_back(tmp_path: Path, subtype: str) -> None:
    path = tmp_path / "Голос ☃.wav"
    samples = sine(3.1)
    write_wav(path, samples, RATE, subtype)  # type: ignore[arg-type]
    with soundfile.SoundFile(path) as sound:
        assert (sound.format, sound.subtype, sound.channels) == ("WAV", subtype, 1)
        back = sound.read(dtype="float32")
    if subtype == "FLOAT":
        np.testing.assert_array_equal(back, samples)
    else:
        np.testing.assert_allclose(back, samples, atol=1 / 32768)
    assert path.read_bytes() == encode_wav(samples, RATE, subtype)  # type: ignore[arg-type]
    assert os.listdir(tmp_path) == [path.name]


def test_float_file_is_riff_with_format_3_and_plain_bytes() -> None:
    data = encode_wav(np.array([0.25, -2.0], np.float64), 8000)
    assert data[:4] == b"RIFF"
    assert data[20:24] == b"\3\0\1\0"
    assert data[44:] == np.array([0.25, -2.0], "<f4").tobytes()


def test_no_samples_make_a_valid_file() -> None:
    assert encode_wav(np.zeros(0, np.float32), 8000) == wav_header(8000, 0, bits=32)


def test_values_that_are_no_numbers_leave_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "take.wav"
    path.write_bytes(b"old")
    samples = sine()
    samples[[5, 9]] = np.nan
    with pytest.raises(OutputError, match="2 of its samples are not numbers"):
        write_wav(path, samples, RATE)
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["take.wav"]


def test_stereo_and_unknown_subtypes_are_programming_errors(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="one dimension"):
        write_wav(tmp_path / "x.wav", np.zeros((5, 2)), RATE)
    with pytest.raises(ValueError, match="PCM_24"):
        write_wav(tmp_path / "x.wav", np.zeros(5), RATE, "PCM_24")  # type: ignore[arg-type]
    assert os.listdir(tmp_path) == []


def test_bad_places_are_told_with_a_next_step(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    places = {
        tmp_path / "none" / "x.wav": "folder for .* does not exist",
        tmp_path / "file" / "x.wav": "folder for .* does not exist",
        tmp_path: "is a folder",
        tmp_path / ("n" * 300 + ".wav"): "too long",
    }
    for place, words in places.items():
        with pytest.raises(OutputError, match=words) as caught:
            write_wav(place, sine(), RATE)
        assert "still in memory" in caught.value.advice


def test_a_folder_that_may_not_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.chmod(tmp_path, 0o500)
    try:
        if os.access(tmp_path, os.W_OK):  # the superuser may write anywhere
            refuse = PermissionError(13, "refused")

            def create(path: object, mode: int) -> None:
                raise refuse

            monkeypatch.setattr(output, "create_exclusive", create)
        with pytest.raises(OutputError, match="may not be written") as caught:
            write_wav(tmp_path / "take.wav", sine(), RATE)
    finally:
        os.chmod(tmp_path, 0o700)
    assert "another name or folder" in caught.value.advice
    assert os.listdir(tmp_path) == []


def test_a_target_held_open_keeps_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "take.wav"
    path.write_bytes(b"old")

    def replace(a: object, b: object) -> None:
        raise PermissionError(13, "held open")

    monkeypatch.setattr(output.os, "replace", replace)
    with pytest.raises(OutputError, match="another program holds it open"):
        write_wav(path, sine(), RATE)
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["take.wav"]


FULL_DISK = """
import resource, sys
import numpy as np
resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))
from engine.audio.files import write_wav
from engine.errors import OutputError
samples = np.full(44100, 0.25, np.float32)
try:
    write_wav(sys.argv[1], samples, 44100)
except OutputError as error:
    print(error.detail)
print(len(samples), float(samples.sum()))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on file sizes")
def test_a_full_disk_leaves_the_old_file_and_the_audio(tmp_path: Path) -> None:
    path = tmp_path / "take.wav"
    path.write_bytes(b"old")
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(path)], capture_output=True, text=True, check=True
    )
    assert "no room left" in done.stdout
    assert "44100 11025.0" in done.stdout
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["take.wav"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_devices_are_written_in_place() -> None:
    with pytest.raises(OutputError, match="no room left"):
        write_wav("/dev/full", sine(), RATE)
    write_wav("/dev/null", sine(), RATE)


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
def test_links_and_permissions_stay(tmp_path: Path) -> None:
    real = tmp_path / "real.wav"
    real.write_bytes(b"old")
    os.chmod(real, 0o640)
    link = tmp_path / "link.wav"
    link.symlink_to(real)
    write_wav(link, sine(), RATE)
    assert link.is_symlink()
    assert real.stat().st_size > 1000
    assert real.stat().st_mode & 0o777 == 0o640


def test_more_than_4_gib_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    samples = np.broadcast_to(np.float32(0), (2**30,))
    with pytest.raises(OutputError, match="4 GiB"):
        write_wav(tmp_path / "x.wav", samples, RATE)
    assert os.listdir(tmp_path) == []
