"""How an error looks: what failed, why, the next step, and a button that does it."""

from __future__ import annotations

import platform
import sys

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.icons import pixmap
from app.theme import Theme
from app.widgets.labels import label
from app.wording import sentence
from engine.errors import EngineError

ICON = 32


class ErrorDialog(QDialog):
    """A dialog for the user's own failed action.

    Attributes:
        acted: the user chose the button of the next step.
    """

    def __init__(
        self, error: EngineError, theme: Theme, action: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.acted = False
        self._error = error
        self.setWindowTitle(self.tr("S2 Voice Studio"))
        self.setMinimumWidth(440)
        row = QHBoxLayout(self)
        row.setContentsMargins(24, 24, 24, 16)
        row.setSpacing(16)
        sign = QLabel()
        sign.setPixmap(pixmap("warning", theme.colors.bad, ICON))
        row.addWidget(sign, 0, Qt.AlignmentFlag.AlignTop)
        box = QVBoxLayout()
        box.setSpacing(8)
        row.addLayout(box, 1)
        self.title = label(error.title, "title", wrap=True)
        self.detail = label(sentence(error.detail), "value", wrap=True)
        self.advice = label(sentence(error.advice), "label", wrap=True)
        self.advice.setVisible(bool(error.advice))
        for widget in (self.title, self.detail, self.advice):
            widget.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            widget.setTextFormat(Qt.TextFormat.PlainText)
            box.addWidget(widget)
        box.addSpacing(8)
        buttons = QHBoxLayout()
        copy = QPushButton(self.tr("Copy details"))
        copy.setAutoDefault(False)
        copy.clicked.connect(self._copy)
        close = QPushButton(self.tr("Close"))
        close.clicked.connect(self.reject)
        buttons.addWidget(copy)
        buttons.addStretch(1)
        buttons.addWidget(close)
        if action:
            self.action_button = QPushButton(action)
            self.action_button.setProperty("role", "primary")
            self.action_button.setDefault(True)
            self.action_button.setFocus()
            self.action_button.clicked.connect(self._act)
            buttons.addWidget(self.action_button)
        else:
            close.setDefault(True)
            close.setFocus()
        box.addLayout(buttons)

    def report(self) -> str:
        """What is copied: the error and the versions, no paths of the user beyond it."""
        kind = type(self._error).__name__
        return (
            f"{self._error.title} ({kind})\n{self._error.detail}\n{self._error.advice}\n"
            f"Python {platform.python_version()} on {sys.platform}"
        )

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.report())

    def _act(self) -> None:
        self.acted = True
        self.accept()
