"""From the start of a process to its first sound, as a person waits for it."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import Any

from engine.bench.batch import LINE
from engine.bench.report import machine, table
from engine.errors import GenerationError

HEADER = ("prompts", "voice", "first sound s", "least", "most")
_WAYS = (("exact", "0"), ("exact", "1000"), ("fast", "0"), ("fast", "1000"))


def run_start(model: str, options: Sequence[str], repeats: int) -> dict[str, Any]:
    """Time ``s2 synth`` until the first samples come through a pipe, in turns.

    ``options`` are passed on, such as a tokenizer and a voice. A voice cache of 1000 MB has the
    voice from the second run on; the first one is not counted.
    """
    times: dict[tuple[str, str], list[float]] = {way: [] for way in _WAYS}
    for number in range(repeats + 1):
        for way in _WAYS:
            taken = _first_sound(model, options, *way)
            if number:
                times[way].append(taken)
    rows = [
        {"arithmetic": way[0], "voice_cache_mb": int(way[1]), "first_sound_s": made}
        for way, made in times.items()
    ]
    return {"machine": machine(), "start": rows}


def _first_sound(model: str, options: Sequence[str], arithmetic: str, cache: str) -> float:
    command = [
        sys.executable, "-m", "engine", "synth", "-m", model, "--text", LINE, "--seed", "1",
        "--max-tokens", "2", "--min-tokens-before-end", "2", "--stream-file", "--low-latency",
        "-o", "-", "--log-level", "error", "--arithmetic", arithmetic, "--voice-cache", cache,
        *options,
    ]  # fmt: skip
    started = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        sound = process.stdout.read(2)
        taken = time.perf_counter() - started
        _, error = process.communicate()
    if not sound:
        raise GenerationError("bench.no_sound", reason=error.decode(errors="replace").strip())
    return taken


def as_table(figures: dict[str, Any]) -> str:
    """The figures for people."""
    rows = []
    for row in figures["start"]:
        made, known = row["first_sound_s"], "kept" if row["voice_cache_mb"] else "read"
        rows.append((row["arithmetic"], known, statistics.median(made), min(made), max(made)))
    return table(rows, HEADER)
