"""Plays short sounds that are no takes: a clip, or what the model hears of a voice."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QObject, Signal, Slot

from app.audio.player import Player, PlayState
from app.audio.source import FixedSound


class Preview(QObject):
    """One sound at a time, through the player of the takes, so they never sound together.

    Attributes:
        token: names what sounds now; empty when nothing of ours does.

    Signals:
        changed(str): another :attr:`token`.
        position_changed(int): in samples of the sound that was given.
    """

    changed = Signal(str)
    position_changed = Signal(int)

    def __init__(self, player: Player, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.player = player
        self.token = ""
        self._loop = False
        self._loop_of_takes: tuple[int, int] | None = None
        self._sound: FixedSound | None = None
        player.state_changed.connect(self._on_state)
        player.position_changed.connect(self._on_position)

    def play(self, token: str, samples: np.ndarray, rate: int, start: int = 0) -> bool:
        """Play float32 ``(n,)`` from ``start`` on; ``False`` after the player said why not."""
        sound = FixedSound(samples, rate)
        self.player.abort()
        self._forget()
        self._loop_of_takes = self.player.loop
        self._sound = sound
        self.player.set_loop((0, sound.length) if self._loop else None)
        if not self.player.start(sound, start):
            self._forget()
            return False
        self._set(token)
        return True

    def set_loop(self, on: bool) -> None:
        """Play over and over, without a gap."""
        self._loop = on
        if self._sound is not None and self.token:
            self.player.set_loop((0, self._sound.length) if on else None)

    def seek(self, sample: int) -> None:
        """Go on elsewhere in the sound."""
        if self.token:
            self.player.seek(sample)

    def stop(self) -> None:
        """Silence, if it is ours that sounds."""
        if self._sound is not None and self.player.store is self._sound:
            self.player.stop()
        self._forget()

    def _forget(self) -> None:
        if self._sound is not None:
            self._sound = None
            self.player.set_loop(self._loop_of_takes)
        self._set("")

    def _set(self, token: str) -> None:
        if token != self.token:
            self.token = token
            self.changed.emit(token)

    @Slot(object)
    def _on_state(self, state: PlayState) -> None:
        sound = self._sound
        if sound is None:
            return
        if self.player.store is not sound or state is PlayState.IDLE:
            self._forget()

    @Slot(int)
    def _on_position(self, sample: int) -> None:
        if self._sound is not None and self.player.store is self._sound:
            self.position_changed.emit(sample)
