"""A read-only file made of new leading bytes and a stretch of another file.

It hands the decoder a mended header in front of the original samples without copying them.
"""

from __future__ import annotations

import io
import os
from typing import BinaryIO


class SplicedFile(io.RawIOBase):
    """``prefix`` followed by ``length`` bytes of ``source`` from ``start``; closes nothing.

    It has no ``name``, so that no decoder guesses the kind from a file extension.
    """

    def __init__(self, prefix: bytes, source: BinaryIO, start: int, length: int) -> None:
        super().__init__()
        self._prefix = prefix
        self._source = source
        self._start = start
        self._size = len(prefix) + max(0, length)
        self._position = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self._position, os.SEEK_END: self._size}[whence]
        self._position = max(0, base + offset)
        return self._position

    def readinto(self, buffer) -> int:  # type: ignore[no-untyped-def]
        view = memoryview(buffer).cast("B")
        count = max(0, min(len(view), self._size - self._position))
        head = self._prefix[self._position : self._position + count]
        view[: len(head)] = head
        done = len(head)
        if done < count:
            at = self._start + self._position + done - len(self._prefix)
            self._source.seek(at)
            data = self._source.read(count - done)
            view[done : done + len(data)] = data
            done += len(data)
        self._position += done
        return done
