"""Several takes of one press: made together, one row, lanes, lights, kept and listed again."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from studio_bench import Bench

from app.core import settings as keys
from app.takes.take import Take
from engine.errors import GenerationError


@pytest.fixture
def bench(bench: Bench) -> Bench:
    bench.window.show()
    bench.load()
    return bench


def press(bench: Bench, count: int) -> list[Take]:
    """Generate so many takes to their end."""
    bench.app.settings.set(keys.READINGS, count)
    bench.make_take()
    bench.until(lambda: bench.session.can_generate)
    return bench.session.current.list.takes[:count]


def test_takes_of_one_press_are_made_in_one_job(bench: Bench) -> None:
    takes = press(bench, 4)
    assert len(bench.engine.requests) == 4
    assert len({take.origin.seed for take in takes}) == 4
    assert len({take.group for take in takes}) == 1
    assert all(take.store.complete and take.result is not None for take in takes)
    assert bench.session.current.take is takes[0], "the first one is shown"
    assert bench.session.player.store is takes[0].store, "and heard"


def test_a_pinned_seed_counts_up(bench: Bench) -> None:
    bench.app.settings.set(keys.SEED_PINNED, True)
    bench.window.script.seed.setText("40")
    assert [take.origin.seed for take in press(bench, 3)] == [40, 41, 42]


def test_a_spread_of_the_temperature(bench: Bench) -> None:
    bench.app.settings.set(keys.READINGS_SPREAD, 0.25)
    warm = [take.origin.request.sampling.temperature for take in press(bench, 3)]
    assert warm == [0.55, 0.8, 1.05]


def test_one_row_unfolds(bench: Bench) -> None:
    press(bench, 3)
    listing = bench.window.takes
    assert listing.rows.rowCount() == 1
    assert listing.heading._title.text() == "Takes · 3"
    text = listing.rows.index(0, 1).data()
    assert text.startswith("▸ 3 ")
    listing.view.setFocus()
    listing.view.selectRow(0)
    QTest.keyClick(listing.view, Qt.Key.Key_Right)
    assert listing.rows.rowCount() == 3
    QTest.keyClick(listing.view, Qt.Key.Key_Left)
    assert listing.rows.rowCount() == 1
    spot = listing.view.visualRect(listing.rows.index(0, 1)).topLeft()
    QTest.mouseClick(
        listing.view.viewport(), Qt.MouseButton.LeftButton, pos=spot + spot.__class__(6, 8)
    )
    assert listing.rows.rowCount() == 3


def test_a_search_finds_what_is_folded(bench: Bench) -> None:
    takes = press(bench, 3)
    bench.window.takes.search.setText(str(takes[2].origin.seed))
    assert bench.window.takes.rows.rowCount() == 1
    assert bench.window.takes.rows.take_at(bench.window.takes.rows.index(0, 0)) is takes[2]


def test_lanes_show_all_and_choose(bench: Bench) -> None:
    takes = press(bench, 3)
    lanes = bench.window.take.lanes
    assert lanes.isVisible()
    assert lanes.members.rowCount() == 3
    assert str(takes[1].origin.seed) in lanes.members.index(1, 0).data()
    lanes.setFocus()
    QTest.keyClick(lanes, Qt.Key.Key_Down)
    assert bench.session.current.take is takes[1]
    QTest.keyClick(lanes, Qt.Key.Key_Return)
    assert bench.session.player.store is takes[1].store
    bench.app.settings.set(keys.READINGS, 1)
    bench.make_take("Another.")
    assert not lanes.isVisible()


def test_lights_and_the_best_of_them(bench: Bench) -> None:
    takes = press(bench, 3)
    bench.until(lambda: all(take.verdict is not None for take in takes))
    lanes = bench.window.take.lanes
    bench.until(lambda: lanes.best is not None)
    assert lanes.best in takes
    assert lanes.statusTip()


def test_one_that_fails_does_not_cost_the_others(bench: Bench) -> None:
    bench.app.settings.set(keys.READINGS, 2)
    seen: list[object] = []
    bench.session.failed.connect(lambda error, job: seen.append(error))
    bench.engine.error = GenerationError("model.none")

    def once(index: int, cancel: object) -> None:
        bench.engine.fail_at = index if len(bench.engine.requests) == 2 and index == 3 else None

    bench.engine.wait = once
    bench.make_take()
    bench.until(lambda: bench.session.can_generate)
    assert len(seen) >= 1
    assert all(take.store.complete for take in bench.session.current.list.takes)


def test_stop_keeps_what_was_made_of_each(bench: Bench) -> None:
    bench.app.settings.set(keys.READINGS, 2)
    made: list[int] = []

    def wait(index: int, cancel: object) -> None:
        made.append(index)
        if len(made) > 8:
            cancel._event.wait(20)  # type: ignore[attr-defined]

    bench.engine.wait = wait
    bench.window.script.set_text("Good evening.")
    bench.app.scripts.generate()
    bench.until(lambda: len(made) > 8)
    first, second = bench.session.current.list.takes
    bench.until(lambda: first.store.length > 0 and second.store.length > 0)
    bench.session.stop()
    bench.until(lambda: bench.session.can_generate)
    bench.until(lambda: bool(first.entry_id and second.entry_id))


def test_a_group_is_one_row_again_after_a_restart(bench: Bench, again: Callable[[], Bench]) -> None:
    takes = press(bench, 3)
    bench.until(lambda: all(take.entry_id for take in takes))
    seeds = [take.origin.seed for take in takes]
    second = again()
    listed = second.session.current.list.takes
    assert sorted(take.origin.seed for take in listed) == sorted(seeds)
    assert second.window.takes.rows.rowCount() == 1
