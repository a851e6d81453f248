"""How each block type unpacks into 16-bit numbers inside a kernel (spec 01, section 5).

A decoder reads 256 values of one row and says what the product needs: eight groups of 32
numbers with their integer sub-scales multiplied in, the float factor of each part, and the
minimum terms. All bounds keep a part's sum of products with 15-bit activations inside int32;
the tightest is Q6_K with 32 * 128 * 32767 * 16 = 2**31 - 65536 a lane.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from llvmlite import ir

from engine.gguf.quant_types import QuantType
from engine.kernels.ir import F32, I8, I16, I32, Emitter, Group, const, vec
from engine.kernels.quantise import SUMS16, SUMS32

GROUPS = range(8)
_GROUP_WORDS = vec(I16, 16)


@dataclass(slots=True)
class Decoded:
    """256 values of a row.

    Attributes:
        group: first group of a step -> int16 vectors of the even and the odd places of its
            groups.
        step: groups of a step: as many as the processor takes at once, if they share a factor.
        parts: float factor and the groups whose integer sums it applies to.
        minima: negative factors (8 or 16 x float32) of the activation sums at an offset.
    """

    group: Callable[[int], Group]
    step: int
    parts: list[tuple[ir.Value, list[int]]]
    minima: list[tuple[ir.Value, int]] = field(default_factory=list)


Decoder = Callable[[Emitter, ir.Value], Decoded]


def _half(e: Emitter, block: ir.Value, offset: int) -> ir.Value:
    return e.half_to_float(e.load(I16, block, offset))


def _step(e: Emitter, g: int) -> range:
    """The groups that are taken together with group ``g``, the first of them."""
    return range(g, g + e.isa.span)


def _packed(e: Emitter, block: ir.Value, offset: int) -> ir.Value:
    """32 bytes that hold bits of several groups, once for each group of a step."""
    return e.pick(e.load(_GROUP_WORDS, block, offset), [*range(16)] * e.isa.span)


def _scaled(e: Emitter, scales: ir.Value, g: int, group: Group) -> Group:
    """Times sub-scales: lane ``g`` for the first 16 values of a group, ``8 + g`` for the rest."""
    factor = e.pick(scales, [lane for n in _step(e, g) for lane in [n] * 8 + [8 + n] * 8])
    return e.b.mul(group[0], factor), e.b.mul(group[1], factor)


def _by_halves(e: Emitter, scales: ir.Value) -> ir.Value:
    """16 sub-scales in file order -> those of first halves, then those of second halves."""
    return e.pick(scales, [*range(0, 16, 2), *range(1, 16, 2)])


def packed_six_bits(e: Emitter, block: ir.Value) -> tuple[ir.Value, ir.Value]:
    """The 8 scales and 8 minima (8 x i8) of Q4_K and Q5_K, packed in 12 bytes at offset 4."""
    u0, u1, u2 = (e.load(I32, block, offset) for offset in (4, 8, 12))

    def high(word: ir.Value) -> ir.Value:
        return e.shift_left(e.mask(e.shift_left(word, -6), 0x03030303), 4)

    def pair(first: ir.Value, second: ir.Value) -> ir.Value:
        both = e.b.insert_element(e.undef(vec(I32, 2)), first, const(I32, 0))
        return e.b.bitcast(e.b.insert_element(both, second, const(I32, 1)), vec(I8, 8))

    scales = pair(e.mask(u0, 0x3F3F3F3F), e.b.or_(e.mask(u2, 0x0F0F0F0F), high(u0)))
    upper = e.mask(e.shift_left(u2, -4), 0x0F0F0F0F)
    return scales, pair(e.mask(u1, 0x3F3F3F3F), e.b.or_(upper, high(u1)))


def _with_minima(e: Emitter, block: ir.Value, group: Callable[[int], Group]) -> Decoded:
    """What Q4_K and Q5_K share: two float16 factors and packed scales in front."""
    d, dmin = _half(e, block, 0), _half(e, block, 2)
    scales, minima = packed_six_bits(e, block)
    lows = e.b.sitofp(e.b.zext(minima, vec(I32, 8)), vec(F32, 8))
    lows = e.b.fmul(lows, e.splat(e.b.fneg(dmin), 8))
    factor = _group_factors(e, scales)

    def scaled(g: int) -> Group:
        even, odd = group(g)
        return e.b.mul(even, factor(g)), e.b.mul(odd, factor(g))

    return Decoded(scaled, e.isa.span, [(d, list(GROUPS))], [(lows, SUMS32)])


def _group_factors(e: Emitter, scales: ir.Value) -> Callable[[int], ir.Value]:
    """One sub-scale (of 8 x i8) for all of a group, as int16 vectors for a step."""
    if e.isa.span > 1:
        words = e.b.zext(scales, vec(I16, 8))
        return lambda g: e.pick(words, [n for n in _step(e, g) for _ in range(16)])
    # A scale twice in 32 bits, through memory: a broadcast load is cheaper than any shuffle.
    room = e.local(vec(I32, 8))
    e.store(e.b.mul(e.b.zext(scales, vec(I32, 8)), const(vec(I32, 8), 0x10001)), room)
    return lambda g: e.b.bitcast(e.splat(e.load(I32, room, 4 * g, 4), 8), _GROUP_WORDS)


def _q4_k(e: Emitter, block: ir.Value) -> Decoded:
    def group(g: int) -> Group:
        packed = _packed(e, block, 16 + 32 * (g // 2))
        even = e.shift_each(packed, [-4 * (n % 2) for n in _step(e, g)])
        odd = e.shift_each(packed, [-8 - 4 * (n % 2) for n in _step(e, g)])
        return e.mask(even, 0xF), e.mask(odd, 0xF)

    return _with_minima(e, block, group)


def _q5_k(e: Emitter, block: ir.Value) -> Decoded:
    fifth = _packed(e, block, 16)

    def group(g: int) -> Group:
        packed = _packed(e, block, 48 + 32 * (g // 2))
        low = e.mask(e.shift_each(packed, [-4 * (n % 2) for n in _step(e, g)]), 0x0F0F)
        high = e.mask(e.shift_each(fifth, [4 - n for n in _step(e, g)]), 0x1010)
        return e.split(e.b.or_(low, high))

    return _with_minima(e, block, group)


def _minus(e: Emitter, group: Group, offset: int) -> Group:
    shift = const(group[0].type, offset)
    return e.b.sub(group[0], shift), e.b.sub(group[1], shift)


def _q6_k(e: Emitter, block: ir.Value) -> Decoded:
    d = _half(e, block, 208)
    scales = _by_halves(e, e.b.sext(e.load(vec(I8, 16), block, 192), _GROUP_WORDS))
    words = vec(I16, 16 * e.isa.span)

    def group(g: int) -> Group:
        half, quarter = divmod(g, 4)
        low = e.load(words, block, 64 * half + 32 * (quarter % 2))
        low = e.mask(e.shift_left(low, -4 * (quarter // 2)), 0x0F0F)
        high = _packed(e, block, 128 + 32 * half)
        high = e.mask(e.shift_each(high, [4 - 2 * (n % 4) for n in _step(e, g)]), 0x3030)
        return _scaled(e, scales, g, _minus(e, e.split(e.b.or_(low, high)), 32))

    return Decoded(group, e.isa.span, [(d, [0, 1, 2, 3]), (d, [4, 5, 6, 7])])


def _two_bits(e: Emitter, block: ir.Value, start: int, g: int) -> ir.Value:
    """The two-bit quants of a step, as bytes of 0..3; all of them begin at ``start``."""
    packed = _packed(e, block, start + 32 * (g // 4))
    return e.mask(e.shift_each(packed, [-2 * (n % 4) for n in _step(e, g)]), 0x0303)


def _q3_scales(e: Emitter, block: ir.Value) -> ir.Value:
    """16 scales of Q3_K less 32, as int16 in file order."""
    four = vec(I32, 4)
    lows = e.load(vec(I32, 2), block, 96)
    lows = e.b.lshr(e.pick(lows, [0, 1, 0, 1]), ir.Constant(four, [0, 0, 4, 4]))
    highs = e.b.lshr(e.splat(e.load(I32, block, 104), 4), ir.Constant(four, [0, 2, 4, 6]))
    highs = e.shift_left(e.mask(highs, 0x03030303), 4)
    packed = e.b.bitcast(e.b.or_(e.mask(lows, 0x0F0F0F0F), highs), vec(I8, 16))
    return e.b.sub(e.b.zext(packed, _GROUP_WORDS), const(_GROUP_WORDS, 32))


def _q3_k(e: Emitter, block: ir.Value) -> Decoded:
    d = _half(e, block, 108)
    scales = _by_halves(e, _q3_scales(e, block))
    third = _packed(e, block, 0)

    def group(g: int) -> Group:
        high = e.mask(e.shift_each(third, [2 - n for n in _step(e, g)]), 0x0404)
        quants = e.split(e.b.or_(_two_bits(e, block, 32, g), high))
        return _scaled(e, scales, g, _minus(e, quants, 4))

    return Decoded(group, e.isa.span, [(d, list(GROUPS))])


def _q2_k(e: Emitter, block: ir.Value) -> Decoded:
    d, dmin = _half(e, block, 80), _half(e, block, 82)
    packed = e.load(vec(I8, 16), block, 0)
    scales = _by_halves(e, e.b.zext(e.mask(packed, 15), _GROUP_WORDS))
    lows = e.b.sitofp(e.b.zext(e.shift_left(packed, -4), vec(I32, 16)), vec(F32, 16))
    lows = e.b.fmul(lows, e.splat(e.b.fneg(dmin), 16))
    return Decoded(
        lambda g: _scaled(e, scales, g, e.split(_two_bits(e, block, 16, g))),
        e.isa.span,
        [(d, list(GROUPS))],
        [(lows, SUMS16)],
    )


def q8_0_group(e: Emitter, block: ir.Value) -> tuple[ir.Value, Group]:
    """Factor and numbers of one Q8_0 block of 32 values."""
    return _half(e, block, 0), e.split(e.load(_GROUP_WORDS, block, 2), signed=True)


def _q8_0(e: Emitter, block: ir.Value) -> Decoded:
    groups = [q8_0_group(e, e.at(block, 34 * g)) for g in GROUPS]
    return Decoded(lambda g: groups[g][1], 1, [(groups[g][0], [g]) for g in GROUPS])


# Type -> (bytes that hold 256 values of a row, decoder).
DECODERS: dict[int, tuple[int, Decoder]] = {
    QuantType.Q2_K: (84, _q2_k),
    QuantType.Q3_K: (110, _q3_k),
    QuantType.Q4_K: (144, _q4_k),
    QuantType.Q5_K: (176, _q5_k),
    QuantType.Q6_K: (210, _q6_k),
    QuantType.Q8_0: (8 * 34, _q8_0),
}
