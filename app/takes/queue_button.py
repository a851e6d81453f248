"""The takes that wait for the engine: how many, and a menu that takes each of them back."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from app.takes.take import PendingTake
from app.takes.waiting import WaitingTakes

SHOWN = 40
MOST = 20


class QueueButton(QToolButton):
    """Hidden while nothing waits."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "compact")
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setToolTip(self.tr("Takes that are made as soon as the engine is free"))
        self.list = QMenu(self)
        self.setMenu(self.list)
        self._waiting: WaitingTakes | None = None
        self.hide()

    def follow(self, waiting: WaitingTakes) -> None:
        """Show these wishes."""
        self._waiting = waiting
        waiting.changed.connect(self._show)
        self._show()

    @Slot()
    def _show(self) -> None:
        wishes = self._waiting.wishes if self._waiting is not None else []
        text = self.tr("Waiting: {count}").format(count=len(wishes))
        self.setText(text)
        self.setAccessibleName(text)
        self.list.clear()
        for wish in wishes[:MOST]:
            self._add(wish)
        if len(wishes) > 1:
            self.list.addSeparator()
            entry = self.list.addAction(self.tr("Cancel all"))
            entry.triggered.connect(lambda: self._cancel(wishes))
        self.setVisible(bool(wishes))

    def _add(self, wish: PendingTake) -> None:
        words = " ".join(wish.request.text.split())
        words = words if len(words) <= SHOWN else f"{words[:SHOWN]}…"
        text = self.tr("Cancel: {text}").format(text=words)
        entry = self.list.addAction(f"{text} · {wish.voice}" if wish.voice else text)
        entry.triggered.connect(lambda: self._cancel([wish]))

    def _cancel(self, wishes: list[PendingTake]) -> None:
        if self._waiting is not None:
            self._waiting.remove(wishes)
