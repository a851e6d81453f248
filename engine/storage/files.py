"""Writing to disk so that a failure is told plainly and never leaves half a file.

:func:`write_file` and :func:`write_new` are the only writers of whole files; they raise what the
system raises. :func:`telling` makes an error for people of that, to which the caller adds what
has become of the content.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import stat
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from engine.errors import Message, OutputError

STALE_S = 3600.0
"""Age at which a temporary file has no program any more that writes it."""

Parts = Iterable[bytes | memoryview]

_SURROGATE = re.compile("[\ud800-\udfff]")
_TEMPORARY = re.compile(r"\.s2-[0-9a-f]{12,16}\.tmp")
_REASONS = {
    errno.ENOSPC: "output.no_room",
    errno.EFBIG: "output.no_room",
    getattr(errno, "EDQUOT", errno.ENOSPC): "output.no_room",
    errno.EACCES: "output.refused",
    errno.EPERM: "output.refused",
    errno.EROFS: "output.refused",
    errno.ENOENT: "output.no_folder",
    errno.ENOTDIR: "output.no_folder",
    errno.EISDIR: "output.folder",
    errno.ENAMETOOLONG: "output.long_name",
    errno.EEXIST: "output.exists",
    errno.EINVAL: "output.bad_name",
    errno.EPIPE: "output.closed",
}


def shown(path: str | os.PathLike[str]) -> str:
    """The path as printable text, whatever bytes the file system holds."""
    return _SURROGATE.sub("\ufffd", os.fsdecode(path))


def output_error(target: str, error: OSError, kept: str = "") -> OutputError:
    """Turn an error of the system into a sentence about ``target`` and a next step.

    Args:
        kept: code of the caller's sentence about what was to be written: that it is not lost.
    """
    made = OutputError(
        _REASONS.get(error.errno or 0, "output.failed"),
        target=target,
        reason=error.strerror or str(error) or type(error).__name__,
    )
    if not kept or not made.advice:
        return made
    both = Message("advice.and_kept", step=made.advice, kept=Message(kept))
    return OutputError(made.code, both, **made.params)


@contextlib.contextmanager
def telling(target: str, kept: str = "") -> Iterator[None]:
    """Makes the :func:`output_error` of an :class:`OSError` inside."""
    try:
        yield
    except OSError as error:
        raise output_error(target, error, kept) from error


def write_file(
    path: str | os.PathLike[str],
    parts: Parts,
    *,
    follow: bool = False,
    private: bool = False,
    durable: bool = True,
) -> None:
    """Write a whole file, or leave what was there before.

    The bytes go to a temporary file in the same folder, which then takes the place of the
    target, so a full disk or a crash never leaves half a file. A file that is replaced passes
    its permissions on.

    Args:
        follow: a link keeps pointing at its file, which is replaced, and pipes and devices are
            written in place; otherwise the new file replaces the link or pipe itself.
        private: only the owner may read it, before and after.
        durable: file and name reach the disk before this returns, so that a power cut takes
            neither.

    Raises:
        OSError: it cannot be written; ``EINVAL`` for a name that no file can have. What
            ``parts`` raises comes through. Then the target is as it was.
    """
    final = _possible(path)
    if follow and is_special(path):
        with open(path, "wb", buffering=0) as stream:
            for part in parts:
                write_all(stream, part)
        return
    if follow:
        final = Path(os.path.realpath(path))
    if final.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    with _written(final.parent, parts, private, durable) as temporary:
        with contextlib.suppress(OSError):
            mode = os.lstat(final).st_mode
            if stat.S_ISREG(mode):
                os.chmod(temporary, stat.S_IMODE(mode) & (0o700 if private else 0o7777))
        os.replace(temporary, final)


def write_new(names: Iterable[Path], parts: Parts) -> Path:
    """Write a whole file under the first of ``names``, all of one folder, that is free.

    Taking a name fails when it appeared meanwhile, so two programs that save at once both keep
    their file.

    Returns:
        The path that was written.

    Raises:
        FileExistsError: none is free.
        OSError: as in :func:`write_file`.
    """
    candidates = iter(names)
    name = _possible(next(candidates))
    with _written(name.parent, parts) as temporary:
        while not _take_name(temporary, name):
            following = next(candidates, None)
            if following is None:
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
            name = following
    return name


def save_file(
    path: str | os.PathLike[str], parts: Parts, *, kept: str = "", private: bool = False
) -> None:
    """:func:`write_file` where a person said, links followed; raises :class:`OutputError`."""
    with telling(shown(path), kept):
        write_file(path, parts, follow=True, private=private)


def is_special(path: str | os.PathLike[str]) -> bool:
    """True for an existing pipe or device, which must be written in place."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def create_exclusive(path: str | os.PathLike[str], mode: int = 0o666) -> BinaryIO:
    """Create a file that must not exist, unbuffered, with ``mode`` as far as the umask allows."""
    flags = os.O_CREAT | os.O_EXCL | os.O_RDWR | getattr(os, "O_BINARY", 0)
    return os.fdopen(os.open(path, flags, mode), "r+b", buffering=0)


def write_all(stream: BinaryIO, data: bytes | memoryview) -> None:
    """Write every byte to a stream that may take only a part at a time."""
    view = memoryview(data).cast("B")
    while len(view):
        count = stream.write(view)
        if count is None:
            raise BlockingIOError(errno.EAGAIN, "the stream takes no data now")
        view = view[count:]


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


def _possible(path: str | os.PathLike[str]) -> Path:
    try:
        possible = b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:  # half of a surrogate pair
        possible = False
    if not possible:
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
    return Path(path)


@contextlib.contextmanager
def _written(
    folder: Path, parts: Parts, private: bool = False, durable: bool = True
) -> Iterator[Path]:
    """A temporary file that holds ``parts``; what is left of it in the end is removed."""
    _tidy(folder)
    # The name is short and plain: a long or odd target must not make it too long.
    temporary = folder / f".s2-{secrets.token_hex(8)}.tmp"
    try:
        with create_exclusive(temporary, 0o600 if private else 0o666) as stream:
            for part in parts:
                write_all(stream, part)
            if durable:
                os.fsync(stream.fileno())
        yield temporary
        if durable:
            sync_folder(folder)
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def _tidy(folder: Path) -> None:
    """Clear away what programs that were killed left in ``folder``."""
    with contextlib.suppress(OSError), os.scandir(folder) as items:
        for item in items:
            with contextlib.suppress(OSError):
                if _TEMPORARY.fullmatch(item.name) and _is_stale(item):
                    os.unlink(item.path)


def _is_stale(item: os.DirEntry[str]) -> bool:
    status = item.stat(follow_symlinks=False)
    return stat.S_ISREG(status.st_mode) and time.time() - status.st_mtime > STALE_S


def _take_name(source: Path, target: Path) -> bool:
    """Give ``source`` the name ``target``; false when that is taken."""
    try:
        os.link(source, target)
        return True
    except FileExistsError:
        return False
    except OSError:  # a file system without hard links
        # An empty file holds the name, so that no other program can take it in between.
        try:
            create_exclusive(target).close()
        except FileExistsError:
            return False
    try:
        os.replace(source, target)
    except BaseException:
        target.unlink(missing_ok=True)
        raise
    return True
