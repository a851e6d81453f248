"""The takes of this run, below the current one; a click brings one back."""

from __future__ import annotations

from PySide6.QtCore import QItemSelection, QModelIndex, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from app.models.take import Take
from app.models.take_list import Column, TakeListModel
from app.widgets.labels import Heading

ROW_HEIGHT = 26
WIDTHS = {Column.VOICE: 112, Column.SEED: 128, Column.LENGTH: 64, Column.MADE: 64}


class TakesPanel(QWidget):
    """A table of takes.

    Signals:
        take_chosen(Take): the user picked one.
        replay_requested(Take): the user activated one (double click or Enter).
    """

    take_chosen = Signal(object)
    replay_requested = Signal(object)

    def __init__(self, model: TakeListModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.model = model
        box = QVBoxLayout(self)
        box.setContentsMargins(12, 8, 12, 8)
        box.setSpacing(4)
        self.heading = Heading(self.tr("Takes"))
        self.view = QTableView()
        self.view.setModel(model)
        self.view.setAccessibleName(self.tr("Takes"))
        self.view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.view.setShowGrid(False)
        self.view.setTabKeyNavigation(False)
        self.view.setWordWrap(False)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.verticalHeader().hide()
        self.view.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
        header = self.view.horizontalHeader()
        header.hide()
        header.setMinimumSectionSize(24)
        header.setSectionResizeMode(Column.TEXT, QHeaderView.ResizeMode.Stretch)
        for column, width in WIDTHS.items():
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
            header.resizeSection(column, width)
        box.addWidget(self.heading)
        box.addWidget(self.view, 1)
        self.view.selectionModel().selectionChanged.connect(self._on_selection)
        self.view.activated.connect(self._on_activated)
        model.rowsInserted.connect(self._count)
        self.setMinimumHeight(ROW_HEIGHT + 44)

    def choose(self, take: Take) -> None:
        """Mark a take as the current one."""
        row = self.model.row_of(take)
        if row >= 0 and self.view.currentIndex().row() != row:
            self.view.selectRow(row)

    @Slot()
    def _count(self) -> None:
        self.heading.set_facts(str(self.model.rowCount()))

    @Slot(QItemSelection, QItemSelection)
    def _on_selection(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        indexes = selected.indexes()
        take = self.model.take_at(indexes[0].row()) if indexes else None
        if take is not None:
            self.take_chosen.emit(take)

    @Slot(QModelIndex)
    def _on_activated(self, index: QModelIndex) -> None:
        take = self.model.take_at(index.row())
        if take is not None:
            self.replay_requested.emit(take)
