"""A private PulseAudio with a null sink, for tests that really play."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
from filelock import FileLock

RATE = 44100
SINK = f"module-null-sink sink_name=speaker rate={RATE} format=float32le channels=1"
NEEDED = ("pulseaudio", "pactl", "parec")
# Limits that only a hang reaches, even on a machine that does much else. Together they stay
# below the time limit of a test.
START_S, TURN_S, HEARD_S, END_S = 100.0, 150.0, 60.0, 30.0
SOCKET_BYTES = 100  # the system's limit for the path of a socket is 107, without a word why
LOCK = Path(tempfile.gettempdir()) / f"s2-sound-server-{os.getuid()}.lock"


def missing() -> str:
    """Why there can be no sound server, empty when there can."""
    absent = [name for name in NEEDED if shutil.which(name) is None]
    return f"{', '.join(absent)} not installed" if absent else ""


class SoundServer:
    """Runs PulseAudio in a folder of its own until :meth:`close`; ``anyone`` may use it.

    The folder is a short one elsewhere where ``folder`` is too long for a socket's path, as a
    test's folder is beside other workers.
    """

    def __init__(self, folder: Path, *, anyone: bool = False) -> None:
        if len(os.fsencode(folder / "pulse" / "native")) > SOCKET_BYTES:
            folder = Path(tempfile.mkdtemp(prefix="s2-", dir="/tmp"))
        self.folder = folder
        folder.mkdir(mode=0o700, exist_ok=True)
        self.environment = {
            **os.environ,
            "XDG_RUNTIME_DIR": str(folder),
            "HOME": str(folder),
            "PULSE_SERVER": f"unix:{folder}/pulse/native",
        }
        protocol = "module-native-protocol-unix" + (" auth-anonymous=1" if anyone else "")
        self._log = folder / "server.log"
        # One after the other, whichever worker or test run asks: servers that start at the same
        # moment wait for each other's processor time and for the real-time limits of the system.
        with FileLock(LOCK, timeout=TURN_S), self._log.open("wb") as log:
            self._server = subprocess.Popen(
                [
                    "pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1",
                    "--use-pid-file=no", f"--load={protocol}", f"--load={SINK}",
                ],
                env=self.environment, stdout=log, stderr=log,
            )  # fmt: skip
            try:
                self._wait_ready()
            except BaseException:
                self.close()
                raise

    def _wait_ready(self) -> None:
        """Return once it answers; raises ``RuntimeError`` with what it and ``pactl`` said."""
        end, said = time.monotonic() + START_S, ""
        while time.monotonic() < end:
            if self._server.poll() is not None:
                code = self._server.returncode
                raise RuntimeError(f"PulseAudio ended with {code} as it started: {self._logged()}")
            try:
                asked = subprocess.run(
                    ["pactl", "info"], env=self.environment, capture_output=True, text=True,
                    check=False, timeout=max(1.0, end - time.monotonic()),
                )  # fmt: skip
            except subprocess.TimeoutExpired:
                said = "no answer"
                break
            if asked.returncode == 0:
                return
            said = asked.stderr.strip()
            time.sleep(0.05)
        raise RuntimeError(
            f"PulseAudio did not start in {START_S:g} s; pactl: {said}; server: {self._logged()}"
        )

    def _logged(self) -> str:
        return self._log.read_text(errors="replace").strip() or "nothing"

    def record(self) -> Recording:
        """Record what the sink plays from now on."""
        return Recording(self)

    def close(self) -> None:
        """End the server."""
        self._server.send_signal(signal.SIGTERM)
        try:
            self._server.wait(END_S)
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
        end = time.monotonic() + HEARD_S
        while self.path.stat().st_size == 0:
            if self._process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"parec recorded nothing (exit code {self._process.poll()})")
            time.sleep(0.02)

    def finish(self, quiet_s: float = 0.4) -> np.ndarray:
        """Stop once ``quiet_s`` of silence came in; returns the samples."""
        end = time.monotonic() + HEARD_S
        quiet = round(quiet_s * RATE)
        while time.monotonic() < end:
            tail = self.samples()[-quiet:]
            if len(tail) == quiet and not tail.any():
                break
            time.sleep(0.05)
        self._process.terminate()
        self._process.wait(END_S)
        self._file.close()
        return self.samples()

    def samples(self) -> np.ndarray:
        """Everything recorded so far."""
        data = self.path.read_bytes()
        return np.frombuffer(data[: len(data) // 4 * 4], dtype="<f4")
