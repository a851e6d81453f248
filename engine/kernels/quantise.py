"""Activations as the integer kernels read them: 15-bit numbers, one scale for 256 values.

One *record* of :data:`RECORD_BYTES` holds 256 values of a column, all that a kernel needs next
to one K-quant block:

========  =========================================================================
offset    content
========  =========================================================================
0         256 int16; of each 32 values (64 where vectors are twice as wide) first
          all even places, then all odd
512       16 float32: sums of each 16 values, for types with a minimum per 16
576       8 float32: sums of each 32 values, for types with a minimum per 32
608       float32 scale: value = scale * int16
612       zeros, which a wide load of the sums may multiply by zero
========  =========================================================================

The sums are those of the rounded values, so minimum and quant terms err together. A record
with a value that is not finite gets scale NaN: whatever it touches is NaN, never plausible.
"""

from __future__ import annotations

from llvmlite import ir

from engine.kernels.ir import F32, I16, I32, I64, PTR, VOID, Emitter, Isa, const, function, vec

RECORD_VALUES = 256
GROUP_COLUMNS = 8
RECORD_BYTES = 640
SUMS16, SUMS32, SCALE = 512, 576, 608

_LEVELS = 32767.0
_FINITE = 0x7F800000
# Below this a record is taken as zero: the reciprocal of its scale would overflow.
_SMALLEST = 1e-30


def place_of(e: Emitter, group: int) -> int:
    """Where the even places of 32 values stand in a record; the odd ones follow a span later."""
    span = e.isa.span
    return 64 * (group - group % span) + 32 * (group % span)


def build_quantise(isa: Isa, whole_groups: bool = False) -> ir.Module:
    """``quantise(x, x_stride, columns, length, out)``: float32 columns to records.

    ``length`` values a column; the last record is filled up with zeros. Columns stand in
    groups of :data:`GROUP_COLUMNS`; within a group, the records of all its columns for the
    same 256 places lie next to each other. With ``whole_groups`` the function is ``pack``, and
    the last group has room for as many as the others.
    """
    module = ir.Module("quantise")
    name = "pack" if whole_groups else "quantise"
    e, args = function(module, name, VOID, [PTR, I64, I64, I64, PTR], isa)
    x, x_stride, columns, length, out = args
    padded = e.local(F32, RECORD_VALUES)
    records = e.b.ashr(e.b.add(length, const(I64, RECORD_VALUES - 1)), const(I64, 8))
    group_bytes = e.b.mul(records, const(I64, GROUP_COLUMNS * RECORD_BYTES))
    with e.loop(columns) as column:
        place = e.b.and_(column, const(I64, GROUP_COLUMNS - 1))
        before = e.b.sub(column, place)
        size: ir.Value = const(I64, GROUP_COLUMNS)
        if not whole_groups:
            size = e.minimum(e.b.sub(columns, before), size)
        step = e.b.mul(size, const(I64, RECORD_BYTES))
        to = e.at(out, e.b.mul(e.b.sdiv(before, const(I64, GROUP_COLUMNS)), group_bytes))
        to = e.at(to, e.b.mul(place, const(I64, RECORD_BYTES)))
        source = e.at(x, e.b.mul(column, x_stride))
        with e.loop(records) as index:
            values = _whole_record(e, source, index, length, padded)
            _quantise_record(e, values, e.at(to, e.b.mul(index, step)))
    e.b.ret_void()
    return module


def _whole_record(
    e: Emitter, source: ir.Value, index: ir.Value, length: ir.Value, padded: ir.Value
) -> ir.Value:
    """Address of 256 values: in place, or a copy with zeros after the end of the column."""
    start = e.b.mul(index, const(I64, RECORD_VALUES))
    values = e.at(source, e.b.mul(start, const(I64, 4)))
    left = e.b.sub(length, start)
    short = e.b.icmp_signed("<", left, const(I64, RECORD_VALUES))
    with e.b.if_then(short):
        with e.loop(const(I64, RECORD_VALUES), 8) as at:
            e.store(const(vec(F32, 8), 0.0), padded, e.b.mul(at, const(I64, 4)))
        with e.loop(left) as at:
            offset = e.b.mul(at, const(I64, 4))
            e.store(e.load(F32, values, offset), padded, offset)
    return e.b.select(short, padded, values)


def _quantise_record(e: Emitter, values: ir.Value, record: ir.Value) -> None:
    scale, inverse = _scale(e, _largest(e, values))
    e.store(const(vec(F32, 8), 0.0), record, SCALE)
    e.store(scale, record, SCALE)
    with e.loop(const(I64, RECORD_VALUES // 32)) as group:
        _quantise_group(e, values, record, group, scale, inverse)


def _largest(e: Emitter, values: ir.Value) -> ir.Value:
    """Bits of the largest magnitude; as integers, NaN is above infinity above any number."""
    lanes = vec(I32, 8)
    top = e.local(lanes)
    e.store(const(lanes, 0), top)
    with e.loop(const(I64, RECORD_VALUES), 32) as place:
        best = e.load(lanes, top, align=32)
        for k in range(4):
            bits = e.load(lanes, values, e.b.add(e.b.mul(place, const(I64, 4)), const(I64, 32 * k)))
            bits = e.mask(bits, 0x7FFFFFFF)
            best = e.b.select(e.b.icmp_signed(">", bits, best), bits, best)
        e.store(best, top)

    def larger(a: ir.Value, b: ir.Value) -> ir.Value:
        return e.b.select(e.b.icmp_signed(">", a, b), a, b)

    return e.sum_lanes(e.load(lanes, top, align=32), larger)


def _scale(e: Emitter, bits: ir.Value) -> tuple[ir.Value, ir.Value]:
    """Scale and its inverse from the bits of the largest magnitude."""
    largest = e.b.bitcast(bits, F32)
    levels, zero = const(F32, _LEVELS), const(F32, 0.0)
    usable = e.b.fcmp_ordered(">=", largest, const(F32, _SMALLEST))
    inverse = e.b.select(usable, e.b.fdiv(levels, largest), zero)
    finite = e.b.icmp_signed("<", bits, const(I32, _FINITE))
    scale = e.b.select(finite, e.b.fdiv(largest, levels), const(F32, float("nan")))
    return scale, e.b.select(finite, inverse, zero)


def _quantise_group(
    e: Emitter,
    values: ir.Value,
    record: ir.Value,
    group: ir.Value,
    scale: ir.Value,
    inverse: ir.Value,
) -> None:
    """32 values: rounded, even and odd places apart, with their sums."""
    at = e.at(values, e.b.mul(group, const(I64, 128)))
    rounded = e.round_to_int(e.b.fmul(e.load(vec(F32, 32), at), e.splat(inverse, 32)))
    even, odd = e.pick(rounded, range(0, 32, 2)), e.pick(rounded, range(1, 32, 2))
    span = e.isa.span
    place = e.b.and_(group, const(I64, span - 1))
    offset = e.b.mul(e.b.sub(group, place), const(I64, 64))
    to = e.at(record, e.b.add(offset, e.b.mul(place, const(I64, 32))))
    e.store(e.b.trunc(even, vec(I16, 16)), to, 0)
    e.store(e.b.trunc(odd, vec(I16, 16)), to, 32 * span)
    pairs = e.b.add(even, odd)
    first = e.sum_lanes(e.pick(pairs, range(8)), e.b.add)
    second = e.sum_lanes(e.pick(pairs, range(8, 16)), e.b.add)
    sums16 = e.at(record, e.b.add(e.b.mul(group, const(I64, 8)), const(I64, SUMS16)))
    sums32 = e.at(record, e.b.add(e.b.mul(group, const(I64, 4)), const(I64, SUMS32)))
    for place, total in ((0, first), (4, second)):
        e.store(e.b.fmul(e.b.sitofp(total, F32), scale), sums16, place)
    e.store(e.b.fmul(e.b.sitofp(e.b.add(first, second), F32), scale), sums32)
