"""Having a model's pages in memory before they are asked for, while other things are done.

Products read weights where the file is mapped. A page that is not there costs a fault in the
middle of the first prompt, so a thread asks for all of them meanwhile: for what is not cached
when a program begins to import, and for the places in the map when the file is open. Where the
system cannot do that, or memory is too small for the file, nothing is done.
"""

from __future__ import annotations

import ctypes
import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

_STEP = 64 << 20
_MADV_POPULATE_READ = 22
"""Linux 5.14; an older one says EINVAL."""
_LEAST_BYTES = 64 << 20
_SHARE_OF_MEMORY = 0.8


def read_ahead(path: str | os.PathLike[str]) -> threading.Thread | None:
    """Have a file read into the system's cache by a thread; ``None`` where that is not done."""
    if not hasattr(os, "posix_fadvise"):
        return None
    try:
        size = os.stat(path).st_size
    except (OSError, ValueError):
        return None
    return _start(_read, size, Path(path), size)


def map_pages(view: memoryview) -> threading.Thread | None:
    """Have the pages of a mapped file put in place by a thread, which holds ``view``."""
    if not sys.platform.startswith("linux"):
        return None
    return _start(_populate, len(view), view)


def _start(work: Callable[..., None], size: int, *arguments: object) -> threading.Thread | None:
    if size < _LEAST_BYTES or size > _SHARE_OF_MEMORY * _free_memory():
        return None
    thread = threading.Thread(target=work, args=arguments, name="s2-pages", daemon=True)
    thread.start()
    return thread


def _free_memory() -> int:
    from engine.machine.memory import available_memory

    return available_memory()[0]


def _read(path: Path, size: int) -> None:
    from engine.storage.regular_files import open_regular

    with suppress(OSError), open_regular(path) as file:
        for start in range(0, size, _STEP):
            os.posix_fadvise(file.fileno(), start, _STEP, os.POSIX_FADV_WILLNEED)


def _populate(view: memoryview) -> None:
    # mmap.madvise would hold the interpreter for all of it.
    madvise = ctypes.CDLL(None, use_errno=True).madvise
    madvise.argtypes = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
    import numpy as np

    first = np.frombuffer(view, np.uint8).ctypes.data
    page = os.sysconf("SC_PAGESIZE")
    address, end = first // page * page, first + len(view)
    while address < end:
        if madvise(address, min(_STEP, end - address), _MADV_POPULATE_READ):
            return
        address += _STEP
