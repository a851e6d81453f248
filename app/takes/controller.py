"""What can be done with takes: keep, star, rename, delete, speak again, put settings back."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Protocol

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QInputDialog

from app.audio.peaks import Peaks
from app.core import settings as keys
from app.core.background import Tasks
from app.core.engine_texts import engine_text
from app.core.formats import gigabytes
from app.core.messages import Messages
from app.core.settings import Settings
from app.inference.controls import new_seed
from app.inference.segments import plan_segments
from app.inference.speakers import all_speakers, numbered, speakers_of
from app.takes.current import CurrentTake
from app.takes.list_panel import TakesPanel
from app.takes.provenance import saved_of, server_voice, take_of_entry
from app.takes.splice import Spliced, silences_in, silences_of, splice
from app.takes.store import TakeStore
from app.takes.take import Head, PendingTake, Take, TakeMaker
from engine.errors import EngineError, VoiceError
from engine.remote import RemoteRequest, fields_of
from engine.takes import Added, TakeEntry, codes_hash
from engine.types import MAX_SEED, Resume, Segmentation, SynthesisRequest
from engine.voices import VoiceProfile

MEMORY_BYTES = 256 << 20
MOST_FRAMES = int(keys.MAX_FRAMES.maximum or 1024)


class VoiceSource(Protocol):
    """The voices, as far as a take needs them."""

    def load_named(self, name: str) -> VoiceProfile | None:
        """The voice of that name; ``None`` when it is gone or damaged."""


class TakesController(QObject):
    """Ties the list of takes to the archive and to what makes takes.

    Signals:
        listed(): the kept takes are in the list.
        parts_listed(list): kept readings of parts of a script, which are not.
        kept(Take): the archive has it; its ``entry_id`` tells where.
    """

    listed = Signal()
    parts_listed = Signal(list)
    kept = Signal(object)

    def __init__(
        self,
        panel: TakesPanel,
        current: CurrentTake,
        maker: TakeMaker,
        settings: Settings,
        tasks: Tasks,
        messages: Messages,
        voices: VoiceSource,
        restore: Callable[[Take], list[str]],
    ) -> None:
        super().__init__(panel)
        self._panel, self._current, self._maker = panel, current, maker
        self._settings, self._tasks, self._messages = settings, tasks, messages
        self._voices, self._restore = voices, restore
        self._library = current.library
        self._parts: list[tuple[Take, Take, int]] = []
        self._deleted: list[Take] = []
        self._warned: set[str] = set()
        current.list.renamed.connect(self._on_renamed)
        self._library.failed.connect(self._on_failed)
        settings.watch(keys.TAKES_LIMIT_MB, self._library.set_room)
        self._library.set_room(settings.get(keys.TAKES_LIMIT_MB))

    def start(self) -> None:
        """Read the archive; its takes appear behind those of this run."""
        self._library.read(self._on_listed)

    def again(self) -> None:
        """Speak the current take once more, with its seed."""
        self._speak_with(0)

    def next_seed(self) -> None:
        """Speak it with the next seed."""
        self._speak_with(1)

    def resume(self) -> None:
        """A take that was cut: the same seed gives the same beginning, with room for the rest."""
        take = self._current.take
        request = self._request_of(take) if take is not None else None
        if take is None or request is None:
            return
        plan = plan_segments(request.text)
        if plan.split and not request.segmentation.sentences:
            pause = self._settings.get(keys.PAUSE_MS)
            cut = Segmentation(True, pause, plan.max_chars, self._settings.get(keys.CARRY_ON))
            request = replace(request, segmentation=cut)
        else:
            frames = min(2 * request.sampling.max_new_tokens, MOST_FRAMES)
            sampling = replace(request.sampling, max_new_tokens=frames)
            request = replace(request, sampling=sampling)
        self._speak(request, take)

    def go_on(self) -> None:
        """Go on with a take that was cut, or that was stopped in one of its pieces."""
        take = self._current.take
        if take is None or not self.can_go_on(take):
            return
        if take.cut:
            self.resume()
            return
        request, parts = self._request_of(take), take.store.segments()
        info = self._maker.info
        if request is None or info is None:
            return
        if take.origin.model_name not in ("", info.name):
            words = self.tr("Open {model} to go on: another model would speak otherwise.")
            self._messages.say(words.format(model=take.origin.model_name))
            return
        piece = len(parts) - 1  # what it was stopped in is spoken again, with the same seed
        last, store = parts[piece], take.store
        before = store.codes[:, parts[piece - 1].first : last.first] if piece else None
        head = Head(
            store.samples[: last.start], store.codes[:, : last.first],
            tuple((s.first, s.start) for s in parts[:piece]), tuple(s.text for s in parts[:piece]),
        )  # fmt: skip
        request = replace(request, resume=Resume(piece, before))
        self._speak(request, take, head=head if piece else None)

    @staticmethod
    def can_go_on(take: Take) -> bool:
        """It is a part of what its text asks for."""
        told = take.result or take.origin.provenance
        stopped = told is None or told.finish_reason in ("cancelled", "length")
        return stopped and take.store.complete and take.store.length > 0

    def speak_segment(self, take: Take, index: int) -> None:
        """Speak one segment of a long take again, with a new seed, and put it in its place."""
        request, text = self._request_of(take), take.store.segments()[index].text
        if request is None or not text:
            return
        part = replace(
            request,
            text=text,
            segmentation=Segmentation(),
            sampling=replace(request.sampling, seed=new_seed()),
        )
        self._speak(
            part, take, listed=False, started=lambda made: self._parts.append((made, take, index))
        )

    def settings_back(self) -> None:
        """Text, voices, seed and all controls as they were for the current take."""
        take = self._current.take
        if take is not None:
            missing = self._restore(take)
            words = self.tr("Text, seed and settings are as they were.")
            if missing:
                gone = self.tr("The voice {name} is not in the library.")
                words = f"{words} {gone.format(name=', '.join(missing))}"
            self._messages.say(words)

    def star(self) -> None:
        """Star the chosen takes, or the current one; take the stars away when all have one."""
        takes = self._chosen()
        on = not all(take.starred for take in takes)
        for take in takes:
            if take.starred != on:
                self.toggle_star(take)

    @Slot(object)
    def toggle_star(self, take: Take) -> None:
        """Star ``take`` or take its star away."""
        take.starred = not take.starred
        self._current.list.touch(take)
        if take.entry_id:
            self._library.star(take.entry_id, take.starred)

    def rename(self) -> None:
        """Edit the current take's title in the list."""
        if self._current.take is not None:
            self._panel.edit(self._current.take)

    def delete(self) -> None:
        """Take the chosen takes, or the current one, out of the list; Undo brings them back."""
        takes = self._current.list
        gone = [
            (take, takes.remove(take)) for take in self._chosen() if not self._maker.is_making(take)
        ]
        for take, _ in gone:
            if take.entry_id:
                self._library.remove(take.entry_id)
            else:
                self._deleted.append(take)
        if not gone:
            return
        other = takes.take_at(min(gone[0][1], takes.rowCount() - 1))
        for take, _ in gone:
            self._current.forget(take, other)
        words = self.tr("The take was deleted.")
        if len(gone) > 1:
            words = self.tr("{count} takes were deleted.").format(count=len(gone))
        self._messages.say(words, self.tr("Undo"), lambda: self._undelete(gone))

    def _chosen(self) -> list[Take]:
        """What is meant: several that are selected in the list, or else the one that is shown."""
        chosen, current = self._panel.chosen, self._current.take
        if len(chosen) > 1:
            return chosen
        return [] if current is None else [current]

    def choose_room(self) -> None:
        """Ask for the size that kept takes may have."""
        words = self.tr("Megabytes for kept takes. The oldest without a star go first.")
        low, high = int(keys.TAKES_LIMIT_MB.minimum or 0), int(keys.TAKES_LIMIT_MB.maximum or 0)
        now = self._settings.get(keys.TAKES_LIMIT_MB)
        value, ok = QInputDialog.getInt(
            self._panel.window(), self.tr("Room for takes"), words, now, low, high, 256
        )
        if ok:
            self._settings.set(keys.TAKES_LIMIT_MB, value)

    def keep(self, take: Take) -> None:
        """Put a finished take into the archive."""
        saved = saved_of(take)
        if saved is not None:
            self._library.keep(saved, lambda added, nexts: self._on_kept(take, added, nexts))

    def _undelete(self, gone: Sequence[tuple[Take, int]]) -> None:
        for take, row in reversed(gone):
            if take.entry_id:
                self._library.undo(take.entry_id)
            elif take in self._deleted:
                self._deleted.remove(take)
            self._current.list.insert(row, take)
        self._current.show(gone[0][0])

    def _speak_with(self, step: int) -> None:
        take = self._current.take
        request = self._request_of(take) if take is not None else None
        if take is not None and request is not None:
            seed = (take.origin.seed + step) & MAX_SEED
            self._speak(replace(request, sampling=replace(request.sampling, seed=seed)), take)
            made = take.origin.provenance
            if step == 0 and made is not None and made.seed_warnings:
                self._messages.say(engine_text(made.seed_warnings[0]))

    def _speak(self, request: SynthesisRequest, like: Take, **wish: Any) -> None:
        """Ask for a take of ``request`` in the voice of another one."""
        self._maker.ask(PendingTake(request, like.origin.voice, like.origin.voice_ids, **wish))

    def _request_of(self, take: Take) -> SynthesisRequest | None:
        """What was asked, with its voices; ``None`` after saying that one is missing."""
        if take.origin.provenance is None:
            return take.origin.request
        if name := server_voice(take.origin.provenance):
            return RemoteRequest(**fields_of(take.origin.request), voice=name)
        voices: list[VoiceProfile] = []
        for mark in take.origin.provenance.voices:
            voice = self._voices.load_named(mark.id)
            if voice is None:
                error = VoiceError("voice.not_in_library", voice=mark.id or "?")
                self._messages.report(error)
                return None
            if codes_hash(voice) != mark.sha256:
                words = self.tr("The voice {name} is not the one of this take any more.")
                self._messages.say(words.format(name=mark.id))
            voices.append(voice)
        request = take.origin.request
        used = all_speakers(*speakers_of(request.text))
        numbers = used if len(used) == len(voices) else tuple(range(len(voices)))
        return replace(request, references=numbered(dict(zip(numbers, voices, strict=True))))

    @Slot(object)
    def _on_listed(self, entries: list[TakeEntry]) -> None:
        found = [take for entry in entries if (take := take_of_entry(entry)) is not None]
        takes = [take for take in found if not take.part]
        self._current.list.extend(takes)
        self.parts_listed.emit([take for take in found if take.part])
        if takes and self._current.take is None:
            self._current.show(takes[0])  # where the last run ended
        self.listed.emit()
        if len(found) < len(entries):
            words = self.tr("{count} kept takes are damaged and not listed.")
            self._messages.say(words.format(count=len(entries) - len(found)))

    @Slot(object)
    def on_ended(self, take: Take) -> None:
        """The engine is done with a take."""
        part = next((p for p in self._parts if p[0] is take), None)
        if part is None:
            self.keep(take)
            return
        self._parts.remove(part)
        whole = take.result is not None and take.result.finish_reason != "cancelled"
        if whole and take.store.length:
            self._put_in(*part)

    def _put_in(self, part: Take, base: Take, index: int) -> None:
        old, fresh = base.store, part.store

        def work() -> tuple[Spliced, Peaks]:
            around = silences_of(base.origin.request, old.rate, len(old.segments()))
            if around is None:
                around = silences_in(old)
            made = splice(old, index, fresh.samples, fresh.codes, around)
            return made, Peaks.of(made.samples)

        self._tasks.run(
            work,
            lambda done: self._on_spliced(part, base, index, old, *done),
            self._messages.report,
        )

    def _on_spliced(
        self, part: Take, base: Take, index: int, old: TakeStore, made: Spliced, peaks: Peaks
    ) -> None:
        store = TakeStore(old.format, self)
        texts = [segment.text for segment in old.segments()]
        store.fill(made.samples, made.codes, made.segments, texts, peaks)
        result = base.result
        if result is not None:
            result = replace(result, metrics=replace(result.metrics, frames=store.frames))
        origin = replace(base.origin, made=datetime.datetime.now())
        take = Take(origin, store, result=result, title=base.title)
        self._current.admit(take)
        self.keep(take)
        words = self.tr("Piece {number} was spoken again with seed {seed}.")
        self._messages.say(words.format(number=index + 1, seed=part.origin.seed))

    def _on_kept(self, take: Take, added: Added, nexts: list[TakeEntry]) -> None:
        take.entry_id = added.entry.id
        if take in self._deleted:
            self._deleted.remove(take)
            self._library.remove(take.entry_id)
        elif take.starred != added.entry.starred or take.title != added.entry.title:
            self._library.star(take.entry_id, take.starred)
            self._library.rename(take.entry_id, take.title)
        self.kept.emit(take)
        self._rest()
        gone = {entry.id for entry in added.removed}
        for old in self._current.list.takes:
            if old.entry_id in gone:
                old.entry_id = ""
                if not old.loaded:
                    self._current.list.remove(old)
        if gone:
            words = self.tr("{count} old takes without a star made room for this one.")
            self._messages.say(words.format(count=len(gone)))
        else:
            self._warn(nexts)

    def _rest(self) -> None:
        """Kept takes that nobody looks at give their memory back; they are read when needed."""
        room = MEMORY_BYTES
        bases = (base for _, base, _ in self._parts)
        busy = (self._current.take, *bases)
        playing = self._current.player.store
        for take in self._current.list.takes:
            room -= 4 * take.store.length
            rests = take not in busy and take.store.complete and playing is not take.store
            if room < 0 and take.loaded and take.entry_id and rests:
                take.unload()

    def _warn(self, nexts: list[TakeEntry]) -> None:
        """Say what the next take will push out, before it does; once for each."""
        fresh = [entry for entry in nexts if entry.id not in self._warned]
        if not fresh:
            return
        self._warned.update(entry.id for entry in fresh)
        words = self.tr(
            "Kept takes fill their {room}. The next take removes the oldest without a star: {text}"
        )
        title = fresh[0].title or (fresh[0].provenance.text if fresh[0].provenance else "")
        room = gigabytes(self._library.archive.max_bytes)
        self._messages.say(
            words.format(room=room, text=" ".join(title.split())[:40]),
            self.tr("More room…"),
            self.choose_room,
        )

    @Slot(object, str)
    def _on_renamed(self, take: Take, before: str) -> None:
        if take.entry_id:
            self._library.rename(take.entry_id, take.title)

    @Slot(object)
    def _on_failed(self, error: EngineError) -> None:
        self._messages.say(f"{error.title}: {error.detail}")
