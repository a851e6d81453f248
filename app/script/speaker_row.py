"""Who speaks: a voice for each speaker number of the script."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QComboBox, QGridLayout, QSizePolicy, QWidget

from app.widgets.labels import label
from app.widgets.layout import in_row

PER_ROW = 3
MOST = 9


class SpeakerRow(QWidget):
    """A list of voices for each number, in the order in which the engine gets them.

    Signals:
        voice_chosen(int, str): the user gave a speaker number the voice with this key.
    """

    voice_chosen = Signal(int, str)

    def __init__(
        self, voices: Callable[[], list[tuple[str, str]]], parent: QWidget | None = None
    ) -> None:
        """``voices`` gives title and key of each voice that can be chosen."""
        super().__init__(parent)
        self._voices = voices
        self._numbers: tuple[int, ...] = ()
        self._speakers: dict[int, str] = {}
        self.boxes: dict[int, QComboBox] = {}
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(6)
        self.hide()

    def show_speakers(self, numbers: tuple[int, ...], speakers: Mapping[int, str]) -> None:
        """Show these speakers with their voices; nobody hides the row."""
        numbers = numbers[:MOST]
        self._speakers = dict(speakers)
        if numbers != self._numbers:
            self._numbers = numbers
            self._rebuild()
        self.refill()
        self.setVisible(bool(numbers))

    def _rebuild(self) -> None:
        while self._grid.count():
            item = self._grid.takeAt(0)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self.boxes = {}
        for place, number in enumerate(self._numbers):
            cell = self._make_cell(number)
            self._grid.addWidget(cell, place // PER_ROW, place % PER_ROW)
        for column in range(PER_ROW):
            self._grid.setColumnStretch(column, 1)

    def _make_cell(self, number: int) -> QWidget:
        cell = QWidget()
        title = self.tr("Speaker {number}").format(number=number)
        box = QComboBox()
        box.setAccessibleName(self.tr("Voice of speaker {number}").format(number=number))
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMinimumContentsLength(6)
        box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        box.activated.connect(lambda index, n=number: self._on_chosen(n, index))
        caption = label(title, "label")
        caption.setBuddy(box)
        in_row(caption, (box, 1), on=cell)
        self.boxes[number] = box
        return cell

    def _on_chosen(self, number: int, index: int) -> None:
        key = str(self.boxes[number].itemData(index) or "")
        self._speakers[number] = key
        self.voice_chosen.emit(number, key)

    @Slot()
    def refill(self) -> None:
        """Usable voices only, and the chosen one even when it is gone: it must be seen."""
        usable = self._voices()
        for number, box in self.boxes.items():
            wanted = self._speakers.get(number, "")
            with QSignalBlocker(box):
                box.clear()
                for title, key in usable:
                    box.addItem(title, key)
                if box.findData(wanted) < 0:
                    box.addItem(self.tr("{name} (missing)").format(name=wanted), wanted)
                box.setCurrentIndex(box.findData(wanted))
