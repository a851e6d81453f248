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
from PySide6.QtGui import QActionGroup, QDrag, QGuiApplication, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QMenu,
    QTableView,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.core.actions import Actions
from app.takes.list_filter import Criteria, TakeFilter
from app.takes.list_model import Column, TakeListModel
from app.takes.take import Take
from app.widgets.buttons import tool_button
from app.widgets.labels import Heading
from engine.voices import name_key

ROW_HEIGHT = 26
WIDEST = {
    Column.STAR: "★", Column.VOICE: "m" * 7, Column.SEED: "4294967295", Column.LENGTH: "00:00:00",
    Column.MADE: "30 MMM 0000",
}  # fmt: skip
_PADDING = 28
_PAD = 8
DAYS = (0, 1, 7, 31)


class _View(QTableView):
    """A table whose rows are dragged out as files, which must be written first.

    Signals:
        drag_wanted(QModelIndex): the user began to drag a row.
        fold_wanted(QModelIndex): the user clicked on the beginning of a row's text.
    """

    drag_wanted = Signal(object)
    fold_wanted = Signal(object)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        if index.column() == Column.TEXT:
            left = self.visualRect(index).left()
            if event.position().x() - left < self.fontMetrics().horizontalAdvance("▸ 16") + _PAD:
                self.fold_wanted.emit(index)
        super().mousePressEvent(event)

    def startDrag(self, supported: Qt.DropAction) -> None:
        self.drag_wanted.emit(self.currentIndex())

    def selectRow(self, row: int) -> None:
        """Choose one row, whatever keys are down: they are for clicks."""
        flags = QItemSelectionModel.SelectionFlag
        index = self.model().index(row, Column.TEXT)
        self.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)

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
        self.rows = TakeFilter(model, self)
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
        for changed in (model.rowsInserted, model.rowsRemoved, self.rows.modelReset):
            changed.connect(self._count)
        self.setMinimumHeight(2 * ROW_HEIGHT + 76)

    def _make_top(self) -> QHBoxLayout:
        actions = self._actions
        row = QHBoxLayout()
        row.setSpacing(2)
        row.addWidget(self.heading)
        row.addSpacing(12)
        search, button = self._make_search()
        row.addWidget(search, 1)
        row.addWidget(button)
        row.addSpacing(6)
        for action in (
            actions.take_again, actions.take_next, actions.take_settings, actions.export,
            actions.take_delete,
        ):  # fmt: skip
            row.addWidget(tool_button(action, action.text().replace("…", ""), "compact"))
        return row

    def _make_search(self) -> tuple[QLineEdit, QToolButton]:
        self.search = QLineEdit()
        self.search.setPlaceholderText(self.tr("Search text, voice or seed"))
        self.search.setAccessibleName(self.tr("Search the takes"))
        self.search.setClearButtonEnabled(True)
        self.search.setMinimumWidth(72)
        self.search.textChanged.connect(self._look)
        menu, self.days = QMenu(self), QActionGroup(self)
        self.starred = menu.addAction(self.tr("Only takes with a star"))
        self.starred.setCheckable(True)
        self.starred.toggled.connect(self._look)
        menu.addSeparator()
        titles = (
            self.tr("Any day"), self.tr("Today"), self.tr("Last 7 days"), self.tr("Last 31 days"),
        )  # fmt: skip
        for days, title in zip(DAYS, titles, strict=True):
            action = menu.addAction(title)
            action.setCheckable(True)
            action.setData(days)
            action.setChecked(not days)
            self.days.addAction(action)
        self.days.triggered.connect(self._look)
        self.filter = QToolButton()
        self.filter.setText(self.tr("Filter"))
        self.filter.setMenu(menu)
        self.filter.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.filter.setAccessibleName(self.tr("Filter the takes"))
        return self.search, self.filter

    def _make_view(self) -> None:
        self.view = _View()
        self.view.drag_wanted.connect(lambda at: self.drag_wanted.emit(self.rows.take_at(at)))
        self.view.fold_wanted.connect(lambda at: self._unfold(self.rows.take_at(at), None))
        self.view.setModel(self.rows)
        self.view.setSortingEnabled(True)
        self.view.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
        self.view.setAccessibleName(self.tr("Takes"))
        self.view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
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
        header.setMinimumSectionSize(24)
        header.setHighlightSections(False)
        header.setSortIndicatorClearable(True)
        header.setSectionResizeMode(Column.TEXT, QHeaderView.ResizeMode.Stretch)
        self._fit_columns()

    def _fit_columns(self) -> None:
        """Widths that hold what stands in the columns, in the font of the day."""
        header, metrics = self.view.horizontalHeader(), self.view.fontMetrics()
        for column, widest in WIDEST.items():
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
            texts = widest, f"{self.model.headerData(column, Qt.Orientation.Horizontal)}  "
            width = max(metrics.horizontalAdvance(text) for text in texts)
            header.resizeSection(
                column, width + (_PADDING // 2 if column is Column.STAR else _PADDING)
            )

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit_columns()

    @property
    def chosen(self) -> list[Take]:
        """The takes that are selected, from top to bottom."""
        rows = self.view.selectionModel().selectedRows()
        found = (self.rows.take_at(index) for index in sorted(rows, key=lambda i: i.row()))
        return [take for take in found if take is not None]

    @Slot()
    def _look(self) -> None:
        words = tuple(name_key(self.search.text()).split())
        checked = self.days.checkedAction()
        days = checked.data() if checked is not None else 0
        self.rows.look_for(Criteria(words, self.starred.isChecked(), days))
        self._count()

    def choose(self, take: Take) -> None:
        """Mark a take as the current one; one that is folded away comes forth."""
        if not self._index_of(take).isValid() and self.model.row_of(take) >= 0:
            self.model.unfold(take, True)
        index = self._index_of(take)
        if index.isValid() and self.view.currentIndex().row() != index.row():
            flags = QItemSelectionModel.SelectionFlag
            self.view.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)
            self.view.scrollTo(index)

    def edit(self, take: Take) -> None:
        """Let the user write the title of a take into its row."""
        index = self._index_of(take)
        if index.isValid():
            self.view.setFocus(Qt.FocusReason.OtherFocusReason)
            self.view.edit(index)

    def _index_of(self, take: Take) -> QModelIndex:
        """Where a take is in the table; nowhere while it is filtered out."""
        return self.rows.mapFromSource(self.model.index(self.model.row_of(take), Column.TEXT))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Delete:
                self._actions.take_delete.trigger()
                return True
            if event.key() in (Qt.Key.Key_Right, Qt.Key.Key_Left):
                wide = event.key() == Qt.Key.Key_Right
                return self._unfold(self.rows.take_at(self.view.currentIndex()), wide)
            if event.key() == Qt.Key.Key_F2 and self.view.currentIndex().isValid():
                self._actions.take_rename.trigger()
                return True
        return False

    def _unfold(self, take: Take | None, on: bool | None) -> bool:
        """Show the others of a group, or fold them away; ``None`` is the other way about."""
        if take is None or not self.model.leads(take):
            return False
        self.model.unfold(take, not self.model.is_unfolded(take) if on is None else on)
        return True

    @Slot()
    def _count(self) -> None:
        count, listed = self.model.rowCount(), self.rows.rowCount()
        words = self.tr("Takes · {count}")
        if self.rows.criteria != Criteria():  # folded takes are no less there
            words = self.tr("Takes · {listed} of {count}")
        self.heading.set_title(words.format(count=count, listed=listed))

    @Slot(QItemSelection, QItemSelection)
    def _on_selection(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        chosen = self.chosen
        if len(chosen) == 1:
            self.take_chosen.emit(chosen[0])

    @Slot(QModelIndex)
    def _on_activated(self, index: QModelIndex) -> None:
        take = self.rows.take_at(index)
        if take is not None:
            self.replay_requested.emit(take)

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        take = self.rows.take_at(index)
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
        take = self.rows.take_at(self.view.currentIndex())
        if take is not None and self.model.leads(take):
            folded = not self.model.is_unfolded(take)
            text = self.tr("Show all takes of this press") if folded else self.tr("Fold the takes")
            menu.addAction(text).triggered.connect(lambda: self._unfold(take, folded))
            menu.addSeparator()
        menu.addActions([actions.play_start, actions.take_star, actions.take_rename])
        menu.addSeparator()
        menu.addActions([actions.take_again, actions.take_next, actions.take_settings])
        menu.addSeparator()
        menu.addActions([actions.save_take, actions.export])
        menu.addSeparator()
        menu.addAction(actions.take_delete)
        return menu
