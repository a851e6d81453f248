"""The models dialog tells how fast each file would speak here, and which one to take."""

from __future__ import annotations

from pathlib import Path

from studio_bench import Bench

from engine.bench import remembered_speed


def test_measured_once_and_told(bench: Bench, tmp_path: Path) -> None:
    manager = bench.app.manager
    manager.show()
    dialog = manager.dialog
    assert dialog is not None
    assert "How fast" in dialog.advice.text()
    assert "speech" not in dialog.details.state.text()
    dialog.measure.click()
    assert not dialog.measure.isEnabled()
    bench.until(lambda: dialog.measure.isEnabled(), 60_000)
    assert "speech" in dialog.advice.text()
    assert "speech" in dialog.details.state.text()
    states = [manager.list.state(row) for row in manager.list.rows]
    best = [row for row in manager.list.rows if row.best]
    assert sum("recommended" in state for state in states) == len(best) <= 1
    assert remembered_speed(next(tmp_path.rglob("speed.json"))) == manager.advisor.speed
    dialog.close()
