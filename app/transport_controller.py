"""Where the window plays to and how loud, and what Space does."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox

from app.audio.devices import AudioDevices
from app.audio.player import Player
from app.core import settings as keys
from app.core.messages import Messages
from app.core.settings import Settings
from app.takes.playback import TakePlayback
from app.takes.transport_bar import TransportBar


class TransportController(QObject):
    """Ties the transport bar to the sound devices and the settings.

    Signals:
        devices_changed(): they were asked for again, or another one was chosen.
    """

    devices_changed = Signal()

    def __init__(
        self,
        bar: TransportBar,
        settings: Settings,
        messages: Messages,
        devices: AudioDevices,
        player: Player,
        playback: TakePlayback,
    ) -> None:
        super().__init__(bar)
        self._bar, self._settings, self._messages = bar, settings, messages
        self._devices, self._player, self._playback = devices, player, playback
        bar.volume_changed.connect(self._on_volume)
        bar.device_chosen.connect(lambda key: settings.set(keys.OUTPUT_DEVICE, key))
        settings.watch(keys.OUTPUT_DEVICE, self._on_device)
        player.device_key = settings.get(keys.OUTPUT_DEVICE)
        bar.volume.setValue(settings.get(keys.VOLUME))
        player.set_volume(settings.get(keys.VOLUME))

    def list_devices(self) -> None:
        """Fill the list of outputs, or say why there is none."""
        outputs = self._devices.outputs()
        self._bar.set_devices(outputs, self._player.device_key, self._devices.problem)
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
