"""The unfinished file on the disk, and the journal that lets any later process go on with it.

``NAME.part`` holds the bytes, ``NAME.part.json`` what they are a part of and the hashes of
their beginnings at marks. After a kill or a power cut the bytes are hashed again up to
the last mark that agrees; what lies behind it was never promised and is fetched again. So a
file that was damaged on the disk is found before gigabytes more are put behind the damage.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from engine.cancel import CancelToken
from engine.hub.disk import disk_error, write_json
from engine.storage.files import sync_folder
from engine.storage.strict_json import read_object

MARK_BYTES = 32 << 20
BLOCK = 1 << 20
_VERSION = 1


@dataclass(frozen=True, slots=True)
class Origin:
    """What a part is a part of.

    Attributes:
        source: repository and name.
        sha256: of the whole file, empty while unknown.
        etag: the server's mark of this content, empty without one.
        size: of the whole file, 0 while unknown.
    """

    source: str
    sha256: str = ""
    etag: str = ""
    size: int = 0

    def same(self, other: Origin) -> bool:
        """Whether both are the same content, by the surest sign that both have."""
        if self.source != other.source:
            return False
        if self.sha256 and other.sha256:
            return self.sha256 == other.sha256
        if self.etag and other.etag:
            return self.etag == other.etag
        return bool(self.size) and self.size == other.size


class Part:
    """An open ``.part`` file that grows at its end.

    Attributes:
        length: bytes that are there and hashed.
        origin: what they are a part of; ``None`` before the first byte.
    """

    def __init__(self, target: Path, mark_bytes: int = MARK_BYTES) -> None:
        self.target = target
        self._mark_bytes = mark_bytes
        self.path = part_path(target)
        self._journal = journal_path(target)
        self.length = 0
        self.origin: Origin | None = None
        self._hash = hashlib.sha256()
        self._marks: list[tuple[int, str]] = []
        try:
            flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0)
            self._file = os.fdopen(os.open(self.path, flags, 0o666), "r+b", buffering=0)
        except OSError as error:
            raise disk_error(error, self.path) from error

    @property
    def digest(self) -> str:
        """SHA-256 of what is there, hexadecimal."""
        return self._hash.hexdigest()

    def recover(self, cancel: CancelToken, on_bytes: Callable[[int, int], None]) -> int:
        """Take up what an earlier process left; returns how many bytes were dropped.

        ``on_bytes(done, total)`` hears of the hashing. Raises ``CancelledError``; the bytes
        stay then.
        """
        there = os.fstat(self._file.fileno()).st_size
        self.origin, marks = _read_journal(self._journal)
        if self.origin is None:
            marks = []
        last = max((at for at, _ in marks if at <= there), default=0)
        self._file.seek(0)
        running, good = hashlib.sha256(), hashlib.sha256()
        done = agreed = 0
        for at, digest in marks:
            if at > last:
                break
            while done < at:
                cancel.raise_if_cancelled()
                block = self._block(min(BLOCK, at - done))
                if not block:
                    break
                running.update(block)
                done += len(block)
                on_bytes(done, last)
            if done != at or running.hexdigest() != digest:
                break
            agreed, good = at, running.copy()
            self._marks.append((at, digest))
        self._cut(agreed)
        self._hash, self.length = good, agreed
        return there - agreed

    def begin(self, origin: Origin) -> None:
        """Say what the next bytes are a part of; other content starts from nothing."""
        if self.origin is not None and not self.origin.same(origin):
            self.restart()
        if self.origin != origin:
            self.origin = origin
            self._write_journal()

    def restart(self) -> None:
        """Drop what is there."""
        self._cut(0)
        self._hash, self.length, self._marks, self.origin = hashlib.sha256(), 0, [], None

    def write(self, data: bytes) -> None:
        """Put ``data`` at the end.

        Raises:
            DiskFullError: no room; all that was written before is kept and counted.
            OutputError: another failure of the disk.
        """
        view = memoryview(data)
        while len(view):
            last = self._marks[-1][0] if self._marks else 0
            try:
                count = self._file.write(view[: last + self._mark_bytes - self.length]) or 0
            except OSError as error:
                raise disk_error(error, self.path) from error
            self._hash.update(view[:count])
            self.length += count
            view = view[count:]
            if self.length - last >= self._mark_bytes:
                self.mark()

    def mark(self) -> None:
        """Make what is there last through anything.

        A journal that cannot be written leaves the one before, which stays true.
        """
        if self._marks and self._marks[-1][0] == self.length:
            return
        with contextlib.suppress(OSError):
            os.fsync(self._file.fileno())
        self._marks = [*self._marks, (self.length, self.digest)]
        self._write_journal()

    def finish(self) -> None:
        """Make the whole file last and give it its name; whatever had the name is replaced.

        Raises :class:`OutputError`.
        """
        try:
            os.fsync(self._file.fileno())
            self._file.close()
            os.replace(self.path, self.target)
        except OSError as error:
            raise disk_error(error, self.target) from error
        sync_folder(self.target.parent)
        with contextlib.suppress(OSError):
            self._journal.unlink(missing_ok=True)

    def discard(self) -> None:
        """Remove it with its journal."""
        self._file.close()
        remove_part(self.target)

    def close(self) -> None:
        """Let go of the file; what is there is marked first, and nothing leaves no file."""
        if self._file.closed:
            return
        if self.origin is not None and self.length:
            self.mark()
            self._file.close()
        else:
            self.discard()

    def _block(self, most: int) -> bytes:
        """The next bytes; none where the disk cannot read them, which is damage as any other."""
        try:
            return self._file.read(most) or b""
        except OSError:
            return b""

    def _cut(self, length: int) -> None:
        try:
            self._file.truncate(length)
            self._file.seek(length)
        except OSError as error:
            raise disk_error(error, self.path) from error

    def _write_journal(self) -> None:
        if self.origin is None:
            return
        data = {"version": _VERSION, **asdict(self.origin), "marks": self._marks}
        with contextlib.suppress(OSError):
            write_json(self._journal, data)


def part_path(target: Path) -> Path:
    """Where the unfinished file of ``target`` lies."""
    return target.with_name(f"{target.name}.part")


def journal_path(target: Path) -> Path:
    """Where its journal lies."""
    return target.with_name(f"{target.name}.part.json")


def lock_path(target: Path) -> Path:
    """The lock of whoever fetches ``target``."""
    return target.with_name(f".{target.name}.lock")


def kept_bytes(target: Path) -> int:
    """How much of ``target`` a next try begins with, at least; 0 without a part."""
    origin, marks = _read_journal(journal_path(target))
    try:
        there = part_path(target).stat().st_size
    except OSError:
        return 0
    return max((at for at, _ in marks if at <= there), default=0) if origin else 0


def remove_part(target: Path) -> None:
    """Remove what is unfinished of ``target``; raises :class:`OutputError`."""
    try:
        part_path(target).unlink(missing_ok=True)
        journal_path(target).unlink(missing_ok=True)
    except OSError as error:
        raise disk_error(error, target) from error


def _read_journal(path: Path) -> tuple[Origin | None, list[tuple[int, str]]]:
    """Origin and marks, in rising order; nothing of a journal that is not wholly sound."""
    data = read_object(path)
    try:
        origin = Origin(*(data[name] for name in ("source", "sha256", "etag", "size")))
        marks = sorted((at, digest) for at, digest in data["marks"])
    except (KeyError, TypeError, ValueError):
        return None, []
    texts = (origin.source, origin.sha256, origin.etag, *(digest for _, digest in marks))
    counts = (origin.size, *(at for at, _ in marks))
    sound = all(isinstance(text, str) for text in texts)
    sound = sound and all(type(count) is int and count >= 0 for count in counts)
    return (origin, marks) if sound and data.get("version") == _VERSION else (None, [])
