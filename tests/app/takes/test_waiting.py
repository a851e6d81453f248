"""Generate is never refused: wishes wait for the model or the engine, and can be taken back."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
from studio_bench import Bench
from studio_fakes import pace
from window_kit import save_voice

from app.audio.player import PlayState
from app.core import settings as keys
from app.inference.service import EngineState
from engine.errors import ModelFileError


def press(bench: Bench, text: str) -> None:
    bench.window.script.set_text(text)
    bench.window.actions_.generate.trigger()


def texts(bench: Bench) -> list[str]:
    return [r.text for r in bench.engine.requests]


def hold_the_load(bench: Bench) -> threading.Event:
    bench.loader.gate = gate = threading.Event()
    bench.app.models.open(Path("fake.gguf"))
    bench.until(lambda: bench.session.state is EngineState.LOADING)
    return gate


def test_a_press_while_the_model_loads_speaks_when_it_is_ready(bench: Bench) -> None:
    bench.window.show()
    gate = hold_the_load(bench)
    assert bench.window.script.generate.isEnabled()
    press(bench, "Good evening.")
    bench.window.script.set_text("Something else by now.")
    assert "as soon as the model is ready" in bench.window.status.work.text()
    assert bench.window.queue.text() == "Waiting: 1"
    gate.set()
    bench.until(lambda: texts(bench) == ["Good evening."])
    assert bench.window.queue.isHidden()


def test_escape_forgets_the_wish_and_the_model_goes_on_loading(bench: Bench) -> None:
    bench.window.show()
    gate = hold_the_load(bench)
    press(bench, "Good evening.")
    bench.window.actions_.stop.trigger()
    assert bench.window.queue.isHidden()
    assert bench.session.state is EngineState.LOADING, "only the wish is forgotten"
    bench.window.toast.button.click()
    assert [w.request.text for w in bench.session.waiting.wishes] == ["Good evening."]
    bench.window.actions_.stop.trigger()
    gate.set()
    bench.until(lambda: bench.session.can_generate)
    assert texts(bench) == []


def test_wishes_outlive_a_model_that_cannot_be_opened(bench: Bench) -> None:
    gate = hold_the_load(bench)
    press(bench, "Good evening.")
    bench.loader.error = ModelFileError("model.none")
    gate.set()
    bench.until(lambda: bench.session.state is EngineState.FAILED)
    assert not bench.window.script.generate.isEnabled()
    assert "Open a model" in bench.window.script.generate.toolTip()
    assert len(bench.session.waiting) == 1, "the user sees that it waits"
    bench.loader.error = bench.loader.gate = None
    bench.app.models.open(Path("other.gguf"))
    bench.until(lambda: texts(bench) == ["Good evening."])


def test_presses_while_busy_queue_up_and_each_can_be_cancelled(bench: Bench) -> None:
    bench.load()
    bench.window.show()
    let = threading.Event()
    bench.engine.wait = lambda index, cancel: None if cancel.cancelled else let.wait(10) and None
    for text in ("First.", "Second.", "Third.", "Fourth."):
        press(bench, text)
    queue = bench.window.queue
    assert queue.text() == "Waiting: 3"
    assert queue.isVisible()
    entries = [a.text() for a in queue.list.actions() if a.text()]
    assert entries == ["Cancel: Second.", "Cancel: Third.", "Cancel: Fourth.", "Cancel all"]
    queue.list.actions()[1].trigger()
    assert queue.text() == "Waiting: 2"
    let.set()
    bench.until(lambda: texts(bench) == ["First.", "Second.", "Fourth."])
    bench.until(lambda: bench.session.can_generate)
    made = [t.origin.request.text for t in bench.session.current.list.takes]
    assert made == ["Fourth.", "Second.", "First."]


def test_what_waited_lets_the_take_before_it_be_heard_to_its_end(bench: Bench) -> None:
    bench.load()
    press(bench, "First.")
    press(bench, "Second.")
    bench.until(lambda: len(texts(bench)) == 2 and bench.session.can_generate)
    first = bench.session.current.list.takes[1]
    player = bench.app.player
    assert player.store is first.store
    assert player.state is not PlayState.IDLE
    assert bench.session.current.take is first
    bench.until(lambda: player.state is PlayState.PLAYING)
    stream = bench.sound.streams[-1]

    def heard() -> bool:
        if stream.active:
            stream.pump(4096)
        return player.store is not first.store

    bench.until(heard)
    assert player.store is bench.session.current.list.takes[0].store
    assert bench.session.current.take is bench.session.current.list.takes[0]


def test_stop_forgets_what_waits(bench: Bench) -> None:
    bench.load()
    bench.engine.wait = pace(0.01)
    press(bench, "First.")
    press(bench, "Second.")
    bench.until(lambda: texts(bench) == ["First."])
    bench.app.session.stop()
    bench.until(lambda: bench.session.can_generate)
    assert texts(bench) == ["First."]
    assert not len(bench.session.waiting)
    assert bench.app.player.state is PlayState.IDLE


def test_the_engine_warms_up_with_the_voice_and_a_press_waits_for_it(bench: Bench) -> None:
    voice = save_voice(bench, "Hope")
    bench.window.voices.choose("Hope")
    go = threading.Event()
    bench.engine.warm_wait = lambda cancel: None if cancel.cancelled else go.wait(10) and None
    bench.load()
    bench.until(lambda: bench.engine.warmed == [(voice,)])
    assert bench.session.state is EngineState.READY, "nobody sees it"
    press(bench, "Good evening.")
    assert bench.session.state is EngineState.BUSY
    assert texts(bench) == []
    go.set()
    bench.until(lambda: texts(bench) == ["Good evening."])
    take = bench.session.current.take
    assert take is not None
    bench.until(lambda: take.store.complete)


def test_another_voice_ends_the_warming_and_stop_ends_both(bench: Bench) -> None:
    save_voice(bench, "Hope")
    bench.window.voices.choose("Hope")
    stopped: list[bool] = []
    bench.engine.warm_wait = lambda cancel: stopped.append(cancel._event.wait(10))
    bench.load()
    bench.until(lambda: len(bench.engine.warmed) == 1)
    bench.window.voices.choose("")
    press(bench, "Good evening.")
    bench.until(lambda: texts(bench) == ["Good evening."])
    assert stopped == [True]
    bench.until(lambda: bench.session.can_generate)
    bench.session.service.warm_up(())
    bench.until(lambda: len(bench.engine.warmed) == 2)
    press(bench, "Never spoken.")
    bench.session.stop()
    bench.until(lambda: bench.session.can_generate)
    assert stopped == [True, True]
    assert texts(bench) == ["Good evening."]


def test_takes_spoken_again_wait_too(bench: Bench) -> None:
    bench.load()
    bench.make_take("First.")
    bench.app.settings.set(keys.PLAY_LIVE, False)
    bench.engine.wait = pace(0.005)
    again, following = bench.window.actions_.take_again, bench.window.actions_.take_next
    press(bench, "Second.")
    second = bench.session.current.take
    assert second is not None
    bench.until(lambda: second.store.length > 0)
    assert again.isEnabled()
    assert following.isEnabled()
    following.trigger()
    again.trigger()
    bench.until(lambda: len(texts(bench)) == 4 and bench.session.can_generate)
    seeds = [t.origin.seed for t in bench.session.current.list.takes]
    assert seeds[0] == seeds[2]
    assert seeds[1] == seeds[2] + 1
    samples = [t.store.samples for t in bench.session.current.list.takes]
    assert np.array_equal(samples[0], samples[2])


def test_a_model_without_choice_says_why_the_dice_change_nothing(bench: Bench) -> None:
    bench.load()
    bench.make_take("First.")
    bench.make_take("First.")
    toast = bench.window.toast
    assert "one way" not in toast.text.text()
    bench.engine.open_draws = 0
    bench.make_take("Another text.")
    assert "one way" not in toast.text.text(), "nobody asked for another reading of it"
    bench.window.actions_.take_next.trigger()
    bench.until(lambda: "one way" in toast.text.text())
    toast.say("")
    bench.make_take("Another text.")
    bench.until(lambda: bench.session.can_generate)
    assert toast.text.text() == "", "said once"
