"""What must never happen, and what the window does when it happens all the same."""

from __future__ import annotations

import threading
from pathlib import Path

from studio_bench import Bench
from studio_fakes import RATE, FakeEngine
from window_kit import dialog

from app.core import settings as keys
from app.inference.service import EngineState
from engine.errors import ModelFileError
from engine.types import AudioChunk


class Skipping(FakeEngine):
    """Sends a chunk that does not join on."""

    def synthesize(self, *args, **kwargs):  # type: ignore[no-untyped-def]
        for event in super().synthesize(*args, **kwargs):
            if isinstance(event, AudioChunk) and event.start > 5000:
                event = AudioChunk(event.start + 1, event.samples, RATE)
            yield event


def test_sound_that_does_not_join_stops_the_take(bench: Bench) -> None:
    bench.loader.engine = Skipping()
    bench.window.show()
    bench.load()
    bench.make_take()
    assert "expected" in dialog(bench).detail.text()
    dialog(bench).reject()
    bench.until(lambda: bench.session.can_generate)
    assert bench.session.current.take is not None
    assert bench.session.current.take.store.length > 0, "what fits is kept"


def test_an_uncaught_exception_is_shown_once(bench: Bench) -> None:
    bench.window.show()
    for _ in range(3):
        bench.app.report_fault(ZeroDivisionError, ZeroDivisionError("by zero"), None)
    shown = dialog(bench)
    assert "ZeroDivisionError" in shown.detail.text()
    assert "ZeroDivisionError" in shown.report()
    shown.reject()


def test_a_bad_model_does_not_become_the_one_to_reload(bench: Bench) -> None:
    bench.load("good.gguf")
    bench.loader.error = ModelFileError("bad")
    bench.app.models.open(Path("bad.gguf"))
    bench.until(lambda: len(bench.loader.options) == 2 and bench.session.can_generate)
    assert bench.app.settings.get(keys.LAST_MODEL) == "good.gguf"
    assert bench.session.info is not None
    bench.loader.error = None
    bench.app.models.reload()
    bench.until(lambda: len(bench.loader.options) == 3 and bench.session.can_generate)
    assert bench.loader.options[-1].model == Path("good.gguf")


def test_loading_can_be_stopped(bench: Bench) -> None:
    bench.loader.gate = threading.Event()
    bench.app.models.open(Path("m.gguf"))
    bench.until(lambda: bool(bench.loader.options))
    assert bench.window.script.stop.isEnabled()
    bench.window.actions_.stop.trigger()
    bench.until(lambda: bench.session.state is EngineState.UNLOADED)
    assert "stopped" in bench.window.toast.text.text()
    assert bench.window.status.work.text() == ""
    assert bench.window.card.open_button.isEnabled()
