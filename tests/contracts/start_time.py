"""How long the window takes to show: ``python tests/contracts/start_time.py [--repeats N]``.

``--json F`` writes the figures and ``--compare OLD.json`` prints ratios, as ``s2 bench`` does.
Each start is a process of its own with empty folders of settings; the first one, which fills the
system's cache, is not counted. Time ends when the window was shown and painted.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME")
CHILD = """
import os, sys
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QApplication

def shown():
    QApplication.processEvents()
    if any(widget.isVisible() for widget in QApplication.topLevelWidgets()):
        print("window", flush=True)
    os._exit(0)

QCoreApplication.exec = staticmethod(shown)
from app.__main__ import main
sys.exit(main([]))
"""


def start_once() -> float:
    """Seconds from the start of a process to its painted window.

    Raises:
        RuntimeError: it ended without one.
    """
    with tempfile.TemporaryDirectory() as folder:
        own = {**os.environ, **dict.fromkeys(FOLDERS, folder), "PYTHONPATH": str(ROOT)}
        started = time.perf_counter()
        run = subprocess.run(
            [sys.executable, "-c", CHILD], env=own, capture_output=True, text=True, timeout=120
        )
        took = time.perf_counter() - started
    if not run.stdout.startswith("window"):
        raise RuntimeError(f"the window was not shown: {run.stderr.strip()[-500:]}")
    return took


def measure(repeats: int) -> dict[str, Any]:
    """Figures in the form of ``s2 bench``."""
    start_once()
    times = [start_once() for _ in range(repeats)]
    return {
        "window_s": statistics.median(times),
        "window_s_range": [min(times), max(times)],
    }


def main() -> None:
    sys.path.insert(0, str(ROOT))
    from engine.bench import compare, report

    parser = argparse.ArgumentParser(description="time to the shown window")
    parser.add_argument("--repeats", type=int, default=5, metavar="N")
    parser.add_argument("--json", metavar="F.json")
    parser.add_argument("--compare", metavar="OLD.json")
    args = parser.parse_args()
    before = compare.read_figures(args.compare) if args.compare else None
    figures = measure(args.repeats)
    low, high = figures["window_s_range"]
    print(f"window shown after {figures['window_s']:.2f} s ({low:.2f} to {high:.2f})")
    if before is not None:
        print(report.table(compare.compare(before, figures), compare.HEADER))
    if args.json:
        report.write_json(args.json, figures)


if __name__ == "__main__":
    main()
