"""Lights for finished takes: their sound, and their words where a transcriber is at hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from app.core import settings as keys
from app.core.background import Tasks
from app.core.settings import Settings
from app.takes.provenance import provenance_of
from app.takes.take import Take
from app.takes.verdict import Verdict
from engine.errors import EngineError

QUEUE = "checks"


class TakeChecker(QObject):
    """Checks takes one after the other, on a thread of its own.

    Signals:
        checked(Take): ``take.verdict`` is new.
        failed(EngineError): the words could not be compared; the sound was checked.
    """

    checked = Signal(object)
    failed = Signal(object)

    def __init__(self, settings: Settings, tasks: Tasks, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings, self._tasks = settings, tasks

    @property
    def transcriber(self) -> str:
        """Folder of the model that hears words; empty for none."""
        return self._settings.get(keys.TRANSCRIBE_MODEL)

    def check(self, take: Take, *, words: bool = False) -> None:
        """Look at a finished take; with ``words``, hear what it says too."""
        story, samples, rate = provenance_of(take), take.store.samples, take.store.rate
        if story is None:
            return
        folder, language = self.transcriber if words else "", ""
        known = take.verdict.words if take.verdict is not None else None

        def work() -> tuple[Verdict, EngineError | None]:
            from engine.takes import check_take, facts_of

            facts = facts_of(story)
            verdict = Verdict(tuple(check_take(samples, rate, facts)), known)
            if not folder or not facts.text:
                return verdict, None
            from engine.transcription import check_words, spoken_words, transcribe

            expected = [word.letters for word in spoken_words(facts.text, language)]
            try:
                heard = transcribe(samples, rate, folder, words=expected, language=language)
            except EngineError as error:
                return verdict, error
            return replace(verdict, words=check_words(facts.text, heard)), None

        self._tasks.run(work, lambda done: self._on_checked(take, *done), queue=QUEUE)

    def _on_checked(self, take: Take, verdict: Verdict, error: EngineError | None) -> None:
        take.verdict = verdict
        self.checked.emit(take)
        if error is not None:
            self.failed.emit(error)


def best_of(takes: Sequence[Take]) -> tuple[Take, str] | None:
    """The one to keep, and why; ``None`` until all are checked, or of fewer than two."""
    from engine.takes import RatedTake, best_take

    verdicts = [take.verdict for take in takes if take.verdict is not None]
    if len(takes) < 2 or len(verdicts) < len(takes):
        return None
    errors = [None if verdict.words is None else verdict.words.errors for verdict in verdicts]
    rated = [
        RatedTake(verdict.checks, take.seconds, wrong)
        for take, verdict, wrong in zip(takes, verdicts, errors, strict=True)
    ]
    choice = best_take(rated)
    return takes[choice.index], choice.reason
