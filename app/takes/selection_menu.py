"""What can be done with the part of a take that is selected."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMenu, QWidget

from app.core import settings as keys
from app.core.background import Tasks
from app.core.file_dialogs import FileDialogs
from app.core.messages import Messages
from app.core.settings import Settings
from app.takes.current import CurrentTake
from app.takes.files import name_of
from app.takes.time_axis import TimeAxis
from engine.audio import AudioClip
from engine.takes import Exported, ExportFormat, export_take


class SelectionMenu(QObject):
    """Adds the entries of a selection to a menu.

    Signals:
        voice_wanted(AudioClip): a voice shall be made of it.
    """

    voice_wanted = Signal(object)

    def __init__(
        self,
        axis: TimeAxis,
        current: CurrentTake,
        settings: Settings,
        tasks: Tasks,
        messages: Messages,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._axis, self._current = axis, current
        self._files = FileDialogs(settings, parent)
        self._tasks, self._messages = tasks, messages

    def add_to(self, menu: QMenu, play: Callable[[], None]) -> None:
        """Nothing is added while nothing is selected."""
        if self.clip is None:
            return
        for text, doing in (
            (self.tr("Play the selection"), play),
            (self.tr("Save the selection…"), self._save),
            (self.tr("Make a voice of the selection"), self._make_voice),
        ):
            menu.addAction(text).triggered.connect(lambda _=False, doing=doing: doing())
        menu.addSeparator()

    @property
    def clip(self) -> AudioClip | None:
        """The selected sound, if any."""
        take, region = self._current.take, self._axis.selection
        if take is None or region is None:
            return None
        first, end = region
        samples = take.store.read(first, end - first)
        return AudioClip.from_array(samples, take.store.rate, name_of(take))

    def _make_voice(self) -> None:
        clip = self.clip
        if clip is not None:
            self.voice_wanted.emit(clip)

    def _save(self) -> None:
        clip, region = self.clip, self._axis.selection
        if clip is None or region is None:
            return
        kinds = {
            self.tr("WAV files, 24 bit (*.wav)"): ExportFormat.WAV_24,
            self.tr("FLAC files (*.flac)"): ExportFormat.FLAC_24,
        }
        start = region[0] / clip.rate
        found = self._files.save(
            keys.FOLDER_SAVE, self.tr("Save the selection"), f"{clip.name} {start:.1f}s.wav",
            ";;".join(kinds), replace=False,
        )  # fmt: skip
        if found is None:
            return
        path, kind = found
        chosen = kinds.get(kind, ExportFormat.WAV_24)
        if path.suffix.lower() == ExportFormat.FLAC_24.suffix:
            chosen = ExportFormat.FLAC_24
        self._tasks.run(
            lambda: export_take(path, clip.samples[:, 0], clip.rate, chosen),
            self._say_saved,
            self._messages.report,
        )

    def _say_saved(self, made: Exported) -> None:
        self._messages.say(self.tr("Saved as {name}.").format(name=made.path.name))
