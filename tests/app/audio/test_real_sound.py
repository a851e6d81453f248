"""Real playing: what a null sink was given is compared with the take, sample by sample."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sound_server import RATE, SoundServer, missing

ROOT = Path(__file__).resolve().parents[3]
FRAME = 2048

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
    """Noise without a zero in it, so that silence around and in gaps can be told from it.
    The last block is not whole."""
    rng = np.random.default_rng(5)
    samples = rng.uniform(0.05, 0.5, frames * FRAME + 777) * rng.choice([-1, 1])
    return samples.astype(np.float32)


def play(server: SoundServer, folder: Path, plan: str, frames: int) -> tuple[Any, np.ndarray]:
    """Figures of the player and what was heard.

    A machine under load may starve the sound server itself; PortAudio reports that, and what
    it then drops was handed over by us. Such a run says nothing and is done again.
    """
    for _ in range(4):
        figures, heard = play_once(server, folder, plan, frames)
        if not figures["late"]:
            break
    return figures, heard


def play_once(server: SoundServer, folder: Path, plan: str, frames: int) -> tuple[Any, np.ndarray]:
    path = folder / "take.npy"
    np.save(path, take(frames))
    recording = server.record()
    done = subprocess.run(
        [sys.executable, str(ROOT / "tests" / "support" / "play_script.py"), str(path), plan],
        env={**server.environment, "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, timeout=140, check=False,
    )  # fmt: skip
    sound = recording.finish()
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout.splitlines()[-1]), sound[sound != 0]


@pytest.mark.parametrize(("plan", "frames"), [("fast", 40), ("slow", 26), ("burst", 40)])
def test_every_sample_is_heard_once_and_in_order(
    server: SoundServer, tmp_path: Path, plan: str, frames: int
) -> None:
    figures, heard = play(server, tmp_path, plan, frames)
    expected = take(frames)
    assert len(heard) == len(expected)
    assert np.abs(heard - expected).max() < 1e-6
    assert figures["underruns"] <= 1, "it may rebuffer once, never stutter"


def test_five_pauses_lose_nothing(server: SoundServer, tmp_path: Path) -> None:
    figures, heard = play(server, tmp_path, "pause", 44)
    assert figures["pauses"] == 5
    assert np.array_equal(heard, take(44))


def test_stop_in_the_middle_ends_with_a_fade(server: SoundServer, tmp_path: Path) -> None:
    _, heard = play(server, tmp_path, "stop", 60)
    expected = take(60)
    assert RATE // 4 < len(heard) < len(expected)
    fade = 700
    whole = len(heard) - fade
    assert np.array_equal(heard[:whole], expected[:whole])
    assert np.abs(heard[-20:]).max() < 0.05
