"""``s2 bench ar|codec|load|all``: which measurements run, on what, and their one table."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any, Literal

from engine.bench import ar, codec, load
from engine.bench.report import machine, table

Kind = Literal["ar", "codec", "load", "all"]


def run_speed(
    kind: Kind,
    model: str | Path,
    tokenizer: str | Path | None = None,
    *,
    threads: int = 0,
    frames: int = 10,
    repeats: int = 3,
) -> dict[str, Any]:
    """Measure; figures ready for JSON.

    Start and memory come first, while this process is still small and the machine cool.
    """
    from engine.machine.threads import apply_threads

    count = apply_threads(threads)
    figures: dict[str, Any] = {"machine": machine(), "threads": count, "kind": kind}
    if kind in ("load", "all"):
        figures |= load.run_load(model, tokenizer, threads=count, repeats=repeats)
    if kind in ("ar", "all"):
        figures |= _measure_ar(Path(model), tokenizer, count, frames, repeats)
    if kind in ("codec", "all"):
        figures |= _measure_codec(Path(model), frames, repeats)
    return figures


def _measure_ar(
    model: Path, tokenizer: str | Path | None, threads: int, frames: int, repeats: int
) -> dict[str, Any]:
    from engine.gguf.reader import GGUFFile
    from engine.kernels.linear import PoolKernels
    from engine.kernels.pool import KernelPool
    from engine.lm.dual_ar import SLOW_LAYERS, DualAR
    from engine.text.tokenizer import Tokenizer

    words = Tokenizer.load(Tokenizer.find(model, None if tokenizer is None else Path(tokenizer)))
    with GGUFFile.open(model) as file:
        kernels = [PoolKernels(KernelPool(threads), names) for names in (None, SLOW_LAYERS)]
        made, fast = (DualAR.from_gguf(file, words.im_end, kernels=k) for k in kernels)
        with closing(made), closing(fast):
            return ar.run_ar(
                made,
                threads=threads,
                frames=frames,
                repeats=repeats,
                fast=fast if fast.arithmetic == "fast" else None,
            )


def _measure_codec(model: Path, frames: int, repeats: int) -> dict[str, Any]:
    from engine.codec.codec import AudioCodec
    from engine.gguf.reader import GGUFFile

    with GGUFFile.open(model) as file:
        return codec.run_codec(AudioCodec.from_gguf(file), frames=2 * frames, repeats=repeats)


def as_table(figures: dict[str, Any]) -> str:
    """The figures as one table below a line about the machine."""
    rows: list[list[object]] = []
    if "ar_ms_per_frame" in figures:
        rows += ar.as_rows(figures)
    if "codec_ms_per_frame" in figures:
        rows += codec.as_rows(figures)
    if "ready_s" in figures:
        rows += load.as_rows(figures)
    facts = figures["machine"]
    line = f"{facts['processor']}, {figures['threads']} threads, {facts['date']}"
    return f"{line}\n\n{table(rows, ar.HEADER)}"
