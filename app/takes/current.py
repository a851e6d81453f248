"""All takes, and which of them is shown: the one thing that every part of a take works on."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from app.audio.peaks import Peaks
from app.audio.player import Player
from app.core.messages import Messages
from app.takes.archive import TakeLibrary
from app.takes.list_model import TakeListModel
from app.takes.provenance import fill_from
from app.takes.take import Take
from engine.takes import SavedTake


class CurrentTake(QObject):
    """Which take is shown.

    Attributes:
        list: all takes, as a table; those of this run first.
        take: the one that is shown, if any.
        player, library: what plays takes, and keeps them.

    Signals:
        changed(Take | None): another take is shown, or none.
    """

    changed = Signal(object)

    def __init__(
        self,
        player: Player,
        library: TakeLibrary,
        messages: Messages,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.list = TakeListModel(self)
        self.take: Take | None = None
        self.player, self.library = player, library
        self._messages = messages
        self._made = 0
        self._wanted: Take | None = None

    def admit(self, take: Take, *, shown: bool = True, place: int = 0) -> None:
        """Number, list and show a take of this run."""
        self._made += 1
        take.number = self._made
        self.list.insert(place, take)
        if shown:
            self.show(take)

    def show(self, take: Take, then: Callable[[], None] | None = None) -> None:
        """Make ``take`` the current one, and ``then`` go on; a kept one is read first."""
        self._wanted = take
        if not take.loaded:
            self.library.load(
                take.entry_id,
                lambda saved, peaks: self._on_read(take, saved, peaks, then),
                self._messages.report,
            )
            return
        if take is not self.take:
            self.take = take
            self.changed.emit(take)
        if then is not None:
            then()

    def forget(self, take: Take, other: Take | None) -> None:
        """A take left the list; ``other`` is shown in its place."""
        if self.player.store is take.store:
            self.player.abort()
        if self.take is take:
            self.take = None
            if other is not None:
                self.show(other)
            else:
                self.changed.emit(None)

    def _on_read(
        self, take: Take, saved: SavedTake, peaks: Peaks, then: Callable[[], None] | None
    ) -> None:
        """The user may look at another one by now."""
        if not take.loaded:
            fill_from(take, saved, peaks)
        self.list.touch(take)
        if self._wanted is take:
            self.show(take, then)
