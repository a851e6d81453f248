"""Products of stored rows with many columns: unpack some rows, then multiply them as plain ones.

With few columns a product is reading, with many it is arithmetic. For 16-bit types, and for
processors without integer products, the columns are packed as the panels of ``packed``; a thread
unpacks some rows of the matrix into memory of its own, a length that stays in its cache at a
time, and multiplies them with all panels.

The kernel has the signature of ``product``, with ``x`` at a *table* of words (``rooms``).
A result is summed over its row in order, in pieces that depend on the row's length alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from llvmlite import ir

from engine.gguf.quant_types import QuantType
from engine.kernels import packed as dense
from engine.kernels.blocks import DECODERS, Decoded
from engine.kernels.ir import F32, I16, I32, I64, PTR, VOID, Emitter, Isa, const, function, vec
from engine.kernels.product import PRODUCT_ARGS
from engine.kernels.quantise import SUMS16
from engine.kernels.rooms import ROOM_HEAD, W_COLUMNS, W_INPUT, take_room

# Rows unpacked together, and at most so many values of each: half a megabyte, which with a
# panel of columns fits into a second-level cache.
TILE_ROWS = 48
PIECE_VALUES = 2560
_APART = 64  # bytes between rows beyond their values, so that they differ in cache places
_STEP_VALUES = 256
_TRANSPOSED = 16


def piece_values(length: int) -> int:
    """Values of a row that are unpacked at a time: equal pieces of whole records."""
    pieces = -(-length // PIECE_VALUES)
    return -(-length // (pieces * _STEP_VALUES)) * _STEP_VALUES


def room_bytes(length: int) -> int:
    """Memory that one thread needs for rows of ``length`` values."""
    return ROOM_HEAD + TILE_ROWS * (4 * piece_values(length) + _APART)


def panel_bytes(isa: Isa, length: int, columns: int) -> int:
    """Memory of the panels of some columns."""
    width = dense.packed_shape(isa).width
    return 4 * -(-columns // width) * width * length


def takes(isa: Isa, type_id: int, length: int) -> bool:
    """Whether there is such a product on a processor for rows of this type and length."""
    del isa
    return (type_id in DECODERS or type_id in _FLOATS) and length % _STEP_VALUES == 0


_FLOATS = frozenset({int(QuantType.F16), int(QuantType.BF16)})


def build_pack(isa: Isa) -> ir.Module:
    """``pack(x, x_stride, columns, length, out)``: columns of float32 as panels.

    ``length`` is a multiple of 16; columns that are missing in the last panel become zeros.
    """
    module = ir.Module("pack")
    e, args = function(module, "pack", VOID, [PTR, I64, I64, I64, PTR], isa)
    x, stride, columns, length, out = args
    width = dense.packed_shape(isa).width
    size = min(_TRANSPOSED, width)
    lanes = vec(F32, size)
    nothing = e.local(lanes)
    e.store(const(lanes, 0.0), nothing)
    with e.loop(columns, size) as first:
        inside = e.b.urem(first, const(I64, width))
        panel = e.b.mul(e.b.sub(first, inside), e.b.mul(length, const(I64, 4)))
        to = e.at(e.at(out, panel), e.b.mul(inside, const(I64, 4)))
        with e.loop(length, size) as place:
            rows = []
            for n in range(size):
                column = e.b.add(first, const(I64, n))
                there = e.b.icmp_signed("<", column, columns)
                at = e.at(e.at(x, e.b.mul(column, stride)), e.b.mul(place, const(I64, 4)))
                rows.append(e.load(lanes, e.b.select(there, at, nothing)))
            for n, row in enumerate(e.transpose(rows)):
                at = e.b.mul(e.b.add(place, const(I64, n)), const(I64, 4 * width))
                e.store(row, to, at)
    e.b.ret_void()
    return module


def build_many_columns(isa: Isa, type_id: int) -> ir.Module:
    """``product`` for rows of one storage type and any number of columns."""
    module = ir.Module("wide")
    blocks = [dense.build_block(module, isa)]
    if dense.packed_shape(isa).vectors > 1:
        blocks.append(dense.build_block(module, isa, vectors=1))
    unpack = _build_unpack(module, isa, type_id)
    e, args = function(module, "product", VOID, PRODUCT_ARGS, isa)
    w, row_bytes, rows, length, table, _, out, out_stride = args
    panels = e.load(I64, table, 8 * W_INPUT, 8)
    columns = e.load(I64, table, 8 * W_COLUMNS, 8)
    room = take_room(e, table)
    buffer = e.at(room, ROOM_HEAD)
    piece, step = _piece(e, length)
    with e.loop(rows, TILE_ROWS) as row:
        count = e.minimum(e.b.sub(rows, row), const(I64, TILE_ROWS))
        source = e.at(w, e.b.mul(row, row_bytes))
        to = e.at(out, e.b.mul(row, const(I64, 4)))
        with _Chunks(e, length, piece) as (start, size):
            e.b.call(unpack, [source, row_bytes, count, start, size, buffer, step])
            _Multiplied(e, blocks, panels, columns, length, out_stride).emit(
                buffer, step, count, start, size, to
            )
    e.b.atomic_rmw("xchg", room, const(I64, 0), "seq_cst")
    e.b.ret_void()
    return module


def _piece(e: Emitter, length: ir.Value) -> tuple[ir.Value, ir.Value]:
    """:func:`piece_values` of a length, and bytes from an unpacked row to the next."""
    most, record = const(I64, PIECE_VALUES), const(I64, _STEP_VALUES)
    one = const(I64, 1)
    pieces = e.b.udiv(e.b.add(length, e.b.sub(most, one)), most)
    part = e.b.mul(pieces, record)
    piece = e.b.mul(e.b.udiv(e.b.add(length, e.b.sub(part, one)), part), record)
    return piece, e.b.add(e.b.mul(piece, const(I64, 4)), const(I64, _APART))


class _Chunks:
    """``with`` over the pieces of a row: yields first value and how many."""

    def __init__(self, e: Emitter, length: ir.Value, piece: ir.Value) -> None:
        self.e, self.length, self.piece = e, length, piece
        one = const(I64, 1)
        self.loop = e.loop(e.b.udiv(e.b.add(length, e.b.sub(piece, one)), piece))

    def __enter__(self) -> tuple[ir.Value, ir.Value]:
        start = self.e.b.mul(self.loop.__enter__(), self.piece)
        return start, self.e.minimum(self.e.b.sub(self.length, start), self.piece)

    def __exit__(self, *error: object) -> None:
        self.loop.__exit__(None, None, None)


class _Multiplied:
    """Products of unpacked rows with every panel, written column by column."""

    def __init__(
        self,
        e: Emitter,
        blocks: Sequence[ir.Function],
        panels: ir.Value,
        columns: ir.Value,
        length: ir.Value,
        out_stride: ir.Value,
    ) -> None:
        self.e, self.blocks, self.panels, self.columns = e, blocks, panels, columns
        self.length, self.out_stride = length, out_stride
        self.shape = dense.packed_shape(e.isa)
        self.task = e.local(I64, dense.TASK_WORDS)
        self.sums = e.local(vec(F32, self.shape.lanes), self.shape.rows * self.shape.vectors)

    def emit(
        self,
        buffer: ir.Value,
        step: ir.Value,
        count: ir.Value,
        start: ir.Value,
        size: ir.Value,
        out: ir.Value,
    ) -> None:
        e, width = self.e, self.shape.width
        for place, value in (
            (dense.T_A, e.b.ptrtoint(buffer, I64)), (dense.T_A_STRIDE, step),
            (dense.T_TAPS, const(I64, 1)), (dense.T_TAP, const(I64, 0)), (dense.T_DEPTH, size),
        ):  # fmt: skip
            e.store(value, self.task, 8 * place)
        begins = e.b.icmp_signed("==", start, const(I64, 0))
        with e.loop(self.columns, width) as column:
            place = e.b.add(e.b.mul(column, self.length), e.b.mul(start, const(I64, width)))
            panel = e.b.add(self.panels, e.b.mul(place, const(I64, 4)))
            e.store(panel, self.task, 8 * dense.T_PANEL)
            left = e.minimum(e.b.sub(self.columns, column), const(I64, width))
            to = e.at(out, e.b.mul(column, self.out_stride))
            self._panel(left, count, to, begins)

    def _panel(self, left: ir.Value, count: ir.Value, to: ir.Value, begins: ir.Value) -> None:
        """One panel; half of it where no more columns are left."""
        e, half = self.e, self.shape.lanes
        if len(self.blocks) == 1:
            self._rows(self.blocks[0], self.shape.width, left, count, to, begins)
            return
        with e.b.if_else(e.b.icmp_signed("<=", left, const(I64, half))) as (then, otherwise):
            with then:
                self._rows(self.blocks[1], half, left, count, to, begins)
            with otherwise:
                self._rows(self.blocks[0], self.shape.width, left, count, to, begins)

    def _rows(
        self,
        block: ir.Function,
        width: int,
        left: ir.Value,
        count: ir.Value,
        out: ir.Value,
        begins: ir.Value,
    ) -> None:
        e, most = self.e, self.shape.rows
        with e.loop(count, most) as row:
            rows = e.minimum(e.b.sub(count, row), const(I64, most))
            e.b.call(block, [self.task, row, rows, self.sums])
            to = e.at(out, e.b.mul(row, const(I64, 4)))
            with e.loop(left) as column, e.loop(rows) as r:
                place = e.b.add(e.b.mul(r, const(I64, width)), column)
                value = e.load(F32, self.sums, e.b.mul(place, const(I64, 4)), 4)
                at = e.b.add(e.b.mul(column, self.out_stride), e.b.mul(r, const(I64, 4)))
                before = e.b.select(begins, const(F32, 0.0), e.load(F32, to, at, 4))
                e.store(e.b.fadd(value, before), to, at)


def _build_unpack(module: ir.Module, isa: Isa, type_id: int) -> ir.Function:
    """``unpack(rows, row_bytes, count, start, size, out, out_stride)``, in values of a row."""
    kinds = [PTR, I64, I64, I64, I64, PTR, I64]
    e, args = function(module, "unpack", VOID, kinds, isa)
    e.b.function.linkage = "internal"
    w, row_bytes, count, start, size, out, out_stride = args
    block_bytes, emit = _unpacker(type_id)
    first = e.b.mul(e.b.udiv(start, const(I64, _STEP_VALUES)), const(I64, block_bytes))
    with e.loop(count) as row:
        source = e.at(e.at(w, e.b.mul(row, row_bytes)), first)
        to = e.at(out, e.b.mul(row, out_stride))
        with e.loop(e.b.udiv(size, const(I64, _STEP_VALUES))) as index:
            block = e.at(source, e.b.mul(index, const(I64, block_bytes)))
            emit(e, block, e.at(to, e.b.mul(index, const(I64, 4 * _STEP_VALUES))))
    e.b.ret_void()
    return e.b.function


def _unpacker(type_id: int) -> tuple[int, Callable[[Emitter, ir.Value, ir.Value], None]]:
    """Bytes of 256 values, and what writes them as float32."""
    if type_id in _FLOATS:
        return 2 * _STEP_VALUES, lambda e, block, to: _unpack_floats(e, type_id, block, to)
    size, decode = DECODERS[type_id]
    return size, lambda e, block, to: _unpack_block(e, decode(e, block), to)


def _unpack_floats(e: Emitter, type_id: int, block: ir.Value, to: ir.Value) -> None:
    convert = e.bfloat_to_float if type_id == QuantType.BF16 else e.half_to_float
    with e.loop(const(I64, _STEP_VALUES), 16) as place:
        bits = e.load(vec(I16, 16), block, e.b.mul(place, const(I64, 2)))
        e.store(convert(bits), to, e.b.mul(place, const(I64, 4)))


def _unpack_block(e: Emitter, decoded: Decoded, to: ir.Value) -> None:
    lanes = vec(F32, 16)
    for factor, groups in decoded.parts:
        scale = e.splat(factor, 16)
        for g in groups[:: decoded.step]:
            pairs = decoded.group(g)
            for n in range(decoded.step):
                part = range(16 * n, 16 * n + 16)
                low = _minimum(e, decoded, g + n)
                even, odd = (_number(e, e.pick(p, part), scale, low) for p in pairs)
                at = 4 * 32 * (g + n)
                e.store(e.pick(even, [v for k in range(8) for v in (k, 16 + k)], odd), to, at)
                mixed = e.pick(even, [v for k in range(8, 16) for v in (k, 16 + k)], odd)
                e.store(mixed, to, at + 4 * lanes.count)


def _number(e: Emitter, words: ir.Value, scale: ir.Value, low: ir.Value | None) -> ir.Value:
    value = e.b.sitofp(e.b.sext(words, vec(I32, 16)), vec(F32, 16))
    return e.b.fmul(value, scale) if low is None else e.multiply_add(value, scale, low)


def _minimum(e: Emitter, decoded: Decoded, g: int) -> ir.Value | None:
    """What is added to each number of a group of 32, as lanes for its even or odd places."""
    if not decoded.minima:
        return None
    factors, offset = decoded.minima[0]
    lanes = [2 * g] * 8 + [2 * g + 1] * 8 if offset == SUMS16 else [g] * 16
    return e.pick(factors, lanes)
