"""The list of pronunciations in the window: changed, kept, listened to, and used by takes."""

from __future__ import annotations

from PySide6.QtWidgets import QTableWidgetItem
from studio_bench import Bench

from app.core.pronunciation_file import PronunciationFile
from app.script.pronunciations_dialog import PronunciationsDialog


def file_of(bench: Bench) -> PronunciationFile:
    return PronunciationFile(bench.app.settings.path)


def opened(bench: Bench) -> PronunciationsDialog:
    bench.window.show()
    bench.window.actions_.pronunciations.trigger()
    (dialog,) = bench.window.findChildren(PronunciationsDialog)
    return dialog


def add(dialog: PronunciationsDialog, written: str, spoken: str) -> None:
    dialog.add.click()
    row = dialog.table.rowCount() - 1
    dialog.table.setItem(row, 0, QTableWidgetItem(written))
    dialog.table.setItem(row, 1, QTableWidgetItem(spoken))


def test_a_word_is_added_kept_and_spoken(bench: Bench) -> None:
    bench.load()
    bench.window.script.set_text("Tell us of <b>us</b>.")
    dialog = opened(bench)
    assert "none of these words" in dialog.heard.text()
    add(dialog, "us", "you and me")
    assert dialog.heard.text() == "In the script: us → you and me"
    dialog.keep.click()
    assert file_of(bench).read() == (("us", "you and me"),)
    bench.app.scripts.generate()
    bench.until(lambda: bench.session.can_generate and len(bench.engine.requests) == 1)
    assert bench.engine.requests[0].text == "Tell us of <b>us</b>."
    assert bench.engine.requests[0].pronunciations == (("us", "you and me"),)


def test_a_line_that_is_none_keeps_the_dialog_open(bench: Bench) -> None:
    dialog = opened(bench)
    add(dialog, "us", "")
    assert "not whole" in dialog.heard.text()
    dialog.keep.click()
    assert dialog.isVisible()
    assert not file_of(bench).path.exists()
    dialog.table.selectRow(0)
    dialog.remove.click()
    dialog.keep.click()
    assert not dialog.isVisible()


def test_the_chosen_word_is_heard(bench: Bench) -> None:
    bench.load()
    file_of(bench).write([("Nguyen", "Win"), ("API", "A P I")])
    dialog = opened(bench)
    assert dialog.pairs == [("Nguyen", "Win"), ("API", "A P I")]
    assert not dialog.play.isEnabled()
    dialog.table.selectRow(1)
    dialog.play.click()
    bench.until(lambda: bench.session.can_generate and len(bench.engine.requests) == 1)
    assert bench.engine.requests[0].text == "A P I"


def test_a_damaged_file_is_told_and_nothing_is_spoken(bench: Bench) -> None:
    bench.load()
    told: list[str] = []
    bench.app.messages.raised.connect(lambda report, *_: told.append(str(report)))
    bench.session.failed.connect(lambda error, _: told.append(str(error)))
    path = file_of(bench).path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("nonsense\n")
    bench.window.script.set_text("Tell us.")
    bench.app.scripts.generate()
    assert any("nonsense: not a pronunciation" in each for each in told)
    assert not bench.engine.requests
