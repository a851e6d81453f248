"""What the control group allows, not what the machine has."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.machine import limits, memory, threads
from engine.machine.limits import free_memory, processor_quota

MB = 1 << 20


def group(root: Path, own: str, files: dict[str, str]) -> Path:
    """A made-up tree of control groups; returns the file that names the own one."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content + "\n")
    listing = root / "self"
    listing.write_text(own)
    return listing


@pytest.mark.parametrize(
    ("files", "quota"),
    [
        ({"a/cpu.max": "50000 100000"}, 1),
        ({"a/cpu.max": "150000 100000"}, 1),
        ({"a/cpu.max": "200000 100000"}, 2),
        ({"a/cpu.max": "max 100000"}, None),
        ({"a/b/cpu.max": "max 100000", "a/cpu.max": "300000 100000"}, 3),
        ({"cpu.max": "400000 100000"}, 4),
        ({"a/cpu.max": "nonsense"}, None),
        ({"a/cpu.max": ""}, None),
        ({}, None),
    ],
)
def test_version_2_processors(tmp_path: Path, files: dict[str, str], quota: int | None) -> None:
    own = group(tmp_path, "0::/a/b\n", files)
    assert processor_quota(tmp_path, own) == quota


@pytest.mark.parametrize(
    ("quota", "period", "expected"),
    [("50000", "100000", 1), ("250000", "100000", 2), ("-1", "100000", None), ("1", "0", None)],
)
def test_version_1_processors(
    tmp_path: Path, quota: str, period: str, expected: int | None
) -> None:
    files = {"cpu,cpuacct/a/cpu.cfs_quota_us": quota, "cpu,cpuacct/a/cpu.cfs_period_us": period}
    own = group(tmp_path, "4:cpu,cpuacct:/a\n", files)
    (tmp_path / "cpu").symlink_to(tmp_path / "cpu,cpuacct")
    assert processor_quota(tmp_path, own) == expected


@pytest.mark.parametrize(
    ("files", "free"),
    [
        ({"a/memory.max": str(700 * MB), "a/memory.current": str(100 * MB)}, 600 * MB),
        (
            {
                "a/memory.max": str(700 * MB),
                "a/memory.current": str(650 * MB),
                "a/memory.stat": f"anon 1\ninactive_file {400 * MB}\nfile 3",
            },
            450 * MB,
        ),
        ({"a/memory.max": "max", "a/memory.current": "1"}, None),
        ({"a/memory.max": "100", "a/memory.current": "200"}, 0),
        ({"memory.max": str(900 * MB), "memory.current": "0"}, 900 * MB),
        ({"a/memory.max": "x", "a/memory.current": "1"}, None),
    ],
)
def test_version_2_memory(tmp_path: Path, files: dict[str, str], free: int | None) -> None:
    assert free_memory(tmp_path, group(tmp_path, "0::/a\n", files)) == free


def test_version_1_memory_without_a_limit_is_none(tmp_path: Path) -> None:
    files = {
        "memory/a/memory.limit_in_bytes": str(2**63 - 4096),
        "memory/a/memory.usage_in_bytes": "1",
    }
    own = group(tmp_path, "9:memory:/a\n", files)
    assert free_memory(tmp_path, own) is None
    (tmp_path / "memory/a/memory.limit_in_bytes").write_text(str(500 * MB))
    assert free_memory(tmp_path, own) == 500 * MB - 1


def test_a_group_of_the_host_is_the_root_inside(tmp_path: Path) -> None:
    files = {"memory.max": "1000", "memory.current": "400"}
    own = group(tmp_path, "0::/docker/0123\n", files)
    assert free_memory(tmp_path, own) == 600


def test_threads_and_memory_follow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "processor_quota", lambda: 1)
    assert threads.default_threads() == 1
    monkeypatch.setattr(memory, "free_addresses", lambda: None)
    monkeypatch.setattr(memory, "free_memory", lambda: 7)
    assert memory.available_memory() == (7, 0)
    monkeypatch.setattr(memory, "free_memory", lambda: None)
    assert memory.available_memory()[0] > 7


def test_nothing_to_read_is_no_limit(tmp_path: Path) -> None:
    assert limits.processor_quota(tmp_path, tmp_path / "absent") is None
    assert limits.free_memory(tmp_path, tmp_path / "absent") is None


@pytest.mark.parametrize(
    ("own", "files", "free"),
    [
        (  # version 2 beside version 1, which has the memory
            "9:memory:/a\n0::/a\n",
            {
                "memory/a/memory.limit_in_bytes": str(300 * MB),
                "memory/a/memory.usage_in_bytes": str(MB),
                "unified/a/cgroup.procs": "1",
            },
            299 * MB,
        ),
        (  # version 2 beside version 1, with a limit of its own
            "9:memory:/\n0::/a\n",
            {"unified/a/memory.max": str(200 * MB), "unified/a/memory.current": "0"},
            200 * MB,
        ),
        (  # the tighter of both
            "9:memory:/a\n0::/a\n",
            {
                "memory/a/memory.limit_in_bytes": str(300 * MB),
                "memory/a/memory.usage_in_bytes": "0",
                "unified/a/memory.max": str(100 * MB),
                "unified/a/memory.current": "0",
            },
            100 * MB,
        ),
        (  # a group above is tighter than the own one
            "0::/a/b\n",
            {
                "a/b/memory.max": str(900 * MB),
                "a/b/memory.current": "0",
                "a/memory.max": str(400 * MB),
                "a/memory.current": str(100 * MB),
            },
            300 * MB,
        ),
        (  # a container whose version 1 path is the host's
            "9:memory:/docker/0123\n",
            {"memory/memory.limit_in_bytes": str(50 * MB), "memory/memory.usage_in_bytes": "0"},
            50 * MB,
        ),
        ("9:memory:/a\n", {"memory/a/memory.limit_in_bytes": "-1"}, None),
        ("nonsense\n::\n0:\n", {}, None),
    ],
)
def test_groups_of_both_versions(
    tmp_path: Path, own: str, files: dict[str, str], free: int | None
) -> None:
    assert free_memory(tmp_path, group(tmp_path, own, files)) == free


def test_joined_controllers_without_a_link(tmp_path: Path) -> None:
    files = {
        "cpu,cpuacct/a/cpu.cfs_quota_us": "200000",
        "cpu,cpuacct/a/cpu.cfs_period_us": "100000",
    }
    assert processor_quota(tmp_path, group(tmp_path, "4:cpu,cpuacct:/a\n", files)) == 2


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("kind", ["RLIMIT_AS", "RLIMIT_DATA"])
def test_the_limits_of_a_shell_count(kind: str) -> None:
    code = (
        "import resource; from engine.machine.limits import free_addresses\n"
        "from engine.machine.memory import available_memory\n"
        "assert free_addresses() is None\n"
        f"resource.setrlimit(resource.{kind}, (2 << 30, -1))\n"
        "left = free_addresses()\n"
        "assert 0 < left < 2 << 30, left\n"
        "assert sum(available_memory()) <= left\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.skipif(sys.platform != "linux", reason="limits of Linux")
def test_a_model_that_the_shell_forbids_is_refused_in_words(models: Any, tmp_path: Path) -> None:
    path = shutil.copy(models.path("tiny-f32"), tmp_path)
    os.truncate(path, 1 << 28)  # far above the room that the sentence about it needs
    code = (
        "import resource, sys; from engine.gguf.reader import GGUFFile\n"
        "from engine.errors import ModelFileError\n"
        "with open('/proc/self/statm') as f: size = int(f.read().split()[0]) * 4096\n"
        "resource.setrlimit(resource.RLIMIT_AS, (size + (1 << 26), -1))\n"
        "try: GGUFFile.open(sys.argv[1])\n"
        "except ModelFileError as error: print(error.detail)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True)
    assert "Cannot allocate memory" in done.stdout, done.stderr
