"""A wish on the command line is met, refused or told; it is never replaced."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from engine.cli import main

ROOT = Path(__file__).resolve().parents[3]
SHORT = ("--max-tokens", "3", "--seed", "1", "--threads", "1")


@pytest.fixture
def model(models: Any) -> tuple[str, ...]:
    return ("-m", str(models.path("tiny-f32")), "-t", str(models.tokenizer))


def piped(model: tuple[str, ...], data: bytes, *given: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "engine", "synth", *model, *SHORT, *given]
    return subprocess.run(command, input=data, capture_output=True, cwd=ROOT, timeout=300)


@pytest.mark.parametrize("given", [(), ("--text-file", "-")])
def test_piped_text_is_spoken(
    model: tuple[str, ...], tmp_path: Path, given: tuple[str, ...]
) -> None:
    out, same, prompt = tmp_path / "a.wav", tmp_path / "b.wav", tmp_path / "p.npy"
    made = piped(model, b"\xef\xbb\xbfGood evening.\n", *given, "-o", str(out))
    assert made.returncode == 0, made.stderr
    assert (b"standard input" in made.stderr) == (not given)
    text = ["--text", "Good evening.\n", "--dump-prompt", str(prompt)]
    assert main(["synth", *model, *SHORT, *text, "-o", str(same)]) == 0
    assert out.read_bytes() == same.read_bytes()


@pytest.mark.parametrize(
    ("data", "words"),
    [(b"", b"no text"), (b" \n", b"no text"), (b"caf\xe9", b"no UTF-8 text: the byte at 3")],
)
def test_a_pipe_without_text_is_refused(
    model: tuple[str, ...], tmp_path: Path, data: bytes, words: bytes
) -> None:
    made = piped(model, data, "-o", str(tmp_path / "a.wav"))
    assert made.returncode == 1
    assert words in made.stderr
    assert len(made.stderr.strip().splitlines()) == 2
    assert not (tmp_path / "a.wav").exists()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_text_file_says_its_encoding(
    model: tuple[str, ...], tmp_path: Path, encoding: str
) -> None:
    file, one, other = tmp_path / "t.txt", tmp_path / "a.npy", tmp_path / "b.npy"
    file.write_bytes("Grüß dich.".encode(encoding))
    ways = (["--text-file", str(file)], one), (["--text", "Grüß dich."], other)
    for way, prompt in ways:
        where = ["-o", str(tmp_path / "x.wav"), "--dump-prompt", str(prompt)]
        assert main(["synth", *model, *SHORT, *way, *where]) == 0
    assert one.read_bytes() == other.read_bytes()


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs an endless file")
def test_an_endless_text_is_not_read_to_its_end(
    model: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["synth", *model, "--text-file", "/dev/zero"]) == 1
    assert "more than 16 MB" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("given", "code", "words"),
    [
        (("--text", "a", "--text-file", "b"), 2, "both --text and --text-file"),
        (("-o", "a.m4a"), 1, ".m4a names no kind"),
        (("-o", "a.txt"), 1, ".txt names no kind"),
        (("-o", "a.mp3", "--pcm16"), 1, "does not fit"),
        (("-o", "a.opus", "--pcm16"), 1, "does not fit"),
        (("-o", "a.flac", "--stream-file"), 1, "while the sound is made"),
        (("-o", "a.mp3", "--stream-file"), 1, "while the sound is made"),
        (("--temperature", "0,7"), 2, "is not a number"),
        (("--seed", "1e3"), 2, "is not a whole number"),
        (("--max-tokens", "٣٣٣x"), 2, "is not a whole number"),
    ],
)
def test_what_cannot_be_met_is_refused(
    model: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    given: tuple[str, ...],
    code: int,
    words: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    text = () if "--text" in given else ("--text", "Hi.")
    assert main(["synth", *model, *text, *given]) == code
    assert words in capsys.readouterr().err
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("name", "options", "kind"),
    [
        ("a.wav", (), ("WAV", "FLOAT")),
        ("a.WAV", ("--pcm16",), ("WAV", "PCM_16")),
        ("a", (), ("WAV", "FLOAT")),
        ("a.flac", (), ("FLAC", "PCM_24")),
        ("a.FLAC", ("--pcm16",), ("FLAC", "PCM_16")),
        ("a.mp3", (), ("MP3", "MPEG_LAYER_III")),
        ("a.ogg", (), ("OGG", "VORBIS")),
        ("a.opus", (), ("OGG", "OPUS")),
        ("a.raw", (), None),
        ("a.pcm", ("--stream-file",), None),
    ],
)
def test_the_ending_chooses_the_kind(
    model: tuple[str, ...],
    tmp_path: Path,
    name: str,
    options: tuple[str, ...],
    kind: tuple[str, str] | None,
) -> None:
    out = tmp_path / name
    assert main(["synth", *model, *SHORT, "--text", "Hi.", *options, "-o", str(out)]) == 0
    if kind is None:
        assert len(np.fromfile(out, "<i2")) % 512 == 0
        return
    info = soundfile.info(io.BytesIO(out.read_bytes()))
    assert (info.format, info.subtype) == kind


@pytest.mark.parametrize(
    ("codes", "words"),
    [
        (np.zeros((3, 4), np.int32), "codebooks"),
        (np.zeros((10, 0), np.int32), "no frames"),
        (np.full((10, 2), -1), "code -1 in codebook 0"),
        (np.full((10, 2), 5000), "out of range"),
        (np.full((10, 2), 2**40), "out of range"),
        (b"PK\x03\x04" + bytes(100), "cannot read codes"),
        (b"", "cannot read codes"),
        (b"\x93NUMPY" + bytes(20), "cannot read codes"),
    ],
)
def test_codes_that_are_none_are_refused_in_one_line(
    model: tuple[str, ...],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    codes: np.ndarray | bytes,
    words: str,
) -> None:
    path = tmp_path / "c.npy"
    if isinstance(codes, bytes):
        path.write_bytes(codes)
    else:
        np.save(path, codes)
    out = tmp_path / "a.wav"
    assert main(["decode", *model, "--codes", str(path), "-o", str(out)]) == 1
    told = capsys.readouterr().err.strip().splitlines()
    assert words in told[-1]
    assert not any("Traceback" in line for line in told)
    assert not out.exists()


def test_codes_beyond_the_codec_are_told(
    model: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    np.save(tmp_path / "c.npy", np.full((10, 2), 60))
    given = ["--codes", str(tmp_path / "c.npy"), "-o", str(tmp_path / "a.wav")]
    assert main(["decode", *model, *given]) == 0
    assert "18 codes are beyond their codebook" in capsys.readouterr().err


def test_a_voice_is_not_written_under_another_kinds_name(
    model: tuple[str, ...], golden_file: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    clip = ["--prompt-audio", str(golden_file("ref-mono-44k1.flac")), "--prompt-text", "Words."]
    out = tmp_path / "v.wav"
    assert main(["encode", *model, *clip, "-o", str(out)]) == 1
    assert "Name it .s2voice" in capsys.readouterr().err
    assert not out.exists()


def test_no_name_begins_a_line_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", "no\nerror: forged.gguf"]) == 1
    assert len(capsys.readouterr().err.strip().splitlines()) == 1
