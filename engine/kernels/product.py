"""Products of stored rows with one to eight columns, as LLVM code.

Every kernel has the same C signature::

    void product(w, row_bytes, rows, row_length, x, x_stride, out, out_stride)

``w`` is the first row; ``out`` receives float32, column ``c`` of row ``r`` at
``c * out_stride + 4 * r`` bytes. For block types ``x`` holds activation records (see
``quantise``), the records of all columns for 256 places next to each other; for float
types it is float32 with ``x_stride`` bytes from column to column.

The sum of a row runs over its blocks in order, in eight lanes that are added at the end, so a
result depends on the row and the column alone: not on threads, tiles or neighbours.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from llvmlite import ir

from engine.gguf.quant_types import QuantType
from engine.kernels.blocks import DECODERS, Decoded, q8_0_group
from engine.kernels.floats import emit_float_product
from engine.kernels.ir import F32, I32, I64, PTR, VOID, Emitter, Group, Isa, const, function, vec
from engine.kernels.quantise import RECORD_BYTES, SCALE, place_of

PRODUCT_ARGS = (PTR, I64, I64, I64, PTR, I64, PTR, I64)

# With several columns, rows are taken together so that 256 places of all columns stay in the
# first-level cache; with one, a row is streamed alone, as memory likes it best. (Half of them
# with wide vectors: sums must fit in a page of stack, beyond which Windows wants it checked.)
_PANEL_ROWS = 8
# Up to so many columns two sums side by side halve the waiting of one addition for another.
_CHAINED_COLUMNS = 2
# Bytes to ask for ahead of the block in work: processors follow a row by themselves, but stop
# at each page. A third faster than without where it was measured.
PREFETCH = 4096

Chains = tuple[ir.Value, ...]


def build_product(isa: Isa, type_id: int, columns: int) -> ir.Module:
    """The kernel ``product`` for a storage type and a number of columns."""
    module = ir.Module("product")
    e, args = function(module, "product", VOID, PRODUCT_ARGS, isa)
    if type_id in DECODERS:
        BlockProduct(e, args, type_id, columns).emit()
    else:
        emit_float_product(e, args, type_id, columns)
    e.b.ret_void()
    return module


class BlockProduct:
    """Emitter of the kernel of one block type."""

    def __init__(self, e: Emitter, args: Sequence[ir.Value], type_id: int, columns: int) -> None:
        self.e = e
        self.w, self.row_bytes, self.rows, self.length, self.x, _, self.out, self.out_stride = args
        self.block_bytes, self.decode = DECODERS[type_id]
        self.tail = type_id == QuantType.Q8_0
        self.columns = columns
        self.panel = 1 if columns == 1 else _PANEL_ROWS // e.isa.span
        # With more there is enough other work, and not enough registers.
        self.chains = 2 if columns <= _CHAINED_COLUMNS else 1
        self.lanes = vec(F32, 8 if self.tail else 8 * e.isa.span)
        self.lane_bytes = 4 * self.lanes.count
        self.sums = e.local(self.lanes, self.panel * columns)

    def emit(self) -> None:
        e = self.e
        records = e.b.ashr(self.length, const(I64, 8))
        with e.loop(self.rows, self.panel) as row:
            count = e.minimum(e.b.sub(self.rows, row), const(I64, self.panel))
            w = e.at(self.w, e.b.mul(row, self.row_bytes))
            for place in range(self.panel * self.columns):
                e.store(const(self.lanes, 0.0), self.sums, self.lane_bytes * place)
            with e.loop(records) as record:
                x = e.at(self.x, e.b.mul(record, const(I64, RECORD_BYTES * self.columns)))
                blocks = e.at(w, e.b.mul(record, const(I64, self.block_bytes)))
                self._each_row(count, blocks, partial(self._block, x))
            if self.tail:
                self._tail(w, records, count)
            self._finish(row, count)

    def _each_row(
        self, count: ir.Value, w: ir.Value, body: Callable[[ir.Value, ir.Value], None]
    ) -> None:
        """Run ``body(address in the row, its sums)`` for the rows of a panel."""
        if self.panel == 1:
            body(w, self.sums)
            return
        e = self.e
        with e.loop(count) as r:
            offset = e.b.mul(r, const(I64, self.lane_bytes * self.columns))
            body(e.at(w, e.b.mul(r, self.row_bytes)), e.at(self.sums, offset))

    def _block(self, x: ir.Value, block: ir.Value, sums: ir.Value) -> None:
        """Add the products of 256 values of a row with every column."""
        e = self.e
        self._prefetch(block)
        decoded = self._decoded(block)
        totals = [e.load(self.lanes, sums, self.lane_bytes * c, 32) for c in range(self.columns)]
        for factor, groups in decoded.parts:
            ints: list[Chains] = []
            for g in groups[:: decoded.step]:
                ints = self._group(ints, decoded.group(g), e.at(x, place_of(e, g)))
            totals = [self._scaled(t, ints[c], factor, x, c) for c, t in enumerate(totals)]
        for factors, offset in decoded.minima:
            for lanes, at in self._fitted(factors, offset):
                for c, total in enumerate(totals):
                    sums_of_x = e.load(self.lanes, x, RECORD_BYTES * c + at, 32)
                    totals[c] = e.multiply_add(lanes, sums_of_x, total)
        for c, total in enumerate(totals):
            e.store(total, sums, self.lane_bytes * c)

    def _decoded(self, block: ir.Value) -> Decoded:
        """256 values of a row."""
        return self.decode(self.e, block)

    def _fitted(self, factors: ir.Value, offset: int) -> list[tuple[ir.Value, int]]:
        """Factors of sums cut into vectors as wide as the totals, or filled up with zeros."""
        e, width = self.e, self.lanes.count
        if factors.type.count > width:
            return [(half, offset + 32 * k) for k, half in enumerate(e.halves(factors))]
        if factors.type.count < width:
            factors = e.pick(factors, range(width), const(factors.type, 0.0))
        return [(factors, offset)]

    def _group(self, ints: list[Chains], group: Group, x: ir.Value) -> list[Chains]:
        """Add the integer products of a step with every column; ``x`` is the first one's place."""
        e, words = self.e, group[0].type
        zero = const(vec(I32, words.count // 2), 0)
        result = []
        for c in range(self.columns):
            at = e.at(x, RECORD_BYTES * c)
            before = ints[c] if ints else (zero,) * self.chains
            first = e.dot_pairs(before[0], group[0], e.load(words, at, 0, 32))
            other = first if self.chains == 1 else before[1]
            other = e.dot_pairs(other, group[1], e.load(words, at, 32 * e.isa.span, 32))
            result.append((other,) if self.chains == 1 else (first, other))
        return result

    def _scaled(
        self, total: ir.Value, ints: Chains, factor: ir.Value, x: ir.Value, c: int
    ) -> ir.Value:
        e = self.e
        whole = ints[0] if self.chains == 1 else e.b.add(*ints)
        # In this order, for the second factor can come straight from memory into all lanes.
        value = e.b.fmul(e.b.sitofp(whole, self.lanes), e.splat(factor, self.lanes.count))
        scale = e.splat(e.load(F32, x, RECORD_BYTES * c + SCALE, 4), self.lanes.count)
        return e.multiply_add(value, scale, total)

    def _prefetch(self, block: ir.Value) -> None:
        e = self.e
        ahead = e.at(block, PREFETCH)
        if self.panel > 1:  # the same place in the next panel
            ahead = e.at(block, e.b.mul(self.row_bytes, const(I64, self.panel)))
        for line in range(0, self.block_bytes, 64):
            args = [e.at(ahead, line), const(I32, 0), const(I32, 3), const(I32, 1)]
            e.call("llvm.prefetch.p0", VOID, args)

    def _tail(self, w: ir.Value, records: ir.Value, count: ir.Value) -> None:
        """Q8_0 rows need not fill the last record: its blocks one by one."""
        e = self.e
        left = e.b.ashr(e.b.and_(self.length, const(I64, 255)), const(I64, 5))
        x = e.at(self.x, e.b.mul(records, const(I64, RECORD_BYTES * self.columns)))
        start = e.at(w, e.b.mul(records, const(I64, self.block_bytes)))

        def body(blocks: ir.Value, sums: ir.Value) -> None:
            with e.loop(left) as index:
                factor, group = q8_0_group(e, e.at(blocks, e.b.mul(index, const(I64, 34))))
                odd = e.b.and_(index, const(I64, e.isa.span - 1))
                place = e.b.mul(e.b.sub(index, odd), const(I64, 64))
                place = e.b.add(place, e.b.mul(odd, const(I64, 32)))
                ints = self._group([], group, e.at(x, place))
                for c, value in enumerate(ints):
                    total = e.load(self.lanes, sums, self.lane_bytes * c, 32)
                    e.store(self._scaled(total, value, factor, x, c), sums, self.lane_bytes * c)

        self._each_row(count, start, body)

    def _finish(self, row: ir.Value, count: ir.Value) -> None:
        """Add up the lanes and write the results of a panel."""
        e = self.e

        def body(out: ir.Value, sums: ir.Value) -> None:
            for c in range(self.columns):
                total = e.sum_lanes(e.load(self.lanes, sums, self.lane_bytes * c, 32), e.b.fadd)
                e.store(total, out, e.b.mul(self.out_stride, const(I64, c)))

        out = e.at(self.out, e.b.mul(row, const(I64, 4)))
        with e.loop(count) as r:
            offset = e.b.mul(r, const(I64, self.lane_bytes * self.columns))
            body(e.at(out, e.b.mul(r, const(I64, 4))), e.at(self.sums, offset))
