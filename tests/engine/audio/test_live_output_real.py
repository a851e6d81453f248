"""Live playing through a real sound server: what is heard is the take, sample by sample."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile
from sound_server import SoundServer, missing

ROOT = Path(__file__).resolve().parents[3]
TRIES = 4

pytestmark = [
    pytest.mark.real,
    pytest.mark.xdist_group("sound"),
    pytest.mark.skipif(bool(missing()), reason=missing() or "sound server there"),
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SoundServer]:
    made = SoundServer(tmp_path_factory.mktemp("pulse"))
    yield made
    made.close()


def take(frames: int) -> np.ndarray:
    """Noise without a zero in it, so that silence can be told from it; no whole last block."""
    rng = np.random.default_rng(5)
    samples = rng.uniform(0.05, 0.5, frames * 2048 + 777)
    return (samples * rng.choice([-1, 1], len(samples))).astype(np.float32)


def listen(server: SoundServer, *command: str) -> tuple[str, np.ndarray]:
    """Run a program and return its output and everything that was heard but silence."""
    recording = server.record()
    done = subprocess.run(
        [sys.executable, *command], env={**server.environment, "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, timeout=120, check=False, cwd=ROOT,
    )  # fmt: skip
    sound = recording.finish()
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout, sound[sound != 0]


@pytest.mark.parametrize(("plan", "frames"), [("fast", 30), ("slow", 16), ("burst", 30)])
def test_every_sample_is_heard_once_and_in_order(
    server: SoundServer, tmp_path: Path, plan: str, frames: int
) -> None:
    """A machine under load may starve the sound server itself, which then drops samples that it
    was given. PortAudio reports that as an underrun; such a run says nothing and is repeated."""
    expected, figures, heard = take(frames), {}, np.empty(0)
    np.save(tmp_path / "take.npy", expected)
    script = str(ROOT / "tests" / "support" / "live_script.py")
    for _ in range(TRIES):
        out, heard = listen(server, script, str(tmp_path / "take.npy"), plan)
        figures = json.loads(out.splitlines()[-1])
        if figures["underruns"] <= (plan == "burst"):
            break
    assert len(heard) == len(expected)
    assert np.abs(heard - expected).max() < 1e-6
    assert any("starts in about" in line for line in figures["said"]) == (plan != "fast")
    if plan == "burst":
        assert figures["underruns"] == 1
        assert figures["buffer_low_water_ms"] == 0


def test_synth_plays_what_it_writes(server: SoundServer, models: Any, tmp_path: Path) -> None:
    out, figures = tmp_path / "take.wav", tmp_path / "figures.json"
    heard, written = np.empty(0), np.ones(1)
    for _ in range(TRIES):
        _, heard = listen(
            server, "-m", "engine", "synth", "-m", str(models.path("tiny-f32")),
            "-t", str(models.tokenizer), "--text", "Good evening.", "--seed", "3",
            "--max-tokens", "30", "--play", "-o", str(out), "--json-metrics", str(figures),
            "--threads", "1",
        )  # fmt: skip
        written = soundfile.read(out, dtype="float32")[0]
        data = json.loads(figures.read_text(encoding="utf-8"))
        if data["underruns"] == 0:
            break
    written = written[written != 0]
    assert len(heard) == len(written)
    assert np.abs(heard - written).max() < 1e-6
    assert data["codec_frames_decoded"] == data["frames"]
