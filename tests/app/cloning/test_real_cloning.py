"""A voice from a virtual microphone: what is played into it is what the engine gets."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from cloning_kit import speech
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


@pytest.fixture
def server(tmp_path: Path) -> Iterator[SoundServer]:
    made = SoundServer(tmp_path / "pulse")
    for command in (*(f"load-module {m}" for m in MODULES), "set-default-source microphone"):
        subprocess.run(
            ["pactl", *command.split()], env=made.environment, check=True, capture_output=True
        )
    yield made
    made.close()


def test_a_voice_of_what_was_said_into_the_microphone(server: SoundServer, tmp_path: Path) -> None:
    said = speech(6, RATE)
    write_wav(tmp_path / "said.wav", said, RATE, "FLOAT")
    process = subprocess.Popen(
        [sys.executable, str(ROOT / "tests" / "support" / "clone_script.py"), str(tmp_path), "7"],
        env={
            **server.environment,
            "QT_QPA_PLATFORM": "offscreen",
            "PYTHONPATH": f"{ROOT}:{ROOT}/tests/support",
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline().strip() == "recording"
        subprocess.run(
            ["paplay", "--device=mic", str(tmp_path / "said.wav")],
            env=server.environment, check=True, capture_output=True, timeout=140,
        )  # fmt: skip
        out, errors = process.communicate(timeout=140)
    finally:
        process.kill()
    facts = json.loads(out)
    assert facts["clean"], errors
    assert facts["voice"] == facts["chosen"] == "Real"
    assert facts["rate"] == RATE
    assert facts["lights"]["clipping"] == "green"
    heard = np.load(tmp_path / "clip.npy")[:, 0]
    first = int(np.flatnonzero(heard)[0])
    count = min(len(said), len(heard) - first)
    assert count > 5 * RATE
    np.testing.assert_allclose(heard[first : first + count], said[:count], atol=1e-7)
    assert (tmp_path / "data" / "voices" / "Real.s2voice").exists()
    assert (tmp_path / "data" / "voices" / "Real.json").exists()
