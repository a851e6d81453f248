"""Questions before a voice is saved: the name is taken, or the clip has faults."""

from __future__ import annotations

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialog, QLineEdit, QPushButton, QWidget

from app.widgets.fit import fit_to_text
from app.widgets.labels import label
from app.widgets.layout import in_column, in_row

WIDTH = 420


class Question(QDialog):
    """One question with two answers, or three, and a way back.

    Attributes:
        answer: ``first``, ``second``, ``third``, or empty for back.
        third: the button of the third answer, where there is one.
        line: for an answer in words, where one is wanted.
    """

    def __init__(
        self,
        title: str,
        text: str,
        first: str,
        second: str,
        parent: QWidget | None = None,
        third: str = "",
        line: QLineEdit | None = None,
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
        answers = [self.second, self.first]
        if third:
            self.third = QPushButton(third)
            self.third.setAutoDefault(False)
            self.third.clicked.connect(lambda: self._give("third"))
            answers.insert(1, self.third)
        self.line = line
        buttons = in_row(self.back, None, *answers, margins=(0, 16, 0, 0))
        heading = label(title, "title", wrap=True)
        words = self.text if line is None else in_column(self.text, line)
        in_column(heading, words, buttons, on=self, margins=(24, 24, 24, 16))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        fit_to_text(self, WIDTH)
        (self.line or self.first).setFocus()

    def _give(self, answer: str) -> None:
        self.answer = answer
        self.accept()


class NameTaken(Question):
    """A voice of that name is there: keep both, replace it, or make it of this clip too."""

    def __init__(
        self, name: str, free: str, more: bool = False, parent: QWidget | None = None
    ) -> None:
        """``more``: the clips of the old voice are kept, so that another one can be added."""
        words = self.tr("Replacing moves the old voice to the system's trash.")
        if more:
            words += "\n" + self.tr(
                "A further clip of the same speaker can make the voice more like them."
            )
        super().__init__(
            self.tr("“{name}” is there already").format(name=name),
            words,
            self.tr("Save as “{name}”").format(name=free),
            self.tr("Replace"),
            parent,
            self.tr("Add the clip to it") if more else "",
        )


class ConsentDialog(Question):
    """Who allowed the cloning; asked once, with the first voice."""

    line: QLineEdit

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(
            self.tr("Whose voice is it?"),
            self.tr(
                "Clone only voices whose owner allows it. A line about that is kept with “{name}” "
                "and handed on with it; it can be changed in its details. You are asked once."
            ).format(name=name),
            self.tr("Save with this line"),
            self.tr("Save without"),
            parent,
            line=QLineEdit(),
        )
        self.line.setPlaceholderText(self.tr("Such as: my own voice; or who allowed it, and when"))
        self.line.setAccessibleName(self.tr("Consent"))
        self.line.setMaxLength(400)
        self.first.setEnabled(False)
        self.line.textChanged.connect(lambda text: self.first.setEnabled(bool(text.strip())))


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
