"""The switch of the local server: port, who may come, and the address to copy."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QLineEdit, QPushButton, QWidget

from app.core import settings as keys
from app.core.settings import Settings
from app.widgets.form import Form, bind_number, spin
from app.widgets.labels import label, set_state


class ServeForm(Form):
    """Lets other programs speak with this engine.

    Signals:
        switched(bool): the user turned it on or off.
        options_changed(): port or reach are others now.
        copied(str): the address is in the clipboard.
    """

    switched = Signal(bool)
    options_changed = Signal()
    copied = Signal(str)

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(self.tr("Other programs"), parent)
        self._settings = settings
        self.on = QCheckBox(self.tr("Serve this engine"))
        self.on.setAccessibleName(self.tr("Serve this engine to other programs"))
        self.on.setToolTip(
            self.tr(
                "Other programs speak through HTTP: OpenAI's /v1/audio/speech and s2.cpp's "
                "/generate. One at a time, and never while this window speaks. It ends with "
                "the window."
            )
        )
        self.add_full_width(self.on)
        self.port = spin(keys.SERVE_PORT, "")
        self.add(self.tr("Port"), self.port)
        bind_number(settings, keys.SERVE_PORT, self.port)
        self.reach = QComboBox()
        self.reach.addItem(self.tr("This computer"), False)
        self.reach.addItem(self.tr("The whole network"), True)
        self.reach.setToolTip(self.tr("On the whole network everyone can use it, without a key."))
        self.reach.setCurrentIndex(self.reach.findData(settings.get(keys.SERVE_OPEN)))
        self.add(self.tr("Open to"), self.reach)
        self.address = QLineEdit()
        self.address.setReadOnly(True)
        self.copy = QPushButton(self.tr("Copy"))
        self.copy.setAccessibleName(self.tr("Copy the address"))
        box = QWidget()
        row = QHBoxLayout(box)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(self.address, 1)
        row.addWidget(self.copy)
        self._box = box
        self.add_full(box)
        self.address.setAccessibleName(self.tr("Address of the local server"))
        self.note = label("", "hint")
        self.note.setAccessibleName(self.tr("State of the local server"))
        self.add_text(self.note)
        self.on.toggled.connect(self.switched)
        self.port.valueChanged.connect(self.options_changed)
        self.reach.activated.connect(self._on_reach)
        self.copy.clicked.connect(self._on_copy)
        self.show_state(False, "")

    def show_state(self, on: bool, url: str, note: str = "", state: str = "") -> None:
        """Show whether it runs, where, and what there is to say."""
        with QSignalBlocker(self.on):
            self.on.setChecked(on)
        for control in (self.port, self.reach):
            self.show_row(control, on)
        self.address.setText(url)
        self.address.setCursorPosition(0)
        self.show_row(self._box, bool(url))
        self.note.setText(note)
        set_state(self.note, state)
        self.show_row(self.note, bool(note))

    @Slot(int)
    def _on_reach(self, _: int) -> None:
        self._settings.set(keys.SERVE_OPEN, bool(self.reach.currentData()))
        self.options_changed.emit()

    @Slot()
    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(self.address.text())
        self.copied.emit(self.address.text())
