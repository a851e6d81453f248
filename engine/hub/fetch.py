"""Fetching one file so that nothing that was fetched is ever lost, and nothing wrong is kept.

The network part runs on an event loop of the calling thread: a stop takes effect at once,
also while a server says nothing. Everything else (hashing what is there, the last check, the
name) is plain code around it.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from engine.cancel import CancelToken
from engine.hub.address import DownloadOptions
from engine.hub.catalogue import HubFile
from engine.hub.disk import check_content, disk_error, hash_file, make_folder
from engine.hub.events import (
    DamagedFileError,
    DownloadError,
    InUseError,
    OfflineError,
    OnTransfer,
    Phase,
    Reporter,
)
from engine.hub.partial_file import Part, lock_path
from engine.hub.transfer import Download
from engine.net.cancellable import CancellableLoop
from engine.storage.names import free_name

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Fetched:
    """A file that is there.

    Attributes:
        sha256: of its content.
        checked: the hash was known from the catalogue or the hub and is that one.
        fresh: it was fetched now; otherwise it was there already.
    """

    path: Path
    sha256: str
    checked: bool
    fresh: bool


def fetch(
    file: HubFile,
    folder: Path,
    wishes: DownloadOptions,
    cancel: CancelToken | None = None,
    on_transfer: OnTransfer | None = None,
    *,
    may_replace: bool = False,
) -> Fetched:
    """Put ``file`` into ``folder``, going on where an earlier try ended.

    Args:
        may_replace: a file of that name with other content is ours and is replaced;
            otherwise it is kept under another name.

    Raises:
        OfflineError: offline mode; no socket was made.
        CancelledError: stopped; what is there is kept for the next time.
        DownloadError: or one of its children; what is there is kept, unless it is wrong.
        OutputError: the folder cannot be written.
    """
    if wishes.offline:
        raise OfflineError("hub.offline", name=file.name)
    cancel = cancel or CancelToken()
    report = Reporter(file.name, on_transfer)
    make_folder(folder)
    target = folder / file.name
    with _alone(target):
        there = _already(file, target, cancel, report)
        if there is not None:
            return there
        part = Part(target, wishes.policy.mark_bytes)
        try:
            return _complete(file, part, wishes, cancel, report, may_replace)
        finally:
            part.close()


@contextmanager
def _alone(target: Path) -> Iterator[None]:
    """Nobody else on this machine fetches ``target`` meanwhile; ends with the process too.

    Where the file system knows no locks the work goes on without, and the log says so.
    """
    from filelock import FileLock, Timeout  # takes longer to load than the rest of this module

    lock = FileLock(lock_path(target), timeout=0)
    try:
        lock.acquire()
    except Timeout as error:
        raise InUseError("disk.in_use", name=target.name) from error
    except OSError as error:  # a folder that cannot be written is told with the first byte
        log.warning("%s cannot be locked: %s", target.name, error)
    try:
        yield
    finally:
        lock.release()


def _already(file: HubFile, target: Path, cancel: CancelToken, report: Reporter) -> Fetched | None:
    """The file that lies there, if it is the very one that is wanted."""
    if not file.sha256 or not target.is_file() or target.stat().st_size != file.size:
        return None
    digest = hash_file(target, cancel, lambda done, total: report.tell(Phase.HASHING, done, total))
    if digest != file.sha256:
        return None
    report.tell(Phase.DONE, file.size, file.size)
    return Fetched(target, digest, True, False)


def _complete(
    file: HubFile,
    part: Part,
    wishes: DownloadOptions,
    cancel: CancelToken,
    report: Reporter,
    may_replace: bool,
) -> Fetched:
    part.recover(cancel, lambda done, total: report.tell(Phase.HASHING, done, total))
    download = Download(file, part, wishes, report)
    try:
        loop = CancellableLoop()
    except OSError as error:
        raise DownloadError("hub.no_connection", reason=error) from error
    with closing(loop):
        loop.run(download.run, cancel)
    wanted = download.sha256
    if wanted and part.digest != wanted:
        found = part.digest
        part.discard()
        raise DamagedFileError("hub.sha256", name=file.name, found=found[:12], wanted=wanted[:12])
    check_content(part.path, file.name, discard=part.discard)
    if not may_replace:
        _set_aside(part.target)
    digest, length = part.digest, part.length
    part.finish()
    report.tell(Phase.DONE, length, length)
    return Fetched(part.target, digest, bool(wanted), True)


def _set_aside(target: Path) -> None:
    """Keep a file of the user's that has the name which a fetched one needs.

    Raises :class:`OutputError` when it cannot be given another name.
    """
    if target.exists():
        other = free_name(target.with_stem(f"{target.stem}.old"), "{}")
        try:
            target.rename(other)
        except OSError as error:  # going on would write over it
            raise disk_error(error, other) from error
