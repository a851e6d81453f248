"""What begins with a file: open a model, import a voice; and where dropped files go."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog

from app.core import settings as keys
from app.core.file_dialogs import show_folder
from app.core.settings import Setting, Settings
from app.session import Session
from app.takes.files import AUDIO_ENDINGS
from app.window import MainWindow
from engine.errors import EngineError, OutputError


class FileRouting(QObject):
    """Dialogs and drops, and what follows from them.

    ``report`` shows an error with at most one button: ``report(error, title, callback)``.
    ``read_text`` makes a dropped text file the script, ``read_audio`` looks at a sound file
    first, ``open_clip`` makes another one the clip,
    ``add_voices`` profiles voices of the library.
    """

    def __init__(
        self,
        window: MainWindow,
        session: Session,
        settings: Settings,
        report: Callable[[EngineError, str, Callable[[], None] | None], None],
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._settings = settings
        self._report = report
        self.read_text: Callable[[Path], None] = lambda path: None
        self.read_audio: Callable[[Path], None] = lambda path: None
        self.open_clip: Callable[[Path], None] = lambda path: None
        self.add_voices: Callable[[list[Path]], None] = lambda paths: None

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
            self._session.open_model(Path(name))

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
        self.add_voices([path])

    def reveal_voices(self) -> None:
        """Show the library's folder in the file manager."""
        folder = Path(self._session.voices.library.directory)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            self._report(OutputError(f"{folder} cannot be made ({error})"), "", None)
            return
        show_folder(folder)

    def take_dropped(self, paths: list[Path]) -> None:
        """Each kind of file goes where it belongs."""
        doing = {
            ".gguf": self._session.open_model,
            ".s2voice": self.add_voice,
            ".txt": self.read_text,
            **dict.fromkeys(AUDIO_ENDINGS, self.read_audio),
        }
        for path in paths:
            doing.get(path.suffix.lower(), self.open_clip)(path)

    def _folder(self, setting: Setting[str]) -> str:
        """The remembered folder, unless it is gone."""
        folder = self._settings.get(setting)
        return folder if folder and os.path.isdir(folder) else ""

    def _remember(self, setting: Setting[str], path: Path) -> None:
        self._settings.set(setting, str(path.parent))
