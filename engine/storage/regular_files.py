"""Opening files that somebody else named: only regular ones, and never waiting for them.

An ordinary ``open`` of a pipe waits for a writer, for ever when there is none, and a device has
neither a size nor an end.
"""

from __future__ import annotations

import errno
import os
import stat
from typing import BinaryIO


class NotRegularError(OSError):
    """There is something under that name, but no regular file."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        super().__init__(errno.EINVAL, "it is not a regular file", os.fspath(path))


def open_regular(path: str | os.PathLike[str]) -> BinaryIO:
    """Open a regular file for reading; the caller closes it.

    Raises:
        OSError: it cannot be opened; :class:`IsADirectoryError` for a folder,
            :class:`NotRegularError` for a pipe or a device, ``EINVAL`` for a name that no file
            can have.
    """
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        descriptor = os.open(path, flags)
    except ValueError as error:  # a NUL in the name
        raise OSError(errno.EINVAL, str(error)) from error
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISREG(mode):
        return os.fdopen(descriptor, "rb")
    os.close(descriptor)
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
    raise NotRegularError(path)


def read_regular(path: str | os.PathLike[str], limit: int) -> bytes:
    """The content of a regular file; of a longer one the first ``limit + 1`` bytes.

    So a caller that compares the length with ``limit`` never reads more, also when the file
    grows meanwhile.

    Raises:
        OSError: see :func:`open_regular`.
    """
    with open_regular(path) as file:
        return file.read(limit + 1)
