"""What begins or ends with a file: open a model, import a voice, read a text, save a take."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

from PySide6.QtCore import QObject, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog

from app import settings as keys
from app.services.take_files import free_path, take_name
from app.settings import Setting, Settings
from app.studio import Studio
from app.window import MainWindow
from engine.errors import EngineError, OutputError, RequestError
from engine.voices import VoiceProfile, safe_name, unique_name

MAX_TEXT_BYTES = 4 << 20


class FileFlows(QObject):
    """Dialogs and drops, and what follows from them.

    ``report`` shows an error with at most one button: ``report(error, title, callback)``.
    """

    def __init__(
        self,
        window: MainWindow,
        studio: Studio,
        settings: Settings,
        report: Callable[[EngineError, str, Callable[[], None] | None], None],
    ) -> None:
        super().__init__(window)
        self._window = window
        self._studio = studio
        self._settings = settings
        self._report = report

    def open_model(self) -> None:
        """Ask for a model and load it."""
        name, _ = QFileDialog.getOpenFileName(
            self._window,
            self.tr("Open model"),
            self._folder(keys.FOLDER_MODEL),
            self.tr("GGUF models (*.gguf);;All files (*)"),
        )
        if name:
            self._remember(keys.FOLDER_MODEL, Path(name))
            self._studio.open_model(Path(name))

    def open_text(self) -> None:
        """Ask for a text file and make it the script."""
        name, _ = QFileDialog.getOpenFileName(
            self._window,
            self.tr("Open text"),
            self._folder(keys.FOLDER_TEXT),
            self.tr("Texts (*.txt);;All files (*)"),
        )
        if name:
            self._remember(keys.FOLDER_TEXT, Path(name))
            self.read_text(Path(name))

    def read_text(self, path: Path) -> None:
        """Make a file the script; Undo brings the old one back."""
        try:
            if path.stat().st_size > MAX_TEXT_BYTES:
                raise ValueError("larger than 4 MB")
            text = path.read_text(encoding="utf-8-sig")
        except (OSError, ValueError) as error:
            shown = RequestError(
                f"{path.name} cannot be read as UTF-8 text ({error})",
                "Save it as plain text in UTF-8 and try again.",
            )
            self._report(shown, "", None)
            return
        self._window.script.set_text(text.replace("\r\n", "\n"))

    def import_voice(self) -> None:
        """Ask for voice files and add them."""
        names, _ = QFileDialog.getOpenFileNames(
            self._window,
            self.tr("Import voice"),
            self._folder(keys.FOLDER_VOICE),
            self.tr("Voices (*.s2voice);;All files (*)"),
        )
        for name in names:
            self._remember(keys.FOLDER_VOICE, Path(name))
            self.add_voice(Path(name))

    def add_voice(self, path: Path) -> None:
        """Copy a profile into the library under a free name and choose it."""
        voices = self._studio.voices
        try:
            profile = VoiceProfile.load(path)
            voice_id = unique_name(safe_name(path.stem, 60, fallback="voice"), voices.library.ids())
            voices.library.save(voice_id, profile, overwrite=False)
        except EngineError as error:
            self._report(error, "", None)
            return
        voices.refresh()
        self._window.voices.choose(voice_id)
        self._window.toast.say(self.tr("Voice {name} was added.").format(name=voice_id))

    def reveal_voices(self) -> None:
        """Show the library's folder in the file manager."""
        folder = Path(self._studio.voices.library.directory)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            self._report(OutputError(f"{folder} cannot be made ({error})"), "", None)
            return
        self._show_folder(folder)

    def take_dropped(self, paths: list[Path]) -> None:
        """Each kind of file goes where it belongs."""
        doing = {
            ".gguf": self._studio.open_model,
            ".s2voice": self.add_voice,
            ".txt": self.read_text,
        }
        for path in paths:
            doing[path.suffix.lower()](path)

    def save_take(self) -> None:
        """Ask where to, and write the current take there.

        The dialog asks before it replaces a file. After a failure the sound is still in
        memory and another place can be chosen.
        """
        take = self._studio.take
        if take is None or take.store.length == 0:
            return
        name = take_name(take.request.text, take.voice, take.seed, take.made)
        folder = self._folder(keys.FOLDER_SAVE)
        suggested = free_path(Path(folder or Path.home()) / f"{name}.wav")
        whole, small = self.tr("WAV, 32-bit float (*.wav)"), self.tr("WAV, 16-bit (*.wav)")
        chosen, kind = QFileDialog.getSaveFileName(
            self._window, self.tr("Save take"), str(suggested), f"{whole};;{small}"
        )
        if chosen:
            self.write_take(Path(chosen), "PCM_16" if kind == small else "FLOAT")

    def write_take(self, path: Path, subtype: Literal["FLOAT", "PCM_16"]) -> None:
        """Write the current take to ``path``; on failure offer another place."""
        if path.suffix.lower() != ".wav":
            path = free_path(path.with_name(path.name + ".wav"))
        try:
            self._studio.save_take(path, subtype)
        except OutputError as error:
            self._report(error, self.tr("Save elsewhere…"), self.save_take)
            return
        self._remember(keys.FOLDER_SAVE, path)
        self._window.toast.say(
            self.tr("Saved as {name}.").format(name=path.name),
            self.tr("Show folder"),
            lambda: self._show_folder(path.parent),
        )

    @staticmethod
    def _show_folder(folder: Path) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))

    def _folder(self, setting: Setting[str]) -> str:
        """The remembered folder, unless it is gone."""
        folder = self._settings.get(setting)
        return folder if folder and Path(folder).is_dir() else ""

    def _remember(self, setting: Setting[str], path: Path) -> None:
        self._settings.set(setting, str(path.parent))
