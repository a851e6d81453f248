"""A list of sound devices to choose from."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QComboBox, QWidget

from app.audio.devices import Device
from app.core.engine_texts import engine_text
from app.core.formats import plain_tip


class DeviceBox(QComboBox):
    """Outputs or microphones by name; a wish that is not there stays visible as missing.

    Signals:
        device_chosen(str): key of a device, by the user.
    """

    device_chosen = Signal(str)

    def __init__(self, name: str, none: str, parent: QWidget | None = None) -> None:
        """``none`` is what the list says when it is empty."""
        super().__init__(parent)
        self._none = none
        self.setAccessibleName(name)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.activated.connect(self._on_device)

    def set_devices(self, devices: Sequence[Device], key: str, problem: str) -> None:
        """Fill the list and show ``key``; ``problem`` says why there are none."""
        self.clear()
        for device in devices:
            self.addItem(device.title if device.key else self.tr("System default"), device.key)
        if devices and key and key not in {device.key for device in devices}:
            self.addItem(self.tr("{name} (missing)").format(name=key), key)
        if not devices:
            self.addItem(self._none, "")
        self.setEnabled(bool(devices))
        self.setCurrentIndex(max(0, self.findData(key)))
        self.setToolTip(plain_tip(engine_text(problem) or self.currentText()))

    @Slot(int)
    def _on_device(self, index: int) -> None:
        self.setToolTip(plain_tip(self.itemText(index)))
        self.device_chosen.emit(str(self.itemData(index) or ""))
