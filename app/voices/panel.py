"""The left column: the voices to choose from."""

from __future__ import annotations

from PySide6.QtCore import (
    QItemSelection,
    QModelIndex,
    QPoint,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QActionGroup, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QLineEdit,
    QListView,
    QMenu,
    QPushButton,
    QWidget,
)

from app.core.actions import Actions
from app.core.theme import Theme
from app.voices.delegate import VoiceDelegate
from app.voices.list_model import SHIPPED, VoiceListModel, VoiceRole
from app.voices.remake_strip import RemakeStrip
from app.voices.voice_filter import ORDERS, FilterMenu, VoiceFilter
from app.widgets.buttons import menu_button
from app.widgets.labels import Heading, label
from app.widgets.layout import in_column, in_row


class VoiceView(QListView):
    """The list with its keys: Enter uses, Del deletes, Ctrl+Z takes back.

    Signals:
        used(), delete_pressed(), undo_pressed(), redo_pressed()
    """

    used = Signal()
    delete_pressed = Signal()
    undo_pressed = Signal()
    redo_pressed = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        editing = self.state() is QAbstractItemView.State.EditingState
        if editing:
            super().keyPressEvent(event)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.used.emit()
        elif event.key() == Qt.Key.Key_Delete:
            self.delete_pressed.emit()
        elif event.matches(QKeySequence.StandardKey.Undo):
            self.undo_pressed.emit()
        elif event.matches(QKeySequence.StandardKey.Redo):
            self.redo_pressed.emit()
        else:
            super().keyPressEvent(event)


class VoicesPanel(QWidget):
    """Search, list, and what can be done with the library.

    Attributes:
        wish: key that was chosen last; its voice may not be in the list now.

    Signals:
        voice_chosen(str): key of the chosen voice, empty for none.
        voice_used(): the user is done choosing.
        order_chosen(str): how the list is sorted.
        hear_requested(str), duplicate_requested(str), export_requested(str),
        reveal_requested(str), details_requested(str), delete_requested(str), star_requested(str):
            with a key.
        undo_requested(), redo_requested()
    """

    voice_chosen = Signal(str)
    voice_used = Signal()
    order_chosen = Signal(str)
    hear_requested = Signal(str)
    duplicate_requested = Signal(str)
    export_requested = Signal(str)
    reveal_requested = Signal(str)
    details_requested = Signal(str)
    delete_requested = Signal(str)
    star_requested = Signal(str)
    undo_requested = Signal()
    redo_requested = Signal()

    def __init__(
        self, model: VoiceListModel, actions: Actions, theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.model = model
        self._actions = actions
        self._theme = theme
        self.heading = Heading(self.tr("Voices"))
        self.search = QLineEdit()
        self.search.setPlaceholderText(self.tr("Search voices"))
        self.search.setAccessibleName(self.tr("Search voices"))
        self.search.setClearButtonEnabled(True)
        self.filter = VoiceFilter(self)
        self.filter.setSourceModel(model)
        self.search.textChanged.connect(self._on_search)
        self.view = self._make_view(theme)
        self.empty = label(
            self.tr("No voices yet. Make one below, or drop a .s2voice file here."),
            "hint",
            wrap=True,
        )
        self.strip = RemakeStrip()
        in_column(
            self.heading, self._make_search_row(), self.strip, (self.view, 1), self.empty,
            self._make_buttons(actions), on=self, margins=(12, 12, 12, 8),
        )  # fmt: skip
        actions.find_voice.triggered.connect(self._focus_search)
        model.modelReset.connect(self._on_reset)
        theme.changed.connect(self.view.viewport().update)
        self._key = ""
        self.wish = ""
        self._filtering = False
        self._by_hand = True
        self._on_reset()

    def _make_view(self, theme: Theme) -> VoiceView:
        view = VoiceView()
        view.setModel(self.filter)
        self.delegate = VoiceDelegate(theme, view)
        self.delegate.hear_clicked.connect(self.hear_requested)
        view.setItemDelegate(self.delegate)
        view.setAccessibleName(self.tr("Voices"))
        view.setMouseTracking(True)
        view.setMinimumHeight(62)
        view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        view.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        view.customContextMenuRequested.connect(self._on_menu)
        view.selectionModel().selectionChanged.connect(self._on_selection)
        view.used.connect(self.voice_used)
        view.delete_pressed.connect(self._on_delete)
        view.undo_pressed.connect(self.undo_requested)
        view.redo_pressed.connect(self.redo_requested)
        return view

    def _make_search_row(self) -> QHBoxLayout:
        name = self.tr("Order and choice of the voices")
        self.sort_button, menu = menu_button(self._theme, "sort", name)
        self._orders = QActionGroup(menu)
        titles = (self.tr("By name"), self.tr("Longest first"), self.tr("Newest first"))
        for order, title in zip(ORDERS, titles, strict=True):
            action = menu.addAction(title)
            action.setCheckable(True)
            action.setData(order)
            action.triggered.connect(lambda _=False, o=order: self._on_order(o))
            self._orders.addAction(action)
        self.only = FilterMenu(menu, self.filter, self.model, self.tr("Only with a star"))
        return in_row((self.search, 1), self.sort_button, spacing=4)

    def _make_buttons(self, actions: Actions) -> QHBoxLayout:
        self.import_button = QPushButton(self.tr("Import…"))
        self.import_button.setToolTip(actions.import_voice.toolTip())
        self.import_button.clicked.connect(actions.import_voice.trigger)
        self.export_button = QPushButton(self.tr("Export…"))
        self.export_button.clicked.connect(lambda: self.export_requested.emit(self._key))
        name = self.tr("More for this voice")
        self.more_button, self.more_menu = menu_button(self._theme, "more", name)
        self.more_menu.aboutToShow.connect(self._fill_more)
        return in_row(self.import_button, self.export_button, None, self.more_button)

    @property
    def key(self) -> str:
        """Key of the chosen voice."""
        return self._key

    @property
    def asking(self) -> bool:
        """The voice that was chosen is gone, and nothing was chosen in its place."""
        gone = self.wish and self.model.row_for(self.wish) is None
        return bool(gone) and not self.wish.startswith(SHIPPED)

    def choose(self, key: str) -> None:
        """Select a voice; one that is not in the list is selected as soon as it is."""
        self.wish = key
        if self.asking:
            self._on_reset()
            return
        row = self.model.row_of(key)
        index = self.filter.mapFromSource(self.model.index(row))
        if not index.isValid():
            self.search.clear()
            self.only.clear()
            index = self.filter.mapFromSource(self.model.index(row))
        self._by_hand = False
        self.view.setCurrentIndex(index)
        self._by_hand = True
        self.view.scrollTo(index)

    def set_order(self, order: str) -> None:
        """Sort the list."""
        self.filter.set_order(order)
        for action in self._orders.actions():
            action.setChecked(action.data() == order)

    def set_playing(self, key: str) -> None:
        """Show which voice sounds."""
        self.delegate.playing = key
        self.view.viewport().update()

    def set_busy(self, key: str) -> None:
        """Show which voice is being decoded."""
        self.delegate.busy = key
        self.view.viewport().update()

    def rename(self, key: str) -> None:
        """Open the editor of a name."""
        index = self.filter.mapFromSource(self.model.index(self.model.row_of(key)))
        if index.isValid():
            self.view.setCurrentIndex(index)
            self.view.edit(index)

    def fill_menu(self, menu: QMenu, key: str) -> None:
        """What can be done with a voice, with its keys."""
        row = self.model.row_for(key)
        here = row is not None and bool(row.key)
        whole = here and row is not None and not row.error
        own = here and row is not None and row.own
        tab = "\t"
        starred = row is not None and row.notes.star
        star = self.tr("Take the star away") if starred else self.tr("Give it a star")
        for text, enabled, signal in (
            (self.tr("Hear what the model hears"), whole, self.hear_requested),
            (self.tr("Details and notes…"), whole, self.details_requested),
            ("", False, None),
            (star, own, self.star_requested),
            (self.tr("Rename") + tab + "F2", own, None),
            (self.tr("Duplicate"), whole, self.duplicate_requested),
            (self.tr("Export…"), whole, self.export_requested),
            (self.tr("Show in folder"), here, self.reveal_requested),
            ("", False, None),
            (self.tr("Move to trash") + tab + self.tr("Del"), own, self.delete_requested),
        ):
            if not text:
                menu.addSeparator()
                continue
            action = menu.addAction(text)
            action.setEnabled(enabled)
            if signal is None:
                action.triggered.connect(lambda _=False, k=key: self.rename(k))
            else:
                action.triggered.connect(lambda _=False, s=signal, k=key: s.emit(k))

    @Slot(QPoint)
    def _on_menu(self, place: QPoint) -> None:
        index = self.view.indexAt(place)
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if index.data(VoiceRole.KEY):
            self.fill_menu(menu, str(index.data(VoiceRole.KEY)))
        else:
            self._fill_library(menu)
        menu.popup(self.view.viewport().mapToGlobal(place))

    @Slot()
    def _fill_more(self) -> None:
        self.more_menu.clear()
        self.fill_menu(self.more_menu, self._current_key())
        self.more_menu.addSeparator()
        self._fill_library(self.more_menu)

    def _fill_library(self, menu: QMenu) -> None:
        menu.addAction(self._actions.refresh_voices)
        menu.addAction(self._actions.reveal_voices)

    def _current_key(self) -> str:
        """The entry under the keyboard; it may be a damaged one, which cannot be chosen."""
        return str(self.view.currentIndex().data(VoiceRole.KEY) or "")

    @Slot()
    def _on_delete(self) -> None:
        if key := self._current_key():
            self.delete_requested.emit(key)

    def _on_order(self, order: str) -> None:
        self.set_order(order)
        self.order_chosen.emit(order)

    @Slot(str)
    def _on_search(self, text: str) -> None:
        self._filtering = True
        self.filter.set_words(text)
        self._select_key()
        self._filtering = False

    @Slot()
    def _focus_search(self) -> None:
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    @Slot(QItemSelection, QItemSelection)
    def _on_selection(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        """Filtering moves the selection to a neighbour; that is nobody's choice."""
        indexes = selected.indexes()
        if not indexes or self._filtering:
            return
        key, asked = str(indexes[0].data(VoiceRole.KEY) or ""), self.asking
        if self._by_hand:
            self.wish = key
            self._show_count()
        self.export_button.setEnabled(bool(key))
        if key != self._key or asked:
            self._key = key
            self.voice_chosen.emit(key)

    @Slot()
    def _on_reset(self) -> None:
        count = self.model.voice_count
        self._show_count()
        self.empty.setVisible(count == 0)
        there = [key for key in (self.wish, self._key) if self.model.row_of(key)]
        key = there[0] if there else ""
        if key != self._key:
            self._key = key
            self.voice_chosen.emit(key)
        self.export_button.setEnabled(bool(self._key))
        self._by_hand = False
        self._select_key()
        self._by_hand = True

    def _show_count(self) -> None:
        count = self.model.voice_count
        self.heading.set_facts(
            self.tr("Choose a voice") if self.asking else str(count) if count else ""
        )

    def _select_key(self) -> None:
        """Filtering may drop the selection; the choice itself stays."""
        if self.asking:
            self.view.clearSelection()
            self.view.setCurrentIndex(QModelIndex())
            return
        index = self.filter.mapFromSource(self.model.index(self.model.row_of(self._key)))
        if not index.isValid():
            self.view.clearSelection()
        elif index != self.view.currentIndex() or not self.view.selectedIndexes():
            self.view.setCurrentIndex(index)
