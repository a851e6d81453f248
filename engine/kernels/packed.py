"""Plain float32 products and convolutions over rows, as LLVM code.

A *task* is a few rows of an input against one *panel* of a weight: :attr:`Shape.width` output
columns that stand next to each other for each input value. A convolution is the same with
several *taps*, which read rows further on::

    out[r, n] = sum over taps j and values k of a[r + j * step, k] * panel[j, k, n]

:class:`Shape.rows` rows of sums stay in registers over all taps and values, so a panel streams
through the first-level cache once for those rows, and the input is read in place, without
unfolding. What follows a sum (a term to add, the bias, a snake) is done while it is still near.

The kernel has the signature of ``product``; its "rows" are tasks of :data:`TASK_BYTES`,
words of 8 bytes at the ``T_`` places below. A sum runs over taps and values in order, whatever
rows are taken together, so results depend on no division of the work.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from llvmlite import ir

from engine.kernels.ir import F32, I16, I32, I64, PTR, VOID, Emitter, Isa, const, function, vec
from engine.kernels.product import PREFETCH, PRODUCT_ARGS

# A: first row of the first tap. TAP: bytes from a tap's rows to the next one's. DEPTH: values
# of a row, a multiple of UNROLL. ADD: what is added to the first ADD_ROWS rows. The row
# TAIL_ROW goes to TAIL as it is, before bias and all. 0 for OUT, ADD, BIAS, SNAKE: left out.
(
    T_A, T_A_STRIDE, T_ROWS, T_TAPS, T_TAP, T_DEPTH, T_PANEL, T_BIAS, T_OUT, T_OUT_STRIDE,
    T_ADD, T_ADD_STRIDE, T_ADD_ROWS, T_SNAKE, T_SNAKE_STRIDE, T_ALPHA, T_INVERSE, T_TAIL_ROW,
    T_TAIL,
) = range(19)  # fmt: skip
TASK_WORDS = 20
TASK_BYTES = 8 * TASK_WORDS
UNROLL = 4

_ROUNDER = 12582912.0
_PI_PARTS = (3.140625, 0.0009670257568359375, 6.2771141529083251953e-07)
_SINE = (
    2.6083159809786593541503e-06,
    -0.0001981069071916863322258,
    0.00833307858556509017944336,
    -0.166666597127914428710938,
)


@dataclass(frozen=True, slots=True)
class Shape:
    """What one processor keeps in registers: ``rows`` of ``vectors`` of ``lanes`` sums."""

    rows: int
    vectors: int
    lanes: int

    @property
    def width(self) -> int:
        """Columns of a panel."""
        return self.vectors * self.lanes


def packed_shape(isa: Isa) -> Shape:
    """Sums for 32, 16 or, where least is known, 16 half as wide registers."""
    if isa.span > 1:
        return Shape(12, 2, 16)
    return Shape(6, 2, 8) if isa.pairs else Shape(4, 1, 8)


def build_packed(isa: Isa, half: bool) -> ir.Module:
    """``product`` over tasks; ``half`` says that panels are float16 and not float32."""
    module = ir.Module("dense")
    block = build_block(module, isa, half)
    e, args = function(module, "product", VOID, PRODUCT_ARGS, isa)
    shape = packed_shape(isa)
    first, task_bytes, tasks = args[:3]
    sums = e.local(vec(F32, shape.lanes), shape.rows * shape.vectors)
    with e.loop(tasks) as index:
        task = e.at(first, e.b.mul(index, task_bytes))
        rows = _word(e, task, T_ROWS)
        most = const(I64, shape.rows)
        blocks = e.b.udiv(e.b.add(rows, e.b.sub(most, const(I64, 1))), most)

        # Blocks of equal size: few rows at once leave most of the registers idle.
        def body(done: ir.Value, carried: Sequence[ir.Value]) -> Sequence[ir.Value]:
            left, row = e.b.sub(blocks, done), carried[0]
            before = e.b.sub(e.b.sub(rows, row), const(I64, 1))
            count = e.b.add(e.b.udiv(before, left), const(I64, 1))
            e.b.call(block, [task, row, count, sums])
            _finish(e, shape, task, row, count, sums)
            return [e.b.add(row, count)]

        e.fold(blocks, [const(I64, 0)], body)
    e.b.ret_void()
    return module


def _word(e: Emitter, task: ir.Value, place: int) -> ir.Value:
    return e.load(I64, task, 8 * place, 8)


def _address(e: Emitter, task: ir.Value, place: int) -> ir.Value:
    return e.b.inttoptr(_word(e, task, place), PTR)


def build_block(
    module: ir.Module, isa: Isa, half: bool = False, vectors: int | None = None
) -> ir.Function:
    """``block(task, row, count, sums)``: the sums of ``count`` rows from ``row`` on.

    ``sums`` receives a row of ``vectors`` (all of a panel's by default) after the other.
    """
    whole = packed_shape(isa)
    shape = whole if vectors is None else Shape(whole.rows, vectors, whole.lanes)
    name = f"block{shape.vectors}"
    e, (task, row, count, sums) = function(module, name, VOID, [PTR, I64, I64, PTR], isa)
    e.b.function.linkage = "internal"
    done = e.b.append_basic_block("done")
    cases = [e.b.append_basic_block(f"rows{n}") for n in range(1, shape.rows + 1)]
    switch = e.b.switch(count, done)
    for n, case in enumerate(cases, 1):
        switch.add_case(const(I64, n), case)
        e.b.position_at_end(case)
        _emit_sums(e, shape, n, task, row, sums, half)
        e.b.branch(done)
    e.b.position_at_end(done)
    e.b.ret_void()
    return e.b.function


def _emit_sums(
    e: Emitter,
    shape: Shape,
    rows: int,
    task: ir.Value,
    row: ir.Value,
    sums: ir.Value,
    half: bool,
) -> None:
    lanes = vec(F32, shape.lanes)
    stride, depth, tap = (_word(e, task, place) for place in (T_A_STRIDE, T_DEPTH, T_TAP))
    start = e.at(_address(e, task, T_A), e.b.mul(row, stride))
    value_bytes = 2 if half else 4
    size = value_bytes * packed_shape(e.isa).width  # from values of a panel to the next ones
    panel = _address(e, task, T_PANEL)
    # Unrolled, LLVM would mix the steps of half panels and run out of registers.
    unroll = 1 if half else 4

    def values(at: ir.Value, step: int) -> list[ir.Value]:
        places = [step * size + v * value_bytes * shape.lanes for v in range(shape.vectors)]
        if half:
            bits = [e.load(vec(I16, shape.lanes), at, place) for place in places]
            return [e.half_to_float(b) for b in bits]
        return [e.load(lanes, at, place) for place in places]

    def tap_sums(index: ir.Value, before: Sequence[ir.Value]) -> Sequence[ir.Value]:
        at = e.at(start, e.b.mul(index, tap))
        weights = e.at(panel, e.b.mul(e.b.mul(index, depth), const(I64, size)))
        return e.fold(
            depth, before, _turn(e, rows, at, stride, weights, size, values, unroll), unroll
        )

    zero = [const(lanes, 0.0)] * (rows * shape.vectors)
    for place, total in enumerate(e.fold(_word(e, task, T_TAPS), zero, tap_sums)):
        e.store(total, sums, 4 * shape.lanes * place)


Body = Callable[[ir.Value, Sequence[ir.Value]], Sequence[ir.Value]]


def _turn(
    e: Emitter,
    rows: int,
    at: ir.Value,
    stride: ir.Value,
    weights: ir.Value,
    size: int,
    values: Callable[[ir.Value, int], list[ir.Value]],
    unroll: int,
) -> Body:
    """``unroll`` values of every row with their part of the panel."""

    def body(index: ir.Value, before: Sequence[ir.Value]) -> Sequence[ir.Value]:
        totals = list(before)
        place = e.at(at, e.b.mul(index, const(I64, 4)))
        here = e.at(weights, e.b.mul(index, const(I64, size)))
        for line in range(0, unroll * size, 64):
            ahead = e.at(here, PREFETCH + line)
            e.call("llvm.prefetch.p0", VOID, [ahead, *(const(I32, n) for n in (0, 3, 1))])
        for step in range(unroll):
            columns = values(here, step)
            for r in range(rows):
                source = e.at(place, e.b.mul(stride, const(I64, r)))
                value = e.splat(e.load(F32, source, 4 * step, 4), columns[0].type.count)
                for v, column in enumerate(columns):
                    n = r * len(columns) + v
                    totals[n] = e.multiply_add(value, column, totals[n])
        return totals

    return body


def _finish(
    e: Emitter, shape: Shape, task: ir.Value, row: ir.Value, count: ir.Value, sums: ir.Value
) -> None:
    """Add, bias, store and snake, row by row."""
    lanes, width = vec(F32, shape.lanes), 4 * shape.width
    places = [4 * shape.lanes * v for v in range(shape.vectors)]
    with e.loop(count) as r:
        here = e.b.add(row, r)
        source = e.at(sums, e.b.mul(r, const(I64, width)))
        adds = e.b.icmp_signed("<", here, _word(e, task, T_ADD_ROWS))
        with e.b.if_then(adds):
            other = _row(e, task, T_ADD, here)
            for at in places:
                e.store(e.b.fadd(e.load(lanes, source, at), e.load(lanes, other, at)), source, at)
        last = e.b.icmp_signed("==", here, _word(e, task, T_TAIL_ROW))
        with e.b.if_else(last) as (then, otherwise):
            with then:
                for at in places:
                    e.store(e.load(lanes, source, at), _address(e, task, T_TAIL), at)
            with otherwise:
                _deliver(e, lanes, places, task, here, source)


def _row(e: Emitter, task: ir.Value, place: int, row: ir.Value) -> ir.Value:
    """A row of an array whose stride is the word behind its address."""
    return e.at(_address(e, task, place), e.b.mul(row, _word(e, task, place + 1)))


def _there(e: Emitter, task: ir.Value, place: int) -> ir.Value:
    return e.b.icmp_signed("!=", _word(e, task, place), const(I64, 0))


def _deliver(
    e: Emitter,
    lanes: ir.Type,
    places: Sequence[int],
    task: ir.Value,
    row: ir.Value,
    source: ir.Value,
) -> None:
    bias = _address(e, task, T_BIAS)
    with e.b.if_then(_there(e, task, T_BIAS)):
        for at in places:
            e.store(e.b.fadd(e.load(lanes, source, at), e.load(lanes, bias, at)), source, at)
    with e.b.if_then(_there(e, task, T_OUT)):
        to = _row(e, task, T_OUT, row)
        for at in places:
            e.store(e.load(lanes, source, at), to, at)
    with e.b.if_then(_there(e, task, T_SNAKE)):
        to = _row(e, task, T_SNAKE, row)
        alpha, inverse = _address(e, task, T_ALPHA), _address(e, task, T_INVERSE)
        for at in places:
            value = e.load(lanes, source, at)
            wave = sine_squared(e, e.b.fmul(e.load(lanes, alpha, at), value))
            e.store(e.multiply_add(wave, e.load(lanes, inverse, at), value), to, at)


def sine_squared(e: Emitter, x: ir.Value) -> ir.Value:
    """sin(x)^2 of a float32 vector, to some units in the last place; NaN of NaN.

    The square has period pi and needs no sign. Beyond some 10^6, where float32 has no phase
    left, the result is only bounded.
    """
    kind = x.type
    turns = e.b.fadd(e.b.fmul(x, const(kind, 1 / math.pi)), const(kind, _ROUNDER))
    turns = e.b.fsub(turns, const(kind, _ROUNDER))
    for part in _PI_PARTS:
        x = e.multiply_add(turns, const(kind, -part), x)
    edge = const(kind, math.pi / 2 + 0.01)
    x = e.b.select(e.b.fcmp_ordered(">", x, edge), edge, x)
    edge = const(kind, -math.pi / 2 - 0.01)
    x = e.b.select(e.b.fcmp_ordered("<", x, edge), edge, x)
    square = e.b.fmul(x, x)
    value = const(kind, _SINE[0])
    for term in _SINE[1:]:
        value = e.multiply_add(value, square, const(kind, term))
    sine = e.multiply_add(e.b.fmul(value, square), x, x)
    return e.b.fmul(sine, sine)
