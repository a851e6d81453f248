"""The take: waveform, codes below it on the same time axis, and the player's controls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QScrollBar, QVBoxLayout, QWidget

from app.audio.player import PlayState
from app.core.actions import Actions
from app.core.theme import Theme
from app.takes.lanes import Lanes
from app.takes.list_model import TakeListModel
from app.takes.store import TakeStore
from app.takes.time_axis import TimeAxis
from app.takes.transport_bar import TransportBar
from app.widgets.labels import Heading, label
from app.widgets.time_view import ZOOM_STEP, PlotLoader, tab_before

if TYPE_CHECKING:
    from app.takes.picture import TakePicture
    from app.widgets.plots import Plot


class TakePanel(QWidget):
    """Shows one take and hands on what the user does with it.

    Signals:
        seek_requested(int): in samples.
        loop_changed(object): first and end sample to play over and over, or ``None``.
        menu_requested(QPoint, int): context menu at a global place, over a sample.
    """

    seek_requested = Signal(int)
    loop_changed = Signal(object)
    menu_requested = Signal(object, int)

    def __init__(
        self,
        actions: Actions,
        theme: Theme,
        takes: TakeListModel,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.axis = TimeAxis(self)
        box = QVBoxLayout(self)
        box.setContentsMargins(12, 12, 12, 12)
        box.setSpacing(8)
        self.heading = Heading(self.tr("Take"))
        self._theme = theme
        self.transport = TransportBar(actions, theme)
        self._pictures = QVBoxLayout()
        self._hint = label(self.tr("The sound appears here while it is made"), "hint")
        self._hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._pictures.addWidget(self._hint, 1)
        self._loader = PlotLoader(self)
        # In a turn of its own: making a picture takes a good part of one.
        self._loader.ready.connect(self._make_pictures, Qt.ConnectionType.QueuedConnection)
        self._make_scroll()
        self._connect_view(actions)
        self.lanes = Lanes(takes, theme)
        box.addWidget(self.heading)
        box.addWidget(self.lanes)
        box.addLayout(self._pictures, 10)
        box.addWidget(self.scroll_bar)
        box.addWidget(self.transport)
        self._shown: list[TakePicture] = []
        self._position = 0
        self._note = ""
        self._sounding = False
        self.axis.data_changed.connect(self._show_times)
        self._show_times()

    @Slot()
    def _make_pictures(self) -> None:
        """Only with the first take, see :class:`PlotLoader`; one in each turn of the event
        loop, for two would hold the window up."""
        if self._shown:
            return
        from app.takes.waveform import Waveform

        self.waveform = Waveform(self.axis, self._theme)
        self.waveform.set_hint(self.tr("The sound appears here while it is made"))
        self._add_picture(self.waveform)
        self._hint.hide()
        QTimer.singleShot(0, self, self._make_codes)

    @Slot()
    def _make_codes(self) -> None:
        from app.takes.codebook_view import CodebookView

        self.roll = CodebookView(self.axis, self._theme)
        self.roll.set_hint(self.tr("Codes of each frame"))
        self._add_picture(self.roll)
        tab_before(self.transport.start_button, self.roll.help_button)
        self._show_spectrogram(self._spectrogram_wanted.isChecked())

    @Slot(bool)
    def _show_spectrogram(self, on: bool) -> None:
        """Made when it is first wanted, and the other pictures are there."""
        shown = next((p for p in self._shown if p.objectName() == "spectrogram"), None)
        if shown is not None:
            shown.setVisible(on)
        elif on and len(self._shown) == 2:
            from app.takes.spectrogram import Spectrogram

            self._add_picture(Spectrogram(self.axis, self._theme))

    def _add_picture(self, picture: TakePicture) -> None:
        self._shown.append(picture)
        self._pictures.addWidget(picture, 1)
        tab_before(self.transport.start_button, picture)
        picture.seek_requested.connect(self.seek_requested)
        picture.loop_requested.connect(self._loop.toggle)
        picture.menu_requested.connect(self.menu_requested)
        picture.set_position(self._position)
        picture.set_head_visible(self.axis.store is not None)

    def _make_scroll(self) -> None:
        """A scroll bar that is there only while a part of the take is shown."""
        self.scroll_bar = QScrollBar(Qt.Orientation.Horizontal)
        self.scroll_bar.setAccessibleName(self.tr("Place in the take"))
        self.scroll_bar.hide()
        self.scroll_bar.valueChanged.connect(self._on_scroll)
        self.axis.changed.connect(self._show_view)

    def _connect_view(self, actions: Actions) -> None:
        self._loop = actions.loop
        actions.loop.toggled.connect(self._tell_loop)
        actions.zoom_in.triggered.connect(self._zoom_in)
        actions.zoom_out.triggered.connect(self._zoom_out)
        actions.zoom_all.triggered.connect(self.axis.show_all)
        self.axis.selection_changed.connect(self._tell_loop)
        self._spectrogram_wanted = actions.spectrogram
        actions.spectrogram.toggled.connect(self._show_spectrogram)
        actions.fit_peak.toggled.connect(self.axis.fit_peak)
        self.axis.fit_peak(actions.fit_peak.isChecked())

    @property
    def loop(self) -> tuple[int, int] | None:
        """The region to play over and over: the selection, or else the whole take."""
        store = self.axis.store
        if store is None or not self._loop.isChecked():
            return None
        if self.axis.selection is not None:
            return self.axis.selection
        return (0, store.length) if store.complete and store.length else None

    @Slot()
    def _tell_loop(self) -> None:
        self.loop_changed.emit(self.loop)

    @Slot()
    def _zoom_in(self) -> None:
        self._zoom(ZOOM_STEP)

    @Slot()
    def _zoom_out(self) -> None:
        self._zoom(1 / ZOOM_STEP)

    def _zoom(self, factor: float) -> None:
        self.axis.zoom_around(factor, self._position)

    @Slot()
    def _show_view(self) -> None:
        axis = self.axis
        with QSignalBlocker(self.scroll_bar):
            unit = max(1, axis.whole >> 20)
            self.scroll_bar.setRange(0, max(0, axis.whole - axis.span) // unit)
            self.scroll_bar.setPageStep(max(1, axis.span // unit))
            self.scroll_bar.setSingleStep(max(1, axis.span // unit // 10))
            self.scroll_bar.setValue(axis.start // unit)
        self.scroll_bar.setVisible(axis.zoomed)

    @Slot(int)
    def _on_scroll(self, value: int) -> None:
        unit = max(1, self.axis.whole >> 20)
        self.axis.scroll((value * unit - self.axis.start) / self.axis.span)

    def show_take(self, store: TakeStore | None, title: str) -> None:
        """Show another take."""
        self.heading.set_title(title)
        self.heading.set_facts("")
        self._position = 0
        self.axis.show_take(store)
        if store is not None and not self._shown:
            self._loader.load()
        for picture in self._shown:
            picture.set_position(0)
            picture.set_head_visible(store is not None)

    @property
    def pictures(self) -> list[Plot]:
        """What is shown, from top to bottom."""
        return [picture for picture in self._shown if not picture.isHidden()]

    def set_facts(self, text: str) -> None:
        """Figures of the take, at the right of its title."""
        self.heading.set_facts(text)

    @Slot(int)
    def set_position(self, sample: int) -> None:
        """Move the playheads."""
        self._position = sample
        if self._sounding:
            self.axis.follow(sample)
        for picture in self._shown:
            picture.set_position(sample)
        self._show_times()

    def set_play_state(self, state: PlayState, note: str = "") -> None:
        """Show what the player does."""
        self.transport.set_state(state)
        self._sounding = state is PlayState.PLAYING
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
