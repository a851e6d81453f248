"""Files that a file manager hands to the running program instead of the command line.

macOS does that: a double click on a voice sends an event to the window that is open already.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication


class OpenedFiles(QObject):
    """Listens for such files.

    Signals:
        asked(list): paths to open.
    """

    asked = Signal(list)

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        app.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QFileOpenEvent) and event.file():
            self.asked.emit([Path(event.file())])
            return True
        return super().eventFilter(watched, event)
