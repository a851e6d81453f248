"""The model manager in the window: list, license, download, pause, check, remove, open."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hub_kit import PROXIES, Fault, Server, known, serving
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot
from studio_bench import Bench, put_away
from window_kit import dialog as shown_dialog

from app.core import settings as keys
from app.model_files.dialog import ModelsDialog
from app.model_files.downloads import DownloadTask
from app.model_files.list_model import ModelRow
from app.model_files.manager import ModelManager
from engine.hub.catalogue import VARIANTS, Variant
from engine.hub.local import Presence
from engine.hub.store import ModelStore


class Desk:
    """A studio whose manager fetches a tiny model from a server of this machine."""

    def __init__(self, bench: Bench, hub: Server, variant: Variant, root: Path) -> None:
        self.bench, self.hub, self.variant = bench, hub, variant
        app = bench.app
        app.manager.close()
        app.settings.set(keys.MODELS_MIRROR, hub.url)
        self.trashed: list[Path] = []
        self.opened_own = 0
        self.manager = ModelManager(
            bench.window, app.theme, app.loader, app.settings, app.facts,
            bench.window.engine.form, root / "models", app.messages, app.tasks, app.models.open,
            self._open_own,
            lambda folder: ModelStore(folder, root / "cache", (variant, *VARIANTS[1:])),
        )  # fmt: skip
        self.manager.trash = self._trash
        app.manager = self.manager
        self.manager.show()

    def _open_own(self) -> None:
        self.opened_own += 1

    def _trash(self, path: Path) -> Path | None:
        self.trashed.append(path)
        path.unlink()
        return path

    @property
    def dialog(self) -> ModelsDialog:
        assert self.manager.dialog is not None
        return self.manager.dialog

    @property
    def row(self) -> ModelRow:
        row = self.manager.list.row_for(self.variant.id)
        assert row is not None
        return row

    def press(self, name: str = "primary") -> None:
        details = self.dialog.details
        button = details.primary if name == "primary" else details.buttons[name]
        assert button.isVisibleTo(details), name
        button.click()

    def accept_license(self) -> None:
        self.press()
        self.dialog.license.accept.click()

    def until(self, condition: Callable[[], bool]) -> None:
        self.bench.until(condition)

    def fetch(self) -> None:
        self.accept_license()
        self.until(lambda: self.row.entry.presence is Presence.VERIFIED and not self.row.task)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving() as made:
        yield made


@pytest.fixture
def desk(
    bench: Bench, server: Server, models: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Desk]:
    for name in (*PROXIES, "HF_HUB_OFFLINE", "HF_TOKEN", "HF_ENDPOINT"):
        monkeypatch.delenv(name, raising=False)
    server.reset()
    model, tokenizer = models.path("tiny-q8_0").read_bytes(), models.tokenizer.read_bytes()
    server.put("tiny.gguf", model)
    server.put("tokenizer.json", tokenizer)
    variant = replace(
        VARIANTS[0],
        file=known("tiny.gguf", model),
        companions=(known("tokenizer.json", tokenizer),),
    )
    made = Desk(bench, server, variant, tmp_path)
    yield made
    made.manager.close()
    if made.manager.dialog is not None:
        made.manager.dialog.close()


def test_nothing_is_fetched_before_the_license(desk: Desk) -> None:
    assert "Download" in desk.dialog.details.primary.text()
    desk.press()
    page = desk.dialog.license
    assert desk.dialog.pages.currentWidget() is page
    texts = " ".join(part.text() for part in page.findChildren(QLabel))
    assert "Fish Audio Research License" in texts
    assert "Commercial use" in texts
    assert "Built with Fish Audio" in texts
    page.refused.emit()
    assert desk.dialog.pages.currentIndex() == 0
    assert not desk.hub.seen
    assert not desk.manager.store.folder.exists()
    assert not desk.manager.downloads.busy


def test_download_then_open(desk: Desk) -> None:
    desk.fetch()
    assert desk.dialog.note.text() == "S2 Pro Q4_K_M is here."
    assert {p.name for p in desk.manager.store.folder.iterdir() if p.name[0] != "."} == {
        "tiny.gguf", "tokenizer.json", "models.json",
    }  # fmt: skip
    assert desk.dialog.details.primary.text() == "Open"
    desk.press()
    desk.until(lambda: desk.bench.session.can_generate)
    assert desk.bench.loader.options[-1].model == desk.manager.store.folder / "tiny.gguf"
    assert desk.manager.dialog is None


def test_a_second_start_asks_no_license_and_fetches_nothing(desk: Desk, tmp_path: Path) -> None:
    desk.fetch()
    desk.hub.seen.clear()
    again = ModelStore(tmp_path / "models")
    assert again.accepted(desk.variant.license)
    desk.manager.refresh()
    assert not desk.hub.seen


def test_pause_shows_real_bytes_and_going_on_begins_behind_them(desk: Desk) -> None:
    size = desk.variant.file.size
    desk.hub.faults.extend([Fault(), Fault(stall=size // 2)])
    desk.accept_license()
    details = desk.dialog.details
    desk.until(lambda: "tiny.gguf" in details.bytes.text() and desk.row.share > 0)
    assert "MB" in details.bytes.text()
    assert details.bar.value() > 0
    desk.press("pause")
    desk.until(lambda: desk.row.task is None)
    assert desk.row.entry.presence is Presence.PARTIAL
    assert details.primary.text() == "Go on"
    assert "kept for going on" in details.bytes.text()
    kept = desk.row.entry.done
    desk.hub.seen.clear()
    desk.press()
    desk.until(lambda: desk.row.entry.presence is Presence.VERIFIED)
    assert desk.hub.seen[0].start == kept > 0


def test_throwing_away_little_asks_nothing_and_much_asks(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = desk.variant.file.size
    desk.hub.faults.extend([Fault(), Fault(stall=size // 2)])
    desk.accept_license()
    desk.until(lambda: desk.row.done > 0 and desk.row.share > 0)
    monkeypatch.setattr("app.model_files.manager.LOOSE", 1)
    desk.press("discard")
    question = desk.dialog.findChildren(QMessageBox)[0]
    assert "Throw away" in question.text()
    next(b for b in question.findChildren(QPushButton) if b.text() == "Keep").click()
    assert desk.row.task is DownloadTask.DOWNLOAD
    monkeypatch.setattr("app.model_files.manager.LOOSE", 50_000_000)
    desk.press("discard")
    desk.until(lambda: desk.row.entry.presence is Presence.ABSENT and desk.row.task is None)
    assert not list(desk.manager.store.folder.glob("*.part*"))


def test_check_finds_damage_and_fetches_again(desk: Desk) -> None:
    desk.fetch()
    path = desk.row.entry.path
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    desk.press("verify")
    desk.until(lambda: desk.row.entry.presence is Presence.DAMAGED and desk.row.task is None)
    assert "another one" in desk.dialog.note.text()
    assert desk.dialog.details.primary.text() == "Download again"
    desk.press()
    desk.until(lambda: desk.row.entry.presence is Presence.VERIFIED and desk.row.task is None)


def test_remove_goes_to_the_trash(desk: Desk) -> None:
    desk.fetch()
    path = desk.row.entry.path
    desk.press("remove")
    assert desk.trashed == [path]
    assert desk.row.entry.presence is Presence.ABSENT
    assert "trash" in desk.dialog.note.text()
    desk.manager.trash = lambda path: None
    desk.press()
    desk.until(lambda: desk.row.entry.presence is Presence.VERIFIED and desk.row.task is None)
    desk.press("remove")
    shown_dialog(desk.bench).reject()
    assert path.is_file()


def test_offline_mode_forbids_downloads_and_says_so(desk: Desk) -> None:
    desk.dialog.network.offline.setChecked(True)
    details = desk.dialog.details
    assert not details.primary.isEnabled()
    assert "Offline" in details.primary.toolTip()
    desk.dialog.details.do_primary()
    assert desk.dialog.pages.currentIndex() == 0
    assert not desk.hub.seen
    desk.dialog.network.offline.setChecked(False)
    assert details.primary.isEnabled()


def test_a_mirror_that_is_none_is_not_kept(desk: Desk) -> None:
    form = desk.dialog.network
    form.mirror.setText("nowhere")
    form.mirror.editingFinished.emit()
    assert form.mirror_hint.property("state") == "bad"
    assert desk.bench.app.settings.get(keys.MODELS_MIRROR) == desk.hub.url
    form.mirror.setText("https://hf-mirror.example/")
    form.mirror.editingFinished.emit()
    assert form.mirror_hint.property("state") == ""
    assert desk.bench.app.settings.get(keys.MODELS_MIRROR) == "https://hf-mirror.example/"


def test_a_token_is_kept_for_this_user_only(desk: Desk) -> None:
    form = desk.dialog.network
    form.token.setText(" hf_secret ")
    form.token.editingFinished.emit()
    path = desk.bench.app.settings.path
    assert "hf_secret" in path.read_text()
    assert path.stat().st_mode & 0o077 == 0


def test_a_failure_is_told_with_the_step_that_helps(desk: Desk) -> None:
    desk.hub.always = Fault(status=403)
    desk.accept_license()
    desk.until(lambda: desk.row.task is None and not desk.manager.downloads.busy)
    error = shown_dialog(desk.bench)
    texts = " ".join(part.text() for part in error.findChildren(QLabel))
    assert "403" in texts
    assert "token" in texts
    error.reject()


def test_own_file_and_enter(desk: Desk, qtbot: QtBot) -> None:
    qtbot.keyClick(desk.dialog.view, Qt.Key.Key_Return)
    assert desk.dialog.pages.currentWidget() is desk.dialog.license
    desk.dialog.show_list()
    desk.dialog.own.click()
    assert desk.opened_own == 1
    assert desk.manager.dialog is None


def test_two_downloads_wait_for_each_other_and_closing_pauses(desk: Desk) -> None:
    desk.hub.faults.extend([Fault(), Fault(stall=100_000)])
    desk.accept_license()
    desk.until(lambda: "tiny.gguf" in desk.dialog.details.bytes.text() and desk.row.done > 0)
    desk.manager._on_asked("download", "q6_k")
    other = desk.manager.list.row_for("q6_k")
    assert other is not None
    assert other.waits
    desk.manager._on_asked("pause", "q6_k")
    other = desk.manager.list.row_for("q6_k")
    assert other is not None
    assert other.task is None
    desk.manager.close()
    desk.until(lambda: not desk.bench.app.tasks.busy)
    assert (desk.manager.store.folder / "tiny.gguf.part").is_file()


def test_another_folder_does_not_wait_for_a_download_that_is_slow_to_stop(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, let_go = threading.Event(), threading.Event()

    def deaf(*_: object) -> None:
        begun.set()
        let_go.wait(20)

    monkeypatch.setattr(desk.manager.store, "download", deaf)
    desk.accept_license()
    assert begun.wait(5)
    before = time.monotonic()
    desk.bench.app.settings.set(keys.MODELS_FOLDER, str(tmp_path / "other"))
    assert time.monotonic() - before < 1
    assert desk.manager.store.folder == tmp_path / "other"
    assert desk.row.task is None
    desk.accept_license()
    assert desk.row.task is DownloadTask.DOWNLOAD
    let_go.set()
    desk.until(lambda: desk.row.entry.presence is Presence.VERIFIED and not desk.row.task)
    assert (tmp_path / "other" / "tiny.gguf").is_file()


def test_closed_dialog_lets_the_download_end_and_offers_the_model(desk: Desk) -> None:
    size = desk.variant.file.size
    desk.hub.faults.extend([Fault(), Fault(cut=size // 2)])
    desk.accept_license()
    desk.dialog.reject()
    toast = desk.bench.window.toast
    desk.until(lambda: "is here" in toast.text.text())
    toast.button.click()
    desk.until(lambda: desk.bench.session.can_generate)


def test_the_ways_into_the_manager(bench: Bench) -> None:
    window = bench.window
    for way in (
        window.actions_.models.trigger,
        window.card.get_button.click,
        window.engine.form.models.click,
    ):
        way()
        dialog = bench.app.manager.dialog
        assert dialog is not None
        assert dialog.chosen == "q4_k_m"
        put_away(dialog)
        assert bench.app.manager.dialog is None
