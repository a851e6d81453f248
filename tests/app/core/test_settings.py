"""The settings dialog, settings that are shown in several places, and damaged files."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot
from shiboken6 import delete
from studio_bench import Bench

from app.core import settings as keys
from app.core.settings import ALL, Settings
from app.help.keys_dialog import KeysDialog
from app.help.settings_dialog import SettingsDialog
from app.widgets.form import FolderRow, bind_number, spin


@pytest.fixture
def opened(bench: Bench) -> SettingsDialog:
    bench.window.show()
    bench.window.actions_.open_settings.trigger()
    return bench.window.findChildren(SettingsDialog)[0]


def test_every_setting_is_declared_once() -> None:
    assert len({s.key for s in ALL}) == len(ALL)
    assert all(s.title and "/" in s.key for s in ALL)
    for setting in ALL:
        assert setting.check(setting.default) == setting.default


def test_who_watches_a_setting_hears_of_that_one_alone(qtbot: QtBot, tmp_path: Path) -> None:
    settings, heard = Settings(tmp_path / "s"), list[object]()
    settings.watch(keys.STRIDE, heard.append)
    settings.set(keys.STRIDE, 7)
    settings.set(keys.STRIDE, 7)
    settings.set(keys.HOLDBACK, 3)
    assert heard == [7]


def test_watching_ends_with_the_owner(qtbot: QtBot, tmp_path: Path) -> None:
    settings, heard = Settings(tmp_path / "s"), list[object]()
    owner = QObject()
    settings.watch(keys.STRIDE, lambda value: heard.append(value), owner)
    box = spin(keys.STRIDE, "")
    bind_number(settings, keys.STRIDE, box)
    settings.set(keys.STRIDE, 7)
    assert (heard, box.value()) == ([7], 7)
    delete(owner)
    delete(box)
    settings.set(keys.STRIDE, 8)
    assert heard == [7]


def test_the_theme_switches_live_in_all_places(bench: Bench, opened: SettingsDialog) -> None:
    opened.theme.setCurrentIndex(opened.theme.findData("dark"))
    assert bench.app.theme.dark
    dark = next(a for a in bench.window.actions_.themes if a.data() == "dark")
    assert dark.isChecked()
    light = next(a for a in bench.window.actions_.themes if a.data() == "light")
    light.trigger()
    assert not bench.app.theme.dark
    assert opened.theme.currentData() == "light"


def test_each_control_keeps_its_setting(bench: Bench, opened: SettingsDialog) -> None:
    get = bench.app.settings.get
    opened.language.setCurrentIndex(opened.language.findData("zh_CN"))
    assert get(keys.LANGUAGE) == "zh_CN"
    opened.reopen.click()
    assert get(keys.REOPEN_MODEL) is False
    opened.takes.setValue(700)
    assert bench.app.library.archive.max_bytes == 700 << 20, "the archive follows"
    opened.start_buffer.setValue(900)
    assert get(keys.START_BUFFER) == 900
    assert bench.window.engine.start_buffer.value() == 900, "the panel follows"
    bench.window.engine.start_buffer.setValue(400)
    assert opened.start_buffer.value() == 400
    output = opened.output.findText("Headset · ALSA")
    if output < 0:
        output = 1
    opened.output.setCurrentIndex(output)
    assert get(keys.OUTPUT_DEVICE) == opened.output.currentData()


def test_a_folder_is_chosen_and_given_back(
    bench: Bench, opened: SettingsDialog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = opened.transcribe
    assert not row.reset.isEnabled()
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path))
    row.choose.click()
    assert bench.app.settings.get(keys.TRANSCRIBE_MODEL) == str(tmp_path)
    assert row.path.text() == str(tmp_path)
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: "")
    row.choose.click()
    assert bench.app.settings.get(keys.TRANSCRIBE_MODEL) == str(tmp_path), "cancel changes nothing"
    row.reset.click()
    assert bench.app.settings.get(keys.TRANSCRIBE_MODEL) == ""
    assert isinstance(opened.voices, FolderRow)


def test_an_output_that_is_gone_stays_chosen(bench: Bench) -> None:
    bench.app.settings.set(keys.OUTPUT_DEVICE, "Old speakers · ALSA")
    bench.app.help.show_settings()
    shown = bench.window.findChildren(SettingsDialog)[0]
    assert "Old speakers" in shown.output.currentText()
    assert bench.app.settings.get(keys.OUTPUT_DEVICE) == "Old speakers · ALSA"
    shown.accept()


def test_another_voices_folder_is_used_at_the_next_start(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere 小"
    before = Settings(tmp_path / "config" / "studio.json")
    before.set(keys.VOICE_LIBRARY, str(elsewhere))
    before.sync()
    bench = Bench(qtbot, qapp, tmp_path)
    assert Path(bench.app.voices.library.path("x")).parent == elsewhere
    assert bench.app.shutdown()


def test_a_closed_dialog_is_gone_and_settings_go_on(bench: Bench, opened: SettingsDialog) -> None:
    opened.accept()
    bench.until(lambda: not bench.window.findChildren(SettingsDialog))
    for setting, value in (
        (keys.THEME, "dark"),
        (keys.START_BUFFER, 100),
        (keys.TAKES_LIMIT_MB, 900),
    ):
        bench.app.settings.set(setting, value)
        assert bench.app.settings.get(setting) == value


def test_damage_is_said_in_the_window(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> None:
    file = tmp_path / "config" / "studio.json"
    file.parent.mkdir()
    file.write_bytes(b"[window]\ntheme=\xff\xfe\0dark")
    bench = Bench(qtbot, qapp, tmp_path)
    bench.window.show()
    bench.app._after_start()
    assert "studio.damaged.json" in bench.window.toast.text.text()
    assert (file.parent / "studio.damaged.json").read_bytes().endswith(b"dark")
    assert bench.app.settings.get(keys.THEME) == "system"
    assert bench.app.shutdown()


def test_the_list_of_keys_shows_every_key(bench: Bench) -> None:
    bench.window.show()
    bench.window.actions_.shortcuts.trigger()
    shown = bench.window.findChildren(KeysDialog)[0]
    texts = {w.text() for w in shown.findChildren(type(bench.window.model_chip))}
    for action in bench.window.actions_.all():
        assert action.text().replace("…", "") in texts
    shown.accept()


def test_tooltips_and_menus_show_the_keys(bench: Bench) -> None:
    in_menus = set()
    for top in bench.window.menuBar().actions():
        menu = top.menu()
        assert menu is not None
        in_menus |= {a.text() for a in menu.actions()}
    for action in bench.window.actions_.all():
        key = action.shortcut().toString(action.shortcut().SequenceFormat.NativeText)
        assert key in action.toolTip(), action.text()
        assert action.text() in in_menus, action.text()


def test_settings_that_cannot_be_written_are_said(qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    settings = Settings(tmp_path / "file" / "studio.json")
    assert "cannot be written" in settings.notice
    settings.set(keys.STRIDE, 7)
    settings.sync()
    assert settings.get(keys.STRIDE) == 7, "the window works on"


def test_the_output_is_chosen_in_one_place_and_shown_in_both(bench: Bench) -> None:
    bench.app.help.show_settings()
    shown = bench.window.findChildren(SettingsDialog)[0]
    key = shown.output.itemData(1)
    shown.output.setCurrentIndex(1)
    assert bench.app.player.device_key == key
    assert bench.window.take.transport.device.currentData() == key
    shown.accept()
