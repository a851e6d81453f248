"""A strip above the columns for something that stays true until the user has read it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QWidget

from app.widgets.labels import label


class Banner(QWidget):
    """One sentence, one action and a way to dismiss it; hidden while there is nothing."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("banner")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 4, 12, 4)
        row.setSpacing(12)
        self.text = label("", "value", wrap=True)
        self.button = QPushButton()
        self.button.setAccessibleName(self.tr("Action"))
        self.close_button = QPushButton(self.tr("Dismiss"))
        self._callback: Callable[[], None] | None = None
        self._dismissed: Callable[[], None] | None = None
        self.button.clicked.connect(self._act)
        self.close_button.clicked.connect(self._dismiss)
        row.addWidget(self.text, 1)
        row.addWidget(self.button)
        row.addWidget(self.close_button)
        self.hide()

    def say(
        self,
        text: str,
        action: str,
        callback: Callable[[], None],
        dismissed: Callable[[], None] | None = None,
    ) -> None:
        """Show ``text`` with a button; ``dismissed`` is called when the user closes it."""
        self.text.setText(text)
        self.button.setText(action)
        self.button.setAccessibleName(action)
        self._callback, self._dismissed = callback, dismissed
        self.show()

    def _act(self) -> None:
        if self._callback is not None:
            self._callback()

    def _dismiss(self) -> None:
        self.hide()
        if self._dismissed is not None:
            self._dismissed()
