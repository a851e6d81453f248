"""The takes of this run as a table, newest first."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from app.models.take import Take
from app.wording import clock

Index = QModelIndex | QPersistentModelIndex


class Column(IntEnum):
    """Columns of the table."""

    TEXT = 0
    VOICE = 1
    SEED = 2
    LENGTH = 3
    MADE = 4


class TakeListModel(QAbstractTableModel):
    """Takes in memory; the owner appends and says when one changed."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._takes: list[Take] = []

    def add(self, take: Take) -> None:
        """Put a take in front."""
        self.beginInsertRows(QModelIndex(), 0, 0)
        self._takes.insert(0, take)
        self.endInsertRows()

    def touch(self, take: Take) -> None:
        """The length of a take changed."""
        row = self.row_of(take)
        if row >= 0:
            index = self.index(row, Column.LENGTH)
            self.dataChanged.emit(index, index, [Qt.ItemDataRole.DisplayRole])

    def take_at(self, row: int) -> Take | None:
        """The take of a row."""
        return self._takes[row] if 0 <= row < len(self._takes) else None

    def row_of(self, take: Take) -> int:
        """The row of a take, -1 when it is not there."""
        return next((i for i, t in enumerate(self._takes) if t is take), -1)

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._takes)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(Column)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if role != Qt.ItemDataRole.DisplayRole or orientation is not Qt.Orientation.Horizontal:
            return None
        titles = (
            self.tr("Text"), self.tr("Voice"), self.tr("Seed"), self.tr("Length"), self.tr("Made"),
        )  # fmt: skip
        return titles[section] if 0 <= section < len(titles) else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        take = self.take_at(index.row()) if index.isValid() else None
        if take is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(take, Column(index.column()))
        if role == Qt.ItemDataRole.ToolTipRole and index.column() == Column.TEXT:
            return take.request.text
        numbers = (Column.SEED, Column.LENGTH, Column.MADE)
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() in numbers:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return None

    def _text(self, take: Take, column: Column) -> str:
        return {
            Column.TEXT: " ".join(take.request.text.split()),
            Column.VOICE: take.voice or "–",
            Column.SEED: str(take.seed),
            Column.LENGTH: clock(take.store.seconds),
            Column.MADE: take.made.strftime("%H:%M"),
        }[column]
