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

from engine.kernels import work_queue as board
from engine.kernels.jit import KernelLibrary
from engine.kernels.read import build_read
from engine.kernels.thread_pool import Crew

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
    crew = Crew(threads, library)
    try:
        for piece in pieces:
            _timed_read(crew, library, piece, sums)
        times = [_timed_read(crew, library, p, sums) for _ in range(passes) for p in pieces]
    finally:
        crew.close()
    rates = sorted(pieces[0].nbytes / seconds for seconds in times)
    return Bandwidth(threads, memory.nbytes, rates[-1], rates[len(rates) // 2])


def _fill_board(crew: Crew, library: KernelLibrary, memory: np.ndarray, sums: np.ndarray) -> int:
    tiles = -(-memory.shape[0] // _TILE_ROWS)
    words = crew.board[board.SEGMENTS // 8 :]
    words[board.BEGIN // 8], words[board.END // 8] = 0, tiles
    words[board.FULL // 8], words[board.GROUPS // 8] = 0, 0
    words[board.REST // 8] = library.address("read", "product", build_read)
    words[board.W // 8], words[board.OUT // 8] = memory.ctypes.data, sums.ctypes.data
    words[board.ROW_BYTES // 8] = words[board.LENGTH // 8] = ROW_BYTES
    words[board.ROWS // 8], words[board.TILE_ROWS // 8] = memory.shape[0], _TILE_ROWS
    return tiles


def _timed_read(crew: Crew, library: KernelLibrary, memory: np.ndarray, sums: np.ndarray) -> float:
    tiles = _fill_board(crew, library, memory, sums)
    start = time.perf_counter()
    crew.run(tiles)
    return time.perf_counter() - start
