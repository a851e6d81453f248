"""Room on the disk, and small files that are there whole or not at all."""

from __future__ import annotations

import errno
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from engine.errors import EngineError, OutputError
from engine.hub.errors import DiskFullError
from engine.storage.files import write_file

FreeBytes = Callable[[Path], int]

MARGIN = 64 << 20
_FULL = (errno.ENOSPC, errno.EDQUOT)


def free_bytes(folder: Path) -> int:
    """Bytes that this user can still write into ``folder``."""
    return shutil.disk_usage(folder).free


def check_room(folder: Path, needed: int, free: FreeBytes = free_bytes) -> None:
    """Refuse before the first byte what cannot fit.

    ``needed`` is what is still to be written. A folder that cannot be asked is not refused.

    Raises :class:`DiskFullError` with both figures.
    """
    try:
        there = free(folder)
    except OSError:
        return
    if needed > 0 and there < needed + MARGIN:
        raise DiskFullError(
            "disk.no_room",
            needed=needed / 1000000000.0,
            free=max(0, there) / 1000000000.0,
            folder=folder,
        )


def make_folder(folder: Path) -> None:
    """Make ``folder`` where it is missing; raises :class:`OutputError`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise disk_error(error, folder) from error


def disk_error(error: OSError, path: Path) -> EngineError:
    """What a failed write means to a person."""
    reason = error.strerror or str(error)
    if error.errno in _FULL:
        return DiskFullError("disk.full", name=path.name)
    if error.errno == errno.EFBIG:
        return OutputError("disk.file_system", name=path.name, folder=path.parent)
    return OutputError("disk.unwritable", path=path, reason=reason)


def write_json(path: Path, data: dict[str, Any]) -> None:
    """Put ``data`` at ``path``: a reader sees the old file or the new one, never a part.

    Raises :class:`OSError`.
    """
    # ASCII: names of files need not be Unicode
    write_file(path, [json.dumps(data, indent=1).encode("ascii")])
