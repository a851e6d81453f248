"""Blocks of several rows as interleaved bytes, for ``eight_bits``.

As many rows as a vector has 32-bit lanes stand together. Of each 32 values there are eight
vectors of bytes, four values of each row in a vector; then the float factor of each row for each
16 or 32 of the values, then what must be added for each unit of the sum of activations.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from llvmlite import ir

from engine.gguf.quant_types import QuantType, block_bytes, block_size
from engine.kernels.blocks import packed_six_bits
from engine.kernels.ir import F32, I8, I16, I32, I64, PTR, VOID, Emitter, Isa, const, function, vec

VALUES = 32
AHEAD = 512
_EIGHT = 8
_BYTES, _FLOATS = vec(I8, VALUES), vec(F32, _EIGHT)

Rows = list[ir.Value]
Put = Callable[[int, int, ir.Value], None]
"""``put(part, place, vector)``: eight lanes of a vector of a part of 32 values."""


@dataclass(frozen=True, slots=True)
class Layout:
    """How a type is interleaved.

    Attributes:
        type_id: the storage type.
        factors: float factors in 32 values.
        lows: whether there is something to add, one number for each factor.
        together: how many vectors of products of pairs may be added in 16 bits.
        emit: writes eight rows, given by the addresses of their blocks.
        signed: the bytes are signed where the processor has no sum of four products.
    """

    type_id: QuantType
    factors: int
    lows: bool
    together: int
    emit: Callable[[Emitter, Rows, Put], None]
    signed: bool = False

    @property
    def values(self) -> int:
        """Values in a block."""
        return block_size(self.type_id)

    @property
    def block_bytes(self) -> int:
        return block_bytes(self.type_id)

    def factor_places(self) -> tuple[range, range]:
        """Which vectors after the eight of a part are factors, and which are to be added."""
        end = 2 * self.factors if self.lows else self.factors
        return range(self.factors), range(self.factors, end)

    def part_bytes(self, lanes: int) -> int:
        """Bytes of 32 values of a group of rows."""
        return 4 * lanes * (8 + self.factor_places()[1].stop)

    def group_bytes(self, lanes: int) -> int:
        """Bytes of a block of each row of a group."""
        return self.values // VALUES * self.part_bytes(lanes)


def build_interleave(module: ir.Module, isa: Isa, layout: Layout) -> ir.Function:
    """``interleave(block, row_bytes, count, out)``: a block of ``count`` rows.

    The last group of rows is filled up with copies of the last row.
    """
    e, (block, row_bytes, count, out) = function(
        module, "interleave", VOID, [PTR, I64, I64, PTR], isa
    )
    e.b.function.linkage = "internal"
    lanes = _EIGHT * isa.span
    size, part_bytes = 4 * lanes, layout.part_bytes(lanes)
    last = e.b.sub(count, const(I64, 1))
    every = e.b.mul(
        e.b.udiv(e.b.add(last, const(I64, lanes)), const(I64, lanes)), const(I64, lanes)
    )
    with e.loop(every, _EIGHT) as row:
        rows = []
        for k in range(_EIGHT):
            which = e.minimum(e.b.add(row, const(I64, k)), last)
            rows.append(e.at(block, e.b.mul(which, row_bytes)))
            # The next block of many rows: more streams than a processor follows by itself.
            for line in range(0, layout.block_bytes, 64):
                ahead = [e.at(rows[k], AHEAD + line), *(const(I32, n) for n in (0, 3, 1))]
                e.call("llvm.prefetch.p0", VOID, ahead)
        group = e.b.udiv(row, const(I64, lanes))
        to = e.at(out, e.b.mul(group, const(I64, layout.group_bytes(lanes))))
        within = e.b.sub(row, e.b.mul(group, const(I64, lanes)))
        to = e.at(to, e.b.mul(within, const(I64, 4)))

        def put(part: int, place: int, value: ir.Value, to: ir.Value = to) -> None:
            e.store(value, to, part * part_bytes + place * size)

        layout.emit(e, rows, put)
    e.b.ret_void()
    return e.b.function


def _bytes(e: Emitter, rows: Rows, offset: int) -> list[ir.Value]:
    """32 bytes of each row: vectors of four bytes of each."""
    turned = e.transpose([e.load(_FLOATS, row, offset) for row in rows])
    return [e.b.bitcast(value, _BYTES) for value in turned]


def _scaled(e: Emitter, numbers: ir.Value, factor: ir.Value, signed: bool) -> ir.Value:
    """Integers of a row as floats times its factor."""
    kind = vec(F32, numbers.type.count)
    made = e.b.sitofp(numbers, kind) if signed else e.b.uitofp(numbers, kind)
    return e.b.fmul(made, e.splat(factor, numbers.type.count))


def _half(e: Emitter, block: ir.Value, offset: int) -> ir.Value:
    return e.half_to_float(e.load(I16, block, offset))


def _shifted(e: Emitter, value: ir.Value, bits: int, mask: int) -> ir.Value:
    """Bits of each byte: moved as 16-bit words, whose strangers the mask takes away."""
    words = e.shift_left(e.b.bitcast(value, vec(I16, VALUES // 2)), bits)
    return e.b.bitcast(e.mask(words, mask * 0x101), _BYTES)


def _put_minima(e: Emitter, rows: Rows, put: Put) -> None:
    """Factors and minima of Q4_K and Q5_K."""
    factors, lows = [], []
    for row in rows:
        scales, minima = packed_six_bits(e, row)
        factors.append(_scaled(e, scales, _half(e, row, 0), signed=False))
        lows.append(_scaled(e, minima, e.b.fneg(_half(e, row, 2)), signed=False))
    for place, values in ((8, factors), (9, lows)):
        for part, value in enumerate(e.transpose(values)):
            put(part, place, value)


def _q4_k(e: Emitter, rows: Rows, put: Put) -> None:
    _put_minima(e, rows, put)
    for pair in range(4):
        for k, value in enumerate(_bytes(e, rows, 16 + 32 * pair)):
            put(2 * pair, k, _shifted(e, value, 0, 0x0F))
            put(2 * pair + 1, k, _shifted(e, value, -4, 0x0F))


def _q5_k(e: Emitter, rows: Rows, put: Put) -> None:
    _put_minima(e, rows, put)
    fifth = _bytes(e, rows, 16)
    for pair in range(4):
        for k, value in enumerate(_bytes(e, rows, 48 + 32 * pair)):
            for part in (2 * pair, 2 * pair + 1):
                low = _shifted(e, value, -4 * (part % 2), 0x0F)
                put(part, k, e.b.or_(low, _shifted(e, fifth[k], 4 - part, 0x10)))


def _q6_k(e: Emitter, rows: Rows, put: Put) -> None:
    factors = [
        e.halves(_scaled(e, e.load(vec(I8, 16), row, 192), _half(e, row, 208), signed=True))
        for row in rows
    ]
    for half in range(2):
        for n, value in enumerate(e.transpose([f[half] for f in factors])):
            part, which = divmod(8 * half + n, 2)
            put(part, 8 + which, value)
            put(part, 10 + which, e.b.fmul(value, const(_FLOATS, -32.0)))
        high = _bytes(e, rows, 128 + 32 * half)
        for place in range(2):
            for k, value in enumerate(_bytes(e, rows, 64 * half + 32 * place)):
                for quarter in (place, place + 2):
                    low = _shifted(e, value, -4 * (quarter // 2), 0x0F)
                    top = _shifted(e, high[k], 4 - 2 * quarter, 0x30)
                    put(4 * half + quarter, k, e.b.or_(low, top))


def _q8_0(e: Emitter, rows: Rows, put: Put) -> None:
    factors = [_half(e, row, 0) for row in rows]
    factor = e.undef(_FLOATS)
    for k, value in enumerate(factors):
        factor = e.b.insert_element(factor, value, const(I64, k))
    put(0, 8, factor)
    for k, value in enumerate(_bytes(e, rows, 2)):
        put(0, k, value if e.isa.span == 1 else e.b.xor(value, const(_BYTES, -128)))
    put(0, 9, e.b.fmul(factor, const(_FLOATS, -128.0 if e.isa.span > 1 else 0.0)))


LAYOUTS: dict[QuantType, Layout] = {
    QuantType.Q4_K: Layout(QuantType.Q4_K, 1, True, 8, _q4_k),
    QuantType.Q5_K: Layout(QuantType.Q5_K, 1, True, 4, _q5_k),
    QuantType.Q6_K: Layout(QuantType.Q6_K, 2, True, 2, _q6_k),
    QuantType.Q8_0: Layout(QuantType.Q8_0, 1, True, 1, _q8_0, signed=True),
}
