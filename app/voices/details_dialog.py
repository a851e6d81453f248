"""What is known about a voice, and what the user wants to remember of it."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFormLayout,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)

from app.core.formats import short
from app.widgets.labels import ElidedLabel, label, languages
from app.widgets.layout import in_column, in_row
from engine.voices import VoiceNotes, VoiceProfile


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
        form = self._make_form(profile, frame_s, editable)
        close = QPushButton(self.tr("Cancel") if editable else self.tr("Close"))
        close.clicked.connect(self.reject)
        self.keep = QPushButton(self.tr("Save"))
        self.keep.setProperty("role", "primary")
        self.keep.setDefault(True)
        self.keep.setVisible(editable)
        self.keep.clicked.connect(self.accept)
        parts = (label(title, "title", wrap=True), form, in_row(None, close, self.keep))
        in_column(*parts, spacing=12, on=self, margins=(24, 20, 24, 16))

    def _make_form(self, profile: VoiceProfile, frame_s: float, editable: bool) -> QFormLayout:
        form, notes = QFormLayout(), self._notes
        form.setHorizontalSpacing(16)
        form.setVerticalSpacing(8)
        self.transcript = _text_box(profile.transcript)
        self.transcript.setReadOnly(True)
        length = self.tr("{length}, {frames} frames of {books} codes").format(
            length=short(profile.frames * frame_s),
            frames=profile.frames,
            books=profile.num_codebooks,
        )
        self.language = self._make_language(notes.language)
        self.consent = QLineEdit(notes.consent)
        self.consent.setPlaceholderText(self.tr("Who allowed this voice to be cloned, and when"))
        self.text = _text_box(notes.notes)
        source = notes.source_name
        if source and notes.source_seconds:
            source += f" · {short(notes.source_seconds)}"
        for name, widget in (
            (self.tr("Text of the clip"), self.transcript),
            (self.tr("Length"), label(length, "value")),
            (self.tr("Language"), self.language),
            (self.tr("Consent"), self.consent),
            (self.tr("Notes"), self.text),
            (self.tr("Made from"), ElidedLabel(source or "–", "value")),
            (self.tr("Made"), label(notes.made[:19].replace("T", " ") or "–", "value")),
            (self.tr("SHA-256 of the clip"), ElidedLabel(notes.source_sha256 or "–", "hint")),
        ):
            title = label(name, "label")
            title.setBuddy(widget)
            widget.setAccessibleName(name)
            form.addRow(title, widget)
        for field in (self.language, self.consent, self.text):
            field.setEnabled(editable)
        return form

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


def _text_box(text: str) -> QPlainTextEdit:
    box = QPlainTextEdit(text)
    box.setMaximumHeight(84)
    box.setTabChangesFocus(True)
    return box
