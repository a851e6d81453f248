"""The watchdog of the window's thread finds calls that take long, and only those."""

from __future__ import annotations

import importlib
import inspect
import sys
import threading
import types
from collections.abc import Iterator
from pathlib import Path

import pytest
import watchdog
from watchdog import LIMIT_S, Watchdog

PROGRAM = '''
"""A program."""
from __future__ import annotations

import time


def work(seconds: float) -> None:
    """Compute."""
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


class Kind:
    def slot(self, seconds: float = 0.0) -> None:
        work(seconds)

    def fails(self, seconds: float) -> None:
        work(seconds)
        raise ValueError('done')

    def steps(self, seconds: float):
        for _ in range(40):
            yield work(seconds)


def wait(seconds: float) -> None:
    time.sleep(seconds)
'''


@pytest.fixture
def program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Iterator[types.ModuleType]:
    """A module that lies in the folder of the test, marked as the program's own are."""
    (tmp_path / "watched_program.py").write_text(PROGRAM)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    watchdog.watch("watched_program")
    yield importlib.import_module("watched_program")
    del sys.modules["watched_program"]


@pytest.fixture(autouse=True)
def nothing_holds_the_window_up() -> None:
    """Here the watchdogs are the tests' own."""


def test_a_long_call_is_found_with_its_time(program: types.ModuleType) -> None:
    with Watchdog() as dog:
        program.Kind().slot(4 * LIMIT_S)
    assert list(dog.found) == ["Kind.slot"]
    assert dog.found["Kind.slot"] >= 4 * LIMIT_S


def test_one_that_fails_is_found_too(program: types.ModuleType) -> None:
    with Watchdog() as dog, pytest.raises(ValueError, match="done"):
        program.Kind().fails(2 * LIMIT_S)
    assert list(dog.found) == ["Kind.fails"]


def test_many_short_calls_and_waiting_are_none(program: types.ModuleType) -> None:
    with Watchdog() as dog:
        for _ in range(40):
            program.Kind().slot(LIMIT_S / 8)
        assert sum(1 for _ in program.Kind().steps(LIMIT_S / 8)) == 40
        program.wait(4 * LIMIT_S)
    assert not dog.found


def test_another_thread_may_take_its_time(program: types.ModuleType) -> None:
    with Watchdog() as dog:
        thread = threading.Thread(target=program.work, args=(4 * LIMIT_S,))
        thread.start()
        thread.join()
    assert not dog.found


def test_an_allowed_part_excuses_the_whole_call(program: types.ModuleType) -> None:
    with Watchdog({"work"}) as dog:
        program.Kind().slot(4 * LIMIT_S)
        program.Kind().slot()
    assert not dog.found


def test_signature_and_documentation_stay(program: types.ModuleType) -> None:
    assert str(inspect.signature(program.Kind.slot)) == "(self, seconds: 'float' = 0.0) -> 'None'"
    assert program.Kind.slot.__code__.co_argcount == 2
    assert (program.__doc__, program.work.__doc__) == ("A program.", "Compute.")


def test_the_program_itself_is_watched() -> None:
    from app.core.settings import Settings

    assert "_watchdog_begin" in Settings.get.__code__.co_names
