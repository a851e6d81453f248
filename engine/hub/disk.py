"""Room on the disk, small files that are there whole or not at all, and what a file holds."""

from __future__ import annotations

import errno
import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from engine.cancel import CancelToken
from engine.errors import EngineError, ModelFileError, OutputError
from engine.gguf.inspect import memory_needs
from engine.gguf.reader import GGUFFile
from engine.hub.events import DamagedFileError, DiskFullError
from engine.storage.files import write_file
from engine.storage.strict_json import parse_json

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


BLOCK = 1 << 20


def hash_file(
    path: Path, cancel: CancelToken, on_bytes: Callable[[int, int], None] | None = None
) -> str:
    """SHA-256 of a file, hexadecimal; ``on_bytes(done, total)`` hears of each block.

    Raises:
        ModelFileError: it cannot be read.
        CancelledError: stopped.
    """
    digest, done = hashlib.sha256(), 0
    try:
        total = path.stat().st_size
        with path.open("rb", buffering=0) as file:
            while block := file.read(BLOCK):
                cancel.raise_if_cancelled()
                digest.update(block)
                done += len(block)
                if on_bytes is not None:
                    on_bytes(done, total)
    except OSError as error:
        raise ModelFileError("hub.unreadable", path=path, reason=error.strerror or error) from error
    return digest.hexdigest()


def check_content(path: Path, name: str, discard: Callable[[], None] | None = None) -> None:
    """Read what can be read at once: the header of a model with all bounds, a whole JSON.

    This is what stands against a file that ends early where no hash is known.

    Raises:
        DamagedFileError: after ``discard`` was called.
    """
    try:
        if name.endswith(".gguf"):
            with GGUFFile.open(path) as file:
                memory_needs(file)
        elif name.endswith(".json"):
            parse_json(path.read_bytes())
    except (EngineError, OSError, ValueError) as error:
        reason = error.detail if isinstance(error, EngineError) else str(error)
        if discard is not None:
            discard()
        raise DamagedFileError("hub.unusable", name=name, reason=reason) from error
