"""Everything that belongs to takes, made and tied together in one place."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QPoint, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from app.audio.player import Player
from app.core.background import Tasks
from app.core.settings import Settings
from app.session import Session
from app.takes.archive import TakeLibrary
from app.takes.controller import TakesController
from app.takes.export_controller import ExportController
from app.takes.playback import TakePlayback
from app.window import MainWindow
from engine.errors import EngineError

Report = Callable[[EngineError, str, Callable[[], None] | None], None]
PIECE_TEXT = 36


class TakesFeature(QObject):
    """The archive, the flows over it, and the actions that start them.

    Attributes:
        takes, exports: the flows.
        playback: what Play, Pause and a click into the take do.
    """

    def __init__(
        self,
        window: MainWindow,
        session: Session,
        settings: Settings,
        tasks: Tasks,
        library: TakeLibrary,
        player: Player,
        report: Report,
    ) -> None:
        super().__init__(window)
        self._window, self._session = window, session
        self.library = library
        self.playback = TakePlayback(player, session.current, self)
        self.takes = TakesController(window, session, settings, self.library, report)
        self.exports = ExportController(window, session, settings, tasks, self.takes, report)
        actions = window.actions_
        self._needs_take = (
            actions.export, actions.take_again, actions.take_next, actions.take_settings,
            actions.take_star, actions.take_rename, actions.take_delete,
        )  # fmt: skip
        for action, doing in (
            (actions.save_take, self.exports.save_take),
            (actions.export, self.exports.export),
            (actions.take_again, self.takes.again),
            (actions.take_next, self.takes.next_seed),
            (actions.take_settings, self.takes.settings_back),
            (actions.take_star, self.takes.star),
            (actions.take_rename, self.takes.rename),
            (actions.take_delete, self.takes.delete),
            (actions.take_room, self.takes.choose_room),
        ):
            _on_trigger(action, doing)
        session.current.list.star_clicked.connect(self.takes.toggle_star)
        session.availability_changed.connect(self._refresh)
        window.take.menu_requested.connect(self._show_menu)
        self._refresh()

    def start(self) -> None:
        """Read what was kept."""
        self.takes.start()

    def close(self) -> None:
        """Keep what was heard of a take that is still being made, and leave no files behind."""
        running = self._session.running
        if running is not None and self._session.current.list.row_of(running) >= 0:
            self.takes.keep(running)
        self.exports.close()

    def segment_menu(self, sample: int) -> QMenu:
        """What can be done at a place of the current take."""
        menu = QMenu(self._window)
        actions = self._window.actions_
        take = self._session.current.take
        pieces = take.pieces if take is not None else []
        if take is not None and pieces and take.store.complete:
            runs = take.store.segments()
            index = max(i for i, run in enumerate(runs) if run[2] <= sample or i == 0)
            # A model that speaks short texts only has cut it finer than the request says.
            if len(runs) <= len(pieces) and index < len(pieces):
                words = self.tr("Speak piece {number} again: {text}…")
                text = " ".join(pieces[index].split())[:PIECE_TEXT]
                action = menu.addAction(words.format(number=index + 1, text=text))
                action.setEnabled(self._session.can_generate)
                action.triggered.connect(lambda: self.takes.speak_segment(take, index))
                menu.addSeparator()
        menu.addActions([actions.loop, actions.zoom_in, actions.zoom_out, actions.zoom_all])
        return menu

    @Slot(object, int)
    def _show_menu(self, place: QPoint, sample: int) -> None:
        menu = self.segment_menu(sample)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(place)

    @Slot()
    def _refresh(self) -> None:
        """Enable what can be done with the current take."""
        take = self._session.current.take
        there = take is not None and take.store.length > 0
        for action in self._needs_take:
            action.setEnabled(there)
        actions = self._window.actions_
        for action in (actions.take_again, actions.take_next):
            action.setEnabled(there and self._session.can_generate)
        actions.take_delete.setEnabled(take is not None and take is not self._session.running)
        for action in (actions.loop, actions.zoom_in, actions.zoom_out, actions.zoom_all):
            action.setEnabled(take is not None)


def _on_trigger(action: QAction, doing: Callable[[], None]) -> None:
    action.triggered.connect(lambda _=False: doing())
