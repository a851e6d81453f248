"""What the card of the first steps says and does."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from app import settings as keys
from app.file_flows import FileFlows
from app.models.voice_list import VoiceListModel
from app.services.engine_facts import EngineFacts
from app.settings import Settings
from app.window import MainWindow


class WelcomeFlow(QObject):
    """Keeps the card true while voices, devices and settings change."""

    def __init__(
        self,
        window: MainWindow,
        settings: Settings,
        voices: VoiceListModel,
        facts: EngineFacts,
        files: FileFlows,
    ) -> None:
        super().__init__(window)
        self._window, self._settings, self._voices = window, settings, voices
        card = window.card
        card.open_model.connect(files.open_model)
        card.import_voice.connect(files.import_voice)
        card.choose_device.connect(self._show_device)
        facts.changed.connect(self.tell)
        window.voices.voice_chosen.connect(self._on_voice)
        settings.changed.connect(self._on_setting)
        window.voices.choose(settings.get(keys.VOICE))
        self.tell()

    @Slot()
    def tell(self) -> None:
        """Say what is chosen."""
        card, key = self._window.card, self._window.voices.key
        row = self._voices.rows[self._voices.row_of(key)]
        card.set_voice(row.title if row.key else "", self._voices.voice_count)
        card.set_device(self._window.engine.form.chosen_title)

    @Slot(str)
    def _on_voice(self, key: str) -> None:
        self._settings.set(keys.VOICE, key)
        self.tell()

    @Slot(str)
    def _on_setting(self, key: str) -> None:
        if key == keys.BACKEND.key:
            self.tell()

    @Slot()
    def _show_device(self) -> None:
        self._window.engine.backend.setFocus()
        self._window.engine.backend.showPopup()
