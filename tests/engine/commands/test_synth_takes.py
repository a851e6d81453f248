"""``s2 synth`` with more than one take: names, seeds, checks, the pick, and what is refused."""

from __future__ import annotations

import io
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import soundfile

from engine.cli import main


@pytest.fixture
def command(models: Any, tmp_path: Path) -> list[str]:
    return [
        "synth", "-m", str(models.path("tiny-q8_0")), "-t", str(models.tokenizer),
        "--voice-cache", "0", "--max-tokens", "6", "--min-tokens-before-end", "6",
        "-o", str(tmp_path / "out.wav"), "--temp", "1.2",
    ]  # fmt: skip


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.suffix == ".wav")


def test_takes_have_names_and_seeds_of_their_own(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*command, "--text", "Hello.", "--takes", "3", "--seed", "7"]) == 0
    assert names(tmp_path) == ["out-1.wav", "out-2.wav", "out-3.wav"]
    assert re.findall(r"seed (\d+)", capsys.readouterr().out) == ["7", "8", "9"]
    single = tmp_path / "single.wav"
    assert main([*command, "--text", "Hello.", "--seed", "8", "-o", str(single)]) == 0
    alone, _ = soundfile.read(single)
    among, _ = soundfile.read(tmp_path / "out-2.wav")
    assert np.array_equal(alone, among)


def test_each_line_is_a_sound(command: list[str], tmp_path: Path) -> None:
    lines = tmp_path / "lines.txt"
    lines.write_text("First line.\n\n  Second line.  \n")
    assert main([*command, "--lines", str(lines)]) == 0
    assert names(tmp_path) == ["out-1.wav", "out-2.wav"]


def test_lines_from_a_pipe_in_takes(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"One.\nTwo.\n")))
    assert main([*command, "--lines", "-", "--takes", "2"]) == 0
    assert names(tmp_path) == ["out-1-1.wav", "out-1-2.wav", "out-2-1.wav", "out-2-2.wav"]


def test_the_best_gets_the_name_and_nothing_is_thrown_away(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main([*command, "--text", "Hello.", "--takes", "3", "--best"])
    assert code == 1  # a random model's takes stop in the middle of a word
    said = capsys.readouterr().out
    assert names(tmp_path) == ["out-1.wav", "out-2.wav", "out-3.wav", "out.wav"]
    found = re.search(r"out\.wav: the best is (out-\d\.wav)\.", said)
    assert found is not None
    assert (tmp_path / "out.wav").read_bytes() == (tmp_path / found.group(1)).read_bytes()


def test_one_take_is_checked_under_its_own_name(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*command, "--text", "Hello.", "--check"]) == 1
    assert names(tmp_path) == ["out.wav"]
    said = capsys.readouterr().out
    assert "The limit of frames was reached" in said
    assert "words were not checked" in said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--takes", "0"], "1 to 64"),
        (["--takes", "65"], "1 to 64"),
        (["--takes", "2", "--play"], "--takes and --play exclude"),
        (["--takes", "2", "--stream-file"], "--takes and --stream-file exclude"),
        (["--takes", "2", "--dump-codes", "c.npy"], "--dump-codes is for one sound"),
        (["--check", "--remote", "http://a:1"], "--check and --remote exclude"),
        (["--best"], "--best needs takes"),
        (["--transcriber", "model"], "no check is asked for"),
        (["--lines", "none.txt", "--text", "A."], "--lines and a text"),
        (["--lines", "none.txt"], "cannot read the text file none.txt"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_made(
    command: list[str], words: list[str], said: str, tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    assert main([*command, *words]) != 0
    assert said in capsys.readouterr().err
    assert names(tmp_path) == []


def test_a_line_that_fails_leaves_the_others(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = tmp_path / "lines.txt"
    lines.write_text("Hello.\n\u200b\nAgain.\n", encoding="utf-8")
    assert main([*command, "--lines", str(lines)]) == 1
    assert names(tmp_path) == ["out-1.wav", "out-3.wav"]
    assert "out-2.wav" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ["--takes", "2"], ["--lines", "l.txt"], ["--check"], ["--speed", "0.9"],
        ["--prefix-codes", "c.npy"], ["--dump-codes", "c.npy"], ["--json-metrics", "m.json"],
    ],
)  # fmt: skip
def test_a_server_refuses_what_is_asked_of_one_sound(
    command: list[str], words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*command, "--server", *words]) == 2
    assert f"{words[0]} asks for a sound" in capsys.readouterr().err


def test_a_folder_in_the_way_is_told_before_anything_is_made(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "out-2.wav").mkdir()
    assert main([*command, "--text", "Hello.", "--takes", "2"]) == 1
    assert "out-2.wav is a folder" in capsys.readouterr().err
    assert not (tmp_path / "out-1.wav").exists()


@pytest.mark.slow
def test_a_pause_that_the_text_asks_for_is_no_hole(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As ``s2 check`` has it; and a pause between pieces is none either."""
    command = ["synth", "-o", str(tmp_path / "out.wav"), "--check", "--text"]
    main([*command, "The first part is here. [pause 3s] The second part is here."])
    said = capsys.readouterr().out
    assert "more than the text explains" not in said
    main([*command, "One sentence. Another.", "--segment-sentences", "--sentence-pause-ms", "2500"])
    assert "more than the text explains" not in capsys.readouterr().out


def test_one_reading_of_each_text_is_told_once(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = tmp_path / "lines.txt"
    lines.write_text("One.\nTwo.\n")
    narrow = ["--lines", str(lines), "--takes", "3", "--top-p", "0.000001", "--max-tokens", "1"]
    assert main([*command, *narrow]) == 0
    assert capsys.readouterr().err.count("it reads this text one way") == 2
