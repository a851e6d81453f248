"""Where downloads come from: folder, mirror, access token, and the switch for none at all."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QCheckBox, QLineEdit, QWidget

from app.core import settings as keys
from app.core.settings import Settings
from app.widgets.form import FolderRow, Form, bind_toggle
from app.widgets.labels import set_state
from engine.errors import RequestError
from engine.hub import OFFICIAL, check_address


class NetworkForm(Form):
    """Each control keeps its setting at once; an address that is none is not kept."""

    def __init__(self, settings: Settings, usual: str, parent: QWidget | None = None) -> None:
        super().__init__(self.tr("Downloads"), parent)
        self._settings = settings
        self.offline = QCheckBox(self.tr("Offline: never touch the network"))
        self.offline.setAccessibleName(self.tr("Offline mode"))
        bind_toggle(settings, keys.MODELS_OFFLINE, self.offline)
        self.add_full_width(self.offline)
        self.mirror = QLineEdit(settings.get(keys.MODELS_MIRROR))
        self.mirror.setPlaceholderText(OFFICIAL)
        self.mirror.editingFinished.connect(self._keep_mirror)
        self.mirror_hint = self.add(self.tr("Mirror"), self.mirror, " ")
        self.token = QLineEdit(settings.get(keys.MODELS_TOKEN))
        self.token.setEchoMode(QLineEdit.EchoMode.Password)
        self.token.setPlaceholderText(self.tr("none, or HF_TOKEN"))
        self.token.editingFinished.connect(self._keep_token)
        self.add(
            self.tr("Token"), self.token,
            self.tr("For gated files. It goes to huggingface.co only."),
        )  # fmt: skip
        self.folder = FolderRow(settings, keys.MODELS_FOLDER, usual, self.tr("Model folder"))
        self.add(self.tr("Folder"), self.folder)
        self._say_mirror("")

    @Slot()
    def _keep_mirror(self) -> None:
        text = self.mirror.text().strip()
        try:
            if text:
                check_address(text)
        except RequestError:
            self._say_mirror(self.tr("Write it like https://hf-mirror.example."))
            return
        self._settings.set(keys.MODELS_MIRROR, text)
        self._say_mirror("")

    def _say_mirror(self, fault: str) -> None:
        set_state(self.mirror_hint, "bad" if fault else "")
        self.mirror_hint.setText(
            fault or self.tr("Empty is the hub itself. What comes is checked by its SHA-256.")
        )

    @Slot()
    def _keep_token(self) -> None:
        self._settings.set(keys.MODELS_TOKEN, self.token.text().strip())
