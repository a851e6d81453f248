"""Small vocabulary for writing LLVM code: vectors, unaligned loads, loops, number formats.

The kernels are written once, in operations that every processor has. The one instruction that
makes a difference, the multiply-add of 16-bit pairs, is a method of :class:`Emitter` that asks
the :class:`Isa`; everything else is left to LLVM's code generator.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from llvmlite import ir

I8, I16, I32, I64 = ir.IntType(8), ir.IntType(16), ir.IntType(32), ir.IntType(64)
F16, F32 = ir.HalfType(), ir.FloatType()
VOID, PTR = ir.VoidType(), ir.PointerType()

# Adding and subtracting 1.5 * 2**23 rounds a float32 of modest size to the nearest integer,
# which then stands in the low bits.
_ROUNDER, _ROUNDER_BITS = 12582912.0, 0x4B400000
_HALF_REBIAS = float(2**112)


@dataclass(frozen=True, slots=True)
class Isa:
    """What code may be made for.

    Attributes:
        name: ``avx512``, ``avx2`` or ``generic``.
        cpu, features: LLVM's names for the processor to tune for and its extensions.
        pairs: the x86 multiply-add of 16-bit pairs is there.
        span: groups of 32 values that one step takes: 2 for 512-bit integer vectors, else 1.
        halves: conversion from float16 is one instruction.
        pause: name of the intrinsic for a spinning wait, or empty.
    """

    name: str
    cpu: str
    features: str
    pairs: bool
    span: int
    halves: bool
    pause: str = ""


Group = tuple[ir.Value, ir.Value]


def vec(ty: ir.Type, lanes: int) -> ir.VectorType:
    """The vector type of ``lanes`` elements."""
    return ir.VectorType(ty, lanes)


def const(ty: ir.Type, value: float) -> ir.Constant:
    """A constant; for a vector type the same value in every lane."""
    if isinstance(ty, ir.VectorType):
        return ir.Constant(ty, [value] * ty.count)
    return ir.Constant(ty, value)


class Emitter:
    """Writes instructions at the end of one function; thin names over LLVM's builder."""

    def __init__(self, builder: ir.IRBuilder, isa: Isa) -> None:
        self.b = builder
        self.isa = isa

    @property
    def module(self) -> ir.Module:
        return self.b.module

    # -- addresses and memory ------------------------------------------------------------

    def at(self, base: ir.Value, offset: ir.Value | int) -> ir.Value:
        """The address ``offset`` bytes after ``base``."""
        if isinstance(offset, int):
            offset = const(I64, offset)
        return self.b.gep(base, [offset], source_etype=I8)

    def load(
        self, ty: ir.Type, base: ir.Value, offset: ir.Value | int = 0, align: int = 1
    ) -> ir.Value:
        """Load from any address: rows of a mapped file need not be aligned."""
        return self.b.load(self.at(base, offset), typ=ty, align=align)

    def store(self, value: ir.Value, base: ir.Value, offset: ir.Value | int = 0) -> None:
        """Store to any address."""
        self.b.store(value, self.at(base, offset), align=1)

    def local(self, ty: ir.Type, count: int = 1) -> ir.Value:
        """Room on the stack, 64-byte aligned, made in the entry block so that loops reuse it."""
        with self.b.goto_entry_block():
            room = self.b.alloca(ty, size=count)
            room.align = 64
        room.type = PTR  # any type may be stored there
        return room

    # -- control -------------------------------------------------------------------------

    @contextmanager
    def loop(self, stop: ir.Value, step: int = 1) -> Iterator[ir.Value]:
        """``for index in range(0, stop, step)`` with 64-bit numbers; yields the index."""
        before = self.b.block
        head = self.b.append_basic_block("head")
        body = self.b.append_basic_block("body")
        after = self.b.append_basic_block("after")
        self.b.branch(head)
        self.b.position_at_end(head)
        index = self.b.phi(I64)
        index.add_incoming(const(I64, 0), before)
        self.b.cbranch(self.b.icmp_signed("<", index, stop), body, after)
        self.b.position_at_end(body)
        yield index
        following = self.b.add(index, const(I64, step))
        index.add_incoming(following, self.b.block)
        self.b.branch(head)
        self.b.position_at_end(after)

    def fold(
        self,
        stop: ir.Value,
        start: Sequence[ir.Value],
        body: Callable[[ir.Value, Sequence[ir.Value]], Sequence[ir.Value]],
        step: int = 1,
    ) -> list[ir.Value]:
        """A loop that carries values in registers: ``body(index, values)`` gives the next ones."""
        before = self.b.block
        head = self.b.append_basic_block("head")
        inside = self.b.append_basic_block("body")
        after = self.b.append_basic_block("after")
        self.b.branch(head)
        self.b.position_at_end(head)
        index = self.b.phi(I64)
        index.add_incoming(const(I64, 0), before)
        carried = [self.b.phi(value.type) for value in start]
        for phi, value in zip(carried, start, strict=True):
            phi.add_incoming(value, before)
        self.b.cbranch(self.b.icmp_signed("<", index, stop), inside, after)
        self.b.position_at_end(inside)
        following = body(index, carried)
        for phi, value in zip(carried, following, strict=True):
            phi.add_incoming(value, self.b.block)
        index.add_incoming(self.b.add(index, const(I64, step)), self.b.block)
        self.b.branch(head)
        self.b.position_at_end(after)
        return carried

    def minimum(self, a: ir.Value, b: ir.Value) -> ir.Value:
        """The smaller of two signed integers."""
        return self.b.select(self.b.icmp_signed("<", a, b), a, b)

    # -- vectors -------------------------------------------------------------------------

    def pick(
        self, value: ir.Value, lanes: Sequence[int], other: ir.Value | None = None
    ) -> ir.Value:
        """Chosen lanes of a vector, or of two placed one after the other."""
        mask = ir.Constant(vec(I32, len(lanes)), list(lanes))
        return self.b.shuffle_vector(
            value, other if other is not None else self.undef(value.type), mask
        )

    def undef(self, ty: ir.Type) -> ir.Constant:
        return ir.Constant(ty, ir.Undefined)

    def splat(self, scalar: ir.Value, lanes: int) -> ir.Value:
        """A scalar in every lane."""
        first = self.b.insert_element(self.undef(vec(scalar.type, lanes)), scalar, const(I32, 0))
        return self.pick(first, [0] * lanes)

    def shift_left(self, value: ir.Value, bits: int) -> ir.Value:
        """Shift left; a negative count shifts right without sign."""
        if bits == 0:
            return value
        amount = const(value.type, abs(bits))
        return self.b.shl(value, amount) if bits > 0 else self.b.lshr(value, amount)

    def shift_each(self, value: ir.Value, bits: Sequence[int]) -> ir.Value:
        """:meth:`shift_left` with a count for each equal part of a vector, none against another."""
        if len(set(bits)) == 1:
            return self.shift_left(value, bits[0])
        lanes = value.type.count // len(bits)
        amounts = ir.Constant(value.type, [abs(b) for b in bits for _ in range(lanes)])
        return self.b.shl(value, amounts) if max(bits) > 0 else self.b.lshr(value, amounts)

    def mask(self, value: ir.Value, bits: int) -> ir.Value:
        return self.b.and_(value, const(value.type, bits))

    def split(self, pairs: ir.Value, signed: bool = False) -> tuple[ir.Value, ir.Value]:
        """16-bit words of two bytes each -> the even bytes and the odd bytes, as 16-bit numbers.

        Needs no move across lanes, which is why activations are stored with even and odd
        places apart (see ``quantise``).
        """
        if not signed:
            return self.mask(pairs, 0xFF), self.shift_left(pairs, -8)
        eight = const(pairs.type, 8)
        return self.b.ashr(self.b.shl(pairs, eight), eight), self.b.ashr(pairs, eight)

    def call(self, name: str, result: ir.Type, args: Sequence[ir.Value]) -> ir.Value:
        """Call an intrinsic of LLVM by its full name."""
        function = self.module.globals.get(name)
        if function is None:
            kind = ir.FunctionType(result, [a.type for a in args])
            function = ir.Function(self.module, kind, name)
        return self.b.call(function, args)

    def halves(self, value: ir.Value) -> Group:
        """The lower and the upper half of a vector."""
        lanes = value.type.count
        return self.pick(value, range(lanes // 2)), self.pick(value, range(lanes // 2, lanes))

    def transpose(self, rows: Sequence[ir.Value]) -> list[ir.Value]:
        """A square of values turned over: halves swapped, then halves of halves."""
        size, step, turned = len(rows), len(rows) // 2, list(rows)
        while step:
            before = list(turned)
            for i in range(size):
                if not i & step:
                    a, b = before[i], before[i + step]
                    lanes = [j if not j & step else size + j - step for j in range(size)]
                    turned[i] = self.pick(a, lanes, b)
                    lanes = [j + step if not j & step else size + j for j in range(size)]
                    turned[i + step] = self.pick(a, lanes, b)
            step //= 2
        return turned

    # -- arithmetic ----------------------------------------------------------------------

    def multiply_add(self, a: ir.Value, b: ir.Value, c: ir.Value) -> ir.Value:
        """``a * b + c`` on float32, fused where the processor can."""
        suffix = f"v{a.type.count}f32" if isinstance(a.type, ir.VectorType) else "f32"
        return self.call(f"llvm.fmuladd.{suffix}", a.type, [a, b, c])

    def dot_pairs(self, total: ir.Value, w: ir.Value, x: ir.Value) -> ir.Value:
        """``total`` (i32) plus the products of two int16 vectors of twice its lanes.

        The lane gets other pairs with and without the x86 instruction; each is one order.
        """
        if self.isa.pairs:
            # LLVM makes one instruction of this and the addition where there is one.
            wide = total.type.count == 16
            name = "llvm.x86.avx512.pmaddw.d.512" if wide else "llvm.x86.avx2.pmadd.wd"
            return self.b.add(total, self.call(name, total.type, [w, x]))
        ints = vec(I32, 16)
        product = self.b.mul(self.b.sext(w, ints), self.b.sext(x, ints))
        return self.b.add(total, self.b.add(*self.halves(product)))

    def dot_bytes(self, total: ir.Value, w: ir.Value, x: ir.Value) -> ir.Value:
        """``total`` (i32) plus four products a lane: unsigned bytes of ``w``, signed of ``x``."""
        return self.call("llvm.x86.avx512.vpdpbusd.512", total.type, [total, w, x])

    def pairs_of_bytes(self, w: ir.Value, x: ir.Value, signed: bool = False) -> ir.Value:
        """int16 sums of two products of bytes (32 a vector), which must fit.

        ``w`` is unsigned unless told; ``x`` is signed and never -128.
        """
        if signed:
            x = self.call("llvm.x86.avx2.psign.b", x.type, [x, w])
            w = self.call(f"llvm.abs.v{w.type.count}i8", w.type, [w, const(ir.IntType(1), 0)])
        return self.call("llvm.x86.avx2.pmadd.ub.sw", vec(I16, w.type.count // 2), [w, x])

    def sum_lanes(self, value: ir.Value, add: Callable[[ir.Value, ir.Value], ir.Value]) -> ir.Value:
        """Sum of all lanes, always in the same order: halves onto each other."""
        while value.type.count > 1:
            value = add(*self.halves(value))
        return self.b.extract_element(value, const(I32, 0))

    def round_to_int(self, value: ir.Value) -> ir.Value:
        """float32 vector to int32, to nearest even, for magnitudes below 2**22."""
        ints = vec(I32, value.type.count)
        shifted = self.b.fadd(value, const(value.type, _ROUNDER))
        return self.b.sub(self.b.bitcast(shifted, ints), const(ints, _ROUNDER_BITS))

    def half_to_float(self, bits: ir.Value) -> ir.Value:
        """float16 given as 16-bit integers -> float32; scalars and vectors."""
        lanes = bits.type.count if isinstance(bits.type, ir.VectorType) else 0

        def of(ty: ir.Type) -> ir.Type:
            return vec(ty, lanes) if lanes else ty

        if self.isa.halves:
            return self.b.fpext(self.b.bitcast(bits, of(F16)), of(F32))
        # Exponent and fraction moved into place, then rescaled: exact for denormals as well.
        word = self.b.zext(bits, of(I32))
        magnitude = self.shift_left(self.mask(word, 0x7FFF), 13)
        sign = self.shift_left(self.mask(word, 0x8000), 16)
        scaled = self.b.fmul(self.b.bitcast(magnitude, of(F32)), const(of(F32), _HALF_REBIAS))
        special = self.b.icmp_unsigned(">=", magnitude, const(of(I32), 0x0F800000))
        infinite = self.b.or_(magnitude, const(of(I32), 0x7F800000))
        result = self.b.select(special, infinite, self.b.bitcast(scaled, of(I32)))
        return self.b.bitcast(self.b.or_(result, sign), of(F32))

    def bfloat_to_float(self, bits: ir.Value) -> ir.Value:
        """bfloat16 given as 16-bit integers (a vector) -> float32."""
        lanes = bits.type.count
        word = self.shift_left(self.b.zext(bits, vec(I32, lanes)), 16)
        return self.b.bitcast(word, vec(F32, lanes))


def function(
    module: ir.Module, name: str, result: ir.Type, args: Sequence[ir.Type], isa: Isa
) -> tuple[Emitter, Sequence[ir.Value]]:
    """Begin a function; returns an emitter at its start and its arguments."""
    made = ir.Function(module, ir.FunctionType(result, args), name)
    return Emitter(ir.IRBuilder(made.append_basic_block("entry")), isa), made.args
