"""Start and memory, each measured in a process of its own.

A process that has loaded a model once tells nothing of either: libraries are there, kernels
are compiled, memory was given back and is still counted as used.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from engine.errors import EngineError

FRAMES = 12
TEXT = "The ferry left late, and nobody had thought of the lamps."
# A built program has no Python to start; its command line knows this word.
CHILD_FLAG = "--measured-load"
MEDIANS = ("ready_s", "import_s", "load_s", "first_frame_s", "peak_rss_mb")


def run_load(
    model: str | Path,
    tokenizer: str | Path | None = None,
    *,
    threads: int = 0,
    repeats: int = 3,
    frames: int = FRAMES,
) -> dict[str, Any]:
    """Start ``repeats`` processes one after the other, each of which speaks ``frames`` frames.

    The first one also brings the file into the system's cache and is not counted, unless it
    is the only one.

    Returns:
        Medians of :data:`MEDIANS`, with their ranges, and the counts of one process.
    """
    runs = [_child(model, tokenizer, threads, frames) for _ in range(repeats + (repeats > 1))]
    counted = runs[1:] if len(runs) > 1 else runs
    figures: dict[str, Any] = {}
    for key in MEDIANS:
        values = [run[key] for run in counted]
        figures[key] = statistics.median(values)
        figures[f"{key}_range"] = [min(values), max(values)]
    for key in ("frames", "fast_passes", "codec_frames_decoded"):
        figures[f"load_{key}"] = counted[-1][key]
    figures["file_mb"] = Path(model).stat().st_size / 1e6
    return figures


def _child(
    model: str | Path, tokenizer: str | Path | None, threads: int, frames: int
) -> dict[str, Any]:
    order = {
        "model": str(model),
        "tokenizer": None if tokenizer is None else str(tokenizer),
        "threads": threads,
        "frames": frames,
        "started": time.time(),
    }
    command = [*measured_command(), json.dumps(order)]
    root = str(Path(__file__).parents[2])
    path = os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH"))))
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": path}
    )
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
        raise EngineError("bench.process_failed", last=last)
    figures: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return figures


def measured_command() -> list[str]:
    """How to start the measured process, from an installation or from a built program."""
    if getattr(sys, "frozen", False):
        return [sys.executable, CHILD_FLAG]
    return [sys.executable, "-m", "engine.bench.load"]


def measure_here(order: dict[str, Any]) -> dict[str, Any]:
    """What one process measures of itself; seconds count from ``order["started"]`` (epoch)."""
    begun = time.time()
    from engine.machine.threads import sleep_when_idle

    sleep_when_idle()
    from engine.engine import Engine
    from engine.types import FrameCodes, Progress, Sampling, Summary, SynthesisRequest

    imported = time.time()
    engine = Engine.load(order["model"], order["tokenizer"], threads=order["threads"])
    loaded = time.time()
    count = order["frames"]
    sampling = Sampling(seed=1, max_new_tokens=count, min_tokens_before_end=count)
    ready = first = 0.0
    summary: Summary | None = None
    for event in engine.synthesize(SynthesisRequest(TEXT, sampling=sampling)):
        if isinstance(event, Progress) and not ready:
            ready = time.time()
        elif isinstance(event, FrameCodes) and not first:
            first = time.time()
        elif isinstance(event, Summary):
            summary = event
    engine.close()
    assert summary is not None
    metrics = summary.metrics
    return {
        "import_s": imported - begun,
        "load_s": loaded - imported,
        "ready_s": ready - order["started"],
        "first_frame_s": first - order["started"],
        "peak_rss_mb": metrics.max_rss_mb,
        "frames": metrics.frames,
        "fast_passes": metrics.fast_passes,
        "codec_frames_decoded": metrics.codec_frames_decoded,
    }


def as_rows(figures: dict[str, Any]) -> list[list[object]]:
    """Rows of a table with the header of :mod:`engine.bench.ar`."""
    names = {
        "ready_s": ("start of the process to the first prefill", "s"),
        "import_s": ("of which importing libraries", "s"),
        "load_s": ("of which loading the model", "s"),
        "first_frame_s": ("start of the process to the first frame", "s"),
        "peak_rss_mb": (f"peak resident memory, {figures['load_frames']} frames", "MB"),
    }
    return [
        [title, figures[key], *figures[f"{key}_range"], unit]
        for key, (title, unit) in names.items()
    ]


def main(arguments: Sequence[str]) -> None:
    """Entry of the measured process."""
    print(json.dumps(measure_here(json.loads(arguments[0]))))


if __name__ == "__main__":
    main(sys.argv[1:])
