"""The peer's windowed decoding: when it decodes what (spec 06, section 4.1)."""

from __future__ import annotations

import numpy as np
import pytest

from engine.codec.windowed import Emission, EmissionPlan, WindowedDecoder, auto_history
from engine.errors import RequestError

PER_FRAME = 4


def emissions(plan: EmissionPlan, frames: int) -> list[tuple[int, Emission]]:
    """What is due after which frame; the last entry is what the end brings."""
    due = [(n, plan.frame()) for n in range(1, frames + 1)]
    due.append((frames, plan.finish()))
    return [(n, emission) for n, emission in due if emission is not None]


def test_automatic_history() -> None:
    windows = {0: 16, 1: 16, 8: 24, 16: 32, 128: 144, 512: 528}
    assert {w: auto_history(w) for w in windows} == windows


def test_default_of_the_released_model_over_160_frames() -> None:
    due = emissions(EmissionPlan(4, 144, 144), 160)
    assert [(n, e.last - e.first) for n, e in due] == [
        (145, 1), (149, 4), (153, 4), (157, 4), (160, 147),
    ]  # fmt: skip
    assert [e.start for _, e in due] == [0, 0, 0, 0, 0]
    assert sum(e.last - e.first for _, e in due) == 160


def test_short_take_is_not_streamed_at_all() -> None:
    assert emissions(EmissionPlan(4, 144, 144), 100) == [(100, Emission(0, 100, 0, 100))]


def test_low_latency_emits_each_frame_at_once() -> None:
    due = emissions(EmissionPlan(1, 3, 0), 6)
    assert due == [(n, Emission(max(0, n - 4), n, n - 1, n)) for n in range(1, 7)]


def test_refused_emission_is_tested_again_at_every_frame() -> None:
    # Stride 4 is reached at frame 4, but a holdback of 5 leaves nothing to emit until frame 6.
    due = emissions(EmissionPlan(4, 2, 5), 12)
    assert [(n, e.first, e.last) for n, e in due] == [(6, 0, 1), (10, 1, 5), (12, 5, 12)]
    assert [e.start for _, e in due] == [0, 0, 3]


def test_without_frames_nothing_is_due() -> None:
    assert EmissionPlan(4, 8, 8).finish() is None


def test_finish_has_nothing_when_all_is_emitted() -> None:
    plan = EmissionPlan(2, 8, 0)
    assert [plan.frame() is None for _ in range(4)] == [True, False, True, False]
    assert plan.finish() is None


@pytest.mark.parametrize("args", [(0, 1, 1), (-1, 0, 0), (1, -1, 0), (1, 0, -1)])
def test_impossible_plans_are_refused(args: tuple[int, int, int]) -> None:
    with pytest.raises(RequestError, match="must be"):
        EmissionPlan(*args)


def echo(codes: np.ndarray) -> np.ndarray:
    """Stands in for a codec: each sample is its frame's code."""
    return np.repeat(codes[0].astype(np.float32), PER_FRAME)


@pytest.mark.parametrize("chunk", [1, 3, 50])
@pytest.mark.parametrize(
    ("stride", "context", "holdback"), [(1, 0, 0), (4, 8, 8), (3, 64, 5), (16, 2, 4), (5, 1, 9)]
)
def test_each_frame_is_emitted_once_in_order(
    stride: int, context: int, holdback: int, chunk: int
) -> None:
    windows: list[int] = []

    def decode(codes: np.ndarray) -> np.ndarray:
        windows.append(codes.shape[1])
        return echo(codes)

    codes = np.arange(50, dtype=np.int32)[None].repeat(2, 0)
    decoder = WindowedDecoder(decode, 2, PER_FRAME, EmissionPlan(stride, context, holdback))
    pieces = []
    for start in range(0, 50, chunk):
        pieces.append(decoder.push(codes[:, start : start + chunk]))
        emitted = sum(len(p) for p in pieces) // PER_FRAME
        assert decoder.held_frames == min(50, start + chunk) - emitted
    pieces.append(decoder.finish())
    assert np.array_equal(np.concatenate(pieces), echo(codes))
    assert decoder.held_frames == 0
    assert decoder.decode_calls == len(windows)
    assert decoder.frames_decoded == sum(windows)


def test_cost_tends_to_73_frames_decoded_for_each_emitted() -> None:
    plan = EmissionPlan(4, 144, 144)
    due = [e for _ in range(4000) if (e := plan.frame()) is not None][-500:]
    decoded = sum(e.stop - e.start for e in due)
    assert decoded / sum(e.last - e.first for e in due) == 73


def test_wrong_codes_are_refused() -> None:
    decoder = WindowedDecoder(echo, 2, PER_FRAME, EmissionPlan(1, 0, 0))
    with pytest.raises(ValueError, match="expected 2 codebooks, got 3"):
        decoder.push(np.zeros((3, 1), np.int32))
    with pytest.raises(TypeError, match="integers"):
        decoder.push(np.zeros((2, 1)))
