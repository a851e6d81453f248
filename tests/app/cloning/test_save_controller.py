"""From a clip to a voice: what is asked, what is refused, what is saved."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import numpy as np
import pytest
from cloning_kit import MicBench, speech, text_for
from recorder_kit import RATE

from app.cloning.save_dialogs import FaultyClip, NameTaken


def save(mic: MicBench, name: str = "") -> None:
    if name:
        mic.panel.saving.name.setText(name)
    mic.panel.saving.save.click()


def saved(mic: MicBench, voice_id: str) -> None:
    mic.until(lambda: mic.window.voices.key == voice_id and not mic.cloning.saving.busy)


def test_from_the_microphone_to_a_take(mic: MicBench) -> None:
    mic.window.show()
    mic.load()
    assert not mic.panel.saving.isVisible(), "without a clip there is nothing to save"
    sound = speech(8)
    mic.record(sound)
    assert mic.panel.saving.isVisible()
    assert {c.light for c in mic.panel.lights.checks if c.key != "transcript"} == {"green"}
    assert mic.check("transcript").light == "red"
    text = text_for(7.8)
    mic.panel.transcript.editor.setPlainText(text)
    assert mic.check("transcript").light == "green"
    save(mic, "Anna")
    saved(mic, "Anna")
    clip, said = mic.engine.encoded[-1]
    assert said == text
    assert np.array_equal(clip.samples[:, 0], sound)
    assert clip.rate == RATE
    notes = json.loads((mic.store.sidecar("Anna")).read_text(encoding="utf-8"))
    assert notes["source_seconds"] == 8.0
    assert len(notes["source_sha256"]) == 64
    mic.make_take("Good evening.")
    (used,) = mic.engine.requests[-1].references
    assert used.transcript == text
    assert used == mic.app.voices.load("Anna")


def test_a_clip_without_words_is_not_saved(mic: MicBench) -> None:
    mic.load()
    mic.record(speech(6))
    for text in ("", "  ", "\n", "\u200b"):
        mic.panel.transcript.editor.setPlainText(text)
        save(mic, "Anna")
        assert "Type what is said" in mic.panel.note.text()
    assert mic.engine.encoded == []
    assert mic.app.voices.voice_count == 0
    mic.panel.transcript.editor.setPlainText("Now it is there.")
    assert mic.panel.note.text() == "", "what was missing is not asked for any more"


def test_the_text_of_another_clip_is_questioned(mic: MicBench) -> None:
    mic.window.show()
    mic.load()
    mic.record(speech(6))
    mic.panel.transcript.editor.setPlainText(text_for(5.8))
    mic.record(speech(6, level=0.28))
    assert mic.panel.transcript.question.isVisible()
    save(mic, "Anna")
    assert "clip before" in mic.panel.note.text()
    assert mic.engine.encoded == []
    mic.panel.transcript.keep.click()
    assert not mic.panel.transcript.question.isVisible()
    save(mic, "Anna")
    saved(mic, "Anna")
    mic.record(speech(6, level=0.27))
    mic.panel.transcript.clear.click()
    assert mic.clip.text == ""
    assert not mic.panel.transcript.question.isVisible()


def test_a_taken_name_asks_and_nothing_is_replaced_unasked(mic: MicBench) -> None:
    mic.load()
    mic.record(speech(6))
    mic.panel.transcript.editor.setPlainText(text_for(5.8))
    save(mic, "Anna")
    saved(mic, "Anna")
    first = mic.store.library.path("Anna").read_bytes()
    mic.clip.trim(0, 5 * RATE, "trim")
    save(mic, "anna")
    asked = mic.window.findChild(NameTaken)
    assert asked is not None
    asked.reject()
    assert mic.app.voices.voice_count == 1
    save(mic, "Anna")
    asked = next(d for d in mic.window.findChildren(NameTaken) if d.isVisible())
    asked.first.click()
    saved(mic, "Anna 2")
    assert mic.store.library.path("Anna").read_bytes() == first
    save(mic, "Anna")
    asked = next(d for d in mic.window.findChildren(NameTaken) if d.isVisible())
    asked.second.click()
    saved(mic, "Anna")
    assert mic.store.library.path("Anna").read_bytes() != first
    assert (mic.trash / "Anna.s2voice").read_bytes() == first, "the old one is in the trash"


@pytest.mark.parametrize(
    "name", ["../x", "a/b", "C:\\x", "CON", "nul.txt", "name.", "a\nb", "?*", "x" * 400]
)
def test_names_that_are_no_file_names_are_mapped_visibly(mic: MicBench, name: str) -> None:
    mic.load()
    mic.record(speech(6))
    mic.panel.transcript.editor.setPlainText(text_for(5.8))
    mic.cloning.saving.save(name)
    if "cannot be a file" in mic.panel.note.text():
        shown = mic.panel.saving.name.text()
        assert mic.engine.encoded == [], "the user sees the name before it is used"
        mic.panel.saving.save.click()
    else:
        shown = " ".join(name.split())
    saved(mic, shown)
    folder = Path(mic.store.library.directory)
    assert {p.parent for p in folder.rglob("*.s2voice")} == {folder}


def test_a_red_check_asks_first(mic: MicBench) -> None:
    mic.load()
    mic.record(speech(6))
    mic.panel.transcript.editor.setPlainText("Three words only.")
    assert mic.check("transcript").light == "red"
    save(mic, "Anna")
    asked = mic.window.findChild(FaultyClip)
    assert asked is not None
    assert "characters a second" in asked.text.text()
    asked.first.click()
    assert mic.engine.encoded == []
    save(mic, "Anna")
    next(d for d in mic.window.findChildren(FaultyClip) if d.isVisible()).second.click()
    saved(mic, "Anna")


def test_without_a_model_the_clip_waits(mic: MicBench) -> None:
    mic.window.show()
    mic.record(speech(6))
    mic.panel.transcript.editor.setPlainText(text_for(5.8))
    save(mic, "Anna")
    assert "Open one first" in mic.window.toast.text.text()
    assert mic.window.toast.button.isVisible()
    mic.load()
    save(mic, "Anna")
    saved(mic, "Anna")


def test_saving_can_be_stopped_and_nothing_is_half_saved(mic: MicBench) -> None:
    mic.load()
    gate = threading.Event()
    mic.engine.wait = lambda index, cancel: cancel._event.wait(20) if index == 3 else None
    mic.record(speech(6))
    mic.panel.transcript.editor.setPlainText(text_for(5.8))
    save(mic, "Anna")
    mic.until(lambda: mic.panel.saving.progress.value() >= 1)
    mic.panel.saving.cancel.click()
    mic.until(lambda: not mic.cloning.saving.busy)
    assert "Stopped" in mic.window.toast.text.text()
    assert mic.app.voices.voice_count == 0
    gate.set()
    mic.engine.wait = lambda index, cancel: None
    mic.until(lambda: mic.session.can_generate)
    save(mic, "Anna")
    saved(mic, "Anna")


def test_closing_while_a_voice_is_made_leaves_no_half_file(mic: MicBench) -> None:
    mic.load()
    mic.engine.wait = lambda index, cancel: cancel._event.wait(20)
    mic.record(speech(6))
    mic.panel.transcript.editor.setPlainText(text_for(5.8))
    save(mic, "Anna")
    mic.until(lambda: bool(mic.engine.encoded))
    assert mic.app.shutdown()
    folder = Path(mic.store.library.directory)
    assert not list(folder.glob("*")) if folder.is_dir() else True
