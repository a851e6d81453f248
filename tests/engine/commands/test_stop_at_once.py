"""Ctrl+C is minded from the first moment, also while the program's parts are imported."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
# Stands where a slow import of the program would: it says so and waits.
SLOW = "import time\nprint('importing', flush=True)\ntime.sleep(600)\n"
# What runs the tests may ignore signals, and its children would go on with that.
START = (
    "import signal, sys\n"
    "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    "signal.signal(signal.SIGTERM, signal.SIG_DFL)\n"
    "signal.signal(signal.SIGHUP, signal.SIG_DFL)\n"
    "from engine.__main__ import run\n"
    "sys.exit(run())\n"
)


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_stop_while_importing_says_nothing(tmp_path: Path, number: int) -> None:
    (tmp_path / "psutil.py").write_text(SLOW)
    with subprocess.Popen(
        [sys.executable, "-c", START, "synth", "--text", "Hi.", "-o", str(tmp_path / "a.wav")],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": str(tmp_path)},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as child:  # fmt: skip
        assert child.stdout is not None
        assert child.stdout.readline() == b"importing\n"
        child.send_signal(number)
        try:
            _, told = child.communicate(timeout=60)
        finally:
            child.kill()
    assert told == b""
    assert child.returncode == -number
    assert not (tmp_path / "a.wav").exists()


def test_the_handler_is_back_when_the_work_begins() -> None:
    script = (
        "import signal, sys\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "import engine.cli\n"
        "engine.cli.main = lambda: print(signal.getsignal(signal.SIGINT).__name__)\n"
        "from engine.__main__ import run\n"
        "run()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, timeout=120
    )
    assert done.stdout.strip() == "default_int_handler"


def test_another_engine_in_front_is_named(tmp_path: Path) -> None:
    (tmp_path / "engine").mkdir()
    (tmp_path / "engine" / "__init__.py").write_text("")
    script = (
        "import sys, runpy\n"
        f"sys.path.insert(0, {str(tmp_path)!r})\n"
        f"sys.exit(runpy.run_path({str(ROOT / 'engine' / '__main__.py')!r})['run']())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=tmp_path, timeout=120
    )
    told = done.stderr.strip().splitlines()
    assert (done.returncode, len(told)) == (1, 1)
    assert f"in {tmp_path / 'engine'}, is in the way" in told[0]
