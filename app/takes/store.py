"""The growing sound and codes of one take.

Positions are absolute sample offsets that only ever grow; each reader keeps its own cursor.
The store lives in the GUI thread: the engine's chunks arrive there as messages, the player
and the pictures read there.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QObject, Signal

from app.audio.peaks import Peaks
from app.takes.code_marks import QUIET, CodeMark, MarkSearch
from engine.types import AudioChunk, FrameCodes, SegmentStart

FIRST_RESERVE = 1 << 16
MARK_EVERY = 8


@dataclass(frozen=True, slots=True)
class TakeFormat:
    """What the model makes: rates and sizes that the pictures and the player need.

    Attributes:
        code_sizes: number of codes of each codebook, row 0 first.
    """

    sample_rate: int
    samples_per_frame: int
    code_sizes: tuple[int, ...]


class Segment(NamedTuple):
    """A part of a long text that was spoken for itself.

    Attributes:
        first, end: its frames, ``end`` not included.
        start: first sample.
        text: what was spoken; empty when it is not known.
    """

    first: int
    end: int
    start: int
    text: str


class TakeStore(QObject):
    """Growing PCM and codes of one take.

    Attributes:
        format: rates and sizes.
        length: samples so far.
        frames: generated frames so far; may run ahead of the sound.
        complete: nothing more will come.
        expected: guess of the final length in samples, for the time axis.

    Signals:
        grew(): samples or codes were added.
        completed(): the take has its final length.
    """

    grew = Signal()
    completed = Signal()

    def __init__(self, take_format: TakeFormat, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.format = take_format
        self.length = 0
        self.frames = 0
        self.complete = False
        self.expected = 0
        self._pcm = np.zeros(0, np.float32)
        self._codes = np.zeros((len(take_format.code_sizes), 256), np.int32)
        self._set_segments([(0, 0)])
        self._peaks = Peaks()
        self._marks: list[CodeMark] = []
        self._marked = -1

    @property
    def rate(self) -> int:
        """Samples in a second."""
        return self.format.sample_rate

    @property
    def seconds(self) -> float:
        """Length so far."""
        return self.length / self.format.sample_rate

    @property
    def peak(self) -> float:
        """The loudest sample so far, 0 to 1."""
        columns = 256
        low, high = self.peaks(0.0, max(1.0, self.length / columns), columns)
        return float(max(high.max(), -low.min(), 0.0)) if len(low) else 0.0

    @property
    def held(self) -> int:
        """Samples of generated frames whose sound has not come yet."""
        return max(0, self.sample_of_frame(self.frames) - self.length)

    @property
    def samples(self) -> np.ndarray:
        """All samples so far, float32 ``(length,)``, a read-only view."""
        view = self._pcm[: self.length]
        view.flags.writeable = False
        return view

    @property
    def codes(self) -> np.ndarray:
        """All codes so far, int32 ``(codebooks, frames)``, a read-only view."""
        view = self._codes[:, : self.frames]
        view.flags.writeable = False
        return view

    def append(self, chunk: AudioChunk) -> None:
        """Add the next samples.

        Raises:
            ValueError: the chunk does not begin where the take ends. Playing on would repeat
                or skip sound, so it is never patched over.
        """
        if chunk.start != self.length:
            raise ValueError(f"a chunk begins at sample {chunk.start}, expected {self.length}")
        need = self.length + len(chunk.samples)
        if need > len(self._pcm):
            grown = np.zeros(max(need, 2 * len(self._pcm), FIRST_RESERVE), np.float32)
            grown[: self.length] = self._pcm[: self.length]
            self._pcm = grown
        self._pcm[self.length : need] = chunk.samples
        self.length = need
        self._peaks.update(self._pcm[:need])
        self.grew.emit()

    def append_codes(self, frame: FrameCodes) -> None:
        """Add one generated frame."""
        if self.frames >= self._codes.shape[1]:
            self._codes = np.concatenate([self._codes, np.zeros_like(self._codes)], axis=1)
        self._codes[:, self.frames] = frame.codes
        self.frames += 1
        self.grew.emit()

    def fill(
        self,
        samples: np.ndarray,
        codes: np.ndarray | None,
        segments: Sequence[tuple[int, int]],
        texts: Sequence[str] = (),
        peaks: Peaks | None = None,
    ) -> None:
        """Hold a finished take at once: one that was kept, or put together from others.

        Args:
            samples: float32 ``(n,)``; kept as it is, so nobody may change it afterwards.
            codes: int ``(codebooks, frames)``, or ``None`` when they are not known.
            segments: first frame and first sample of each segment; empty for a single one.
            texts: of the segments, as far as they are known.
            peaks: of ``samples``, measured on another thread where they may be long.

        Raises:
            ValueError: there is something in the take already.
        """
        self.begin_with(samples, codes, segments, texts, peaks)
        self.finish()

    def begin_with(
        self,
        samples: np.ndarray,
        codes: np.ndarray | None,
        segments: Sequence[tuple[int, int]],
        texts: Sequence[str] = (),
        peaks: Peaks | None = None,
    ) -> None:
        """The same for a take that goes on."""
        if self.length or self.frames:
            raise ValueError("the take is not empty")
        self._pcm = np.ascontiguousarray(samples, np.float32)
        self.length = len(self._pcm)
        self._peaks = Peaks.of(self._pcm) if peaks is None else peaks
        if codes is not None and codes.shape[0] == len(self._codes):
            self._codes = np.array(codes, np.int32, order="C")
            self.frames = codes.shape[1]
        self._set_segments(segments or [(0, 0)], texts)
        self.grew.emit()

    def begin_segment(self, segment: SegmentStart) -> None:
        """From the next frame on, codes belong to a segment that starts at ``segment.start``."""
        if not self.format.code_sizes:
            return  # without codes nothing tells where its sound ends
        if self.frames == self._segment_frames[-1]:
            self._segment_starts[-1], self._texts[-1] = segment.start, segment.text
        else:
            self._segment_frames.append(self.frames)
            self._segment_starts.append(segment.start)
            self._texts.append(segment.text)
            self._searches.append(MarkSearch())

    def _set_segments(self, segments: Sequence[tuple[int, int]], texts: Sequence[str] = ()) -> None:
        self._segment_frames = [frame for frame, _ in segments]
        self._segment_starts = [start for _, start in segments]
        self._texts = [*texts, *[""] * (len(segments) - len(texts))]
        self._searches = [MarkSearch() for _ in segments]

    def finish(self) -> None:
        """Nothing more will come."""
        if not self.complete:
            self.complete = True
            self.completed.emit()

    def read(self, start: int, count: int) -> np.ndarray:
        """Up to ``count`` samples from absolute offset ``start`` on, a read-only view."""
        return self.samples[max(0, start) : max(0, start) + max(0, count)]

    def segments(self) -> list[Segment]:
        """Runs of codes that lie without a gap."""
        ends = [*self._segment_frames[1:], self.frames]
        parts = zip(self._segment_frames, ends, self._segment_starts, self._texts, strict=True)
        return [Segment(*part) for part in parts]

    def sample_of_frame(self, frame: int) -> int:
        """Where the sound of ``frame`` begins."""
        at = max(0, bisect_right(self._segment_frames, max(0, frame - 1)) - 1)
        inside = frame - self._segment_frames[at]
        return self._segment_starts[at] + inside * self.format.samples_per_frame

    def frame_start(self, frame: int) -> int:
        """First sample of ``frame`` itself, which for the first of a segment lies after a pause."""
        at = max(0, bisect_right(self._segment_frames, frame) - 1)
        inside = frame - self._segment_frames[at]
        return self._segment_starts[at] + inside * self.format.samples_per_frame

    def frame_at(self, sample: int) -> int | None:
        """The frame whose sound holds ``sample``; ``None`` in pauses and outside."""
        at = bisect_right(self._segment_starts, sample) - 1
        if at < 0:
            return None
        frame = self._segment_frames[at] + (
            (sample - self._segment_starts[at]) // self.format.samples_per_frame
        )
        ends = [*self._segment_frames[1:], self.frames]
        return frame if frame < ends[at] else None

    def marks(self) -> list[CodeMark]:
        """Repeats and dead stretches so far; looked for anew after some more frames."""
        due = self._marked < 0 or self.frames - self._marked >= MARK_EVERY
        if due or (self.complete and self._marked != self.frames):
            self._marked = self.frames
            self._marks = [
                CodeMark(m.kind, m.first + segment.first, m.end + segment.first, m.period)
                for segment, search in zip(self.segments(), self._searches, strict=True)
                for m in search.update(
                    self._codes[0, segment.first : segment.end],
                    self._quiet(segment, search.settled),
                )
            ]
        return self._marks

    def _quiet(self, segment: Segment, skip: int) -> np.ndarray:
        """Which frames are silent behind ``skip`` ones, as far as their sound is there."""
        per = self.format.samples_per_frame
        heard = max(0, min(segment.end - segment.first, (self.length - segment.start) // per))
        low, high = self.peaks(segment.start + skip * per, per, heard - skip)
        quiet: np.ndarray = np.maximum(-low, high) < QUIET
        return quiet

    def peaks(self, start: float, per_column: float, count: int) -> tuple[np.ndarray, np.ndarray]:
        """Lowest and highest sample of each picture column, see :class:`Peaks`."""
        return self._peaks.columns(self._pcm[: self.length], start, per_column, count)
