"""Work beside the window: queues with a thread each, and a close that waits for a while only."""

from __future__ import annotations

import threading
import time

from pytestqt.qtbot import QtBot

from app.core.background import Tasks


def test_a_long_work_holds_up_its_own_queue_only(qtbot: QtBot) -> None:
    tasks, let_go, done = Tasks(), threading.Event(), list[str]()
    tasks.run(lambda: let_go.wait(20), lambda _: done.append("long"), queue="downloads")
    tasks.run(lambda: None, lambda _: done.append("behind it"), queue="downloads")
    tasks.run(lambda: None, lambda _: done.append("first file"))
    tasks.run(lambda: None, lambda _: done.append("second file"))
    qtbot.waitUntil(lambda: len(done) == 2)
    assert done == ["first file", "second file"]
    let_go.set()
    qtbot.waitUntil(lambda: not tasks.busy)
    assert done[2:] == ["long", "behind it"]
    assert tasks.close()


def test_a_close_waits_for_all_queues_together_no_longer_than_it_was_told(qtbot: QtBot) -> None:
    tasks, let_go = Tasks(), threading.Event()
    for queue in ("one", "two"):
        tasks.run(lambda: let_go.wait(20), queue=queue)
    before = time.monotonic()
    assert not tasks.close(200)
    assert time.monotonic() - before < 2
    let_go.set()
    assert tasks.close()
