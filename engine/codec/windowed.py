"""The seed engine's windowed decoding, for comparison and for whoever wants its timing.

New frames are decoded together with some frames before them, from an empty state each time,
and the newest ones are held back (spec 06, section 4.1). The exact way, which decodes each
frame once, is :class:`engine.codec.stream.DecoderStream`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from torch import Tensor

from engine.codec.stream import check_codes
from engine.errors import RequestError

_CONVOLUTION_FRAMES = 16
_FALLBACK_HISTORY = 160


def auto_history(window: int) -> int:
    """Frames of history decoded again when nothing is asked for: 144 for a window of 128."""
    history = (max(0, window - 1) + _CONVOLUTION_FRAMES + 7) // 8 * 8
    return history if history > 0 else _FALLBACK_HISTORY


@dataclass(frozen=True, slots=True)
class Emission:
    """Decode frames ``start:stop``, then emit those of ``first:last`` among them."""

    start: int
    stop: int
    first: int
    last: int


class EmissionPlan:
    """When to decode what, as pure arithmetic on frame counts.

    Args:
        stride: new frames before the next decode, at least 1.
        context: frames decoded again in front of those that are emitted.
        holdback: newest frames that are not emitted yet.

    Attributes:
        total: frames seen.
        committed: frames emitted.
        decoded: frames seen at the last decode.
    """

    def __init__(self, stride: int, context: int, holdback: int) -> None:
        if stride < 1:
            raise RequestError("stream.stride", stride=stride)
        if context < 0:
            raise RequestError("stream.context", context=context)
        if holdback < 0:
            raise RequestError("stream.holdback", holdback=holdback)
        self.stride, self.context, self.holdback = stride, context, holdback
        self.total = self.committed = self.decoded = 0

    @property
    def oldest_needed(self) -> int:
        """First frame that a later decode can still ask for."""
        return max(0, self.committed - self.context)

    def frame(self) -> Emission | None:
        """One more frame exists; what is due now, if anything."""
        self.total += 1
        if self.total - self.decoded < self.stride:
            return None
        last = max(0, self.total - self.holdback)
        # ``decoded`` stays as it is here, so the test runs again at every frame.
        return None if last <= self.committed else self._emit(last)

    def finish(self) -> Emission | None:
        """There are no more frames; what is left, if anything."""
        if self.total <= self.decoded and self.committed >= self.total:
            return None
        return self._emit(self.total)

    def _emit(self, last: int) -> Emission:
        due = Emission(self.oldest_needed, self.total, self.committed, last)
        self.committed, self.decoded = last, self.total
        return due


class WindowedDecoder:
    """Decodes windows of the codes as an :class:`EmissionPlan` says.

    Args:
        decode: whole-sequence decode of ``(codebooks, n)`` codes.
        codebooks: rows of the code matrix.
        samples_per_frame: samples per column.
        plan: stride, context and holdback.

    Attributes:
        frames_decoded: columns decoded so far, each repetition counted.
        decode_calls: windows decoded so far.
    """

    def __init__(
        self,
        decode: Callable[[np.ndarray], np.ndarray],
        codebooks: int,
        samples_per_frame: int,
        plan: EmissionPlan,
    ) -> None:
        self._decode = decode
        self._samples_per_frame = samples_per_frame
        self._plan = plan
        self._codes = np.zeros((codebooks, 0), np.int64)
        self._offset = 0
        self.frames_decoded = 0
        self.decode_calls = 0

    @property
    def held_frames(self) -> int:
        """Frames pushed but not emitted."""
        return self._plan.total - self._plan.committed

    def push(self, codes: ArrayLike | Tensor) -> np.ndarray:
        """Add columns ``(codebooks, m)``; returns the samples that became due, maybe none.

        Raises:
            ValueError, TypeError, GenerationError: see :meth:`DecoderStream.push`.
        """
        columns = check_codes(codes, self._codes.shape[0])
        pieces = []
        for i in range(columns.shape[1]):
            self._codes = np.concatenate([self._codes, columns[:, i : i + 1]], axis=1)
            due = self._plan.frame()
            if due is not None:
                pieces.append(self._run(due))
        return _joined(pieces)

    def finish(self) -> np.ndarray:
        """The samples still held back; call once, after the last push."""
        due = self._plan.finish()
        return _joined([] if due is None else [self._run(due)])

    def _run(self, due: Emission) -> np.ndarray:
        samples = self._decode(self._codes[:, due.start - self._offset : due.stop - self._offset])
        self.decode_calls += 1
        self.frames_decoded += due.stop - due.start
        drop = self._plan.oldest_needed - self._offset
        self._codes, self._offset = self._codes[:, drop:], self._plan.oldest_needed
        per_frame = self._samples_per_frame
        return samples[(due.first - due.start) * per_frame : (due.last - due.start) * per_frame]


def _joined(pieces: list[np.ndarray]) -> np.ndarray:
    if len(pieces) == 1:
        return pieces[0]
    return np.concatenate(pieces) if pieces else np.zeros(0, np.float32)
