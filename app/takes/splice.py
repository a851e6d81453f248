"""Putting a segment that was spoken again into its take, in place of the old one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from app.takes.store import TakeStore
from engine.synthesis import SegmentJoiner
from engine.text import pause_seconds, plan_speech
from engine.types import SynthesisRequest


@dataclass(frozen=True, slots=True)
class Spliced:
    """A whole take anew.

    Attributes:
        samples: float32 ``(n,)``.
        codes: int32 ``(codebooks, frames)``.
        segments: first frame and first sample of each segment.
    """

    samples: np.ndarray
    codes: np.ndarray
    segments: list[tuple[int, int]]


def splice(
    base: TakeStore, index: int, samples: np.ndarray, codes: np.ndarray, silences: Sequence[int]
) -> Spliced:
    """Replace segment ``index`` of ``base``; everything outside of it stays sample for sample.

    The new one is shaped as the engine shapes segments: silence at its end cut, 5 ms fades,
    the silence around it that its take asks for.

    Args:
        silences: samples in front of each segment, and behind the last one.

    Raises:
        IndexError: there is no such segment.
    """
    parts = base.segments()
    old, last = parts[index], index == len(parts) - 1
    stop = base.length if last else parts[index + 1].start
    around = [0 if index else silences[0], silences[index + 1]]
    fresh = join([samples], base.format.sample_rate, around, index, last=last)[0]
    whole = np.concatenate([base.samples[: old.start], fresh, base.samples[stop:]])
    all_codes = np.concatenate(
        [base.codes[:, : old.first], codes, base.codes[:, old.end :]], axis=1
    )
    more_frames = codes.shape[1] - (old.end - old.first)
    more_samples = len(fresh) - (stop - old.start)
    segments = [
        (s.first, s.start) if at <= index else (s.first + more_frames, s.start + more_samples)
        for at, s in enumerate(parts)
    ]
    return Spliced(whole.astype(np.float32), all_codes.astype(np.int32), segments)


def join(
    sounds: list[np.ndarray],
    rate: int,
    silences: Sequence[int],
    index: int = 0,
    *,
    last: bool = True,
) -> list[np.ndarray]:
    """Shape segments as the engine does when it speaks them one after the other.

    Args:
        silences: samples in front of each sound, and behind the last one.
        index: number of the first one in its take; the very first keeps its beginning.
        last: nothing follows behind the last one.
    """
    joiner = SegmentJoiner(rate)
    if index:
        joiner.end_segment(0)
    shaped = []
    for number, sound in enumerate(sounds):
        head = joiner.push(np.asarray(sound, np.float32))
        ends = last and number == len(sounds) - 1
        tail = joiner.end_segment(silences[number + 1] or (None if ends else 0))
        lead = np.zeros(0 if number else silences[0], np.float32)
        shaped.append(np.concatenate([lead, head, tail]))
    return shaped


def silences_of(request: SynthesisRequest, rate: int, pieces: int) -> list[int] | None:
    """Samples of silence in front of each of a take's ``pieces``, and behind the last one.

    ``None`` where that cannot be told: pauses stand in the text, and the model cut it finer.
    """
    options = request.segmentation
    plan = plan_speech(request.text, sentences=options.sentences, max_chars=options.max_chars)
    if len(plan.segments) == pieces:
        return plan.silences(rate, options.pause_ms)
    if pause_seconds(request.text):
        return None
    return [0, *[rate * options.pause_ms // 1000] * (pieces - 1), 0]


def silences_in(base: TakeStore) -> list[int]:
    """The same, as they are heard: zeros behind each segment, of which the fade made one."""
    parts, found = base.segments(), [0]
    for number, part in enumerate(parts):
        stop = parts[number + 1].start if number + 1 < len(parts) else base.length
        loud = np.flatnonzero(base.samples[part.start : stop])
        found.append(max(0, stop - part.start - int(loud[-1]) - 2) if len(loud) else 0)
    return found
