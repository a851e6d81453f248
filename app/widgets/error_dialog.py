"""How an error looks: what failed, why, the next step, and a button that does it."""

from __future__ import annotations

import platform
import sys
import traceback
from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QFontDatabase, QGuiApplication, QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.core.engine_texts import engine_text
from app.core.formats import scrub, sentence
from app.core.icons import pixmap
from app.core.messages import Problem
from app.core.theme import Theme
from app.widgets.fit import fit_to_text
from app.widgets.labels import label
from engine.errors import EngineError

ICON = 32
WIDTH = 480
DETAILS_HEIGHT = 140


class ErrorDialog(QDialog):
    """A dialog for the user's own failed action.

    ``report`` makes the whole report of a text about the error; without one only that text
    is copied.

    Attributes:
        acted: the user chose the button of the next step.
    """

    def __init__(
        self,
        error: EngineError,
        theme: Theme,
        action: str = "",
        parent: QWidget | None = None,
        report: Callable[[str], str] | None = None,
    ) -> None:
        super().__init__(parent)
        self.acted = False
        self._error = error
        self._make_report = report
        self.setWindowTitle(self.tr("S2 Voice Studio"))
        row = QHBoxLayout(self)
        row.setContentsMargins(24, 24, 24, 16)
        row.setSpacing(16)
        sign = QLabel()
        sign.setPixmap(pixmap("warning", theme.colors.bad, ICON))
        row.addWidget(sign, 0, Qt.AlignmentFlag.AlignTop)
        box = QVBoxLayout()
        box.setSpacing(8)
        row.addLayout(box, 1)
        self.title = label(engine_text(error.title), "title", wrap=True)
        self.detail = label(sentence(engine_text(error.detail)), "value", wrap=True)
        self.advice = label(sentence(engine_text(error.advice)), "label", wrap=True)
        self.advice.setVisible(bool(error.advice))
        for widget in (self.title, self.detail, self.advice):
            widget.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            widget.setTextFormat(Qt.TextFormat.PlainText)
            box.addWidget(widget)
        self.details = self._make_details()
        box.addWidget(self.details, 1)
        box.addSpacing(8)
        box.addLayout(self._make_buttons(action))

    def _make_details(self) -> QPlainTextEdit:
        box = QPlainTextEdit()
        box.setReadOnly(True)
        box.setTabChangesFocus(True)
        box.setAccessibleName(self.tr("Details"))
        box.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        box.setMinimumHeight(DETAILS_HEIGHT)
        box.hide()
        return box

    def _make_buttons(self, action: str) -> QHBoxLayout:
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        self.more = QPushButton(self.tr("Details"))
        self.more.setCheckable(True)
        self.more.setAutoDefault(False)
        self.more.toggled.connect(self._show_details)
        self.copy = QPushButton(self.tr("Copy report"))
        self.copy.setAutoDefault(False)
        self.copy.clicked.connect(self._copy)
        close = QPushButton(self.tr("Close"))
        close.clicked.connect(self.reject)
        buttons.addWidget(self.more)
        buttons.addWidget(self.copy)
        buttons.addStretch(1)
        buttons.addWidget(close)
        chosen = close
        if action:
            chosen = self.action_button = QPushButton(action)
            chosen.setProperty("role", "primary")
            chosen.clicked.connect(self._act)
            buttons.addWidget(chosen)
        chosen.setDefault(True)
        self._chosen = chosen
        return buttons

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        fit_to_text(self, WIDTH)
        self._chosen.setFocus()

    def report(self) -> str:
        """The error with its causes and the versions, without names of users and folders."""
        kind = type(self._error).__name__
        lines = [f"{self._error.title} ({kind})", self._error.detail, self._error.advice]
        cause: BaseException | None = self._error.__cause__
        if cause is not None:
            lines += ["", "".join(traceback.format_exception(cause)).strip()]
        lines.append(f"Python {platform.python_version()} on {sys.platform}")
        return scrub("\n".join(line for line in lines if line))

    def _show_details(self, on: bool) -> None:
        self.details.setPlainText(self.report())
        self.details.setVisible(on)
        fit_to_text(self, WIDTH)

    def _copy(self) -> None:
        text = self.report()
        whole = self._make_report(text) if self._make_report is not None else text
        QGuiApplication.clipboard().setText(whole)
        self.copy.setText(self.tr("Copied"))

    def _act(self) -> None:
        self.acted = True
        self.accept()


class ErrorDialogs(QObject):
    """Shows every problem that is raised, over the window; nothing waits for its end."""

    def __init__(self, window: QWidget, theme: Theme, report: Callable[[str], str]) -> None:
        super().__init__(window)
        self._window, self._theme, self._report = window, theme, report

    @Slot(object)
    def show(self, problem: Problem) -> None:
        """Open a dialog; its button does the problem's next step."""
        action = problem.action if problem.then else ""
        dialog = ErrorDialog(problem.error, self._theme, action, self._window, self._report)
        dialog.setModal(True)
        dialog.finished.connect(dialog.deleteLater)
        if problem.then is not None:
            dialog.accepted.connect(problem.then)
        dialog.open()
