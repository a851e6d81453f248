"""The watchdog of the window's thread finds calls that take long, and only those."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from watchdog import LIMIT_S, Watchdog

pytestmark = pytest.mark.skipif(
    not hasattr(time, "pthread_getcpuclockid"), reason="needs the clock of a thread"
)
PROGRAM = """
import time

def work(seconds):
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass

def slot(seconds):
    work(seconds)

def wait(seconds):
    time.sleep(seconds)
"""


@pytest.fixture
def program(tmp_path: Path) -> dict[str, Any]:
    """Functions that lie in the folder of the test."""
    names: dict[str, Any] = {}
    exec(compile(PROGRAM, str(tmp_path / "program.py"), "exec"), names)
    return names


def test_a_long_call_is_found_with_what_it_did(tmp_path: Path, program: dict[str, Any]) -> None:
    with Watchdog(folder=tmp_path) as dog:
        program["slot"](4 * LIMIT_S)
    assert list(dog.found) == ["slot"]
    assert "in work" in dog.found["slot"]


def test_many_short_calls_and_waiting_are_none(tmp_path: Path, program: dict[str, Any]) -> None:
    with Watchdog(folder=tmp_path) as dog:
        for _ in range(40):
            program["slot"](LIMIT_S / 8)
        program["wait"](4 * LIMIT_S)
    assert not dog.found


def test_an_allowed_part_excuses_the_whole_call(tmp_path: Path, program: dict[str, Any]) -> None:
    with Watchdog({"work"}, tmp_path) as dog:
        program["slot"](4 * LIMIT_S)
    assert not dog.found
