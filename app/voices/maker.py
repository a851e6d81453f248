"""Makes voices of kept clips: anew for another model, or of other clips than before."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal, Slot

from app.core.background import Tasks
from app.core.engine_texts import engine_text
from app.core.formats import sentence
from app.core.messages import Messages
from app.inference.codec_jobs import CodecJobs
from app.voices.list_model import VoiceListModel, VoiceRow
from app.voices.remake_strip import RemakeStrip
from app.voices.store import VoiceStore
from engine.errors import EngineError
from engine.types import Progress
from engine.voices import Clips, Companions, VoiceProfile, keep_of, keep_remade, load_clips


@dataclass(frozen=True, slots=True)
class _Making:
    """A voice to be made.

    Attributes:
        change: gives the clips that it shall be made of, from those that it has; ``None`` to make
            it anew of those.
    """

    row: VoiceRow
    change: Callable[[Clips], Clips] | None = None


class VoiceMaker(QObject):
    """One voice after the other; what is done is kept, also when the next is stopped.

    Signals:
        made(str): key of a voice that is another one now.
    """

    made = Signal(str)

    def __init__(
        self,
        strip: RemakeStrip,
        model: VoiceListModel,
        store: VoiceStore,
        jobs: CodecJobs,
        tasks: Tasks,
        messages: Messages,
    ) -> None:
        super().__init__(strip)
        self._strip, self._model, self._store = strip, model, store
        self._jobs, self._tasks, self._messages = jobs, tasks, messages
        self._queue: list[_Making] = []
        self._now: _Making | None = None
        self._count = self._done = 0
        self._troubles: list[str] = []
        self._stopped = False
        strip.wanted.connect(self.remake_all)
        strip.cancelled.connect(self.cancel)
        jobs.progressed.connect(self._on_progress)
        model.modelReset.connect(self.offer)
        model.codec_changed.connect(self.offer)
        self.offer()

    @property
    def busy(self) -> bool:
        """A voice is being made."""
        return self._now is not None

    @Slot()
    def offer(self) -> None:
        """Say which of the user's voices do not fit the open model."""
        if not self.busy:
            other = [row for row in self._model.rows if row.own and not self._model.fits(row)]
            ready = sum(bool(row.notes.clips) for row in other)
            self._strip.show_offer(ready, len(other) - ready)

    @Slot()
    def remake_all(self) -> None:
        """Make all voices anew that do not fit and have a clip."""
        rows = [row for row in self._model.rows if row.own and not self._model.fits(row)]
        self._begin(_Making(row) for row in rows if row.notes.clips)

    def remake(self, row: VoiceRow) -> None:
        """Make one voice anew."""
        self._begin([_Making(row)])

    def change(self, row: VoiceRow, change: Callable[[Clips], Clips]) -> None:
        """Make a voice of other clips than before."""
        self._begin([_Making(row, change)])

    @Slot()
    def cancel(self) -> None:
        """Stop; what is made by now is kept, the rest is as it was."""
        self._stopped = True
        self._queue.clear()
        self._jobs.cancel()

    def _begin(self, queue: Iterable[_Making]) -> None:
        added = list(queue)
        if self.busy:
            self._queue += added
            self._count += len(added)
            return
        self._queue, self._count = added, len(added)
        self._done, self._troubles, self._stopped = 0, [], False
        self._next()

    def _next(self) -> None:
        if not self._queue:
            self._end()
            return
        work = self._now = self._queue.pop(0)
        self._show(0, 0)
        beside = Companions(work.row.path) if work.row.path is not None else None
        if beside is None:
            self._next()
            return

        def read() -> Clips:
            clips = load_clips(beside)
            return clips if work.change is None else work.change(clips)

        def encode(clips: Clips) -> None:
            if self._stopped:
                self._end()
                return
            self._jobs.make_voice(clips, lambda made: self._keep(work, beside, clips, made), failed)

        def failed(error: EngineError | None) -> None:
            if error is None:
                self._end()
                return
            words = sentence(engine_text(error.detail))
            self._troubles.append(f"{work.row.title}: {words}")
            self._next()

        self._tasks.run(read, encode, failed)

    def _keep(self, work: _Making, beside: Companions, clips: Clips, made: VoiceProfile) -> None:
        def write() -> None:
            if work.change is None:
                keep_remade(beside, made)
            else:
                keep_of(beside, clips, made)

        def done(_: object) -> None:
            self._done += 1
            self._troubles += [sentence(engine_text(warning)) for warning in made.warnings]
            self.made.emit(work.row.key)
            self._next()

        def failed(error: EngineError) -> None:
            self._messages.report(error)
            self._next()

        self._tasks.run(write, done, failed)

    def _end(self) -> None:
        changed = self._now is not None and self._now.change is not None
        self._now = None
        self._queue.clear()
        self._model.refresh()
        self.offer()
        words = self.tr("{count} voices were made anew.").format(count=self._done)
        if self._done == 1:
            words = self.tr("1 voice was made anew.")
        if changed and self._done == 1 == self._count:
            words = self.tr("The voice is made of these clips now.")
        self._messages.say(" ".join([words, *self._troubles]))

    @Slot(object)
    def _on_progress(self, progress: Progress) -> None:
        if self.busy:
            self._show(progress.done, progress.total)

    def _show(self, done: int, total: int) -> None:
        if self._now is None:
            return
        words = self.tr("Making {name} anew: {number} of {count}").format(
            name=self._now.row.title, number=self._done + 1, count=self._count
        )
        self._strip.show_work(words, done, total)
