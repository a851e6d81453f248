"""From frames to final samples while they are generated (spec 06, section 4.2).

An emitter takes one column of codes at a time and hands out samples that never change
again. The exact one decodes each frame once through the codec's state; the windowed one
decodes windows again as the peer does, for comparison.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Protocol

import numpy as np

from engine.types import DecodeMode, StreamOptions

if TYPE_CHECKING:
    from engine.cancel import CancelToken
    from engine.codec.fallback import CodecHost

LIVE_STRIDE = 4
FILE_STRIDE = 16
# A cancel is looked for between so many frames of one batch.
CANCEL_FRAMES = 4


@dataclass(frozen=True, slots=True)
class StreamPlan:
    """Stream options with every automatic value filled in.

    Attributes:
        stride, holdback, context: in frames; the context is 0 in exact mode, where it has
            no meaning.
    """

    mode: DecodeMode
    stride: int
    holdback: int
    context: int

    @property
    def first_audio_frames(self) -> int:
        """Frames that must be generated before the first sample can leave."""
        if self.mode == "exact":
            return 1 + self.holdback
        return max(self.stride, self.holdback + 1)


def plan_stream(
    options: StreamOptions, window: int, default_stride: int = LIVE_STRIDE
) -> StreamPlan:
    """Fill in what ``options`` leave open, for a codec with an attention ``window`` (frames)."""
    from engine.codec.windowed import auto_history

    stride = options.stride or (1 if options.low_latency else default_stride)
    if options.decode_mode == "exact":
        return StreamPlan("exact", stride, options.holdback or 0, 0)
    context = auto_history(window) if options.context is None else options.context
    holdback = options.holdback
    if holdback is None:
        holdback = 0 if options.low_latency else context
    return StreamPlan("windowed", stride, holdback, context)


@dataclass(slots=True)
class DecodeFigures:
    """What the codec did for one stream: calls, frames, wall time, codes out of range."""

    calls: int = 0
    frames: int = 0
    clamped_codes: int = 0
    ms: float = 0.0


class Emitter(Protocol):
    """Turns columns of codes into final samples.

    Any method may raise :class:`CancelledError` when its job was cancelled.
    """

    @property
    def figures(self) -> DecodeFigures:
        """What the codec did so far."""

    @property
    def samples_per_frame(self) -> int:
        """Samples of one column."""

    @property
    def held_frames(self) -> int:
        """Frames received whose samples have not been handed out."""

    def push(self, column: np.ndarray) -> np.ndarray:
        """Take codes int32 ``(codebooks,)``; return new final samples float32, often none."""

    def finish(self) -> Iterator[np.ndarray]:
        """Hand out every sample that is still due."""

    def close(self) -> None:
        """Let go of everything; harmless after :meth:`finish` and when repeated."""


class ExactEmitter:
    """Decodes each frame once; the first alone, then ``stride`` at a time.

    A holdback of h frames hands out each decoded chunk h frames later, unchanged.
    """

    def __init__(
        self, codec: CodecHost, plan: StreamPlan, cancel: CancelToken | None = None
    ) -> None:
        self.figures = DecodeFigures()
        self.samples_per_frame = codec.config.samples_per_frame
        self._stream = codec.stream(cancel)
        self._cancel = cancel
        self._stride, self._holdback = plan.stride, plan.holdback
        self._pending: list[np.ndarray] = []
        self._waiting: deque[tuple[int, np.ndarray]] = deque()
        self._received = self._emitted = 0

    @property
    def held_frames(self) -> int:
        return self._received - self._emitted

    def push(self, column: np.ndarray) -> np.ndarray:
        self._received += 1
        self._pending.append(column)
        if self._received == 1 or len(self._pending) >= self._stride:
            self._decode()
        return self._release(self._received - self._holdback)

    def finish(self) -> Iterator[np.ndarray]:
        if self._pending:
            self._decode()
        yield self._release(self._received)

    def close(self) -> None:
        """The stream's state is dropped with this object."""

    def _decode(self) -> None:
        started = time.perf_counter()
        codes = np.stack(self._pending, axis=1)
        self._pending.clear()
        parts = []
        for start in range(0, codes.shape[1], CANCEL_FRAMES):
            if self._cancel is not None:
                self._cancel.raise_if_cancelled()
            parts.append(self._stream.push(codes[:, start : start + CANCEL_FRAMES]))
        self._waiting.append((self._received, joined(parts)))
        self.figures.calls += 1
        self.figures.frames = self._stream.frames_decoded
        self.figures.clamped_codes = self._stream.clamped_codes
        self.figures.ms += 1e3 * (time.perf_counter() - started)

    def _release(self, decoded_by: int) -> np.ndarray:
        ready = []
        while self._waiting and self._waiting[0][0] <= decoded_by:
            ready.append(self._waiting.popleft()[1])
        samples = joined(ready)
        self._emitted += len(samples) // self.samples_per_frame
        return samples


class WindowedEmitter:
    """Re-decodes windows with the peer's arithmetic (spec 06, section 4.1)."""

    def __init__(
        self, codec: CodecHost, plan: StreamPlan, cancel: CancelToken | None = None
    ) -> None:
        from engine.codec.windowed import EmissionPlan, WindowedDecoder

        self.figures = DecodeFigures()
        config = codec.config
        self.samples_per_frame = config.samples_per_frame
        self._limits = np.full(config.num_codebooks, config.residual_size)
        self._limits[0] = config.semantic_size
        emission = EmissionPlan(plan.stride, plan.context, plan.holdback)
        self._decoder = WindowedDecoder(
            partial(codec.decode, cancel=cancel),
            config.num_codebooks,
            config.samples_per_frame,
            emission,
        )

    @property
    def held_frames(self) -> int:
        return self._decoder.held_frames

    def push(self, column: np.ndarray) -> np.ndarray:
        started = time.perf_counter()
        # Counted here, once a frame: the decoder sees each frame many times.
        self.figures.clamped_codes += int(np.sum((column < 0) | (column >= self._limits)))
        samples = self._decoder.push(column[:, None])
        return self._count(samples, started)

    def finish(self) -> Iterator[np.ndarray]:
        started = time.perf_counter()
        yield self._count(self._decoder.finish(), started)

    def close(self) -> None:
        """Nothing outlives a window."""

    def _count(self, samples: np.ndarray, started: float) -> np.ndarray:
        self.figures.calls = self._decoder.decode_calls
        self.figures.frames = self._decoder.frames_decoded
        self.figures.ms += 1e3 * (time.perf_counter() - started)
        return samples


def joined(parts: list[np.ndarray]) -> np.ndarray:
    """Parts of the samples in one array; a single one is not copied."""
    if len(parts) == 1:
        return parts[0]
    return np.concatenate(parts) if parts else np.empty(0, np.float32)
