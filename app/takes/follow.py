"""The script follows what is heard: the spoken sentence is lit, and a click plays from there."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QObject, SignalInstance, Slot
from PySide6.QtGui import QAction

from app.audio.player import Player, PlayState
from app.core.messages import Messages
from app.takes.current import CurrentTake
from app.takes.spoken import SpokenText


class TextView(Protocol):
    """Where the text stands."""

    textChanged: SignalInstance  # noqa: N815
    play_requested: SignalInstance

    @property
    def text(self) -> str: ...

    def light(self, span: tuple[int, int] | None) -> None: ...


class SpokenFollower(QObject):
    """Ties the script to the player while it is the text of the take that is heard.

    Args:
        wanted: checked while the spoken sentence shall be lit.
    """

    def __init__(
        self,
        script: TextView,
        current: CurrentTake,
        player: Player,
        wanted: QAction,
        messages: Messages,
    ) -> None:
        super().__init__(wanted)
        self._script, self._current, self._player = script, current, player
        self._wanted, self._messages = wanted, messages
        self._spoken: SpokenText | None = None
        self._known = False
        self._lit: tuple[int, int] | None = None
        script.textChanged.connect(self._forget)
        current.changed.connect(self._forget)
        script.play_requested.connect(self._play_from)
        player.position_changed.connect(self._show)
        player.state_changed.connect(self._show)
        wanted.toggled.connect(self._show)

    @Slot()
    def _forget(self) -> None:
        """Text or take are others: whether they belong together is looked at when needed."""
        self._spoken, self._known = None, False
        self._light(None)

    def _find(self) -> SpokenText | None:
        take = self._current.take
        if not self._known and take is not None:
            self._known, text = True, take.origin.request.text
            self._spoken = SpokenText(text, take.store) if self._script.text == text else None
        return self._spoken

    @Slot()
    def _show(self) -> None:
        take, player = self._current.take, self._player
        heard = take is not None and player.store is take.store
        if not heard or player.state is PlayState.IDLE or not self._wanted.isChecked():
            self._light(None)
            return
        spoken = self._find()
        self._light(spoken.at(player.position) if spoken is not None else None)

    def _light(self, span: tuple[int, int] | None) -> None:
        if span != self._lit:
            self._lit = span
            self._script.light(span)

    @Slot(int)
    def _play_from(self, position: int) -> None:
        take, spoken = self._current.take, self._find()
        if take is None or not take.store.length:
            self._messages.say(self.tr("There is no take of this text yet."))
            return
        if spoken is None:
            self._messages.say(self.tr("The text is not the one of this take any more."))
            return
        sample = spoken.sample_of(position)
        if sample is None:
            self._messages.say(self.tr("This has not been spoken yet."))
        elif self._player.store is take.store and self._player.state is not PlayState.IDLE:
            self._player.seek(sample)
            self._player.resume()
        else:
            self._player.start(take.store, sample)
