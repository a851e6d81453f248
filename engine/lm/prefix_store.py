"""Keys and values of voices on disk: a voice is read once on a machine, not at each start.

An entry holds the rows of :class:`engine.lm.cache.KVSnapshot` as float32 (or as the cache has
them), so that speech that starts from it is the same to the last bit. The name of its file is a
hash of everything that its rows depend on: model file, arithmetic, device, the code that computes
them, and the columns themselves. Nothing in a file is trusted: its size must be exactly what the
reader expects, and a digest must hold; else the entry is dropped and the voice read again.
Entries may be deleted at any time.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor

from engine.lm.cache import KVCache, KVSnapshot, PrefixCache, PrefixKey
from engine.storage.files import write_file
from engine.storage.regular_files import open_regular

log = logging.getLogger(__name__)

DEFAULT_MAX_BYTES = 1_000_000_000
LEAST_SECONDS = 0.3
"""A voice that is read faster than this is not worth its place on the disk."""
_SUFFIX = ".kv"
_DIGEST_BYTES = 32


class RowForm(NamedTuple):
    """What the rows of an entry must be: layers, heads, positions, size of a head, and type."""

    layers: int
    heads: int
    length: int
    head_dim: int
    dtype: torch.dtype

    @classmethod
    def of(cls, cache: KVCache, length: int) -> RowForm:
        """The form of the first ``length`` positions of ``cache``."""
        heads, _, head_dim = cache.keys[0].shape
        return cls(len(cache.keys), heads, length, head_dim, cache.dtype)

    @property
    def nbytes(self) -> int:
        """Bytes of all keys and values."""
        rows = self.layers * 2 * self.heads * self.length
        return rows * self.head_dim * self.dtype.itemsize


class PrefixStore:
    """A folder of entries, bounded in size; the one used longest ago goes first.

    Files are written by a thread of its own, so that sound does not wait for the disk. What
    cannot be written or read only costs the time to read the voice again.

    Attributes:
        folder: made with the first entry.
        max_bytes: bound on all entries together.
    """

    def __init__(self, folder: Path, max_bytes: int, origin: bytes) -> None:
        """``origin`` stands for the model and the code, which its keys do not name."""
        self.folder = folder
        self.max_bytes = max_bytes
        self._origin = origin
        self._writer: ThreadPoolExecutor | None = None

    def path(self, key: PrefixKey) -> Path:
        """Where the entry of ``key`` lies, or would lie."""
        facts = f"{key.dtype} {key.chunk}".encode()
        name = hashlib.sha256(self._origin + facts + key.columns).hexdigest()
        return self.folder / f"{name}{_SUFFIX}"

    def load(self, key: PrefixKey, form: RowForm) -> KVSnapshot | None:
        """The entry of ``key``, now the youngest, or ``None``; a damaged one is deleted."""
        path = self.path(key)
        try:
            with open_regular(path) as file:
                if os.fstat(file.fileno()).st_size != _DIGEST_BYTES + form.nbytes:
                    raise ValueError("its size is wrong")
                digest = file.read(_DIGEST_BYTES)
                rows = torch.empty(form.nbytes, dtype=torch.uint8)
                view = rows.numpy().data
                if file.readinto(view) != form.nbytes:  # type: ignore[attr-defined]
                    raise ValueError("it ends early")
                if hashlib.sha256(view).digest() != digest:
                    raise ValueError("its digest is wrong")
            os.utime(path)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, MemoryError) as error:
            log.warning("The kept reading of a voice is not used, %s: %s", error, path)
            with contextlib.suppress(OSError):
                path.unlink()
            return None
        return _snapshot(rows, form)

    def save(self, key: PrefixKey, snapshot: KVSnapshot) -> None:
        """Write an entry soon; the snapshot must not change any more."""
        if snapshot.nbytes + _DIGEST_BYTES > self.max_bytes:
            return
        if self._writer is None:
            self._writer = ThreadPoolExecutor(1, thread_name_prefix="s2-prefix-store")
        self._writer.submit(self._write, self.path(key), snapshot)

    def close(self) -> None:
        """Write what is left and end the thread."""
        if self._writer is not None:
            self._writer.shutdown()
            self._writer = None

    def _write(self, path: Path, snapshot: KVSnapshot) -> None:
        digest = hashlib.sha256()
        for part in _parts(snapshot):
            digest.update(part)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._make_room(_DIGEST_BYTES + snapshot.nbytes, path)
            # Its digest tells an entry that a power cut left incomplete.
            write_file(path, _with_digest(digest.digest(), snapshot), private=True, durable=False)
        except OSError as error:
            log.warning("The reading of a voice is not kept: %s", error)

    def _make_room(self, needed: int, replaced: Path) -> None:
        """Delete the oldest entries until ``needed`` bytes fit; another program may do so too."""
        entries = []
        for path in self.folder.glob(f"*{_SUFFIX}"):
            with contextlib.suppress(OSError):
                status = path.stat()
                if path != replaced:
                    entries.append((status.st_mtime_ns, status.st_size, path))
        held = sum(size for _, size, _ in entries)
        for _, size, path in sorted(entries):
            if held + needed <= self.max_bytes:
                return
            with contextlib.suppress(OSError):
                path.unlink()
            held -= size


class StoredPrefixCache(PrefixCache):
    """A prefix cache whose entries outlive the program.

    Attributes:
        store: where they are kept.
        least_seconds: what took less to compute is kept in memory only.
    """

    def __init__(self, max_bytes: int, store: PrefixStore) -> None:
        super().__init__(max_bytes)
        self.store = store
        self.least_seconds = LEAST_SECONDS

    def find(self, key: PrefixKey, cache: KVCache, length: int) -> KVSnapshot | None:
        entry = super().find(key, cache, length)
        if entry is not None:
            return entry
        entry = self.store.load(key, RowForm.of(cache, length))
        if entry is not None:
            self.misses -= 1
            self.hits += 1
            super().keep(key, entry, 0.0)
        return entry

    def keep(self, key: PrefixKey, snapshot: KVSnapshot, seconds: float) -> None:
        super().keep(key, snapshot, seconds)
        if seconds >= self.least_seconds:
            self.store.save(key, snapshot)

    def close(self) -> None:
        self.clear()
        self.store.close()


def _parts(snapshot: KVSnapshot) -> Iterator[memoryview]:
    for rows in (*snapshot.keys, *snapshot.values):
        yield rows.detach().cpu().contiguous().view(torch.uint8).reshape(-1).numpy().data


def _with_digest(digest: bytes, snapshot: KVSnapshot) -> Iterator[bytes | memoryview]:
    yield digest
    yield from _parts(snapshot)


def _snapshot(rows: Tensor, form: RowForm) -> KVSnapshot:
    shape = (2, form.layers, form.heads, form.length, form.head_dim)
    keys, values = rows.view(form.dtype).reshape(shape)
    return KVSnapshot(form.length, tuple(keys), tuple(values))
