"""What a download tells while it works, at most ten times a second, and how it can fail."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from engine.errors import EngineError


class DownloadError(EngineError):
    """A file could not be fetched; what was fetched of it is kept for the next try."""


class OfflineError(DownloadError):
    """Offline mode is on, so nothing was tried."""


class LicenseError(DownloadError):
    """The license of the weights was not accepted yet."""


class AccessError(DownloadError):
    """The hub gives the file only to people it knows (401 or 403)."""


class MissingFileError(DownloadError):
    """The hub or the mirror has no such file (404)."""


class DamagedFileError(DownloadError):
    """What arrived or lies on the disk is not the file that was published."""


class DiskFullError(DownloadError):
    """The disk has no room, before or while writing."""


class InUseError(DownloadError):
    """Another process is fetching the same file."""


WINDOW_S = 8.0
TICK_S = 0.1


class Phase(Enum):
    """What is being done to a file."""

    CONNECTING = "connecting"
    HASHING = "hashing"
    DOWNLOADING = "downloading"
    WAITING = "waiting"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Transfer:
    """How far one file is.

    Attributes:
        file: its name.
        done, total: real bytes of the file; ``total`` is 0 while unknown.
        speed: bytes a second over the last seconds, 0 while unknown.
        wait_s: seconds until the next try.
        reason: why it waits.
    """

    file: str
    phase: Phase
    done: int = 0
    total: int = 0
    speed: float = 0.0
    wait_s: float = 0.0
    reason: str = ""

    @property
    def left_s(self) -> float | None:
        """Seconds that the rest will take, ``None`` while that cannot be said."""
        if self.speed <= 0 or self.total <= 0:
            return None
        return max(0, self.total - self.done) / self.speed


OnTransfer = Callable[[Transfer], None]
Clock = Callable[[], float]


class Meter:
    """Speed over a sliding window, so that a pause does not count for minutes."""

    def __init__(self, clock: Clock = time.monotonic, window_s: float = WINDOW_S) -> None:
        self._clock = clock
        self._window = window_s
        self._points: deque[tuple[float, int]] = deque()

    def restart(self) -> None:
        """Forget what was measured: bytes from the disk are no speed of the network."""
        self._points.clear()

    def add(self, done: int) -> float:
        """Take the number of bytes that are there now; returns bytes a second."""
        now = self._clock()
        if self._points and done < self._points[-1][1]:
            self._points.clear()
        self._points.append((now, done))
        while len(self._points) > 2 and now - self._points[0][0] > self._window:
            self._points.popleft()
        first_time, first_done = self._points[0]
        spent = now - first_time
        return (done - first_done) / spent if spent >= TICK_S else 0.0


class Reporter:
    """Hands events on, throttled where they arise."""

    def __init__(
        self, file: str, hand_on: OnTransfer | None, clock: Clock = time.monotonic
    ) -> None:
        self._file = file
        self._hand_on = hand_on
        self._clock = clock
        self._meter = Meter(clock)
        self._told = float("-inf")
        self._phase: Phase | None = None

    def tell(
        self, phase: Phase, done: int, total: int, wait_s: float = 0.0, reason: str = ""
    ) -> None:
        """Tell the state; a new phase and the end of a file at once, the rest now and then."""
        changed = phase is not self._phase
        if changed:
            self._meter.restart()
        self._phase = phase
        speed = self._meter.add(done) if phase in (Phase.DOWNLOADING, Phase.HASHING) else 0.0
        now = self._clock()
        if self._hand_on is None or not (changed or now - self._told >= TICK_S):
            return
        self._told = now
        self._hand_on(Transfer(self._file, phase, done, total, speed, wait_s, reason))
