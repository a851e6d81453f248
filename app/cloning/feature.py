"""Makes and ties everything of the left column: recorder, transcription, voices, their flows."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QApplication

from app.audio.devices import AudioDevices
from app.audio.preview import Preview
from app.audio.recorder import Recorder
from app.cloning.clip_controller import ClipController, CloningContext, Report
from app.cloning.clip_files import SUFFIXES
from app.cloning.save_controller import SaveController
from app.cloning.transcriber import Transcriber, WhisperTranscriber
from app.cloning.transcript_controller import TranscriptController
from app.core import settings as keys
from app.core.background import Tasks
from app.core.file_dialogs import RecentFiles, remember
from app.core.settings import Settings
from app.inference.codec_jobs import CodecJobs
from app.session import Session
from app.voices.controller import VoicesController
from app.voices.folder_watcher import FolderWatcher
from app.voices.list_model import VoiceListModel
from app.voices.store import VoiceStore
from app.window import MainWindow


class Cloning(QObject):
    """From a sound to a voice, and what becomes of voices.

    Attributes:
        recorder, transcriber, store, audition: the services.
        reference, transcript, saving, voices: the flows.

    Signals:
        busy_changed(): there is more or less to stop.
    """

    busy_changed = Signal()

    def __init__(
        self,
        window: MainWindow,
        session: Session,
        settings: Settings,
        devices: AudioDevices,
        report: Report,
        transcriber: Transcriber | None = None,
    ) -> None:
        super().__init__(window)
        self._session, self._settings = session, settings
        self._model: VoiceListModel = session.voices
        self._tasks = Tasks(parent=self)
        self.preview = Preview(session.player, self)
        self.recorder = Recorder(devices, parent=self)
        folder = settings.get(keys.TRANSCRIBE_MODEL)
        self.transcriber = transcriber or WhisperTranscriber(Path(folder) if folder else None)
        self.store = VoiceStore(self._model.library)
        self.watch = FolderWatcher(Path(self._model.library.directory), self)
        context = CloningContext(settings, self._tasks, self.preview, window.toast.say, report)
        panel, clip = window.reference, window.reference.clip
        self.reference = ClipController(panel, clip, self.recorder, context)
        self.transcript = TranscriptController(panel, clip, self.transcriber, context)
        rate = self._rate
        self.saving = SaveController(
            self.reference,
            self.transcript,
            CodecJobs(session.service, self),
            self.store,
            rate,
            context,
        )
        self.voices = VoicesController(
            window.voices, self._model, self.store, CodecJobs(session.service, self), rate, context
        )
        self._window = window
        self._connect()

    def _connect(self) -> None:
        panel = self._window.voices
        self.reference.busy_changed.connect(self.busy_changed)
        self.transcript.busy_changed.connect(self.busy_changed)
        self.reference.transcribe_requested.connect(self.transcript.start)
        self.saving.saved.connect(self._on_saved)
        self.watch.changed.connect(self._model.refresh)
        self._settings.changed.connect(self._on_setting)
        panel.set_order(self._settings.get(keys.VOICE_SORT))
        panel.order_chosen.connect(self._on_order)
        actions = self._window.actions_
        actions.record.triggered.connect(self.reference.record_or_stop)
        actions.open_clip.triggered.connect(self.reference.ask_file)
        self.reference.opened.connect(self._on_opened)
        menus = (self._window.clips_menu, self._window.reference.recent_menu)
        opener = self.reference.open_file
        RecentFiles(self._settings, keys.RECENT_CLIPS, opener, menus, self)
        panel.voice_used.connect(self._window.script.editor.setFocus)

    def _rate(self) -> int:
        return self._session.info.sample_rate if self._session.info is not None else 0

    @property
    def busy(self) -> bool:
        """A recording or a transcription runs, so there is something to stop."""
        return self.reference.recording or self.transcriber.busy

    def stop(self) -> bool:
        """Stop the newest of these; ``False`` when none runs."""
        if self.reference.recording:
            self.recorder.stop()
        elif self.transcriber.busy:
            self.transcriber.cancel()
        else:
            return False
        return True

    def takes(self, path: Path) -> bool:
        """Whether a file is, by its name, sound that can become the clip."""
        return path.suffix.lower() in SUFFIXES

    def shutdown(self, timeout_ms: int) -> bool:
        """End the microphone, the transcription and the file jobs."""
        self.recorder.disarm()
        self.transcriber.close()
        return self._tasks.close(timeout_ms)

    @Slot(str)
    def _on_saved(self, voice_id: str) -> None:
        self._model.refresh()
        self._window.voices.choose(voice_id)
        focus = QApplication.focusWidget()
        if focus is not None and self._window.reference.isAncestorOf(focus):
            # The next thing is to let the new voice speak.
            self._window.script.editor.setFocus(Qt.FocusReason.OtherFocusReason)
        self._window.toast.say(
            self.tr("Voice {name} is in your library and chosen.").format(name=voice_id),
            self.tr("Hear it"),
            lambda: self.voices.hear(voice_id),
        )

    @Slot(object)
    def _on_opened(self, path: Path) -> None:
        remember(self._settings, keys.RECENT_CLIPS, path)

    @Slot(str)
    def _on_setting(self, key: str) -> None:
        """What the settings dialog changes counts at once."""
        if key == keys.RECORD_LIMIT.key:
            self.recorder.limit_s = self._settings.get(keys.RECORD_LIMIT)
        elif key == keys.TRANSCRIBE_MODEL.key:
            folder = self._settings.get(keys.TRANSCRIBE_MODEL)
            self.transcript.use_folder(Path(folder) if folder else None)

    @Slot(str)
    def _on_order(self, order: str) -> None:
        self._settings.set(keys.VOICE_SORT, order)
