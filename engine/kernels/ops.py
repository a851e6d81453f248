"""The steps of a layer between its products, and a list of steps that runs without Python.

For one column, what lies between two products is a microsecond of arithmetic, but several
calls into a tensor library and, worse, barriers of its threads. Here every step is a function
of one argument, the address of its *entry* in a list::

    void step(entry)       entry: 16 words of 8 bytes; word 0 is the step's own address

and :func:`build_execute` runs a list of them. A whole stack of layers is one call, during which
other Python threads go on. All sums run in one order, on the calling thread; only products and
attention are divided, by rows and by heads, so that results do not depend on threads.

Lengths are multiples of :data:`WIDTH`.
"""

from __future__ import annotations

from llvmlite import ir

from engine.kernels import work_queue
from engine.kernels.ir import F32, I32, I64, PTR, VOID, Emitter, Isa, const, function, vec

WIDTH = 8
ENTRY_WORDS = 16
ENTRY_BYTES = 8 * ENTRY_WORDS

_LANES = vec(F32, WIDTH)
_LOG2E, _LN2_HIGH, _LN2_LOW = 1.44269504088896341, 0.693359375, -2.12194440e-4
_EXP_TERMS = (
    1.9875691500e-4,
    1.3981999507e-3,
    8.3334519073e-3,
    4.1665795894e-2,
    1.6666665459e-1,
    5.0000001201e-1,
)
_EXP_LOW, _EXP_HIGH = -87.0, 88.0


def words(e: Emitter, entry: ir.Value, count: int) -> list[ir.Value]:
    """The first ``count`` arguments of an entry, as integers."""
    return [e.load(I64, entry, 8 * place, 8) for place in range(1, count + 1)]


def pointer(e: Emitter, word: ir.Value) -> ir.Value:
    """An argument as an address."""
    return e.b.inttoptr(word, PTR)


def number(e: Emitter, word: ir.Value) -> ir.Value:
    """An argument whose low half holds a float32."""
    return e.b.bitcast(e.b.trunc(word, I32), F32)


def offset(e: Emitter, base: ir.Value, count: ir.Value, size: ir.Value | int) -> ir.Value:
    """The address ``count * size`` bytes after ``base``."""
    return e.at(base, e.b.mul(count, const(I64, size) if isinstance(size, int) else size))


def exponential(e: Emitter, x: ir.Value) -> ir.Value:
    """exp of a float32 vector to about one unit in the last place; 0 below -87, NaN of NaN."""
    kind, lanes = x.type, x.type.count
    low = e.b.fcmp_ordered("<", x, const(kind, _EXP_LOW))
    x = e.b.select(e.b.fcmp_ordered(">", x, const(kind, _EXP_HIGH)), const(kind, _EXP_HIGH), x)
    x = e.b.select(low, const(kind, 0.0), x)
    power = e.round_to_int(e.b.fmul(x, const(kind, _LOG2E)))
    whole = e.b.sitofp(power, kind)
    rest = e.multiply_add(whole, const(kind, -_LN2_HIGH), x)
    rest = e.multiply_add(whole, const(kind, -_LN2_LOW), rest)
    value = const(kind, _EXP_TERMS[0])
    for term in _EXP_TERMS[1:]:
        value = e.multiply_add(value, rest, const(kind, term))
    value = e.multiply_add(value, e.b.fmul(rest, rest), rest)
    value = e.b.fadd(value, const(kind, 1.0))
    ints = vec(I32, lanes)
    scale = e.shift_left(e.b.add(power, const(ints, 127)), 23)
    value = e.b.fmul(value, e.b.bitcast(scale, kind))
    return e.b.select(low, const(kind, 0.0), value)


def inverse_rms(e: Emitter, x: ir.Value, count: ir.Value, eps: ir.Value) -> ir.Value:
    """``1 / sqrt(mean(x^2) + eps)`` of ``count`` values, in every lane."""

    def body(index: ir.Value, total: object) -> list[ir.Value]:
        value = e.load(_LANES, offset(e, x, index, 4))
        return [e.multiply_add(value, value, total[0])]  # type: ignore[index]

    (total,) = e.fold(count, [const(_LANES, 0.0)], body, WIDTH)
    mean = e.b.fdiv(e.sum_lanes(total, e.b.fadd), e.b.sitofp(count, F32))
    root = e.call("llvm.sqrt.f32", F32, [e.b.fadd(mean, eps)])
    return e.splat(e.b.fdiv(const(F32, 1.0), root), WIDTH)


def build_norm(isa: Isa) -> ir.Module:
    """``norm``: x, addend, weight, out, length, columns, eps.

    Adds ``addend`` to ``x`` in place (unless its address is 0), then writes the RMSNorm of
    ``x``; all are ``(columns, length)`` without gaps.
    """
    module = ir.Module("norm")
    e, (entry,) = function(module, "norm", VOID, [PTR], isa)
    x, addend, weight, out, length, columns, eps = words(e, entry, 7)
    row = e.b.mul(length, const(I64, 4))
    adds = e.b.icmp_signed("!=", addend, const(I64, 0))
    with e.loop(columns) as column:
        values = offset(e, pointer(e, x), column, row)
        with e.b.if_then(adds):
            other = offset(e, pointer(e, addend), column, row)
            with e.loop(length, WIDTH) as index:
                at = e.b.mul(index, const(I64, 4))
                total = e.b.fadd(e.load(_LANES, values, at), e.load(_LANES, other, at))
                e.store(total, values, at)
        factor = inverse_rms(e, values, length, number(e, eps))
        to = offset(e, pointer(e, out), column, row)
        with e.loop(length, WIDTH) as index:
            at = e.b.mul(index, const(I64, 4))
            scaled = e.b.fmul(e.load(_LANES, values, at), factor)
            e.store(e.b.fmul(scaled, e.load(_LANES, pointer(e, weight), at)), to, at)
    e.b.ret_void()
    return module


def build_gate(isa: Isa) -> ir.Module:
    """``gate``: a, b, count. ``a = silu(a) * b`` in place."""
    module = ir.Module("gate")
    e, (entry,) = function(module, "gate", VOID, [PTR], isa)
    a, b, count = words(e, entry, 3)
    with e.loop(count, WIDTH) as index:
        at = e.b.mul(index, const(I64, 4))
        value = e.load(_LANES, pointer(e, a), at)
        below = e.b.fadd(exponential(e, e.b.fneg(value)), const(_LANES, 1.0))
        product = e.b.fmul(e.b.fdiv(value, below), e.load(_LANES, pointer(e, b), at))
        e.store(product, pointer(e, a), at)
    e.b.ret_void()
    return module


def build_multiply(isa: Isa) -> ir.Module:
    """``multiply``: run, board, quantise, x, x_stride, columns, length, records, segments,
    count, tiles, wake, past, threshold.

    Rounds ``x`` into ``records`` (unless 0), puts ``count`` words of ``segments`` on the board
    and lets its threads work; ``wake`` others if the number at ``past`` is not below
    ``threshold``.
    """
    module = ir.Module("multiply")
    e, (entry,) = function(module, "multiply", VOID, [PTR], isa)
    run, shared, quantise, x, stride, columns, length, records, source, count = words(e, entry, 10)
    tiles, wake, past, threshold = words(e, entry, 14)[10:]
    with e.b.if_then(e.b.icmp_signed("!=", records, const(I64, 0))):
        kind = ir.FunctionType(VOID, [PTR, I64, I64, I64, PTR])
        call = e.b.inttoptr(quantise, ir.PointerType(kind))
        e.b.call(call, [pointer(e, x), stride, columns, length, pointer(e, records)])
    to = pointer(e, shared)
    with e.loop(count) as index:
        at = e.b.mul(index, const(I64, 8))
        e.store(
            e.load(I64, pointer(e, source), at, 8), to, e.b.add(at, const(I64, work_queue.SEGMENTS))
        )
    e.store(tiles, to, work_queue.TILES)
    reached = e.b.icmp_signed(">=", e.load(I64, pointer(e, past), 0, 8), threshold)
    e.store(e.b.select(reached, wake, const(I64, 0)), to, work_queue.WAKE)
    kind = ir.FunctionType(VOID, [PTR])
    e.b.call(e.b.inttoptr(run, ir.PointerType(kind)), [to])
    e.b.ret_void()
    return module


def build_execute(isa: Isa) -> ir.Module:
    """``execute(list, count)``: run ``count`` entries in order."""
    module = ir.Module("execute")
    e, (first, count) = function(module, "execute", VOID, [PTR, I64], isa)
    kind = ir.FunctionType(VOID, [PTR])
    with e.loop(count) as index:
        entry = offset(e, first, index, ENTRY_BYTES)
        step = e.b.inttoptr(e.load(I64, entry, 0, 8), ir.PointerType(kind))
        e.b.call(step, [entry])
    e.b.ret_void()
    return module
