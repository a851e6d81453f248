"""Words that are spoken otherwise than written: a list to add to, take from and listen to."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QHeaderView,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from app.widgets.labels import label
from app.widgets.layout import in_column, in_row
from engine.errors import EngineError
from engine.text import Pronunciations, checked_pronunciations, used_pronunciations

MOST_TOLD = 6


class PronunciationsDialog(QDialog):
    """Two columns, and what of the script is spoken otherwise.

    Signals:
        play_wanted(str): how the chosen word is spoken.
    """

    play_wanted = Signal(str)

    def __init__(
        self,
        pairs: Pronunciations,
        script: str,
        save: Callable[[list[tuple[str, str]]], bool],
        parent: QWidget | None = None,
    ) -> None:
        """``save`` keeps the list; ``False`` leaves the dialog open, after saying why."""
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Pronunciations"))
        self._script, self._save = script, save
        self._make_table()
        for pair in pairs:
            self._append(*pair)
        self._make_buttons()
        self.table.itemChanged.connect(self._tell)
        self.table.itemSelectionChanged.connect(self._tell)
        self._tell()

    def _make_table(self) -> None:
        self.table = QTableWidget(0, 2)
        self.table.setHorizontalHeaderLabels([self.tr("Written"), self.tr("Spoken")])
        self.table.setAccessibleName(self.tr("Pronunciations"))
        self.table.verticalHeader().hide()
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setTabKeyNavigation(False)
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)

    def _make_buttons(self) -> None:
        self.add, self.remove, self.play = (
            QPushButton(text) for text in (self.tr("Add"), self.tr("Remove"), self.tr("Listen"))
        )
        self.close_, self.keep = QPushButton(self.tr("Cancel")), QPushButton(self.tr("Save"))
        self.keep.setProperty("role", "primary")
        self.heard = label("", "hint", wrap=True)
        self.heard.setTextFormat(Qt.TextFormat.PlainText)
        hint = label(
            self.tr(
                "Whole words only; the script stays as it is. A word with a capital letter counts "
                "only as it is written, one without in any case."
            ),
            "hint",
            wrap=True,
        )
        buttons = in_row(self.add, self.remove, self.play, None, self.close_, self.keep, spacing=8)
        parts = (hint, (self.table, 1), self.heard, buttons)
        in_column(*parts, spacing=12, on=self, margins=(24, 16, 24, 16))
        for button, doing in (
            (self.add, self._on_add), (self.remove, self._on_remove), (self.play, self._on_play),
            (self.close_, self.reject), (self.keep, self._on_keep),
        ):  # fmt: skip
            button.setAutoDefault(False)
            button.clicked.connect(doing)

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The list as it is typed, without lines that are empty."""
        rows = [(self._text(row, 0), self._text(row, 1)) for row in range(self.table.rowCount())]
        return [pair for pair in rows if any(pair)]

    def showEvent(self, event: QShowEvent) -> None:
        """Never larger than the screen."""
        super().showEvent(event)
        room = self.screen().availableGeometry().size()
        self.resize(min(560, room.width()), min(480, room.height()))

    def _text(self, row: int, column: int) -> str:
        item = self.table.item(row, column)
        return item.text().strip() if item is not None else ""

    def _append(self, written: str, spoken: str) -> None:
        row = self.table.rowCount()
        self.table.insertRow(row)
        for column, text in enumerate((written, spoken)):
            self.table.setItem(row, column, QTableWidgetItem(text))

    def _on_add(self) -> None:
        self._append("", "")
        row = self.table.rowCount() - 1
        self.table.setCurrentCell(row, 0)
        self.table.setFocus()
        self.table.edit(self.table.currentIndex())

    def _on_remove(self) -> None:
        for row in sorted({index.row() for index in self.table.selectedIndexes()}, reverse=True):
            self.table.removeRow(row)
        self._tell()

    def _on_play(self) -> None:
        spoken = self._text(self.table.currentRow(), 1)
        if spoken:
            self.play_wanted.emit(spoken)

    def _on_keep(self) -> None:
        if self._save(self.pairs):
            self.accept()

    def _tell(self) -> None:
        """What of the script is spoken otherwise, or what is wrong with the list."""
        some = bool(self.table.selectedIndexes())
        self.remove.setEnabled(some)
        self.play.setEnabled(some)
        try:
            used = used_pronunciations(self._script, checked_pronunciations(self.pairs))
        except EngineError:
            self.heard.setText(self.tr("A line is not whole yet."))
            return
        if not used:
            self.heard.setText(self.tr("The script has none of these words."))
            return
        told = ", ".join(f"{written} → {spoken}" for written, spoken in used[:MOST_TOLD])
        more = "…" if len(used) > MOST_TOLD else ""
        self.heard.setText(self.tr("In the script: {words}").format(words=told + more))
