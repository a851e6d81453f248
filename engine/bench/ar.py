"""How fast frames come: milliseconds a frame and prompt columns a second.

The whole loop is timed as a synthesis runs it, sampling included, on a prompt of random text
columns. The limit that times are held against is memory: bytes that a frame must read, by the
rate at which the same threads can read.
"""

from __future__ import annotations

import itertools
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from engine.bench.bandwidth import read_bandwidth
from engine.lm.cache import position_bytes
from engine.lm.generate import GenerationStats, generate
from engine.types import FrameCodes, Sampling

if TYPE_CHECKING:
    from engine.lm.dual_ar import DualAR

CONTEXTS = (65, 350)
PREFILLS = (65, 349)
_PREFILL = {"exact": "prefill_tokens_per_s", "fast": "prefill_fast_tokens_per_s"}
_SHARES = ("ar_share_of_memory_limit", "ar_share_of_median_rate")
HEADER = ("figure", "median", "least", "most", "unit")


@dataclass(frozen=True, slots=True)
class Run:
    """One generation: seconds between frames, seconds of prefill, and what was counted."""

    frame_s: list[float]
    prefill_s: float
    stats: GenerationStats


def run_ar(
    model: DualAR,
    *,
    threads: int = 1,
    frames: int = 10,
    repeats: int = 2,
    contexts: Sequence[int] = CONTEXTS,
    prefills: Sequence[int] = PREFILLS,
    bandwidth_bytes: int = 256 << 20,
    fast: DualAR | None = None,
) -> dict[str, Any]:
    """Measure one loaded model.

    Args:
        fast: the same model that reads prompts fast: timed in turns with the other.
        threads: of the kernels, for the read bandwidth beside them.
        frames: frame times taken in each of ``repeats`` runs at each context.
        contexts: prompt columns in front of the first timed frame.
        prefills: prompt columns for the prefill rate.

    Returns:
        Figures ready for JSON. Times are medians, with least and most beside them.
    """
    before = read_bandwidth(threads, size=bandwidth_bytes, passes=3)
    timed = {n: [run_once(model, n, frames) for _ in range(repeats)] for n in contexts}
    after = read_bandwidth(threads, size=bandwidth_bytes, passes=3)
    best, middle = max(before.best, after.best), statistics.median((before.median, after.median))
    figures: dict[str, Any] = {
        "read_bandwidth_gb_s": best / 1e9,
        "read_bandwidth_median_gb_s": middle / 1e9,
        "weight_bytes_per_frame": model.weight_bytes_per_frame,
        "cache_bytes_per_position": position_bytes(model.config),
        "ar_ms_per_frame": {},
        "ar_ms_per_frame_range": {},
        "ar_share_of_memory_limit": {},
        "ar_share_of_median_rate": {},
        "fast_passes_per_frame": 0.0,
        "prefill_tokens_per_s": {},
        "prefill_tokens_per_s_range": {},
    }
    for context, runs in timed.items():
        _add_frames(figures, model, context, runs, (best, middle))
    for columns in prefills:
        _add_prefill(figures, (model, fast), columns, repeats)
    return figures


def _add_prefill(
    figures: dict[str, Any], models: Sequence[DualAR | None], columns: int, repeats: int
) -> None:
    """Columns a second of each model, timed in turns."""
    rates: dict[str, list[float]] = {}
    for _ in range(repeats):
        for each in models:
            if each is not None:
                rate = columns / run_once(each, columns, 1).prefill_s
                rates.setdefault(_PREFILL[each.arithmetic], []).append(rate)
    for key, values in rates.items():
        _add(figures, key, columns, values)


def run_once(model: DualAR, columns: int, frames: int) -> Run:
    """One generation of ``frames`` timed frames behind a prompt of ``columns``."""
    prompt = np.zeros((model.config.num_codebooks + 1, columns), np.int32)
    texts = min(model.config.semantic_begin, model.config.vocab_size)
    prompt[0] = np.random.default_rng(columns).integers(0, texts, columns)
    count = frames + 1
    sampling = Sampling(seed=1, max_new_tokens=count, min_tokens_before_end=count)
    source = generate(model, prompt, sampling)
    moments: list[float] = []
    while True:
        try:
            event = next(source)
        except StopIteration as stop:
            stats: GenerationStats = stop.value
            break
        if isinstance(event, FrameCodes):
            moments.append(time.perf_counter())
    spans = [b - a for a, b in itertools.pairwise(moments)]
    return Run(spans, stats.prefill_ms / 1e3, stats)


def _add_frames(
    figures: dict[str, Any],
    model: DualAR,
    context: int,
    runs: Sequence[Run],
    bandwidths: tuple[float, float],
) -> None:
    times = [1e3 * t for run in runs for t in run.frame_s]
    _add(figures, "ar_ms_per_frame", context, times)
    needed = model.weight_bytes_per_frame + context * position_bytes(model.config, torch.float32)
    for key, bandwidth in zip(_SHARES, bandwidths, strict=True):
        figures[key][str(context)] = needed / bandwidth / (statistics.median(times) / 1e3)
    stats = runs[-1].stats
    figures["fast_passes_per_frame"] = stats.fast_passes / stats.frames


def _add(figures: dict[str, Any], key: str, place: int, values: Sequence[float]) -> None:
    figures.setdefault(key, {})[str(place)] = statistics.median(values)
    figures.setdefault(f"{key}_range", {})[str(place)] = [min(values), max(values)]


def as_rows(figures: dict[str, Any]) -> list[list[object]]:
    """Rows of a table with :data:`HEADER`."""
    rows: list[list[object]] = []
    for context, ms in figures["ar_ms_per_frame"].items():
        span = figures["ar_ms_per_frame_range"][context]
        rows.append([f"frame at context {context}", ms, *span, "ms"])
        best, middle = (figures[key][context] for key in _SHARES)
        rows.append([f"share of the best read rate at context {context}", best, "", "", ""])
        rows.append([f"share of the median read rate at context {context}", middle, "", "", ""])
    for arithmetic, key in _PREFILL.items():
        for columns, rate in figures.get(key, {}).items():
            span = figures[f"{key}_range"][columns]
            rows.append([f"prefill of {columns} columns, {arithmetic}", rate, *span, "columns/s"])
    rows.append(["weights read a frame", figures["weight_bytes_per_frame"] / 1e9, "", "", "GB"])
    middle, best = figures["read_bandwidth_median_gb_s"], figures["read_bandwidth_gb_s"]
    rows.append(["memory read by the same threads", middle, "", best, "GB/s"])
    return rows
