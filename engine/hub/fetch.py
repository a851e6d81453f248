"""Fetching one file so that nothing that was fetched is ever lost, and nothing wrong is kept.

The network part runs on an event loop of the calling thread: a stop takes effect at once,
also while a server says nothing. Everything else (hashing what is there, the last check, the
name) is plain code around it.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.cancel import CancelToken
from engine.errors import CancelledError
from engine.hub.catalogue import HubFile
from engine.hub.content import check_content, hash_file
from engine.hub.disk import disk_error, make_folder
from engine.hub.errors import DamagedFileError, DownloadError, OfflineError
from engine.hub.events import OnTransfer, Phase, Reporter
from engine.hub.options import DownloadOptions
from engine.hub.partial_file import Part, lock_path
from engine.hub.transfer import Download
from engine.storage.lock import FileLock
from engine.storage.names import free_name

POLL_S = 0.05


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
        raise OfflineError(
            f"{file.name} is not here, and offline mode is on",
            "Turn offline mode off, or use a file that you have.",
        )
    cancel = cancel or CancelToken()
    report = Reporter(file.name, on_transfer)
    make_folder(folder)
    target = folder / file.name
    with FileLock(lock_path(target), file.name):
        there = _already(file, target, cancel, report)
        if there is not None:
            return there
        part = Part(target, wishes.policy.mark_bytes)
        try:
            return _complete(file, part, wishes, cancel, report, may_replace)
        finally:
            part.close()


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
    download = Download(file, part, wishes.hub, wishes.policy, report, wishes.free)
    run_until_cancelled(download.run, cancel)
    wanted = download.sha256
    if wanted and part.digest != wanted:
        found = part.digest
        part.discard()
        raise DamagedFileError(
            f"{file.name} arrived with the SHA-256 {found[:12]}… in place of {wanted[:12]}…",
            "It was thrown away. Try again; with a mirror, try the hub itself.",
        )
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


def run_until_cancelled(work: Callable[[], Coroutine[Any, Any, None]], cancel: CancelToken) -> None:
    """Run ``work`` on an event loop of this thread until it ends or ``cancel`` is set.

    A name that is still being looked up does not hold the end up.

    Raises ``CancelledError``, or what the work raised.
    """
    cancel.raise_if_cancelled()
    try:
        loop = asyncio.new_event_loop()
    except OSError as error:
        raise DownloadError(f"no connection can be opened ({error})") from error
    try:
        loop.run_until_complete(_watched(work, cancel))
    finally:
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()


async def _watched(work: Callable[[], Coroutine[Any, Any, None]], cancel: CancelToken) -> None:
    task = asyncio.ensure_future(work())
    while not task.done():
        await asyncio.wait({task}, timeout=POLL_S)
        if cancel.cancelled and not task.done():
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await task
            raise CancelledError()
    task.result()
