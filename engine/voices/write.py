"""Writing a voice file whole or not at all."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from engine.errors import OutputError
from engine.storage.files import sync_folder, temporary_in


def write_atomic(path: Path, data: bytes, name: str, *, overwrite: bool = True) -> None:
    """Put ``data`` at ``path`` so that a reader sees the old file or the new one, never a part.

    The bytes go to a temporary file in the same folder, reach the disk, and then take the
    file's name. On any failure the old file stays as it was and the temporary one is removed.

    Args:
        name: what the voice is called in messages.
        overwrite: false refuses when ``path`` exists, also when it appears meanwhile.

    Raises:
        OutputError: the folder is missing or not writable, the disk is full, or the file exists.
    """
    temporary = temporary_in(path.parent)  # has another extension, so it is never listed
    try:
        _write_synced(temporary, data)
        if overwrite:
            os.replace(temporary, path)
        else:
            _move_new(temporary, path)
        sync_folder(path.parent)
    except FileExistsError as error:
        raise already_exists(name) from error
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        reason = getattr(error, "strerror", None) or str(error)
        raise OutputError(
            f"failed to save voice profile: {name}",
            f"Reason: {reason}. Check the folder {path.parent} and save again.",
        ) from error
    finally:
        with contextlib.suppress(OSError, ValueError):
            temporary.unlink(missing_ok=True)


def already_exists(name: str) -> OutputError:
    """The error for a name that is taken."""
    return OutputError(
        f"voice profile already exists: {name}", "Choose another name, or allow overwriting."
    )


def _write_synced(path: Path, data: bytes) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, flags, 0o666)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _move_new(source: Path, target: Path) -> None:
    """Give ``source`` the name ``target`` unless that exists; raises FileExistsError."""
    try:
        os.link(source, target)  # unlike a rename, fails when the target appeared meanwhile
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        if os.path.lexists(target):
            raise FileExistsError(str(target)) from None
        os.replace(source, target)
