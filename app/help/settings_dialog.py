"""The settings that are set once and left alone; everything else is at hand in the window.

Each control keeps its value at once, so there is nothing to confirm or to lose.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QHBoxLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.core import settings as keys
from app.core.file_dialogs import show_folder
from app.core.settings import Settings
from app.core.translation import LANGUAGES
from app.widgets.form import FolderRow, Form, bind_choice, bind_number, bind_toggle, spin

WIDTH = 560


class SettingsDialog(QDialog):
    """Appearance, start, sound, folders.

    ``outputs`` are key and title of the sound outputs, ``voices`` the usual library folder,
    ``logs`` the folder of the log file.
    """

    def __init__(
        self,
        settings: Settings,
        outputs: list[tuple[str, str]],
        voices: Path,
        logs: Path | None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._settings = settings
        self._logs = logs
        self.setWindowTitle(self.tr("Settings"))
        self.setMinimumWidth(WIDTH)
        box = QVBoxLayout(self)
        box.setContentsMargins(24, 16, 24, 16)
        box.setSpacing(16)
        box.addWidget(self._make_looks())
        box.addWidget(self._make_start())
        box.addWidget(self._make_sound(outputs))
        box.addWidget(self._make_folders(str(voices)))
        box.addStretch(1)
        close = QPushButton(self.tr("Close"))
        close.setDefault(True)
        close.clicked.connect(self.accept)
        row = QHBoxLayout()
        if logs is not None:
            log_button = QPushButton(self.tr("Open the log folder"))
            log_button.setAutoDefault(False)
            log_button.clicked.connect(self._open_logs)
            row.addWidget(log_button)
        row.addStretch(1)
        row.addWidget(close)
        box.addLayout(row)
        self.theme.setFocus()

    def _make_looks(self) -> Form:
        form = Form(self.tr("Appearance"))
        self.theme = QComboBox()
        themes = [
            ("system", self.tr("Like the system")),
            ("light", self.tr("Light")),
            ("dark", self.tr("Dark")),
        ]
        bind_choice(self._settings, keys.THEME, self.theme, themes)
        form.add(self.tr("Theme"), self.theme)
        self.language = QComboBox()
        languages = [("system", self.tr("Like the system")), *LANGUAGES.items()]
        bind_choice(self._settings, keys.LANGUAGE, self.language, languages)
        form.add(
            self.tr("Language"), self.language, self.tr("The window speaks it from the next start.")
        )
        return form

    def _make_start(self) -> Form:
        form = Form(self.tr("Start"))
        self.reopen = QCheckBox(self.tr("Open the last model"))
        bind_toggle(self._settings, keys.REOPEN_MODEL, self.reopen)
        form.add_full_width(
            self.reopen, self.tr("Otherwise the demo voice, where it is there, or none.")
        )
        return form

    def _make_sound(self, outputs: list[tuple[str, str]]) -> Form:
        form = Form(self.tr("Sound"))
        self.output = QComboBox()
        known = {key for key, _ in outputs}
        wish = self._settings.get(keys.OUTPUT_DEVICE)
        if wish not in known:
            gone = self.tr("{name} (not there)").format(name=wish.split("\t")[0])
            outputs = [*outputs, (wish, gone)]
        bind_choice(self._settings, keys.OUTPUT_DEVICE, self.output, outputs)
        form.add(self.tr("Output"), self.output, self.tr("Remembered even while it is unplugged."))
        self.start_buffer = spin(keys.START_BUFFER, self.tr(" ms"), self.tr("automatic"), step=100)
        form.add(
            self.tr("Start buffer"), self.start_buffer,
            self.tr("Sound at hand before playing starts; automatic follows the speed."),
        )  # fmt: skip
        bind_number(self._settings, keys.START_BUFFER, self.start_buffer)
        self.record_limit = spin(keys.RECORD_LIMIT, self.tr(" s"), step=5)
        form.add(
            self.tr("Longest recording"), self.record_limit,
            self.tr("A recording ends by itself after that; 5 to 30 s clone best."),
        )  # fmt: skip
        bind_number(self._settings, keys.RECORD_LIMIT, self.record_limit)
        return form

    def _make_folders(self, voices: str) -> Form:
        form = Form(self.tr("Folders"))
        self.voices = FolderRow(self._settings, keys.VOICE_LIBRARY, voices, self.tr("Voices"))
        form.add(self.tr("Voices"), self.voices, self.tr("Used from the next start."))
        self.transcribe = FolderRow(
            self._settings, keys.TRANSCRIBE_MODEL, self.tr("none chosen"),
            self.tr("Transcription model"),
        )  # fmt: skip
        form.add(
            self.tr("Transcription"), self.transcribe,
            self.tr("Folder of a faster-whisper model, for writing down recordings."),
        )  # fmt: skip
        self.takes = spin(keys.TAKES_LIMIT_MB, self.tr(" MB"), step=100)
        form.add(
            self.tr("Kept takes"), self.takes,
            self.tr("When they need more room, the oldest without a star go."),
        )  # fmt: skip
        bind_number(self._settings, keys.TAKES_LIMIT_MB, self.takes)
        self.known_voices = spin(keys.VOICE_CACHE_MB, self.tr(" MB"), step=100)
        form.add(
            self.tr("Known voices"), self.known_voices,
            self.tr("What the model has read of voices is kept: the next start speaks sooner."),
        )  # fmt: skip
        bind_number(self._settings, keys.VOICE_CACHE_MB, self.known_voices)
        return form

    def _open_logs(self) -> None:
        if self._logs is not None:
            show_folder(self._logs)
