"""Going on with a long text: the rest is what the whole would have been; warming up; the pace."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.engine import Engine
from engine.errors import RequestError
from engine.synthesis.pace import Pace
from engine.types import (
    AudioChunk,
    Progress,
    Resume,
    Sampling,
    Segmentation,
    SegmentStart,
    SynthesisRequest,
)

TEXT = "One is here. Two is there. <|speaker:1|>Three is gone. Four comes back."
WHOLE = SynthesisRequest(
    TEXT, sampling=Sampling(seed=5, max_new_tokens=6), segmentation=Segmentation(True)
)


@pytest.mark.parametrize("history", [False, True])
def test_the_rest_is_that_of_the_whole(tiny_engine: Engine, collect: Any, history: bool) -> None:
    cut = Segmentation(True, history=history)
    run = collect(tiny_engine.synthesize(replace(WHOLE, segmentation=cut)))
    starts = [e for e in run.events if isinstance(e, SegmentStart)]
    assert len(starts) == 4
    segments = [f.segment for f in run.frames]
    before = run.codes[:, segments.index(1) : segments.index(2)]
    going = replace(WHOLE, segmentation=cut, resume=Resume(2, before))
    rest = collect(tiny_engine.synthesize(going))
    np.testing.assert_array_equal(rest.codes, run.codes[:, segments.index(2) :])
    np.testing.assert_array_equal(rest.samples, run.samples[starts[2].start :])
    begun = [e for e in rest.events if isinstance(e, SegmentStart)]
    assert [(e.index, e.total, e.text) for e in begun] == [
        (e.index, e.total, e.text) for e in starts[2:]
    ]


def test_a_piece_that_is_not_there_is_refused(tiny_engine: Engine) -> None:
    for resume, history in ((Resume(4), False), (Resume(1), True)):
        asked = replace(WHOLE, segmentation=Segmentation(True, history=history), resume=resume)
        with pytest.raises(RequestError):
            next(iter(tiny_engine.synthesize(asked)))
    with pytest.raises(RequestError):
        Resume(-1)


def test_warming_up_changes_no_take(tiny_engine: Engine, collect: Any) -> None:
    cold = collect(tiny_engine.synthesize(WHOLE))
    events = list(tiny_engine.warm_up())
    assert events
    assert all(isinstance(e, Progress) for e in events)
    warm = collect(tiny_engine.synthesize(WHOLE))
    np.testing.assert_array_equal(cold.samples, warm.samples)


def test_the_pace_counts_pieces_and_guesses_the_rest() -> None:
    now = [0.0]
    pace = Pace(TEXT, lambda: now[0])
    assert (pace.piece, pace.share, pace.left_s) == (0, 0.0, None)
    rate = 1000

    def sound(seconds: float) -> AudioChunk:
        return AudioChunk(0, np.zeros(int(seconds * rate), np.float32), rate)

    pace.note(SegmentStart(0, 4, "One is here.", 0))
    assert (pace.piece, pace.pieces) == (1, 4)
    now[0] = 1.0
    pace.note(sound(60.0))  # a piece is never more than itself
    assert 0.15 < pace.share < 0.3
    assert pace.left_s is None, "too early to tell"
    pace.note(SegmentStart(1, 4, "Two is there.", 0))
    now[0] = 10.0
    pace.note(SegmentStart(2, 4, "<|speaker:1|>Three is gone.", 0))
    assert 0.4 < pace.share < 0.55
    left = pace.left_s
    assert left is not None
    assert 8 < left < 15
    pace.note(SegmentStart(3, 4, "<|speaker:1|>Four comes back.", 0))
    pace.note(sound(60.0))
    assert pace.share > 0.9
    resumed = Pace(TEXT, lambda: now[0])
    resumed.note(SegmentStart(2, 4, "<|speaker:1|>Three is gone.", 0))
    assert 0.4 < resumed.share < 0.55, "what was spoken before counts"
