"""Text and clip are compared quietly, and a light says how well they fit; trimming by eye."""

from __future__ import annotations

from pathlib import Path

from cloning_kit import FakeTranscriber, MicBench, speech, use
from recorder_kit import RATE

from app.cloning.clip_dialog import ClipDialog
from app.inference.service import EngineState
from app.widgets.error_dialog import ErrorDialog
from engine.transcription import Heard, HeardWord, Transcript


def _heard(text: str) -> Heard:
    """As a recogniser hears it, without scores: a word each tenth of a second."""
    words = tuple(HeardWord(n / 10, n / 10 + 0.1, w) for n, w in enumerate(text.split()))
    return Heard(Transcript(text, "en", 1.0, words))


def test_text_and_clip_are_compared_while_nothing_else_is_done(
    mic: MicBench, tmp_path: Path
) -> None:
    scribe = FakeTranscriber()
    flow = use(mic, scribe).transcript
    flow._quiet.setInterval(0)
    mic.open(tmp_path / "a.wav", speech(5))
    mic.panel.transcript.editor.setPlainText("The morning train was late again today.")
    mic.until(lambda: bool(scribe.words))
    assert scribe.words == ["the", "morning", "train", "was", "late", "again", "today"]
    assert not mic.cloning.busy, "nobody waits for it"
    assert mic.panel.transcript.button.text() == "Transcribe"
    scribe.busy = False
    scribe.heard.emit(_heard("the morning tram was late again today"))
    check = mic.check("words")
    assert (check.light, round(check.value)) == ("amber", 14)
    assert "train" in check.message
    assert "words" in mic.panel.lights.chips["words"].text()
    mic.panel.transcript.editor.setPlainText("The morning tram was late again today.")
    assert "words" not in [c.key for c in mic.panel.lights.checks], "it is another text now"
    mic.until(lambda: scribe.words[2] == "tram" and scribe.busy)
    mic.panel.transcript.button.click()
    assert len(scribe.clips) == 1, "who presses the button does not wait for the comparison"
    scribe.answer("The morning tram was late again today.")
    scribe.words = []
    flow.compare()
    assert scribe.words == [], "what was heard needs no comparison"


def test_the_engine_has_the_processor_first(mic: MicBench, tmp_path: Path) -> None:
    """Speech that is heard while a clip is compared would stutter."""
    scribe = FakeTranscriber()
    flow = use(mic, scribe).transcript
    flow._quiet.setInterval(0)
    mic.open(tmp_path / "a.wav", speech(5))
    mic.panel.transcript.editor.setPlainText("Some words.")
    mic.until(lambda: scribe.busy)
    mic.load()
    mic.until(lambda: not flow._jobs.engine_works and scribe.busy)
    flow._jobs._service.state_changed.disconnect()
    working = flow._jobs._service.state
    flow._jobs._service.state = EngineState.BUSY
    flow._jobs.engine_changed.emit()
    assert not scribe.busy, "it makes room"
    scribe.words = []
    flow.compare()
    assert scribe.words == [], "and does not begin"
    flow._jobs._service.state = working
    flow._jobs.engine_changed.emit()
    mic.until(lambda: scribe.busy)
    assert scribe.words == ["some", "words"]


def test_a_comparison_that_fails_is_not_said(mic: MicBench, tmp_path: Path) -> None:
    scribe = FakeTranscriber()
    flow = use(mic, scribe).transcript
    flow._quiet.setInterval(0)
    mic.open(tmp_path / "a.wav", speech(5))
    mic.panel.transcript.editor.setPlainText("Some words.")
    mic.until(lambda: scribe.busy)
    scribe.fail()
    assert not [d for d in mic.window.findChildren(ErrorDialog) if d.isVisible()]
    assert "words" not in [c.key for c in mic.panel.lights.checks]


def test_a_wide_window_trims_the_same_clip(mic: MicBench, tmp_path: Path) -> None:
    mic.window.show()
    mic.open(tmp_path / "a.wav", speech(5))
    mic.until(lambda: mic.panel.wave is not None and mic.panel.wave.isVisible())
    mic.panel.wide.click()
    wide = mic.window.findChild(ClipDialog)
    assert wide is not None
    assert wide.isVisible()
    assert mic.panel.wave is not None
    assert wide.wave.width() > 2 * mic.panel.wave.width()
    wide.wave.range_dragged.emit(RATE, 4 * RATE)
    wide.wave.range_set.emit()
    assert mic.clip.seconds == 3.0
    assert mic.panel.shown.kept == (RATE, 4 * RATE)
    wide.wave.undo_requested.emit()
    assert mic.clip.seconds == 5.0
    wide.wave.play_requested.emit()
    assert mic.cloning.preview.token == "clip"
    wide.accept()
