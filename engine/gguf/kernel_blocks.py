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

from engine.gguf.kernel_ir import F32, I8, I16, I32, Emitter, const, vec
from engine.gguf.kernel_quantise import SUMS16, SUMS32
from engine.gguf.quant_types import QuantType

GROUPS = range(8)
WORDS = vec(I16, 16)

Group = tuple[ir.Value, ir.Value]


@dataclass(slots=True)
class Decoded:
    """256 values of a row.

    Attributes:
        group: number 0..7 -> int16 vectors of the even and the odd places of 32 values.
        parts: float factor and the groups whose integer sums it applies to.
        minima: factors (8 x float32, negative) of the activation sums at an offset of a record.
    """

    group: Callable[[int], Group]
    parts: list[tuple[ir.Value, list[int]]]
    minima: list[tuple[ir.Value, int]] = field(default_factory=list)


Decoder = Callable[[Emitter, ir.Value], Decoded]


def _half(e: Emitter, block: ir.Value, offset: int) -> ir.Value:
    return e.half_to_float(e.load(I16, block, offset))


def _scaled(e: Emitter, scales: ir.Value, number: int, group: Group) -> Group:
    """Times sub-scales: lane ``number`` for the first 16 values, ``8 + number`` for the rest."""
    factor = e.pick(scales, [number] * 8 + [8 + number] * 8)
    return e.b.mul(group[0], factor), e.b.mul(group[1], factor)


def _by_halves(e: Emitter, scales: ir.Value) -> ir.Value:
    """16 sub-scales in file order -> those of first halves, then those of second halves."""
    return e.pick(scales, [*range(0, 16, 2), *range(1, 16, 2)])


def _packed_six_bits(e: Emitter, block: ir.Value) -> tuple[ir.Value, ir.Value]:
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
    scales, minima = _packed_six_bits(e, block)
    # A scale twice in 32 bits, through memory: a broadcast load is cheaper than any shuffle.
    room = e.local(vec(I32, 8))
    e.store(e.b.mul(e.b.zext(scales, vec(I32, 8)), const(vec(I32, 8), 0x10001)), room)
    lows = e.b.sitofp(e.b.zext(minima, vec(I32, 8)), vec(F32, 8))
    lows = e.b.fmul(lows, e.splat(e.b.fneg(dmin), 8))

    def scaled(g: int) -> Group:
        factor = e.b.bitcast(e.splat(e.load(I32, room, 4 * g, 4), 8), WORDS)
        even, odd = group(g)
        return e.b.mul(even, factor), e.b.mul(odd, factor)

    return Decoded(scaled, [(d, list(GROUPS))], [(lows, SUMS32)])


def _q4_k(e: Emitter, block: ir.Value) -> Decoded:
    def group(g: int) -> Group:
        packed = e.load(WORDS, block, 16 + 32 * (g // 2))
        if g % 2 == 0:
            return e.mask(packed, 0xF), e.mask(e.shift_left(packed, -8), 0xF)
        return e.mask(e.shift_left(packed, -4), 0xF), e.shift_left(packed, -12)

    return _with_minima(e, block, group)


def _q5_k(e: Emitter, block: ir.Value) -> Decoded:
    fifth = e.load(WORDS, block, 16)

    def group(g: int) -> Group:
        packed = e.load(WORDS, block, 48 + 32 * (g // 2))
        nibbles = e.mask(e.shift_left(packed, -4 * (g % 2)), 0x0F0F)
        return e.split(e.b.or_(nibbles, e.mask(e.shift_left(fifth, 4 - g), 0x1010)))

    return _with_minima(e, block, group)


def _minus(e: Emitter, group: Group, offset: int) -> Group:
    shift = const(WORDS, offset)
    return e.b.sub(group[0], shift), e.b.sub(group[1], shift)


def _q6_k(e: Emitter, block: ir.Value) -> Decoded:
    d = _half(e, block, 208)
    scales = _by_halves(e, e.b.sext(e.load(vec(I8, 16), block, 192), WORDS))

    def group(g: int) -> Group:
        half, quarter = divmod(g, 4)
        low = e.load(WORDS, block, 64 * half + 32 * (quarter % 2))
        low = e.mask(e.shift_left(low, -4 * (quarter // 2)), 0x0F0F)
        high = e.load(WORDS, block, 128 + 32 * half)
        high = e.mask(e.shift_left(high, 4 - 2 * quarter), 0x3030)
        return _scaled(e, scales, g, _minus(e, e.split(e.b.or_(low, high)), 32))

    return Decoded(group, [(d, [0, 1, 2, 3]), (d, [4, 5, 6, 7])])


def _two_bits(e: Emitter, block: ir.Value, start: int, g: int) -> ir.Value:
    """Group ``g`` of the two-bit quants at ``start``, as 32 bytes of 0..3."""
    half, quarter = divmod(g, 4)
    packed = e.load(WORDS, block, start + 32 * half)
    return e.mask(e.shift_left(packed, -2 * quarter), 0x0303)


def _q3_scales(e: Emitter, block: ir.Value) -> ir.Value:
    """16 scales of Q3_K less 32, as int16 in file order."""
    four = vec(I32, 4)
    lows = e.load(vec(I32, 2), block, 96)
    lows = e.b.lshr(e.pick(lows, [0, 1, 0, 1]), ir.Constant(four, [0, 0, 4, 4]))
    highs = e.b.lshr(e.splat(e.load(I32, block, 104), 4), ir.Constant(four, [0, 2, 4, 6]))
    highs = e.shift_left(e.mask(highs, 0x03030303), 4)
    packed = e.b.bitcast(e.b.or_(e.mask(lows, 0x0F0F0F0F), highs), vec(I8, 16))
    return e.b.sub(e.b.zext(packed, WORDS), const(WORDS, 32))


def _q3_k(e: Emitter, block: ir.Value) -> Decoded:
    d = _half(e, block, 108)
    scales = _by_halves(e, _q3_scales(e, block))
    third = e.load(WORDS, block, 0)

    def group(g: int) -> Group:
        high = e.mask(e.shift_left(third, 2 - g), 0x0404)
        quants = e.split(e.b.or_(_two_bits(e, block, 32, g), high))
        return _scaled(e, scales, g, _minus(e, quants, 4))

    return Decoded(group, [(d, list(GROUPS))])


def _q2_k(e: Emitter, block: ir.Value) -> Decoded:
    d, dmin = _half(e, block, 80), _half(e, block, 82)
    packed = e.load(vec(I8, 16), block, 0)
    scales = _by_halves(e, e.b.zext(e.mask(packed, 15), WORDS))
    lows = e.b.sitofp(e.b.zext(e.shift_left(packed, -4), vec(I32, 16)), vec(F32, 16))
    lows = e.b.fmul(lows, e.splat(e.b.fneg(dmin), 16))
    minima = [(e.pick(lows, range(8)), SUMS16), (e.pick(lows, range(8, 16)), SUMS16 + 32)]
    return Decoded(
        lambda g: _scaled(e, scales, g, e.split(_two_bits(e, block, 16, g))),
        [(d, list(GROUPS))],
        minima,
    )


def q8_0_group(e: Emitter, block: ir.Value) -> tuple[ir.Value, Group]:
    """Factor and numbers of one Q8_0 block of 32 values."""
    return _half(e, block, 0), e.split(e.load(WORDS, block, 2), signed=True)


def _q8_0(e: Emitter, block: ir.Value) -> Decoded:
    groups = [q8_0_group(e, e.at(block, 34 * g)) for g in GROUPS]
    return Decoded(lambda g: groups[g][1], [(groups[g][0], [g]) for g in GROUPS])


# Type -> (bytes that hold 256 values of a row, decoder).
DECODERS: dict[int, tuple[int, Decoder]] = {
    QuantType.Q2_K: (84, _q2_k),
    QuantType.Q3_K: (110, _q3_k),
    QuantType.Q4_K: (144, _q4_k),
    QuantType.Q5_K: (176, _q5_k),
    QuantType.Q6_K: (210, _q6_k),
    QuantType.Q8_0: (8 * 34, _q8_0),
}
