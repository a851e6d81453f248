"""Takes that were asked for before the engine was free: they are made one after the other."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal

from app.takes.take import PendingTake


class WaitingTakes(QObject):
    """The wishes, in the order of asking.

    Signals:
        changed(): there are others.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._wishes: list[PendingTake] = []

    def __len__(self) -> int:
        return len(self._wishes)

    @property
    def wishes(self) -> list[PendingTake]:
        """All of them, the next one first."""
        return list(self._wishes)

    def add(self, *wishes: PendingTake) -> None:
        """Put wishes behind the others."""
        self._wishes += wishes
        self.changed.emit()

    def remove(self, wishes: Sequence[PendingTake]) -> None:
        """Forget wishes, as far as they still wait."""
        kept = [wish for wish in self._wishes if wish not in wishes]
        if len(kept) != len(self._wishes):
            self._wishes = kept
            self.changed.emit()

    def take_next(self) -> PendingTake | None:
        """The first one, which waits no longer."""
        wish = self._wishes[0] if self._wishes else None
        if wish is not None:
            self.remove([wish])
        return wish
