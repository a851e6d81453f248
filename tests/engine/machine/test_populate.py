"""Pages that are in place before they are asked for."""

from __future__ import annotations

import mmap
import os
import re
import sys
from pathlib import Path

import pytest

from engine.machine import populate

SIZE = 70 << 20


@pytest.fixture
def big(tmp_path: Path) -> Path:
    path = tmp_path / "big"
    with open(path, "wb") as file:
        for _ in range(SIZE >> 20):
            file.write(os.urandom(1 << 20))
    return path


def resident(path: Path) -> int:
    """Kilobytes of the file's map that this process has in place."""
    smaps = Path("/proc/self/smaps").read_text()
    entries = re.findall(rf"{re.escape(str(path))}\n(?:\S+:.*\n)*?Rss:\s+(\d+) kB", smaps)
    return sum(int(each) for each in entries)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux only")
def test_the_pages_of_a_map_are_put_in_place(big: Path) -> None:
    with open(big, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        assert resident(big) < SIZE >> 11
        with memoryview(data) as view:
            thread = populate.map_pages(view)
            assert thread is not None
            thread.join()
            if resident(big) < SIZE >> 11:
                pytest.skip("a kernel before 5.14 cannot do it")
            assert resident(big) >= SIZE >> 10


def test_a_file_is_read_ahead_and_trouble_is_nobodys(big: Path, tmp_path: Path) -> None:
    thread = populate.read_ahead(big)
    if hasattr(os, "posix_fadvise"):
        assert thread is not None
        thread.join()
    assert populate.read_ahead(tmp_path / "absent") is None
    assert populate.read_ahead("a\0b") is None


def test_what_does_not_fit_or_is_small_is_left_alone(
    big: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = tmp_path / "small"
    small.write_bytes(b"x")
    assert populate.read_ahead(small) is None
    monkeypatch.setattr(populate, "_free_memory", lambda: SIZE)
    assert populate.read_ahead(big) is None
