"""Real recording: what is played into a virtual microphone is compared sample by sample."""

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

from engine.audio.wav import write_wav

ROOT = Path(__file__).resolve().parents[3]
MODULES = (
    f"module-null-sink sink_name=mic rate={RATE} format=float32le channels=1",
    "module-remap-source source_name=microphone master=mic.monitor",
)

pytestmark = [
    pytest.mark.real,
    pytest.mark.xdist_group("sound"),
    pytest.mark.skipif(bool(missing()), reason=missing() or "sound server there"),
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SoundServer]:
    made = SoundServer(tmp_path_factory.mktemp("pulse-mic"))
    for module in MODULES:
        control(made, "load-module", *module.split())
    control(made, "set-default-source", "microphone")
    yield made
    made.close()


def control(server: SoundServer, *command: str) -> None:
    subprocess.run(["pactl", *command], env=server.environment, check=True, capture_output=True)


def spoken(seconds: float) -> np.ndarray:
    """Noise without a zero in it, so that the silence around it is told from it."""
    rng = np.random.default_rng(8)
    count = round(seconds * RATE)
    return (rng.uniform(0.05, 0.5, count) * rng.choice([-1, 1], count)).astype(np.float32)


def record(
    server: SoundServer, folder: Path, said: np.ndarray | None, seconds: float, key: str = ""
) -> tuple[Any, np.ndarray, str]:
    """Record in another process while ``said`` is played into the microphone."""
    target = folder / "heard.npy"
    process = subprocess.Popen(
        [sys.executable, str(ROOT / "tests" / "support" / "record_script.py"), str(target),
         str(seconds), key],
        env={**server.environment, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        assert process.stdout.readline().strip() == "recording"
        if said is not None:
            write_wav(folder / "said.wav", said, RATE, "FLOAT")
            subprocess.run(
                ["paplay", "--device=mic", str(folder / "said.wav")],
                env=server.environment, check=True, capture_output=True, timeout=140,
            )  # fmt: skip
        out, err = process.communicate(timeout=140)
    finally:
        process.kill()
    samples = np.load(target) if target.exists() else np.zeros((0, 1), np.float32)
    return (json.loads(out) if out.strip() else None), samples, err


@pytest.mark.parametrize("named", [False, True])
def test_every_sample_into_the_microphone_is_in_the_recording(
    server: SoundServer, tmp_path: Path, named: bool
) -> None:
    key = "pulse \u2014 ALSA" if named else ""
    said = spoken(1.0)
    facts, heard, errors = record(server, tmp_path, said, 20, key)
    assert facts is not None, errors
    assert key in facts["inputs"]
    assert facts["rate"] == RATE
    assert facts["channels"] == 1
    sounding = np.flatnonzero(heard[:, 0])
    assert np.array_equal(heard[sounding[0] : sounding[-1] + 1, 0], said)
    assert len(sounding) == len(said)
    assert facts["said"] == []


def test_a_silent_microphone_is_refused(server: SoundServer, tmp_path: Path) -> None:
    facts, heard, errors = record(server, tmp_path, None, 1.5)
    assert facts is None
    assert len(heard) == 0
    assert "digital silence" in errors
