"""Takes out and in: quick save, export with options, dragging out, dropping back."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from PySide6.QtCore import QObject, Signal, Slot

from app.audio.peaks import Peaks
from app.core import settings as keys
from app.core.background import Tasks
from app.core.engine_texts import engine_text
from app.core.file_dialogs import FileDialogs, show_folder
from app.core.messages import Messages
from app.core.settings import Settings
from app.inference.jobs import DecodeJob, Ending, Outcome
from app.inference.service import EngineService, JobHandle
from app.takes.controller import TakesController
from app.takes.current import CurrentTake
from app.takes.export_dialog import ExportDialog
from app.takes.files import (
    FoundTake,
    WrittenTakes,
    name_of,
    read_take,
    write_take,
    write_takes,
)
from app.takes.list_panel import TakesPanel
from app.takes.provenance import fill, take_of_provenance
from app.takes.splice import join, silences_of
from app.takes.take import Result, Take, TakeMaker
from engine.audio import ExportFormat
from engine.errors import EngineError
from engine.storage import home_folder
from engine.takes import Exported
from engine.types import Metrics

QUICK = (ExportFormat.WAV_FLOAT, ExportFormat.WAV_16, ExportFormat.FLAC_24, ExportFormat.MP3)


class ExportController(QObject):
    """Writes takes to files and brings them back from files.

    Signals:
        other_sound(Path): a sound file was dropped that is no take.
    """

    other_sound = Signal(object)

    def __init__(
        self,
        panel: TakesPanel,
        current: CurrentTake,
        maker: TakeMaker,
        service: EngineService,
        settings: Settings,
        tasks: Tasks,
        messages: Messages,
        takes: TakesController,
    ) -> None:
        super().__init__(panel)
        self._panel, self._current, self._maker, self._service = panel, current, maker, service
        self._settings, self._tasks, self._messages = settings, tasks, messages
        self._takes, self._files = takes, FileDialogs(settings, panel.window())
        self._dragged: TemporaryDirectory[str] | None = None
        self._dragging = False
        panel.drag_wanted.connect(self.drag)

    def save_take(self) -> None:
        """Ask where to, and write the current take there at once."""
        take = self._current.take
        if take is None or take.store.length == 0:
            return
        kinds = {f"{kind.title} (*{kind.suffix})": kind for kind in QUICK}
        found = self._files.save(
            keys.FOLDER_SAVE, self.tr("Save take"), f"{name_of(take)}.wav", ";;".join(kinds),
            replace=False,
        )  # fmt: skip
        if found is not None:
            path, kind = found
            self.write_take(path, kinds.get(kind, ExportFormat.WAV_FLOAT))

    def export(self) -> None:
        """Ask for kind, folder and name, and write the chosen takes, or the current one."""
        take, chosen = self._current.take, self._panel.chosen
        if len(chosen) > 1:
            take = chosen[0]
        elif take is None or take.store.length == 0:
            return
        folder = self._files.folder(keys.FOLDER_SAVE) or str(home_folder())
        dialog = ExportDialog(take, self._settings, folder, self._panel.window())
        dialog.setModal(True)
        dialog.finished.connect(dialog.deleteLater)
        if len(chosen) > 1:
            dialog.setWindowTitle(self.tr("Export {count} takes").format(count=len(chosen)))
            dialog.accepted.connect(
                lambda: self._write_takes(
                    chosen, dialog.path.parent, dialog.template.text(), dialog.kind
                )
            )
        else:
            dialog.accepted.connect(lambda: self.write_take(dialog.path, dialog.kind, take))
        dialog.open()

    def _write_takes(
        self, takes: list[Take], folder: Path, template: str, kind: ExportFormat
    ) -> None:
        """Write several takes, and say once what could not be."""
        archive = self._current.library.archive

        def done(made: WrittenTakes) -> None:
            words = [self.tr("{count} takes were saved.").format(count=len(made.files))]
            if made.troubles:
                told = self.tr("{count} could not be: {reason}")
                reason = engine_text(made.troubles[0].detail)
                words.append(told.format(count=len(made.troubles), reason=reason))
            self._messages.say(" ".join(words), self.tr("Show folder"), lambda: show_folder(folder))

        self._files.remember(keys.FOLDER_SAVE, folder / "takes")
        self._tasks.run(
            lambda: write_takes(takes, archive, folder, template, kind),
            done,
            self._messages.report,
        )

    def write_take(self, path: Path, kind: ExportFormat, take: Take | None = None) -> None:
        """Write a take, the current one by default; on failure offer another place."""
        chosen = take or self._current.take
        if chosen is None:
            return

        def fail(error: EngineError) -> None:
            self._messages.report(error, self.tr("Save elsewhere…"), self.save_take)

        self._files.remember(keys.FOLDER_SAVE, path)
        self._tasks.run(lambda: write_take(chosen, path, kind), self._on_written, fail)

    @Slot(object)
    def drag(self, take: Take) -> None:
        """Write ``take`` into a folder of its own; then it can be dragged out as a file."""
        if self._dragging or not take.loaded or take.store.length == 0:
            return
        if self._dragged is None:
            self._dragged = TemporaryDirectory(prefix="s2-takes-", ignore_cleanup_errors=True)
        path = Path(self._dragged.name) / f"{name_of(take)}.wav"
        self._dragging = True

        def done(written: Exported) -> None:
            self._dragging = False
            self._panel.view.drag(written.path)

        def fail(error: EngineError) -> None:
            self._dragging = False
            self._messages.say(error.detail)

        self._tasks.run(lambda: write_take(take, path, ExportFormat.WAV_24), done, fail)

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

        self._tasks.run(lambda: read_take(path), done, self._messages.report)

    def _bring(self, found: FoundTake) -> None:
        """Decode the codes where a model with that codec is open, else use the file's sound."""
        info, codes = self._maker.info, found.provenance.codes
        try:
            if info is None or codes is None:
                raise EngineError("take.no_codec")
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
            handle = self._service.submit(DecodeJob(codes[:, a:b]))
            handle.ended.connect(ended)
            handles.append(handle)

    def _on_decoded(self, found: FoundTake, values: list[object]) -> None:
        """Sounds of all segments, in order; the file's own sound where one is missing."""
        sounds = [value for value in values if isinstance(value, np.ndarray)]
        rate, request = found.provenance.sample_rate, found.provenance.request()
        around = silences_of(request, rate, len(values))
        if len(sounds) < len(values) or around is None:
            self._admit(found, found.samples, list(found.provenance.segments))
            return

        def whole() -> tuple[np.ndarray, list[tuple[int, int]]]:
            joins = len(sounds) > 1 or any(around)
            parts = join(sounds, rate, around) if joins else sounds
            starts = np.cumsum([0, *(len(sound) for sound in parts)])
            frames = [frame for frame, _ in found.provenance.segments]
            segments = [(f, int(s)) for f, s in zip(frames, starts, strict=False)]
            return np.concatenate(parts), segments

        self._tasks.run(whole, lambda made: self._admit(found, *made), self._messages.report)

    def _admit(
        self, found: FoundTake, samples: np.ndarray, segments: list[tuple[int, int]]
    ) -> None:
        self._tasks.run(
            lambda: Peaks.of(samples),
            lambda peaks: self._on_measured(found, samples, segments, peaks),
            self._messages.report,
        )

    def _on_measured(
        self,
        found: FoundTake,
        samples: np.ndarray,
        segments: list[tuple[int, int]],
        peaks: Peaks,
    ) -> None:
        provenance = found.provenance
        take = take_of_provenance(
            provenance, " + ".join(v.id for v in provenance.voices), found.made
        )
        fill(take, samples, provenance.codes, segments, peaks)
        metrics = Metrics(
            frames=take.store.frames, seed=provenance.seed, sample_rate=provenance.sample_rate
        )
        take.result = Result(provenance.finish_reason, metrics)
        self._current.admit(take)
        self._takes.keep(take)
        self._takes.settings_back()
        if provenance.warnings:
            self._messages.say(" ".join(map(engine_text, provenance.warnings)))

    @Slot(object)
    def _on_written(self, written: Exported) -> None:
        folder = written.path.parent
        text = self.tr("Saved as {name}.").format(name=written.path.name)
        notes = " ".join(note[:1].upper() + note[1:] + "." for note in written.notes)
        self._messages.say(
            f"{text} {notes}".strip(),
            self.tr("Show folder"),
            lambda: show_folder(folder),
        )
