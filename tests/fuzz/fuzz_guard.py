"""What a target must keep to while it reads one bad input: time, memory, and its own folder."""

from __future__ import annotations

import os
import re
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

MAX_CPU_S = 1.0
MAX_BLOCKED_S = 5.0
"""Neither computing nor waiting for a core; the disk may take a while. What waits for good never
ends at all, and is ended by the parent."""

MAX_MEMORY = 200 << 20
_STATUS, _CLEAR = "/proc/self/status", "/proc/self/clear_refs"
_FIELD = re.compile(r"^(VmHWM|VmRSS|VmSize):\s+(\d+) kB", re.MULTILINE)
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_ONE_PATH = {
    "os.remove": 1, "os.rmdir": 1, "os.mkdir": 2, "os.truncate": None, "os.chmod": 2,
    "os.chown": 3, "os.utime": 3, "shutil.rmtree": 1,
}  # fmt: skip
_FORBIDDEN = (
    "subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork", "socket.connect",
    "pickle.find_class",
)  # fmt: skip


def memory() -> dict[str, int]:
    """Peak, resident and virtual size in bytes; empty where the system does not tell."""
    try:
        text = Path(_STATUS).read_text(encoding="ascii")
    except OSError:
        return {}
    return {name: int(value) << 10 for name, value in _FIELD.findall(text)}


def can_measure() -> bool:
    """Whether the peak of one input can be told from that of the ones before."""
    return os.access(_CLEAR, os.W_OK)


def _queued() -> float:
    """Seconds that the main thread waited for a core so far; 0 where the system does not tell."""
    try:
        return int(Path("/proc/self/schedstat").read_text(encoding="ascii").split()[1]) / 1e9
    except (OSError, IndexError, ValueError):
        return 0.0


def _reset_peak() -> None:
    if can_measure():
        with open(_CLEAR, "w", encoding="ascii") as stream:
            stream.write("5")


def limit_address_space(room: int) -> None:
    """The net below the measurement: beyond it the system refuses memory."""
    import resource

    size = memory().get("VmSize", 0)
    if size:
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (size + room, hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


@dataclass
class Guard:
    """Watches one input at a time.

    Attributes:
        folders: where a target may write while it is watched.
        found: what it did that it may not.
        worst_cpu, worst_memory: highest figures of any input so far.
    """

    folders: tuple[Path, ...]
    found: list[str] = field(default_factory=list)
    worst_cpu: float = 0.0
    worst_memory: int = 0

    def __post_init__(self) -> None:
        self._armed = False
        self._roots = tuple(os.path.realpath(folder) for folder in self.folders)
        sys.addaudithook(self._audit)

    def __enter__(self) -> Guard:
        self.found = []
        _reset_peak()
        self._resident = memory().get("VmRSS", 0)
        self._cpu, self._wall, self._queued = time.process_time(), time.monotonic(), _queued()
        self._armed = True
        return self

    def __exit__(self, *_: object) -> None:
        self._armed = False
        cpu, wall = time.process_time() - self._cpu, time.monotonic() - self._wall
        used = memory().get("VmHWM", 0) - self._resident if can_measure() else 0
        self.worst_cpu = max(self.worst_cpu, cpu)
        self.worst_memory = max(self.worst_memory, used)
        blocked = wall - cpu - (_queued() - self._queued)
        if cpu > MAX_CPU_S or (blocked > MAX_BLOCKED_S and self._queued):
            self.found.append(f"slow: {cpu:.2f} s of CPU, {blocked:.2f} s blocked")
        if used > MAX_MEMORY:
            self.found.append(f"memory: {used >> 20} MB above the base")

    def _audit(self, event: str, args: tuple[Any, ...]) -> None:
        if not self._armed:
            return
        if event == "open":
            path, _, flags = args
            if isinstance(flags, int) and flags & _WRITES and not isinstance(path, int):
                self._check(event, path)
        elif event in ("os.rename", "os.link", "os.symlink"):
            self._check(event, args[1], args[3] if len(args) > 3 else -1)
            if event == "os.rename":
                self._check(event, args[0], args[2], follow=False)
        elif event in _ONE_PATH:
            if isinstance(args[0], int):
                return
            at = _ONE_PATH[event]
            place = args[at] if at is not None and len(args) > at else -1
            gone = event in ("os.remove", "os.rmdir", "shutil.rmtree")
            self._check(event, args[0], place, follow=not gone)
        elif event.startswith(_FORBIDDEN):
            self.found.append(f"{event}: {args!r}"[:200])

    def _check(self, event: str, path: Any, place: Any = -1, *, follow: bool = True) -> None:
        name = os.fsdecode(path)
        if name == os.devnull or "\0" in name:
            return
        if isinstance(place, int) and place >= 0:
            name = os.path.join(os.readlink(f"/proc/self/fd/{place}"), name)
        head, tail = os.path.split(os.path.abspath(name))
        real = os.path.realpath(name) if follow else os.path.join(os.path.realpath(head), tail)
        if not any(real == root or real.startswith(root + os.sep) for root in self._roots):
            self.found.append(f"{event} outside of its folder: {name[:120]!r}")
