"""Takes that are kept across starts, and what can be done with them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication
from studio_bench import Bench
from studio_fakes import FRAME, RATE, frame_samples, pace
from window_kit import save_voice

from app.core import settings as keys
from app.takes.list_model import Column
from app.takes.take import Take


def settle(bench: Bench) -> None:
    bench.until(lambda: not bench.app.tasks.busy)


def make(bench: Bench, text: str, seed: int | None = None) -> Take:
    if seed is not None:
        bench.window.script.show_seed(seed)
        bench.window.actions_.pin_seed.setChecked(True)
    bench.make_take(text)
    bench.until(lambda: bench.session.can_generate)
    settle(bench)
    assert bench.session.current.take is not None
    return bench.session.current.take


def texts(bench: Bench) -> list[str]:
    model = bench.session.current.list
    return [model.index(row, Column.TEXT).data() for row in range(model.rowCount())]


def test_takes_survive_a_restart(bench: Bench, again: object) -> None:
    bench.load()
    save_voice(bench, "Hope")
    bench.window.voices.choose("Hope")
    bench.window.engine.temperature.setValue(0.55)
    first = make(bench, "One [pause] two.", 11)
    make(bench, "Three.", 12)
    sound, codes = first.store.samples.copy(), first.store.codes.copy()
    second = again()  # type: ignore[operator]
    model = second.session.current.list
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    assert texts(second) == ["Three.", "One [pause] two."]
    row = 1
    assert model.index(row, Column.VOICE).data() == "Hope"
    assert model.index(row, Column.SEED).data() == "11"
    assert model.index(row, Column.LENGTH).data() == "0:00.9"
    second.window.takes.view.selectRow(row)
    settle(second)
    take = second.session.current.take
    assert take is not None
    assert np.allclose(take.store.samples, sound, atol=2**-22)
    assert np.array_equal(take.store.codes, codes)
    assert take.origin.request.sampling.temperature == pytest.approx(0.55)
    assert take.rtf == pytest.approx(0.5)
    assert second.window.below.currentWidget() is second.window.take


def test_the_same_seed_and_the_next(bench: Bench, again: object) -> None:
    bench.load()
    voice = save_voice(bench, "Hope")
    bench.window.voices.choose("Hope")
    make(bench, "One.", 41)
    second = again()  # type: ignore[operator]
    second.load()
    second.window.takes.view.selectRow(0)
    settle(second)
    second.window.voices.choose("")
    second.window.script.set_text("Something else.")
    second.window.actions_.take_again.trigger()
    second.until(lambda: second.session.can_generate)
    asked = second.engine.requests[-1]
    assert (asked.text, asked.sampling.seed, asked.references) == ("One.", 41, (voice,))
    second.window.actions_.take_next.trigger()
    second.until(lambda: second.session.can_generate)
    assert second.engine.requests[-1].sampling.seed == 42
    settle(second)
    assert texts(second) == ["One."] * 3


def test_a_voice_that_is_gone_or_changed_is_said(bench: Bench, again: object) -> None:
    bench.load()
    save_voice(bench, "Hope")
    bench.window.voices.choose("Hope")
    make(bench, "One.", 41)
    second = again()  # type: ignore[operator]
    second.load()
    second.window.takes.view.selectRow(0)
    settle(second)
    other = save_voice(second, "Hope", "Another.")
    changed = type(other)("Another.", other.codes + 1, other.sample_rate, other.codebook_size)
    second.app.voices.library.save("Hope", changed, overwrite=True)
    second.window.actions_.take_again.trigger()
    assert "not the one of this take" in second.window.toast.text.text()
    listed = second.session.current.list
    second.until(lambda: listed.rowCount() == 2 and second.session.can_generate)
    settle(second)
    second.app.voices.library.remove("Hope")
    second.window.takes.view.selectRow(1)
    settle(second)
    count = len(second.engine.requests)
    reports: list[object] = []
    second.app.messages.raised.connect(reports.append)
    second.window.actions_.take_again.trigger()
    assert reports
    assert len(second.engine.requests) == count, "no other voice speaks in its place"


def test_settings_come_back_into_the_window(bench: Bench) -> None:
    bench.load()
    save_voice(bench, "Hope")
    window = bench.window
    window.voices.choose("Hope")
    window.engine.stride.setValue(9)
    window.engine.top_k.setValue(12)
    window.engine.decode.setCurrentIndex(1)
    make(bench, "Old text.", 77)
    wanted = bench.engine.requests[-1]
    window.voices.choose("")
    for box, value in ((window.engine.stride, 1), (window.engine.top_k, 3)):
        box.setValue(value)
    window.engine.decode.setCurrentIndex(0)
    window.script.show_seed(5)
    window.script.set_text("New text.")
    window.actions_.take_settings.trigger()
    assert window.script.text == "Old text."
    assert window.voices.key == "Hope"
    assert window.script.seed.text() == "77"
    bench.app.scripts.generate()
    bench.until(lambda: bench.session.can_generate)
    assert bench.engine.requests[-1] == wanted
    window.script.editor.undo()
    assert window.script.text == "New text."


def test_a_star_is_kept(bench: Bench, again: object) -> None:
    bench.load()
    make(bench, "One.")
    model = bench.session.current.list
    bench.window.takes.view.clicked.emit(model.index(0, Column.STAR))
    assert model.index(0, Column.STAR).data() == "★"
    settle(bench)
    second = again()  # type: ignore[operator]
    assert second.session.current.list.index(0, Column.STAR).data() == "★"


def test_a_title_is_kept_and_edited_in_place(bench: Bench, again: object) -> None:
    bench.load()
    bench.window.show()
    make(bench, "One.")
    bench.window.takes.view.setFocus()
    bench.window.actions_.take_rename.trigger()
    editor = bench.window.takes.view.focusWidget() or QApplication.focusWidget()
    model = bench.session.current.list
    assert model.setData(model.index(0, Column.TEXT), "  My best\ntake ", Qt.ItemDataRole.EditRole)
    assert editor is not None
    settle(bench)
    second = again()  # type: ignore[operator]
    assert texts(second) == ["My best take"]


def test_a_take_that_is_being_made_is_kept_when_the_window_closes(
    bench: Bench, again: object
) -> None:
    bench.load()
    bench.engine.frames, bench.engine.wait = 4000, pace(0.002)
    bench.window.script.set_text("One.")
    bench.app.scripts.generate()
    take = bench.session.current.take
    assert take is not None
    bench.until(lambda: take.store.length > 5 * FRAME)
    length = take.store.length
    second = again()  # type: ignore[operator]
    assert texts(second) == ["One."]
    kept = second.session.current.list.take_at(0)
    assert kept is not None
    assert kept.seconds == pytest.approx(length / RATE)
    assert kept.result is not None
    assert kept.result.finish_reason == "cancelled"


def test_delete_can_be_undone(bench: Bench, again: object) -> None:
    model = bench.session.current.list
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    assert tester.model() is model
    bench.load()
    first = make(bench, "One.")
    second = make(bench, "Two.")
    third = make(bench, "Three.")
    bench.session.current.show(second)
    bench.window.takes.view.setFocus()
    bench.qtbot.keyClick(bench.window.takes.view, Qt.Key.Key_Delete)
    assert texts(bench) == ["Three.", "One."]
    assert bench.session.current.take is first
    settle(bench)
    bench.window.toast.button.click()
    settle(bench)
    assert texts(bench) == ["Three.", "Two.", "One."]
    assert bench.session.current.take is second
    bench.session.current.show(third)
    bench.window.actions_.take_delete.trigger()
    settle(bench)
    later = again()  # type: ignore[operator]
    assert texts(later) == ["Two.", "One."]


def test_the_oldest_without_a_star_go_first_and_it_is_said_before(bench: Bench) -> None:
    bench.load()
    starred = make(bench, "Starred one.")
    bench.app.desk.takes.toggle_star(starred)
    settle(bench)
    room = bench.app.library.archive
    size = room.list()[0].size
    room.max_bytes = int(3.5 * size)
    make(bench, "Two.")
    assert "removes the oldest" not in bench.window.toast.text.text()
    make(bench, "Three.")
    assert "removes the oldest without a star: Two." in bench.window.toast.text.text()
    assert len(room.list()) == 3
    make(bench, "Four.")
    kept = [entry.provenance.text for entry in room.list() if entry.provenance]
    assert kept == ["Four.", "Three.", "Starred one."]
    assert "made room" in bench.window.toast.text.text()
    assert "Two." in texts(bench), "what is in memory stays until the end"


def test_the_room_is_a_setting(bench: Bench) -> None:
    bench.app.settings.set(keys.TAKES_LIMIT_MB, 100)
    assert bench.app.library.archive.max_bytes == 100 << 20


def test_a_cut_take_is_marked_and_can_go_on(bench: Bench, again: object) -> None:
    bench.load()
    bench.engine.finish_reason = "length"
    bench.window.engine.max_frames.setValue(64)
    make(bench, "One.", 9)
    assert texts(bench) == ["[cut at limit] One."]
    assert "cut at the limit" in bench.window.take.heading.facts
    bench.engine.finish_reason = "end"
    bench.session.take_ended.emit(bench.session.current.take)
    bench.window.toast.button.click()
    bench.until(lambda: bench.session.can_generate)
    asked = bench.engine.requests[-1]
    assert (asked.sampling.seed, asked.sampling.max_new_tokens) == (9, 128)
    settle(bench)
    second = again()  # type: ignore[operator]
    assert "[cut at limit] One." in texts(second)


def test_what_was_heard_is_kept_after_a_stop(bench: Bench, again: object) -> None:
    bench.load()
    bench.engine.frames = 400
    bench.window.script.set_text("One.")
    bench.app.scripts.generate()
    take = bench.session.current.take
    assert take is not None
    bench.until(lambda: take.store.frames > 3)
    bench.session.stop()
    bench.until(lambda: bench.session.can_generate)
    settle(bench)
    length = take.store.length
    second = again()  # type: ignore[operator]
    second.window.takes.view.selectRow(0)
    settle(second)
    assert second.session.current.take is not None
    assert second.session.current.take.store.length == length
    assert second.session.current.take.store.frames == length // FRAME


def test_a_damaged_take_hides_no_other(bench: Bench, again: object, tmp_path: Path) -> None:
    bench.load()
    make(bench, "One.")
    make(bench, "Two.")
    folders = sorted((tmp_path / "data" / "takes").iterdir())
    (folders[0] / "take.json").write_text("{")
    (folders[1] / "sound.flac").write_bytes(b"fLaC")
    second = again()  # type: ignore[operator]
    assert texts(second) == ["Two."]
    assert "damaged" in second.window.toast.text.text()
    reports: list[object] = []
    second.app.messages.raised.connect(reports.append)
    second.window.takes.view.selectRow(0)
    settle(second)
    assert reports


def test_the_sound_is_the_engines(bench: Bench) -> None:
    bench.load()
    take = make(bench, "One.", 3)
    expected = np.concatenate([frame_samples(i, 3) for i in range(20)])
    assert np.array_equal(take.store.samples, expected)
    assert take.entry_id


def test_idle_takes_give_their_memory_back(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.takes.controller.MEMORY_BYTES", 0)
    bench.load()
    first = make(bench, "One.", 3)
    sound, codes = first.store.samples.copy(), first.store.codes.copy()
    bench.app.player.abort()
    make(bench, "Two.", 4)
    make(bench, "Three.", 5)
    assert not first.loaded
    assert first.store.length == 0
    model = bench.session.current.list
    row = model.row_of(first)
    assert model.index(row, Column.LENGTH).data() == "0:00.9"
    bench.window.takes.view.selectRow(row)
    settle(bench)
    assert bench.session.current.take is first
    assert np.allclose(first.store.samples, sound, atol=2**-22)
    assert np.array_equal(first.store.codes, codes)
    bench.window.actions_.take_again.trigger()
    bench.until(lambda: bench.session.can_generate)
    assert bench.engine.requests[-1].sampling.seed == 3
