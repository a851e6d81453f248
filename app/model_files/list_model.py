"""The known and found model files, as a list model that says all of it in words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from app.core.formats import gigabytes, plain_tip
from app.inference.backends import Fit
from app.model_files.downloads import DownloadTask, key_of
from engine.hub import Entry, Phase, Place, Presence, Transfer, Variant

Index = QModelIndex | QPersistentModelIndex


class ModelRole(IntEnum):
    """Data of an entry besides its title."""

    KEY = Qt.ItemDataRole.UserRole + 1
    SIZE = Qt.ItemDataRole.UserRole + 2
    STATE = Qt.ItemDataRole.UserRole + 3
    MOOD = Qt.ItemDataRole.UserRole + 4
    FIT = Qt.ItemDataRole.UserRole + 5
    FIT_MOOD = Qt.ItemDataRole.UserRole + 6
    SHARE = Qt.ItemDataRole.UserRole + 7


@dataclass(frozen=True, slots=True)
class ModelRow:
    """One entry with what goes on around it.

    Attributes:
        task: what is being done with it.
        waits: the task is queued.
        transfer: how far it is.
        fit: its need against the chosen backend.
        is_open: it is the model that is loaded.
        speed: how fast it would speak here, in words; empty while nobody knows.
        best: it is the one to take here.
    """

    entry: Entry
    task: DownloadTask | None = None
    waits: bool = False
    transfer: Transfer | None = None
    fit: Fit | None = None
    is_open: bool = False
    speed: str = ""
    best: bool = False

    @property
    def key(self) -> str:
        """Tells it from all others."""
        return key_of(self.entry)

    @property
    def title(self) -> str:
        """Its name."""
        return self.entry.title

    @property
    def done(self) -> int:
        """Bytes of the model that are here."""
        moving = self.transfer is not None and self.transfer.file == self.entry.path.name
        return self.transfer.done if self.transfer and moving else self.entry.done

    @property
    def share(self) -> float:
        """How much of the work is done, from 0 to 1; below 0 when there is none to show."""
        if self.transfer is not None and self.transfer.total:
            return min(1.0, self.transfer.done / self.transfer.total)
        if self.entry.presence is Presence.PARTIAL and self.entry.size:
            return min(1.0, self.entry.done / self.entry.size)
        return 0.0 if self.task is not None else -1.0


class ModelListModel(QAbstractListModel):
    """What the manager lists.

    Attributes:
        rows: the entries, those that are known first.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: list[ModelRow] = []

    def set_rows(self, rows: list[ModelRow]) -> None:
        """Show ``rows``; a selection lasts where the entries are the same."""
        if [row.key for row in rows] != [row.key for row in self.rows]:
            self.beginResetModel()
            self.rows = list(rows)
            self.endResetModel()
            return
        for number, row in enumerate(rows):
            if row != self.rows[number]:
                self._put(number, row)

    def set_transfer(self, key: str, transfer: Transfer) -> None:
        """An entry is further."""
        number = self.number_of(key)
        if number >= 0:
            self._put(number, replace(self.rows[number], transfer=transfer, waits=False))

    def _put(self, number: int, row: ModelRow) -> None:
        self.rows[number] = row
        index = self.index(number)
        self.dataChanged.emit(index, index)

    def number_of(self, key: str) -> int:
        """The row of a key, -1 when it is not there."""
        return next((i for i, row in enumerate(self.rows) if row.key == key), -1)

    def row_for(self, key: str) -> ModelRow | None:
        """The entry of a key."""
        number = self.number_of(key)
        return self.rows[number] if number >= 0 else None

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or not 0 <= index.row() < len(self.rows):
            return None
        row = self.rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return row.title
        if role == Qt.ItemDataRole.ToolTipRole:
            place, use = str(row.entry.path), self.use(row.entry.variant)
            return plain_tip(place if row.entry.done else use)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            facts = (self.state(row), self.fit_words(row), row.speed)
            parts = (row.title, gigabytes(row.entry.size), *facts)
            return ", ".join(part for part in parts if part)
        return self._own_data(row, role)

    def _own_data(self, row: ModelRow, role: int) -> Any:
        find: dict[int, Callable[[], Any]] = {
            ModelRole.KEY: lambda: row.key,
            ModelRole.SIZE: lambda: gigabytes(row.entry.size),
            ModelRole.STATE: lambda: self.state(row),
            ModelRole.MOOD: lambda: _mood(row),
            ModelRole.FIT: lambda: self._fit_or_speed(row),
            ModelRole.FIT_MOOD: lambda: row.fit.state if row.fit is not None else "",
            ModelRole.SHARE: lambda: row.share,
        }
        return find[role]() if role in find else None

    def state(self, row: ModelRow) -> str:
        """Where an entry stands, in a few words."""
        if row.waits:
            return self.tr("waiting for its turn")
        if row.task is DownloadTask.VERIFY:
            return self.tr("being checked, {share} %").format(share=int(max(0, row.share) * 100))
        if row.task is DownloadTask.DOWNLOAD:
            return self._moving(row)
        if row.is_open:
            return self.tr("open now")
        lying = self._lying(row.entry)
        return f"{lying} · {self.tr('recommended')}" if row.best else lying

    def _moving(self, row: ModelRow) -> str:
        transfer = row.transfer
        if transfer is None or transfer.phase is Phase.CONNECTING:
            return self.tr("connecting")
        if transfer.phase is Phase.HASHING:
            return self.tr("checking what is here")
        if transfer.phase is Phase.WAITING:
            return self.tr("trying again")
        return self.tr("downloading, {share} %").format(share=int(max(0, row.share) * 100))

    def _lying(self, entry: Entry) -> str:
        if entry.presence is Presence.PARTIAL:
            share = int(100 * entry.done / max(1, entry.size))
            return self.tr("paused at {share} %").format(share=share)
        if entry.presence is Presence.DAMAGED:
            return self.tr("damaged")
        if entry.presence is Presence.ABSENT:
            return self.tr("not here")
        if entry.place is Place.CACHE:
            return self.tr("here, in the cache of the hub")
        if entry.presence is Presence.VERIFIED:
            return self.tr("here, checked")
        return self.tr("here")

    def fit_words(self, row: ModelRow) -> str:
        """Whether it fits, in a few words."""
        words = {
            "ok": self.tr("fits the memory"),
            "warn": self.tr("tight in memory"),
            "bad": self.tr("too large for the memory"),
        }
        return words.get(row.fit.state, "") if row.fit is not None else ""

    def _fit_or_speed(self, row: ModelRow) -> str:
        """Of what fits, how fast it is says more."""
        fits = row.fit is not None and row.fit.state == "ok"
        return row.speed if fits and row.speed else self.fit_words(row)

    def use(self, variant: Variant | None) -> str:
        """What an entry is good for, one sentence."""
        if variant is None:
            return self.tr("A file of your own.")
        words = {
            "q4_k_m": self.tr("The smallest good choice, for most computers."),
            "q5_k_m": self.tr("A little closer to the original than Q4."),
            "q6_k": self.tr("A good balance of size and closeness."),
            "q8_0": self.tr("Hardly to be told from the original."),
            "f16": self.tr("Not quantised at all, for comparing and for large memories."),
            "q3_k": self.tr("For little memory; short words may be drawn out."),
            "q2_k": self.tr("The smallest there is, for trials only."),
        }
        return words.get(variant.id, variant.use)


def _mood(row: ModelRow) -> str:
    """``ok``, ``bad``, ``warn`` or plain, as labels are coloured."""
    if row.entry.presence is Presence.DAMAGED and row.task is None:
        return "bad"
    if row.transfer is not None and row.transfer.phase is Phase.WAITING:
        return "warn"
    return "ok" if row.is_open or row.entry.presence is Presence.VERIFIED else ""
