"""Which takes are listed and in which order: words, a star, how long ago."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, QSortFilterProxyModel, Slot

from app.takes.list_model import Column, Index, TakeListModel
from app.takes.take import Take
from engine.voices import name_key


@dataclass(frozen=True, slots=True)
class Criteria:
    """What is looked for.

    Attributes:
        words: all of them in text, title, voice or seed, in any spelling of case.
        starred: only takes with a star.
        days: only takes of so many days, today counted; 0 is any.
    """

    words: tuple[str, ...] = ()
    starred: bool = False
    days: int = 0

    def fits(self, take: Take, today: datetime.date) -> bool:
        """Whether a take is one of those."""
        if self.starred and not take.starred:
            return False
        if self.days and (today - take.origin.made.date()).days >= self.days:
            return False
        if not self.words:
            return True
        origin = take.origin
        told = name_key(f"{take.title} {origin.request.text} {origin.voice} {origin.seed}")
        return all(word in told for word in self.words)


class TakeFilter(QSortFilterProxyModel):
    """Between the list of takes and its table; without a sorted column in the list's order."""

    def __init__(self, model: TakeListModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.takes = model
        self.criteria = Criteria()
        self._today = datetime.date.today()
        self._ranks: tuple[int, list[int]] | None = None
        # Before the base class hears of a change, which it sorts by.
        for changed in (model.rowsInserted, model.rowsRemoved, model.dataChanged):
            changed.connect(self._forget_ranks)
        self.setSourceModel(model)
        model.folded.connect(self.invalidate)

    def look_for(self, criteria: Criteria) -> None:
        """List only takes that fit."""
        self.criteria, self._today = criteria, datetime.date.today()
        self.invalidate()

    def take_at(self, index: Index) -> Take | None:
        """The take of a row of this table, or of the list behind it."""
        if not index.isValid():
            return None
        source = index if index.model() is self.takes else self.mapToSource(index)
        return self.takes.take_at(source.row())

    @Slot()
    def _forget_ranks(self) -> None:
        self._ranks = None

    def lessThan(self, left: Index, right: Index) -> bool:
        """By places that were worked out once: a sort asks for each of them many times."""
        column = left.column()
        if self._ranks is None or self._ranks[0] != column:
            self._ranks = column, self.takes.ranks(Column(column))
        ranks = self._ranks[1]
        return ranks[left.row()] < ranks[right.row()]

    def filterAcceptsRow(self, row: int, parent: Any) -> bool:
        take = self.takes.take_at(row)
        if take is None or not self.criteria.fits(take, self._today):
            return False
        return self.criteria != Criteria() or self.takes.is_shown(take)
