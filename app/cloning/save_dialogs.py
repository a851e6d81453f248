"""Questions before a voice is saved: the name is taken, or the clip has faults."""

from __future__ import annotations

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialog, QPushButton, QWidget

from app.widgets.fit import fit_to_text
from app.widgets.labels import label
from app.widgets.layout import in_column, in_row

WIDTH = 420


class Question(QDialog):
    """One question with two answers and a way back.

    Attributes:
        answer: ``first``, ``second``, or empty for back.
    """

    def __init__(
        self, title: str, text: str, first: str, second: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.answer = ""
        self.setWindowTitle(self.tr("S2 Voice Studio"))
        self.text = label(text, "value", wrap=True)
        self.back = QPushButton(self.tr("Back"))
        self.back.clicked.connect(self.reject)
        self.first = QPushButton(first)
        self.first.setProperty("role", "primary")
        self.first.setDefault(True)
        self.first.clicked.connect(lambda: self._give("first"))
        self.second = QPushButton(second)
        self.second.setVisible(bool(second))
        self.second.setAutoDefault(False)
        self.second.clicked.connect(lambda: self._give("second"))
        buttons = in_row(self.back, None, self.second, self.first, margins=(0, 16, 0, 0))
        parts = (label(title, "title", wrap=True), self.text, buttons)
        in_column(*parts, on=self, margins=(24, 24, 24, 16))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        fit_to_text(self, WIDTH)
        self.first.setFocus()

    def _give(self, answer: str) -> None:
        self.answer = answer
        self.accept()


class NameTaken(Question):
    """A voice of that name is there: keep both, or replace it."""

    def __init__(self, name: str, free: str, parent: QWidget | None = None) -> None:
        super().__init__(
            self.tr("“{name}” is there already").format(name=name),
            self.tr("Replacing moves the old voice to the system's trash."),
            self.tr("Save as “{name}”").format(name=free),
            self.tr("Replace"),
            parent,
        )


class FaultyClip(Question):
    """A check is red: the voice will suffer."""

    def __init__(self, faults: list[str], parent: QWidget | None = None) -> None:
        super().__init__(
            self.tr("The clip is not good enough yet"),
            "\n".join(faults),
            self.tr("Go back and mend it"),
            self.tr("Save anyway"),
            parent,
        )
