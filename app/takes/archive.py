"""The archive of takes for the window: each call returns at once, the work goes on a thread."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Signal

from app.audio.peaks import Peaks
from app.core.background import Tasks
from engine.errors import EngineError
from engine.takes import Added, RemovedTake, SavedTake, TakeArchive, TakeEntry

MB = 1 << 20


class TakeLibrary(QObject):
    """Keeps takes across starts.

    All work runs in the order of the calls. What fails is reported by :attr:`failed`, unless
    the caller asks for it.

    Signals:
        failed(EngineError)
    """

    failed = Signal(object)

    def __init__(self, archive: TakeArchive, tasks: Tasks, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.archive = archive
        self._tasks = tasks

    def set_room(self, megabytes: int) -> None:
        """Change the bound; it counts from the next take on."""
        self.archive.max_bytes = megabytes * MB

    def read(self, done: Callable[[list[TakeEntry]], None]) -> None:
        """At the start: tidy up, then list what is there, newest first."""
        archive = self.archive

        def work() -> list[TakeEntry]:
            archive.tidy()
            return archive.list()

        self._run(work, done)

    def keep(self, take: SavedTake, done: Callable[[Added, list[TakeEntry]], None]) -> None:
        """Keep a take; ``done`` also gets what would go for another one of its size."""
        archive = self.archive

        def work() -> tuple[Added, list[TakeEntry]]:
            added = archive.add(take)
            return added, archive.would_remove(added.entry.size)

        self._run(work, lambda result: done(*result))

    def load(
        self,
        take_id: str,
        done: Callable[[SavedTake, Peaks], None],
        failed: Callable[[EngineError], None],
    ) -> None:
        """Read a take whole, and measure it for its pictures."""
        archive = self.archive

        def work() -> tuple[SavedTake, Peaks]:
            saved = archive.load(take_id)
            return saved, Peaks.of(saved.samples)

        self._tasks.run(work, lambda read: done(*read), failed)

    def star(self, take_id: str, starred: bool) -> None:
        """Set or take away the star."""
        self._run(lambda: self.archive.star(take_id, starred), None)

    def rename(self, take_id: str, title: str) -> None:
        """Give a take a title."""
        self._run(lambda: self.archive.rename(take_id, title), None)

    def remove(self, take_id: str) -> None:
        """Move a take to the archive's trash."""
        self._run(lambda: self.archive.remove(take_id), None)

    def undo(self, take_id: str) -> None:
        """Bring a removed take back."""
        self._run(lambda: self.archive.undo(RemovedTake(take_id)), None)

    def _run(self, work: Callable[[], Any], done: Callable[[Any], None] | None) -> None:
        self._tasks.run(work, done, self.failed.emit)
