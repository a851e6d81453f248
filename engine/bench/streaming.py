"""What streaming costs: exact state against windows decoded again (spec 04, section 8.4).

Counts are exact for any length. Times are of real decodes with random codes; the windowed
mode is timed on one full window, since each of its emissions decodes one.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.bench.codec import push_all
from engine.bench.report import machine, measure, table
from engine.codec.windowed import EmissionPlan
from engine.synthesis.emitters import StreamPlan, plan_stream
from engine.types import StreamOptions

if TYPE_CHECKING:
    from engine.codec.codec import AudioCodec

COUNTED_FRAMES = 20_000
STRIDES = (1, 4, 16)
HEADER = (
    "mode", "stride", "holdback", "context", "decoded per emitted", "first audio (frames)",
    "first audio (s)", "codec ms per emitted frame",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Row:
    """One setting: counts a frame emitted, and codec time a frame emitted."""

    mode: str
    stride: int
    holdback: int
    context: int
    decoded_per_emitted: float
    first_audio_frames: int
    first_audio_s: float
    codec_ms_per_frame: float


def count_frames(plan: StreamPlan, frames: int = COUNTED_FRAMES) -> tuple[float, int]:
    """Frames decoded for each frame emitted in the long run, and frames before first audio."""
    if plan.mode == "exact":
        return 1.0, plan.first_audio_frames
    emission = EmissionPlan(plan.stride, plan.context, plan.holdback)
    decoded = emitted = first = 0
    for total in range(1, frames + 1):
        due = emission.frame()
        if due is None:
            continue
        decoded += due.stop - due.start
        emitted = due.last
        first = first or total
    return decoded / max(1, emitted), first


def run_streaming(codec: AudioCodec, frames: int = 64, repeats: int = 3) -> dict[str, Any]:
    """Measure every mode and stride in one run.

    Args:
        frames: frames decoded for one timing of the exact mode.
        repeats: timings of the exact mode, of which the median counts.

    Returns:
        Figures ready for JSON: ``machine`` and ``rows``.
    """
    config = codec.config
    rng = np.random.default_rng(1)
    codes = rng.integers(0, config.residual_size, (config.num_codebooks, frames), dtype=np.int32)
    rows = []
    for stride in STRIDES:
        plan = plan_stream(StreamOptions(stride=stride), config.window)
        ms = measure(partial(push_all, codec, codes, stride), repeats)["median_ms"] / frames
        rows.append(_row(codec, plan, ms))
    for stride in STRIDES:
        plan = plan_stream(StreamOptions("windowed", stride), config.window)
        rows.append(_row(codec, plan, _windowed_ms(codec, plan)))
    low = plan_stream(StreamOptions("windowed", low_latency=True), config.window)
    rows.append(_row(codec, low, _windowed_ms(codec, low)))
    return {
        "machine": machine(),
        "window": config.window,
        "samples_per_frame": config.samples_per_frame,
        "rows": [asdict(row) for row in rows],
    }


def _windowed_ms(codec: AudioCodec, plan: StreamPlan) -> float:
    """Codec time a frame emitted: one steady-state window, which emits ``stride`` frames.

    A window is hundreds of frames, so one decode of it is measured, and no more.
    """
    length = plan.context + plan.holdback + plan.stride
    codes = np.zeros((codec.config.num_codebooks, length), np.int32)
    return measure(lambda: codec.decode(codes), 1, warm_up=0)["median_ms"] / plan.stride


def _row(codec: AudioCodec, plan: StreamPlan, ms: float) -> Row:
    ratio, first = count_frames(plan)
    seconds = first / codec.config.frame_rate
    return Row(
        plan.mode, plan.stride, plan.holdback, plan.context, ratio, first, seconds, ms
    )  # fmt: skip


def as_table(figures: dict[str, Any]) -> str:
    """The figures as one table for both modes."""
    return table([list(row.values()) for row in figures["rows"]], HEADER)
