"""What many takes of one line cost together, against one take: the gain of shared reads."""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from engine.bench.report import machine, table
from engine.types import Sampling, StreamOptions, Summary, SynthesisRequest

if TYPE_CHECKING:
    from engine.engine import Engine

COMPANIES = (1, 4, 8, 32)
LINE = "The quick brown fox jumps over the lazy dog, and nobody minds."
HEADER = ("takes", "seconds", "against one", "frames a second")


def run_batch(
    engine: Engine, frames: int, repeats: int, companies: Sequence[int] = COMPANIES
) -> dict[str, Any]:
    """Time companies in turns; each take has ``frames`` frames and seeds of its own.

    Prompt, frames and sound are in the time. Returns figures with, for each company, its seconds
    (median) and their ratio to one take's.
    """
    times: dict[int, list[float]] = {count: [] for count in companies}
    _speak(engine, 1, 2)
    for _ in range(repeats):
        for count in companies:
            started = time.perf_counter()
            _speak(engine, count, frames)
            times[count].append(time.perf_counter() - started)
    seconds = {count: statistics.median(made) for count, made in times.items()}
    one = seconds[companies[0]] / companies[0]
    rows = [
        {"takes": n, "seconds": s, "against_one": s / one, "frames_per_s": n * frames / s}
        for n, s in seconds.items()
    ]
    return {"machine": machine(), "frames": frames, "batch": rows}


def _speak(engine: Engine, count: int, frames: int) -> None:
    requests = [
        SynthesisRequest(
            LINE,
            sampling=Sampling(max_new_tokens=frames, min_tokens_before_end=frames, seed=seed),
            stream=StreamOptions(stride=16),
        )
        for seed in range(count)
    ]
    for _, event in engine.synthesize_many(requests):
        if isinstance(event, Exception):
            raise event
        if isinstance(event, Summary):
            assert event.codes.shape[1] == frames


def as_table(figures: dict[str, Any]) -> str:
    """The figures for people."""
    rows = [
        (str(row["takes"]), row["seconds"], row["against_one"], row["frames_per_s"])
        for row in figures["batch"]
    ]
    return table(rows, HEADER)
