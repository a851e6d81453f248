"""Ctrl+C at any moment of the start ends the window, without a word of Python's."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs signals")

BEFORE = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
import app.__main__ as entry, app.startup
app.startup.run = lambda *_: print(signal.getsignal(signal.SIGINT) is signal.SIG_DFL)
entry.main([])
"""
BETWEEN = """
import os, signal
from PySide6.QtWidgets import QApplication
from app.startup import _quit_on_signals
app = QApplication([])
waker = _quit_on_signals(app)
os.kill(os.getpid(), signal.SIGINT)
print(app.exec())
"""


def answer(script: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=120,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_until_the_window_minds_it_the_system_does() -> None:
    assert answer(BEFORE) == "True"


def test_a_signal_before_qt_waits_is_not_lost() -> None:
    assert answer(BETWEEN) == "0"
