"""What the window can do, without the window: open a model, make a take, stop, save.

Knows services and models, no widgets. Everything that the user sees of a job starts here as
a signal, so messages of all kinds look the same.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from app import settings as keys
from app.models.controls import Controls, new_seed
from app.models.script import ScriptFacts
from app.models.take import Take
from app.models.take_list import TakeListModel
from app.models.take_store import TakeFormat, TakeStore
from app.models.voice_list import VoiceListModel
from app.services.engine_service import EngineService, EngineState
from app.services.jobs import (
    DecodeJob,
    EncodeJob,
    Ending,
    Job,
    LoadJob,
    LoadOptions,
    Outcome,
    SynthesisJob,
)
from app.services.player import Player, PlayState
from app.services.take_files import write_take
from app.settings import Settings
from engine.errors import EngineError, GenerationError, RequestError
from engine.types import (
    AudioChunk,
    FrameCodes,
    ModelInfo,
    Progress,
    SegmentStart,
    Summary,
)

TICK_MS = 100
RECENT = 6


class Studio(QObject):
    """The use cases of the main window.

    Attributes:
        info: the loaded model, if any.
        take: the newest take, if any.
        ask_first: may hold a model back to ask about it; called with file and tokenizer.
        takes: all takes of this run, as a table.

    Signals:
        model_changed(ModelInfo | None)
        availability_changed(): what can be done now is different.
        take_changed(Take): another take is the current one.
        take_ended(Take): the engine is done with it.
        figures_changed(): times or progress of the current work moved.
        failed(EngineError, str): a job failed; the text names the job: load or synthesis.
        said(str): a sentence for the user.
        seed_drawn(int): the seed of the take that starts.
    """

    model_changed = Signal(object)
    availability_changed = Signal()
    take_changed = Signal(object)
    take_ended = Signal(object)
    figures_changed = Signal()
    failed = Signal(object, str)
    said = Signal(str)
    seed_drawn = Signal(object)

    def __init__(
        self,
        settings: Settings,
        service: EngineService,
        player: Player,
        voices: VoiceListModel,
        clock: Callable[[], float] = time.monotonic,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.settings = settings
        self.service = service
        self.player = player
        self.voices = voices
        self.info: ModelInfo | None = None
        self.take: Take | None = None
        self.takes = TakeListModel(self)
        self.progress: Progress | None = None
        self.ask_first: Callable[[Path, Path | None], bool] | None = None
        self.job_started_at = 0.0
        self._by_job: dict[int, Take] = {}
        self._loaded: LoadOptions | None = None
        self._clock = clock
        self._timer = QTimer(self)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self.figures_changed)
        service.job_started.connect(self._on_started)
        service.job_event.connect(self._on_event)
        service.job_ended.connect(self._on_ended)
        service.state_changed.connect(self._on_state)
        player.state_changed.connect(self._on_player_state)
        player.message.connect(self.said)

    @property
    def state(self) -> EngineState:
        """What the engine does."""
        return self.service.state

    @property
    def can_generate(self) -> bool:
        """A take can be started now."""
        return self.state is EngineState.READY

    @property
    def can_stop(self) -> bool:
        """There is something to stop."""
        working = self.service.working and self.state is not EngineState.CANCELLING
        return working or self.player.state is not PlayState.IDLE

    @property
    def running(self) -> Take | None:
        """The take that the engine works on."""
        job = self.service.current
        return self._by_job.get(job.id) if job is not None else None

    @property
    def elapsed_s(self) -> float:
        """Seconds that the current job runs."""
        return self._clock() - self.job_started_at if self.service.working else 0.0

    def open_model(self, path: Path, tokenizer: Path | None = None, sure: bool = False) -> None:
        """Load a model in place of the one that is loaded.

        Unless ``sure``, :attr:`ask_first` may take the matter to the user instead.
        """
        if self.service.working:
            self.said.emit(self.tr("The engine is busy. Stop it first, then open the model."))
            return
        if not sure and self.ask_first is not None and self.ask_first(path, tokenizer):
            return
        controls = Controls.from_settings(self.settings)
        self.service.submit(LoadJob(controls.load_options(path, tokenizer)))

    def reload_model(self) -> None:
        """Load the model again, with the controls as they are now."""
        if self._loaded is not None:
            self.open_model(self._loaded.model, self._loaded.tokenizer)

    def generate(self, text: str, voice_key: str, seed: int | None) -> Take | None:
        """Start a take; ``None`` when it cannot, after saying why.

        A seed that is ``None`` or not pinned is drawn anew, and shown.
        """
        if not self.can_generate or self.info is None:
            return None
        if seed is None or not self.settings.get(keys.SEED_PINNED):
            seed = new_seed()
        controls = Controls.from_settings(self.settings)
        facts = ScriptFacts.of(text)
        try:
            if not facts.speakable:
                raise RequestError("the script holds nothing to speak", "Type a text first.")
            profile = self.voices.load(voice_key)
            request = controls.request(text, profile, seed)
        except EngineError as error:
            self.failed.emit(error, "synthesis")
            return None
        self.seed_drawn.emit(seed)
        self.player.stop()
        row = self.voices.rows[self.voices.row_of(voice_key)]
        store = TakeStore(_format_of(self.info), self)
        limit = controls.max_frames * self.info.samples_per_frame
        store.expected = min(int(facts.seconds * self.info.sample_rate), limit)
        voice = row.title if row.key else ""
        take = Take(self.takes.rowCount() + 1, request, voice, seed, store)
        take.begin(self._clock())
        self.takes.add(take)
        self.player.start_buffer_s = controls.start_buffer_s
        job = self.service.submit(SynthesisJob(request))
        self._by_job[job.id] = take
        self.show_take(take)
        if self.settings.get(keys.PLAY_LIVE) and not self.player.devices.problem:
            self.player.start(store)
        return take

    def show_take(self, take: Take) -> None:
        """Make ``take`` the current one."""
        if take is self.take:
            return
        self.take = take
        self.take_changed.emit(take)
        self.availability_changed.emit()

    def stop(self) -> None:
        """Silence at once; the engine stops within a frame. What was heard is kept."""
        self.player.stop()
        if self.service.working:
            self.service.cancel()
            self.figures_changed.emit()

    def play_or_pause(self) -> None:
        """The one button of a player."""
        sounding = self.player.state in (PlayState.PLAYING, PlayState.BUFFERING)
        if sounding and self._plays_current:
            self.player.pause()
        elif self.player.state is PlayState.PAUSED and self._plays_current:
            self.player.resume()
        elif self.take is not None:
            store = self.take.store
            at = self.player.position if self.player.store is store else 0
            self.player.start(store, at if at < store.length else 0)

    def replay(self, take: Take) -> None:
        """Show ``take`` and play it from the start."""
        self.show_take(take)
        self.play_from_start()

    def play_from_start(self) -> None:
        """Play the current take from its first sample."""
        if self.take is not None:
            self.player.start(self.take.store)

    def seek(self, sample: int) -> None:
        """Move to ``sample``; when idle, playing will start there."""
        if self.take is None:
            return
        if self.player.state is not PlayState.IDLE and self._plays_current:
            self.player.seek(sample)
        else:
            self.player.stop()
            self.player.cue(self.take.store, sample)

    @Slot(object)
    def set_loop(self, region: tuple[int, int] | None) -> None:
        """Play a region of the current take over and over; it starts at once when silent."""
        self.player.set_loop(region)
        if (region is not None and self.take is not None and not self._plays_current) or (
            region is not None and self.player.state is PlayState.IDLE and self.take is not None
        ):
            self.player.start(self.take.store, region[0])

    @property
    def _plays_current(self) -> bool:
        return self.take is not None and self.player.store is self.take.store

    def save_take(self, path: Path, subtype: Literal["FLOAT", "PCM_16"]) -> None:
        """Write the current take.

        Raises:
            OutputError: it could not be written; the take is still there.
        """
        if self.take is not None:
            write_take(self.take.store, path, subtype)

    @Slot(object)
    def _on_started(self, job: Job) -> None:
        self.job_started_at = self._clock()
        self.progress = None
        self._timer.start()

    @Slot(object, object)
    def _on_event(self, job: Job, event: object) -> None:
        if isinstance(event, Progress):
            self.progress = event
            return
        take = self._by_job.get(job.id)
        if take is None:
            return
        take.note(event, self._clock())
        try:
            self._keep(take.store, event)
        except ValueError as error:
            # Played on, the take would repeat or skip sound without anyone knowing.
            self.service.cancel()
            shown = GenerationError(str(error), "Please report this fault of the program.")
            self.failed.emit(shown, "synthesis")

    @staticmethod
    def _keep(store: TakeStore, event: object) -> None:
        if isinstance(event, AudioChunk):
            store.append(event)
        elif isinstance(event, FrameCodes):
            store.append_codes(event)
        elif isinstance(event, SegmentStart):
            store.begin_segment(event)

    @Slot(object, object)
    def _on_ended(self, job: Job, outcome: Outcome) -> None:
        self._timer.stop()
        self.progress = None
        if isinstance(job.work, LoadJob):
            self._end_load(job.work, outcome)
        take = self._by_job.pop(job.id, None)
        if take is not None:
            summary = outcome.value if isinstance(outcome.value, Summary) else None
            take.finish(summary)
            self.takes.touch(take)
            if take.store.length == 0 and self.player.store is take.store:
                self.player.abort()
            self.take_ended.emit(take)
        # Whoever asked for a voice or for the sound of codes hears of it on their own.
        if outcome.error is not None and not isinstance(job.work, EncodeJob | DecodeJob):
            self.failed.emit(outcome.error, "load" if take is None else "synthesis")
        self.figures_changed.emit()
        self.availability_changed.emit()

    def _end_load(self, work: LoadJob, outcome: Outcome) -> None:
        if outcome.ending is Ending.CANCELLED:
            self.said.emit(self.tr("Opening the model was stopped."))
        if isinstance(outcome.value, ModelInfo):
            self.info = outcome.value
            self._loaded = work.options
            self.settings.set(keys.LAST_MODEL, str(work.options.model))
            recent = [p for p in self.settings.get(keys.RECENT_MODELS) if p]
            path = str(work.options.model)
            kept = [path, *(p for p in recent if p != path)][:RECENT]
            self.settings.set(keys.RECENT_MODELS, kept)
            self.voices.set_frame_seconds(1 / self.info.frame_rate)
        elif outcome.engine_loaded:
            return  # the model that was there works on
        else:
            self.info = self._loaded = None
        self.model_changed.emit(self.info)

    @Slot(object)
    def _on_state(self, state: EngineState) -> None:
        self.availability_changed.emit()

    @Slot(object)
    def _on_player_state(self, state: PlayState) -> None:
        self.availability_changed.emit()


def _format_of(info: ModelInfo) -> TakeFormat:
    sizes = (info.semantic_size, *([info.residual_size] * (info.num_codebooks - 1)))
    return TakeFormat(info.sample_rate, info.samples_per_frame, sizes)
