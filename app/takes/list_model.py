"""The takes as a table, newest first: those of this run and those that were kept."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QCollator,
    QDateTime,
    QLocale,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from app.core.formats import clock, plain_tip
from app.takes.take import Take
from engine.text import SPEAKER_TAG

Index = QModelIndex | QPersistentModelIndex


class Column(IntEnum):
    """Columns of the table."""

    STAR = 0
    TEXT = 1
    VOICE = 2
    SEED = 3
    LENGTH = 4
    MADE = 5


class TakeListModel(QAbstractTableModel):
    """The owner adds and removes takes and says when one changed.

    Signals:
        star_clicked(Take): the user wants its star set or taken away.
        renamed(Take, str): the user gave it a title; the text is the one before.
        folded(): other takes of groups are rows of their own, or others lead them.
    """

    star_clicked = Signal(object)
    renamed = Signal(object, str)
    folded = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._takes: list[Take] = []
        self._groups: dict[str, list[Take]] | None = None
        self._unfolded: set[str] = set()

    def members(self, group: str) -> list[Take]:
        """The takes of one press that are left, in the order of the list."""
        if self._groups is None:
            self._groups = {}
            for take in self._takes:
                if take.group:
                    self._groups.setdefault(take.group, []).append(take)
        return self._groups.get(group, [])

    def leads(self, take: Take) -> bool:
        """It stands for the others of its group, of which there are some."""
        members = self.members(take.group)
        return len(members) > 1 and members[0] is take

    def is_shown(self, take: Take) -> bool:
        """It is in no group, leads one, or its group is unfolded."""
        members = self.members(take.group)
        return not members or members[0] is take or take.group in self._unfolded

    def unfold(self, take: Take, on: bool) -> None:
        """Show the other takes of a group as rows of their own, or no more."""
        if take.group and on != (take.group in self._unfolded):
            self._unfolded ^= {take.group}
            self.folded.emit()
            for member in self.members(take.group):
                self.touch(member)

    def is_unfolded(self, take: Take) -> bool:
        """The others of its group are rows of their own."""
        return take.group in self._unfolded

    def add(self, take: Take) -> None:
        """Put a take in front."""
        self.insert(0, take)

    def insert(self, row: int, take: Take) -> None:
        """Put a take at ``row``."""
        row = max(0, min(row, len(self._takes)))
        self.beginInsertRows(QModelIndex(), row, row)
        self._groups = None
        self._takes.insert(row, take)
        self.endInsertRows()

    def extend(self, takes: Sequence[Take]) -> None:
        """Put takes behind the others."""
        if takes:
            first = len(self._takes)
            self.beginInsertRows(QModelIndex(), first, first + len(takes) - 1)
            self._groups = None
            self._takes.extend(takes)
            self.endInsertRows()

    def remove(self, take: Take) -> int:
        """Take it out of the list; returns the row that it had, -1 for none."""
        row = self.row_of(take)
        if row >= 0:
            self.beginRemoveRows(QModelIndex(), row, row)
            del self._takes[row]
            self._groups = None
            self.endRemoveRows()
            if self.members(take.group):
                self.folded.emit()
        return row

    def touch(self, take: Take) -> None:
        """Something about a take changed."""
        row = self.row_of(take)
        if row >= 0:
            self.dataChanged.emit(self.index(row, 0), self.index(row, len(Column) - 1), [])

    @property
    def takes(self) -> list[Take]:
        """All takes, newest first."""
        return list(self._takes)

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
        spoken = role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole)
        if orientation is not Qt.Orientation.Horizontal or not (
            spoken or role == Qt.ItemDataRole.DisplayRole
        ):
            return None
        if section == Column.STAR and not spoken:
            return "★"
        titles = (
            self.tr("Star"), self.tr("Text"), self.tr("Voice"), self.tr("Seed"),
            self.tr("Length"), self.tr("Made"),
        )  # fmt: skip
        return titles[section] if 0 <= section < len(titles) else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        take = self.take_at(index.row()) if index.isValid() else None
        if take is None:
            return None
        column = Column(index.column())
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(take, column)
        if role == Qt.ItemDataRole.EditRole and column is Column.TEXT:
            return take.title or self._title(take)[:80]
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(self._tip(take, column) or "")
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._spoken(take, column)
        numbers = (Column.SEED, Column.LENGTH, Column.MADE)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if column in numbers else Qt.AlignmentFlag.AlignLeft
            if column is Column.STAR:
                side = Qt.AlignmentFlag.AlignHCenter
            return int(side | Qt.AlignmentFlag.AlignVCenter)
        return None

    def _spoken(self, take: Take, column: Column) -> str | None:
        """What a screen reader says where the text holds signs."""
        if column is Column.STAR:
            return self.tr("starred") if take.starred else self.tr("not starred")
        if column is not Column.TEXT or not self.leads(take):
            return None
        words = (
            self.tr("{count} takes, folded")
            if not self.is_unfolded(take)
            else self.tr("{count} takes, unfolded")
        )
        return f"{words.format(count=len(self.members(take.group)))}: {self._title(take)}"

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        if not index.isValid():
            return flags
        editable = index.column() == Column.TEXT
        flags |= Qt.ItemFlag.ItemIsDragEnabled
        return flags | Qt.ItemFlag.ItemIsEditable if editable else flags

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """A title for a take; blank gives it its text back."""
        take = self.take_at(index.row()) if index.isValid() else None
        if take is None or role != Qt.ItemDataRole.EditRole or index.column() != Column.TEXT:
            return False
        title = " ".join(str(value).split())[:200]
        if title != (take.title or self._title(take)[:80]):
            before, take.title = take.title, title
            self.touch(take)
            self.renamed.emit(take, before)
        return True

    def _text(self, take: Take, column: Column) -> str:
        return {
            Column.STAR: "★" if take.starred else "☆",
            Column.TEXT: self._mark(take) + self._title(take),
            Column.VOICE: take.origin.voice or "–",
            Column.SEED: str(take.origin.seed),
            Column.LENGTH: clock(take.seconds),
            Column.MADE: _when(take.origin.made),
        }[column]

    def ranks(self, column: Column) -> list[int]:
        """For each take its place when all are sorted by a column; equal ones share one."""
        collator = QCollator()
        collator.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        key: Callable[[Take], Any] = {
            Column.STAR: lambda take: not take.starred,
            Column.TEXT: lambda take: collator.sortKey(self._title(take)),
            Column.VOICE: lambda take: collator.sortKey(take.origin.voice or ""),
            Column.SEED: lambda take: take.origin.seed,
            Column.LENGTH: lambda take: take.seconds,
            Column.MADE: lambda take: take.origin.made.timestamp(),
        }[column]
        keys = [key(take) for take in self._takes]
        ranks, last = [0] * len(keys), 0
        before = None
        for place, row in enumerate(sorted(range(len(keys)), key=keys.__getitem__)):
            if before is None or before < keys[row]:
                last = place
            ranks[row], before = last, keys[row]
        return ranks

    def _mark(self, take: Take) -> str:
        """Where a take stands among those of one press."""
        members = self.members(take.group)
        if len(members) < 2:
            return ""
        if members[0] is not take:
            return f"    {members.index(take) + 1} · "
        return f"{'▾' if self.is_unfolded(take) else '▸'} {len(members)} · "

    def _title(self, take: Take) -> str:
        text = take.title or " ".join(SPEAKER_TAG.sub(" ", take.origin.request.text[:400]).split())
        return self.tr("[cut at limit] {text}").format(text=text) if take.cut else text

    def _tip(self, take: Take, column: Column) -> str | None:
        if column is Column.STAR:
            return self.tr("Starred takes are never removed to make room.")
        if column is Column.TEXT:
            return take.origin.request.text[:2000]
        if column is Column.MADE:
            return QLocale().toString(_moment(take.origin.made), QLocale.FormatType.ShortFormat)
        return take.origin.voice if column is Column.VOICE and take.origin.voice else None


def _when(made: datetime.datetime) -> str:
    """The time of today's takes, the day of older ones, with the year of those before this one."""
    today = datetime.date.today()
    if made.date() == today:
        return made.strftime("%H:%M")
    form = "ddd d" if 0 < (today - made.date()).days < 7 else "d MMM"
    if made.year != today.year and form == "d MMM":
        form = "d MMM yyyy"
    return QLocale().toString(_moment(made).date(), form)


def _moment(made: datetime.datetime) -> QDateTime:
    return QDateTime.fromSecsSinceEpoch(int(made.timestamp()))
