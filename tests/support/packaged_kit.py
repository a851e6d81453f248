"""A bare machine for the built program: no Python, no source tree, a folder it cannot write."""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
FOLDER_NAME = "Програма é"
LIMIT_S = 500
# Hides folders and files, then goes on as a user without rights and with an empty environment.
SEAL = """
while [ "$1" != -- ]; do
    if [ -d "$1" ]; then mount -t tmpfs -o mode=755 none "$1"
    elif [ -e "$1" ]; then mount --bind /dev/null "$1"; fi
    shift
done
shift
cd /
exec setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs -- env -i "$@"
"""
UNSHARE = ("unshare", "--mount", "--propagation", "private", "--")


def can_seal() -> bool:
    """Whether mounts of our own and another user are allowed here."""
    if sys.platform != "linux" or os.geteuid() != 0 or shutil.which("setpriv") is None:
        return False
    try:
        done = subprocess.run([*UNSHARE, "mount", "-t", "tmpfs", "none", "/mnt"], check=False)
    except OSError:
        return False
    return done.returncode == 0


def everything_of_python() -> list[Path]:
    """The source tree, this Python's environment, and every Python of the system."""
    hidden = [ROOT, Path(sys.prefix), Path(sys.base_prefix)]
    found = [path for path in hidden if path != Path("/usr")]
    for pattern in ("lib/python3*", "bin/python3*", "local/bin/python3*", "local/lib/python3*"):
        found += [path for path in Path("/usr").glob(pattern) if not path.is_symlink()]
    return found


class Room:
    """Runs the built program as somebody else's machine would.

    Attributes:
        base: holds all of it; a name without surprises, for the tests' own servers.
        install: the folder of the program, read-only and named with letters beyond ASCII.
        home, temp: the user's, named likewise.
        sealed: other files of this machine are hidden; without it only the environment is.
    """

    def __init__(self, built: Path) -> None:
        self.base = Path(tempfile.mkdtemp(prefix="s2-packaged-"))
        self.base.chmod(0o755)
        self.sealed = can_seal()
        self.install = self.base / FOLDER_NAME
        self.install.mkdir()
        self.folder = self.install / built.name
        _copy(built, self.folder)
        _make_read_only(self.install)
        self.home = self._own("дом")
        self.temp = self._own("темп é")
        self.display = ""
        self.sound = ""

    def _own(self, name: str) -> Path:
        path = self.base / name
        path.mkdir()
        path.chmod(0o777)
        return path

    def command(
        self, program: str, *arguments: str, hide: tuple[Path, ...] = (), **env: str
    ) -> list[str]:
        """The whole command line that runs ``program`` of the folder."""
        variables = {
            "HOME": str(self.home),
            "TMPDIR": str(self.temp),
            "PATH": "/nowhere",
            "XDG_RUNTIME_DIR": str(self.temp),
            **({"DISPLAY": self.display} if self.display else {}),
            **({"PULSE_SERVER": self.sound} if self.sound else {}),
            **env,
        }
        pairs = [f"{name}={value}" for name, value in variables.items() if value]
        doing = [*pairs, str(self.folder / program), *arguments]
        if not self.sealed:
            return ["env", "-i", *doing]
        hidden = [str(path) for path in (*everything_of_python(), *hide)]
        return [*UNSHARE, "sh", "-ec", SEAL, "seal", *hidden, "--", *doing]

    def run(
        self, program: str, *arguments: str, hide: tuple[Path, ...] = (), **env: str
    ) -> subprocess.CompletedProcess[str]:
        """Run to the end."""
        return subprocess.run(
            self.command(program, *arguments, hide=hide, **env),
            cwd="/", capture_output=True, text=True, timeout=LIMIT_S, check=False,
            stdin=subprocess.DEVNULL,
        )  # fmt: skip

    def start(self, program: str, *arguments: str, **env: str) -> subprocess.Popen[str]:
        """Start and go on."""
        return subprocess.Popen(
            self.command(program, *arguments, **env), cwd="/", text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    def processes(self) -> list[int]:
        """Processes that run a program of the folder now."""
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    program = os.readlink(entry / "exe")
                except OSError:
                    continue
                if program.startswith(str(self.install)):
                    found.append(int(entry.name))
        return found

    def close(self) -> None:
        """Remove all of it."""
        for path in [self.install, *self.install.rglob("*")]:
            if path.is_dir() and not path.is_symlink():
                path.chmod(0o755)
        shutil.rmtree(self.base)


def _copy(source: Path, target: Path) -> None:
    """By hard links where that goes: the folder is large."""
    done = subprocess.run(["cp", "-al", str(source), str(target)], capture_output=True, check=False)
    if done.returncode:
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(source, target, symlinks=True)


def _make_read_only(folder: Path) -> None:
    for path in [folder, *folder.rglob("*")]:
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o555)


class Screen:
    """An X server of our own whose picture is a file, so that no tool is needed to look."""

    def __init__(self, folder: Path, size: str = "1600x1000") -> None:
        self._picture = folder / "Xvfb_screen0"
        reading, writing = os.pipe()
        self._server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", f"{size}x24", "-nolisten", "tcp",
             "-ac", "-fbdir", str(folder)],
            pass_fds=(writing,), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(writing)
        with os.fdopen(reading, encoding="ascii") as file:
            self.name = f":{file.readline().strip()}"

    def picture(self) -> np.ndarray:
        """What is seen now: (height, width, 3) of uint8, from the server's XWD file."""
        data = self._picture.read_bytes()
        head = struct.unpack_from(">25I", data)
        size, width, height, line, colors = head[0], head[4], head[5], head[12], head[19]
        start = size + colors * 12
        pixels = np.frombuffer(data, np.uint8, line * height, start).reshape(height, line // 4, 4)
        return pixels[:, :width, 2::-1]

    def filled(self) -> float:
        """Share of the screen that shows something."""
        return float((self.picture().max(axis=2) > 0).mean())

    def save(self, path: Path) -> None:
        """Write the picture as a PNG."""
        from PySide6.QtGui import QImage

        pixels = np.ascontiguousarray(self.picture())
        height, width, _ = pixels.shape
        image = QImage(pixels.data, width, height, 3 * width, QImage.Format.Format_RGB888)
        path.parent.mkdir(parents=True, exist_ok=True)
        assert image.save(str(path))

    def close(self) -> None:
        self._server.terminate()
        self._server.wait(10)


def wait_until(what: Callable[[], bool], seconds: float) -> bool:
    """Look twenty times a second until ``what`` is true; ``False`` when it never was."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if what():
            return True
        time.sleep(0.05)
    return False
