"""Time that training has used, and a way to let others have the machine for a while."""

from __future__ import annotations

import os
import time
from pathlib import Path

PAUSE_VARIABLE = "DEMO_VOICE_PAUSE"


class Clock:
    """Counts working minutes over several runs; waits while a pause file exists.

    Attributes:
        minutes: used so far, waiting not counted.
    """

    def __init__(self, used: float, budget: float) -> None:
        self._used, self._budget = used, budget
        self._start = time.monotonic()
        pause = os.environ.get(PAUSE_VARIABLE)
        self._pause = Path(pause) if pause else None

    @property
    def minutes(self) -> float:
        return self._used + (time.monotonic() - self._start) / 60

    @property
    def progress(self) -> float:
        """Share of the budget that is used."""
        return self.minutes / self._budget

    def wait_if_paused(self) -> None:
        """Sleep while the file named by the environment exists."""
        if self._pause is None or not self._pause.exists():
            return
        before = time.monotonic()
        while self._pause.exists():
            time.sleep(1)
        self._start += time.monotonic() - before
