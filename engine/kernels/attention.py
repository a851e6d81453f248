"""Attention of a few columns over a cache of float32 rows, as steps of ``ops``.

``heads`` norms and turns queries and keys of the new columns, and puts keys and values behind
the past. ``attend`` then works on one key head and the query heads that share it: each row of
the past is read once for all of them, in place. Key heads are what threads divide, through the
same board as the rows of a matrix; a head's sums always run in the same order.
"""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from engine.kernels.ir import F32, I64, PTR, VOID, Emitter, Isa, const, function, vec
from engine.kernels.ops import WIDTH, exponential, inverse_rms, number, offset, pointer, words
from engine.kernels.product import PRODUCT_ARGS

_LANES = vec(F32, WIDTH)
_LANE_BYTES = 4 * WIDTH

# A head's part in :func:`build_attend`, words of 8 bytes.
HEAD_WORDS = 16
HEAD_BYTES = 8 * HEAD_WORDS
(
    H_KEYS, H_VALUES, H_SCORES, H_SCORES_STRIDE, H_PAST, H_QUERY, H_QUERY_STRIDE, H_OUT,
    H_OUT_STRIDE, H_COLUMNS,
) = range(10)  # fmt: skip

# Accumulators of one pass over the values: what fits into sixteen registers with room to load.
_SUMS = 8


def build_heads(isa: Isa, head_dim: int) -> ir.Module:
    """``heads``: qkv, row bytes, columns, query heads, key heads, query norm, key norm, eps,
    rope, past, keys, values, head bytes of the cache.

    ``qkv`` is ``(columns, query + 2 * key heads, head_dim)``; queries are changed in place.
    Norm weights at address 0 are left out. ``rope`` has the cosine and sine of each pair at
    each position; ``past`` points to the number of positions before the first column.
    """
    module = ir.Module("heads")
    e, (entry,) = function(module, "heads", VOID, [PTR], isa)
    w = words(e, entry, 13)
    qkv, row, columns, queries, kv, q_norm, k_norm, eps, rope, past, keys, values, stride = w
    size = 4 * head_dim
    before = e.load(I64, pointer(e, past), 0, 8)
    scratch = e.local(F32, head_dim)
    with e.loop(columns) as column:
        at = e.b.add(before, column)
        turn = offset(e, pointer(e, rope), at, size)
        new = offset(e, pointer(e, qkv), column, row)
        with e.loop(queries) as head:
            vector = offset(e, new, head, size)
            _normed(e, vector, q_norm, eps, scratch, head_dim)
            _turned(e, scratch, turn, vector, head_dim)
        new = offset(e, new, queries, size)
        slot = e.b.mul(at, const(I64, size))
        with e.loop(kv) as head:
            place = e.b.add(e.b.mul(head, stride), slot)
            _normed(e, offset(e, new, head, size), k_norm, eps, scratch, head_dim)
            _turned(e, scratch, turn, e.at(pointer(e, keys), place), head_dim)
            value = offset(e, new, e.b.add(head, kv), size)
            _copy(e, value, e.at(pointer(e, values), place), head_dim)
    e.b.ret_void()
    return module


def _copy(e: Emitter, source: ir.Value, to: ir.Value, count: int) -> None:
    for at in range(0, 4 * count, _LANE_BYTES):
        e.store(e.load(_LANES, source, at), to, at)


def _normed(
    e: Emitter, source: ir.Value, weight: ir.Value, eps: ir.Value, to: ir.Value, count: int
) -> None:
    """RMSNorm of a head's vector, or a copy where there is no weight."""
    there = e.b.icmp_signed("!=", weight, const(I64, 0))
    with e.b.if_else(there) as (then, otherwise):
        with then:
            factor = inverse_rms(e, source, const(I64, count), number(e, eps))
            for at in range(0, 4 * count, _LANE_BYTES):
                value = e.b.fmul(e.load(_LANES, source, at), factor)
                e.store(e.b.fmul(value, e.load(_LANES, pointer(e, weight), at)), to, at)
        with otherwise:
            _copy(e, source, to, count)


def _turned(e: Emitter, source: ir.Value, turn: ir.Value, to: ir.Value, count: int) -> None:
    """Each pair (a, b) times its unit complex number: (a cos - b sin, b cos + a sin)."""
    evens, odds = [n - n % 2 for n in range(WIDTH)], [n - n % 2 + 1 for n in range(WIDTH)]
    swapped = [n ^ 1 for n in range(WIDTH)]
    signs = ir.Constant(_LANES, [-1.0 if n % 2 == 0 else 1.0 for n in range(WIDTH)])
    for at in range(0, 4 * count, _LANE_BYTES):
        value, angle = e.load(_LANES, source, at), e.load(_LANES, turn, at)
        cos, sin = e.pick(angle, evens), e.b.fmul(e.pick(angle, odds), signs)
        across = e.b.fmul(e.pick(value, swapped), sin)
        e.store(e.multiply_add(value, cos, across), to, at)


def build_attend(isa: Isa, head_dim: int, group: int) -> ir.Module:
    """``product`` as in ``product``: each row is a key head described by HEAD_WORDS.

    ``H_KEYS``, ``H_VALUES``: the head's rows ``(positions, head_dim)``; ``H_SCORES``: room for
    ``group`` rows of scores, ``H_SCORES_STRIDE`` bytes apart, at least ``WIDTH - 1`` longer
    than the positions; ``H_QUERY``, ``H_OUT``: the first column's ``group`` vectors.
    """
    module = ir.Module("attend")
    e, args = function(module, "product", VOID, PRODUCT_ARGS, isa)
    first, row_bytes, rows = args[:3]
    with e.loop(rows) as row:
        head = offset(e, first, row, row_bytes)
        part = [e.load(I64, head, 8 * place, 8) for place in range(10)]
        with e.loop(part[H_COLUMNS]) as column:
            _Column(e, part, column, head_dim, group).emit()
    e.b.ret_void()
    return module


class _Column:
    """One column's query heads that share a key head."""

    def __init__(
        self, e: Emitter, part: Sequence[ir.Value], column: ir.Value, head_dim: int, group: int
    ) -> None:
        self.e, self.width, self.group = e, head_dim, group
        self.keys, self.values = pointer(e, part[H_KEYS]), pointer(e, part[H_VALUES])
        past = e.load(I64, pointer(e, part[H_PAST]), 0, 8)
        self.length = e.b.add(e.b.add(past, column), const(I64, 1))
        self.query = offset(e, pointer(e, part[H_QUERY]), column, part[H_QUERY_STRIDE])
        self.out = offset(e, pointer(e, part[H_OUT]), column, part[H_OUT_STRIDE])
        base, stride = pointer(e, part[H_SCORES]), part[H_SCORES_STRIDE]
        self.scores = [offset(e, base, const(I64, g), stride) for g in range(group)]
        # Long enough vectors in chunks of sixteen lanes, which the compiler cuts in two where
        # the processor's registers are shorter.
        self.lanes = vec(F32, 16 if head_dim % 16 == 0 and e.isa.span > 1 else WIDTH)
        self.bytes = 4 * self.lanes.count

    def emit(self) -> None:
        self._score()
        inverse = [self._softmax(scores) for scores in self.scores]
        self._mix(inverse)

    def _score(self) -> None:
        """Scores of every position for each query head, with minus infinity as padding."""
        e = self.e
        scale = const(F32, self.width**-0.5)
        with e.loop(self.length) as position:
            row = offset(e, self.keys, position, 4 * self.width)
            chunks = [e.load(self.lanes, row, at) for at in range(0, 4 * self.width, self.bytes)]
            at = e.b.mul(position, const(I64, 4))
            for g, scores in enumerate(self.scores):
                total = const(self.lanes, 0.0)
                for k, chunk in enumerate(chunks):
                    q = e.load(self.lanes, self.query, 4 * self.width * g + self.bytes * k)
                    total = e.multiply_add(q, chunk, total)
                e.store(e.b.fmul(e.sum_lanes(total, e.b.fadd), scale), scores, at)
        end = e.b.mul(self.length, const(I64, 4))
        for scores in self.scores:
            e.store(const(_LANES, float("-inf")), scores, end)

    def _softmax(self, scores: ir.Value) -> ir.Value:
        """Replace scores by unscaled weights; returns one over their sum."""
        e = self.e

        def largest(index: ir.Value, best: Sequence[ir.Value]) -> list[ir.Value]:
            value = e.load(_LANES, offset(e, scores, index, 4))
            return [_larger(e, value, best[0])]

        (best,) = e.fold(self.length, [const(_LANES, float("-inf"))], largest, WIDTH)
        top = e.splat(e.sum_lanes(best, lambda a, b: _larger(e, a, b)), WIDTH)

        def weigh(index: ir.Value, total: Sequence[ir.Value]) -> list[ir.Value]:
            at = offset(e, scores, index, 4)
            weight = exponential(e, e.b.fsub(e.load(_LANES, at), top))
            e.store(weight, at)
            return [e.b.fadd(total[0], weight)]

        (total,) = e.fold(self.length, [const(_LANES, 0.0)], weigh, WIDTH)
        return e.b.fdiv(const(F32, 1.0), e.sum_lanes(total, e.b.fadd))

    def _mix(self, inverse: Sequence[ir.Value]) -> None:
        """Weighted sums of the values, some lanes of all query heads in each pass."""
        e = self.e
        count = self.width * 4 // self.bytes
        chunks = max(1, _SUMS // self.group)
        for start in range(0, count, chunks):
            places = [self.bytes * k for k in range(start, min(count, start + chunks))]
            sums = self._sums(places)
            for g, factor in enumerate(inverse):
                scale = e.splat(factor, self.lanes.count)
                for k, at in enumerate(places):
                    value = e.b.fmul(sums[g * len(places) + k], scale)
                    e.store(value, self.out, 4 * self.width * g + at)

    def _sums(self, places: Sequence[int]) -> list[ir.Value]:
        e = self.e

        def body(position: ir.Value, sums: Sequence[ir.Value]) -> list[ir.Value]:
            row = offset(e, self.values, position, 4 * self.width)
            values = [e.load(self.lanes, row, at) for at in places]
            result = []
            for g, scores in enumerate(self.scores):
                weight = e.load(F32, scores, e.b.mul(position, const(I64, 4)))
                spread = e.splat(weight, self.lanes.count)
                for k, value in enumerate(values):
                    result.append(e.multiply_add(spread, value, sums[g * len(places) + k]))
            return result

        zeros = [const(self.lanes, 0.0)] * (self.group * len(places))
        return e.fold(self.length, zeros, body)


def _larger(e: Emitter, a: ir.Value, b: ir.Value) -> ir.Value:
    return e.b.select(e.b.fcmp_ordered(">", a, b), a, b)
