"""What this process may have: the limits of its control groups and its own, not what is there.

In a container the machine's processors and memory are shown, but the group's are in force. Version
2 and 1 of control groups are read, also side by side, from the own group up to the root; so are the
limits that a shell sets (``ulimit -v``). What cannot be read does not count.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

ROOT = Path("/sys/fs/cgroup")
SELF = Path("/proc/self/cgroup")
_UNLIMITED = 1 << 60


def processor_quota(root: Path = ROOT, own: Path = SELF) -> int | None:
    """Processors that may be busy at once, at least 1; ``None`` without a limit."""
    shares: list[float] = []
    for folder in _folders("cpu", root, own):
        with suppress(OSError, ValueError):
            quota, _, period = (folder / "cpu.max").read_text().strip().partition(" ")
            if quota != "max":
                shares.append(int(quota) / int(period or 100_000))
        with suppress(OSError, ValueError, ZeroDivisionError):
            allowed = int((folder / "cpu.cfs_quota_us").read_text())
            if allowed > 0:
                shares.append(allowed / int((folder / "cpu.cfs_period_us").read_text()))
    return max(1, math.floor(min(shares))) if shares else None


def free_memory(root: Path = ROOT, own: Path = SELF) -> int | None:
    """Bytes that the groups leave; files that were only read count as free."""
    left: list[int] = []
    for folder in _folders("memory", root, own):
        for limit, used in (
            ("memory.max", "memory.current"),
            ("memory.limit_in_bytes", "memory.usage_in_bytes"),
        ):
            with suppress(OSError, ValueError):
                most = int((folder / limit).read_text())
                if most < _UNLIMITED:
                    left.append(most - int((folder / used).read_text()) + _pages_of_files(folder))
    return max(0, min(left)) if left else None


def free_addresses() -> int | None:
    """Bytes that the process may still map or allocate (``ulimit -v``, ``-d``); ``None``: no limit.

    A mapped model counts as well.
    """
    if sys.platform == "win32":
        return None
    import resource

    left: list[int] = []
    with suppress(OSError, ValueError):
        pages = Path("/proc/self/statm").read_text().split()
        for kind, field in ((resource.RLIMIT_AS, 0), (resource.RLIMIT_DATA, 5)):
            most = resource.getrlimit(kind)[0]
            if 0 <= most < _UNLIMITED:
                left.append(max(0, most - int(pages[field]) * resource.getpagesize()))
    return min(left) if left else None


def _pages_of_files(folder: Path) -> int:
    """What the group would give up for a program that needs memory."""
    with suppress(OSError, ValueError):
        for line in (folder / "memory.stat").read_text().splitlines():
            name, _, count = line.partition(" ")
            if name in ("inactive_file", "total_inactive_file"):
                return int(count)
    return 0


def _folders(controller: str, root: Path, own: Path) -> Iterator[Path]:
    """The folders of the own group and of all above it."""
    if sys.platform != "linux":
        return
    try:
        lines = own.read_text().splitlines()
    except OSError:
        return
    for line in lines:
        _, _, rest = line.partition(":")
        names, _, path = rest.partition(":")
        if names and controller not in names.split(","):
            continue
        # Version 2 beside version 1 has a folder of its own; some systems join controllers in one.
        bases = (root / controller, root / names) if names else (root, root / "unified")
        for base in dict.fromkeys(bases):
            group = base / path.lstrip("/")
            # Inside a container the path may be the host's, which is not there.
            while base in group.parents:
                yield group
                group = group.parent
            yield base
