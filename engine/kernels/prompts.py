"""Products with the columns of a prompt for a :class:`~engine.kernels.pool.KernelPool`.

There are several :class:`Way`s to multiply many columns. All of them first bring the columns
into a form of their own, and give each thread memory to work in; both are kept here and reused
from product to product.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from llvmlite import ir

from engine.gguf.quant_types import QuantType
from engine.kernels import eight_bits, rooms, unpacked, work_queue
from engine.kernels import many_columns as floats
from engine.kernels.ir import Isa
from engine.kernels.jit import KernelLibrary

# From so many columns on unpacking to integers pays, twice as many with vectors of 512 bits;
# the bits are the same.
UNPACKED_COLUMNS = 40
# From so many columns on unpacking to float32 pays, where there are no integer products.
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
UNPACKED = Way(
    "unpacked",
    unpacked.takes,
    unpacked.TILE_ROWS,
    unpacked.MOST_COLUMNS,
    unpacked.room_bytes,
    unpacked.record_bytes,
    unpacked.build_records,
    unpacked.build_unpacked,
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


def way_of(
    isa: Isa, kinds: Sequence[tuple[int, int]], columns: int, eight_bits: bool
) -> Way | None:
    """How matrices (type, length) meet so many columns; ``None`` is a few columns at a time."""
    if eight_bits:
        return EIGHT_BITS
    if all(UNPACKED.takes(isa, *kind) for kind in kinds):
        return UNPACKED if columns >= UNPACKED_COLUMNS * isa.span else None
    if columns >= MANY_COLUMNS and all(FLOATS.takes(isa, *kind) for kind in kinds):
        return FLOATS
    return None


class PromptProducts:
    """Describes products with many columns and holds the memory they work in, for one at a time.

    Attributes:
        input: address of the columns in a way's own form.
    """

    def __init__(self, threads: int, library: KernelLibrary) -> None:
        self._threads, self._library = threads, library
        self._rooms = self._memory = np.empty(0, np.uint8)
        self._table = np.zeros(rooms.TABLE_WORDS, np.int64)
        self.input = 0

    def prepare(self, way: Way, length: int, columns: int) -> None:
        """Have memory for ``columns`` columns of ``length`` values."""
        room = way.room_bytes(length)
        room += -room % 64
        if self._rooms.nbytes < self._threads * room + 64:
            self._rooms = np.zeros(self._threads * room + 64, np.uint8)
        need = way.input_bytes(self._library.isa, length, columns) + 64
        if self._memory.nbytes < need:
            self._memory = np.empty(need, np.uint8)
        self.input, first = _aligned(self._memory), _aligned(self._rooms)
        # The places of rooms move with their size, and so do the words that say who is inside.
        for number in range(self._threads):
            start = first - self._rooms.ctypes.data + number * room
            self._rooms[start : start + 8] = 0
        self._table[: rooms.W_ROOMS + 1] = self.input, columns, first, room, self._threads

    def segments(
        self, way: Way, matrices: Sequence[Stored], length: int, outs: Sequence[Place]
    ) -> tuple[np.ndarray, int]:
        """The board's segments for what was prepared, and how many tiles they have."""
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

    def pack(self, way: Way) -> int:
        """Address of the function that brings columns into a way's form."""
        return self._library.address(f"{way.name}_pack", "pack", way.pack)

    def kernel(self, way: Way, type_id: int) -> int:
        """Address of a way's kernel for a type, compiled if need be."""
        name = f"{way.name}_{QuantType(type_id).name.lower()}"
        return self._library.address(name, "product", lambda isa: way.product(isa, type_id))


def _aligned(memory: np.ndarray) -> int:
    return int(memory.ctypes.data) + -int(memory.ctypes.data) % 64
