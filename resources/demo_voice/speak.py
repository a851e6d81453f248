"""Speech and its phones from flite (step ``speak``), Debian package ``flite``.

flite tells the end time of each phone it speaks, which is what lets the robot put every phone
on whole codec frames.
"""

from __future__ import annotations

import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import soundfile
import soxr

RATE = 22050


@dataclass(frozen=True)
class Speaker:
    """A flite voice and the pitch that its robot has: pulses per frame of 1024 samples."""

    name: str
    pulses: int

    @property
    def pitch(self) -> float:
        """Hz."""
        return self.pulses * RATE / 1024


SPEAKERS = (Speaker("slt", 9), Speaker("rms", 5))


@dataclass(frozen=True, eq=False)
class Spoken:
    """An utterance: float32 samples at 22,050 Hz, phone names and their end times in seconds."""

    pcm: np.ndarray
    phones: tuple[str, ...]
    ends: np.ndarray


def speak(voice: str, text: str, folder: Path) -> Spoken:
    """Let flite say ``text``."""
    with tempfile.NamedTemporaryFile(suffix=".wav", dir=folder) as file:
        done = subprocess.run(
            ["flite", "-voice", voice, "-psdur", "-t", text, file.name],
            check=True,
            capture_output=True,
            text=True,
        )
        pcm, rate = soundfile.read(file.name, dtype="float32")
    pairs = [item.rsplit(":", 1) for item in done.stdout.split()]
    if rate != RATE:
        pcm = soxr.resample(pcm, rate, RATE)
    peak = max(0.05, float(np.abs(pcm).max()))
    ends = np.array([float(end) for _, end in pairs])
    return Spoken(pcm / peak * 0.7, tuple(name for name, _ in pairs), ends)


def speak_all(jobs: list[tuple[str, str]], threads: int = 2) -> list[Spoken]:
    """Speak ``(voice, text)`` pairs in order."""
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(threads) as pool:
        return list(pool.map(lambda job: speak(job[0], job[1], Path(folder)), jobs))
