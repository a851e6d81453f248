"""Stopping: in the prompt, between frames, at random; and what the next take is like."""

from __future__ import annotations

import random
import threading
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.cancel import CancelToken
from engine.engine import Engine
from engine.types import (
    Event,
    FrameCodes,
    Progress,
    Sampling,
    StreamOptions,
    Summary,
    SynthesisRequest,
)
from engine.voices import VoiceProfile

ROUNDS = 200
SHORT = SynthesisRequest(
    "Hi.", sampling=Sampling(top_k=1, max_new_tokens=3, seed=1), stream=StreamOptions(stride=2)
)


def long_voice(frames: int = 400) -> VoiceProfile:
    codes = np.random.default_rng(3).integers(0, 48, (10, frames)).astype(np.int32)
    return VoiceProfile("A long reference.", codes, 44100, 64)


def test_the_prompt_reports_its_progress(tiny_engine: Engine, collect: Any) -> None:
    run = collect(tiny_engine.synthesize(replace(SHORT, references=(long_voice(),))))
    steps = [e for e in run.events if isinstance(e, Progress)]
    assert {e.stage for e in steps} == {"prefill"}
    done = [e.done for e in steps]
    assert done == sorted(done)
    assert done[0] == 0
    assert done[-1] == steps[0].total == run.summary.metrics.prompt_columns
    assert len(done) >= 5
    assert run.events.index(steps[-1]) < run.events.index(run.frames[0])


@pytest.mark.parametrize("chunks", [0, 1, 3])
def test_a_stop_in_the_prompt_takes_effect_at_the_next_chunk(
    tiny_engine: Engine, collect: Any, chunks: int
) -> None:
    cancel = CancelToken()
    seen: list[Event] = []
    # Another voice each time, so that no prefix of an earlier test is found.
    job = replace(SHORT, references=(long_voice(401 + chunks),))
    for event in tiny_engine.synthesize(job, cancel):
        seen.append(event)
        if sum(isinstance(e, Progress) for e in seen) == chunks + 1:
            cancel.cancel()
    assert sum(isinstance(e, Progress) for e in seen) == chunks + 1
    assert not [e for e in seen if isinstance(e, FrameCodes)]
    summary = seen[-1]
    assert isinstance(summary, Summary)
    assert summary.finish_reason == "cancelled"
    assert summary.metrics.prefill_columns == 128 * chunks
    assert summary.codes.shape == (10, 0)
    again = collect(tiny_engine.synthesize(job))
    assert again.summary.metrics.prefill_columns == again.summary.metrics.prompt_columns


@pytest.mark.slow
@pytest.mark.parametrize("overlap", [False, True])
def test_start_stop_start_at_random_moments(
    tiny_engine: Engine, collect: Any, monkeypatch: pytest.MonkeyPatch, overlap: bool
) -> None:
    """A hundred rounds each way: a stop at any moment, then a take that must be whole."""
    assert tiny_engine._parts is not None
    expected = collect(tiny_engine.synthesize(SHORT))
    took = expected.summary.metrics.total_ms / 1e3
    monkeypatch.setattr(tiny_engine, "_parts", replace(tiny_engine._parts, overlap=overlap))
    chance = random.Random(7)
    endings: dict[str, int] = {}
    for number in range(ROUNDS // 2):
        cancel, ended, events = CancelToken(), threading.Event(), []

        def job(token: CancelToken = cancel, end: threading.Event = ended,
                into: list[Event] = events) -> None:  # fmt: skip
            into.extend(tiny_engine.synthesize(SHORT, token))
            end.set()

        thread = threading.Thread(target=job)
        thread.start()
        ended.wait(chance.uniform(0, 1.2 * took))
        cancel.cancel()
        thread.join(30)
        assert not thread.is_alive()
        summary = events[-1]
        assert isinstance(summary, Summary)
        endings[summary.finish_reason] = endings.get(summary.finish_reason, 0) + 1
        if number % 2:
            take = collect(tiny_engine.synthesize(SHORT))
            np.testing.assert_array_equal(take.samples, expected.samples)
            np.testing.assert_array_equal(take.codes, expected.codes)
    assert endings.get("cancelled", 0) > 10
    assert not [t for t in threading.enumerate() if t.name == "codec"]


def test_an_abandoned_generator_stops_wherever_it_is(tiny_engine: Engine, collect: Any) -> None:
    expected = collect(tiny_engine.synthesize(SHORT))
    for count in range(len(expected.events)):
        events = tiny_engine.synthesize(SHORT)
        for _ in range(count):
            next(events)
        events.close()  # type: ignore[attr-defined]
    take = collect(tiny_engine.synthesize(SHORT))
    np.testing.assert_array_equal(take.samples, expected.samples)
