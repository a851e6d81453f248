"""Where the window plays to and how loud, and what Space does."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox

from app.audio.devices import AudioDevices
from app.cloning.feature import Cloning
from app.core import settings as keys
from app.core.settings import Settings
from app.session import Session
from app.takes.playback import TakePlayback
from app.window import MainWindow


class TransportController(QObject):
    """Ties the transport bar to the sound devices and the settings."""

    def __init__(
        self,
        window: MainWindow,
        session: Session,
        settings: Settings,
        devices: AudioDevices,
        cloning: Cloning,
        playback: TakePlayback,
    ) -> None:
        super().__init__(window)
        self._window, self._session, self._settings = window, session, settings
        self._devices, self._cloning, self._playback = devices, cloning, playback
        bar = window.take.transport
        bar.volume_changed.connect(self._on_volume)
        bar.device_chosen.connect(self._on_device)
        settings.changed.connect(self._on_setting)
        session.player.device_key = settings.get(keys.OUTPUT_DEVICE)
        bar.volume.setValue(settings.get(keys.VOLUME))
        session.player.set_volume(settings.get(keys.VOLUME))

    def list_devices(self) -> None:
        """Fill the list of outputs, or say why there is none."""
        outputs = self._devices.outputs()
        bar = self._window.take.transport
        bar.set_devices(outputs, self._session.player.device_key, self._devices.problem)
        self._cloning.reference.list_devices()
        self._session.availability_changed.emit()

    @Slot()
    def rescan(self) -> None:
        """Ask the system for its devices again."""
        if not self._devices.rescan():
            self._window.toast.say(
                self.tr("Sound is playing. The list is read again when it has ended.")
            )
        self.list_devices()
        if self._devices.problem:
            self._window.toast.say(self._devices.problem)

    @Slot()
    def on_space(self) -> None:
        """Space belongs to a focused button or list first, then to the player."""
        focus = QApplication.focusWidget()
        ours = self._window.take.transport.play_button
        if isinstance(focus, QAbstractButton) and focus is not ours:
            focus.click()
        elif isinstance(focus, QComboBox):
            focus.showPopup()
        else:
            self._playback.play_or_pause()

    @Slot(int)
    def _on_volume(self, percent: int) -> None:
        self._settings.set(keys.VOLUME, percent)
        self._session.player.set_volume(percent)

    @Slot(str)
    def _on_device(self, key: str) -> None:
        self._settings.set(keys.OUTPUT_DEVICE, key)

    @Slot(str)
    def _on_setting(self, key: str) -> None:
        if key == keys.OUTPUT_DEVICE.key:
            self._session.player.device_key = self._settings.get(keys.OUTPUT_DEVICE)
            self.list_devices()
