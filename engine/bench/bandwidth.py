"""How fast this machine's memory can be read: the yardstick for products with one column.

A fair yardstick reads with the same threads, the same division of work and the same access
pattern as the kernels, in pieces as large as a matrix, out of more memory than any cache holds.
It reports the best piece (what the memory can give) next to the middle one (what it gave while
other work went on).
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from engine.kernels import work_queue
from engine.kernels.jit import KernelLibrary
from engine.kernels.read import build_read
from engine.kernels.thread_pool import ThreadPool

ROW_BYTES = 4096
PIECE_ROWS = 4096  # 16 MiB
DEFAULT_BYTES = 256 << 20

_TILE_ROWS = 16


@dataclass(frozen=True, slots=True)
class Bandwidth:
    """Result of :func:`read_bandwidth`.

    Attributes:
        threads: how many read.
        size: bytes read in one pass.
        best, median: bytes a second, of the fastest and of the middle piece.
    """

    threads: int
    size: int
    best: float
    median: float


def read_bandwidth(
    threads: int,
    *,
    size: int = DEFAULT_BYTES,
    passes: int = 12,
    library: KernelLibrary | None = None,
) -> Bandwidth:
    """Read ``size`` bytes ``passes`` times with ``threads`` threads.

    ``size`` is rounded down to whole pieces of 16 MiB, or below that to 4096 bytes. Raises
    ``ValueError`` when there is nothing to read.
    """
    rows = size // ROW_BYTES
    rows -= rows % PIECE_ROWS if rows > PIECE_ROWS else 0
    if rows < 1 or passes < 1:
        raise ValueError(f"nothing to read in {passes} passes of {size} bytes")
    library = library if library is not None else KernelLibrary()
    memory = np.ones((rows, ROW_BYTES), np.uint8)  # written, or all pages would be one
    sums = np.empty(rows, np.float32)
    pieces = np.split(memory, range(PIECE_ROWS, rows, PIECE_ROWS))
    workers = ThreadPool(threads, library)
    try:
        for piece in pieces:
            _timed_read(workers, library, piece, sums)
        times = [_timed_read(workers, library, p, sums) for _ in range(passes) for p in pieces]
    finally:
        workers.close()
    rates = sorted(pieces[0].nbytes / seconds for seconds in times)
    return Bandwidth(threads, memory.nbytes, rates[-1], rates[len(rates) // 2])


def _fill_board(
    workers: ThreadPool, library: KernelLibrary, memory: np.ndarray, sums: np.ndarray
) -> int:
    tiles: int = -(-memory.shape[0] // _TILE_ROWS)
    words = workers.board[work_queue.SEGMENTS // 8 :]
    words[work_queue.BEGIN // 8], words[work_queue.END // 8] = 0, tiles
    words[work_queue.FULL // 8], words[work_queue.GROUPS // 8] = 0, 0
    words[work_queue.REST // 8] = library.address("read", "product", build_read)
    words[work_queue.W // 8], words[work_queue.OUT // 8] = memory.ctypes.data, sums.ctypes.data
    words[work_queue.ROW_BYTES // 8] = words[work_queue.LENGTH // 8] = ROW_BYTES
    words[work_queue.ROWS // 8], words[work_queue.TILE_ROWS // 8] = memory.shape[0], _TILE_ROWS
    return tiles


def _timed_read(
    workers: ThreadPool, library: KernelLibrary, memory: np.ndarray, sums: np.ndarray
) -> float:
    tiles = _fill_board(workers, library, memory, sums)
    start = time.perf_counter()
    workers.run(tiles)
    return time.perf_counter() - start
