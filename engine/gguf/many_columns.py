"""Products with many columns for a :class:`~engine.kernels.pool.KernelPool`.

Beside the kernels of ``many_columns`` this holds the memory that they work in, which is reused
from product to product.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

import numpy as np

from engine.gguf.quant_types import QuantType
from engine.kernels import many_columns as kernel
from engine.kernels import work_queue
from engine.kernels.jit import KernelLibrary
from engine.kernels.packed import packed_shape

# From so many columns on unpacking pays: where it was measured (Q4_K, AVX-512) the integer
# kernels are as fast at 32 to 65 columns, a fifth slower at 93, a half at 128.
MANY_COLUMNS = 72
# Columns multiplied at once: bounds the packed copy, and the second-level cache is done with
# fewer already.
MOST_COLUMNS = 256

Place = tuple[int, int]
Stored = tuple[int, int, int, int]
"""Address, bytes from row to row, rows, and storage type of a matrix."""


class ManyColumnProducts:
    """Packs columns and describes the products with them; one at a time."""

    def __init__(self, threads: int, library: KernelLibrary) -> None:
        self._threads, self._library = threads, library
        self._width = packed_shape(library.isa).width
        self._rooms = self._panels = np.empty(0, np.uint8)
        self._table = np.zeros(kernel.TABLE_WORDS, np.int64)
        words = [ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p]
        self._pack_type = ctypes.CFUNCTYPE(None, *words)

    def segments(
        self,
        matrices: Sequence[Stored],
        length: int,
        columns: int,
        x: Place,
        outs: Sequence[Place],
    ) -> tuple[np.ndarray, int]:
        """Pack ``columns`` columns of ``length`` values at ``x`` (address, bytes apart).

        Returns the board's segments, valid until the next call, and how many tiles they have.
        """
        self._prepare(length, columns, x)
        words, tiles = np.zeros((len(matrices), work_queue.SEGMENT_BYTES // 8), np.int64), 0
        for row, matrix, out in zip(words, matrices, outs, strict=True):
            address, stride, rows, type_id = matrix
            row[work_queue.BEGIN // 8] = tiles
            tiles -= -rows // kernel.TILE_ROWS
            row[work_queue.END // 8] = tiles
            row[work_queue.REST // 8] = self._kernel(type_id)
            row[work_queue.W // 8], row[work_queue.ROW_BYTES // 8] = address, stride
            row[work_queue.ROWS // 8], row[work_queue.LENGTH // 8] = rows, length
            row[work_queue.X // 8] = self._table.ctypes.data
            row[work_queue.OUT // 8], row[work_queue.OUT_STRIDE // 8] = out
            row[work_queue.TILE_ROWS // 8] = kernel.TILE_ROWS
        return words.reshape(-1), tiles

    def _prepare(self, length: int, columns: int, x: Place) -> None:
        room = kernel.room_bytes(length)
        room += -room % 64
        if self._rooms.nbytes < self._threads * room + 64:
            self._rooms = np.zeros(self._threads * room + 64, np.uint8)
        padded = -(-columns // self._width) * self._width
        if self._panels.nbytes < 4 * padded * length + 64:
            self._panels = np.empty(4 * padded * length + 64, np.uint8)
        panels, rooms = _aligned(self._panels), _aligned(self._rooms)
        # The places of rooms move with their size, and so do the words that say who is inside.
        for number in range(self._threads):
            start = rooms - self._rooms.ctypes.data + number * room
            self._rooms[start : start + 8] = 0
        self._table[: kernel.W_ROOMS + 1] = panels, columns, rooms, room, self._threads
        pack = self._library.address("pack", "pack", kernel.build_pack)
        self._pack_type(pack)(*x, columns, length, panels)

    def _kernel(self, type_id: int) -> int:
        name = f"wide_{QuantType(type_id).name.lower()}"
        return self._library.address(
            name, "product", lambda isa: kernel.build_many_columns(isa, type_id)
        )


def _aligned(memory: np.ndarray) -> int:
    return int(memory.ctypes.data) + -int(memory.ctypes.data) % 64
