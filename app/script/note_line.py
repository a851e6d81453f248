"""One line under the editor that says what is wrong in the script, and goes there."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from app.core.icons import pixmap
from app.core.theme import Theme
from app.widgets.labels import ElidedLabel, label
from app.widgets.layout import in_row


class NoteLine(QWidget):
    """Shows one note of several; the button goes to its place and then to the next one.

    Signals:
        jump_requested(int): index of the note.
    """

    jump_requested = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._texts: list[str] = []
        self._at = 0
        self._sign = QLabel()
        self.text = ElidedLabel("", "value")
        self.text.setAccessibleName(self.tr("Notes on the script"))
        self.count = label("", "hint")
        self.show_button = QPushButton(self.tr("Show"))
        self.show_button.setProperty("role", "chip")
        self.show_button.setAccessibleName(self.tr("Go to the place of this note"))
        self.show_button.clicked.connect(self._on_show)
        in_row(self._sign, (self.text, 1), self.count, self.show_button, on=self)
        theme.changed.connect(self._paint_sign)
        self._paint_sign()
        self.hide()

    def set_notes(self, texts: list[str]) -> None:
        """Show these notes, the first one first; none hides the line."""
        if texts != self._texts:
            self._texts, self._at = texts, 0
            self._refresh()
        self.setVisible(bool(texts))

    @property
    def notes(self) -> list[str]:
        """The notes."""
        return list(self._texts)

    def _refresh(self) -> None:
        if self._texts:
            self.text.setText(self._texts[self._at])
            many = len(self._texts) > 1
            words = self.tr("{number} of {count}")
            self.count.setText(
                words.format(number=self._at + 1, count=len(self._texts)) if many else ""
            )

    @Slot()
    def _on_show(self) -> None:
        if self._texts:
            shown = self._at
            self._at = (self._at + 1) % len(self._texts)
            self.jump_requested.emit(shown)
            self.text.setText(self._texts[shown])

    @Slot()
    def _paint_sign(self) -> None:
        self._sign.setPixmap(pixmap("warning", self._theme.colors.warn, 16))
        self._sign.setAlignment(Qt.AlignmentFlag.AlignCenter)
