"""Turns what the studio reports into what the window shows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Slot

from app.audio.player import PlayState
from app.core.engine_texts import engine_text
from app.core.formats import sentence, short
from app.core.messages import Messages, Step
from app.inference.service import EngineState
from app.inference.status_line import NOTHING
from app.session import Session
from app.takes.take import PendingTake, Take
from app.window import MainWindow
from engine.errors import ContextError, EngineError, RequestError, VoiceError
from engine.synthesis import one_reading
from engine.types import ModelInfo

# The next step after an error of a job: the button's text, and what it does.
NextStep = Callable[[EngineError, str], tuple[str, Step | None]]


class StatusPresenter(QObject):
    """Listens to the session and the player and updates the window.

    Args:
        next_steps: asked one after the other what helps against an error of a job.
        resume: speaks the current take, which was cut, once more with room for the rest.
        voice_trouble: why the chosen voices cannot speak with the open model, if they cannot.
        card_wanted: the card of the first steps helps more than an empty take.
    """

    def __init__(
        self,
        window: MainWindow,
        session: Session,
        messages: Messages,
        next_steps: tuple[NextStep, ...],
        resume: Callable[[], None],
        card_wanted: Callable[[], bool],
        voice_trouble: Callable[[], str],
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._messages = messages
        self._next_steps, self._resume, self._card_wanted = next_steps, resume, card_wanted
        self._voice_trouble = voice_trouble
        self._warned: set[str] = set()
        self._passing = False
        session.model_changed.connect(self._on_model)
        session.availability_changed.connect(self.refresh)
        session.current.changed.connect(self._on_take)
        session.take_ended.connect(self._on_take_ended)
        session.figures_changed.connect(self._on_figures)
        session.failed.connect(self._on_failed)
        session.seed_drawn.connect(window.script.show_seed)
        session.forgotten.connect(self._on_forgotten)
        session.waiting.changed.connect(self._on_figures)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Enable what can be done now and show the engine's state."""
        session, window = self._session, self._window
        actions = window.actions_
        has_sound = session.current.take is not None and session.current.take.store.length > 0
        window.script.set_ready(session.can_ask, session.can_stop, self._voice_trouble())
        actions.save_take.setEnabled(has_sound)
        for action in (actions.play_pause, actions.play_start, actions.stop_playing):
            action.setEnabled(has_sound and not session.player.devices.problem)
        window.take.transport.play_button.setEnabled(actions.play_pause.isEnabled())
        here = session.info is not None and not session.info.host
        actions.reload_model.setEnabled(here and not session.service.working)
        name = Path(session.info.path).name if session.info else ""
        text, look = self._state_text(session.state)
        window.set_chips(name, text, look)
        opened = session.info is not None and not self._card_wanted()
        window.show_take_area(opened or session.current.take is not None)
        window.takes.setVisible(session.current.list.rowCount() > 0)
        loading = session.state is EngineState.LOADING
        window.card.set_loading(self._work_text() if loading else "")

    def _state_text(self, state: EngineState) -> tuple[str, str]:
        info = self._session.info
        device = (info.device if info else "cpu").upper()
        if info is not None and info.host:
            device = self.tr("Server")
        return {
            EngineState.UNLOADED: (self.tr("no model"), ""),
            EngineState.LOADING: (self.tr("loading"), "warn"),
            EngineState.READY: (self.tr("{device} ready").format(device=device), "ok"),
            EngineState.BUSY: (self.tr("{device} busy").format(device=device), "warn"),
            EngineState.CANCELLING: (self.tr("stopping"), "warn"),
            EngineState.FAILED: (self.tr("loading failed"), "bad"),
        }[state]

    @Slot(object)
    def _on_model(self, info: ModelInfo | None) -> None:
        window = self._window
        window.engine.set_model(info)
        window.status.set_model((info.name or Path(info.path).stem) if info else NOTHING)
        if info is not None:
            window.status.set_work(self.tr("Ready. Ctrl+Enter makes a take."), "")
        self.refresh()

    @Slot(object)
    def _on_take(self, take: Take | None) -> None:
        if take is not None:
            self._window.takes.choose(take)
            self._window.takes.show()
            self._show_figures(take)

    @Slot(object)
    def _on_take_ended(self, take: Take) -> None:
        status = self._window.status
        length = short(take.store.seconds)
        summary = take.result
        if summary is None:
            kept = self.tr("Failed. {length} were kept.") if take.store.length else ""
            status.set_work(kept.format(length=length) or self.tr("Failed."), "bad")
        elif summary.finish_reason == "cancelled":
            status.set_work(self.tr("Stopped. {length} were kept.").format(length=length), "")
        elif summary.finish_reason == "length":
            status.set_work(
                self.tr("Cut at the frame limit: {length}.").format(length=length), "warn"
            )
            if take.number:  # else a part of another one, which has its own words
                words = self.tr("The take was cut at {frames} frames; the text may go on.")
                self._messages.say(
                    words.format(frames=take.store.frames or summary.metrics.frames),
                    self.tr("Go on"),
                    lambda: self._session.current.show(take, self._resume),
                )
        else:
            elapsed = short(take.elapsed_s)
            done = self.tr("Done: {length} of sound in {elapsed}.")
            status.set_work(done.format(length=length, elapsed=elapsed), "ok")
        if summary is not None and not take.cut:
            self._warn(take, summary.warnings)
            if summary.finish_reason == "cancelled":
                self._offer_to_go_on(take)
        self._show_figures(take)
        self._tell_one_reading(take)

    def _tell_one_reading(self, take: Take) -> None:
        """Another seed gave the same take again: say why, once."""
        origin = take.origin
        like = [
            t.origin for t in self._session.current.list.takes
            if t is not take and t.origin.request.text == origin.request.text
            and t.origin.voice_ids == origin.voice_ids and t.origin.seed != origin.seed
        ]  # fmt: skip
        sure = take.result is not None and one_reading(origin.request.sampling, take.result.metrics)
        if sure and like and origin.model_name not in self._warned:
            self._warned.add(origin.model_name)
            words = self.tr(
                "{model} was certain of every code: it reads a text one way, whatever the seed. "
                "A larger model, or top-p 1 and a temperature near 2, varies."
            )
            self._messages.say(words.format(model=origin.model_name))

    def _offer_to_go_on(self, take: Take) -> None:
        """A long text that was stopped can be gone on with; a short one is soon spoken again."""
        pace = take.pace
        if pace is not None and pace.pieces > 1 and take.number and take.store.length:
            words = self.tr("Stopped in piece {piece} of {pieces}.")
            self._messages.say(
                words.format(piece=pace.piece, pieces=pace.pieces),
                self.tr("Go on"),
                lambda: self._session.current.show(take, self._resume),
            )

    @Slot(list)
    def _on_forgotten(self, wishes: list[PendingTake]) -> None:
        words = self.tr("Takes that waited were forgotten: {count}.")
        self._messages.say(
            words.format(count=len(wishes)),
            self.tr("Put back"),
            lambda: self._put_back(wishes),
        )

    def _put_back(self, wishes: list[PendingTake]) -> None:
        for wish in wishes:
            self._session.ask(wish)

    def _warn(self, take: Take, warnings: tuple[str, ...]) -> None:
        """Say each warning once: the same voice brings the same one with every take. Those of
        the voices that came with the program nobody can do anything about."""
        voices = self._session.voices
        ours = bool(take.origin.voice_ids) and all(map(voices.is_shipped, take.origin.voice_ids))
        fresh = [] if ours else [w for w in warnings if w not in self._warned]
        self._warned.update(fresh)
        if fresh:
            self._messages.say(" ".join(sentence(engine_text(w)) for w in fresh))

    @Slot()
    def _on_figures(self) -> None:
        session, status = self._session, self._window.status
        if not session.service.working:
            status.end_progress()
            self._window.show_share(0)
            if session.state is EngineState.UNLOADED:
                status.set_work("")
            elif self._passing and session.info is not None:
                status.set_work(self.tr("Ready. Ctrl+Enter makes a take."), "")
            self._passing = False
        else:
            status.set_work(self._work_text())
            # What a take ended with stays; other work leaves nothing to say.
            self._passing = session.running is None
            now = session.activity
            status.set_progress(now.done, now.total)
            self._window.show_share(now.percent if now.tells_time else 0)
            if session.state is EngineState.LOADING:
                self._window.card.set_loading(self._work_text())
            if session.running is not None:
                session.current.list.touch(session.running)
        if session.current.take is not None:
            self._show_figures(session.current.take)
        if not self._window.actions_.save_take.isEnabled():
            self.refresh()

    def _work_text(self) -> str:
        session = self._session
        if session.state is EngineState.CANCELLING:
            return self.tr("Stopping…")
        now = session.activity
        text = now.text if now.tells_time else f"{now.text} · {short(session.elapsed_s)}"
        if session.state is EngineState.LOADING and len(session.waiting):
            words = self.tr("speaks as soon as the model is ready, Esc forgets it")
            return f"{text} · {words}"
        return text

    def _show_figures(self, take: Take) -> None:
        status, player = self._window.status, self._session.player
        rtf, first = take.rtf, take.first_sound_s
        first_text = NOTHING if first is None else f"{first:.2f} s" if first < 10 else short(first)
        rtf_text = NOTHING if rtf is None else f"{rtf:.2f}"
        buffer = NOTHING
        if player.store is take.store and player.state is not PlayState.IDLE:
            buffer = f"{player.buffered_s:.1f} s"
        low = player.low_water_s if player.store is take.store else None
        words = self.tr("Lowest while playing: {seconds:.2f} s")
        status.buffer.setToolTip("" if low is None else words.format(seconds=low))
        status.first_sound.setText(first_text)
        status.rtf.setText(rtf_text)
        status.buffer.setText(buffer)
        gaps = player.underruns + player.device_underflows if player.store is take.store else 0
        status.underruns.setText(str(gaps))
        mode = take.origin.request.stream.decode_mode
        # What is the rule needs no words; they are short of room in a small window.
        words = "" if mode == "exact" else self.tr("windowed streaming")
        seed = self.tr("seed {seed}").format(seed=take.origin.seed)
        if take.origin.info is not None and take.origin.info.host:
            words = self.tr("made by {host}, no codes").format(host=take.origin.info.host)
            seed = seed if take.origin.info.capabilities.seed else self.tr("no seed")
        facts = [
            text for text in (self.tr("cut at the limit") if take.cut else words, seed) if text
        ]
        if first is not None:
            facts.append(self.tr("first sound {time}").format(time=first_text))
        if rtf is not None:
            facts.append(self.tr("real-time factor {factor}").format(factor=rtf_text))
        self._window.take.set_facts(" · ".join(facts))

    @Slot(object, str)
    def _on_failed(self, error: EngineError, job: str) -> None:
        self._passing = False
        if job == "load":
            self._window.status.set_work(self.tr("The model was not opened."), "bad")
        self._messages.report(error, *self.next_step(error, job))

    def next_step(self, error: EngineError, job: str) -> tuple[str, Step | None]:
        """What helps against ``error``: a button's text and what it does, or nothing."""
        for ask in self._next_steps:
            title, step = ask(error, job)
            if step is not None:
                return title, step
        if isinstance(error, ContextError | RequestError):
            return self.tr("Go to the script"), self._window.script.editor.setFocus
        if isinstance(error, VoiceError):
            return self.tr("Open the voices folder"), self._window.actions_.reveal_voices.trigger
        return "", None
