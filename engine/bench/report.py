"""What a measurement prints and writes: a table for people, JSON for comparison."""

from __future__ import annotations

import json
import platform
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from engine.errors import OutputError


def machine() -> dict[str, Any]:
    """What the figures were taken on."""
    import torch

    return {
        "processor": processor_name(),
        "system": f"{platform.system()} {platform.machine()}",
        "torch": torch.__version__,
        "torch_threads": torch.get_num_threads(),
        "date": time.strftime("%Y-%m-%d"),
    }


def processor_name() -> str:
    """The processor's trade name where the system tells it."""
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def measure(run: Callable[[], object], repeats: int, warm_up: int = 1) -> dict[str, float]:
    """Time ``run``; returns median, minimum and maximum in milliseconds."""
    for _ in range(warm_up):
        run()
    times = []
    for _ in range(repeats):
        started = time.perf_counter()
        run()
        times.append(1e3 * (time.perf_counter() - started))
    return {"median_ms": statistics.median(times), "min_ms": min(times), "max_ms": max(times)}


def table(rows: Sequence[Sequence[object]], header: Sequence[str]) -> str:
    """Rows as a plain text table; numbers with three significant digits, to the right."""
    cells = [list(header), *([_cell(value) for value in row] for row in rows)]
    widths = [max(len(row[i]) for row in cells) for i in range(len(header))]
    lines = ["  ".join(_pad(c, w, i) for i, (c, w) in enumerate(zip(row, widths, strict=True)))
             for row in cells]  # fmt: skip
    lines.insert(1, "  ".join("-" * w for w in widths))
    return "\n".join(line.rstrip() for line in lines)


def _pad(text: str, width: int, column: int) -> str:
    return text.ljust(width) if column == 0 else text.rjust(width)


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.3g}" if abs(value) < 1000 else f"{value:.0f}"
    return str(value)


def write_json(path: str, data: dict[str, Any]) -> None:
    """Write figures for a later comparison.

    Raises:
        OutputError: the file cannot be written.
    """
    try:
        Path(path).write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise OutputError("cli.unwritable", path=path, reason=error.strerror) from error
