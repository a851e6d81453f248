"""The model manager: what there is, what is here, what fits, and everything to do with it."""

from __future__ import annotations

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QListView,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.core.settings import Settings
from app.core.theme import Theme
from app.model_files.delegate import ModelDelegate
from app.model_files.details import ModelDetails
from app.model_files.license_page import LicensePage
from app.model_files.list_model import ModelListModel, ModelRole
from app.model_files.network_form import NetworkForm
from app.widgets.labels import label, set_state
from engine.hub import License

SIZE = (940, 600)
LIST_WIDTH = 360


class ModelView(QListView):
    """The list; Enter does what the main button does, Del removes.

    Signals:
        used(), delete_pressed()
    """

    used = Signal()
    delete_pressed = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.used.emit()
        elif event.key() == Qt.Key.Key_Delete:
            self.delete_pressed.emit()
        else:
            super().keyPressEvent(event)


class ModelsDialog(QDialog):
    """A list on the left, the chosen one on the right; the license takes the whole place.

    Signals:
        asked(str, str): what to do (see :class:`ModelDetails`) with the entry of a key.
        own_file_asked(), folder_asked(): the buttons below the list.
        license_accepted(str): for the entry of a key.
    """

    asked = Signal(str, str)
    own_file_asked = Signal()
    folder_asked = Signal()
    license_accepted = Signal(str)

    def __init__(
        self,
        model: ModelListModel,
        settings: Settings,
        theme: Theme,
        usual_folder: str,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Models"))
        self._model = model
        self._license_for = ""
        box = QVBoxLayout(self)
        box.setContentsMargins(24, 16, 24, 16)
        self.pages = QStackedWidget()
        box.addWidget(self.pages)
        self.license = LicensePage()
        self.license.refused.connect(self.show_list)
        self.license.accepted.connect(self._accept_license)
        self.pages.addWidget(self._make_main(settings, theme, usual_folder))
        self.pages.addWidget(self.license)
        model.dataChanged.connect(self._follow)
        model.modelReset.connect(self._on_reset)
        room = self.screen().availableGeometry()
        self.resize(min(SIZE[0], room.width()), min(SIZE[1], room.height()))
        self._chosen = ""
        self.choose(model.rows[0].key if model.rows else "")
        self.view.setFocus()

    def _make_main(self, settings: Settings, theme: Theme, usual: str) -> QWidget:
        page = QWidget()
        row = QHBoxLayout(page)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(24)
        row.addLayout(self._make_left(theme))
        right = QWidget()
        side = QVBoxLayout(right)
        side.setContentsMargins(0, 0, 8, 0)
        side.setSpacing(16)
        self.details = ModelDetails(self._model)
        self.details.asked.connect(lambda what: self.asked.emit(what, self._chosen))
        self.note = label("", "value", wrap=True)
        self.note.hide()
        self.network = NetworkForm(settings, usual)
        side.addWidget(self.details)
        side.addWidget(self.note)
        side.addStretch(1)
        side.addWidget(self.network)
        area = QScrollArea()
        area.setWidget(right)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        row.addWidget(area, 1)
        return page

    def _make_left(self, theme: Theme) -> QVBoxLayout:
        left = QVBoxLayout()
        left.setSpacing(8)
        self.view = ModelView()
        self.view.setModel(self._model)
        self.view.setItemDelegate(ModelDelegate(theme, self.view))
        self.view.setAccessibleName(self.tr("Model files"))
        self.view.setFixedWidth(LIST_WIDTH)
        self.view.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.view.selectionModel().currentChanged.connect(self._on_current)
        for used in (self.view.doubleClicked, self.view.used):
            used.connect(lambda *_: self.details.do_primary())
        self.view.delete_pressed.connect(self._remove)
        left.addWidget(self.view, 1)
        self.advice = label("", "hint", wrap=True)
        self.measure = QPushButton(self.tr("Measure this computer"))
        self.measure.setAutoDefault(False)
        left.addWidget(self.advice)
        left.addWidget(self.measure)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        self.own = QPushButton(self.tr("Use my own file…"))
        self.own.clicked.connect(self.own_file_asked)
        self.folder = QPushButton(self.tr("Open the folder"))
        self.folder.clicked.connect(self.folder_asked)
        close = QPushButton(self.tr("Close"))
        close.clicked.connect(self.reject)
        for button in (self.own, self.folder, close):
            button.setAutoDefault(False)
            buttons.addWidget(button)
        left.addLayout(buttons)
        return left

    @property
    def chosen(self) -> str:
        """Key of the chosen entry."""
        return self._chosen

    def choose(self, key: str) -> None:
        """Choose the entry of ``key``."""
        number = self._model.number_of(key)
        if number < 0:
            self._chosen = ""
            self.details.show_row(None)
            return
        flags = QItemSelectionModel.SelectionFlag.ClearAndSelect
        self.view.selectionModel().setCurrentIndex(self._model.index(number), flags)
        self._chosen = key
        self._follow()

    def set_offline(self, on: bool) -> None:
        """Follow offline mode."""
        self.details.set_offline(on)
        self._follow()

    def say(self, text: str, mood: str = "") -> None:
        """A sentence below the details; empty takes it away."""
        self.note.setText(text)
        self.note.setVisible(bool(text))
        set_state(self.note, mood)

    def show_license(self, license: License, key: str) -> None:
        """Ask for the license before the entry of ``key`` is fetched."""
        self._license_for = key
        self.license.show_license(license)
        self.pages.setCurrentWidget(self.license)
        self.license.accept.setFocus()

    @Slot()
    def show_list(self) -> None:
        """Back from the license."""
        self.pages.setCurrentIndex(0)
        self.view.setFocus()

    @Slot()
    def _accept_license(self) -> None:
        self.show_list()
        self.license_accepted.emit(self._license_for)

    @Slot()
    def _remove(self) -> None:
        if self.details.buttons["remove"].isVisibleTo(self.details):
            self.asked.emit("remove", self._chosen)

    @Slot(QModelIndex)
    def _on_current(self, index: QModelIndex) -> None:
        key = str(index.data(ModelRole.KEY) or "")
        if key and key != self._chosen:
            self._chosen = key
            self.say("")
        self._follow()

    @Slot()
    def _on_reset(self) -> None:
        """Other entries: stay with the chosen one where it is still there."""
        rows = self._model.rows
        key = self._chosen if self._model.number_of(self._chosen) >= 0 else ""
        self.choose(key or (rows[0].key if rows else ""))

    @Slot()
    def _follow(self) -> None:
        self.details.show_row(self._model.row_for(self._chosen))
