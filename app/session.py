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
from app.core.settings import Settings
from app.inference.controls import Controls, new_seed, readings_of
from app.inference.jobs import Outcome
from app.inference.loader import ModelLoader
from app.inference.segments import SegmentPlan
from app.inference.service import Activity, EngineService, EngineState, JobHandle
from app.request import (
    PreparedRequest,
    ServerChoice,
    build_request,
    check_place,
    fit_voices,
    for_server,
)
from app.takes.current import CurrentTake
from app.takes.making import TakesInMaking
from app.takes.take import PendingTake, Take
from app.takes.waiting import WaitingTakes
from app.voices.list_model import VoiceListModel
from engine.errors import EngineError, GenerationError
from engine.remote import RemoteRequest
from engine.types import ModelInfo
from engine.voices import Codec

TICK_MS, BREATH_MS = 100, 400


class Session(QObject):
    """The use cases of the main window.

    Attributes:
        models: opens models.
        current: all takes, and the one that is shown.
        waiting: takes that are asked for while the engine is not free.
        busy_elsewhere: something else runs that Stop stops, such as a recording.

    Signals:
        model_changed(ModelInfo | None)
        availability_changed(): what can be done now is different.
        take_ended(Take): the engine is done with it.
        figures_changed(): times or progress of the current work moved.
        failed(EngineError, str): a job failed; the text names the job: load or synthesis.
        seed_drawn(int): the seed of the take that starts.
        forgotten(list): Stop has taken these wishes back.
    """

    model_changed = Signal(object)
    availability_changed = Signal()
    take_ended = Signal(object)
    figures_changed = Signal()
    failed = Signal(object, str)
    seed_drawn = Signal(object)
    forgotten = Signal(list)

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
        self.waiting = WaitingTakes(self)
        self._next_heard: Take | None = None
        self.models = models
        self.job_started_at = 0.0
        self._place = place
        self._making: TakesInMaking | None = None
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
        return self.state is EngineState.READY and self._making is None

    @property
    def can_ask(self) -> bool:
        """A take can be asked for: there is a model, or one is on its way."""
        return self.service.working or (
            self.info is not None and self.state is not EngineState.FAILED
        )

    @property
    def can_stop(self) -> bool:
        """There is something to stop."""
        working = self.service.working and self.state is not EngineState.CANCELLING
        sounding = self.player.state is not PlayState.IDLE
        return working or sounding or self.busy_elsewhere or len(self.waiting) > 0

    @property
    def running(self) -> Take | None:
        """The take that the engine works on; the first of several."""
        making = self._making
        if making is None or making.handle is not self.service.current or not making.unfinished:
            return None
        return making.unfinished[0]

    def is_making(self, take: Take) -> bool:
        """More may come of ``take``."""
        return self._making is not None and take in self._making.unfinished

    @property
    def activity(self) -> Activity:
        """What the engine works on."""
        job = self.service.current
        return job.activity if job is not None else Activity("")

    @property
    def elapsed_s(self) -> float:
        """Seconds that the current job runs."""
        return self._clock() - self.job_started_at if self._timer.isActive() else 0.0

    def generate(
        self,
        text: str,
        speakers: Mapping[int, str],
        plan: SegmentPlan,
        seed: int | None,
    ) -> bool:
        """Ask for a take; ``False`` when there cannot be one, after saying why.

        Args:
            speakers: speaker number to key of a voice.
            plan: how a long text is split.
            seed: ``None`` draws one, which is shown.
        """
        wish = self.prepare(text, speakers, plan, seed, self.settings.get(keys.READINGS))
        return wish is not None and self.ask(wish)

    def prepare(
        self,
        text: str,
        speakers: Mapping[int, str],
        plan: SegmentPlan,
        seed: int | None,
        readings: int = 1,
    ) -> PendingTake | None:
        """What :meth:`generate` asks for, so many times; ``None`` after saying why not."""
        first = new_seed() if seed is None else seed
        try:
            prepared = build_request(self.settings, self.voices, text, speakers, plan, first)
            if self.info is not None and self.info.host:
                prepared = for_server(prepared, self.info, self._place())
        except EngineError as error:
            self.failed.emit(error, "synthesis")
            return None
        spread = self.settings.get(keys.READINGS_SPREAD)
        request, *others = readings_of(prepared.request, readings, seed is not None, spread)
        samplings = tuple(other.sampling for other in others)
        return PendingTake(request, prepared.voice, prepared.ids, others=samplings)

    def ask(self, wish: PendingTake) -> bool:
        """Make a take now, or as soon as the engine is free; ``False`` after saying why not."""
        if not self.can_ask:
            self.failed.emit(GenerationError("model.none"), "synthesis")
            return False
        if self.can_generate and not len(self.waiting):
            return self._speak(wish, waited=False)
        self.waiting.add(wish)
        self.availability_changed.emit()
        return True

    def warm_up(self, speakers: Mapping[int, str]) -> None:
        """Have the engine get ready for a first take of these voices."""
        try:
            asked = build_request(self.settings, self.voices, "a", speakers, SegmentPlan(False), 0)
        except EngineError:
            return  # the take itself will say what is wrong with a voice
        self.service.warm_up(asked.request.references)

    def _speak(self, wish: PendingTake, waited: bool) -> bool:
        """Start a take; ``False`` when it cannot be one, after saying why."""
        if self.info is None:
            return False
        try:
            request = fit_voices(wish.request, wish.voice_ids, self.voices, self.info)
            check_place(request, self.info)
        except EngineError as error:
            self.failed.emit(error, "synthesis")
            return False
        making = TakesInMaking(replace(wish, request=request), self.info, self._clock, self)
        making.sounded.connect(self.availability_changed)
        making.ended.connect(self._on_take_ended)
        making.failed.connect(lambda error: self.failed.emit(error, "synthesis"))
        making.done.connect(self._on_made)
        self._making = making
        making.begin(self.service)
        for take in making.takes:
            if wish.started is not None:
                wish.started(take)
        self._present(wish, making.takes, waited)
        return True

    @Slot()
    def _speak_next(self) -> None:
        """The first take that waits is made as soon as the engine is free."""
        if not self.can_generate or self.info is None:
            return
        wish = self.waiting.take_next()
        if wish is None:
            return
        if self.info.host and not isinstance(wish.request, RemoteRequest):
            # It was asked for while the server was being asked.
            prepared = PreparedRequest(wish.request, wish.voice, wish.voice_ids)
            try:
                prepared = for_server(prepared, self.info, self._place())
            except EngineError as error:
                self.failed.emit(error, "synthesis")
                return
            wish = replace(wish, request=prepared.request, voice=prepared.voice)
        self._speak(wish, waited=True)

    def _present(self, wish: PendingTake, takes: list[Take], waited: bool) -> None:
        """List them, show and play the first; one that had to wait lets the one before it be
        heard first."""
        take = takes[0]
        heard = waited and self.player.state is not PlayState.IDLE
        if wish.listed:
            self.seed_drawn.emit(take.origin.seed)
            for place, each in enumerate(takes):
                self.current.admit(each, shown=each is take and not heard, place=place)
        if not wish.heard:
            return
        if heard:
            self._next_heard = take
            return
        self.player.stop()
        self._next_heard = None
        self._play(take)

    def _play(self, take: Take) -> None:
        self.player.start_buffer_s = Controls.from_settings(self.settings).start_buffer_s
        if self.settings.get(keys.PLAY_LIVE) and not self.player.devices.problem:
            self.player.start(take.store, take.begun)

    def stop(self) -> None:
        """Silence at once; the engine stops within a frame. What was heard is kept.

        Takes that wait are forgotten; while a model is opened only they are, and it goes on.
        """
        self._next_heard = None
        wishes = self.waiting.wishes
        if wishes:
            self.waiting.remove(wishes)
            self.forgotten.emit(wishes)
            self.availability_changed.emit()
            if self.state is EngineState.LOADING:
                return
        self.player.stop()
        if self._making is not None and self._making.handle is not None:
            self._making.handle.cancel()  # it may still wait for the engine to have warmed up
        if self.service.working:
            self.service.cancel_current()
            self.figures_changed.emit()

    @Slot(object)
    def _on_loaded_model(self, info: ModelInfo | None) -> None:
        codec = None
        if info is not None and info.capabilities.codes:
            self.voices.set_frame_seconds(1 / info.frame_rate)
            codec = Codec.of(info)
        self.voices.set_codec(codec)
        self.model_changed.emit(info)
        self.availability_changed.emit()

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

    @Slot(object)
    def _on_take_ended(self, take: Take) -> None:
        self.current.list.touch(take)
        if take.store.length == 0 and self.player.store is take.store:
            self.player.abort()
        if self._making is not None and not self._making.unfinished:
            self._making = None
        self.take_ended.emit(take)
        self.figures_changed.emit()
        self.availability_changed.emit()

    @Slot()
    def _on_made(self) -> None:
        self._making = None
        self.figures_changed.emit()
        self.availability_changed.emit()
        QTimer.singleShot(0, self, self._speak_next)

    @Slot(object)
    def _on_state(self, state: EngineState) -> None:
        self.availability_changed.emit()
        if state is EngineState.READY:
            QTimer.singleShot(0, self, self._speak_next)

    @Slot(object)
    def _on_player_state(self, state: PlayState) -> None:
        self.availability_changed.emit()
        take, heard = self._next_heard, self.player.store
        if state is not PlayState.IDLE or take is None:
            return
        self._next_heard = None
        if heard is not None and heard.complete and self.player.position >= heard.length:
            # A breath; and some sound systems stall a stream that is opened right behind another.
            QTimer.singleShot(BREATH_MS, self, lambda: self._hear(take))

    def _hear(self, take: Take) -> None:
        """The one before it was heard to its end."""
        if self.player.state is PlayState.IDLE:
            if self.current.list.row_of(take) >= 0:
                self.current.show(take)
            self._play(take)
