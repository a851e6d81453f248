"""What follows from the script: its report, who speaks, and the request to generate."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QFileDialog

from app.core import settings as keys
from app.core.background import Tasks
from app.core.settings import Settings
from app.core.text_files import TextFile, read_text, write_text
from app.inference.controls import new_seed
from app.script.analysis import ScriptReport, look_at
from app.script.speakers import dump_speakers, parse_speakers
from app.session import Session
from app.window import MainWindow
from engine.errors import EngineError

Report = Callable[[EngineError, str, Callable[[], None] | None], None]


class ScriptController(QObject):
    """Ties the script's panel to the voices, the files and the studio."""

    def __init__(
        self, window: MainWindow, session: Session, settings: Settings, tasks: Tasks, report: Report
    ) -> None:
        super().__init__(window)
        self._window, self._session, self._settings = window, session, settings
        self._tasks, self._report = tasks, report
        self._waiting = False
        panel = window.script
        panel.large_text.connect(self._look_elsewhere)
        panel.report_changed.connect(self._on_report)
        panel.speakers.voice_chosen.connect(self._on_speakers)
        window.voices.voice_chosen.connect(self._show_speakers)
        settings.changed.connect(self._on_setting)
        text = panel.text
        if panel.report is None and text:
            self._look_elsewhere(text)
        self._show_speakers()

    def generate(self) -> None:
        """Start a take from what the window shows, as soon as the text is known."""
        panel = self._window.script
        panel.measure()
        if panel.report is None:
            self._waiting = True
            return
        self._session.generate(
            panel.text,
            self._window.voices.key,
            panel.seed_value,
            speakers=self.speakers(panel.report),
            plan=panel.report.plan,
        )

    def draw_seed(self) -> None:
        """Show a fresh seed."""
        self._window.script.show_seed(new_seed())

    def speakers(self, report: ScriptReport) -> dict[int, str]:
        """Speaker number to key of a voice, for everyone who says something."""
        stored = parse_speakers(self._settings.get(keys.SPEAKERS))
        stored[0] = self._window.voices.key
        return {number: stored.get(number, "") for number in report.used}

    def open_text(self) -> None:
        """Ask for a text file and make it the script."""
        folder = self._settings.get(keys.FOLDER_TEXT)
        name, _ = QFileDialog.getOpenFileName(
            self._window, self.tr("Open text"), folder if os.path.isdir(folder) else "",
            self.tr("Texts (*.txt);;All files (*)"),
        )  # fmt: skip
        if name:
            self._settings.set(keys.FOLDER_TEXT, str(Path(name).parent))
            self.read_text(Path(name))

    def read_text(self, path: Path) -> None:
        """Make a file the script; Undo brings the old one back."""
        try:
            found = read_text(path)
        except EngineError as error:
            self._report(error, "", None)
            return
        self._take_text(path, found)

    def _take_text(self, path: Path, found: TextFile) -> None:
        self._window.script.set_text(found.text)
        if found.guessed:
            words = self.tr("{name} does not say how it is coded; it was read as {code}.")
            self._window.toast.say(
                words.format(name=path.name, code=found.encoding),
                self.tr("Undo"),
                self._window.script.editor.undo,
            )

    def save_text(self) -> None:
        """Ask where to, and write the script there as UTF-8."""
        folder = self._settings.get(keys.FOLDER_TEXT)
        start = Path(folder) if os.path.isdir(folder) else Path.home()
        name, _ = QFileDialog.getSaveFileName(
            self._window, self.tr("Save text"), str(start / "script.txt"),
            self.tr("Texts (*.txt)"),
        )  # fmt: skip
        if not name:
            return
        path = Path(name)
        path = path if path.suffix else path.with_name(f"{path.name}.txt")
        try:
            write_text(path, self._window.script.text)
        except EngineError as error:
            self._report(error, self.tr("Save elsewhere…"), self.save_text)
            return
        self._settings.set(keys.FOLDER_TEXT, str(path.parent))
        self._window.toast.say(self.tr("Saved as {name}.").format(name=path.name))

    @Slot(str)
    def _look_elsewhere(self, text: str) -> None:
        mode = self._settings.get(keys.SPLIT_MODE)
        self._tasks.run(
            lambda: look_at(text, mode),  # type: ignore[arg-type]
            lambda report: self._window.script.show_report(text, report),
        )

    @Slot(object)
    def _on_report(self, report: ScriptReport) -> None:
        self._show_speakers()
        if self._waiting:
            self._waiting = False
            self.generate()

    @Slot()
    def _show_speakers(self) -> None:
        panel = self._window.script
        report = panel.report
        if report is None:
            return
        speakers = self.speakers(report)
        panel.speakers.show_speakers(report.used if report.speakers else (), speakers)
        some = any(speakers.values())
        panel.set_voiceless(tuple(n for n, key in speakers.items() if some and not key))

    @Slot(int, str)
    def _on_speakers(self, number: int, key: str) -> None:
        if number == 0:
            self._window.voices.choose(key)
            return
        stored = parse_speakers(self._settings.get(keys.SPEAKERS))
        stored[number] = key
        self._settings.set(keys.SPEAKERS, dump_speakers(stored))

    @Slot(str)
    def _on_setting(self, key: str) -> None:
        if key == keys.SPEAKERS.key:
            self._show_speakers()
        elif key == keys.SPLIT_MODE.key:
            self._window.script.measure()
