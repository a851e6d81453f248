"""Products of stored rows with the columns of a prompt, whose values are rounded to 8 bits.

A prompt is arithmetic, and processors multiply bytes faster than anything else. 32 values of a
column share a scale and make an *8-bit record* of :data:`RECORD_BYTES`; the records of all
columns for the same 32 places stand next to each other:

========  =========================================================================
offset    content
========  =========================================================================
0         32 int8
32        float32 scale: value = scale * int8
36        float32: sum of all 32 values, as rounded
40        2 float32: sums of the first and of the last 16 of them
========  =========================================================================

A thread interleaves some rows in memory of its own, a block of 256 values at a time: four
values of each row, then the next four, as unsigned bytes with the float factors of each 16 or 32
values behind them. That costs a twentieth of the product with 64 columns and needs no second
copy of the weights. Products of bytes meet their factors after 16 or 32 values.

The kernel has the signature of ``product``, with ``x`` at a *table* of words (``rooms``).
A result is summed over its row in order, so it depends on the row and the column alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from engine.gguf.quant_types import QuantType
from engine.kernels.interleave import LAYOUTS, VALUES, Layout, build_interleave
from engine.kernels.ir import F32, I8, I16, I32, I64, PTR, VOID, Emitter, Isa, const, function, vec
from engine.kernels.product import PRODUCT_ARGS
from engine.kernels.rooms import ROOM_HEAD, W_COLUMNS, W_INPUT, take_room

RECORD_BYTES = 48
SCALE, SUM, SUM16 = 32, 36, 40
TILE_ROWS = 32
MOST_COLUMNS = 128
# Columns in one turn of the inner loop; their number is filled up with zeros to a multiple.
TURN = 2

_LEVELS = 127.0
_FINITE = 0x7F800000
_SMALLEST = 1e-30
_SUMS_BYTES = TILE_ROWS * MOST_COLUMNS * 4


def takes(isa: Isa, type_id: int, length: int) -> bool:
    """Whether there is such a product on a processor for rows of this type and length."""
    return isa.pairs and type_id in LAYOUTS and length % LAYOUTS[QuantType(type_id)].values == 0


def room_bytes(length: int) -> int:
    """Memory that one thread needs; the same for rows of any length."""
    del length
    most = max(layout.group_bytes(1) for layout in LAYOUTS.values())
    return ROOM_HEAD + _SUMS_BYTES + TILE_ROWS * most


def record_bytes(isa: Isa, length: int, columns: int) -> int:
    """Memory of the records of some columns."""
    del isa
    return length // VALUES * -(-columns // TURN) * TURN * RECORD_BYTES


def build_round(isa: Isa) -> ir.Module:
    """``pack(x, x_stride, columns, length, out)``: float32 columns as 8-bit records."""
    module = ir.Module("round8")
    e, args = function(module, "pack", VOID, [PTR, I64, I64, I64, PTR], isa)
    x, stride, columns, length, out = args
    padded = _padded(e, columns)
    nothing = e.local(vec(F32, VALUES))
    e.store(const(vec(F32, VALUES), 0.0), nothing)
    with e.loop(e.b.udiv(length, const(I64, VALUES))) as place:
        row = e.at(out, e.b.mul(e.b.mul(place, padded), const(I64, RECORD_BYTES)))
        start = e.at(x, e.b.mul(place, const(I64, 4 * VALUES)))
        with e.loop(padded) as column:
            there = e.b.icmp_signed("<", column, columns)
            source = e.b.select(there, e.at(start, e.b.mul(column, stride)), nothing)
            _round(e, source, e.at(row, e.b.mul(column, const(I64, RECORD_BYTES))))
    e.b.ret_void()
    return module


def _padded(e: Emitter, columns: ir.Value) -> ir.Value:
    return e.b.and_(e.b.add(columns, const(I64, TURN - 1)), const(I64, -TURN))


def _round(e: Emitter, source: ir.Value, record: ir.Value) -> None:
    values = e.load(vec(F32, VALUES), source)
    bits = e.mask(e.b.bitcast(values, vec(I32, VALUES)), 0x7FFFFFFF)

    def larger(a: ir.Value, b: ir.Value) -> ir.Value:
        return e.b.select(e.b.icmp_signed(">", a, b), a, b)

    # As integers, NaN is above infinity above any number.
    top = e.sum_lanes(bits, larger)
    largest, zero = e.b.bitcast(top, F32), const(F32, 0.0)
    usable = e.b.fcmp_ordered(">=", largest, const(F32, _SMALLEST))
    finite = e.b.icmp_signed("<", top, const(I32, _FINITE))
    inverse = e.b.select(usable, e.b.fdiv(const(F32, _LEVELS), largest), zero)
    inverse = e.b.select(finite, inverse, zero)
    scale = e.b.fmul(largest, const(F32, 1 / _LEVELS))
    scale = e.b.select(finite, scale, const(F32, float("nan")))
    values = e.b.select(e.splat(finite, VALUES), values, const(values.type, 0.0))
    rounded = e.round_to_int(e.b.fmul(values, e.splat(inverse, VALUES)))
    e.store(e.b.trunc(rounded, vec(I8, VALUES)), record)
    sums = [e.b.sitofp(e.sum_lanes(half, e.b.add), F32) for half in e.halves(rounded)]
    e.store(scale, record, SCALE)
    e.store(e.b.fmul(e.b.fadd(*sums), scale), record, SUM)
    for number, total in enumerate(sums):
        e.store(e.b.fmul(total, scale), record, SUM16 + 4 * number)


def build_eight_bits(isa: Isa, type_id: int) -> ir.Module:
    """``product`` for rows of one storage type and up to :data:`MOST_COLUMNS` columns."""
    module = ir.Module("eight_bits")
    layout = LAYOUTS[QuantType(type_id)]
    interleave = build_interleave(module, isa, layout)
    e, args = function(module, "product", VOID, PRODUCT_ARGS, isa)
    w, row_bytes, rows, length, table, _, out, out_stride = args
    room = take_room(e, table)
    records = e.b.inttoptr(e.load(I64, table, 8 * W_INPUT, 8), PTR)
    columns = e.load(I64, table, 8 * W_COLUMNS, 8)
    work = _Work(e, layout, _padded(e, columns), e.at(room, ROOM_HEAD))
    with e.loop(rows, TILE_ROWS) as row:
        left = e.minimum(e.b.sub(rows, row), const(I64, TILE_ROWS))
        groups = e.b.udiv(e.b.add(left, const(I64, work.lanes - 1)), const(I64, work.lanes))
        work.clear(groups)
        source = e.at(w, e.b.mul(row, row_bytes))
        with e.loop(e.b.udiv(length, const(I64, layout.values))) as index:
            block = e.at(source, e.b.mul(index, const(I64, layout.block_bytes)))
            e.b.call(interleave, [block, row_bytes, left, work.rows])
            first = e.b.mul(index, const(I64, layout.values // VALUES))
            work.multiply(groups, records, first)
        work.write(left, columns, e.at(out, e.b.mul(row, const(I64, 4))), out_stride)
    e.b.atomic_rmw("xchg", room, const(I64, 0), "seq_cst")
    e.b.ret_void()
    return module


class _Work:
    """A room: float32 sums ``[group of rows][column][row]``, then interleaved rows."""

    def __init__(self, e: Emitter, layout: Layout, columns: ir.Value, room: ir.Value) -> None:
        self.e, self.layout, self.columns = e, layout, columns
        self.lanes = 8 * e.isa.span
        self.floats = vec(F32, self.lanes)
        self.sums, self.rows = room, e.at(room, _SUMS_BYTES)
        self.sums_bytes = e.b.mul(columns, const(I64, 4 * self.lanes))

    def clear(self, groups: ir.Value) -> None:
        e = self.e
        with e.loop(e.b.mul(groups, self.columns)) as place:
            at = e.b.mul(place, const(I64, 4 * self.lanes))
            e.store(const(self.floats, 0.0), self.sums, at)

    def multiply(self, groups: ir.Value, records: ir.Value, first: ir.Value) -> None:
        """Add the products of an interleaved block; ``first`` is its place in records."""
        e, layout = self.e, self.layout
        step = e.b.mul(self.columns, const(I64, RECORD_BYTES))
        with e.loop(const(I64, layout.values // VALUES)) as part:
            x = e.at(records, e.b.mul(e.b.add(first, part), step))
            here = e.at(self.rows, e.b.mul(part, const(I64, layout.part_bytes(self.lanes))))
            with e.loop(groups) as group:
                rows = e.at(here, e.b.mul(group, const(I64, layout.group_bytes(self.lanes))))
                self._part(rows, x, e.at(self.sums, e.b.mul(group, self.sums_bytes)))

    def _part(self, rows: ir.Value, x: ir.Value, sums: ir.Value) -> None:
        """32 values of a group of rows with every column."""
        e, layout, size = self.e, self.layout, 4 * self.lanes
        weights = [e.load(vec(I8, size), rows, size * k) for k in range(8)]
        factors, lows = (
            [e.load(self.floats, rows, size * (8 + n)) for n in places]
            for places in layout.factor_places()
        )
        with e.loop(self.columns, TURN) as column:
            record = e.at(x, e.b.mul(column, const(I64, RECORD_BYTES)))
            to = e.at(sums, e.b.mul(column, const(I64, size)))
            totals = [e.load(self.floats, to, size * c) for c in range(TURN)]
            values = self._products(weights, factors, record)
            for c, (total, value) in enumerate(zip(totals, values, strict=True)):
                total = e.multiply_add(value, self._number(record, c, SCALE), total)
                for n, low in enumerate(lows):
                    place = SUM16 + 4 * n if len(lows) > 1 else SUM
                    total = e.multiply_add(low, self._number(record, c, place), total)
                e.store(total, to, size * c)

    def _number(self, record: ir.Value, column: int, place: int) -> ir.Value:
        """A float of a column's record in every lane."""
        value = self.e.load(F32, record, RECORD_BYTES * column + place, 4)
        return self.e.splat(value, self.lanes)

    def _products(
        self, weights: Sequence[ir.Value], factors: Sequence[ir.Value], record: ir.Value
    ) -> list[ir.Value]:
        """Products of bytes times the factors of the rows, for each column of a turn."""
        e, size = self.e, 8 // len(factors)
        values: list[ir.Value] = []
        for n, factor in enumerate(factors):
            ints = self._dots(weights, record, range(n * size, n * size + size))
            numbers = [e.b.sitofp(value, self.floats) for value in ints]
            if not values:
                values = [e.b.fmul(number, factor) for number in numbers]
            else:
                values = [
                    e.multiply_add(number, factor, value)
                    for number, value in zip(numbers, values, strict=True)
                ]
        return values

    def _dots(self, weights: Sequence[ir.Value], record: ir.Value, part: range) -> list[ir.Value]:
        """Sums of products of bytes, four to a lane, as int32.

        Columns take turns: the sums of one must wait for each other.
        """
        e, lanes, together = self.e, self.lanes, self.layout.together
        totals = [const(vec(I32, lanes), 0)] * TURN
        pairs: list[ir.Value] = []
        for k in part:
            xs = [self._four(record, c, k) for c in range(TURN)]
            if e.isa.span > 1:
                totals = [e.dot_bytes(t, weights[k], x) for t, x in zip(totals, xs, strict=True)]
                continue
            more = [e.pairs_of_bytes(weights[k], x, signed=self.layout.signed) for x in xs]
            pairs = [e.b.add(*two) for two in zip(pairs, more, strict=True)] if pairs else more
            if (k + 1) % together == 0 or k == part[-1]:
                ones = const(vec(I16, 2 * lanes), 1)
                totals = [e.dot_pairs(t, p, ones) for t, p in zip(totals, pairs, strict=True)]
                pairs = []
        return totals

    def _four(self, record: ir.Value, column: int, place: int) -> ir.Value:
        """Four values of a column in every lane."""
        value = self.e.load(I32, record, RECORD_BYTES * column + 4 * place, 4)
        return self.e.b.bitcast(self.e.splat(value, self.lanes), vec(I8, 4 * self.lanes))

    def write(
        self, count: ir.Value, columns: ir.Value, out: ir.Value, out_stride: ir.Value
    ) -> None:
        """Results of ``count`` rows, column by column."""
        e, lanes = self.e, self.lanes
        with e.loop(count, lanes) as row, e.loop(columns) as column:
            sums = e.at(self.sums, e.b.mul(e.b.udiv(row, const(I64, lanes)), self.sums_bytes))
            sums = e.at(sums, e.b.mul(column, const(I64, 4 * lanes)))
            to = e.at(e.at(out, e.b.mul(column, out_stride)), e.b.mul(row, const(I64, 4)))
            left = e.b.sub(count, row)
            with e.b.if_else(e.b.icmp_signed(">=", left, const(I64, lanes))) as (whole, rest):
                with whole:
                    e.store(e.load(self.floats, sums), to)
                with rest, e.loop(left) as place:
                    at = e.b.mul(place, const(I64, 4))
                    e.store(e.load(F32, sums, at), to, at)
