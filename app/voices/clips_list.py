"""The clips that a voice is made of: their order, and which of them stay."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QPushButton, QWidget

from app.core.formats import plain_tip, short
from app.widgets.layout import in_column, in_row
from engine.voices import ClipNote

ROLE = 0x0100


class ClipsList(QWidget):
    """A list with buttons; nothing is changed before the dialog is accepted.

    Signals:
        play_requested(int): a clip, by its place in the notes.
    """

    play_requested = Signal(int)

    def __init__(
        self, clips: Sequence[ClipNote], editable: bool, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Clips of the voice"))
        self.list.setMaximumHeight(84)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        for number, clip in enumerate(clips):
            item = QListWidgetItem(f"{short(clip.seconds)} · {clip.text}")
            item.setToolTip(plain_tip(clip.name))
            item.setData(ROLE, number)
            self.list.addItem(item)
        if clips:
            self.list.setCurrentRow(0)
        self.play = self._button(self.tr("Play"))
        self.up = self._button(self.tr("Up"))
        self.down = self._button(self.tr("Down"))
        self.remove = self._button(self.tr("Remove"))
        self.play.clicked.connect(self._on_play)
        self.up.clicked.connect(lambda: self._move(-1))
        self.down.clicked.connect(lambda: self._move(1))
        self.remove.clicked.connect(self._on_remove)
        for button in (self.up, self.down, self.remove):
            button.setVisible(editable)
        self.list.currentRowChanged.connect(self._show)
        row = in_row(self.play, self.up, self.down, self.remove, None, spacing=4)
        in_column(self.list, row, spacing=4, on=self)
        self._show()

    def _button(self, text: str) -> QPushButton:
        button = QPushButton(text)
        button.setProperty("role", "small")
        button.setAutoDefault(False)
        return button

    @property
    def order(self) -> list[int]:
        """Places in the notes of the clips that stay, in their new order."""
        return [int(self.list.item(row).data(ROLE)) for row in range(self.list.count())]

    @Slot()
    def _show(self) -> None:
        """The last clip stays: a voice is made of something."""
        row, count = self.list.currentRow(), self.list.count()
        self.play.setEnabled(row >= 0)
        self.up.setEnabled(row > 0)
        self.down.setEnabled(0 <= row < count - 1)
        self.remove.setEnabled(row >= 0 and count > 1)

    @Slot()
    def _on_play(self) -> None:
        item = self.list.currentItem()
        if item is not None:
            self.play_requested.emit(int(item.data(ROLE)))

    def _move(self, by: int) -> None:
        row = self.list.currentRow()
        self.list.insertItem(row + by, self.list.takeItem(row))
        self.list.setCurrentRow(row + by)
        self._show()

    @Slot()
    def _on_remove(self) -> None:
        self.list.takeItem(self.list.currentRow())
        self._show()
