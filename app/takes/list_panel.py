"""The takes, below the current one: a click brings one back, buttons and a menu do the rest."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import (
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QMimeData,
    QModelIndex,
    QObject,
    QPoint,
    Qt,
    QUrl,
    Signal,
    Slot,
)
from PySide6.QtGui import QDrag, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QMenu,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from app.core.actions import Actions
from app.takes.list_model import Column, TakeListModel
from app.takes.take import Take
from app.widgets.buttons import tool_button
from app.widgets.labels import Heading

ROW_HEIGHT = 26
WIDTHS = {
    Column.STAR: 28, Column.VOICE: 112, Column.SEED: 112, Column.LENGTH: 64, Column.MADE: 64,
}  # fmt: skip


class _View(QTableView):
    """A table whose rows are dragged out as files, which must be written first.

    Signals:
        drag_wanted(int): the user began to drag a row.
    """

    drag_wanted = Signal(int)

    def startDrag(self, supported: Qt.DropAction) -> None:
        self.drag_wanted.emit(self.currentIndex().row())

    def drag(self, path: Path) -> None:
        """Go on with the drag, if the button is still down, now that there is a file."""
        if not QGuiApplication.mouseButtons() & Qt.MouseButton.LeftButton:
            return
        data, drag = QMimeData(), QDrag(self)
        data.setUrls([QUrl.fromLocalFile(str(path))])
        drag.setMimeData(data)
        row = self.visualRect(self.currentIndex().siblingAtColumn(Column.TEXT))
        drag.setPixmap(self.viewport().grab(row))
        drag.exec(Qt.DropAction.CopyAction)


class TakesPanel(QWidget):
    """A table of takes.

    Signals:
        drag_wanted(Take): the user began to drag one; :meth:`_View.drag` goes on.
        take_chosen(Take): the user picked one.
        replay_requested(Take): the user activated one (double click or Enter).
    """

    drag_wanted = Signal(object)
    take_chosen = Signal(object)
    replay_requested = Signal(object)

    def __init__(
        self, model: TakeListModel, actions: Actions, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.model = model
        self._actions = actions
        box = QVBoxLayout(self)
        box.setContentsMargins(12, 6, 12, 8)
        box.setSpacing(4)
        self.heading = Heading(self.tr("Takes"))
        self._make_view()
        box.addLayout(self._make_top())
        box.addWidget(self.view, 1)
        self.view.selectionModel().selectionChanged.connect(self._on_selection)
        self.view.activated.connect(self._on_activated)
        self.view.clicked.connect(self._on_clicked)
        self.view.customContextMenuRequested.connect(self._on_menu)
        self.view.installEventFilter(self)
        model.rowsInserted.connect(self._count)
        model.rowsRemoved.connect(self._count)
        self.setMinimumHeight(ROW_HEIGHT + 48)

    def _make_top(self) -> QHBoxLayout:
        actions = self._actions
        row = QHBoxLayout()
        row.setSpacing(2)
        row.addWidget(self.heading, 1)
        row.addSpacing(12)
        for action in (
            actions.take_again, actions.take_next, actions.take_settings, actions.export,
            actions.take_delete,
        ):  # fmt: skip
            row.addWidget(tool_button(action, action.text().replace("…", ""), "compact"))
        return row

    def _make_view(self) -> None:
        self.view = _View()
        self.view.drag_wanted.connect(lambda row: self.drag_wanted.emit(self.model.take_at(row)))
        self.view.setModel(self.model)
        self.view.setAccessibleName(self.tr("Takes"))
        self.view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.view.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.view.setDragEnabled(True)
        self.view.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
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

    def choose(self, take: Take) -> None:
        """Mark a take as the current one."""
        row = self.model.row_of(take)
        if row >= 0 and self.view.currentIndex().row() != row:
            index = self.model.index(row, Column.TEXT)
            flags = QItemSelectionModel.SelectionFlag
            self.view.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)
            self.view.scrollTo(index)

    def edit(self, take: Take) -> None:
        """Let the user write the title of a take into its row."""
        row = self.model.row_of(take)
        if row >= 0:
            self.view.setFocus(Qt.FocusReason.OtherFocusReason)
            self.view.edit(self.model.index(row, Column.TEXT))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Delete:
                self._actions.take_delete.trigger()
                return True
            if event.key() == Qt.Key.Key_F2 and self.view.currentIndex().isValid():
                self._actions.take_rename.trigger()
                return True
        return False

    @Slot()
    def _count(self) -> None:
        self.heading.set_title(self.tr("Takes · {count}").format(count=self.model.rowCount()))

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

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        take = self.model.take_at(index.row())
        if take is not None and index.column() == Column.STAR:
            self.model.star_clicked.emit(take)

    @Slot(QPoint)
    def _on_menu(self, place: QPoint) -> None:
        if self.view.indexAt(place).isValid():
            menu = self.make_menu()
            menu.aboutToHide.connect(menu.deleteLater)
            menu.popup(self.view.viewport().mapToGlobal(place))

    def make_menu(self) -> QMenu:
        """Everything that can be done with the chosen take."""
        actions = self._actions
        menu = QMenu(self)
        menu.addActions([actions.play_start, actions.take_star, actions.take_rename])
        menu.addSeparator()
        menu.addActions([actions.take_again, actions.take_next, actions.take_settings])
        menu.addSeparator()
        menu.addActions([actions.save_take, actions.export])
        menu.addSeparator()
        menu.addAction(actions.take_delete)
        return menu
