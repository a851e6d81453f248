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


class ManagerBench:
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
def user(
    bench: Bench, server: Server, models: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[ManagerBench]:
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
    made = ManagerBench(bench, server, variant, tmp_path)
    yield made
    made.manager.close()
    if made.manager.dialog is not None:
        made.manager.dialog.close()


def test_nothing_is_fetched_before_the_license(user: ManagerBench) -> None:
    assert "Download" in user.dialog.details.primary.text()
    user.press()
    page = user.dialog.license
    assert user.dialog.pages.currentWidget() is page
    texts = " ".join(part.text() for part in page.findChildren(QLabel))
    assert "Fish Audio Research License" in texts
    assert "Commercial use" in texts
    assert "Built with Fish Audio" in texts
    page.refused.emit()
    assert user.dialog.pages.currentIndex() == 0
    assert not user.hub.seen
    assert not user.manager.store.folder.exists()
    assert user.manager.downloads.current is None


def test_download_then_open(user: ManagerBench) -> None:
    user.fetch()
    assert user.dialog.note.text() == "S2 Pro Q4_K_M is here."
    assert {p.name for p in user.manager.store.folder.iterdir() if p.name[0] != "."} == {
        "tiny.gguf", "tokenizer.json", "models.json",
    }  # fmt: skip
    assert user.dialog.details.primary.text() == "Open"
    user.press()
    user.until(lambda: user.bench.session.can_generate)
    assert user.bench.loader.options[-1].model == user.manager.store.folder / "tiny.gguf"
    assert user.manager.dialog is None


def test_a_second_start_asks_no_license_and_fetches_nothing(
    user: ManagerBench, tmp_path: Path
) -> None:
    user.fetch()
    user.hub.seen.clear()
    again = ModelStore(tmp_path / "models")
    assert again.accepted(user.variant.license)
    user.manager.refresh()
    assert not user.hub.seen


def test_pause_shows_real_bytes_and_going_on_begins_behind_them(user: ManagerBench) -> None:
    size = user.variant.file.size
    user.hub.faults.extend([Fault(), Fault(stall=size // 2)])
    user.accept_license()
    details = user.dialog.details
    user.until(lambda: "tiny.gguf" in details.bytes.text() and user.row.share > 0)
    assert "MB" in details.bytes.text()
    assert details.bar.value() > 0
    user.press("pause")
    user.until(lambda: user.row.task is None)
    assert user.row.entry.presence is Presence.PARTIAL
    assert details.primary.text() == "Go on"
    assert "kept for going on" in details.bytes.text()
    kept = user.row.entry.done
    user.hub.seen.clear()
    user.press()
    user.until(lambda: user.row.entry.presence is Presence.VERIFIED)
    assert user.hub.seen[0].start == kept > 0


def test_throwing_away_little_asks_nothing_and_much_asks(
    user: ManagerBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = user.variant.file.size
    user.hub.faults.extend([Fault(), Fault(stall=size // 2)])
    user.accept_license()
    user.until(lambda: user.row.done > 0 and user.row.share > 0)
    monkeypatch.setattr("app.model_files.manager.LOOSE", 1)
    user.press("discard")
    question = user.dialog.findChildren(QMessageBox)[0]
    assert "Throw away" in question.text()
    next(b for b in question.findChildren(QPushButton) if b.text() == "Keep").click()
    assert user.row.task is DownloadTask.DOWNLOAD
    monkeypatch.setattr("app.model_files.manager.LOOSE", 50_000_000)
    user.press("discard")
    user.until(lambda: user.row.entry.presence is Presence.ABSENT and user.row.task is None)
    assert not list(user.manager.store.folder.glob("*.part*"))


def test_check_finds_damage_and_fetches_again(user: ManagerBench) -> None:
    user.fetch()
    path = user.row.entry.path
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    user.press("verify")
    user.until(lambda: user.row.entry.presence is Presence.DAMAGED and user.row.task is None)
    assert "another one" in user.dialog.note.text()
    assert user.dialog.details.primary.text() == "Download again"
    user.press()
    user.until(lambda: user.row.entry.presence is Presence.VERIFIED and user.row.task is None)


def test_remove_goes_to_the_trash(user: ManagerBench) -> None:
    user.fetch()
    path = user.row.entry.path
    user.press("remove")
    assert user.trashed == [path]
    assert user.row.entry.presence is Presence.ABSENT
    assert "trash" in user.dialog.note.text()
    user.manager.trash = lambda path: None
    user.press()
    user.until(lambda: user.row.entry.presence is Presence.VERIFIED and user.row.task is None)
    user.press("remove")
    shown_dialog(user.bench).reject()
    assert path.is_file()


def test_offline_mode_forbids_downloads_and_says_so(user: ManagerBench) -> None:
    user.dialog.network.offline.setChecked(True)
    details = user.dialog.details
    assert not details.primary.isEnabled()
    assert "Offline" in details.primary.toolTip()
    user.dialog.details.do_primary()
    assert user.dialog.pages.currentIndex() == 0
    assert not user.hub.seen
    user.dialog.network.offline.setChecked(False)
    assert details.primary.isEnabled()


def test_a_mirror_that_is_none_is_not_kept(user: ManagerBench) -> None:
    form = user.dialog.network
    form.mirror.setText("nowhere")
    form.mirror.editingFinished.emit()
    assert form.mirror_hint.property("state") == "bad"
    assert user.bench.app.settings.get(keys.MODELS_MIRROR) == user.hub.url
    form.mirror.setText("https://hf-mirror.example/")
    form.mirror.editingFinished.emit()
    assert form.mirror_hint.property("state") == ""
    assert user.bench.app.settings.get(keys.MODELS_MIRROR) == "https://hf-mirror.example/"


def test_a_token_is_kept_for_this_user_only(user: ManagerBench) -> None:
    form = user.dialog.network
    form.token.setText(" hf_secret ")
    form.token.editingFinished.emit()
    path = user.bench.app.settings.path
    assert "hf_secret" in path.read_text()
    assert path.stat().st_mode & 0o077 == 0


def test_a_failure_is_told_with_the_step_that_helps(user: ManagerBench) -> None:
    user.hub.always = Fault(status=403)
    user.accept_license()
    user.until(lambda: user.row.task is None and user.manager.downloads.current is None)
    error = shown_dialog(user.bench)
    texts = " ".join(part.text() for part in error.findChildren(QLabel))
    assert "403" in texts
    assert "token" in texts
    error.reject()


def test_own_file_and_enter(user: ManagerBench, qtbot: QtBot) -> None:
    qtbot.keyClick(user.dialog.view, Qt.Key.Key_Return)
    assert user.dialog.pages.currentWidget() is user.dialog.license
    user.dialog.show_list()
    user.dialog.own.click()
    assert user.opened_own == 1
    assert user.manager.dialog is None


def test_two_downloads_wait_for_each_other_and_closing_pauses(user: ManagerBench) -> None:
    user.hub.faults.extend([Fault(), Fault(stall=100_000)])
    user.accept_license()
    user.until(lambda: "tiny.gguf" in user.dialog.details.bytes.text() and user.row.done > 0)
    user.manager._on_asked("download", "q6_k")
    other = user.manager.list.row_for("q6_k")
    assert other is not None
    assert other.waits
    user.manager._on_asked("pause", "q6_k")
    other = user.manager.list.row_for("q6_k")
    assert other is not None
    assert other.task is None
    user.manager.close()
    user.until(lambda: not user.bench.app.tasks.busy)
    assert (user.manager.store.folder / "tiny.gguf.part").is_file()


def test_another_folder_does_not_wait_for_a_download_that_is_slow_to_stop(
    user: ManagerBench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, let_go = threading.Event(), threading.Event()

    def deaf(*_: object) -> None:
        begun.set()
        let_go.wait(20)

    monkeypatch.setattr(user.manager.store, "download", deaf)
    user.accept_license()
    assert begun.wait(5)
    before = time.monotonic()
    user.bench.app.settings.set(keys.MODELS_FOLDER, str(tmp_path / "other"))
    assert time.monotonic() - before < 1
    assert user.manager.store.folder == tmp_path / "other"
    assert user.row.task is None
    user.accept_license()
    assert user.row.task is DownloadTask.DOWNLOAD
    let_go.set()
    user.until(lambda: user.row.entry.presence is Presence.VERIFIED and not user.row.task)
    assert (tmp_path / "other" / "tiny.gguf").is_file()


def test_closed_dialog_lets_the_download_end_and_offers_the_model(user: ManagerBench) -> None:
    size = user.variant.file.size
    user.hub.faults.extend([Fault(), Fault(cut=size // 2)])
    user.accept_license()
    user.dialog.reject()
    toast = user.bench.window.toast
    user.until(lambda: "is here" in toast.text.text())
    toast.button.click()
    user.until(lambda: user.bench.session.can_generate)


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
