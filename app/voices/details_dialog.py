"""What is known about a voice, and what the user wants to remember of it."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Signal, Slot
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
from app.voices.clips_list import ClipsList
from app.widgets.labels import ElidedLabel, label, languages
from app.widgets.layout import in_column, in_row
from engine.voices import VoiceNotes, VoiceProfile, clean_tags


class VoiceDetails(QDialog):
    """Facts of a voice, and its notes to edit.

    Attributes:
        notes: the notes as they stand in the fields.
        new_picture: another picture than before, empty for none; ``None`` when it stays.

    Signals:
        picture_requested(): the user wants to choose a picture.
    """

    picture_requested = Signal()

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
        self.new_picture: bytes | None = None
        self.setWindowTitle(title)
        self.setMinimumWidth(560)
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
        self.tags = QLineEdit(", ".join(notes.tags))
        self.tags.setPlaceholderText(self.tr("Such as: family, narrator"))
        self.clips = ClipsList(notes.clips, editable)
        self.clips.setVisible(bool(notes.clips))
        source = notes.source_name
        if source and notes.source_seconds:
            source += f" · {short(notes.source_seconds)}"
        for name, widget in (
            (self.tr("Text of the clip"), self.transcript),
            (self.tr("Length"), label(length, "value")),
            (self.tr("Language"), self.language),
            (self.tr("Consent"), self.consent),
            (self.tr("Notes"), self.text),
            (self.tr("Tags"), self.tags),
            (self.tr("Card"), self._make_card(notes, editable)),
            (self.tr("Clips"), self.clips if notes.clips else self._no_clips()),
            (self.tr("Made from"), ElidedLabel(source or "–", "value")),
            (self.tr("Made"), label(notes.made[:19].replace("T", " ") or "–", "value")),
            (self.tr("SHA-256 of the clip"), ElidedLabel(notes.source_sha256 or "–", "hint")),
        ):
            title = label(name, "label")
            title.setBuddy(widget)
            widget.setAccessibleName(name)
            form.addRow(title, widget)
        for field in (self.language, self.consent, self.text, self.tags):
            field.setEnabled(editable)
        return form

    def _no_clips(self) -> QWidget:
        return label(
            self.tr("None is kept: with another model this voice cannot be made anew."),
            "hint", wrap=True,
        )  # fmt: skip

    def _make_card(self, notes: VoiceNotes, editable: bool) -> QWidget:
        """Colour and picture by which the voice is found in the list."""
        area = QWidget()
        self.color = QComboBox()
        self.color.setAccessibleName(self.tr("Colour of the card"))
        self.color.addItem(self.tr("No colour"), "")
        for name, title in (
            ("red", self.tr("Red")), ("orange", self.tr("Orange")), ("yellow", self.tr("Yellow")),
            ("green", self.tr("Green")), ("teal", self.tr("Teal")), ("blue", self.tr("Blue")),
            ("violet", self.tr("Violet")), ("pink", self.tr("Pink")),
        ):  # fmt: skip
            self.color.addItem(title, name)
        self.color.setCurrentIndex(max(0, self.color.findData(notes.color)))
        self.choose = QPushButton(self.tr("Picture…"))
        self.choose.setAutoDefault(False)
        self.choose.clicked.connect(self.picture_requested)
        self.no_picture = QPushButton(self.tr("Remove"))
        self.no_picture.setToolTip(self.tr("Remove the picture"))
        self.no_picture.setAutoDefault(False)
        self.no_picture.clicked.connect(lambda: self.set_picture(b""))
        self.no_picture.setEnabled(bool(notes.picture) and editable)
        self.color.setEnabled(editable)
        self.choose.setEnabled(editable)
        in_row((self.color, 1), self.choose, self.no_picture, on=area)
        return area

    @Slot(object)
    def set_picture(self, data: bytes) -> None:
        """Another picture, as PNG; empty for none."""
        self.new_picture = data
        self.no_picture.setEnabled(bool(data))
        self.choose.setText(self.tr("Picture ✓") if data else self.tr("Picture…"))

    @property
    def notes(self) -> VoiceNotes:
        return replace(
            self._notes,
            notes=self.text.toPlainText().strip(),
            consent=self.consent.text().strip(),
            tags=clean_tags(self.tags.text().replace("，", ",").split(",")),
            color=str(self.color.currentData() or ""),
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
