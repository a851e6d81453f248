"""The doorway of what the user is told, and what the window makes of it."""

from __future__ import annotations

from studio_bench import Bench
from window_kit import dialog

from app.core.messages import Messages, Note, Problem
from engine.errors import ModelFileError


def test_a_note_and_a_problem_go_out_as_they_were_said() -> None:
    messages, heard = Messages(), list[object]()
    messages.said.connect(heard.append)
    messages.raised.connect(heard.append)
    error = ModelFileError("broken")
    messages.say("Saved.", "Show", heard.clear)
    messages.report(error)
    assert heard == [Note("Saved.", "Show", heard.clear), Problem(error)]


def test_a_note_passes_over_the_window_and_its_button_acts(bench: Bench) -> None:
    done: list[int] = []
    bench.window.show()
    bench.app.messages.say("Saved as a.wav.", "Show", lambda: done.append(1))
    toast = bench.window.toast
    assert (toast.text.text(), toast.button.text()) == ("Saved as a.wav.", "Show")
    toast.button.click()
    assert done == [1]
    assert not toast.isVisible()
    bench.app.messages.say("No more.")
    assert toast.button.isHidden()


def test_a_problem_opens_a_dialog_whose_button_does_the_next_step(bench: Bench) -> None:
    done: list[int] = []
    bench.window.show()
    bench.app.messages.report(ModelFileError("broken"), "Open another", lambda: done.append(1))
    shown = dialog(bench)
    assert shown.action_button.text() == "Open another"
    shown.action_button.click()
    assert done == [1]
    bench.until(lambda: not bench.window.findChildren(type(shown)))


def test_a_problem_without_a_next_step_offers_no_button(bench: Bench) -> None:
    bench.window.show()
    bench.app.messages.report(ModelFileError("broken"), "Open another")
    shown = dialog(bench)
    assert not hasattr(shown, "action_button")
    shown.reject()
