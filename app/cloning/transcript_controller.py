"""Has the clip written down, or says how to get there."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QFileDialog

from app.cloning.clip import ReferenceClip, used_clip
from app.cloning.clip_controller import CloningContext
from app.cloning.panel import ReferencePanel
from app.cloning.recogniser import RecogniserFetch
from app.cloning.transcriber import MAX_SECONDS, Availability, TranscribeProgress, Transcriber
from app.core import settings as keys
from app.inference.codec_jobs import CodecJobs
from engine.transcription import Heard, TranscribeError, Transcript

QUIET_MS = 2000
"""Without a key in the text or a change of the clip, before the two are compared."""


class TranscriptController(QObject):
    """The Transcribe button, and the quiet comparison of text and clip while nothing else is done.

    Attributes:
        language: of the clip as it was chosen or detected; empty when unknown.

    Signals:
        busy_changed(): a transcription began or ended.
        words_checked(Check | None): how well the text fits the clip; ``None`` when it is another
            one now.
    """

    busy_changed = Signal()
    words_checked = Signal(object)

    def __init__(
        self,
        panel: ReferencePanel,
        clip: ReferenceClip,
        transcriber: Transcriber,
        recogniser: RecogniserFetch,
        jobs: CodecJobs,
        context: CloningContext,
    ) -> None:
        super().__init__(panel)
        self._recogniser = recogniser
        recogniser.folder_wanted.connect(self.choose_folder)
        recogniser.fetched.connect(self._on_fetched)
        self._panel, self._clip, self._context = panel, clip, context
        self.transcriber = transcriber
        self.language = context.settings.get(keys.TRANSCRIBE_LANGUAGE)
        box = panel.transcript
        box.set_language(self.language)
        box.transcribe_requested.connect(self.start)
        box.cancel_requested.connect(transcriber.cancel)
        box.language_chosen.connect(self._on_language)
        box.folder_requested.connect(self.choose_folder)
        transcriber.progressed.connect(self._on_progress)
        transcriber.finished.connect(self._on_finished)
        transcriber.failed.connect(self._on_failed)
        transcriber.cancelled.connect(self._on_end)
        clip.changed.connect(self._on_clip)
        transcriber.heard.connect(self._on_heard)
        self._checking: tuple[object, object, str] | None = None
        self._known: tuple[object, object, str] | None = None
        self._quiet = QTimer(self)
        self._quiet.setSingleShot(True)
        self._quiet.setInterval(QUIET_MS)
        self._quiet.timeout.connect(self.compare)
        clip.text_changed.connect(self._on_text)
        clip.edited.connect(self._on_text)
        self._jobs = jobs
        jobs.engine_changed.connect(self._on_engine)

    @property
    def busy(self) -> bool:
        """A clip is being written down; a comparison does not count."""
        return self.transcriber.busy and self._checking is None

    @Slot()
    def start(self) -> None:
        """Write the clip down; without the means, explain how to get them."""
        source = self._clip.source
        if source is None:
            return
        ready = self.transcriber.availability()
        if not ready.ready:
            self._explain(ready)
            return
        self._end_check()
        clip = used_clip(source, self._clip.edits)
        if self.transcriber.start(
            clip, self._context.settings.get(keys.TRANSCRIBE_LANGUAGE) or None
        ):
            self.busy_changed.emit()

    @property
    def _pair(self) -> tuple[object, object, str]:
        return self._clip.source, self._clip.edits, self._clip.text.strip()

    @Slot()
    def compare(self) -> None:
        """Look for the words of the text in the clip; nobody waits for it."""
        source, text = self._clip.source, self._clip.text.strip()
        idle = source is not None and not self.transcriber.busy and self._known != self._pair
        fit = text and not self._clip.questioned and self._clip.seconds <= MAX_SECONDS
        if source is None or not (idle and fit) or not self.transcriber.availability().ready:
            return
        if self._jobs.engine_works:  # speech that is heard now would stutter; its end asks again
            return
        from engine.transcription import words_to_score  # takes a moment to load

        clip = used_clip(source, self._clip.edits)
        language = self.language or None
        self._checking = self._pair
        self.transcriber.start(clip, language, words_to_score(text, self.language))

    @Slot(object)
    def _on_heard(self, heard: Heard) -> None:
        from engine.transcription import check_clip_words

        pair, self._checking = self._checking, None
        if pair is not None and pair == self._pair:
            self._known = pair
            self.words_checked.emit(check_clip_words(pair[2], heard))

    @Slot()
    def _on_engine(self) -> None:
        """The processor belongs to the engine while it works; afterwards the two are compared."""
        if self._jobs.engine_works:
            self._end_check()
        elif self._clip.source is not None and self._known != self._pair:
            self._quiet.start()

    @Slot()
    def _on_text(self) -> None:
        if self._pair != self._known:
            self.words_checked.emit(None)
            self._end_check()
            self._quiet.start()

    def _end_check(self) -> None:
        """What is compared now is another text by now, or somebody wants the transcriber."""
        if self._checking is not None:
            self._checking = None
            self.transcriber.cancel()

    @Slot()
    def choose_folder(self) -> None:
        """Ask for the folder of a model; then go on."""
        old = self._context.settings.get(keys.TRANSCRIBE_MODEL)
        name = QFileDialog.getExistingDirectory(
            self._panel.window(), self.tr("Folder of the transcription model"), old
        )
        if name:
            self._context.settings.set(keys.TRANSCRIBE_MODEL, name)
            self.use_folder(Path(name))
            ready = self.transcriber.availability()
            if not ready.ready:
                self._context.messages.report(TranscribeError(ready.reason, ready.advice))
            elif self._clip.source is not None and not self._clip.text.strip():
                self.start()

    def use_folder(self, folder: Path | None) -> None:
        """The transcriber reads its model from there."""
        if hasattr(self.transcriber, "model_folder"):
            self.transcriber.model_folder = folder

    def _explain(self, ready: Availability) -> None:
        """Offer the model where it is all that is missing; else say why it cannot be."""
        if ready.wants_model:
            self._recogniser.show(self._panel.window())
        else:
            self._context.messages.report(TranscribeError(ready.reason, ready.advice))

    @Slot(object)
    def _on_fetched(self, folder: Path) -> None:
        """The button was pressed for a text: go on with it."""
        self._context.settings.set(keys.TRANSCRIBE_MODEL, "")
        self.use_folder(folder)
        ready = self.transcriber.availability()
        if not ready.ready:
            self._context.messages.report(TranscribeError(ready.reason, ready.advice))
        elif self._clip.source is not None and not self._clip.text.strip():
            self.start()
        else:
            self._context.messages.say(self.tr("Clips can be transcribed now."))

    @Slot(str)
    def _on_language(self, code: str) -> None:
        self._context.settings.set(keys.TRANSCRIBE_LANGUAGE, code)
        self._panel.transcript.set_language(code)
        self.language = code

    @Slot(object)
    def _on_progress(self, progress: TranscribeProgress) -> None:
        if self._checking is not None:
            return
        words = self.tr("Stop")
        if progress.total_s > 0:
            percent = round(100 * progress.done_s / progress.total_s)
            words = self.tr("Stop · {0} %").format(percent)
        self._panel.transcript.set_working(True, words)

    @Slot(object)
    def _on_finished(self, transcript: Transcript) -> None:
        self._on_end()
        self.language = transcript.language
        self._clip.set_text(transcript.text)
        self._known = self._pair  # it is what was heard
        self._context.messages.say(self.tr("Compare the text with the clip: each word counts."))

    @Slot(object)
    def _on_failed(self, error: TranscribeError) -> None:
        if self._checking is not None:
            self._checking, self._known = None, self._checking  # once is enough
            return
        self._on_end()
        ready = self.transcriber.availability()
        if ready.ready:
            self._context.messages.report(error)
        else:
            self._explain(ready)

    @Slot()
    def _on_end(self) -> None:
        self._panel.transcript.set_working(False)
        self.busy_changed.emit()

    @Slot()
    def _on_clip(self) -> None:
        """What is being written down is about another clip."""
        self._checking = None
        self.transcriber.cancel()
        self.language = self._context.settings.get(keys.TRANSCRIBE_LANGUAGE)
