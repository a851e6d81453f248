"""A passing message over the lower middle of the window, with at most one action."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Slot
from PySide6.QtWidgets import QGraphicsDropShadowEffect, QHBoxLayout, QPushButton, QWidget

from app.core.engine_texts import engine_text
from app.core.messages import Note
from app.widgets.labels import label

SHOW_MS = 7000
MARGIN = 48


class Toast(QWidget):
    """Shows one message at a time; a newer one takes its place."""

    def __init__(self, host: QWidget) -> None:
        super().__init__(host)
        self.setObjectName("toast")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 8, 8, 8)
        row.setSpacing(12)
        self.text = label("", "value", wrap=False)
        self.button = QPushButton()
        self.button.setAccessibleName(self.tr("Action"))
        self.close_button = QPushButton(self.tr("Dismiss"))
        self.close_button.clicked.connect(self.hide)
        row.addWidget(self.text, 1)
        row.addWidget(self.button)
        row.addWidget(self.close_button)
        shadow = QGraphicsDropShadowEffect(self)
        shadow.setBlurRadius(24)
        shadow.setOffset(0, 4)
        self.setGraphicsEffect(shadow)
        self._callback: Callable[[], None] | None = None
        self.button.clicked.connect(self._act)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SHOW_MS)
        self._timer.timeout.connect(self.hide)
        host.installEventFilter(self)
        self.hide()

    def say(self, text: str, action: str = "", callback: Callable[[], None] | None = None) -> None:
        """Show ``text``; with ``action`` a button that calls ``callback``."""
        self.text.setText(engine_text(text))
        self.text.setWordWrap(False)
        self.text.setMinimumWidth(0)
        self.button.setText(action)
        self.button.setAccessibleName(action)
        self.button.setVisible(bool(action))
        self._callback = callback
        self.show()
        self.raise_()
        self._place()
        self._timer.start()

    @Slot(object)
    def show_note(self, note: Note) -> None:
        """Show what a feature says."""
        self.say(note.text, note.action, note.then)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize and self.isVisible():
            self._place()
        return False

    def _act(self) -> None:
        self.hide()
        if self._callback is not None:
            self._callback()

    def _place(self) -> None:
        host = self.parentWidget()
        if host is None:
            return
        room = host.width() - 2 * MARGIN
        self.adjustSize()
        if self.sizeHint().width() > room:
            self.text.setWordWrap(True)
            self.text.setMinimumWidth(min(480, room - 200))
        self.adjustSize()
        width = min(self.sizeHint().width(), room)
        height = max(self.sizeHint().height(), self.heightForWidth(width))
        self.resize(width, height)
        self.move((host.width() - width) // 2, host.height() - height - MARGIN)
