"""What follows from the script: its report, who speaks, and the wish to generate."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject, Signal, Slot

from app.core import settings as keys
from app.core.background import Tasks
from app.core.file_dialogs import FileDialogs
from app.core.messages import Messages
from app.core.pronunciation_file import PronunciationFile
from app.core.settings import Settings
from app.core.text_files import read_text, write_text
from app.inference.controls import new_seed
from app.inference.segments import SegmentPlan
from app.inference.speakers import dump_speakers, parse_speakers
from app.script.analysis import ScriptReport, look_at
from app.script.panel import ScriptPanel
from app.script.pronunciations_dialog import PronunciationsDialog
from engine.errors import EngineError

LARGE = 8_000
"""A text of more characters is looked at on another thread."""


class VoiceChoice(Protocol):
    """The voice of speaker 0, which is chosen elsewhere in the window."""

    @property
    def key(self) -> str: ...

    def choose(self, key: str) -> None: ...


class Generate(Protocol):
    """Starts a take."""

    def __call__(
        self, text: str, speakers: dict[int, str], plan: SegmentPlan, seed: int | None
    ) -> object: ...


class ScriptController(QObject):
    """Ties the script's panel to the voices, the files and who can speak it.

    Attributes:
        report: everything about the text as it is now; ``None`` while a large text waits for
            its report.

    Signals:
        speakers_changed(): others speak, or with other voices.
    """

    speakers_changed = Signal()

    def __init__(
        self,
        panel: ScriptPanel,
        voice: VoiceChoice,
        generate: Generate,
        settings: Settings,
        tasks: Tasks,
        messages: Messages,
    ) -> None:
        super().__init__(panel)
        self._panel, self._voice, self._generate = panel, voice, generate
        self._settings, self._tasks, self._messages = settings, tasks, messages
        self._files = FileDialogs(settings, panel)
        self.report: ScriptReport | None = None
        self._waiting = False
        self._measured: tuple[str, str] | None = None
        panel.edited.connect(self.measure)
        panel.speakers.voice_chosen.connect(self._on_speaker)
        settings.watch(keys.SPEAKERS, lambda _: self.show_speakers(), owner=self)
        settings.watch(keys.SPLIT_MODE, lambda _: self.measure(), owner=self)
        self.measure()

    @Slot()
    def measure(self) -> None:
        """Keep the text and find out everything about it; about a large one a moment later."""
        measured = text, mode = self._panel.text, self._settings.get(keys.SPLIT_MODE)
        if measured == self._measured:
            return
        self._measured, self.report = measured, None
        self._settings.set(keys.SCRIPT, text)
        if len(text) > LARGE:
            self._tasks.run(
                lambda: look_at(text, mode),  # type: ignore[arg-type]
                lambda report: self._take_report(measured, report),
            )
        else:
            self._take_report(measured, look_at(text, mode))  # type: ignore[arg-type]

    def _take_report(self, measured: tuple[str, str], report: ScriptReport) -> None:
        """Show what is known of a text, unless it is another one by now."""
        if measured != self._measured:
            return
        self.report = report
        self._panel.show_report(report)
        self.show_speakers()
        if self._waiting:
            self._waiting = False
            self.generate()

    @Slot()
    def generate(self) -> None:
        """Start a take from what the window shows, as soon as the text is known."""
        self._panel.measure()
        if self.report is None:
            self._waiting = True
            return
        pinned = self._settings.get(keys.SEED_PINNED)
        seed = self._panel.seed_value if pinned else None
        speakers = self._speakers(self.report)
        self._generate(self._panel.text, speakers, self.report.plan, seed)

    @Slot()
    def draw_seed(self) -> None:
        """Show a fresh seed."""
        self._panel.show_seed(new_seed())

    def _speakers(self, report: ScriptReport) -> dict[int, str]:
        """Speaker number to key of a voice, for everyone who says something."""
        stored = parse_speakers(self._settings.get(keys.SPEAKERS))
        stored[0] = self._voice.key
        return {number: stored.get(number, "") for number in report.used}

    @property
    def speakers(self) -> dict[int, str]:
        """The same for the text as it is now, as far as it is known."""
        return self._speakers(self.report) if self.report is not None else {0: self._voice.key}

    def open_text(self) -> None:
        """Ask for a text file and make it the script."""
        kinds = self.tr("Texts (*.txt);;All files (*)")
        path = self._files.open(keys.FOLDER_TEXT, self.tr("Open text"), kinds)
        if path:
            self.read_text(path)

    def read_text(self, path: Path) -> None:
        """Make a file the script; Undo brings the old one back."""
        try:
            found = read_text(path)
        except EngineError as error:
            self._messages.report(error)
            return
        self._panel.set_text(found.text)
        if found.guessed:
            words = self.tr("{name} does not say how it is coded; it was read as {code}.")
            self._messages.say(
                words.format(name=path.name, code=found.encoding),
                self.tr("Undo"),
                self._panel.editor.undo,
            )

    def save_text(self) -> None:
        """Ask where to, and write the script there as UTF-8."""
        kinds = self.tr("Texts (*.txt)")
        chosen = self._files.save(keys.FOLDER_TEXT, self.tr("Save text"), "script.txt", kinds)
        if chosen is None:
            return
        path = chosen[0]
        path = path if path.suffix else path.with_name(f"{path.name}.txt")
        try:
            write_text(path, self._panel.text)
        except EngineError as error:
            self._messages.report(error, self.tr("Save elsewhere…"), self.save_text)
            return
        self._messages.say(self.tr("Saved as {name}.").format(name=path.name))

    @Slot()
    def show_pronunciations(self) -> None:
        """Let the list of pronunciations be looked at and changed."""
        file = PronunciationFile(self._settings.path)

        def save(pairs: list[tuple[str, str]]) -> bool:
            try:
                file.write(pairs)
            except EngineError as error:
                self._messages.report(error)
                return False
            return True

        try:
            pairs = file.read()
        except EngineError as error:
            self._messages.report(error)
            return
        dialog = PronunciationsDialog(pairs, self._panel.text, save, self._panel.window())
        dialog.play_wanted.connect(self._on_word)
        dialog.open()

    @Slot(str)
    def _on_word(self, spoken: str) -> None:
        """Let a word be heard with the voice of speaker 0."""
        self._generate(spoken, {0: self._voice.key}, SegmentPlan(False), None)

    @Slot()
    def show_speakers(self) -> None:
        """Show who speaks with which voice."""
        report = self.report
        if report is None:
            return
        speakers = self._speakers(report)
        self._panel.speakers.show_speakers(report.used if report.speakers else (), speakers)
        some = any(speakers.values())
        self.speakers_changed.emit()
        self._panel.set_voiceless(tuple(n for n, key in speakers.items() if some and not key))

    @Slot(int, str)
    def _on_speaker(self, number: int, key: str) -> None:
        if number == 0:
            self._voice.choose(key)
            return
        stored = parse_speakers(self._settings.get(keys.SPEAKERS))
        stored[number] = key
        self._settings.set(keys.SPEAKERS, dump_speakers(stored))
