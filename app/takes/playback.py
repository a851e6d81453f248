"""What the keys and buttons of a player do with the take that is shown."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Slot

from app.audio.player import PlayState
from app.takes.current import CurrentTake
from app.takes.take import Take

Region = tuple[int, int] | None


class TakePlayback(QObject):
    """Plays the current take, or what is selected of it."""

    def __init__(
        self,
        current: CurrentTake,
        selection: Callable[[], Region],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._selection = selection
        self._current, self._player = current, current.player

    @property
    def _plays_current(self) -> bool:
        take = self._current.take
        return take is not None and self._player.store is take.store

    @Slot()
    def play_or_pause(self) -> None:
        """The one button of a player."""
        player, take = self._player, self._current.take
        sounding = player.state in (PlayState.PLAYING, PlayState.BUFFERING)
        if sounding and self._plays_current:
            player.pause()
        elif player.state is PlayState.PAUSED and self._plays_current:
            player.resume()
        elif take is not None and self._selection() is not None:
            self.play_selection()
        elif take is not None:
            at = player.position if player.store is take.store else 0
            player.start(take.store, at if at < take.store.length else 0)

    @Slot()
    def play_selection(self) -> None:
        """Play what is selected, and no more."""
        take, region = self._current.take, self._selection()
        if take is not None and region is not None:
            self._player.start(take.store, region[0], until=region[1])

    @Slot()
    def play_from_start(self) -> None:
        """Play the current take from its first sample."""
        take = self._current.take
        if take is not None:
            self._player.start(take.store)

    @Slot(object)
    def replay(self, take: Take) -> None:
        """Show ``take`` and play it from the start."""
        self._current.show(take, self.play_from_start)

    @Slot(int)
    def seek(self, sample: int) -> None:
        """Move to ``sample``; when idle, playing will start there."""
        take = self._current.take
        if take is None:
            return
        if self._player.state is not PlayState.IDLE and self._plays_current:
            self._player.seek(sample)
        else:
            self._player.stop()
            self._player.cue(take.store, sample)

    @Slot(object)
    def set_loop(self, region: tuple[int, int] | None) -> None:
        """Play a region of the current take over and over; it starts at once when silent."""
        self._player.set_loop(region)
        take = self._current.take
        if region is None or take is None:
            return
        if not self._plays_current or self._player.state is PlayState.IDLE:
            self._player.start(take.store, region[0])
