"""Makes and ties everything that turns a sound into a voice."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QPoint, Signal, Slot
from PySide6.QtWidgets import QApplication, QMenu

from app.audio.devices import AudioDevices
from app.audio.recorder import Recorder
from app.cloning.clip_controller import ClipController, CloningContext
from app.cloning.panel import ReferencePanel
from app.cloning.recogniser import RecogniserFetch
from app.cloning.save_controller import Library, SaveController
from app.cloning.transcriber import Transcriber, WhisperTranscriber
from app.cloning.transcript_controller import TranscriptController
from app.core import settings as keys
from app.core.actions import Actions
from app.core.file_dialogs import RecentFiles, remember
from app.core.settings import Settings
from app.inference.codec_jobs import CodecJobs
from app.widgets.save_picture import PictureSaver
from app.widgets.time_view import ZOOM_STEP


class Cloning(QObject):
    """From a sound to a voice.

    Attributes:
        recorder, transcriber, recogniser: the services.
        reference, transcript, saving: the controllers.

    Signals:
        busy_changed(): there is more or less to stop.
        saved(str): id of a new voice.
        clip_added(str, AudioClip, str): a voice shall be made of one more clip.
        left(): the keyboard was in the panel, and its work is done.
    """

    busy_changed = Signal()
    saved = Signal(str)
    clip_added = Signal(str, object, str)
    left = Signal()

    def __init__(
        self,
        panel: ReferencePanel,
        actions: Actions,
        recent_menu: QMenu,
        devices: AudioDevices,
        jobs: CodecJobs,
        library: Library,
        rate: Callable[[], int],
        open_model: Callable[[], None],
        context: CloningContext,
        recogniser: RecogniserFetch,
        transcriber: Transcriber | None = None,
    ) -> None:
        """``rate`` gives the sample rate of the loaded model, 0 without one."""
        super().__init__(panel)
        self._panel, self._actions, settings = panel, actions, context.settings
        self._saver = PictureSaver(settings, context.tasks, context.messages, panel)
        panel.menu_requested.connect(self._show_menu)
        self.preview = context.preview
        self.recorder = Recorder(devices, parent=self)
        self.recogniser = recogniser
        self.transcriber = transcriber or WhisperTranscriber(
            _folder(settings.get(keys.TRANSCRIBE_MODEL)) or recogniser.found()
        )
        self.reference = ClipController(panel, panel.clip, self.recorder, context)
        self.transcript = TranscriptController(
            panel, panel.clip, self.transcriber, recogniser, jobs, context
        )
        self.saving = SaveController(
            self.reference, self.transcript, jobs, library, rate, open_model, context
        )
        self.reference.busy_changed.connect(self.busy_changed)
        self.transcript.busy_changed.connect(self.busy_changed)
        self.transcript.words_checked.connect(self.reference.show_words)
        self.reference.transcribe_requested.connect(self.transcript.start)
        self.reference.opened.connect(lambda path: remember(settings, keys.RECENT_CLIPS, path))
        self.saving.saved.connect(self._on_saved)
        self.saving.clip_added.connect(self.clip_added)
        actions.record.triggered.connect(self.reference.record_or_stop)
        actions.open_clip.triggered.connect(self.reference.ask_file)
        self._follow(settings, (recent_menu, panel.recent_menu))

    def _follow(self, settings: Settings, menus: tuple[QMenu, QMenu]) -> None:
        RecentFiles(settings, keys.RECENT_CLIPS, self.reference.open_file, menus, self)
        # What the settings dialog changes counts at once.
        settings.watch(keys.RECORD_LIMIT, self._on_limit)
        settings.watch(keys.TRANSCRIBE_MODEL, self._on_model_folder)

    @property
    def busy(self) -> bool:
        """A recording or a transcription runs, so there is something to stop."""
        return self.reference.recording or self.transcript.busy

    def stop(self) -> bool:
        """Stop the newest of these; ``False`` when none runs."""
        if self.reference.recording:
            self.recorder.stop()
        elif self.transcript.busy:
            self.transcriber.cancel()
        else:
            return False
        return True

    def shutdown(self) -> None:
        """End the microphone and the transcription."""
        self.recorder.disarm()
        self.transcriber.close()
        self.recogniser.stop()

    def menu(self, sample: int) -> QMenu:
        """What can be done with the picture of the clip, at a sample."""
        menu, actions, shown = QMenu(self._panel), self._actions, self._panel.shown
        for action, doing in (
            (actions.zoom_in, lambda: shown.zoom_around(ZOOM_STEP, sample)),
            (actions.zoom_out, lambda: shown.zoom_around(1 / ZOOM_STEP, sample)),
            (actions.zoom_all, shown.show_all),
        ):
            menu.addAction(action.text()).triggered.connect(lambda _=False, doing=doing: doing())
        wave, source = self._panel.wave, self._panel.clip.source
        if wave is not None:
            path = None if source is None else source.path
            self._saver.add_to(menu, lambda: path.stem if path else "clip", lambda: [wave])
        return menu

    @Slot(object, int)
    def _show_menu(self, place: QPoint, sample: int) -> None:
        menu = self.menu(sample)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(place)

    @Slot(str)
    def _on_saved(self, voice_id: str) -> None:
        self.saved.emit(voice_id)
        focus = QApplication.focusWidget()
        if focus is not None and self._panel.isAncestorOf(focus):
            self.left.emit()
        self._panel.set_folded(True)

    @Slot(object)
    def _on_limit(self, seconds: float) -> None:
        self.recorder.limit_s = seconds

    @Slot(object)
    def _on_model_folder(self, folder: str) -> None:
        self.transcript.use_folder(_folder(folder) or self.recogniser.found())


def _folder(name: str) -> Path | None:
    return Path(name) if name else None
