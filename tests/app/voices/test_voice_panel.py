"""The voice library in the window: choose, sort, hear, rename, copy, delete and take back."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from cloning_kit import MicBench
from PySide6.QtCore import QObject, QPoint, QSortFilterProxyModel, Qt
from PySide6.QtWidgets import QFileDialog, QLineEdit, QMenu
from pytestqt.modeltest import ModelTester
from studio_fakes import CODEBOOKS, RATE

from app.audio.player import PlayState
from app.core import settings as keys
from app.voices.details_dialog import VoiceDetails
from app.voices.list_model import VoiceListModel, VoiceRole
from app.voices.voice_filter import VoiceFilter
from engine.voices import VoiceProfile
from engine.voices.notes import VoiceNotes


def put(mic: MicBench, name: str, frames: int = 20, when: float = 0.0) -> None:
    """Save a voice; ``when`` is the time of its file."""
    profile = VoiceProfile("Said.", np.zeros((CODEBOOKS, frames), np.int32), RATE, 4096)
    mic.store.save(name, profile, VoiceNotes(notes=f"about {name}"))
    if when:
        os.utime(mic.store.library.path(name), (when, when))
    mic.app.voices.refresh()


def titles(mic: MicBench) -> list[str]:
    proxy = mic.window.voices.filter
    return [proxy.index(row, 0).data() for row in range(proxy.rowCount())]


def menu_texts(menu: QMenu) -> dict[str, bool]:
    return {a.text().split("\t")[0]: a.isEnabled() for a in menu.actions() if a.text()}


def test_the_models_keep_qts_rules(qtmodeltester: ModelTester, tmp_path: Path) -> None:
    model, owner = VoiceListModel(tmp_path), QObject()
    proxy = VoiceFilter(owner)
    proxy.setSourceModel(model)
    for name, text in (("Anna", "One."), ("Berta", "Two.")):
        model.library.save(name, VoiceProfile(text, np.zeros((10, 4), np.int32), RATE, 4096))
    (tmp_path / "bad.s2voice").write_bytes(b"no voice")
    model.refresh()
    qtmodeltester.check(model)
    qtmodeltester.check(proxy)
    assert isinstance(proxy, QSortFilterProxyModel)
    assert proxy.rowCount() == 4


def test_search_and_order(mic: MicBench) -> None:
    put(mic, "Berta", 10, 2000.0)
    put(mic, "anna", 30, 1000.0)
    put(mic, "Clara", 20, 3000.0)
    panel = mic.window.voices
    assert titles(mic) == ["No voice", "anna", "Berta", "Clara"]
    panel.sort_button.menu().actions()[1].trigger()
    assert titles(mic) == ["No voice", "anna", "Clara", "Berta"]
    panel.sort_button.menu().actions()[2].trigger()
    assert titles(mic) == ["No voice", "Clara", "Berta", "anna"]
    assert mic.app.settings.get(keys.VOICE_SORT) == "date"
    panel.choose("Berta")
    panel.search.setText("LAR")
    assert titles(mic) == ["No voice", "Clara"]
    assert panel.key == "Berta", "searching does not choose"
    panel.search.clear()
    assert panel.view.currentIndex().data() == "Berta"


def test_enter_goes_on_to_the_script(mic: MicBench) -> None:
    put(mic, "Anna")
    mic.window.show()
    mic.window.activateWindow()
    view = mic.window.voices.view
    view.setFocus()
    mic.qtbot.keyClick(view, Qt.Key.Key_Down)
    assert mic.window.voices.key == "Anna"
    mic.qtbot.keyClick(view, Qt.Key.Key_Return)
    mic.until(mic.window.script.editor.hasFocus)


def test_rename_by_key_and_take_it_back(mic: MicBench) -> None:
    put(mic, "Anna")
    mic.window.show()
    panel = mic.window.voices
    panel.choose("Anna")
    panel.view.setFocus()
    mic.qtbot.keyClick(panel.view, Qt.Key.Key_F2)
    editor = panel.view.findChild(QLineEdit)
    assert editor is not None
    assert editor.text() == "Anna"
    assert editor.accessibleName()
    editor.setText("Élan ☃"[:4])
    mic.qtbot.keyClick(editor, Qt.Key.Key_Return)
    mic.until(lambda: panel.key == "Élan")
    assert titles(mic) == ["No voice", "Élan"]
    assert mic.store.read_notes("Élan").notes == "about Anna"
    mic.window.toast.button.click()
    assert panel.key == "Anna"
    panel.view.setFocus()
    mic.qtbot.keyClick(panel.view, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert panel.key == "Anna", "there is nothing more to undo"
    mic.qtbot.keyClick(
        panel.view,
        Qt.Key.Key_Z,
        Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
    )
    assert panel.key == "Élan"


@pytest.mark.parametrize("name", ["../x", "CON", "a/b", "x.", "Grandpa's voice: kitchen?", "a\tb"])
def test_a_name_is_any_text(mic: MicBench, name: str) -> None:
    put(mic, "Anna")
    mic.window.show()
    mic.window.voices.choose("Anna")
    mic.app.voice_controller.rename("Anna", name)
    shown = " ".join(name.split())
    assert titles(mic) == ["No voice", shown]
    assert mic.window.voices.key
    assert mic.store.read_notes(mic.window.voices.key).notes == "about Anna"
    folder = Path(mic.store.library.directory)
    assert {path.parent for path in mic.store.library.directory.parent.rglob("*.s2voice")} == {
        folder
    }
    mic.window.toast.button.click()
    assert titles(mic) == ["No voice", "Anna"]
    assert mic.store.library.ids() == ["Anna"]


@pytest.mark.parametrize("name", ["Berta", "berta", "\u200b"])
def test_a_name_that_cannot_be_is_refused(mic: MicBench, name: str) -> None:
    put(mic, "Anna")
    put(mic, "Berta", 9)
    mic.window.show()
    mic.app.voice_controller.rename("Anna", name)
    assert mic.window.toast.text.text()
    assert "file" not in mic.window.toast.text.text()
    assert titles(mic) == ["No voice", "Anna", "Berta"]
    assert mic.app.voices.load("Berta").frames == 9  # type: ignore[union-attr]
    assert not mic.app.voice_controller.undo_stack.canUndo()


def test_delete_goes_to_the_trash_and_comes_back(mic: MicBench) -> None:
    put(mic, "Anna")
    put(mic, "Berta")
    mic.window.show()
    panel = mic.window.voices
    panel.choose("Anna")
    panel.view.setFocus()
    mic.qtbot.keyClick(panel.view, Qt.Key.Key_Delete)
    assert titles(mic) == ["No voice", "Berta"]
    assert panel.key == ""
    assert sorted(p.name for p in mic.trash.iterdir()) == ["Anna.json", "Anna.s2voice"]
    assert "trash" in mic.window.toast.text.text()
    mic.window.toast.button.click()
    assert titles(mic) == ["No voice", "Anna", "Berta"]
    assert panel.key == "Anna"
    assert mic.store.read_notes("Anna").notes == "about Anna"


def test_copy_and_take_it_back(mic: MicBench) -> None:
    put(mic, "Anna")
    panel = mic.window.voices
    panel.duplicate_requested.emit("Anna")
    assert panel.key == "Anna 2"
    assert mic.store.read_notes("Anna 2").notes == "about Anna"
    mic.app.voice_controller.undo_stack.undo()
    assert titles(mic) == ["No voice", "Anna"]


def test_a_voice_is_heard_by_its_codes(mic: MicBench) -> None:
    put(mic, "Anna", 7)
    mic.load()
    panel = mic.window.voices
    mic.window.show()
    index = panel.filter.index(1, 0)
    rect = panel.view.visualRect(index)
    sign = QPoint(rect.left() + 16, rect.center().y())
    mic.qtbot.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=sign)
    mic.until(lambda: mic.cloning.preview.token == "voice:Anna")
    store = mic.app.player.store
    assert store is not None
    assert store.length == 7 * 2048
    assert np.all(store.samples == 0.25)
    assert panel.delegate.playing == "Anna"
    panel.hear_requested.emit("Anna")
    assert mic.app.player.state is PlayState.IDLE
    assert panel.delegate.playing == ""


def test_hearing_without_a_model_says_what_to_do(mic: MicBench) -> None:
    put(mic, "Anna")
    mic.window.show()
    mic.window.voices.hear_requested.emit("Anna")
    assert "Open one first" in mic.window.toast.text.text()


def test_damaged_files_are_listed_with_their_reason(mic: MicBench) -> None:
    put(mic, "Anna")
    folder = Path(mic.store.library.directory)
    (folder / "radio.s2voice").write_bytes(b"S2VOICE\0")
    mic.app.voices.refresh()
    panel = mic.window.voices
    assert titles(mic) == ["No voice", "Anna", "radio"]
    bad = panel.filter.index(2, 0)
    assert bad.data(VoiceRole.ERROR)
    assert "truncated" in bad.data(VoiceRole.DETAIL)
    menu = QMenu()
    panel.fill_menu(menu, "radio")
    can = menu_texts(menu)
    assert can["Move to trash"]
    assert can["Show in folder"]
    assert not can["Hear what the model hears"]
    panel.view.selectionModel().setCurrentIndex(
        bad, panel.view.selectionModel().SelectionFlag.NoUpdate
    )
    mic.qtbot.keyClick(panel.view, Qt.Key.Key_Delete)
    assert titles(mic) == ["No voice", "Anna"]


def test_notes_are_kept_beside_the_voice(mic: MicBench) -> None:
    put(mic, "Anna")
    before = mic.store.library.path("Anna").read_bytes()
    mic.window.voices.details_requested.emit("Anna")
    shown = mic.window.findChild(VoiceDetails)
    assert shown is not None
    assert shown.text.toPlainText() == "about Anna"
    shown.text.setPlainText("Quiet and slow.")
    shown.consent.setText("Anna, by letter")
    shown.language.setCurrentIndex(shown.language.findData("de"))
    shown.keep.click()
    kept = mic.store.read_notes("Anna")
    assert (kept.notes, kept.consent, kept.language) == ("Quiet and slow.", "Anna, by letter", "de")
    assert mic.store.library.path("Anna").read_bytes() == before


def test_export_by_the_menu(mic: MicBench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(mic, "Anna")
    mic.window.voices.choose("Anna")
    target = tmp_path / "out"
    bare = "Voice for other programs (*.s2voice)"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *a, **k: (str(target), bare))
    mic.window.voices.export_button.click()
    assert (tmp_path / "out.s2voice").read_bytes() == mic.store.library.path("Anna").read_bytes()
    assert (tmp_path / "out.json").exists()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *a, **k: (str(target), ""))
    mic.window.voices.export_button.click()
    mic.app.voice_controller.import_files([tmp_path / "out.s2vbundle"])
    assert titles(mic) == ["No voice", "Anna", "Anna 2"]
    assert mic.store.read_notes("Anna 2").notes == "about Anna"


def test_what_is_done_outside_is_seen(mic: MicBench) -> None:
    put(mic, "Anna")
    mic.window.voices.choose("Anna")
    mic.until(lambda: bool(mic.app.voice_controller.watcher.folders))
    folder = Path(mic.store.library.directory)
    mic.until(lambda: mic.app.voice_controller.watcher.folders == [str(folder)])
    (folder / "Zoe.s2voice").write_bytes((folder / "Anna.s2voice").read_bytes())
    mic.until(lambda: titles(mic) == ["No voice", "Anna", "Zoe"])
    assert mic.window.voices.key == "Anna", "the choice stays"
    (folder / "Anna.s2voice").unlink()
    mic.until(lambda: titles(mic) == ["No voice", "Zoe"])
    assert mic.window.voices.key == "", "never another voice in its place"


def test_the_name_for_no_voice_has_no_menu(mic: MicBench) -> None:
    menu = QMenu()
    mic.window.voices.fill_menu(menu, "")
    assert not any(menu_texts(menu).values())
