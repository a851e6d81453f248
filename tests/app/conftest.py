"""Fixtures of the window's tests: a whole studio with stand-ins, and watchers for leaks."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cloning_kit import MicBench
from player_kit import Deck
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from studio_bench import Bench, put_away
from watchdog import Watchdog

# The start, before the window is there; and a new style sheet, which lays the window out anew.
LONG_CALLS = {"Application.__init__", "Theme.apply"}
HARMLESS = ("propagateSizeHints", "This plugin does not support")


@pytest.fixture(autouse=True)
def no_qt_warnings(request: pytest.FixtureRequest) -> Iterator[None]:
    """A warning of Qt is a fault of the test that met it."""
    if "qtbot" not in request.fixturenames:
        yield
        return
    log = request.getfixturevalue("qtlog")
    yield
    bad = [r for r in log.records if r.type_name != "QtDebugMsg"]
    bad = [r for r in bad if not any(word in r.message for word in HARMLESS)]
    assert not bad, [r.message for r in bad]


@pytest.fixture(autouse=True)
def no_leaked_threads(request: pytest.FixtureRequest) -> Iterator[None]:
    """Whoever starts a thread ends it."""
    before = set(threading.enumerate())
    yield
    left = [t for t in threading.enumerate() if t not in before and not isinstance(t, _Dummy)]
    for thread in left:
        thread.join(2)
    assert not [t for t in left if t.is_alive()]


_Dummy = threading._DummyThread


@pytest.fixture(autouse=True)
def nothing_holds_the_window_up(request: pytest.FixtureRequest) -> Iterator[None]:
    """No call of the program takes longer than 50 ms of the window's thread.

    ``@pytest.mark.long_call("Kind.method")`` allows one, for a test of something huge.
    """
    if "qtbot" not in request.fixturenames:
        yield
        return
    allowed = {name for mark in request.node.iter_markers("long_call") for name in mark.args}
    with Watchdog(LONG_CALLS | allowed) as dog:
        yield
    assert not dog.found, "; ".join(f"{name}: {s:.3f} s" for name, s in dog.found.items())


@pytest.fixture
def bench(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> Iterator[Bench]:
    """The studio, shut down after the test."""
    made = Bench(qtbot, qapp, tmp_path)
    yield made
    assert made.app.shutdown()
    put_away(made.window)


@pytest.fixture
def again(bench: Bench, qapp: QApplication, tmp_path: Path) -> Iterator[Callable[[], Bench]]:
    """Starts the studio a second time over the same folders."""
    started: list[Bench] = []

    def start() -> Bench:
        assert bench.app.shutdown()
        second = Bench(bench.qtbot, qapp, tmp_path)
        started.append(second)
        second.app.desk.start()
        second.until(lambda: not second.app.tasks.busy)
        return second

    yield start
    for one in started:
        assert one.app.shutdown()


@pytest.fixture
def mic(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> Iterator[MicBench]:
    """The studio with a microphone and a trash of its own."""
    made = MicBench(qtbot, qapp, tmp_path)
    yield made
    assert made.app.shutdown()
    put_away(made.window)


@pytest.fixture
def deck(qtbot: QtBot) -> Iterator[Deck]:
    made = Deck()
    made.player._timer.setInterval(1_000_000)
    yield made
    made.player.abort()
