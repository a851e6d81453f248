"""The part of the recorder that runs in PortAudio's thread, and the meter that reads it.

The callback copies into a ring that was reserved before and changes its own counters only;
the GUI thread takes the samples out. No Qt, no logging, no locks, no memory taken there.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from app.audio.ring import RingBuffer

FLOOR_DB = -120.0
CLIP_LEVEL = 0.999
HOLD_S = 1.5
FALL_DB_PER_S = 24.0
NO_ACCESS_S = 1.0


class InputCallback:
    """float32 queue of frames ``(n, channels)`` from the callback to the GUI thread.

    Attributes:
        overflows: times the device said that it lost sound.
        dropped: frames that found the ring full, because the window was busy for too long.
        last_call: clock at the newest callback; 0 before the first one.
    """

    def __init__(
        self, capacity: int, channels: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._ring = RingBuffer(capacity, channels)
        self._clock = clock
        self.overflows = 0
        self.dropped = 0
        self.last_call = 0.0

    def capture(self, block: np.ndarray, overflowed: bool) -> None:
        """Take one block; called by the callback."""
        self.last_call = self._clock()
        if overflowed:
            self.overflows += 1
        count = min(len(block), self._ring.space)
        self._ring.put(block[:count])
        self.dropped += len(block) - count

    def drain(self) -> np.ndarray:
        """Everything that came since the last time, a copy ``(n, channels)``.

        A broken driver's NaN becomes silence here, before anything is computed with it.
        """
        out = self._ring.take_all()
        result: np.ndarray = np.nan_to_num(out, copy=False, nan=0.0, posinf=1.0, neginf=-1.0)
        return result


@dataclass(frozen=True, slots=True)
class Level:
    """What a meter shows.

    Attributes:
        peak_db: loudest sample of the newest block in dBFS, -120 for silence.
        hold_db: loudest of the last moments; falls slowly after a while.
        clipped: some sample since the last reset was at full scale.
    """

    peak_db: float = FLOOR_DB
    hold_db: float = FLOOR_DB
    clipped: bool = False


class InputMeter:
    """Levels of a stream of samples; its time is that of the samples, not of a clock.

    Attributes:
        level: of the newest block.
        zeros_s: length of the exact zeros that the stream ends with.
    """

    def __init__(self, rate: int) -> None:
        self._rate = rate
        self._held_s = 0.0
        self.level = Level()
        self.zeros_s = 0.0

    @property
    def no_access(self) -> bool:
        """Nothing but exact zeros for longer than any real microphone gives."""
        return self.zeros_s > NO_ACCESS_S

    def reset_clip(self) -> None:
        """The user saw the lamp."""
        self.level = Level(self.level.peak_db, self.level.hold_db, False)

    def feed(self, block: np.ndarray) -> Level:
        """Measure samples ``(n, channels)``."""
        if len(block) == 0:
            return self.level
        seconds = len(block) / self._rate
        loudness = np.abs(block).max(axis=1)
        peak = float(loudness.max())
        peak_db = max(FLOOR_DB, 20 * float(np.log10(max(peak, 1e-12))))
        hold = self.level.hold_db
        self._held_s += seconds
        if self._held_s > HOLD_S:
            hold = max(FLOOR_DB, hold - FALL_DB_PER_S * min(seconds, self._held_s - HOLD_S))
        if peak_db >= hold:
            hold, self._held_s = peak_db, 0.0
        sounding = np.flatnonzero(loudness)
        if len(sounding):
            self.zeros_s = (len(block) - 1 - int(sounding[-1])) / self._rate
        else:
            self.zeros_s += seconds
        self.level = Level(peak_db, hold, self.level.clipped or peak >= CLIP_LEVEL)
        return self.level
