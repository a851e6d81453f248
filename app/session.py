"""What the window can do, without the window: open a model, make a take, stop, save.

Knows services and models, no widgets. Everything that the user sees of a job starts here as
a signal, so messages of all kinds look the same.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from app.audio.player import Player, PlayState
from app.core import settings as keys
from app.core.formats import short
from app.core.settings import Settings
from app.inference.controls import Controls, new_seed
from app.inference.jobs import Outcome, SynthesisJob
from app.inference.loader import ModelLoader
from app.inference.segments import SegmentPlan
from app.inference.service import Activity, EngineService, EngineState, JobHandle
from app.request import ServerChoice, build_request, check_place, for_server
from app.takes.current import CurrentTake
from app.takes.provenance import format_of
from app.takes.store import TakeStore
from app.takes.take import Origin, Take
from app.voices.list_model import Codec, VoiceListModel
from engine.errors import EngineError, GenerationError
from engine.text import estimate_seconds
from engine.types import (
    AudioChunk,
    FrameCodes,
    ModelInfo,
    SegmentStart,
    Summary,
    SynthesisRequest,
)

TICK_MS = 100


class Session(QObject):
    """The use cases of the main window.

    Attributes:
        models: opens models.
        current: all takes, and the one that is shown.
        busy_elsewhere: something else runs that Stop stops, such as a recording.

    Signals:
        model_changed(ModelInfo | None)
        availability_changed(): what can be done now is different.
        take_ended(Take): the engine is done with it.
        figures_changed(): times or progress of the current work moved.
        failed(EngineError, str): a job failed; the text names the job: load or synthesis.
        seed_drawn(int): the seed of the take that starts.
    """

    model_changed = Signal(object)
    availability_changed = Signal()
    take_ended = Signal(object)
    figures_changed = Signal()
    failed = Signal(object, str)
    seed_drawn = Signal(object)

    def __init__(
        self,
        settings: Settings,
        service: EngineService,
        player: Player,
        voices: VoiceListModel,
        current: CurrentTake,
        models: ModelLoader,
        place: Callable[[], ServerChoice],
        clock: Callable[[], float] = time.monotonic,
        parent: QObject | None = None,
    ) -> None:
        """``place`` tells what the panel of the server has chosen."""
        super().__init__(parent)
        self.settings = settings
        self.service = service
        self.player = player
        self.voices = voices
        self.current = current
        self.busy_elsewhere = False
        self.models = models
        self.job_started_at = 0.0
        self._place = place
        self._running: tuple[JobHandle, Take] | None = None
        self._clock = clock
        self._timer = QTimer(self)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self.figures_changed)
        models.loaded.connect(self._on_loaded_model)
        models.ended.connect(self._on_opened)
        service.job_started.connect(self._on_started)
        service.state_changed.connect(self._on_state)
        player.state_changed.connect(self._on_player_state)
        current.changed.connect(self.availability_changed)

    @property
    def info(self) -> ModelInfo | None:
        """The loaded model, if any."""
        return self.models.info

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
        sounding = self.player.state is not PlayState.IDLE
        return working or sounding or self.busy_elsewhere

    @property
    def running(self) -> Take | None:
        """The take that the engine works on."""
        handle, take = self._running or (None, None)
        return take if handle is self.service.current else None

    @property
    def activity(self) -> Activity:
        """What the engine works on."""
        job = self.service.current
        return job.activity if job is not None else Activity("")

    @property
    def elapsed_s(self) -> float:
        """Seconds that the current job runs."""
        return self._clock() - self.job_started_at if self.service.working else 0.0

    def generate(
        self,
        text: str,
        speakers: Mapping[int, str],
        plan: SegmentPlan,
        seed: int | None,
    ) -> Take | None:
        """Start a take; ``None`` when it cannot, after saying why.

        Args:
            speakers: speaker number to key of a voice.
            plan: how a long text is split.
            seed: ``None`` draws one, which is shown.
        """
        if not self.can_generate or self.info is None:
            return None
        if seed is None:
            seed = new_seed()
        try:
            prepared = build_request(self.settings, self.voices, text, speakers, plan, seed)
            if self.info.host:
                prepared = for_server(prepared, self.info, self._place())
        except EngineError as error:
            self.failed.emit(error, "synthesis")
            return None
        return self.speak(prepared.request, prepared.voice, prepared.ids)

    def speak(
        self,
        request: SynthesisRequest,
        voice: str = "",
        voice_ids: tuple[str, ...] = (),
        *,
        listed: bool = True,
    ) -> Take | None:
        """Start a take of a request that holds its seed; ``None`` when the engine is not free.

        Args:
            voice: shown name.
            listed: ``False`` for a part of another take: it is neither listed nor shown.
        """
        if not self.can_generate or self.info is None:
            return None
        try:
            check_place(request, self.info)
        except EngineError as error:
            self.failed.emit(error, "synthesis")
            return None
        seed = request.sampling.seed or 0
        if listed:
            self.seed_drawn.emit(seed)
        self.player.stop()
        store = TakeStore(format_of(self.info), self)
        seconds = estimate_seconds(request.text)
        store.expected = int(seconds * self.info.sample_rate)
        if not request.segmentation.sentences:
            limit = request.sampling.max_new_tokens * self.info.samples_per_frame
            store.expected = min(store.expected, limit)
        origin = Origin(request, voice, seed, info=self.info, voice_ids=voice_ids)
        take = Take(origin, store, began=self._clock())
        self.player.start_buffer_s = Controls.from_settings(self.settings).start_buffer_s
        handle = self.service.submit(
            SynthesisJob(request), describe=lambda now: self._describe(take, now)
        )
        self._running = handle, take
        handle.happened.connect(lambda event: self._on_event(handle, take, event))
        handle.ended.connect(lambda outcome: self._on_ended(take, outcome))
        if listed:
            self.current.admit(take)
        if self.settings.get(keys.PLAY_LIVE) and not self.player.devices.problem:
            self.player.start(store)
        return take

    def _describe(self, take: Take, now: Activity) -> Activity:
        """How far a take is: a server sends sound only, a model here makes frames."""
        store = take.store
        if take.origin.info is not None and take.origin.info.host:
            text = (
                self.tr("Receiving: {length}")
                if store.length
                else self.tr("Waiting for the server")
            )
            return replace(now, text=text.format(length=short(store.seconds)))
        if not store.frames:
            return now
        seconds = store.frames * store.format.samples_per_frame / store.format.sample_rate
        text = self.tr("Generating: {frames} frames, {length}")
        total = max(1, store.expected // store.format.samples_per_frame)
        done = min(store.frames, total)
        return Activity(text.format(frames=store.frames, length=short(seconds)), done, total)

    def stop(self) -> None:
        """Silence at once; the engine stops within a frame. What was heard is kept."""
        self.player.stop()
        if self.service.working:
            self.service.cancel_current()
            self.figures_changed.emit()

    @Slot(object)
    def _on_loaded_model(self, info: ModelInfo | None) -> None:
        codec = None
        if info is not None and info.capabilities.codes:
            self.voices.set_frame_seconds(1 / info.frame_rate)
            codec = Codec(info.num_codebooks, info.codebook_size, info.sample_rate)
        self.voices.set_codec(codec)
        self.model_changed.emit(info)

    @Slot(object)
    def _on_opened(self, outcome: Outcome) -> None:
        if outcome.error is not None:
            self.failed.emit(outcome.error, "load")

    @Slot(object)
    def _on_started(self, handle: JobHandle) -> None:
        self.job_started_at = self._clock()
        self._timer.start()
        handle.ended.connect(self._on_free)

    @Slot()
    def _on_free(self) -> None:
        self._timer.stop()
        self.figures_changed.emit()
        self.availability_changed.emit()

    def _on_event(self, handle: JobHandle, take: Take, event: object) -> None:
        take.note(event, self._clock())
        try:
            if isinstance(event, AudioChunk):
                take.store.append(event)
            elif isinstance(event, FrameCodes):
                take.store.append_codes(event)
            elif isinstance(event, SegmentStart):
                take.store.begin_segment(event)
        except ValueError as error:
            # Played on, the take would repeat or skip sound without anyone knowing.
            handle.cancel()
            shown = GenerationError("program.wrong_place", reason=error)
            self.failed.emit(shown, "synthesis")

    def _on_ended(self, take: Take, outcome: Outcome) -> None:
        self._running = None
        take.finish(outcome.value if isinstance(outcome.value, Summary) else None)
        self.current.list.touch(take)
        if take.store.length == 0 and self.player.store is take.store:
            self.player.abort()
        self.take_ended.emit(take)
        if outcome.error is not None:
            self.failed.emit(outcome.error, "synthesis")
        self.figures_changed.emit()
        self.availability_changed.emit()

    @Slot(object)
    def _on_state(self, state: EngineState) -> None:
        self.availability_changed.emit()

    @Slot(object)
    def _on_player_state(self, state: PlayState) -> None:
        self.availability_changed.emit()
