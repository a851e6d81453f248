"""Small text widgets in the roles of the style sheet."""

from __future__ import annotations

from PySide6.QtCore import QLocale, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from app.core.formats import plain_tip

LANGUAGES = ("en", "zh", "ja", "ko", "de", "fr", "es", "pt", "it", "nl", "ru", "pl", "tr", "ar")


def languages() -> dict[str, str]:
    """Codes of the languages that a clip may be spoken in, with their own names."""
    return {code: QLocale(code).nativeLanguageName().capitalize() for code in LANGUAGES}


def label(text: str, role: str, *, wrap: bool = False) -> QLabel:
    """A label in a role of the style sheet: heading, hint, label, value, title, chip, step."""
    result = QLabel(text)
    result.setTextFormat(Qt.TextFormat.PlainText)  # names of strangers are no markup
    result.setProperty("role", role)
    result.setWordWrap(wrap)
    if role == "heading":
        font = result.font()
        font.setCapitalization(QFont.Capitalization.AllUppercase)
        font.setLetterSpacing(QFont.SpacingType.PercentageSpacing, 106)
        result.setFont(font)
    return result


def set_state(target: QWidget, state: str) -> None:
    """Colour a label as ``ok``, ``warn``, ``bad`` or, with an empty state, plain."""
    if target.property("state") != state:
        target.setProperty("state", state)
        target.style().unpolish(target)
        target.style().polish(target)


class ElidedLabel(QLabel):
    """A label that cuts its text with dots rather than widen its column.

    The whole text is in the tooltip when it is cut.
    """

    def __init__(self, text: str = "", role: str = "label", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", role)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def minimumSizeHint(self) -> QSize:
        return QSize(24, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        rect = self.contentsRect()
        text = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, rect.width())
        self.setToolTip(plain_tip(self.text()) if text != self.text() else "")
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(rect, int(self.alignment()), text)
        painter.end()


class Heading(QWidget):
    """A section's name on the left, facts about it on the right."""

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(16)
        self._title = label(title, "heading")
        self._facts = ElidedLabel("", "heading")
        self._facts.setFont(self._title.font())
        self._facts.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self._title)
        row.addWidget(self._facts, 1)

    def set_title(self, text: str) -> None:
        """Change the name."""
        self._title.setText(text)

    def set_facts(self, text: str) -> None:
        """Change the facts."""
        self._facts.setText(text)

    @property
    def facts(self) -> str:
        """The facts shown."""
        return self._facts.text()
