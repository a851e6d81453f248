"""The one place that sets thread counts."""

from __future__ import annotations

import psutil


def default_threads() -> int:
    """Physical cores that this process may use; a second thread a core only slows us."""
    usable = len(psutil.Process().cpu_affinity()) if hasattr(psutil.Process, "cpu_affinity") else 0
    physical = psutil.cpu_count(logical=False) or psutil.cpu_count() or 4
    return max(1, min(physical, usable or physical))


def apply_threads(threads: int) -> int:
    """Set torch's pool to ``threads`` (0: the default) and return the count in force."""
    import torch

    count = threads if threads > 0 else default_threads()
    if torch.get_num_threads() != count:
        torch.set_num_threads(count)
    return count
