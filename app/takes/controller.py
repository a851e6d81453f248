"""What can be done with takes: keep, star, rename, delete, speak again, put settings back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QInputDialog

from app.core import settings as keys
from app.core.formats import gigabytes
from app.core.settings import Settings
from app.inference.controls import new_seed
from app.script.analysis import look_at, plan_segments
from app.script.speakers import numbered
from app.session import Session
from app.takes.archive import TakeLibrary
from app.takes.provenance import saved_of, server_voice, take_of_entry
from app.takes.restore import restore_settings
from app.takes.splice import splice
from app.takes.store import TakeStore
from app.takes.take import Take
from app.window import MainWindow
from engine.errors import EngineError, VoiceError
from engine.remote.request import RemoteRequest, fields_of
from engine.takes.archive import Added, TakeEntry
from engine.takes.provenance import codes_hash
from engine.types import MAX_SEED, Segmentation, SynthesisRequest
from engine.voices import VoiceProfile

Report = Callable[[EngineError, str, Callable[[], None] | None], None]
MEMORY_BYTES = 256 << 20
MOST_FRAMES = int(keys.MAX_FRAMES.maximum or 1024)


class TakesController(QObject):
    """Ties the list of takes to the archive, the studio and the window."""

    def __init__(
        self,
        window: MainWindow,
        session: Session,
        settings: Settings,
        library: TakeLibrary,
        report: Report,
    ) -> None:
        super().__init__(window)
        self._window, self._session, self._settings = window, session, settings
        self._library, self._report = library, report
        self._parts: list[tuple[Take, Take, int]] = []
        self._deleted: list[Take] = []
        self._warned: set[str] = set()
        session.current.failed.connect(lambda error: self._report(error, "", None))
        session.take_ended.connect(self._on_ended)
        session.current.list.renamed.connect(self._on_renamed)
        library.failed.connect(self._on_failed)
        settings.changed.connect(self._on_setting)
        library.set_room(settings.get(keys.TAKES_LIMIT_MB))

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
        take = self._session.current.take
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

    def speak_segment(self, take: Take, index: int) -> None:
        """Speak one piece of a long take again, with a new seed, and put it in its place."""
        request, texts = self._request_of(take), take.pieces
        if request is None or not 0 <= index < len(texts):
            return
        part = replace(
            request,
            text=texts[index],
            segmentation=Segmentation(),
            sampling=replace(request.sampling, seed=new_seed()),
        )
        made = self._speak(part, take, listed=False)
        if made is not None:
            self._parts.append((made, take, index))

    def settings_back(self) -> None:
        """Text, voices, seed and all controls as they were for the current take."""
        take = self._session.current.take
        if take is not None:
            missing = restore_settings(take, self._window, self._settings, self._session.voices)
            words = self.tr("Text, seed and settings are as they were.")
            if missing:
                gone = self.tr("The voice {name} is not in the library.")
                words = f"{words} {gone.format(name=', '.join(missing))}"
            self._window.toast.say(words)

    def star(self) -> None:
        """Star the current take or take its star away."""
        if self._session.current.take is not None:
            self.toggle_star(self._session.current.take)

    @Slot(object)
    def toggle_star(self, take: Take) -> None:
        """Star ``take`` or take its star away."""
        take.starred = not take.starred
        self._session.current.list.touch(take)
        if take.entry_id:
            self._library.star(take.entry_id, take.starred)

    def rename(self) -> None:
        """Edit the current take's title in the list."""
        if self._session.current.take is not None:
            self._window.takes.edit(self._session.current.take)

    def delete(self) -> None:
        """Take the current take out of the list; Undo brings it back."""
        take, takes = self._session.current.take, self._session.current.list
        if take is None or take is self._session.running:
            return
        row = takes.remove(take)
        if take.entry_id:
            self._library.remove(take.entry_id)
        else:
            self._deleted.append(take)
        other = takes.take_at(min(row, takes.rowCount() - 1))
        self._session.current.forget(take, other)
        self._window.toast.say(
            self.tr("The take was deleted."), self.tr("Undo"), lambda: self._undelete(take, row)
        )

    def choose_room(self) -> None:
        """Ask for the size that kept takes may have."""
        words = self.tr("Megabytes for kept takes. The oldest without a star go first.")
        low, high = int(keys.TAKES_LIMIT_MB.minimum or 0), int(keys.TAKES_LIMIT_MB.maximum or 0)
        now = self._settings.get(keys.TAKES_LIMIT_MB)
        value, ok = QInputDialog.getInt(
            self._window, self.tr("Room for takes"), words, now, low, high, 256
        )
        if ok:
            self._settings.set(keys.TAKES_LIMIT_MB, value)

    def keep(self, take: Take) -> None:
        """Put a finished take into the archive."""
        saved = saved_of(take)
        if saved is not None:
            self._library.keep(saved, lambda added, nexts: self._on_kept(take, added, nexts))

    def _undelete(self, take: Take, row: int) -> None:
        if take.entry_id:
            self._library.undo(take.entry_id)
        elif take in self._deleted:
            self._deleted.remove(take)
        self._session.current.list.insert(row, take)
        self._session.current.show(take)

    def _speak_with(self, step: int) -> None:
        take = self._session.current.take
        request = self._request_of(take) if take is not None else None
        if take is not None and request is not None:
            seed = (take.seed + step) & MAX_SEED
            self._speak(replace(request, sampling=replace(request.sampling, seed=seed)), take)

    def _speak(self, request: SynthesisRequest, like: Take, listed: bool = True) -> Take | None:
        take = self._session.speak(request, like.voice, like.voice_ids, listed=listed)
        if take is None:
            self._window.toast.say(self.tr("Open a model, or wait until the engine is free."))
        return take

    def _request_of(self, take: Take) -> SynthesisRequest | None:
        """What was asked, with its voices; ``None`` after saying that one is missing."""
        if take.provenance is None:
            return take.request
        if there := server_voice(take.provenance):
            return RemoteRequest(**fields_of(take.request), voice=there)
        voices: list[VoiceProfile] = []
        for mark in take.provenance.voices:
            voice = self._find_voice(mark.id)
            if voice is None:
                error = VoiceError(
                    f"the voice {mark.id or '?'} of this take is not in the library",
                    "Import it, or put the settings back and choose another.",
                )
                self._report(error, "", None)
                return None
            if codes_hash(voice) != mark.sha256:
                words = self.tr("The voice {name} is not the one of this take any more.")
                self._window.toast.say(words.format(name=mark.id))
            voices.append(voice)
        used = look_at(take.request.text).used
        numbers = used if len(used) == len(voices) else tuple(range(len(voices)))
        return replace(take.request, references=numbered(dict(zip(numbers, voices, strict=True))))

    def _find_voice(self, voice_id: str) -> VoiceProfile | None:
        for key in (voice_id, f"shipped:{voice_id}"):
            try:
                return self._session.voices.load(key)
            except EngineError:
                continue
        return None

    @Slot(object)
    def _on_listed(self, entries: list[TakeEntry]) -> None:
        takes = [take for entry in entries if (take := take_of_entry(entry)) is not None]
        self._session.current.list.extend(takes)
        self._session.availability_changed.emit()
        if len(takes) < len(entries):
            words = self.tr("{count} kept takes are damaged and not listed.")
            self._window.toast.say(words.format(count=len(entries) - len(takes)))

    @Slot(object)
    def _on_ended(self, take: Take) -> None:
        part = next((p for p in self._parts if p[0] is take), None)
        if part is None:
            self.keep(take)
            return
        self._parts.remove(part)
        whole = take.summary is not None and take.summary.finish_reason != "cancelled"
        if whole and take.store.length:
            self._put_in(*part)

    def _put_in(self, part: Take, base: Take, index: int) -> None:
        pause = base.request.segmentation.pause_ms
        made = splice(base.store, index, part.store.samples, part.store.codes, pause)
        store = TakeStore(base.store.format, self._session)
        store.fill(made.samples, made.codes, made.segments)
        summary = replace(base.summary, codes=made.codes) if base.summary is not None else None
        take = Take(
            0, base.request, base.voice, base.seed, store, info=base.info, summary=summary,
            voice_ids=base.voice_ids, title=base.title, provenance=base.provenance,
            first_sound_s=base.first_sound_s,
        )  # fmt: skip
        self._session.current.admit(take)
        self.keep(take)
        words = self.tr("Piece {number} was spoken again with seed {seed}.")
        self._window.toast.say(words.format(number=index + 1, seed=part.seed))

    def _on_kept(self, take: Take, added: Added, nexts: list[TakeEntry]) -> None:
        take.entry_id = added.entry.id
        if take in self._deleted:
            self._deleted.remove(take)
            self._library.remove(take.entry_id)
        elif take.starred != added.entry.starred or take.title != added.entry.title:
            self._library.star(take.entry_id, take.starred)
            self._library.rename(take.entry_id, take.title)
        self._rest()
        gone = {entry.id for entry in added.removed}
        for old in self._session.current.list.takes:
            if old.entry_id in gone:
                old.entry_id = ""
                if not old.loaded:
                    self._session.current.list.remove(old)
        if gone:
            words = self.tr("{count} old takes without a star made room for this one.")
            self._window.toast.say(words.format(count=len(gone)))
        else:
            self._warn(nexts)

    def _rest(self) -> None:
        """Kept takes that nobody looks at give their memory back; they are read when needed."""
        room = MEMORY_BYTES
        busy = (
            self._session.current.take,
            self._session.running,
            *(base for _, base, _ in self._parts),
        )
        for take in self._session.current.list.takes:
            room -= 4 * take.store.length
            idle = take not in busy and self._session.player.store is not take.store
            if room < 0 and take.loaded and take.entry_id and idle:
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
        self._window.toast.say(
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
        self._window.toast.say(f"{error.title}: {error.detail}")

    @Slot(str)
    def _on_setting(self, key: str) -> None:
        if key == keys.TAKES_LIMIT_MB.key:
            self._library.set_room(self._settings.get(keys.TAKES_LIMIT_MB))
