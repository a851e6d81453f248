"""What can be done with the voices in the library, each step with Undo."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np
from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QUndoCommand, QUndoStack

from app.audio.preview import Preview
from app.core import settings as keys
from app.core.background import Tasks
from app.core.engine_texts import engine_text
from app.core.file_dialogs import FileDialogs, show_folder
from app.core.formats import sentence
from app.core.messages import Messages
from app.core.settings import Settings
from app.inference.codec_jobs import CodecJobs
from app.voices.details_controller import DetailsController
from app.voices.folder_watcher import FolderWatcher
from app.voices.list_model import VoiceListModel, VoiceRow
from app.voices.maker import VoiceMaker
from app.voices.panel import VoicesPanel
from app.voices.store import Trashed, VoiceStore
from engine.audio import AudioClip
from engine.errors import EngineError, OutputError, VoiceError
from engine.voices import BUNDLE, EXTENSION, VoiceProfile, safe_name

VOICE = "voice:"
REMEMBERED = 4


class _Step(QUndoCommand):
    """A step on disk: a function each way. One that fails takes itself out of the list."""

    def __init__(
        self, text: str, do: Callable[[], None], back: Callable[[], None], messages: Messages
    ) -> None:
        super().__init__(text)
        self._do, self._back, self._messages = do, back, messages

    def redo(self) -> None:
        self._try(self._do)

    def undo(self) -> None:
        self._try(self._back)

    def _try(self, step: Callable[[], None]) -> None:
        try:
            step()
        except VoiceError as error:
            self.setObsolete(True)
            self._messages.say(
                " ".join(map(sentence, map(engine_text, (error.detail, error.advice))))
            )
        except EngineError as error:
            self.setObsolete(True)
            self._messages.report(error)


class VoicesController(QObject):
    """Hear, rename, duplicate, import, export, reveal, describe, delete.

    Attributes:
        undo_stack: renamed, copied and deleted voices.
        details: the dialog of a voice.
        maker: makes voices of kept clips.
        watcher: reads the list again when its folder changes.
    """

    def __init__(
        self,
        panel: VoicesPanel,
        model: VoiceListModel,
        store: VoiceStore,
        jobs: CodecJobs,
        maker_jobs: CodecJobs,
        tasks: Tasks,
        rate: Callable[[], int],
        open_model: Callable[[], None],
        preview: Preview,
        settings: Settings,
        messages: Messages,
    ) -> None:
        """``rate`` gives the sample rate of the loaded model, 0 without one."""
        super().__init__(panel)
        self._panel, self._model, self._store = panel, model, store
        self._jobs, self._rate, self._open_model = jobs, rate, open_model
        self._preview, self._settings, self._messages = preview, settings, messages
        self.maker = VoiceMaker(panel.strip, model, store, maker_jobs, tasks, messages)
        self.watcher = FolderWatcher(Path(model.library.directory), self)
        self.watcher.changed.connect(model.refresh)
        self._files = FileDialogs(settings, panel)
        self.details = DetailsController(
            panel, model, store, self.maker, self._files, preview, tasks, messages
        )
        self.undo_stack = QUndoStack(self)
        self._sounds: OrderedDict[tuple[Path, float, int], np.ndarray] = OrderedDict()
        self._wanted = ""
        panel.hear_requested.connect(self.hear)
        panel.duplicate_requested.connect(self.duplicate)
        panel.export_requested.connect(self.ask_export)
        panel.reveal_requested.connect(self.reveal)
        panel.star_requested.connect(self.star)
        panel.delete_requested.connect(self.delete)
        panel.undo_requested.connect(self.undo_stack.undo)
        panel.redo_requested.connect(self.undo_stack.redo)
        # The list is read again after a renaming, which must not happen inside its own editor.
        model.rename_requested.connect(self.rename, Qt.ConnectionType.QueuedConnection)
        preview.changed.connect(self._on_sounding)
        panel.set_order(settings.get(keys.VOICE_SORT))
        panel.order_chosen.connect(lambda order: settings.set(keys.VOICE_SORT, order))

    @Slot(str)
    def hear(self, key: str) -> None:
        """Play a voice's own codes: what the model hears. Once more stops it."""
        preview = self._preview
        if preview.token == VOICE + key or self._wanted == key:
            self._wanted = ""
            self._jobs.cancel()
            preview.stop()
            self._panel.set_busy("")
            return
        row = self._model.row_for(key)
        if row is None or row.path is None:
            return
        if not self._rate():
            self._messages.say(
                self.tr("A model makes the voice heard. Open one first."),
                self.tr("Open model…"),
                self._open_model,
            )
            return
        known = self._sounds.get((row.path, row.made, self._rate()))
        if known is not None:
            preview.play(VOICE + key, known, self._rate())
            return
        try:
            profile = self._model.load(key)
        except EngineError as error:
            self._messages.report(error)
            return
        if profile is not None:
            self._decode(key, row, profile)

    def _decode(self, key: str, row: VoiceRow, profile: VoiceProfile) -> None:
        self._jobs.cancel()
        self._wanted = key

        def done(samples: np.ndarray) -> None:
            if row.path is not None:
                self._sounds[(row.path, row.made, self._rate())] = samples
            while len(self._sounds) > REMEMBERED:
                self._sounds.popitem(last=False)
            if self._wanted == key:
                self._wanted = ""
                self._panel.set_busy("")
                self._preview.play(VOICE + key, samples, self._rate())

        def failed(error: EngineError | None) -> None:
            if self._wanted == key:
                self._wanted = ""
                self._panel.set_busy("")
            if error is not None:
                self._messages.report(error)

        self._panel.set_busy(key)
        self._jobs.decode(profile.codes, done, failed)

    @Slot(str)
    def _on_sounding(self, token: str) -> None:
        self._panel.set_playing(token.removeprefix(VOICE) if token.startswith(VOICE) else "")

    @Slot(str, str)
    def rename(self, key: str, new: str) -> None:
        """Give a voice another name, which is any text; Undo gives the old one back."""
        row = self._model.row_for(key)
        if row is None:
            return
        old, now = row.title, [key]

        def call(name: str) -> None:
            before, chosen = now[0], self._panel.key
            now[0] = self._store.rename(before, name)
            self._refresh(now[0] if chosen == before else chosen)

        self._push(self.tr("rename {name}").format(name=old), lambda: call(new), lambda: call(old))
        title = self._model.title_of(now[0])
        if title != old:
            words = self.tr("{old} is called {new} now.").format(old=old, new=title)
            self._messages.say(words, self.tr("Undo"), self.undo_stack.undo)

    @Slot(str)
    def duplicate(self, key: str) -> None:
        """Copy a voice under a free name; shipped ones become the user's own."""
        row = self._model.row_for(key)
        if row is None or row.path is None:
            return
        path, made = row.path, [""]

        def do() -> None:
            made[0] = self._store.import_file(path)
            self._refresh(made[0])

        def back() -> None:
            self._store.trash(made[0])
            self._refresh(key)

        self._push(self.tr("copy {name}").format(name=row.title), do, back)

    @Slot(list)
    def import_files(self, paths: list[Path]) -> None:
        """Add profiles, and their sidecars, under free names."""
        for path in paths:
            try:
                voice_id = self._store.import_file(path)
            except EngineError as error:
                self._messages.report(error)
                continue
            self._refresh(voice_id)
            name = self._model.title_of(voice_id)
            self._messages.say(self.tr("Voice {name} was added.").format(name=name))

    @Slot(str)
    def welcome(self, voice_id: str) -> None:
        """A new voice was made of a clip."""
        self._refresh(voice_id)
        self._messages.say(
            self.tr("Voice {name} is in your library and chosen.").format(
                name=self._model.title_of(voice_id)
            ),
            self.tr("Hear it"),
            lambda: self.hear(voice_id),
        )

    @Slot()
    def ask_import(self) -> None:
        """Ask for profiles and add them."""
        kinds = self.tr("Voices (*.s2voice *.s2vbundle);;All files (*)")
        self.import_files(self._files.open_many(keys.FOLDER_VOICE, self.tr("Import voice"), kinds))

    @Slot()
    def reveal_library(self) -> None:
        """Show the library's folder in the file manager."""
        folder = Path(self._model.library.directory)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            self._messages.report(
                OutputError("output.folder_not_made", folder=folder, reason=error)
            )
            return
        show_folder(folder)

    @Slot(str)
    def ask_export(self, key: str) -> None:
        """Ask where to, and copy a voice there. The dialog asks before it replaces a file."""
        row = self._model.row_for(key)
        if row is None or row.path is None:
            return
        whole = self.tr("Voice with clips, notes and picture (*.s2vbundle)")
        bare = self.tr("Voice for other programs (*.s2voice)")
        name = f"{safe_name(row.title, 60, fallback='voice')}{BUNDLE}"
        title = self.tr("Export voice")
        chosen = self._files.save(keys.FOLDER_VOICE, title, name, f"{whole};;{bare}")
        if chosen:
            target, kind = chosen
            if target.suffix not in (BUNDLE, EXTENSION):
                ending = EXTENSION if kind == bare else BUNDLE
                target = target.with_name(target.name + ending)
            self.export(row.path, target)

    def export(self, source: Path, target: Path) -> None:
        """Write a voice into one file, or copy it with its notes."""
        try:
            self._store.export(source, target)
        except EngineError as error:
            self._messages.report(error)
            return
        self._messages.say(
            self.tr("Saved as {name}.").format(name=target.name),
            self.tr("Show folder"),
            lambda: show_folder(target.parent),
        )

    @Slot(str)
    def reveal(self, key: str) -> None:
        """Show the folder of a voice in the file manager."""
        row = self._model.row_for(key)
        if row is not None and row.path is not None:
            show_folder(row.path.parent)

    @Slot(str)
    def star(self, key: str) -> None:
        """Give a voice a star, or take it away."""
        row = self._model.row_for(key)
        if row is None or not row.own:
            return
        try:
            notes = self._store.read_notes(key)
            self._store.write_notes(key, replace(notes, star=not notes.star))
        except EngineError as error:
            self._messages.report(error)
        self._refresh(self._panel.wish)

    @Slot(str)
    def delete(self, key: str) -> None:
        """Move a voice to the system's trash; Undo takes it back."""
        row = self._model.row_for(key)
        if row is None or not row.own:
            return
        chosen = self._panel.key
        gone: list[Trashed] = []

        def do() -> None:
            gone[:] = [self._store.trash(key)]
            # Never another voice in its place: the panel asks for one.
            self._refresh(chosen)

        def back() -> None:
            self._store.restore(gone[0])
            self._refresh(key if chosen == key else self._panel.key)

        self._push(self.tr("delete {name}").format(name=row.title), do, back)
        if self._model.row_for(key) is None:
            self._messages.say(
                self.tr("{name} is in the trash.").format(name=row.title),
                self.tr("Undo"),
                self.undo_stack.undo,
            )

    def trouble(self, speakers: Iterable[str]) -> str:
        """Why these voices, by key, cannot speak with the open model; empty when they can."""
        for key in speakers:
            row = self._model.row_for(key)
            if not key and self._panel.asking:
                return self.tr("Choose a voice: the one that was chosen is gone.")
            if row is None or self._model.fits(row):
                continue
            if row.notes.clips:
                words = self.tr("{name} was made for another model. Make it anew above the voices.")
            else:
                words = self.tr(
                    "{name} was made for another model, and its clip was not kept. Choose another "
                    "voice, or open a recording and save it under the same name."
                )
            return words.format(name=row.title)
        return ""

    @Slot(str, object, str)
    def add_clip(self, key: str, clip: AudioClip, text: str) -> None:
        """Make a voice of one more clip of the same speaker."""
        row = self._model.row_for(key)
        if row is not None:
            self.maker.change(row, lambda clips: [*clips, (clip, text)])

    def _push(self, text: str, do: Callable[[], None], back: Callable[[], None]) -> None:
        self.undo_stack.push(_Step(text, do, back, self._messages))

    def _refresh(self, choose: str) -> None:
        self._model.refresh()
        self._panel.choose(choose)
