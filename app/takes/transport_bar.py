"""Play, pause, stop, position, volume, device and save, below the pictures of the take."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QSlider,
    QToolButton,
    QWidget,
)

from app.audio.device_box import DeviceBox
from app.audio.player import PlayState
from app.core.actions import Actions
from app.core.formats import clock
from app.core.theme import Theme
from app.widgets.buttons import tool_button
from app.widgets.labels import label


class TransportBar(QWidget):
    """The controls of the player.

    Signals:
        volume_changed(int): 0 to 100, by the user.
        device_chosen(str): key of an output device, by the user.
    """

    volume_changed = Signal(int)
    device_chosen = Signal(str)

    def __init__(self, actions: Actions, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.start_button = tool_button(actions.play_start, self.tr("Play from the start"))
        self.play_button = QToolButton()
        self.play_button.setProperty("role", "primary")
        self.play_button.setIconSize(QSize(16, 16))
        self.play_button.setToolTip(actions.play_pause.toolTip())
        self.play_button.clicked.connect(actions.play_pause.trigger)
        self.stop_button = tool_button(actions.stop_playing, self.tr("Stop playing"))
        self.loop_button = tool_button(actions.loop, self.tr("Loop the selection"))
        self.position = label(clock(0), "value")
        self.total = label("", "hint")
        self._make_output(actions)
        self.save = QPushButton(self.tr("Save…"))
        self.save.setToolTip(actions.save_take.toolTip())
        self.save.clicked.connect(actions.save_take.trigger)
        actions.save_take.changed.connect(
            lambda: self.save.setEnabled(actions.save_take.isEnabled())
        )
        self._lay_out()
        theme.changed.connect(self._paint_speaker)
        self._paint_speaker()
        self._state = PlayState.IDLE
        self.set_state(PlayState.PAUSED)
        self.set_state(PlayState.IDLE)

    def _make_output(self, actions: Actions) -> None:
        """Where the sound goes, and how loud."""
        self._speaker = QLabel()
        self.volume = QSlider(Qt.Orientation.Horizontal)
        self.volume.setRange(0, 100)
        self.volume.setFixedWidth(76)
        self.volume.setAccessibleName(self.tr("Volume"))
        self.volume.valueChanged.connect(self.volume_changed)
        self.device = DeviceBox(self.tr("Sound output"), self.tr("No sound output"))
        self.device.setMinimumContentsLength(14)
        self.device.setMaximumWidth(190)
        self.device.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.device.device_chosen.connect(self.device_chosen)
        self.rescan = tool_button(
            actions.rescan_audio, self.tr("Look for sound devices again"), "flat"
        )

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        left: tuple[QWidget, ...] = (
            self.start_button, self.play_button, self.stop_button, self.loop_button,
        )  # fmt: skip
        right: tuple[QWidget, ...] = (self._speaker, self.volume, self.device, self.rescan)
        for widget in (*left, self.position):
            row.addWidget(widget)
        row.addWidget(self.total, 1)
        for widget in (*right, self.save):
            row.addWidget(widget)

    def set_state(self, state: PlayState) -> None:
        """Show what the player does."""
        if state is self._state:
            return
        self._state = state
        running = state in (PlayState.PLAYING, PlayState.BUFFERING)
        self._theme.set_icon(self.play_button, "pause" if running else "play", "on_accent")
        self.play_button.setAccessibleName(self.tr("Pause") if running else self.tr("Play"))

    def set_times(self, position_s: float, total_s: float, note: str = "") -> None:
        """Show position and length; ``note`` is added in words."""
        self.position.setText(clock(position_s))
        self.total.setText(f"/ {clock(total_s)}" + (f", {note}" if note else ""))

    @property
    def outputs(self) -> list[tuple[str, str]]:
        """Key and title of each output in the list."""
        box = self.device
        return [(str(box.itemData(i) or ""), box.itemText(i)) for i in range(box.count())]

    @Slot()
    def _paint_speaker(self) -> None:
        from app.core.icons import pixmap

        self._speaker.setPixmap(pixmap("volume", self._theme.colors.dim, 16))
