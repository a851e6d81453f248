"""Dialogs for files: where they start, what they give, and names that are free."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from app.core import settings as keys
from app.core.file_dialogs import FileDialogs
from app.core.settings import Settings

TEXTS = "Texts (*.txt)"


@pytest.fixture
def dialogs(qtbot: QtBot, tmp_path: Path) -> FileDialogs:
    parent = QWidget()
    qtbot.addWidget(parent)
    return FileDialogs(Settings(tmp_path / "settings"), parent)


def test_a_dialog_starts_where_the_last_one_of_its_kind_ended(
    dialogs: FileDialogs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    starts: list[str] = []

    def answer(_parent: object, _title: str, start: str, kinds: str) -> tuple[str, str]:
        starts.append(start)
        return str(tmp_path / "a.txt"), kinds

    monkeypatch.setattr(QFileDialog, "getOpenFileName", answer)
    assert dialogs.open(keys.FOLDER_TEXT, "Open", TEXTS) == tmp_path / "a.txt"
    dialogs.open(keys.FOLDER_TEXT, "Open", TEXTS)
    dialogs.open(keys.FOLDER_VOICE, "Open", TEXTS)
    dialogs.remember(keys.FOLDER_TEXT, tmp_path / "gone" / "a.txt")
    dialogs.open(keys.FOLDER_TEXT, "Open", TEXTS)
    assert starts == ["", str(tmp_path), "", ""]


def test_many_files_may_be_chosen_and_none(
    dialogs: FileDialogs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [str(tmp_path / "a"), str(tmp_path / "b")]
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: (names, ""))
    assert dialogs.open_many(keys.FOLDER_VOICE, "Open", "") == [Path(n) for n in names]
    names.clear()
    assert dialogs.open_many(keys.FOLDER_VOICE, "Open", "") == []
    assert dialogs.folder(keys.FOLDER_VOICE) == str(tmp_path), "cancel forgets nothing"


def test_saving_suggests_a_name_and_a_free_one_where_nothing_is_replaced(
    dialogs: FileDialogs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, bool]] = []

    def answer(
        _parent: object, _title: str, start: str, kinds: str, options: QFileDialog.Option
    ) -> tuple[str, str]:
        asked.append((start, bool(options & QFileDialog.Option.DontConfirmOverwrite)))
        return start, kinds

    monkeypatch.setattr(QFileDialog, "getSaveFileName", answer)
    path = tmp_path / "a.txt"
    path.touch()
    dialogs.remember(keys.FOLDER_TEXT, path)
    assert dialogs.save(keys.FOLDER_TEXT, "Save", "a.txt", TEXTS) == (path, TEXTS)
    free = tmp_path / "a (2).txt"
    assert dialogs.save(keys.FOLDER_TEXT, "Save", "a.txt", TEXTS, replace=False) == (free, TEXTS)
    assert asked == [(str(path), False), (str(free), True)]
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, **__: ("", ""))
    assert dialogs.save(keys.FOLDER_TEXT, "Save", "a.txt", TEXTS) is None
