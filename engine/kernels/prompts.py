"""Products with the columns of a prompt for a :class:`~engine.kernels.pool.KernelPool`.

There are several :class:`Way`s to multiply many columns. All of them first bring the columns
into a form of their own, and give each thread memory to work in; both are kept here and reused
from product to product.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from llvmlite import ir

from engine.gguf.quant_types import QuantType
from engine.kernels import eight_bits, rooms, work_queue
from engine.kernels import many_columns as floats
from engine.kernels.ir import Isa
from engine.kernels.jit import KernelLibrary

# From so many columns on unpacking pays: where it was measured (Q4_K, AVX-512) the integer
# kernels are as fast at 32 to 65 columns, a fifth slower at 93, a half at 128.
MANY_COLUMNS = 72

Place = tuple[int, int]
Stored = tuple[int, int, int, int]
"""Address, bytes from row to row, rows, and storage type of a matrix."""


@dataclass(frozen=True, slots=True)
class Way:
    """How many columns are multiplied.

    Attributes:
        name: of its compiled functions.
        takes: whether it can multiply rows of a type and length on a processor.
        tile_rows: rows that a thread takes at once.
        most_columns: columns multiplied at once; bounds the memory below.
        room_bytes: memory of a thread, for rows of a length.
        input_bytes: memory of so many columns of a length in the way's own form.
        pack, product: write the function that brings columns there, and the kernel of a type.
    """

    name: str
    takes: Callable[[Isa, int, int], bool]
    tile_rows: int
    most_columns: int
    room_bytes: Callable[[int], int]
    input_bytes: Callable[[Isa, int, int], int]
    pack: Callable[[Isa], ir.Module]
    product: Callable[[Isa, int], ir.Module]


FLOATS = Way(
    "wide",
    floats.takes,
    floats.TILE_ROWS,
    256,
    floats.room_bytes,
    floats.panel_bytes,
    floats.build_pack,
    floats.build_many_columns,
)
EIGHT_BITS = Way(
    "eight_bits",
    eight_bits.takes,
    eight_bits.TILE_ROWS,
    eight_bits.MOST_COLUMNS,
    eight_bits.room_bytes,
    eight_bits.record_bytes,
    eight_bits.build_round,
    eight_bits.build_eight_bits,
)


class PromptProducts:
    """Brings columns into their form and describes the products with them; one at a time."""

    def __init__(self, threads: int, library: KernelLibrary) -> None:
        self._threads, self._library = threads, library
        self._rooms = self._input = np.empty(0, np.uint8)
        self._table = np.zeros(rooms.TABLE_WORDS, np.int64)
        words = [ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p]
        self._pack_type = ctypes.CFUNCTYPE(None, *words)

    @property
    def nbytes(self) -> int:
        """Bytes of the memory that is kept."""
        return self._rooms.nbytes + self._input.nbytes

    def segments(
        self,
        way: Way,
        matrices: Sequence[Stored],
        length: int,
        columns: int,
        x: Place,
        outs: Sequence[Place],
    ) -> tuple[np.ndarray, int]:
        """Pack ``columns`` columns of ``length`` values at ``x`` (address, bytes apart).

        Returns the board's segments, valid until the next call, and how many tiles they have.
        """
        self._prepare(way, length, columns, x)
        words, tiles = np.zeros((len(matrices), work_queue.SEGMENT_BYTES // 8), np.int64), 0
        for row, matrix, out in zip(words, matrices, outs, strict=True):
            address, stride, rows, type_id = matrix
            row[work_queue.BEGIN // 8] = tiles
            tiles -= -rows // way.tile_rows
            row[work_queue.END // 8] = tiles
            row[work_queue.REST // 8] = self.kernel(way, type_id)
            row[work_queue.W // 8], row[work_queue.ROW_BYTES // 8] = address, stride
            row[work_queue.ROWS // 8], row[work_queue.LENGTH // 8] = rows, length
            row[work_queue.X // 8] = self._table.ctypes.data
            row[work_queue.OUT // 8], row[work_queue.OUT_STRIDE // 8] = out
            row[work_queue.TILE_ROWS // 8] = way.tile_rows
        return words.reshape(-1), tiles

    def kernel(self, way: Way, type_id: int) -> int:
        """Address of a way's kernel for a type, compiled if need be."""
        name = f"{way.name}_{QuantType(type_id).name.lower()}"
        return self._library.address(name, "product", lambda isa: way.product(isa, type_id))

    def _prepare(self, way: Way, length: int, columns: int, x: Place) -> None:
        room = way.room_bytes(length)
        room += -room % 64
        if self._rooms.nbytes < self._threads * room + 64:
            self._rooms = np.zeros(self._threads * room + 64, np.uint8)
        need = way.input_bytes(self._library.isa, length, columns) + 64
        if self._input.nbytes < need:
            self._input = np.empty(need, np.uint8)
        packed, first = _aligned(self._input), _aligned(self._rooms)
        # The places of rooms move with their size, and so do the words that say who is inside.
        for number in range(self._threads):
            start = first - self._rooms.ctypes.data + number * room
            self._rooms[start : start + 8] = 0
        self._table[: rooms.W_ROOMS + 1] = packed, columns, first, room, self._threads
        pack = self._library.address(f"{way.name}_pack", "pack", way.pack)
        self._pack_type(pack)(*x, columns, length, packed)


def _aligned(memory: np.ndarray) -> int:
    return int(memory.ctypes.data) + -int(memory.ctypes.data) % 64
