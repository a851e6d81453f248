"""From a sound to a voice, in one column: microphone, clip, transcript, checks, name, save."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QStackedLayout,
    QToolButton,
    QWidget,
)

from app.audio.recorder import RecordState
from app.cloning.clip import ReferenceClip
from app.cloning.quality_lights import QualityLights
from app.cloning.rows import Inner, MicrophoneRow, SaveRow, TranscriptBox
from app.cloning.shown_clip import ShownClip
from app.core.formats import short
from app.core.theme import Theme
from app.widgets.buttons import icon_button, menu_button
from app.widgets.labels import ElidedLabel, Heading, label, set_state
from app.widgets.layout import in_column, in_row
from app.widgets.time_view import PlotLoader, tab_before

if TYPE_CHECKING:
    from app.cloning.clip_view import ClipView

WAVE_HEIGHT = 72


class ReferencePanel(QScrollArea):
    """Everything that making a voice needs; it holds no truth but that of its clip's model.

    What only matters with a clip is folded away until there is one, so that the voices have
    the room. It scrolls when the window is too low for all of it.

    Signals:
        record_clicked(), open_clicked(), play_clicked(), model_clicked()
        loop_toggled(bool)
        trim_clicked(): cut the silence at both ends.
        size_changed(): it needs more or less height.
        seek_requested(int): a click into the clip, in samples.
        menu_requested(QPoint, int): the clip's context menu at a global place, over a sample.

    Attributes:
        shown: what the picture of the clip shows; ``wave`` is the picture, once there was one.
    """

    record_clicked = Signal()
    open_clicked = Signal()
    play_clicked = Signal()
    model_clicked = Signal()
    loop_toggled = Signal(bool)
    trim_clicked = Signal()
    size_changed = Signal()
    seek_requested = Signal(int)
    menu_requested = Signal(object, int)

    def __init__(self, clip: ReferenceClip, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.clip = clip
        self._theme = theme
        self._recording = False
        self._frozen: QSize | None = None
        self._before = clip.edits
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(self.tr("New voice"))
        inner = self._inner = Inner()
        inner.relaid.connect(self.size_changed)
        inner.setObjectName("panel")
        self.setWidget(inner)
        self.heading = Heading(self.tr("New voice"))
        self.microphone = MicrophoneRow(theme)
        self.shown = ShownClip(self)
        self.wave: ClipView | None = None
        self._make_words()
        self._loader = PlotLoader(self)
        self.transcript = TranscriptBox(theme)
        self.lights = QualityLights()
        self.saving = SaveRow()
        buttons, self._tools = self._make_buttons(), self._make_tools()
        parts = (
            self._make_heading(), self.microphone, self._hint, buttons, self._make_line(),
            self.note,
        )  # fmt: skip
        box = self._box = in_column(
            *parts, (self.transcript, 1), self.lights, spacing=6, on=inner, margins=(12, 8, 12, 6)
        )
        box.addStretch(0)
        self._foot = self._make_foot()
        self._parts = (self.transcript, self.lights, self._foot)
        self._connect()
        self.show_clip()
        self.set_record_state(RecordState.OFF)

    def _make_words(self) -> None:
        words = self.tr("Record 5 to 30 s of one speaker, or drop a sound file")
        self._hint = label(words, "hint", wrap=True)
        self._hint.setObjectName("clipHint")
        self._hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._hint.setMinimumHeight(WAVE_HEIGHT)
        self.note = label("", "hint", wrap=True)
        self.note.hide()
        self.live = ElidedLabel("", "hint")
        self.live.setAccessibleName(self.tr("What the microphone gives"))

    def _make_line(self) -> QWidget:
        """The tools of a clip; in their place, while one is recorded, what comes in. The room is
        there before anything is said: what is pressed next must not move away."""
        self._line = QWidget()
        pages = self._pages = QStackedLayout(self._line)
        pages.setContentsMargins(0, 0, 0, 0)
        pages.addWidget(self.live)
        pages.addWidget(self._tools)
        return self._line

    def _show_line(self) -> None:
        tools = self.clip.source is not None and not self._recording
        self._pages.setCurrentWidget(self._tools if tools else self.live)
        self._line.setVisible(self._recording or not self.folded)

    def _make_heading(self) -> QHBoxLayout:
        self.fold = QToolButton()
        self.fold.setProperty("role", "tool")
        self.folded: bool = False
        self.fold.clicked.connect(lambda: self.set_folded(not self.folded))
        self._name_fold()
        return in_row((self.heading, 1), self.fold)

    def _name_fold(self) -> None:
        on = self.folded
        self.fold.setArrowType(Qt.ArrowType.UpArrow if on else Qt.ArrowType.DownArrow)
        name = self.tr("Show the clip") if on else self.tr("Fold the clip away")
        self.fold.setToolTip(name)
        self.fold.setAccessibleName(name)

    def set_folded(self, on: bool) -> None:
        """Put the clip away, so that the voices have the room, or show it; it stays as it is."""
        if on != self.folded:
            self.folded = on
            self._name_fold()
            self.show_clip()

    def _make_buttons(self) -> QHBoxLayout:
        self.record = QPushButton(self.tr("Record"))
        self.record.clicked.connect(self.record_clicked)
        self.open = QPushButton(self.tr("Open…"))
        self.open.setToolTip(self.tr("Open a sound file. It can be dropped on the window too."))
        self.open.clicked.connect(self.open_clicked)
        self.recent, self.recent_menu = menu_button(self._theme, "clock", self.tr("Recent clips"))
        return in_row((self.record, 1), (self.open, 1), self.recent)

    def _make_foot(self) -> QWidget:
        """Name and Save stay at the bottom while the rest scrolls: they are what it is for."""
        foot = Inner(self)
        foot.relaid.connect(self._place_foot)
        foot.setObjectName("panel")
        foot.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        in_column(self.saving, on=foot, margins=(12, 6, 12, 12))
        return foot

    def _place_foot(self) -> None:
        height = self._foot.sizeHint().height() if self._foot.isVisibleTo(self) else 0
        self.setViewportMargins(0, 0, 0, height)
        self._foot.setGeometry(0, self.height() - height, self.width(), height)

    def _make_tools(self) -> QWidget:
        theme, area = self._theme, QWidget()
        self.play = icon_button(theme, "play", self.tr("Play the clip"))
        self.loop = icon_button(theme, "loop", self.tr("Repeat"), checkable=True)
        self.model = icon_button(
            theme, "ear", self.tr("What the model hears: the clip as the codec gives it back")
        )
        self.scissors = icon_button(theme, "scissors", self.tr("Cut the silence at both ends"))
        self.undo = icon_button(theme, "undo", self.tr("Undo"))
        self.wide = icon_button(theme, "wave", self.tr("Show the clip in a wide window"))
        self.wide.clicked.connect(self.show_wide)
        self.play.clicked.connect(self.play_clicked)
        self.model.clicked.connect(self.model_clicked)
        self.loop.toggled.connect(self.loop_toggled)
        self.scissors.clicked.connect(self.trim_clicked)
        self.undo.clicked.connect(self.clip.undo_stack.undo)
        self.length = label("", "hint")
        self.length.setAccessibleName(self.tr("Length of what is kept"))
        buttons = (self.play, self.loop, self.model, self.scissors, self.undo, self.wide)
        in_row(*buttons, None, self.length, spacing=2, on=area)
        return area

    def _connect(self) -> None:
        clip = self.clip
        clip.changed.connect(self._on_clip)
        clip.edited.connect(self._show_edits)
        clip.text_changed.connect(self._show_text)
        clip.undo_changed.connect(self._show_undo)
        self._loader.ready.connect(self._make_wave)
        self.shown.changed.connect(self._show_wave)
        self.transcript.edited.connect(clip.set_text)
        self.transcript.kept.connect(clip.keep_text)
        self.transcript.cleared.connect(self._clear_text)

    @Slot()
    def _make_wave(self) -> None:
        """Only with the first clip, see :class:`PlotLoader`."""
        if self.wave is not None:
            return
        from app.cloning.clip_view import ClipView

        wave = self.wave = ClipView(self.shown, self._theme)
        wave.setMinimumHeight(WAVE_HEIGHT)
        self._tie(wave)
        wave.menu_requested.connect(self.menu_requested)
        self._box.insertWidget(self._box.indexOf(self._hint), wave)
        tab_before(self.record, wave)
        self._show_wave()

    @Slot()
    def show_wide(self) -> None:
        """The picture in a window of its own."""
        if self.wave is None:
            return
        from app.cloning.clip_dialog import ClipDialog

        wide = ClipDialog(self.shown, self._theme, self._tie, self.window())
        wide.finished.connect(wide.deleteLater)
        wide.show()

    def _tie(self, wave: ClipView) -> None:
        """What the handles and keys of a picture do."""
        wave.range_dragged.connect(self.clip.show_range)
        wave.range_set.connect(self._on_range_set)
        wave.play_requested.connect(self.play_clicked)
        wave.undo_requested.connect(self.clip.undo_stack.undo)
        wave.redo_requested.connect(self.clip.undo_stack.redo)
        wave.seek_requested.connect(self.seek_requested)

    @Slot()
    def _show_wave(self) -> None:
        """The picture stands in the place of the hint while there is a sound."""
        if self.wave is None and not self.shown.empty:
            self._loader.load()
        drawn = self.wave is not None and not self.shown.empty
        folded = self.folded and not self._recording
        self._hint.setVisible(not drawn and not folded)
        if self.wave is not None:
            self.wave.setVisible(drawn and not folded)

    def sizeHint(self) -> QSize:
        """The height that everything needs at this width, without a scroll bar."""
        if self._frozen is not None:
            return self._frozen
        height = self._inner.heightForWidth(self.width())
        if height < 0:  # nothing that is shown now depends on the width
            height = self._inner.sizeHint().height()
        return QSize(240, height + self.viewportMargins().bottom())

    def minimumSizeHint(self) -> QSize:
        return QSize(200, 150)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_foot()
        self.settle_bar()

    def settle_bar(self) -> None:
        """No scroll bar where all fits without one: it takes width, so that less fits with it."""
        policy = Qt.ScrollBarPolicy.ScrollBarAsNeeded
        if self.sizeHint().height() <= self.height():
            policy = Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        if policy != self.verticalScrollBarPolicy():
            self.setVerticalScrollBarPolicy(policy)

    @Slot()
    def _on_clip(self) -> None:
        """Another clip is shown, also where the last one was folded away."""
        self.set_folded(False)
        self.show_clip()

    @Slot()
    def show_clip(self) -> None:
        """Show the model's clip, or what to do without one."""
        source = self.clip.source
        if source is None:
            self.shown.clear()
        else:
            self.shown.set_clip(source.mono, source.peaks, source.clip.rate)
        self.fold.setVisible(source is not None)
        for part in self._parts:
            part.setVisible(source is not None and not self.folded)
        self._show_wave()
        self._show_line()
        self._place_foot()
        self._show_edits()
        self._show_text()
        self._show_undo()
        self.size_changed.emit()

    @Slot()
    def _show_edits(self) -> None:
        clip = self.clip
        self.shown.set_kept(clip.edits.start, clip.edits.end)
        self.shown.set_gain(10 ** (clip.edits.gain_db / 20))
        if clip.source is None or self._recording:
            return
        whole = clip.length / clip.rate
        kept = f"{clip.seconds:.1f}"
        text = short(whole)
        if clip.edits.end - clip.edits.start < clip.length:
            text = self.tr("{kept} of {whole}").format(kept=kept, whole=text)
        if clip.edits.gain_db:
            text += f" · {clip.edits.gain_db:+.0f} dB".replace("-", "−")
        self.length.setText(text)

    @Slot()
    def _show_text(self) -> None:
        asked = self.transcript.question.isVisibleTo(self.transcript)
        self.transcript.set_text(self.clip.text, self.clip.questioned)
        if asked is not self.clip.questioned:
            self.size_changed.emit()

    @Slot()
    def _show_undo(self) -> None:
        stack = self.clip.undo_stack
        self.undo.setEnabled(stack.canUndo())
        words = self.tr("Undo: {step}").format(step=stack.undoText())
        self.undo.setToolTip(words if stack.canUndo() else self.tr("Undo"))
        self._before = self.clip.edits

    @Slot()
    def _on_range_set(self) -> None:
        edits = self.clip.edits
        self.clip.trim(edits.start, edits.end, self.tr("trim"), self._before)

    @Slot()
    def _clear_text(self) -> None:
        self.clip.set_text("")
        self.transcript.editor.setFocus()

    def set_record_state(self, state: RecordState) -> None:
        """Show what the recorder does."""
        recording = state is RecordState.RECORDING
        if recording and not self._recording:
            self.set_folded(False)
            # *Stop* stays under the mouse that pressed *Record*, whatever is shown meanwhile.
            self._frozen = self.size() if self.isVisible() else None
        elif not recording:
            self._frozen = None
            self.set_live("")
        self._recording = recording
        self.record.setText(self.tr("Stop") if recording else self.tr("Record"))
        self._theme.set_icon(self.record, "stop" if recording else "record", "bad")
        tip = self.tr("Record from the microphone")
        if recording:
            tip = self.tr("Stop recording (Esc)")
        self.record.setToolTip(tip)
        self.record.setAccessibleName(tip)
        set_state(self.record, "bad" if recording else "")
        self.microphone.set_armed(state is not RecordState.OFF)
        self.microphone.device.setEnabled(not recording and bool(self.microphone.device.count()))
        self.microphone.rescan.setEnabled(not recording)
        self.open.setEnabled(not recording)
        self.recent.setEnabled(not recording)
        # The text stays readable: it is what the user reads out.
        for part in (self._tools, self.lights, self.saving, self.transcript.title):
            part.setEnabled(not recording)
        self._show_line()
        if not recording:
            self.heading.set_facts("")

    def set_measured(self, on: bool) -> None:
        """What is known of the clip is there, so its silence can be cut."""
        self.scissors.setEnabled(on)

    def show_recorded(self, seconds: float, limit_s: float) -> None:
        """How much was recorded."""
        words = self.tr("{seconds} of {limit} s")
        self.heading.set_facts(words.format(seconds=f"{seconds:.1f}", limit=round(limit_s)))

    def set_note(self, text: str, state: str = "") -> None:
        """A sentence below the buttons, empty for none."""
        self.note.setText(text)
        set_state(self.note, state)
        self.note.setVisible(bool(text))

    def set_live(self, text: str, state: str = "") -> None:
        """A word about what the microphone gives now, empty for none."""
        self.live.setText(text)
        set_state(self.live, state)

    def set_playing(self, playing: str) -> None:
        """What sounds: ``clip``, ``model`` or nothing."""
        for button, name in ((self.play, "clip"), (self.model, "model")):
            rest = "play" if name == "clip" else "ear"
            self._theme.set_icon(button, "stop" if playing == name else rest)
