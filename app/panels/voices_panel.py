"""The left column: the voices to choose from."""

from __future__ import annotations

from PySide6.QtCore import (
    QItemSelection,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSortFilterProxyModel,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QLineEdit,
    QListView,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.actions import Actions
from app.models.voice_list import VoiceListModel, VoiceRole
from app.panels.voice_delegate import VoiceDelegate
from app.theme import Theme
from app.widgets.labels import Heading, label
from app.widgets.transport_bar import tool_button


class VoiceFilter(QSortFilterProxyModel):
    """Matches name and transcript; the entry for no voice is always there."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._words = ""

    def filterAcceptsRow(self, row: int, parent: QModelIndex | QPersistentModelIndex) -> bool:
        index = self.sourceModel().index(row, 0, parent)
        if not index.data(VoiceRole.KEY):
            return True
        text = f"{index.data()} {index.data(VoiceRole.DETAIL)}".casefold()
        return self._words in text

    def set_words(self, text: str) -> None:
        """Show entries that contain ``text``."""
        self._words = text.strip().casefold()
        self.invalidate()


class VoicesPanel(QWidget):
    """Search, list, and what can be done with the library.

    Signals:
        voice_chosen(str): key of the chosen voice, empty for none.
    """

    voice_chosen = Signal(str)

    def __init__(
        self, model: VoiceListModel, actions: Actions, theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.model = model
        box = QVBoxLayout(self)
        box.setContentsMargins(12, 12, 12, 12)
        box.setSpacing(8)
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
            self.tr(
                "No voices yet. Drop a .s2voice file here, or import one. Without a voice "
                "the model picks one for each take."
            ),
            "hint",
            wrap=True,
        )
        box.addWidget(self.heading)
        box.addWidget(self.search)
        box.addWidget(self.view, 1)
        box.addWidget(self.empty)
        box.addLayout(self._make_buttons(actions))
        actions.find_voice.triggered.connect(self._focus_search)
        model.modelReset.connect(self._on_reset)
        theme.changed.connect(self.view.viewport().update)
        self._key = ""
        self._filtering = False
        self._on_reset()

    def _make_view(self, theme: Theme) -> QListView:
        view = QListView()
        view.setModel(self.filter)
        view.setItemDelegate(VoiceDelegate(theme, view))
        view.setAccessibleName(self.tr("Voices"))
        view.setMouseTracking(True)
        view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        view.selectionModel().selectionChanged.connect(self._on_selection)
        return view

    def _make_buttons(self, actions: Actions) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        self.import_button = QPushButton(self.tr("Import…"))
        self.import_button.setToolTip(actions.import_voice.toolTip())
        self.import_button.clicked.connect(actions.import_voice.trigger)
        row.addWidget(self.import_button)
        row.addStretch(1)
        row.addWidget(
            tool_button(actions.refresh_voices, self.tr("Read the voices folder again"), "flat")
        )
        row.addWidget(tool_button(actions.reveal_voices, self.tr("Open the voices folder"), "flat"))
        return row

    @property
    def key(self) -> str:
        """Key of the chosen voice."""
        return self._key

    def choose(self, key: str) -> None:
        """Select a voice; an unknown key selects none."""
        row = self.model.row_of(key)
        index = self.filter.mapFromSource(self.model.index(row))
        if not index.isValid():
            self.search.clear()
            index = self.filter.mapFromSource(self.model.index(row))
        self.view.setCurrentIndex(index)

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
        key = str(indexes[0].data(VoiceRole.KEY) or "")
        if key != self._key:
            self._key = key
            self.voice_chosen.emit(key)

    @Slot()
    def _on_reset(self) -> None:
        count = self.model.voice_count
        self.heading.set_facts(str(count) if count else "")
        self.empty.setVisible(count == 0)
        if self.model.row_of(self._key) == 0 and self._key:
            self._key = ""
            self.voice_chosen.emit("")
        self._select_key()

    def _select_key(self) -> None:
        """Filtering may drop the selection; the choice itself stays."""
        index = self.filter.mapFromSource(self.model.index(self.model.row_of(self._key)))
        if not index.isValid():
            self.view.clearSelection()
        elif index != self.view.currentIndex() or not self.view.selectedIndexes():
            self.view.setCurrentIndex(index)
