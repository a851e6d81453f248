"""Which take is played, where to and how loud, and what Space does."""

from __future__ import annotations

import math

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox

from app.audio.devices import AudioDevices
from app.audio.player import Player, PlayState
from app.core import settings as keys
from app.core.messages import Messages
from app.core.settings import Settings
from app.takes.current import CurrentTake
from app.takes.panel import TakePanel
from app.takes.playback import TakePlayback
from app.takes.take import Take


class TransportController(QObject):
    """Ties the panel of the take to the player, the sound devices and the settings.

    Signals:
        devices_changed(): they were asked for again, or another one was chosen.
    """

    devices_changed = Signal()

    def __init__(
        self,
        panel: TakePanel,
        current: CurrentTake,
        settings: Settings,
        messages: Messages,
        devices: AudioDevices,
        player: Player,
        playback: TakePlayback,
    ) -> None:
        super().__init__(panel)
        bar = panel.transport
        self._panel, self._current, self._bar = panel, current, bar
        self._settings, self._messages = settings, messages
        self._devices, self._player, self._playback = devices, player, playback
        bar.volume_changed.connect(self._on_volume)
        bar.device_chosen.connect(lambda key: settings.set(keys.OUTPUT_DEVICE, key))
        settings.watch(keys.OUTPUT_DEVICE, self._on_device)
        current.changed.connect(self._on_take)
        player.position_changed.connect(self._on_position)
        player.state_changed.connect(self._on_play_state)
        player.waiting.connect(self._on_waiting)
        self._note = ""
        player.device_key = settings.get(keys.OUTPUT_DEVICE)
        bar.volume.setValue(settings.get(keys.VOLUME))
        player.set_volume(settings.get(keys.VOLUME))

    def list_devices(self) -> None:
        """Fill the list of outputs, or say why there is none."""
        outputs = self._devices.outputs()
        self._bar.device.set_devices(outputs, self._player.device_key, self._devices.problem)
        self.devices_changed.emit()

    @Slot()
    def rescan(self) -> None:
        """Ask the system for its devices again."""
        if not self._devices.rescan():
            self._messages.say(
                self.tr("Sound is playing. The list is read again when it has ended.")
            )
        self.list_devices()
        if self._devices.problem:
            self._messages.say(self._devices.problem)

    @Slot()
    def on_space(self) -> None:
        """Space belongs to a focused button or list first, then to the player."""
        focus = QApplication.focusWidget()
        if isinstance(focus, QAbstractButton) and focus is not self._bar.play_button:
            focus.click()
        elif isinstance(focus, QComboBox):
            focus.showPopup()
        else:
            self._playback.play_or_pause()

    @Slot(int)
    def _on_volume(self, percent: int) -> None:
        self._settings.set(keys.VOLUME, percent)
        self._player.set_volume(percent)

    @Slot(object)
    def _on_device(self, key: str) -> None:
        self._player.device_key = key
        self.list_devices()

    @property
    def _played(self) -> bool:
        """The take that is shown is the one that the player holds."""
        take = self._current.take
        return take is not None and self._player.store is take.store

    @Slot(object)
    def _on_take(self, take: Take | None) -> None:
        if take is None:
            self._panel.show_take(None, self.tr("Take"))
            return
        title = self.tr("Take {number}").format(number=take.number)
        if not take.number:
            title = self.tr("Take of {time}").format(time=f"{take.origin.made:%Y-%m-%d %H:%M}")
        self._panel.show_take(
            take.store, f"{title} · {take.origin.voice}" if take.origin.voice else title
        )
        self._on_position(self._player.position)
        self._on_play_state(self._player.state)

    @Slot(int)
    def _on_position(self, sample: int) -> None:
        if self._played:
            self._panel.set_position(sample)

    @Slot(object)
    def _on_play_state(self, state: PlayState) -> None:
        if self._current.take is not None and not self._played:
            state = PlayState.IDLE
        self._note = self.tr("buffering") if state is PlayState.BUFFERING else ""
        self._panel.set_play_state(state, self._note)

    @Slot(float)
    def _on_waiting(self, seconds: float) -> None:
        if self._player.state is not PlayState.BUFFERING or not self._played:
            return
        note = self.tr("buffering")
        if not math.isinf(seconds):
            note = self.tr("starts in {seconds} s").format(seconds=max(1, math.ceil(seconds)))
        if note != self._note:
            self._note = note
            self._panel.set_play_state(PlayState.BUFFERING, note)
