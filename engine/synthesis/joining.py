"""Joining segments of speech: trailing silence cut, short fades, a pause between (spec 06, 8).

The cut works on a stream: samples after the last audible one are kept back until either
something audible follows, and then nothing was lost, or the segment ends and they are dropped.
"""

from __future__ import annotations

import numpy as np

SILENCE_THRESHOLD = 0.01
MIN_SILENCE_S = 0.08
KEEP_S = 0.01
MIN_SEGMENT_S = 0.1
FADE_S = 0.005


class SegmentJoiner:
    """Streams one segment at a time and shapes its ends.

    Feed a segment with :meth:`push`, close it with :meth:`end_segment`. All samples are float32.
    """

    def __init__(self, sample_rate: int) -> None:
        self._fade = max(1, int(FADE_S * sample_rate))
        self._keep = int(KEEP_S * sample_rate)
        self._min_silence = int(MIN_SILENCE_S * sample_rate)
        self._min_segment = int(MIN_SEGMENT_S * sample_rate)
        self._held = np.empty(0, np.float32)
        self._sent = self._faded_in = 0
        self._first = True

    def push(self, samples: np.ndarray) -> np.ndarray:
        """Take samples of the current segment; return those that are final."""
        held = np.concatenate((self._held, samples))
        loud = np.flatnonzero(np.abs(held) > SILENCE_THRESHOLD)
        final = min(int(loud[-1]) + 1 if len(loud) else 0, max(0, len(held) - self._fade))
        self._held = held[final:]
        self._sent += final
        return self._fade_in(held[:final])

    def end_segment(self, silence: int | None) -> np.ndarray:
        """Close the segment; return its end and so many samples of ``silence`` behind it, or
        ``None`` for the last one, behind which nothing comes.

        A segment without anything audible stays as it is, and no segment gets shorter than a tenth
        of a second, as when a whole take is trimmed (spec 06, section 7).
        """
        tail = self._held
        loud = np.flatnonzero(np.abs(tail) > SILENCE_THRESHOLD)
        spoken = int(loud[-1]) + 1 if len(loud) else 0
        audible = self._sent > 0 or spoken > 0
        if audible and len(tail) - spoken >= self._min_silence:
            tail = tail[: max(spoken + self._keep, self._min_segment - self._sent)]
        tail = self._fade_in(tail)
        if silence is not None:
            n = min(self._fade, len(tail))
            tail = tail.copy()
            tail[len(tail) - n :] *= np.linspace(1, 0, n, dtype=np.float32)
            tail = np.concatenate((tail, np.zeros(silence, np.float32)))
        self._held = np.empty(0, np.float32)
        self._sent = self._faded_in = 0
        self._first = False
        return tail

    def _fade_in(self, samples: np.ndarray) -> np.ndarray:
        """Ramp the first samples of every segment but the first."""
        left = self._fade - self._faded_in
        if self._first or left <= 0 or not len(samples):
            return samples
        n = min(left, len(samples))
        ramp = (np.arange(self._faded_in, self._faded_in + n, dtype=np.float32)) / self._fade
        samples = samples.copy()
        samples[:n] *= ramp
        self._faded_in += n
        return samples
