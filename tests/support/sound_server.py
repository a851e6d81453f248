"""A private PulseAudio with a null sink, for tests that really play."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import numpy as np

RATE = 44100
SINK = f"module-null-sink sink_name=speaker rate={RATE} format=float32le channels=1"
NEEDED = ("pulseaudio", "pactl", "parec")


def missing() -> str:
    """Why there can be no sound server, empty when there can."""
    absent = [name for name in NEEDED if shutil.which(name) is None]
    return f"{', '.join(absent)} not installed" if absent else ""


class SoundServer:
    """Runs PulseAudio in a folder of its own until :meth:`close`; ``anyone`` may use it."""

    def __init__(self, folder: Path, *, anyone: bool = False) -> None:
        self.folder = folder
        folder.mkdir(mode=0o700, exist_ok=True)
        self.environment = {
            **os.environ,
            "XDG_RUNTIME_DIR": str(folder),
            "HOME": str(folder),
            "PULSE_SERVER": f"unix:{folder}/pulse/native",
        }
        protocol = "module-native-protocol-unix" + (" auth-anonymous=1" if anyone else "")
        self._server = subprocess.Popen(
            [
                "pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no",
                f"--load={protocol}", f"--load={SINK}",
            ],
            env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self._wait_ready()

    def _wait_ready(self) -> None:
        end = time.monotonic() + 15
        while time.monotonic() < end:
            asked = subprocess.run(
                ["pactl", "info"], env=self.environment, capture_output=True, check=False
            )
            if asked.returncode == 0:
                return
            time.sleep(0.05)
        raise RuntimeError("PulseAudio did not start")

    def record(self) -> Recording:
        """Record what the sink plays from now on."""
        return Recording(self)

    def close(self) -> None:
        """End the server."""
        self._server.send_signal(signal.SIGTERM)
        try:
            self._server.wait(5)
        except subprocess.TimeoutExpired:
            self._server.kill()
            self._server.wait()


class Recording:
    """What is heard from the sink, written to a file by a process of its own."""

    def __init__(self, server: SoundServer) -> None:
        self.path = server.folder / "heard.raw"
        self._file = self.path.open("wb")
        self._process = subprocess.Popen(
            [
                "parec", "--device=speaker.monitor", "--format=float32le", f"--rate={RATE}",
                "--channels=1", "--raw", "--latency-msec=20",
            ],
            env=server.environment, stdout=self._file, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        end = time.monotonic() + 10
        while self.path.stat().st_size == 0 and time.monotonic() < end:
            time.sleep(0.02)

    def finish(self, quiet_s: float = 0.4) -> np.ndarray:
        """Stop once ``quiet_s`` of silence came in; returns the samples."""
        end = time.monotonic() + 10
        quiet = round(quiet_s * RATE)
        while time.monotonic() < end:
            tail = self.samples()[-quiet:]
            if len(tail) == quiet and not tail.any():
                break
            time.sleep(0.05)
        self._process.terminate()
        self._process.wait(5)
        self._file.close()
        return self.samples()

    def samples(self) -> np.ndarray:
        """Everything recorded so far."""
        data = self.path.read_bytes()
        return np.frombuffer(data[: len(data) // 4 * 4], dtype="<f4")
