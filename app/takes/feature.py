"""Everything that belongs to takes, made and tied together in one place."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QPoint, Slot
from PySide6.QtWidgets import QMenu

from app.core.actions import Actions
from app.core.background import Tasks
from app.core.messages import Messages
from app.core.settings import Settings
from app.inference.service import EngineService
from app.takes.checking import TakeChecker
from app.takes.controller import TakesController, VoiceSource
from app.takes.current import CurrentTake
from app.takes.export_controller import ExportController
from app.takes.files import name_of
from app.takes.list_panel import TakesPanel
from app.takes.panel import TakePanel
from app.takes.playback import TakePlayback
from app.takes.selection_menu import SelectionMenu
from app.takes.take import Take, TakeMaker
from app.widgets.save_picture import PictureSaver

SEGMENT_TEXT = 36


class TakesFeature(QObject):
    """What can be done with takes, and the actions that start it.

    Attributes:
        takes, exports: the controllers.
        selection: what can be done with a selected part.
        playback: what Play, Pause and a click into the take do.
    """

    def __init__(
        self,
        panels: tuple[TakePanel, TakesPanel],
        actions: Actions,
        current: CurrentTake,
        maker: TakeMaker,
        service: EngineService,
        settings: Settings,
        tasks: Tasks,
        messages: Messages,
        voices: VoiceSource,
        restore: Callable[[Take], list[str]],
    ) -> None:
        panel, listing = panels
        super().__init__(panel)
        self._saver = PictureSaver(settings, tasks, messages, panel)
        self._panel, self._actions, self._current, self._maker = panel, actions, current, maker
        self.selection = SelectionMenu(panel.axis, current, settings, tasks, messages, panel)
        self.playback = TakePlayback(current, lambda: panel.axis.selection, self)
        self.takes = TakesController(
            listing, current, maker, settings, tasks, messages, voices, restore
        )
        self.checker = TakeChecker(settings, tasks, self)
        self.exports = ExportController(
            listing, current, maker, service, settings, tasks, messages, self.takes
        )
        self._needs_take = (
            actions.export, actions.take_again, actions.take_next, actions.take_settings,
            actions.take_star, actions.take_rename, actions.take_delete,
        )  # fmt: skip
        self._connect_actions()
        current.list.star_clicked.connect(self.takes.toggle_star)
        panel.menu_requested.connect(self._show_menu)
        panel.seek_requested.connect(self.playback.seek)
        panel.loop_changed.connect(self.playback.set_loop)
        current.changed.connect(panel.lanes.show_take)
        panel.lanes.take_chosen.connect(lambda take: current.show(take))
        panel.lanes.replay_requested.connect(self.playback.replay)
        self.checker.checked.connect(current.list.touch)
        listing.take_chosen.connect(lambda take: current.show(take))
        listing.replay_requested.connect(self.playback.replay)
        self.refresh()

    def _connect_actions(self) -> None:
        actions = self._actions
        for action, doing in (
            (actions.save_take, self.exports.save_take),
            (actions.export, self.exports.export),
            (actions.take_again, self.takes.again),
            (actions.take_next, self.takes.next_seed),
            (actions.take_go_on, self.takes.go_on),
            (actions.take_settings, self.takes.settings_back),
            (actions.take_star, self.takes.star),
            (actions.take_rename, self.takes.rename),
            (actions.take_delete, self.takes.delete),
            (actions.take_room, self.takes.choose_room),
        ):
            action.triggered.connect(lambda _=False, doing=doing: doing())

    @Slot(object)
    def on_ended(self, take: Take) -> None:
        """The engine is done with a take: it is kept, and one of several checked."""
        self.takes.on_ended(take)
        if (take.group or take.part) and take.store.length:
            self.checker.check(take)

    def start(self) -> None:
        """Read what was kept."""
        self.takes.start()

    def close(self) -> None:
        """Keep what was heard of a take that is still being made, and leave no files behind."""
        for take in self._current.list.takes:
            if self._maker.is_making(take):
                self.takes.keep(take)
        self.exports.close()

    def segment_menu(self, sample: int) -> QMenu:
        """What can be done at a place of the current take."""
        menu, actions, take = QMenu(self._panel), self._actions, self._current.take
        if take is not None and take.store.complete and take.origin.request.segmentation.sentences:
            segments = take.store.segments()
            index = max(i for i, s in enumerate(segments) if s.start <= sample or i == 0)
            if segments[index].text:
                words = self.tr("Speak piece {number} again: {text}…")
                text = " ".join(segments[index].text.split())[:SEGMENT_TEXT]
                action = menu.addAction(words.format(number=index + 1, text=text))
                action.setEnabled(self._maker.can_ask)
                action.triggered.connect(lambda: self.takes.speak_segment(take, index))
                menu.addSeparator()
        self.selection.add_to(menu, self.playback.play_selection)
        menu.addActions([actions.loop, actions.zoom_in, actions.zoom_out, actions.zoom_all])
        if take is not None:
            self._saver.add_to(menu, lambda: name_of(take), lambda: self._panel.pictures)
        return menu

    @Slot(object, int)
    def _show_menu(self, place: QPoint, sample: int) -> None:
        menu = self.segment_menu(sample)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(place)

    @Slot()
    def refresh(self) -> None:
        """Enable what can be done with the current take."""
        take, actions = self._current.take, self._actions
        sounds = take is not None and take.store.length > 0
        for action in self._needs_take:
            action.setEnabled(sounds)
        for action in (actions.take_again, actions.take_next):
            action.setEnabled(sounds and self._maker.can_ask)
        going = take is not None and self.takes.can_go_on(take)
        actions.take_go_on.setEnabled(going and self._maker.can_ask)
        actions.take_delete.setEnabled(take is not None and not self._maker.is_making(take))
        for action in (actions.loop, actions.zoom_in, actions.zoom_out, actions.zoom_all):
            action.setEnabled(take is not None)
