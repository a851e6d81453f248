"""A lock between processes that the system lifts when its holder dies, however that happens."""

from __future__ import annotations

import errno
import logging
import os
import sys
from pathlib import Path
from types import TracebackType

from engine.hub.disk import disk_error
from engine.hub.errors import InUseError

log = logging.getLogger(__name__)

_TAKEN = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)


class FileLock:
    """Held from ``with`` to its end; a second holder anywhere on this machine is refused.

    The lock file stays: removing it would let two processes hold locks on two files of one
    name. Where the file system knows no locks the work goes on without, and the log says so.
    """

    def __init__(self, path: Path, what: str) -> None:
        self._path = path
        self._what = what
        self._descriptor: int | None = None

    def __enter__(self) -> FileLock:
        try:
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o666)
        except OSError as error:
            raise disk_error(error, self._path.parent) from error
        try:
            _lock(descriptor)
        except OSError as error:
            if error.errno in _TAKEN:
                os.close(descriptor)
                raise InUseError(
                    f"{self._what} is already being downloaded",
                    "Wait for it, or stop it in the other window.",
                ) from error
            log.warning("%s cannot be locked: %s", self._path.name, error)
        self._descriptor = descriptor
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def _lock(descriptor: int) -> None:
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
