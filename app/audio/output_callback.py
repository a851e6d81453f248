"""The part of the player that runs in PortAudio's real-time thread.

Rules of that thread: no Qt, no logging, no locks, no buffers allocated. The GUI thread is the
only writer of the ring and of the wishes (``paused``, ``stopping``, ``gain``), the callback
the only reader; each side changes its own counters only.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from app.audio.ring import RingBuffer

SCRATCH = 8192
FADE_S = 0.012


class OutputCallback:
    """What the callback reads and writes.

    Attributes:
        ring: where samples come from; replaced as a whole at a jump.
        paused, stopping, gain: wishes of the GUI thread.
        buffering: silent until there is enough; the callback sets it when it runs dry, the
            GUI thread clears it.
        drained: everything was played.
        stopped: the fade of a stop is over.
        underruns: times it ran dry before the end.
        low_water: smallest fill in samples while playing; -1 before the first block.
        last_call: clock at the newest callback; 0 before the first one.
        device_underflows: times PortAudio reported that the callback came late.
    """

    def __init__(
        self, rate: int, clock: Callable[[], float] = time.monotonic, gain: float = 1.0
    ) -> None:
        self.ring = RingBuffer(1)
        self.paused = False
        self.stopping = False
        self.gain = gain
        self.buffering = True
        self.drained = False
        self.stopped = False
        self.underruns = 0
        self.low_water = -1
        self.last_call = 0.0
        self.device_underflows = 0
        self._clock = clock
        self._gain = gain
        self._scratch = np.zeros(SCRATCH, np.float32)
        self._ramp = np.zeros(SCRATCH, np.float32)
        self._steps = np.arange(SCRATCH, dtype=np.float32)
        self._fade_total = max(1, int(rate * FADE_S))
        self._fade_left = self._fade_total

    def render(self, out: np.ndarray) -> None:
        """Fill one block, float32 ``(frames, channels)``; the same sound in each channel."""
        self.last_call = self._clock()
        for at in range(0, len(out), SCRATCH):
            self._render_part(out[at : at + SCRATCH])

    def _render_part(self, out: np.ndarray) -> None:
        if self.paused or self.buffering or self.drained or self.stopped:
            out.fill(0.0)
            self.stopped = self.stopped or self.stopping
            return
        ring = self.ring
        ended = ring.ended
        wanted = min(len(out), self._fade_left) if self.stopping else len(out)
        block = self._scratch[:wanted]
        got = ring.take(block)
        block = block[:got]
        self._shape(block)
        np.clip(block, -1.0, 1.0, out=block)
        out[:got] = block[:, None]
        out[got:] = 0.0
        if self.stopping:
            self._fade_left -= got
            self.stopped = self._fade_left <= 0 or got < wanted
        elif got < wanted:
            self._ran_dry(ended)
        elif not ended:
            left = ring.available
            self.low_water = left if self.low_water < 0 else min(self.low_water, left)

    def _ran_dry(self, ended: bool) -> None:
        """``ended`` was read before the samples: were it read after them, a last block put in
        between would be taken for the end and lost."""
        if ended:
            self.drained = True
            return
        self.underruns += 1
        self.low_water = 0
        self.buffering = True

    def _shape(self, block: np.ndarray) -> None:
        """Volume, gliding to a new value within the block, and the fade of a stop."""
        count = len(block)
        if count == 0:
            return
        if self.gain != self._gain:
            ramp = self._ramp[:count]
            np.multiply(self._steps[:count], (self.gain - self._gain) / count, out=ramp)
            ramp += self._gain
            block *= ramp
            self._gain = self.gain
        elif self._gain != 1.0:
            block *= self._gain
        if self.stopping:
            ramp = self._ramp[:count]
            np.multiply(self._steps[:count], -1.0 / self._fade_total, out=ramp)
            ramp += self._fade_left / self._fade_total
            block *= ramp
