"""Takes out and in: quick save, export with options, dragging out, dropping back."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QFileDialog

from app.core import settings as keys
from app.core.background import Tasks
from app.core.file_dialogs import show_folder
from app.core.settings import Settings
from app.inference.jobs import DecodeJob, Ending, Outcome
from app.inference.service import JobHandle
from app.session import Session
from app.takes.controller import TakesController
from app.takes.export_dialog import ExportDialog
from app.takes.files import FoundTake, name_of, read_take, write_take
from app.takes.provenance import take_of_provenance
from app.takes.splice import join
from app.takes.take import Take
from app.window import MainWindow
from engine.audio.encode import ExportFormat
from engine.errors import EngineError
from engine.storage.names import free_name
from engine.takes.export import Exported
from engine.types import Metrics, Summary

Report = Callable[[EngineError, str, Callable[[], None] | None], None]
QUICK = (ExportFormat.WAV_FLOAT, ExportFormat.WAV_16, ExportFormat.FLAC_24, ExportFormat.MP3)


class ExportController(QObject):
    """Writes takes to files and brings them back from files.

    Signals:
        other_sound(Path): a sound file that shall be brought back is no take.
    """

    other_sound = Signal(object)

    def __init__(
        self,
        window: MainWindow,
        session: Session,
        settings: Settings,
        tasks: Tasks,
        flows: TakesController,
        report: Report,
    ) -> None:
        super().__init__(window)
        self._window, self._session, self._settings = window, session, settings
        self._tasks, self._flows, self._report = tasks, flows, report
        self._dragged: TemporaryDirectory[str] | None = None
        session.current.list.file_of = self.file_of

    def save_take(self) -> None:
        """Ask where to, and write the current take there at once."""
        take = self._session.current.take
        if take is None or take.store.length == 0:
            return
        suggested = free_name(self._folder() / f"{name_of(take)}.wav")
        kinds = {f"{kind.title} (*{kind.suffix})": kind for kind in QUICK}
        chosen, kind = QFileDialog.getSaveFileName(
            self._window, self.tr("Save take"), str(suggested), ";;".join(kinds),
            options=QFileDialog.Option.DontConfirmOverwrite,
        )  # fmt: skip
        if chosen:
            self.write_take(Path(chosen), kinds.get(kind, ExportFormat.WAV_FLOAT))

    def export(self) -> None:
        """Ask for kind, folder and name, and write the current take."""
        take = self._session.current.take
        if take is None or take.store.length == 0:
            return
        dialog = ExportDialog(take, self._settings, str(self._folder()), self._window)
        dialog.setModal(True)
        dialog.finished.connect(dialog.deleteLater)
        dialog.accepted.connect(lambda: self.write_take(dialog.path, dialog.kind, take))
        dialog.open()

    def write_take(self, path: Path, kind: ExportFormat, take: Take | None = None) -> None:
        """Write a take, the current one by default; on failure offer another place."""
        chosen = take or self._session.current.take
        if chosen is None:
            return

        def fail(error: EngineError) -> None:
            self._report(error, self.tr("Save elsewhere…"), self.save_take)

        self._settings.set(keys.FOLDER_SAVE, str(path.parent))
        self._tasks.run(lambda: write_take(chosen, path, kind), self._on_written, fail)

    def file_of(self, take: Take) -> Path | None:
        """``take`` as a file in a folder of its own, to be dragged out."""
        if not take.loaded or take.store.length == 0:
            return None
        if self._dragged is None:
            self._dragged = TemporaryDirectory(prefix="s2-takes-", ignore_cleanup_errors=True)
        try:
            path = Path(self._dragged.name) / f"{name_of(take)}.wav"
            return write_take(take, path, ExportFormat.WAV_24).path
        except EngineError as error:
            self._window.toast.say(error.detail)
            return None

    def close(self) -> None:
        """Remove what was written for dragging."""
        if self._dragged is not None:
            self._dragged.cleanup()
            self._dragged = None

    def take_back(self, path: Path) -> None:
        """Bring the take of a sound file back: its sound, and what made it."""

        def done(found: FoundTake | None) -> None:
            if found is not None:
                self._bring(found)
            else:
                self.other_sound.emit(path)

        self._tasks.run(lambda: read_take(path), done, lambda error: self._report(error, "", None))

    def _bring(self, found: FoundTake) -> None:
        """Decode the codes where a model with that codec is open, else use the file's sound."""
        info, codes = self._session.info, found.provenance.codes
        try:
            if info is None or codes is None:
                raise EngineError("no codec")
            found.provenance.check_codec(info)
        except EngineError:
            self._admit(found, found.samples, list(found.provenance.segments))
            return
        starts = [frame for frame, _ in found.provenance.segments] or [0]
        ends = [*starts[1:], codes.shape[1]]
        handles: list[JobHandle] = []

        def ended(outcome: Outcome) -> None:
            outcomes = [handle.outcome for handle in handles if handle.outcome is not None]
            if outcome.ending is not Ending.DONE:
                for handle in handles:
                    handle.cancel()
            if len(outcomes) == len(handles):
                self._on_decoded(found, [outcome.value for outcome in outcomes])

        for a, b in zip(starts, ends, strict=True):
            handle = self._session.service.submit(DecodeJob(codes[:, a:b]))
            handle.ended.connect(ended)
            handles.append(handle)

    def _on_decoded(self, found: FoundTake, values: list[object]) -> None:
        """Sounds of all segments, in order; the file's own sound where one is missing."""
        sounds = [value for value in values if isinstance(value, np.ndarray)]
        if len(sounds) < len(values):
            self._admit(found, found.samples, list(found.provenance.segments))
            return
        if len(sounds) > 1:
            rate = found.provenance.sample_rate
            sounds = join(sounds, rate, found.provenance.segmentation.pause_ms)
        starts = np.cumsum([0, *(len(sound) for sound in sounds)])
        frames = [frame for frame, _ in found.provenance.segments]
        segments = [(f, int(s)) for f, s in zip(frames, starts, strict=False)]
        self._admit(found, np.concatenate(sounds), segments)

    def _admit(
        self, found: FoundTake, samples: np.ndarray, segments: list[tuple[int, int]]
    ) -> None:
        provenance = found.provenance
        take = take_of_provenance(
            provenance, " + ".join(v.id for v in provenance.voices), found.made
        )
        take.store.fill(samples, provenance.codes, segments)
        codes = take.store.codes.copy()
        metrics = Metrics(
            frames=codes.shape[1], seed=provenance.seed, sample_rate=provenance.sample_rate
        )
        take.summary = Summary(codes, provenance.finish_reason, provenance.seed, metrics)
        self._session.current.admit(take)
        self._flows.keep(take)
        self._flows.settings_back()
        self._window.script.measure()
        if provenance.warnings:
            self._window.toast.say(" ".join(provenance.warnings))

    @Slot(object)
    def _on_written(self, written: Exported) -> None:
        folder = written.path.parent
        text = self.tr("Saved as {name}.").format(name=written.path.name)
        notes = " ".join(note[:1].upper() + note[1:] + "." for note in written.notes)
        self._window.toast.say(
            f"{text} {notes}".strip(),
            self.tr("Show folder"),
            lambda: show_folder(folder),
        )

    def _folder(self) -> Path:
        """The remembered folder, unless it is gone."""
        folder = self._settings.get(keys.FOLDER_SAVE)
        return Path(folder) if folder and os.path.isdir(folder) else Path.home()
