"""From a clip that is ready to a voice in the library, and to what the model hears of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from PySide6.QtCore import QObject, Signal, Slot

from app.cloning.clip import Edits, used_clip
from app.cloning.clip_controller import ClipController, CloningContext
from app.cloning.clip_files import PreparedClip
from app.cloning.save_dialogs import ConsentDialog, FaultyClip, NameTaken
from app.cloning.transcript_controller import TranscriptController
from app.core import settings as keys
from app.core.engine_texts import engine_text
from app.inference.codec_jobs import CodecJobs
from engine.audio import AudioClip
from engine.errors import EngineError
from engine.text import is_speakable
from engine.types import Progress
from engine.voices import NewVoice, VoiceProfile, kept_clip, shown_name

MODEL = "model"


@dataclass(frozen=True, slots=True)
class Heard:
    """Codes of the clip as it was edited then."""

    source: PreparedClip
    edits: Edits
    codes: np.ndarray


class Library(Protocol):
    """Where voices are kept."""

    def free_name(self, wish: str) -> str:
        """A name like ``wish`` that no voice has."""
        ...

    def like(self, name: str) -> str:
        """Id of the voice of that name; empty when there is none."""
        ...

    def has_clips(self, voice_id: str) -> bool:
        """Whether a clip can be added to a voice."""
        ...

    def keep(self, made: NewVoice) -> str:
        """Keep a voice made of a clip; returns its id. Raises :class:`EngineError`."""
        ...


class SaveController(QObject):
    """Save, and hear what the model hears.

    Signals:
        saved(str): id of the new voice.
        clip_added(str, AudioClip, str): the voice of that id shall be made of this clip and its
            words too.
    """

    saved = Signal(str)
    clip_added = Signal(str, object, str)

    def __init__(
        self,
        reference: ClipController,
        transcript: TranscriptController,
        jobs: CodecJobs,
        library: Library,
        rate: Callable[[], int],
        open_model: Callable[[], None],
        context: CloningContext,
    ) -> None:
        """``rate`` gives the sample rate of the loaded model, 0 without one."""
        super().__init__(reference)
        self._reference, self._transcript = reference, transcript
        self._jobs, self._library, self._context = jobs, library, context
        self._rate, self._open_model = rate, open_model
        self._panel, self._clip = reference.panel, reference.clip
        self._heard: Heard | None = None
        self._saving = False
        self._hinting = False
        row = self._panel.saving
        row.save_requested.connect(self.save)
        row.cancel_requested.connect(self.cancel)
        self._panel.model_clicked.connect(self.hear)
        jobs.progressed.connect(self._on_progress)
        self._clip.changed.connect(self._on_clip)
        self._clip.text_changed.connect(self._on_text)

    @property
    def busy(self) -> bool:
        """A voice of the clip is being made."""
        return self._saving

    @Slot(str)
    def save(self, name: str) -> None:
        """Make the clip a voice called ``name``, after asking what must be asked."""
        if self._saving or not self._ready():
            return
        wish = shown_name(name) or self._suggestion()
        faults = self._faults()
        if faults:
            self._ask_faults(faults, wish)
        else:
            self._choose_name(wish)

    @Slot()
    def cancel(self) -> None:
        """Stop making the voice; nothing is kept of it."""
        self._jobs.cancel()

    @Slot()
    def hear(self) -> None:
        """Play the clip as the codec gives it back, encoding it first where needed."""
        preview, source = self._context.preview, self._clip.source
        if preview.token == MODEL:
            preview.stop()
            return
        if source is None or self._saving or not self._has_model():
            return
        edits, heard = self._clip.edits, self._heard
        if heard is not None and (heard.source, heard.edits) == (source, edits):
            self._decode(heard.codes)
            return
        text = self._clip.text if is_speakable(self._clip.text) else "…"

        def done(profile: VoiceProfile) -> None:
            self._heard = Heard(source, edits, profile.codes)
            self._decode(profile.codes)

        self._begin()
        self._jobs.encode(used_clip(source, edits), text, done, self._on_failed)

    def _decode(self, codes: np.ndarray) -> None:
        def done(samples: np.ndarray) -> None:
            self._end()
            self._context.preview.play(MODEL, samples, self._rate())

        self._begin()
        self._jobs.decode(codes, done, self._on_failed)

    def _ready(self) -> bool:
        """Whether the clip can be saved; else the panel says what is missing."""
        clip, panel = self._clip, self._panel
        words = ""
        if clip.source is None:
            return False
        if self._reference.reading:
            words = self.tr("The new clip is being read; try again in a moment.")
        elif self._transcript.busy:
            words = self.tr("Wait for the transcription, or stop it.")
        elif not is_speakable(clip.text):
            words = self.tr(
                "Type what is said in the clip, or have it transcribed: the voice needs the words."
            )
            panel.transcript.editor.setFocus()
        elif clip.questioned:
            words = self.tr("The text is from the clip before. Say whether it fits this one.")
            panel.transcript.keep.setFocus()
        if words:
            panel.set_note(words, "warn")
            self._hinting = True
            return False
        return self._has_model()

    def _has_model(self) -> bool:
        if self._rate():
            return True
        self._context.messages.say(
            self.tr("A model turns the clip into a voice. Open one first; the clip stays here."),
            self.tr("Open model…"),
            self._open_model,
        )
        return False

    def _suggestion(self) -> str:
        source = self._clip.source
        stem = source.path.stem if source is not None and source.path is not None else ""
        return self._library.free_name(stem or self.tr("My voice"))

    def _faults(self) -> list[str]:
        """What the red lights say; the text's own light counts too."""
        red = [c for c in self._panel.lights.checks if c.light == "red"]
        return [f"• {engine_text(c.message)} {engine_text(c.cure)}".strip() for c in red]

    def _ask_faults(self, faults: list[str], wish: str) -> None:
        dialog = FaultyClip(faults, self._panel.window())
        dialog.accepted.connect(
            lambda: self._choose_name(wish) if dialog.answer == "second" else None
        )
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _choose_name(self, wish: str) -> None:
        free = self._library.free_name(wish)
        taken = self._library.like(wish)
        if not taken:
            self._ask_consent(wish)
            return
        dialog = NameTaken(wish, free, self._library.has_clips(taken), self._panel.window())

        def answered() -> None:
            if dialog.answer == "first":
                self._ask_consent(free)
            elif dialog.answer == "second":
                self._ask_consent(wish, replaces=taken)
            elif dialog.answer == "third":
                self._add_to(taken)

        dialog.accepted.connect(answered)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _ask_consent(self, name: str, replaces: str = "") -> None:
        """Once, with the first voice that is cloned: who allowed it. Nothing is filled in."""
        settings = self._context.settings
        if settings.get(keys.CONSENT_ASKED):
            self._encode(name, "", replaces)
            return
        dialog = ConsentDialog(name, self._panel.window())

        def answered() -> None:
            settings.set(keys.CONSENT_ASKED, True)
            given = dialog.line.text().strip() if dialog.answer == "first" else ""
            self._encode(name, given, replaces)

        dialog.accepted.connect(answered)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _take_clip(self, use: Callable[[AudioClip], None]) -> None:
        """The clip as it is now, ready to be kept; later edits do not count."""
        source, edits = self._clip.source, self._clip.edits
        if source is not None:
            self._context.tasks.run(
                lambda: kept_clip(used_clip(source, edits)), use, self._on_failed
            )

    def _add_to(self, voice_id: str) -> None:
        text = self._clip.text.strip()
        self._take_clip(lambda clip: self.clip_added.emit(voice_id, clip, text))

    def _encode(self, name: str, consent: str, replaces: str = "") -> None:
        source, edits = self._clip.source, self._clip.edits
        if source is None:
            return
        text, language = self._clip.text.strip(), self._transcript.language

        def encode(clip: AudioClip) -> None:
            self._jobs.encode(clip, text, lambda profile: done(clip, profile), self._on_failed)

        def done(clip: AudioClip, profile: VoiceProfile) -> None:
            self._heard = Heard(source, edits, profile.codes)
            self._panel.saving.set_progress(self.tr("Saving…"), 0, 0)
            made = NewVoice(name, profile, clip, text, language, consent, replaces)
            keep = self._library.keep
            self._context.tasks.run(lambda: keep(made), self._on_saved, self._on_failed)

        self._panel.set_note("")
        self._begin()
        self._take_clip(encode)

    def _on_saved(self, voice_id: str) -> None:
        self._end()
        self._panel.saving.name.clear()
        self.saved.emit(voice_id)

    def _on_failed(self, error: EngineError | None) -> None:
        self._end()
        if error is None:
            self._context.messages.say(
                self.tr("Stopped. The clip is still here; nothing was saved.")
            )
        else:
            self._context.messages.report(error)

    def _begin(self) -> None:
        self._saving = True
        self._panel.saving.set_working(True)
        self._panel.saving.set_progress(self.tr("Waiting for the engine…"), 0, 0)
        self._reference.busy_changed.emit()

    def _end(self) -> None:
        self._saving = False
        self._panel.saving.set_working(False)
        self._reference.busy_changed.emit()

    @Slot(object)
    def _on_progress(self, progress: Progress) -> None:
        if not self._saving:
            return
        words = self.tr("Encoding the clip…")
        if progress.stage == "decode":
            words = self.tr("Decoding the codes…")
        self._panel.saving.set_progress(words, progress.done, progress.total)

    @Slot()
    def _on_text(self) -> None:
        """What was missing is being mended, so it need not be said any more."""
        if self._hinting:
            self._hinting = False
            self._panel.set_note("")

    @Slot()
    def _on_clip(self) -> None:
        """A file's name is a good guess for the voice's; a name that was typed stays."""
        self._heard = None
        name = self._panel.saving.name
        if self._clip.source is not None and not (name.isModified() and name.text().strip()):
            name.setText(self._suggestion())
