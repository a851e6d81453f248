"""Speech faster and slower: exact length, the same pitch and level, untouched at 1."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from engine.audio.stretch import FASTEST, SLOWEST, stretch
from engine.cli import main

RATE = 44100


def tone(seconds: float = 1.0) -> np.ndarray:
    t = np.arange(int(seconds * RATE)) / RATE
    return (0.3 * np.sin(2 * np.pi * 220 * t)).astype(np.float32)


@pytest.mark.parametrize("speed", [SLOWEST, 0.9, 1.1, FASTEST])
def test_length_pitch_and_level(speed: float) -> None:
    made = stretch(tone(), RATE, speed)
    assert len(made) == round(RATE / speed)
    middle = made[len(made) // 4 : -len(made) // 4]
    spectrum = np.abs(np.fft.rfft(middle * np.hanning(len(middle))))
    assert np.argmax(spectrum) * RATE / len(middle) == pytest.approx(220, abs=3)
    assert np.std(middle) == pytest.approx(np.std(tone()), rel=0.05)
    assert np.abs(np.diff(middle)).max() < 0.02, "no click"


def test_at_one_nothing_changes() -> None:
    samples = tone()
    assert stretch(samples, RATE, 1.0) is samples
    assert not len(stretch(np.empty(0, np.float32), RATE, 1.2))


@pytest.mark.parametrize("count", [1, 10, 500, 3000])
def test_the_shortest_sounds(count: int) -> None:
    assert len(stretch(tone()[:count], RATE, 1.25)) == round(count / 1.25)


def test_the_command_line(models: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "a.wav"
    words = ["synth", "-m", str(models.path("tiny-f32")), "-t", str(models.tokenizer), "--seed",
             "5", "--max-tokens", "6", "--min-tokens-before-end", "6", "-o", str(out)]  # fmt: skip
    assert main([*words, "--text", "Hi."]) == 0
    plain = soundfile.info(out).frames
    assert main([*words, "--text", "Hi.", "--speed", "1.25"]) == 0
    assert soundfile.info(out).frames == round(plain / 1.25)
    capsys.readouterr()
    assert main([*words, "--text", "Hi. [pause 1s] You.", "--speed", "0.8"]) == 0
    assert "pauses of exact length" in capsys.readouterr().err
    for more in (["--stream-file"], ["--play"]):
        assert main([*words, "--text", "Hi.", "--speed", "1.2", *more]) == 2
        assert "--speed" in capsys.readouterr().err
    for speed in ("0.5", "2", "nan"):
        assert main([*words, "--text", "Hi.", "--speed", speed]) == 2
        assert "from 0.8 to 1.25" in capsys.readouterr().err
