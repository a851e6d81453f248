"""Products of stored rows with many columns, to the same bits as with a few.

What ``product`` does for eight columns at a time costs as much for unpacking as for
multiplying. Here a thread unpacks some blocks of some rows into memory of its own, as the numbers
that ``blocks`` gives, and multiplies them with all columns: in the order of ``product``, so that
a column's result does not depend on how many there are.

The kernel has the signature of ``product``, with ``x`` at a *table* of words (``rooms``).
An unpacked block is a record of the size of one of activations: 256 int16 in the same places,
from :data:`FACTORS` on the float factor of each part, from :data:`MINIMA` on those of the sums.
"""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from engine.kernels.blocks import DECODERS, Decoded
from engine.kernels.ir import F32, I16, I32, I64, PTR, VOID, Emitter, Isa, const, function, vec
from engine.kernels.product import PRODUCT_ARGS, BlockProduct
from engine.kernels.quantise import (
    GROUP_COLUMNS,
    RECORD_BYTES,
    RECORD_VALUES,
    SUMS32,
    build_quantise,
    place_of,
)
from engine.kernels.rooms import ROOM_HEAD, W_COLUMNS, W_INPUT, take_room

TILE_ROWS = 16
MOST_COLUMNS = 128
# Blocks of a row that are unpacked together.
PIECE = 4
FACTORS, MINIMA = 512, 544

_SUMS_BYTES = TILE_ROWS * MOST_COLUMNS * 64
_ROWS_BYTES = TILE_ROWS * PIECE * RECORD_BYTES


def takes(isa: Isa, type_id: int, length: int) -> bool:
    """Whether there is such a product on a processor for rows of this type and length."""
    return isa.pairs and type_id in DECODERS and length % RECORD_VALUES == 0


def room_bytes(length: int) -> int:
    """Memory that one thread needs; the same for rows of any length."""
    del length
    return ROOM_HEAD + _SUMS_BYTES + _ROWS_BYTES


def record_bytes(isa: Isa, length: int, columns: int) -> int:
    """Memory of the records of some columns, in whole groups."""
    del isa
    groups = -(-columns // GROUP_COLUMNS)
    return groups * GROUP_COLUMNS * length // RECORD_VALUES * RECORD_BYTES


def build_records(isa: Isa) -> ir.Module:
    """``pack(x, x_stride, columns, length, out)``: records whose last group has room for all."""
    return build_quantise(isa, whole_groups=True)


def build_unpacked(isa: Isa, type_id: int) -> ir.Module:
    """``product`` for rows of one block type and up to :data:`MOST_COLUMNS` columns."""
    module = ir.Module("unpacked")
    unpack, shape = _build_unpack(module, isa, type_id)
    e, args = function(module, "product", VOID, PRODUCT_ARGS, isa)
    _Unpacked(e, args, type_id, unpack, shape).emit()
    e.b.ret_void()
    return module


def _build_unpack(module: ir.Module, isa: Isa, type_id: int) -> tuple[ir.Function, Decoded]:
    """``unpack(block, row_bytes, rows, blocks, out)``: some blocks of each of some rows.

    Also what a block consists of, whose values are those of that function.
    """
    e, args = function(module, "unpack", VOID, [PTR, I64, I64, I64, PTR], isa)
    e.b.function.linkage = "internal"
    block, row_bytes, rows, blocks, out = args
    size, decode = DECODERS[type_id]
    with e.loop(rows) as row, e.loop(blocks) as index:
        source = e.at(e.at(block, e.b.mul(row, row_bytes)), e.b.mul(index, const(I64, size)))
        # The next blocks of many rows: more streams than a processor follows by itself.
        for line in range(0, size, 64):
            ahead = [e.at(source, PIECE * size + line), *(const(I32, n) for n in (0, 3, 1))]
            e.call("llvm.prefetch.p0", VOID, ahead)
        place = e.b.add(e.b.mul(row, const(I64, PIECE)), index)
        to = e.at(out, e.b.mul(place, const(I64, RECORD_BYTES)))
        decoded = decode(e, source)
        _store(e, decoded, to)
    e.b.ret_void()
    return e.b.function, decoded


def _store(e: Emitter, decoded: Decoded, to: ir.Value) -> None:
    for part, (factor, groups) in enumerate(decoded.parts):
        e.store(factor, to, FACTORS + 4 * part)
        for g in groups[:: decoded.step]:
            even, odd = decoded.group(g)
            e.store(even, to, place_of(e, g))
            e.store(odd, to, place_of(e, g) + 32 * e.isa.span)
    for factors, _ in decoded.minima:
        e.store(factors, to, MINIMA)


class _Unpacked(BlockProduct):
    """``product`` whose blocks come from a room; its sums are there as well."""

    def __init__(
        self,
        e: Emitter,
        args: Sequence[ir.Value],
        type_id: int,
        unpack: ir.Function,
        shape: Decoded,
    ) -> None:
        super().__init__(e, args, type_id, GROUP_COLUMNS)
        self.unpack, self.shape, table = unpack, shape, args[4]
        self.stored_bytes, self.block_bytes = self.block_bytes, RECORD_BYTES
        self.room = take_room(e, table)
        self.records = e.b.inttoptr(e.load(I64, table, 8 * W_INPUT, 8), PTR)
        self.count = e.load(I64, table, 8 * W_COLUMNS, 8)
        last = const(I64, GROUP_COLUMNS - 1)
        self.groups = e.b.udiv(e.b.add(self.count, last), const(I64, GROUP_COLUMNS))
        self.sums = e.at(self.room, ROOM_HEAD)
        self.unpacked = e.at(self.sums, _SUMS_BYTES)
        # From the sums of a row with a group of columns to those of the next row.
        self.group_sums = const(I64, self.lane_bytes * GROUP_COLUMNS)
        self.row_sums = e.b.mul(self.groups, self.group_sums)

    def emit(self) -> None:
        e = self.e
        blocks = e.b.ashr(self.length, const(I64, 8))
        with e.loop(self.rows, TILE_ROWS) as row:
            rows = e.minimum(e.b.sub(self.rows, row), const(I64, TILE_ROWS))
            self._clear(rows)
            w = e.at(self.w, e.b.mul(row, self.row_bytes))
            with e.loop(blocks, PIECE) as block:
                count = e.minimum(e.b.sub(blocks, block), const(I64, PIECE))
                source = e.at(w, e.b.mul(block, const(I64, self.stored_bytes)))
                e.b.call(self.unpack, [source, self.row_bytes, rows, count, self.unpacked])
                self._multiply(rows, blocks, block, count)
            self._write(e.at(self.out, e.b.mul(row, const(I64, 4))), rows)
        e.b.atomic_rmw("xchg", self.room, const(I64, 0), "seq_cst")

    def _clear(self, rows: ir.Value) -> None:
        e = self.e
        with e.loop(e.b.mul(rows, self.row_sums), self.lane_bytes) as place:
            e.store(const(self.lanes, 0.0), self.sums, place)

    def _multiply(self, rows: ir.Value, blocks: ir.Value, first: ir.Value, count: ir.Value) -> None:
        """Some unpacked blocks of each row with every group of columns."""
        e, step = self.e, const(I64, GROUP_COLUMNS * RECORD_BYTES)
        with e.loop(self.groups) as group:
            place = e.b.add(e.b.mul(group, blocks), first)
            x = e.at(self.records, e.b.mul(place, step))
            with e.loop(rows) as row:
                at = e.b.add(e.b.mul(row, self.row_sums), e.b.mul(group, self.group_sums))
                sums = e.at(self.sums, at)
                here = e.at(self.unpacked, e.b.mul(row, const(I64, PIECE * RECORD_BYTES)))
                with e.loop(count) as index:
                    block = e.at(here, e.b.mul(index, const(I64, RECORD_BYTES)))
                    self._block(e.at(x, e.b.mul(index, step)), block, sums)

    def _decoded(self, block: ir.Value) -> Decoded:
        """A block as it was unpacked."""
        e, shape = self.e, self.shape
        words = vec(I16, 16 * shape.step)

        def group(g: int) -> tuple[ir.Value, ir.Value]:
            at = place_of(e, g)
            return e.load(words, block, at, 32), e.load(words, block, at + 32 * e.isa.span, 32)

        parts = [
            (e.load(F32, block, FACTORS + 4 * n, 4), groups)
            for n, (_, groups) in enumerate(shape.parts)
        ]
        minima = [
            (e.load(vec(F32, 8 if offset == SUMS32 else 16), block, MINIMA, 32), offset)
            for _, offset in shape.minima
        ]
        return Decoded(group, shape.step, parts, minima)

    def _prefetch(self, block: ir.Value) -> None:
        """Nothing: what is unpacked is near."""

    def _write(self, out: ir.Value, rows: ir.Value) -> None:
        """Add up the lanes and write the results of some rows."""
        e = self.e
        with e.loop(rows) as row, e.loop(self.count) as column:
            at = e.b.mul(column, const(I64, self.lane_bytes))
            at = e.b.add(e.b.mul(row, self.row_sums), at)
            total = e.sum_lanes(e.load(self.lanes, self.sums, at, 32), e.b.fadd)
            to = e.b.add(e.b.mul(column, self.out_stride), e.b.mul(row, const(I64, 4)))
            e.store(total, out, to)
