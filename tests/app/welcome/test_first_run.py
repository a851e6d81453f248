"""The first run: a window with a display, a sound file without one, never a crash."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import soundfile

from app.welcome import first_run

ROOT = Path(__file__).resolve().parents[3]


def headless(tmp_path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    env = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    env.pop("QT_QPA_PLATFORM", None)
    env |= {"PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    return subprocess.run(
        [sys.executable, "-m", "app", *arguments],
        cwd=tmp_path, env=env, capture_output=True, text=True, timeout=200,
    )  # fmt: skip


@pytest.mark.real
@pytest.mark.skipif(sys.platform != "linux", reason="other systems always have a display")
def test_without_a_display_it_speaks_to_a_file_and_says_where(tmp_path: Path) -> None:
    done = headless(tmp_path, "--first-run")
    assert done.returncode == 0, done.stderr
    wav = tmp_path / first_run.FIRST_FILE
    assert str(wav) in done.stdout
    assert soundfile.info(wav).frames > 0
    before = wav.read_bytes()
    again = headless(tmp_path, "--first-run")
    assert again.returncode == 0, again.stderr
    assert wav.read_bytes() == before
    assert wav.with_stem("first-run-2").read_bytes() == before


@pytest.mark.skipif(sys.platform != "linux", reason="other systems always have a display")
def test_without_a_display_the_window_says_so(tmp_path: Path) -> None:
    done = headless(tmp_path)
    assert done.returncode == 1
    assert "no display" in done.stderr
    assert len(done.stderr.splitlines()) == 1
