"""A program that is killed while it streams leaves a file that opens, up to the last piece."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

ROOT = Path(__file__).resolve().parents[3]
PIECES = 6

pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(sys.platform == "win32", reason="needs signals"),
]


def command(models: Any, out: Path, *more: str) -> list[str]:
    return [
        sys.executable, "-m", "engine", "synth", "-m", str(models.path("tiny-f32")),
        "-t", str(models.tokenizer), "--text", "Good evening.", "--seed", "5", "--threads", "1",
        "--min-tokens-before-end", "400", "--max-tokens", "400", "--stream-file", "-o", str(out),
        "--low-latency", *more,
    ]  # fmt: skip


def start(models: Any, out: Path, *more: str) -> subprocess.Popen[bytes]:
    """Start and wait until some pieces are in the file."""
    process = subprocess.Popen(
        command(models, out, *more), cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    end = time.monotonic() + 60
    while time.monotonic() < end and process.poll() is None:
        if out.exists() and out.stat().st_size > 44 + PIECES * 4096:
            return process
        time.sleep(0.01)
    process.kill()
    raise AssertionError(process.communicate()[1].decode())


@pytest.mark.slow
def test_kill_leaves_a_valid_beginning(models: Any, tmp_path: Path) -> None:
    killed, whole = tmp_path / "killed.wav", tmp_path / "whole.wav"
    process = start(models, killed)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=30)
    size = killed.stat().st_size
    info = soundfile.info(killed)
    # A piece is written first and then counted in the header, so at most one is not counted.
    assert 0 <= size - 44 - 2 * info.frames <= 4096
    assert info.frames >= PIECES * 2048
    assert info.frames % 2048 == 0
    samples = soundfile.read(killed, dtype="int16")[0]
    frames = info.frames // 2048
    again = subprocess.run(
        [*command(models, whole), "--max-tokens", str(frames)], cwd=ROOT, check=True,
        capture_output=True, timeout=120,
    )  # fmt: skip
    assert again.returncode == 0
    np.testing.assert_array_equal(samples, soundfile.read(whole, dtype="int16")[0])


def test_interrupt_keeps_what_was_made(models: Any, tmp_path: Path) -> None:
    out, codes = tmp_path / "stopped.wav", tmp_path / "codes.npy"
    process = start(models, out, "--dump-codes", str(codes))
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=30)
    assert process.returncode == 1, stderr
    assert b"cancelled" in stdout
    assert b"Traceback" not in stderr
    info = soundfile.info(out)
    assert os.path.getsize(out) == 44 + 2 * info.frames
    assert info.frames == 2048 * np.load(codes).shape[1]
