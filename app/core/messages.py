"""The one doorway for what the user is told: a passing note, or an error with its next step.

Who speaks knows neither the window nor its widgets; the window listens.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from engine.errors import EngineError

Step = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence that passes; with ``action`` a button of that name that does ``then``."""

    text: str
    action: str = ""
    then: Step | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """An error that the user shall read; with ``then`` a button named ``action`` that does it."""

    error: EngineError
    action: str = ""
    then: Step | None = None


class Messages(QObject):
    """Carries notes and problems from every feature to the window.

    Signals:
        said(Note): something to read in passing.
        raised(Problem): something failed that the user asked for.
    """

    said = Signal(object)
    raised = Signal(object)

    def say(self, text: str, action: str = "", then: Step | None = None) -> None:
        """Show ``text`` for a while, with at most one button."""
        self.said.emit(Note(text, action, then))

    def report(self, error: EngineError, action: str = "", then: Step | None = None) -> None:
        """Show an error; the window stays usable and nothing is lost."""
        self.raised.emit(Problem(error, action, then))
