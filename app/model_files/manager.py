"""The model manager: the dialog, the queue, the license, and what a choice leads to.

Nothing is fetched but what a person asked for in the dialog, after the license was accepted.
Closing the dialog lets a download go on; closing the program pauses it.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QMessageBox, QWidget

from app.core import settings as keys
from app.core.background import Tasks
from app.core.file_dialogs import show_folder, to_trash
from app.core.formats import gigabytes
from app.core.messages import Messages
from app.core.settings import Settings
from app.core.theme import Theme
from app.inference.backends import BackendFacts, Fit, fit, read_needs
from app.inference.controls import Controls
from app.inference.loader import ModelLoader
from app.inference.placement_form import PlacementForm
from app.model_files.advice import FitAdvisor
from app.model_files.dialog import ModelsDialog
from app.model_files.downloads import DownloadTask, ModelDownloads, ModelOutcome, key_of
from app.model_files.list_model import ModelListModel, ModelRow
from engine.errors import EngineError, OutputError
from engine.gguf import MemoryNeeds
from engine.hub import (
    AccessError,
    DownloadOptions,
    Entry,
    ModelStore,
    OfflineError,
    Presence,
    choose_hub,
    make_folder,
    offline_requested,
)

LOOSE = 50_000_000
StoreMaker = Callable[[Path], ModelStore]


class ModelManager(QObject):
    """Shows and works the manager.

    Attributes:
        list: what the dialog lists.
        downloads: the queue.
        dialog: while it is shown.

    ``usual`` is the folder unless the settings name one; ``make_store`` and ``trash`` are what
    tests replace.
    """

    def __init__(
        self,
        window: QWidget,
        theme: Theme,
        models: ModelLoader,
        settings: Settings,
        facts: BackendFacts,
        form: PlacementForm,
        usual: Path,
        messages: Messages,
        tasks: Tasks,
        open_model: Callable[[Path, Path | None], None],
        open_own: Callable[[], None],
        make_store: StoreMaker = ModelStore,
    ) -> None:
        super().__init__(window)
        self._window, self._theme, self._settings = window, theme, settings
        self._models, self._form = models, form
        self._open_model, self._open_own = open_model, open_own
        self._facts, self._usual, self._messages = facts, usual, messages
        self._store_maker = make_store
        self.trash: Callable[[Path], Path | None] = to_trash
        self.list = ModelListModel(self)
        self.dialog: ModelsDialog | None = None
        self._thrown: set[str] = set()
        self._needs: dict[Path, tuple[int, MemoryNeeds | None]] = {}
        self.downloads = ModelDownloads(self._make_store(), tasks, self)
        self.advisor = FitAdvisor(facts, form, usual.parent / "speed.json", tasks, messages, self)
        self.advisor.changed.connect(self.refresh)
        self.downloads.moved.connect(self.list.set_transfer)
        self.downloads.ended.connect(self._on_ended)
        self.downloads.changed.connect(self.refresh)
        settings.watch(keys.MODELS_FOLDER, self._on_folder)
        settings.watch(keys.MODELS_OFFLINE, self._on_offline)
        settings.watch(keys.MODELS_TOKEN, self._on_token)
        settings.watch(keys.RECENT_MODELS, self._on_recent)
        models.loaded.connect(self.refresh)
        facts.changed.connect(self._on_facts)
        form.models_requested.connect(self.show)

    def _make_store(self) -> ModelStore:
        return self._store_maker(Path(self._settings.get(keys.MODELS_FOLDER) or self._usual))

    @property
    def store(self) -> ModelStore:
        """The folder that is worked on."""
        return self.downloads.store

    def close(self) -> None:
        """Pause what runs, for good."""
        self.downloads.close()

    @Slot()
    def show(self) -> None:
        """Open the dialog, or bring it to the front."""
        if self.dialog is not None:
            self.dialog.raise_()
            self.dialog.activateWindow()
            return
        self.refresh()
        dialog = self.dialog = ModelsDialog(
            self.list, self._settings, self._theme, str(self._usual), self._window
        )
        dialog.asked.connect(self._on_asked)
        dialog.license_accepted.connect(self._on_accepted)
        dialog.own_file_asked.connect(self._use_own)
        dialog.folder_asked.connect(self._show_folder)
        dialog.finished.connect(self._on_closed)
        self.advisor.serve(dialog, self.store.variants)
        self.refresh()
        dialog.set_offline(self._offline)
        current = self.downloads.current
        dialog.choose(current.key if current else self._first_choice())
        dialog.show()

    def _first_choice(self) -> str:
        """The open model, else one that is here, else the advised one."""
        for good in (
            lambda row: row.is_open,
            lambda row: row.entry.presence is Presence.PARTIAL,
            lambda row: row.entry.usable,
            lambda row: row.entry.variant is not None and row.entry.variant.advised,
        ):
            found = next((row for row in self.list.rows if good(row)), None)
            if found is not None:
                return found.key
        return ""

    @Slot()
    def _on_closed(self) -> None:
        self.dialog = None

    @property
    def _offline(self) -> bool:
        return self._settings.get(keys.MODELS_OFFLINE) or offline_requested()

    @Slot()
    def refresh(self) -> None:
        """Look at the folder again and say what is there."""
        recent = [Path(path) for path in self._settings.get(keys.RECENT_MODELS) if path]
        self.list.set_rows([self._row(entry) for entry in self.store.entries(recent)])

    def _row(self, entry: Entry) -> ModelRow:
        key, downloads = key_of(entry), self.downloads
        running = downloads.current is not None and downloads.current.key == key
        info = self._models.info
        return ModelRow(
            entry,
            task=downloads.task_of(key),
            waits=downloads.waits(key),
            transfer=downloads.transfer if running else None,
            fit=self._fit(entry),
            is_open=info is not None and Path(info.path) == entry.path,
            speed=self.advisor.words(entry.variant),
            best=entry.variant is not None and entry.variant is self.advisor.best,
        )

    def _fit(self, entry: Entry) -> Fit | None:
        needs = self._needs_of(entry)
        if needs is None:
            return None
        c = Controls.from_settings(self._settings)
        chosen = self._form.chosen
        return fit(needs, chosen, c.max_frames, c.gpu_layers, c.codec_policy)

    def _needs_of(self, entry: Entry) -> MemoryNeeds | None:
        """From the catalogue, or from the header of a file, which is read once."""
        if entry.variant is not None:
            return entry.variant.needs
        known = self._needs.get(entry.path)
        if known is None or known[0] != entry.size:
            known = self._needs[entry.path] = (entry.size, read_needs(entry.path))
        return known[1]

    @Slot()
    def _on_facts(self) -> None:
        """The free memory changes all the time; only a shown list needs to know."""
        if self.dialog is not None:
            rows = [replace(row, fit=self._fit(row.entry)) for row in self.list.rows]
            self.list.set_rows(rows)

    @Slot(str, str)
    def _on_asked(self, what: str, key: str) -> None:
        row = self.list.row_for(key)
        if row is None:
            return
        if self.dialog is not None:
            self.dialog.say("")
        doing: dict[str, Callable[[ModelRow], None]] = {
            "open": self._open,
            "download": self._download,
            "pause": lambda r: self.downloads.stop(r.key),
            "discard": self._discard,
            "verify": lambda r: self.downloads.verify(r.entry),
            "remove": self._remove,
            "reveal": lambda r: show_folder(r.entry.path.parent),
        }
        doing[what](row)

    def _open(self, row: ModelRow) -> None:
        """Choosing a model opens it, with the tokenizer of our folder where it has none."""
        path = row.entry.path
        beside = any((p / "tokenizer.json").is_file() for p in (path.parent, path.parent.parent))
        ours = self.store.folder / "tokenizer.json"
        tokenizer = ours if not beside and ours.is_file() else None
        if self.dialog is not None:
            self.dialog.accept()
        self._open_model(path, tokenizer)

    def _download(self, row: ModelRow) -> None:
        variant = row.entry.variant
        if variant is None:
            return
        if not self.store.accepted(variant.license):
            if self.dialog is not None:
                self.dialog.show_license(variant.license, row.key)
            return
        try:
            self.downloads.download(row.entry, self.options())
        except EngineError as error:
            self._tell(error)

    def options(self) -> DownloadOptions:
        """How to fetch, as the settings say."""
        get = self._settings.get
        hub = choose_hub(get(keys.MODELS_MIRROR), get(keys.MODELS_TOKEN))
        return DownloadOptions(hub=hub, offline=self._offline)

    @Slot(str)
    def _on_accepted(self, key: str) -> None:
        row = self.list.row_for(key)
        if row is None or row.entry.variant is None:
            return
        try:
            self.store.accept(row.entry.variant.license)
        except EngineError as error:
            self._tell(error)
            return
        self._download(row)

    def _discard(self, row: ModelRow) -> None:
        """Much that was fetched is not thrown away by one click."""
        if row.done < LOOSE:
            self._throw_away(row)
            return
        question = QMessageBox(self.dialog or self._window)
        question.setTextFormat(Qt.TextFormat.PlainText)
        question.setIcon(QMessageBox.Icon.Question)
        question.setWindowTitle(self.tr("Throw away"))
        words = self.tr("Throw away {size} of {name}?")
        question.setText(words.format(size=gigabytes(row.done), name=row.title))
        question.setInformativeText(self.tr("A pause keeps it, and going on begins behind it."))
        away = question.addButton(self.tr("Throw away"), QMessageBox.ButtonRole.AcceptRole)
        keep = question.addButton(self.tr("Keep"), QMessageBox.ButtonRole.RejectRole)
        question.setDefaultButton(keep)
        away.clicked.connect(lambda _=False: self._throw_away(row))
        question.finished.connect(question.deleteLater)
        question.open()

    def _throw_away(self, row: ModelRow) -> None:
        if self.downloads.task_of(row.key) is not None:
            self._thrown.add(row.key)
            self.downloads.stop(row.key)
            return
        if row.entry.variant is not None:
            try:
                self.store.discard(row.entry.variant)
            except EngineError as error:
                self._tell(error)
        self.refresh()

    def _remove(self, row: ModelRow) -> None:
        def remover(path: Path) -> None:
            if self.trash(path) is None:
                raise OSError(0, self.tr("there is no trash for this folder"))

        try:
            self.store.remove(row.entry, remover)
        except EngineError as error:
            self._tell(error)
        else:
            if self.dialog is not None:
                self.dialog.say(self.tr("{name} is in the trash.").format(name=row.title))
        self.refresh()

    @Slot(object)
    def _on_ended(self, outcome: ModelOutcome) -> None:
        key = outcome.job.key
        self.refresh()
        row = self.list.row_for(key)
        if key in self._thrown:
            self._thrown.discard(key)
            if row is not None:
                self._throw_away(row)
            return
        if outcome.error is not None:
            self._tell(outcome.error, key if outcome.job.task is DownloadTask.DOWNLOAD else "")
        elif not outcome.stopped and row is not None:
            self._tell_done(outcome, row)

    def _tell_done(self, outcome: ModelOutcome, row: ModelRow) -> None:
        shown = self.dialog is not None and self.dialog.chosen == row.key
        if outcome.job.task is DownloadTask.VERIFY:
            self._tell_checked(outcome.entry, row)
        elif shown and self.dialog is not None:
            self.dialog.say(self.tr("{name} is here.").format(name=row.title), "ok")
        else:
            self._messages.say(
                self.tr("{name} is here.").format(name=row.title),
                self.tr("Open"),
                lambda: self._open(row),
            )

    def _tell_checked(self, entry: Entry | None, row: ModelRow) -> None:
        if entry is None or self.dialog is None:
            return
        words = {
            Presence.VERIFIED: (self.tr("It is the file that was published."), "ok"),
            Presence.DAMAGED: (self.tr("Its SHA-256 is another one: download it again."), "bad"),
        }
        unknown = (self.tr("No SHA-256 was published for it, so it cannot be compared."), "")
        self.dialog.say(*words.get(entry.presence, unknown))

    def _tell(self, error: EngineError, key: str = "") -> None:
        """An error with the step that helps."""
        title, step = "", None
        if isinstance(error, AccessError):
            title, step = self.tr("Open the page of the weights"), self._show_page
        elif isinstance(error, OfflineError) and not offline_requested():
            title, step = self.tr("Turn offline mode off"), self._go_online
        elif key and not isinstance(error, OutputError):
            title, step = self.tr("Try again"), lambda: self._on_asked("download", key)
        self._messages.report(error, title, step)

    def _go_online(self) -> None:
        self._settings.set(keys.MODELS_OFFLINE, False)

    def _show_page(self) -> None:
        variant = self.store.variants[0]
        QDesktopServices.openUrl(QUrl(f"https://huggingface.co/{variant.file.repository}"))

    @Slot()
    def _use_own(self) -> None:
        if self.dialog is not None:
            self.dialog.accept()
        self._open_own()

    @Slot()
    def _show_folder(self) -> None:
        try:
            make_folder(self.store.folder)
        except EngineError as error:
            self._tell(error)
            return
        show_folder(self.store.folder)

    @Slot(object)
    def _on_folder(self, _folder: str) -> None:
        self._thrown.clear()
        self.downloads.use(self._make_store())

    @Slot(object)
    def _on_offline(self, offline: bool) -> None:
        if self.dialog is not None:
            self.dialog.set_offline(self._offline)
            self.dialog.network.offline.setChecked(offline)

    @Slot(object)
    def _on_token(self, _token: str) -> None:
        self._settings.sync()
        with contextlib.suppress(OSError):  # only this user may read a token
            os.chmod(self._settings.path, 0o600)

    @Slot(object)
    def _on_recent(self, _paths: list[str]) -> None:
        if self.dialog is not None:
            self.refresh()
