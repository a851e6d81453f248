"""Makes a clip ready to clone from: record or open, trim, cure, write down what is said."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from app.audio.preview import Preview
from app.audio.recorder import Recorder, RecordState
from app.cloning.clip import ReferenceClip, used_clip
from app.cloning.clip_files import SUFFIXES, PreparedClip, open_clip, prepare
from app.cloning.findings import KEPT_S, Findings, examine
from app.cloning.panel import ReferencePanel
from app.core import settings as keys
from app.core.background import Tasks
from app.core.file_dialogs import FileDialogs
from app.core.formats import sentence
from app.core.messages import Messages
from app.core.settings import Settings
from engine.audio import AudioClip
from engine.errors import EngineError

if TYPE_CHECKING:
    from engine.audio import Check

SETTLE_MS = 120
GROW_S = 12.0
CLIP = "clip"


@dataclass(frozen=True, slots=True)
class CloningContext:
    """What the controllers of a clip work with."""

    settings: Settings
    tasks: Tasks
    preview: Preview
    messages: Messages


class ClipController(QObject):
    """From a sound to a clip that is fit to clone from.

    Attributes:
        clip: the clip, its edits and its text.
        words: whether the words of the text are heard in the clip.
        findings: the newest answers about it; ``None`` while they are worked out.
        reading: another clip is on its way.

    Signals:
        busy_changed(): a recording began or ended.
        settled(): the findings are there.
        opened(Path): a file became the clip.
        transcribe_requested(): the cure of a text that does not fit.
    """

    busy_changed = Signal()
    settled = Signal()
    opened = Signal(object)
    transcribe_requested = Signal()

    def __init__(
        self,
        panel: ReferencePanel,
        clip: ReferenceClip,
        recorder: Recorder,
        context: CloningContext,
    ) -> None:
        super().__init__(panel)
        self.panel, self.clip, self.recorder, self._context = panel, clip, recorder, context
        self.findings: Findings | None = None
        self.words: Check | None = None
        self._round = 0
        self._opening = 0
        self.reading = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SETTLE_MS)
        self._timer.timeout.connect(self._examine)
        self._connect()
        recorder.device_key = context.settings.get(keys.INPUT_DEVICE)
        recorder.limit_s = context.settings.get(keys.RECORD_LIMIT)

    def _connect(self) -> None:
        panel, recorder, clip = self.panel, self.recorder, self.clip
        row = panel.microphone
        row.device_chosen.connect(self._on_device)
        row.rescan_requested.connect(self.rescan)
        row.armed.connect(self._on_armed)
        row.lamp_clicked.connect(recorder.reset_clip)
        row.lamp_clicked.connect(lambda: row.meter.lamp.set_lit(False))
        panel.record_clicked.connect(self.record_or_stop)
        panel.open_clicked.connect(self.ask_file)
        panel.play_clicked.connect(self.play)
        panel.loop_toggled.connect(self._context.preview.set_loop)
        panel.trim_clicked.connect(self.trim_silence)
        panel.lights.cure_requested.connect(self.cure)
        panel.seek_requested.connect(self._on_seek)
        recorder.state_changed.connect(self._on_record_state)
        recorder.level_changed.connect(row.meter.feed)
        recorder.captured.connect(self._on_captured)
        recorder.no_access_changed.connect(self._on_no_access)
        recorder.finished.connect(self._on_recorded)
        recorder.refused.connect(self._on_refused)
        recorder.message.connect(self._context.messages.say)
        clip.changed.connect(self._on_clip)
        clip.edited.connect(self._timer.start)
        clip.text_changed.connect(self._show_checks)
        self._context.preview.position_changed.connect(self._on_position)
        self._context.preview.changed.connect(self._on_sounding)

    @property
    def recording(self) -> bool:
        """Sound is being kept."""
        return self.recorder.state is RecordState.RECORDING

    def list_devices(self) -> None:
        """Fill the list of microphones, or say why there is none."""
        devices = self.recorder.devices
        inputs = devices.inputs()
        self.panel.microphone.set_devices(inputs, self.recorder.device_key, devices.input_problem)

    @Slot()
    def rescan(self) -> None:
        """Look for microphones that were plugged in."""
        if self.recorder.state is RecordState.ARMED:
            self.recorder.disarm()
        if not self.recorder.devices.rescan():
            self._context.messages.say(
                self.tr("Sound is playing. The list is read again when it has ended.")
            )
        self.list_devices()
        if self.recorder.devices.input_problem:
            self._context.messages.say(self.recorder.devices.input_problem)

    @Slot()
    def record_or_stop(self) -> None:
        """The one button of a recorder."""
        if self.recording:
            self.recorder.stop()
        else:
            self._context.preview.player.stop()
            self.recorder.record()

    @Slot()
    def ask_file(self) -> None:
        """Ask for a sound file."""
        kinds = " ".join(f"*{suffix}" for suffix in SUFFIXES)
        path = FileDialogs(self._context.settings, self.panel).open(
            keys.FOLDER_CLIP,
            self.tr("Open a clip"),
            self.tr("Sound files ({kinds});;All files (*)").format(kinds=kinds),
        )
        if path:
            self.open_file(path)

    def open_file(self, path: Path) -> None:
        """Make a sound file the clip; the one that was there stays when it is no good."""
        self._context.settings.set(keys.FOLDER_CLIP, str(path.parent))
        self._opening += 1
        self.reading = True
        number = self._opening
        self.panel.set_note(self.tr("Reading {name}…").format(name=path.name))

        def done(source: PreparedClip) -> None:
            if number == self._opening:
                self._take(source)

        def failed(error: EngineError) -> None:
            if number == self._opening:
                self.reading = False
                self.panel.set_note("")
            self._context.messages.report(error, self.tr("Open another clip…"), self.ask_file)

        self._context.tasks.run(lambda: open_clip(path), done, failed)

    @Slot(object)
    def open_sound(self, clip: AudioClip) -> None:
        """Make a sound in memory the clip, such as a part of a take."""
        self._opening += 1
        self.reading = True
        self._context.tasks.run(lambda: prepare(clip), self._take, self._on_examine_failed)

    def _take(self, source: PreparedClip) -> None:
        self.reading = False
        self.clip.set_source(source)
        notes = [*source.clip.warnings, *([source.note] if source.note else [])]
        self.panel.set_note(" ".join(sentence(n) for n in notes), "warn" if notes else "")
        if source.path is not None:
            self.opened.emit(source.path)
        if not self.clip.text.strip():
            # What is missing now are the words.
            self.panel.transcript.editor.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def play(self) -> None:
        """Play what is kept of the clip, as the engine will get it, or stop."""
        preview, source = self._context.preview, self.clip.source
        if preview.token == CLIP:
            preview.stop()
        elif source is not None:
            self._play_from(0)

    def _play_from(self, start: int) -> None:
        source = self.clip.source
        if source is not None:
            edits = self.clip.edits
            gain = np.float32(10 ** (edits.gain_db / 20))
            samples = np.clip(source.mono[edits.start : edits.end] * gain, -1, 1)
            self._context.preview.play(CLIP, samples, source.clip.rate, start)

    @Slot(int)
    def _on_seek(self, sample: int) -> None:
        at = sample - self.clip.edits.start
        if not 0 <= at < self.clip.edits.end - self.clip.edits.start:
            return
        if self._context.preview.token == CLIP:
            self._context.preview.seek(at)
        else:
            self._play_from(at)

    @Slot(int)
    def _on_position(self, sample: int) -> None:
        if self._context.preview.token == CLIP:
            self.panel.shown.set_position(self.clip.edits.start + sample)

    @Slot(str)
    def _on_sounding(self, token: str) -> None:
        self.panel.set_playing(token)
        if token != CLIP:
            self.panel.shown.set_position(-1)

    @Slot()
    def trim_silence(self) -> None:
        """Cut the silence at both ends."""
        if self.findings is None:
            return
        before = self.clip.edits
        self.clip.trim(*self.findings.trim, self.tr("trim the silence"))
        if self.clip.edits == before:
            self._context.messages.say(self.tr("There is no silence to cut at the ends."))

    @Slot(str)
    def cure(self, key: str) -> None:
        """Do what the chosen check offers."""
        found, clip = self.findings, self.clip
        if found is None or clip.source is None:
            return
        start = clip.edits.start
        words = self.tr("Take the words that were cut out of the transcript too.")
        if key in ("end_silence", "zeros"):
            self.trim_silence()
        elif key == "level":
            clip.apply_gain(found.gain_db, self.tr("gain"))
        elif key == "ending" and found.pause is not None:
            clip.trim(start, found.pause, self.tr("cut at the pause"))
            self._context.messages.say(words)
        elif key == "length" and clip.seconds > KEPT_S:
            clip.trim(start, found.shorter, self.tr("shorten"))
            self._context.messages.say(words)
        elif key == "channels":
            clip.use_channel(found.channel, self.tr("one channel"))
        elif key == "transcript":
            self.transcribe_requested.emit()
        else:
            self.record_or_stop()

    def cures(self, checks: list[Check]) -> dict[str, str]:
        """Names of the buttons for what this window can cure."""
        found = self.findings
        if found is None:
            return {}
        again = self.tr("Record again")
        long = self.clip.seconds > KEPT_S
        names = {
            "length": self.tr("Shorten") if long else again,
            "clipping": again,
            "level": self.tr("{0} dB").format(f"{found.gain_db:+.0f}".replace("-", "−")),
            "noise": again,
            "end_silence": self.tr("Trim"),
            "zeros": self.tr("Trim"),
            "channels": self.tr("Use one"),
            "transcript": self.tr("Transcribe"),
        }
        if found.pause is not None:
            names["ending"] = self.tr("Cut at pause")
        if not self.clip.text.strip():
            del names["transcript"]  # the button stands beside the empty field already
        return {c.key: names[c.key] for c in checks if c.key in names}

    @Slot()
    def _on_clip(self) -> None:
        self._context.preview.stop()
        self.findings = None
        self.panel.set_measured(False)
        self.panel.lights.show_checks([], {})
        self._examine()

    @Slot()
    def _examine(self) -> None:
        source, edits = self.clip.source, self.clip.edits
        self._round += 1
        number = self._round
        if source is None:
            return

        def done(found: Findings) -> None:
            if number == self._round:
                self.findings = found
                self.panel.set_measured(True)
                self._show_checks()
                self.settled.emit()

        self._context.tasks.run(lambda: examine(source, edits), done, self._on_examine_failed)

    def _on_examine_failed(self, error: EngineError) -> None:
        self._context.messages.report(error)

    @Slot(object)
    def show_words(self, check: Check | None) -> None:
        """How well the text fits the clip, once it is known."""
        self.words = check
        self._show_checks()

    @Slot()
    def _show_checks(self) -> None:
        if self.findings is not None and self.clip.source is not None:
            checks = self.findings.with_transcript(self.clip.text)
            checks += [self.words] if self.words is not None else []
            self.panel.lights.show_checks(checks, self.cures(checks))
            self.panel.size_changed.emit()

    def used(self) -> AudioClip | None:
        """What the engine shall get."""
        source = self.clip.source
        return None if source is None else used_clip(source, self.clip.edits)

    @Slot(str)
    def _on_device(self, key: str) -> None:
        self._context.settings.set(keys.INPUT_DEVICE, key)
        self.recorder.device_key = key
        if self.recorder.state is RecordState.ARMED:
            self.recorder.disarm()
            self.recorder.arm()

    @Slot(bool)
    def _on_armed(self, on: bool) -> None:
        if not on:
            self.recorder.disarm()
        elif not self.recorder.arm():
            self.panel.microphone.set_armed(False)

    @Slot(object)
    def _on_record_state(self, state: RecordState) -> None:
        self.panel.set_record_state(state)
        if state is RecordState.RECORDING:
            self.panel.set_note("")
            room = int(GROW_S * self.recorder.rate)
            self.panel.shown.begin_growing(self.recorder.rate, room)
        elif not self.recording:
            self.panel.show_clip()
        self.busy_changed.emit()

    @Slot(object)
    def _on_captured(self, block: np.ndarray) -> None:
        self.panel.shown.grow(block)
        self.panel.show_recorded(self.recorder.seconds, self.recorder.limit_s)
        if self.recorder.no_access:
            self._on_no_access(True)

    @Slot(bool)
    def _on_no_access(self, on: bool) -> None:
        if not on:
            self.panel.set_live("")
        elif self.recorder.heard:
            seconds = int(self.recorder.silent_s)
            words = self.tr("No sound for {seconds} s.").format(seconds=seconds)
            self.panel.set_live(words, "warn")
        else:
            words = self.tr(
                "No access: the microphone gives only zeros. It is muted, or the system does not "
                "let this program use it."
            )
            self.panel.set_live(words, "bad")

    @Slot(object)
    def _on_recorded(self, clip: AudioClip) -> None:
        self._opening += 1
        self.reading = True
        self._context.tasks.run(lambda: prepare(clip), self._take, self._on_examine_failed)

    @Slot(str)
    def _on_refused(self, text: str) -> None:
        """What was there before stays."""
        self.panel.show_clip()
        self.panel.set_note(text, "bad")
