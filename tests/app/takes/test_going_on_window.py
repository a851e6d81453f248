"""A long take that was stopped goes on: the whole is that of a run without a stop."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from real_bench import RealBench

from app.core import settings as keys

TEXT = "One is here. Two is there. Three is gone. Four comes back."


@pytest.fixture
def real(qtbot: QtBot, qapp: QApplication, tmp_path: Path, models: Any) -> Iterator[RealBench]:
    bench = open_studio(qtbot, qapp, tmp_path, models)
    yield bench
    bench.app.shutdown()


def open_studio(qtbot: QtBot, qapp: QApplication, root: Path, models: Any) -> RealBench:
    bench = RealBench(qtbot, qapp, root)
    set_ = bench.app.settings.set
    set_(keys.SPLIT_MODE, "always")
    set_(keys.MAX_FRAMES, 12)
    set_(keys.CARRY_ON, True)
    set_(keys.SEED, "5")
    set_(keys.SEED_PINNED, True)
    bench.app.models.open(models.path("tiny-f32"))
    bench.until(lambda: bench.session.can_generate)
    return bench


def stop_in_piece(real: RealBench, piece: int) -> None:
    real.window.script.set_text(TEXT)
    real.app.scripts.generate()
    take = real.session.current.take
    assert take is not None

    def watch() -> None:
        if len(take.store.segments()) == piece:
            real.session.stop()

    take.store.grew.connect(watch)
    real.until(lambda: take.store.complete and real.session.can_generate)
    assert len(take.store.segments()) == piece
    assert take.result is not None
    assert take.result.finish_reason == "cancelled"


@pytest.mark.slow
def test_go_on_gives_the_take_that_a_run_without_stop_gives(
    real: RealBench, qtbot: QtBot, qapp: QApplication, tmp_path: Path, models: Any
) -> None:
    whole = real.speak(TEXT)
    whole_take = real.session.current.take
    assert whole_take is not None
    assert len(whole_take.store.segments()) == 4
    actions = real.window.actions_
    stop_in_piece(real, 3)
    assert actions.take_go_on.isEnabled()
    assert "Stopped in piece 3 of 4." in real.window.toast.text.text()
    real.window.toast.button.click()
    gone_on = real.session.current.take
    assert gone_on is not None
    assert gone_on.begun > 0
    assert real.app.player.position >= gone_on.begun, "heard from there"
    real.until(lambda: gone_on.store.complete and real.session.can_generate)
    np.testing.assert_array_equal(gone_on.store.samples, whole)
    np.testing.assert_array_equal(gone_on.store.codes, whole_take.store.codes)
    assert gone_on.store.segments() == whole_take.store.segments()
    assert gone_on.result is not None
    assert gone_on.result.metrics.frames == gone_on.store.frames
    assert gone_on.origin.request.resume is None, "its story is that of the whole"

    stop_in_piece(real, 2)
    real.until(lambda: not real.app.tasks.busy)
    real.app.shutdown()
    after = open_studio(qtbot, qapp, tmp_path, models)
    after.app.desk.start()
    after.until(lambda: after.session.current.take is not None)
    last = after.session.current.take
    assert last is not None
    assert last.store.length > 0, "the last take is in the player at once"
    assert after.window.actions_.take_go_on.isEnabled()
    after.window.actions_.take_go_on.trigger()
    joined = after.session.current.take
    assert joined is not None
    assert joined is not last
    after.until(lambda: joined.store.complete and after.session.can_generate)
    np.testing.assert_array_equal(joined.store.codes, whole_take.store.codes)
    np.testing.assert_allclose(joined.store.samples, whole, atol=2**-22)
    after.app.shutdown()
