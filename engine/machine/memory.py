"""Whether a model fits into memory, asked before anything of it is read.

What must be there at once and cannot be dropped (the codec's numbers, buffers, keys and
values) decides whether to start at all: beyond it the system would end the whole program. The
stored model itself is only mapped. Where it does not fit, its pages are read again and again,
which works, at the speed of the disk; that deserves a warning, not a refusal.
"""

from __future__ import annotations

import psutil

from engine.errors import DeviceError, Message
from engine.gguf.inspect import MemoryNeeds
from engine.machine.limits import free_addresses, free_memory

_GB = 1e9


def available_memory() -> tuple[int, int]:
    """Bytes of main memory that can be had without swapping, and of free swap."""
    memory, swap = psutil.virtual_memory().available, psutil.swap_memory().free
    group = free_memory()
    # A group's swap has a limit of its own, which is none or nothing as a rule; the process's own
    # limits count swap too.
    limits = [limit for limit in (group, free_addresses()) if limit is not None]
    return (memory, swap) if min(limits, default=memory) >= memory else (min(limits), 0)


def check_memory(needs: MemoryNeeds, available: tuple[int, int] | None = None) -> list[str]:
    """Warnings for a model that will run slowly on this machine's CPU.

    Args:
        needs: from the file's header.
        available: main memory and swap; ``None`` asks the system.

    Raises:
        DeviceError: not even what must be held fits; both numbers are named.
    """
    memory, swap = available_memory() if available is None else available
    held = needs.process + needs.codec
    if held > memory + swap:
        raise DeviceError("device.model_memory", needed=held / _GB, free=(memory + swap) / _GB)
    whole = needs.on_cpu()
    if whole > memory:
        return [Message("device.slow_memory", needed=whole / _GB, free=memory / _GB)]
    return []
