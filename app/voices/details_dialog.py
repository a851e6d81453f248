"""What is known about a voice, and what the user wants to remember of it."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.core.formats import short
from app.voices.notes import VoiceNotes
from app.widgets.labels import ElidedLabel, label, languages
from engine.voices import VoiceProfile


class VoiceDetails(QDialog):
    """Facts of a voice, and its notes to edit.

    Attributes:
        notes: the notes as they stand in the fields.
    """

    def __init__(
        self,
        title: str,
        profile: VoiceProfile,
        frame_s: float,
        notes: VoiceNotes,
        editable: bool,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._notes = notes
        self.setWindowTitle(title)
        self.setMinimumWidth(460)
        box = QVBoxLayout(self)
        box.setContentsMargins(24, 20, 24, 16)
        box.setSpacing(12)
        box.addWidget(label(title, "title", wrap=True))
        form = QFormLayout()
        form.setHorizontalSpacing(16)
        form.setVerticalSpacing(8)
        self.transcript = QPlainTextEdit(profile.transcript)
        self.transcript.setReadOnly(True)
        self.transcript.setMaximumHeight(84)
        self.transcript.setTabChangesFocus(True)
        length = self.tr("{length}, {frames} frames of {books} codes").format(
            length=short(profile.frames * frame_s),
            frames=profile.frames,
            books=profile.num_codebooks,
        )
        self.language = self._make_language(notes.language)
        self.consent = QLineEdit(notes.consent)
        self.consent.setPlaceholderText(self.tr("Who allowed this voice to be cloned, and when"))
        self.text = QPlainTextEdit(notes.notes)
        self.text.setMaximumHeight(84)
        self.text.setTabChangesFocus(True)
        for name, widget in (
            (self.tr("Text of the clip"), self.transcript),
            (self.tr("Length"), label(length, "value")),
            (self.tr("Language"), self.language),
            (self.tr("Consent"), self.consent),
            (self.tr("Notes"), self.text),
            (self.tr("Made from"), self._source(notes)),
            (self.tr("Made"), label(notes.made[:19].replace("T", " ") or "–", "value")),
            (self.tr("SHA-256 of the clip"), self._hash(notes)),
        ):
            title_label = label(name, "label")
            title_label.setBuddy(widget)
            widget.setAccessibleName(name)
            form.addRow(title_label, widget)
        box.addLayout(form)
        for widget in (self.language, self.consent, self.text):
            widget.setEnabled(editable)
        row = QHBoxLayout()
        row.addStretch(1)
        close = QPushButton(self.tr("Cancel") if editable else self.tr("Close"))
        close.clicked.connect(self.reject)
        row.addWidget(close)
        self.keep = QPushButton(self.tr("Save"))
        self.keep.setProperty("role", "primary")
        self.keep.setDefault(True)
        self.keep.setVisible(editable)
        self.keep.clicked.connect(self.accept)
        row.addWidget(self.keep)
        box.addLayout(row)

    @property
    def notes(self) -> VoiceNotes:
        return replace(
            self._notes,
            notes=self.text.toPlainText().strip(),
            consent=self.consent.text().strip(),
            language=str(self.language.currentData() or "").strip(),
        )

    def _make_language(self, language: str) -> QComboBox:
        box = QComboBox()
        box.addItem(self.tr("Not said"), "")
        for code, title in languages().items():
            box.addItem(title, code)
        if language and box.findData(language) < 0:
            box.addItem(language, language)
        box.setCurrentIndex(max(0, box.findData(language)))
        return box

    def _source(self, notes: VoiceNotes) -> QLabel:
        text = notes.source_name
        if text and notes.source_seconds:
            text += f" · {short(notes.source_seconds)}"
        return ElidedLabel(text or "–", "value")

    @staticmethod
    def _hash(notes: VoiceNotes) -> QLabel:
        return ElidedLabel(notes.source_sha256 or "–", "hint")
