"""The take: waveform, codes below it on the same time axis, and the player's controls."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.actions import Actions
from app.models.take_store import TakeStore
from app.services.player import PlayState
from app.theme import Theme
from app.widgets.codebook_roll import CodebookRoll
from app.widgets.labels import Heading
from app.widgets.time_axis import TimeAxis
from app.widgets.transport_bar import TransportBar
from app.widgets.waveform import Waveform


class TakePanel(QWidget):
    """Shows one take and hands on what the user does with it.

    Signals:
        seek_requested(int): in samples.
    """

    seek_requested = Signal(int)

    def __init__(self, actions: Actions, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.axis = TimeAxis(self)
        box = QVBoxLayout(self)
        box.setContentsMargins(12, 12, 12, 12)
        box.setSpacing(8)
        self.heading = Heading(self.tr("Take"))
        self.waveform = Waveform(self.axis, theme)
        self.roll = CodebookRoll(self.axis, theme)
        self.transport = TransportBar(actions, theme)
        self.waveform.set_hint(self.tr("The sound appears here while it is made"))
        self.roll.set_hint(self.tr("Codes of each frame"))
        for picture in (self.waveform, self.roll):
            picture.seek_requested.connect(self.seek_requested)
        box.addWidget(self.heading)
        box.addWidget(self.waveform, 10)
        box.addWidget(self.roll, 10)
        box.addWidget(self.transport)
        self._position = 0
        self._note = ""
        self.axis.data_changed.connect(self._show_times)
        self._show_times()

    def show_take(self, store: TakeStore | None, title: str) -> None:
        """Show another take."""
        self.heading.set_title(title)
        self.heading.set_facts("")
        self._position = 0
        self.axis.show_take(store)
        for picture in (self.waveform, self.roll):
            picture.set_position(0)
            picture.set_head_visible(store is not None)

    def set_facts(self, text: str) -> None:
        """Figures of the take, at the right of its title."""
        self.heading.set_facts(text)

    @Slot(int)
    def set_position(self, sample: int) -> None:
        """Move the playheads."""
        self._position = sample
        self.waveform.set_position(sample)
        self.roll.set_position(sample)
        self._show_times()

    def set_play_state(self, state: PlayState, note: str = "") -> None:
        """Show what the player does."""
        self.transport.set_state(state)
        self._note = note
        self._show_times()

    @Slot()
    def _show_times(self) -> None:
        store = self.axis.store
        if store is None:
            self.transport.set_times(0, 0)
            return
        growing = "" if store.complete else self.tr("growing")
        rate = store.format.sample_rate
        self.transport.set_times(self._position / rate, store.seconds, self._note or growing)
