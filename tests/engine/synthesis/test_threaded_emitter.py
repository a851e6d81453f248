"""Decoding on a thread beside generation: same samples, same order, nothing left behind."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.cancel import CancelToken
from engine.engine import Engine
from engine.errors import GenerationError
from engine.synthesis.emitters import DecodeFigures
from engine.synthesis.threaded_emitter import ThreadedEmitter
from engine.types import AudioChunk, FrameCodes, Sampling, StreamOptions, Summary, SynthesisRequest

FRAME = 4


class Recorder:
    """An emitter whose samples are the codes, and whose thread can be held and made to fail."""

    samples_per_frame = FRAME

    def __init__(self) -> None:
        self.figures = DecodeFigures()
        self.gate = threading.Event()
        self.gate.set()
        self.entered = threading.Semaphore(0)
        self.threads: set[str] = set()
        self.fail_at = -1
        self.seen = self.closed = 0

    @property
    def held_frames(self) -> int:
        return 0

    def push(self, column: np.ndarray) -> np.ndarray:
        self.threads.add(threading.current_thread().name)
        self.entered.release()
        assert self.gate.wait(20)
        if self.seen == self.fail_at:
            raise GenerationError("broken")
        self.seen += 1
        return np.repeat(column[:1], FRAME).astype(np.float32)

    def finish(self) -> Iterator[np.ndarray]:
        yield np.full(FRAME, -1, np.float32)

    def close(self) -> None:
        self.closed += 1


@pytest.fixture
def no_thread_stays() -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    assert {t for t in threading.enumerate() if t not in before and t.name == "codec"} == set()


pytestmark = pytest.mark.usefixtures("no_thread_stays")


def column(value: int) -> np.ndarray:
    return np.full(10, value, np.int32)


def test_order_is_kept_and_all_of_it_comes() -> None:
    inner = Recorder()
    emitter = ThreadedEmitter(inner, limit=2)
    got = [emitter.push(column(i)) for i in range(50)]
    assert got[0].tolist() == [0] * FRAME, "the first frame is waited for"
    got.extend(emitter.finish())
    expected = np.repeat([*range(50), -1], FRAME)
    np.testing.assert_array_equal(np.concatenate(got), expected)
    assert inner.threads == {"codec"}
    assert inner.closed == 1
    assert emitter.held_frames == 50 - 51  # the recorder invents a frame at the end


def test_the_queue_is_bounded() -> None:
    inner = Recorder()
    emitter = ThreadedEmitter(inner, limit=2)
    emitter.push(column(0))
    inner.entered.acquire()
    inner.gate.clear()
    emitter.push(column(1))  # taken by the thread, which then stands at the gate
    assert inner.entered.acquire(timeout=20)
    emitter.push(column(2))
    emitter.push(column(3))
    pushed = threading.Event()

    def fourth() -> None:
        emitter.push(column(4))
        pushed.set()

    other = threading.Thread(target=fourth)
    other.start()
    assert not pushed.wait(0.1), "a third waiting frame must not fit"
    inner.gate.set()
    other.join(20)
    assert pushed.is_set()
    emitter.close()


def test_a_failure_surfaces_once_waited_for() -> None:
    inner = Recorder()
    inner.fail_at = 3
    emitter = ThreadedEmitter(inner)
    every = (emitter.push(column(i)) for i in range(100))
    with pytest.raises(GenerationError, match="broken"):
        list(every)
    with pytest.raises(GenerationError, match="broken"):
        list(emitter.finish())
    emitter.close()


def test_a_failure_in_the_first_frame_and_in_the_last_samples() -> None:
    first = Recorder()
    first.fail_at = 0
    emitter = ThreadedEmitter(first)
    with pytest.raises(GenerationError, match="broken"):
        emitter.push(column(0))
    emitter.close()

    class BadEnd(Recorder):
        def finish(self) -> Iterator[np.ndarray]:
            raise MemoryError

    emitter = ThreadedEmitter(BadEnd())
    emitter.push(column(0))
    with pytest.raises(MemoryError):
        list(emitter.finish())
    emitter.close()


def test_close_ends_the_thread_at_any_moment() -> None:
    unused = ThreadedEmitter(Recorder())
    unused.close()
    assert list(ThreadedEmitter(Recorder()).finish()) == []
    inner = Recorder()
    emitter = ThreadedEmitter(inner)
    for i in range(5):
        emitter.push(column(i))
    emitter.close()
    emitter.close()
    assert inner.seen <= 5


@pytest.fixture
def beside(tiny_engine: Engine, monkeypatch: pytest.MonkeyPatch) -> Engine:
    """The shared engine, told to overlap."""
    assert tiny_engine._parts is not None
    monkeypatch.setattr(tiny_engine, "_parts", replace(tiny_engine._parts, overlap=True))
    return tiny_engine


def request(**stream: Any) -> SynthesisRequest:
    sampling = Sampling(top_k=1, max_new_tokens=24, seed=1)
    return SynthesisRequest(
        "The ferry left late.", sampling=sampling, stream=StreamOptions(**stream)
    )


@pytest.mark.parametrize(
    "stream",
    [
        {"stride": 1},
        {"stride": 4},
        {"stride": 16, "holdback": 5},
        {"decode_mode": "windowed", "stride": 2, "holdback": 2, "context": 8},
    ],
)
def test_the_engine_says_the_same(
    tiny_engine: Engine, collect: Any, monkeypatch: pytest.MonkeyPatch, stream: dict[str, Any]
) -> None:
    alone = collect(tiny_engine.synthesize(request(**stream)))
    assert tiny_engine._parts is not None
    monkeypatch.setattr(tiny_engine, "_parts", replace(tiny_engine._parts, overlap=True))
    both = collect(tiny_engine.synthesize(request(**stream)))
    np.testing.assert_array_equal(both.samples, alone.samples)
    np.testing.assert_array_equal(both.codes, alone.codes)
    starts = np.cumsum([0, *(len(c.samples) for c in both.chunks)])
    assert [c.start for c in both.chunks] == starts[:-1].tolist()
    ours, theirs = both.summary.metrics, alone.summary.metrics
    for name in ("frames", "codec_frames_decoded", "decode_batches", "frames_emitted"):
        assert getattr(ours, name) == getattr(theirs, name)


def test_first_audio_after_one_frame(beside: Engine) -> None:
    events = []
    for event in beside.synthesize(request(stride=4)):
        events.append(type(event))
        if event.__class__ is AudioChunk:
            break
    assert events.count(FrameCodes) == 1


@pytest.mark.parametrize("stop_at", [1, 2, 9, 23])
def test_cancel_stops_within_a_frame(beside: Engine, stop_at: int) -> None:
    cancel, frames, samples, summary = CancelToken(), 0, 0, None
    for event in beside.synthesize(request(stride=1), cancel):
        if isinstance(event, FrameCodes):
            frames += 1
            if frames == stop_at:
                cancel.cancel()
        elif isinstance(event, AudioChunk):
            samples += len(event.samples)
        elif isinstance(event, Summary):
            summary = event
    assert frames == stop_at
    assert summary is not None
    assert summary.finish_reason == "cancelled"
    assert summary.codes.shape[1] * 2048 == samples
    assert summary.metrics.frames_emitted * 2048 == samples


@pytest.mark.parametrize("stop_at", [1, 5])
def test_closing_the_generator_ends_the_thread(beside: Engine, collect: Any, stop_at: int) -> None:
    events = beside.synthesize(request(stride=1))
    frames = 0
    for event in events:
        frames += isinstance(event, FrameCodes)
        if frames == stop_at:
            break
    events.close()  # type: ignore[attr-defined]
    assert not [t for t in threading.enumerate() if t.name == "codec"]
    assert collect(beside.synthesize(request())).frames


def test_a_broken_codec_fails_the_job_only(
    beside: Engine, collect: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from engine.codec.stream import DecoderStream

    push: Callable[..., np.ndarray] = DecoderStream.push

    def broken(self: DecoderStream, codes: np.ndarray) -> np.ndarray:
        if self.frames_decoded >= 9:
            raise RuntimeError("the codec broke")
        return push(self, codes)

    with monkeypatch.context() as patch:
        patch.setattr(DecoderStream, "push", broken)
        with pytest.raises(GenerationError, match="the codec broke"):
            list(beside.synthesize(request(stride=1)))
    assert collect(beside.synthesize(request())).summary.finish_reason in ("end", "length")


def test_segments_each_have_their_thread(
    tiny_engine: Engine, collect: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from engine.types import Segmentation

    job = replace(request(), text="One ferry left. Two came back.",
                  segmentation=Segmentation(sentences=True))  # fmt: skip
    alone = collect(tiny_engine.synthesize(job))
    assert tiny_engine._parts is not None
    monkeypatch.setattr(tiny_engine, "_parts", replace(tiny_engine._parts, overlap=True))
    both = collect(tiny_engine.synthesize(job))
    np.testing.assert_array_equal(both.samples, alone.samples)
