"""The main window: columns, menus, status line, drag and drop. It holds no truth.

Everything it shows comes from the studio's signals; everything the user does goes out through
actions or the studio's methods. ``application.py`` ties them together.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QByteArray, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QGuiApplication,
    QKeyEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QHBoxLayout,
    QMainWindow,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.cloning.clip import ReferenceClip
from app.cloning.clip_files import SUFFIXES
from app.cloning.panel import ReferencePanel
from app.core import settings as keys
from app.core.actions import Actions
from app.core.icons import application_icon
from app.core.settings import Settings
from app.core.theme import Theme
from app.inference.backends import BackendFacts
from app.inference.panel import EnginePanel
from app.inference.status_line import StatusLine
from app.script.panel import ScriptPanel
from app.servers.remote_form import RemoteForm
from app.servers.serve_form import ServeForm
from app.takes.list_model import TakeListModel
from app.takes.list_panel import TakesPanel
from app.takes.panel import TakePanel
from app.takes.queue_button import QueueButton
from app.voices.list_model import VoiceListModel
from app.voices.panel import VoicesPanel
from app.welcome.card import WelcomeCard
from app.widgets.banner import Banner
from app.widgets.drop_overlay import DropOverlay
from app.widgets.labels import label, set_state
from app.widgets.toast import Toast
from engine.voices import BUNDLE, EXTENSION

COLUMNS = (276, 790, 300)
ROWS = (260, 340, 104)
LEAST_VOICES = 212
LEAST_REFERENCE = 150
DROPS = (".gguf", EXTENSION, BUNDLE, ".txt", *SUFFIXES)


class MainWindow(QMainWindow):
    """The studio's one window.

    Signals:
        closing(): the user closes it; the application ends everything.
        dropped(list): paths that were dropped on it.
    """

    closing = Signal()
    dropped = Signal(list)

    def __init__(
        self,
        settings: Settings,
        theme: Theme,
        voices: VoiceListModel,
        takes: TakeListModel,
        facts: BackendFacts,
    ) -> None:
        super().__init__()
        self._settings = settings
        self.theme = theme
        self.setWindowTitle(self.tr("S2 Voice Studio"))
        self.setWindowIcon(application_icon())
        self.setAcceptDrops(True)
        self.actions_ = Actions(self, settings, theme)
        self.voices = VoicesPanel(voices, self.actions_, theme)
        self.reference = ReferencePanel(ReferenceClip(self), theme)
        self.left = LeftColumn(self.voices, self.reference)
        self.script = ScriptPanel(settings, self.actions_, theme, voices.usable)
        voices.modelReset.connect(self.script.speakers.refill)
        self.voices.voice_used.connect(self.script.editor.setFocus)
        self.queue = QueueButton()
        self.script.add_to_top(self.queue)
        self.take = TakePanel(self.actions_, theme, takes)
        self.takes = TakesPanel(takes, self.actions_)
        self.card = WelcomeCard(theme)
        self.remote, self.serve = RemoteForm(settings), ServeForm(settings)
        self.engine = EnginePanel(settings, facts, self.remote, self.serve)
        self.status = StatusLine()
        self.status.follow(facts)
        self.banner = Banner()
        self._build()
        self._build_menu()
        self.toast = Toast(self)
        self.overlay = DropOverlay(self, theme)
        self._restore()

    def _build(self) -> None:
        self.below = QStackedWidget()
        self.below.addWidget(self.card)
        self.below.addWidget(self.take)
        self.below.setMinimumHeight(280)
        self.middle = QSplitter(Qt.Orientation.Vertical)
        self.middle.addWidget(self.script)
        self.middle.addWidget(self.below)
        self.middle.addWidget(self.takes)
        self.takes.hide()
        for index, stretch in enumerate((3, 4, 1)):
            self.middle.setStretchFactor(index, stretch)
        self.middle.setSizes(list(ROWS))
        self.columns = QSplitter(Qt.Orientation.Horizontal)
        for widget in (self.left, self.middle, self.engine):
            self.columns.addWidget(widget)
        self.columns.setStretchFactor(0, 0)
        self.columns.setStretchFactor(1, 1)
        self.columns.setStretchFactor(2, 0)
        self.columns.setSizes(list(COLUMNS))
        for splitter in (self.middle, self.columns):
            splitter.setHandleWidth(1)
            splitter.setChildrenCollapsible(False)
        self.left.setMinimumWidth(252)
        self.engine.setMinimumWidth(260)
        self.middle.setMinimumWidth(420)
        central = QWidget()
        box = QVBoxLayout(central)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addWidget(self.banner)
        box.addWidget(self.columns, 1)
        box.addWidget(self.status)
        self.setCentralWidget(central)

    def _build_menu(self) -> None:
        bar = self.menuBar()
        self.recent_menu, self.clips_menu = self.actions_.fill(bar)
        corner = self._corner = QWidget(bar)
        row = QHBoxLayout(corner)
        row.setContentsMargins(0, 4, 12, 2)
        row.setSpacing(8)
        brand = self._brand = label(self.tr("S2 Voice Studio"), "brand")
        brand.setContentsMargins(12, 4, 8, 2)
        bar.setCornerWidget(brand, Qt.Corner.TopLeftCorner)
        self.model_chip = label("", "chip")
        self.state_chip = label("", "chip")
        self.state_chip.setAccessibleName(self.tr("State of the engine"))
        row.addWidget(self.model_chip)
        row.addWidget(self.state_chip)
        bar.setCornerWidget(corner, Qt.Corner.TopRightCorner)

    def show_share(self, percent: int) -> None:
        """In the title, where it is seen while the window is not: how far long work is."""
        name = self.tr("S2 Voice Studio")
        self.setWindowTitle(f"{percent} % · {name}" if percent else name)

    def show_take_area(self, on: bool) -> None:
        """The take, or the card of the first steps."""
        self.below.setCurrentWidget(self.take if on else self.card)

    def set_chips(self, model: str, state_text: str, state: str) -> None:
        """The model's name and the engine's state, at the right of the menus."""
        self.model_chip.setText(model)
        self.model_chip.setVisible(bool(model))
        self.state_chip.setText(f"● {state_text}")
        set_state(self.state_chip, state)
        # The menu bar measures its corner only when it is given one.
        self._corner.adjustSize()
        self.menuBar().setCornerWidget(self._corner, Qt.Corner.TopRightCorner)
        self._corner.show()

    def save_state(self) -> None:
        """Keep position, sizes and the unsent text."""
        self.script.measure()
        self._settings.set(keys.GEOMETRY, self.saveGeometry())
        self._settings.set(keys.LEFT_HEIGHT, self.left.wish)
        self._settings.set(keys.SPLIT_COLUMNS, self.columns.saveState())
        self._settings.set(keys.SPLIT_MIDDLE, self.middle.saveState())

    def _restore(self) -> None:
        get = self._settings.get
        screen = QGuiApplication.primaryScreen().availableGeometry()
        self.resize(min(1366, screen.width()), min(820, screen.height()))
        self.left.wish = get(keys.LEFT_HEIGHT)
        geometry: QByteArray = get(keys.GEOMETRY)
        if not geometry.isEmpty():
            self.restoreGeometry(geometry)
            self._keep_on_screen()
        for splitter, setting in (
            (self.columns, keys.SPLIT_COLUMNS),
            (self.middle, keys.SPLIT_MIDDLE),
        ):
            state: QByteArray = get(setting)
            if not state.isEmpty():
                splitter.restoreState(state)

    def _keep_on_screen(self) -> None:
        """The screen that it was on may be gone."""
        frame = self.frameGeometry()
        if not any(s.availableGeometry().intersects(frame) for s in QGuiApplication.screens()):
            self.move(QGuiApplication.primaryScreen().availableGeometry().topLeft())

    def closeEvent(self, event: QCloseEvent) -> None:
        self.closing.emit()
        event.accept()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        paths = dropped_paths(event)
        if paths and event.source() is None:  # a take that is dragged out does not come back
            event.acceptProposedAction()
            self.overlay.offer(self._offer_text(paths))

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.overlay.hide()

    def dropEvent(self, event: QDropEvent) -> None:
        self.overlay.hide()
        paths = dropped_paths(event)
        if paths:
            event.acceptProposedAction()
            self.dropped.emit(paths)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.toast.isVisible():
            self.toast.hide()
        super().keyPressEvent(event)

    def _offer_text(self, paths: list[Path]) -> str:
        texts = {
            ".gguf": self.tr("Drop to open this model"),
            **dict.fromkeys((EXTENSION, BUNDLE), self.tr("Drop to add this voice")),
            ".txt": self.tr("Drop to make this the script"),
        }
        clip = self.tr("Drop a take to bring it back, or a clip to make a voice of it")
        return texts.get(paths[0].suffix.lower(), clip)


class LeftColumn(QSplitter):
    """Gives the reference what it needs and the voices the rest, until the user moves the
    border; then only what would be cut off is pushed away.

    Attributes:
        wish: height of the reference that the user chose; 0 before.
    """

    def __init__(
        self, voices: VoicesPanel, reference: ReferencePanel, parent: QWidget | None = None
    ) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self.reference = reference
        self.addWidget(voices)
        self.addWidget(reference)
        self.setHandleWidth(1)
        self.setChildrenCollapsible(False)
        voices.setMinimumHeight(LEAST_VOICES)
        self.setStretchFactor(0, 1)
        self.setStretchFactor(1, 0)
        self.wish = 0
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self.fit)
        reference.size_changed.connect(self._timer.start)
        self.splitterMoved.connect(self._on_moved)

    def minimumSizeHint(self) -> QSize:
        return QSize(240, LEAST_VOICES + LEAST_REFERENCE)

    @Slot()
    def fit(self) -> None:
        """Share the height."""
        total = self.height() - self.handleWidth()
        need = self.reference.sizeHint().height()
        below = max(LEAST_REFERENCE, min(max(need, self.wish), total - LEAST_VOICES))
        if self.sizes() != [total - below, below]:
            self.setSizes([total - below, below])
        self.reference.settle_bar()

    @Slot(int, int)
    def _on_moved(self, position: int, index: int) -> None:
        self.wish = self.height() - position

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._timer.start()


def dropped_paths(event: QDropEvent) -> list[Path]:
    """Local files of kinds that the window knows."""
    data = event.mimeData()
    if data is None or not data.hasUrls():
        return []
    paths = [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
    return [p for p in paths if p.suffix.lower() in DROPS]
