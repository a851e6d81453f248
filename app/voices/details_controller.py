"""Shows what is known of a voice, and keeps what is changed of it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Slot

from app.audio.preview import Preview
from app.core import settings as keys
from app.core.background import Tasks
from app.core.file_dialogs import FileDialogs
from app.core.messages import Messages
from app.voices.details_dialog import VoiceDetails
from app.voices.list_model import VoiceListModel
from app.voices.maker import VoiceMaker
from app.voices.panel import VoicesPanel
from app.voices.pictures import small_picture
from app.voices.store import VoiceStore
from engine.audio import AudioClip
from engine.errors import EngineError
from engine.voices import Companions, VoiceNotes

CLIP = "voice clip"


class DetailsController(QObject):
    """The dialog of a voice: notes, consent, card, clips."""

    def __init__(
        self,
        panel: VoicesPanel,
        model: VoiceListModel,
        store: VoiceStore,
        maker: VoiceMaker,
        files: FileDialogs,
        preview: Preview,
        tasks: Tasks,
        messages: Messages,
    ) -> None:
        super().__init__(panel)
        self._panel, self._model, self._store, self._maker = panel, model, store, maker
        self._files, self._preview, self._tasks, self._messages = files, preview, tasks, messages
        panel.details_requested.connect(self.show)

    @Slot(str)
    def show(self, key: str) -> None:
        """Facts and notes of a voice."""
        row = self._model.row_for(key)
        if row is None or row.path is None:
            return
        try:
            profile = self._model.load(key)
        except EngineError as error:
            self._messages.report(error)
            return
        if profile is None:
            return
        beside = Companions(row.path)
        notes = beside.notes()
        window = self._panel.window()
        dialog = VoiceDetails(row.title, profile, self._model.frame_s, notes, row.own, window)
        dialog.accepted.connect(lambda: self._keep(key, dialog, notes))
        dialog.clips.play_requested.connect(lambda number: self._play(beside, notes, number))
        dialog.picture_requested.connect(lambda: self._choose_picture(dialog))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _play(self, beside: Companions, notes: VoiceNotes, number: int) -> None:
        if self._preview.token == CLIP:
            self._preview.stop()
            return

        def play(clip: AudioClip) -> None:
            self._preview.play(CLIP, clip.samples[:, 0], clip.rate)

        note = notes.clips[number]
        self._tasks.run(lambda: beside.load_clip(note), play, self._messages.report)

    def _choose_picture(self, dialog: VoiceDetails) -> None:
        kinds = self.tr("Pictures (*.png *.jpg *.jpeg *.webp)")
        path = self._files.open(keys.FOLDER_VOICE, self.tr("Picture of the voice"), kinds)
        if path is not None:
            self.read_picture(path, dialog)

    def read_picture(self, path: Path, dialog: VoiceDetails) -> None:
        """Make a picture file small and show it in the dialog."""
        self._tasks.run(lambda: small_picture(path), dialog.set_picture, self._messages.report)

    def _keep(self, key: str, dialog: VoiceDetails, before: VoiceNotes) -> None:
        notes, order = dialog.notes, dialog.clips.order
        try:
            beside = self._store.beside(key)
            if dialog.new_picture is not None:
                beside.set_picture(dialog.new_picture, notes)
            elif notes != before:
                beside.write_notes(notes)
        except EngineError as error:
            self._messages.report(error)
            return
        self._model.refresh()
        row = self._model.row_for(key)
        if row is not None and order != list(range(len(before.clips))):
            self._maker.change(row, lambda clips: [clips[number] for number in order])
