"""Export of a take: kind of file, folder, name from a template, and what will be written."""

from __future__ import annotations

import os
from pathlib import Path

from PySide6.QtCore import Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.core import settings as keys
from app.core.settings import Settings
from app.takes.files import name_of
from app.takes.take import Take
from app.widgets.fit import fit_to_text
from app.widgets.form import Form
from app.widgets.labels import ElidedLabel, label, set_state
from engine.audio import ExportFormat
from engine.errors import OutputError
from engine.storage import free_name
from engine.takes import TEMPLATE_FIELDS

WIDTH = 520


class ExportDialog(QDialog):
    """Asks how a take is written.

    Attributes:
        path: where the file shall go; a free name beside it is taken when it exists by then.
        kind: the kind of file.
    """

    def __init__(
        self, take: Take, settings: Settings, folder: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._take, self._settings = take, settings
        self.path = Path(folder)
        self.kind = ExportFormat.WAV_24
        self.setWindowTitle(self.tr("Export take"))
        box = QVBoxLayout(self)
        box.setContentsMargins(20, 16, 20, 16)
        box.setSpacing(12)
        form = Form(self.tr("Export take"))
        self.format = QComboBox()
        for kind in ExportFormat:
            self.format.addItem(kind.title, kind.value)
        self.format.setCurrentIndex(max(0, self.format.findData(settings.get(keys.EXPORT_FORMAT))))
        self.kind_hint = form.add(self.tr("Kind"), self.format, " ")
        self.folder = QLineEdit(folder)
        form.add(self.tr("Folder"), self._with_button())
        self.folder.setAccessibleName(self.tr("Folder"))
        self.template = QLineEdit(settings.get(keys.EXPORT_TEMPLATE))
        fields = " ".join(f"{{{field}}}" for field in TEMPLATE_FIELDS)
        form.add(self.tr("Name"), self.template, self.tr("May hold {fields}").format(fields=fields))
        box.addWidget(form)
        self.preview = ElidedLabel("", "value")
        self.preview.setAccessibleName(self.tr("File that will be written"))
        box.addWidget(self.preview)
        provenance = self.tr(
            "The file carries text, voice name, seed, settings and codes. Drop it on the window "
            "and the take comes back."
        )
        box.addWidget(label(provenance, "hint", wrap=True))
        box.addLayout(self._make_buttons())
        self.format.currentIndexChanged.connect(self._refresh)
        self.folder.textChanged.connect(self._refresh)
        self.template.textChanged.connect(self._refresh)
        self._refresh()

    def _with_button(self) -> QWidget:
        cell = QWidget()
        row = QHBoxLayout(cell)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        browse = QPushButton(self.tr("Choose…"))
        browse.setAccessibleName(self.tr("Choose the folder"))
        browse.clicked.connect(self._browse)
        row.addWidget(self.folder, 1)
        row.addWidget(browse)
        return cell

    def _make_buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addStretch(1)
        cancel = QPushButton(self.tr("Cancel"))
        cancel.clicked.connect(self.reject)
        self.export_button = QPushButton(self.tr("Export"))
        self.export_button.setProperty("role", "primary")
        self.export_button.setDefault(True)
        self.export_button.clicked.connect(self.accept)
        row.addWidget(cancel)
        row.addWidget(self.export_button)
        return row

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        fit_to_text(self, WIDTH)

    def accept(self) -> None:
        """Remember kind and template."""
        self._settings.set(keys.EXPORT_FORMAT, self.kind.value)
        self._settings.set(keys.EXPORT_TEMPLATE, self.template.text())
        super().accept()

    @Slot()
    def _browse(self) -> None:
        chosen = QFileDialog.getExistingDirectory(
            self, self.tr("Choose the folder"), self.folder.text()
        )
        if chosen:
            self.folder.setText(chosen)

    @Slot()
    def _refresh(self) -> None:
        """Show the file that will be written, or why it cannot be."""
        self.kind = ExportFormat(str(self.format.currentData()))
        folder, trouble = Path(self.folder.text().strip() or "."), ""
        try:
            name = name_of(self._take, self.template.text())
        except OutputError as error:
            name, trouble = "", f"{error.detail}. {error.advice}"
        if not os.path.isdir(folder):
            trouble = trouble or self.tr("This folder does not exist.")
        rate = self._take.store.format.sample_rate
        there = self.kind.rate_for(rate)
        self.kind_hint.setText(
            self.tr("{rate} Hz, as the model made it").format(rate=rate)
            if there == rate
            else self.tr("{rate} Hz, resampled from {source} Hz").format(rate=there, source=rate)
        )
        if not trouble:
            self.path = free_name(folder / f"{name}{self.kind.suffix}")
        self.preview.setText(trouble or self.path.name)
        set_state(self.preview, "bad" if trouble else "")
        self.export_button.setEnabled(not trouble)
