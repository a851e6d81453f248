"""The script's panel in the window: tags, completion, notes, speakers, pieces, files."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtWidgets import QFileDialog
from studio_bench import Bench
from window_kit import save_voice

from app.core import settings as keys
from engine.types import Segmentation

LONG = "The harbour is quiet tonight, and the last boat has come in. " * 20


def type_text(bench: Bench, text: str) -> None:
    bench.qtbot.keyClicks(bench.window.script.editor, text)


def test_chips_and_menu_insert_tags(bench: Bench) -> None:
    bench.window.resize(1600, 900)
    bench.window.show()
    panel = bench.window.script
    panel.set_text("Hello")
    panel.palette_.chips[1].click()
    assert panel.text == "Hello [whisper] "
    type_text(bench, "world")
    menu = panel.palette_.more.menu()
    offered = {a.text() for part in menu.actions() for a in part.menu().actions()}
    assert {"[pause]", "[moaning]", "[with strong accent]", "Speaker 1"} <= offered
    panel.editor.undo()
    assert "world" not in panel.text


def test_chips_give_way_where_it_is_narrow(bench: Bench) -> None:
    bench.window.show()
    palette = bench.window.script.palette_
    palette.resize(palette.more.sizeHint().width() + 4, 30)
    assert not any(chip.isVisible() for chip in palette.chips)
    assert palette.more.isVisible()
    palette.resize(palette.sizeHint().width(), 30)
    assert all(chip.isVisible() for chip in palette.chips)


def test_typing_a_bracket_offers_tags(bench: Bench) -> None:
    window = bench.window
    window.show()
    bench.qtbot.waitExposed(window)
    editor = window.script.editor
    editor.setFocus()
    type_text(bench, "Hi [whi")
    popup = editor.popup
    assert popup.isVisible()
    assert popup.model().index(0, 0).data() == "[whisper]"
    bench.qtbot.keyClick(popup, Qt.Key.Key_Return)
    assert window.script.text == "Hi [whisper]"
    assert not popup.isVisible()
    type_text(bench, " <|")
    assert popup.isVisible()
    bench.qtbot.keyClick(popup, Qt.Key.Key_Escape)
    assert not popup.isVisible()
    type_text(bench, "[my own words] x")
    assert not popup.isVisible()


def test_notes_are_shown_and_lead_to_their_place(bench: Bench) -> None:
    bench.window.show()
    panel = bench.window.script
    assert panel.notes.isHidden()
    panel.set_text("Fine. 😀 [wisper] and <|speaker 1|> go.")
    panel.measure()
    assert len(panel.notes.notes) == 2
    assert "[whisper]" in panel.notes.text.text()
    panel.notes.show_button.click()
    assert panel.editor.textCursor().selectedText() == "[wisper]"
    panel.notes.show_button.click()
    assert panel.editor.textCursor().selectedText() == "<|speaker 1|>"
    panel.set_text("Fine.")
    panel.measure()
    assert panel.notes.isHidden()


def test_each_speaker_gets_a_voice(bench: Bench) -> None:
    bench.load()
    ann, bob = save_voice(bench, "Ann", "Alpha."), save_voice(bench, "Bob", "Beta.")
    panel, window = bench.window.script, bench.window
    window.voices.choose("Ann")
    panel.set_text("Hello.")
    panel.measure()
    assert panel.speakers.isHidden()
    panel.set_text("<|speaker:1|>One. <|speaker:0|>Zero. <|speaker:1|>One again.")
    panel.measure()
    boxes = panel.speakers.boxes
    assert list(boxes) == [0, 1]
    assert boxes[0].currentText() == "Ann", "the number shown is the number in the tag"
    assert any("Speaker 1 has no voice" in note for note in panel.notes.notes)
    boxes[1].setCurrentIndex(boxes[1].findText("Bob"))
    boxes[1].activated.emit(boxes[1].currentIndex())
    assert panel.notes.notes == []
    bench.app.scripts.generate()
    bench.until(lambda: bench.session.can_generate)
    assert bench.engine.requests[-1].references == (ann, bob)
    assert bench.session.current.take is not None
    assert bench.session.current.take.origin.voice == "Ann + Bob"
    boxes[0].setCurrentIndex(boxes[0].findText("Bob"))
    boxes[0].activated.emit(boxes[0].currentIndex())
    assert window.voices.key == "Bob"
    bench.app.scripts.generate()
    bench.until(lambda: bench.session.can_generate)
    assert [v.transcript for v in bench.engine.requests[-1].references] == ["Beta.", "Beta."]


def test_a_missing_voice_stops_the_take(bench: Bench) -> None:
    bench.load()
    save_voice(bench, "Ann")
    bench.app.settings.set(keys.SPEAKERS, ["1=Gone"])
    failures: list[object] = []
    bench.session.failed.connect(lambda error, job: failures.append(error))
    bench.window.script.set_text("<|speaker:1|>Hello.")
    bench.app.scripts.generate()
    assert failures
    assert bench.engine.requests == []
    assert "missing" in bench.window.script.speakers.boxes[1].currentText()


def test_a_long_text_is_cut_by_itself(bench: Bench) -> None:
    bench.load()
    panel = bench.window.script
    panel.set_text(LONG)
    panel.measure()
    assert "20 pieces" in panel.heading.facts
    assert panel.editor.segments_shown == 20
    panel.segments.pause.setValue(300)
    panel.segments.carry.setChecked(True)
    bench.app.scripts.generate()
    bench.until(lambda: bench.session.can_generate)
    asked = bench.engine.requests[-1].segmentation
    assert (asked.sentences, asked.pause_ms, asked.history) == (True, 300, True)
    assert asked.max_chars > 100
    panel.segments.mode.setCurrentIndex(2)
    assert panel.editor.segments_shown == 0
    bench.app.scripts.generate()
    bench.until(lambda: bench.session.can_generate)
    assert bench.engine.requests[-1].segmentation == Segmentation()


def test_pieces_are_numbered_where_they_begin(bench: Bench) -> None:
    bench.window.show()
    panel = bench.window.script
    panel.set_text("😀 One is here. Two is here.\nThree is here. " + LONG)
    panel.measure()
    visible = panel.editor.visible_segments()
    assert [number for number, _ in visible[:3]] == [1, 2, 3]
    assert visible[0][1].left() < visible[1][1].left()
    assert visible[2][1].top() > visible[1][1].top()
    assert not panel.editor.grab().isNull()


@pytest.mark.long_call("ScriptEditor.insertFromMimeData")
@pytest.mark.parametrize(
    "text",
    [("A line of a long story. [whisper] Go on.\n" * 5000)[:200_000], "a" * 200_000, LONG * 160],
    ids=["lines", "one word", "one line"],
)
def test_a_large_paste_answers_at_once(bench: Bench, text: str) -> None:
    bench.window.show()
    bench.qtbot.waitExposed(bench.window)
    editor = bench.window.script.editor
    data = QMimeData()
    data.setText(text)
    start = time.thread_time()
    editor.insertFromMimeData(data)
    bench.window.script.measure()
    pasted = time.thread_time() - start
    start = time.thread_time()
    type_text(bench, "x")
    typed = time.thread_time() - start
    assert bench.app.scripts.report is None, "looked at elsewhere"
    bench.until(lambda: not bench.app.tasks.busy, timeout=20_000)
    bench.window.script.measure()
    bench.until(lambda: bench.app.scripts.report is not None, timeout=20_000)
    assert len(bench.window.script.text) == len(text) + 1
    assert max(pasted, typed) < 2.0, "a loaded machine may be slow, a quadratic editor is slower"


def test_generate_waits_for_the_report_of_a_large_text(bench: Bench) -> None:
    bench.load()
    bench.window.script.set_text(LONG * 10)
    bench.app.scripts.generate()
    bench.until(lambda: len(bench.engine.requests) == 1)
    assert bench.engine.requests[0].segmentation.sentences
    bench.until(lambda: bench.session.can_generate)


def test_files_dropped_on_the_editor_go_to_the_window(bench: Bench, tmp_path: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / "a.txt"))])
    assert not bench.window.script.editor.canInsertFromMimeData(data)


def test_text_is_saved_and_opened(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.window.script.set_text("Grüße, 小梅.\n[pause] Zweite Zeile.")
    path = tmp_path / "out"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *a, **k: (str(path), ""))
    bench.window.actions_.save_text.trigger()
    written = tmp_path / "out.txt"
    assert written.read_bytes().decode("utf-8") == "Grüße, 小梅.\n[pause] Zweite Zeile."
    bench.window.script.set_text("")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *a, **k: (str(written), ""))
    bench.window.actions_.open_text.trigger()
    assert bench.window.script.text == "Grüße, 小梅.\n[pause] Zweite Zeile."
    written.write_bytes("naïve “x”".encode("cp1252"))
    bench.window.actions_.open_text.trigger()
    assert bench.window.script.text == "naïve “x”"
    assert "Windows-1252" in bench.window.toast.text.text()
    bench.window.toast.button.click()
    assert bench.window.script.text.startswith("Grüße")


def test_nothing_to_speak_is_said(bench: Bench) -> None:
    bench.load()
    for text in ("", "  \n ", "\u200b\ufeff"):
        bench.window.script.set_text(text)
        failures: list[object] = []
        bench.session.failed.connect(lambda error, job, f=failures: f.append(error))
        bench.app.scripts.generate()
        assert failures
    assert bench.engine.requests == []
