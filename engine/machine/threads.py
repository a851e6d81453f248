"""The one place that sets thread counts and how idle threads wait."""

from __future__ import annotations

import os
import sys

import psutil

from engine.machine.limits import processor_quota


def sleep_when_idle() -> bool:
    """Let torch's idle threads sleep instead of spinning; for programs, before torch loads.

    Threads that spin at a barrier hold the very cores that the last one needs: with another
    busy process on two cores a frame took forty times as long. Sleeping costs a few
    microseconds a barrier. What the user has set in the environment stays.

    Returns:
        False when torch is loaded already, so that the wish comes too late.
    """
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    return "torch" not in sys.modules


def default_threads() -> int:
    """Physical cores that this process may use, by its mask and its control group's quota.

    A second thread a core only slows us.
    """
    usable = len(psutil.Process().cpu_affinity()) if hasattr(psutil.Process, "cpu_affinity") else 0
    physical = psutil.cpu_count(logical=False) or psutil.cpu_count() or 4
    quota = processor_quota() or physical
    return max(1, min(physical, usable or physical, quota))


def apply_threads(threads: int) -> int:
    """Set torch's pool to ``threads`` (0: the default) and return the count in force."""
    import torch

    count = threads if threads > 0 else default_threads()
    if torch.get_num_threads() != count:
        torch.set_num_threads(count)
    return count
