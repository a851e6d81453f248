"""Writing to disk so that a failure is told plainly and never leaves half a file."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import stat
import time
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

from engine.errors import OutputError

STALE_S = 3600.0
"""Age at which a temporary file has no program any more that writes it."""

_TEMPORARY = re.compile(r"\.s2-[0-9a-f]{12,16}\.tmp")

KEPT = "The audio is still in memory."

_FULL = {errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}
_REFUSED = {errno.EACCES, errno.EPERM, errno.EROFS}
_ABSENT = {errno.ENOENT, errno.ENOTDIR}


def shown(path: str | os.PathLike[str]) -> str:
    """The path as printable text, whatever bytes the file system holds."""
    return os.fsencode(path).decode("utf-8", "replace")


def output_error(target: str, error: OSError) -> OutputError:
    """Turn an operating system error into a sentence about ``target`` and a next step."""
    code = error.errno
    if code in _FULL:
        return OutputError(
            f"there is no room left to write {target}", f"Free some space or save elsewhere. {KEPT}"
        )
    if code in _REFUSED:
        return OutputError(
            f"{target} may not be written, or another program holds it open",
            f"Close the other program, or choose another name or folder. {KEPT}",
        )
    if code in _ABSENT:
        return OutputError(
            f"the folder for {target} does not exist", f"Choose a folder that exists. {KEPT}"
        )
    if code == errno.EISDIR:
        return OutputError(f"{target} is a folder", f"Give a file name. {KEPT}")
    if code == errno.ENAMETOOLONG:
        return OutputError(f"the file name {target} is too long", f"Choose a shorter one. {KEPT}")
    if code == errno.EPIPE:
        return OutputError(f"the program that reads {target} closed the connection")
    reason = error.strerror or str(error) or type(error).__name__
    return OutputError(f"{target} could not be written: {reason}", f"Choose another place. {KEPT}")


def is_special(path: str | os.PathLike[str]) -> bool:
    """True for an existing pipe or device, which must be written in place."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def create_exclusive(path: str | os.PathLike[str]) -> BinaryIO:
    """Create a file that must not exist, unbuffered, with the permissions of the umask."""
    flags = os.O_CREAT | os.O_EXCL | os.O_RDWR | getattr(os, "O_BINARY", 0)
    return os.fdopen(os.open(path, flags, 0o666), "r+b", buffering=0)


def temporary_in(folder: Path) -> Path:
    """A new name for a file that is about to take the place of another one in ``folder``.

    The name is short and plain on purpose: a long or odd target must not make it too long. What
    programs that were killed left there is cleared away first.
    """
    with contextlib.suppress(OSError), os.scandir(folder) as items:
        for item in items:
            if _TEMPORARY.fullmatch(item.name) and _is_stale(item):
                with contextlib.suppress(OSError):
                    os.unlink(item.path)
    return folder / f".s2-{secrets.token_hex(8)}.tmp"


def _is_stale(item: os.DirEntry[str]) -> bool:
    status = item.stat(follow_symlinks=False)
    return stat.S_ISREG(status.st_mode) and time.time() - status.st_mtime > STALE_S


def sync_folder(folder: Path) -> None:
    """Make a new name in ``folder`` durable where the system can; the data is safe without."""
    if os.name != "posix":
        return
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def write_all(stream: BinaryIO, data: bytes | memoryview) -> None:
    """Write every byte to a stream that may take only a part at a time."""
    view = memoryview(data).cast("B")
    while len(view):
        count = stream.write(view)
        if count is None:
            raise BlockingIOError(errno.EAGAIN, "the stream takes no data now")
        view = view[count:]


def atomic_write(path: str | os.PathLike[str], parts: Iterable[bytes | memoryview]) -> None:
    """Write a whole file, or leave what was there before.

    The bytes go to a temporary file in the same folder, which then takes the place of the
    target, so a full disk or a crash never leaves half a file. A link keeps pointing at its
    file, permissions of a replaced file are kept, and pipes and devices are written in place.

    Raises:
        OutputError: with the reason and a next step.
    """
    target = shown(path)
    try:
        if is_special(path):
            with open(path, "wb", buffering=0) as stream:
                for part in parts:
                    write_all(stream, part)
            return
        final = Path(os.path.realpath(path))
        if final.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        _replace(final, parts)
    except OSError as error:
        raise output_error(target, error) from error


def _replace(final: Path, parts: Iterable[bytes | memoryview]) -> None:
    temporary = temporary_in(final.parent)
    try:
        with create_exclusive(temporary) as stream:
            for part in parts:
                write_all(stream, part)
            os.fsync(stream.fileno())
        with contextlib.suppress(OSError):
            os.chmod(temporary, stat.S_IMODE(final.stat().st_mode))
        os.replace(temporary, final)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
