"""From a clip to a voice: what is asked, what is refused, what is saved."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import numpy as np
import pytest
from cloning_kit import MicBench, speech, text_for
from recorder_kit import RATE

from app.cloning.save_dialogs import ConsentDialog, FaultyClip, NameTaken
from app.core import settings as keys
from engine.voices.remake import load_clips


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
    np.testing.assert_allclose(clip.samples[:, 0], sound, atol=1e-7)
    ((kept, words),) = load_clips(mic.store.beside("Anna"))
    assert np.array_equal(kept.samples, clip.samples), "what the model heard is kept"
    assert words == text
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
def test_any_name_is_fine(mic: MicBench, name: str) -> None:
    mic.load()
    mic.record(speech(6))
    mic.panel.transcript.editor.setPlainText(text_for(5.8))
    mic.cloning.saving.save(name)
    mic.until(lambda: bool(mic.window.voices.key) and not mic.cloning.saving.busy)
    assert mic.app.voices.title_of(mic.window.voices.key) == " ".join(name.split())[:120]
    assert "file" not in mic.panel.note.text()
    folder = Path(mic.store.library.directory)
    assert {p.parent for p in folder.rglob("*.s2voice")} == {folder}


def test_who_allowed_it_is_asked_once(mic: MicBench) -> None:
    mic.app.settings.set(keys.CONSENT_ASKED, False)
    mic.load()
    mic.record(speech(6))
    mic.panel.transcript.editor.setPlainText(text_for(5.8))
    save(mic, "Anna")
    asked = mic.window.findChild(ConsentDialog)
    assert asked is not None
    assert asked.line.text() == "", "nothing is filled in"
    assert not asked.first.isEnabled()
    asked.reject()
    assert mic.engine.encoded == []
    save(mic, "Anna")
    asked = next(d for d in mic.window.findChildren(ConsentDialog) if d.isVisible())
    asked.line.setText("My own voice")
    asked.first.click()
    saved(mic, "Anna")
    assert mic.store.read_notes("Anna").consent == "My own voice"
    save(mic, "Berta")
    saved(mic, "Berta")
    assert mic.store.read_notes("Berta").consent == ""


def test_a_further_clip_makes_the_same_voice(mic: MicBench) -> None:
    mic.load()
    mic.record(speech(6))
    mic.panel.transcript.editor.setPlainText(text_for(5.8))
    save(mic, "Anna")
    saved(mic, "Anna")
    mic.record(speech(6, level=0.25))
    mic.panel.transcript.editor.setPlainText("Other words. " + text_for(5))
    save(mic, "anna")
    asked = next(d for d in mic.window.findChildren(NameTaken) if d.isVisible())
    asked.third.click()
    mic.until(lambda: len(mic.store.read_notes("Anna").clips) == 2)
    mic.until(lambda: not mic.app.voice_controller.maker.busy)
    made = mic.store.library.load("Anna")
    assert made.transcript.splitlines() == [n.text for n in mic.store.read_notes("Anna").clips]
    assert mic.app.voices.voice_count == 1
    assert "made of these clips" in mic.window.toast.text.text()


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
