"""Products of float16 and bfloat16 rows; the signature is that of ``product``.

Weights become float32 in registers and meet float32 activations: nothing is rounded. A row is
summed in two sets of eight lanes and, for the last few values, one by one; the same for any
number of columns, so that a column's result does not depend on its neighbours.
"""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from engine.gguf.quant_types import QuantType
from engine.kernels.ir import F32, I16, I32, I64, Emitter, const, vec

_LANES = vec(F32, 8)
_LANE_BYTES = 32
_CHAINS = 2
_TURN = 32  # values of a row in one turn of the loop


def emit_float_product(e: Emitter, args: Sequence[ir.Value], type_id: int, columns: int) -> None:
    """Write the body of a kernel for F16 or BF16 and 1 to 8 columns."""
    _FloatProduct(e, args, type_id, columns).emit()


class _FloatProduct:
    def __init__(self, e: Emitter, args: Sequence[ir.Value], type_id: int, columns: int) -> None:
        self.e, self.columns = e, columns
        self.w, self.row_bytes, self.rows, self.length = args[:4]
        x, x_stride, self.out, self.out_stride = args[4:]
        self.convert = e.bfloat_to_float if type_id == QuantType.BF16 else e.half_to_float
        self.x = [e.at(x, e.b.mul(x_stride, const(I64, c))) for c in range(columns)]
        self.sums = e.local(_LANES, _CHAINS * columns)
        self.rest = e.local(F32, columns)

    def emit(self) -> None:
        e = self.e
        whole = e.b.and_(self.length, const(I64, -_TURN))
        left = e.b.and_(self.length, const(I64, _TURN - 1))
        with e.loop(self.rows) as row:
            w = e.at(self.w, e.b.mul(row, self.row_bytes))
            for place in range(_CHAINS * self.columns):
                e.store(const(_LANES, 0.0), self.sums, _LANE_BYTES * place)
            for c in range(self.columns):
                e.store(const(F32, 0.0), self.rest, 4 * c)
            with e.loop(whole, _TURN) as place:
                self._turn(w, place)
            with e.loop(left) as index:
                self._single(w, e.b.add(whole, index))
            self._finish(row)

    def _sum(self, column: int, chain: int) -> int:
        return _LANE_BYTES * (_CHAINS * column + chain)

    def _turn(self, w: ir.Value, place: ir.Value) -> None:
        """32 values of a row with every column."""
        e = self.e
        at = e.at(w, e.b.mul(place, const(I64, 2)))
        values = [self.convert(e.load(vec(I16, 8), at, 16 * k)) for k in range(_TURN // 8)]
        for c, start in enumerate(self.x):
            x = e.at(start, e.b.mul(place, const(I64, 4)))
            totals = [e.load(_LANES, self.sums, self._sum(c, k), 32) for k in range(_CHAINS)]
            for k, value in enumerate(values):
                other, chain = e.load(_LANES, x, _LANE_BYTES * k), k % _CHAINS
                totals[chain] = e.multiply_add(value, other, totals[chain])
            for k, total in enumerate(totals):
                e.store(total, self.sums, self._sum(c, k))

    def _single(self, w: ir.Value, place: ir.Value) -> None:
        """One value of a row with every column."""
        e = self.e
        bits = e.load(vec(I16, 1), w, e.b.mul(place, const(I64, 2)))
        value = e.b.extract_element(self.convert(bits), const(I32, 0))
        for c, start in enumerate(self.x):
            total = e.load(F32, self.rest, 4 * c)
            other = e.load(F32, start, e.b.mul(place, const(I64, 4)))
            e.store(e.multiply_add(value, other, total), self.rest, 4 * c)

    def _finish(self, row: ir.Value) -> None:
        e = self.e
        for c in range(self.columns):
            first, second = (e.load(_LANES, self.sums, self._sum(c, k), 32) for k in range(_CHAINS))
            total = e.sum_lanes(e.b.fadd(first, second), e.b.fadd)
            total = e.b.fadd(total, e.load(F32, self.rest, 4 * c))
            to = e.at(self.out, e.b.mul(self.out_stride, const(I64, c)))
            e.store(total, to, e.b.mul(row, const(I64, 4)))
