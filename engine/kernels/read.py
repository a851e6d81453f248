"""A kernel that only reads: what memory gives to the same threads, tiles and prefetch."""

from __future__ import annotations

from llvmlite import ir

from engine.kernels.ir import F32, I32, I64, VOID, Isa, const, function, vec
from engine.kernels.product import PREFETCH, PRODUCT_ARGS

_LINE = 64


def build_read(isa: Isa) -> ir.Module:
    """``product`` as in ``product``, which reads ``row_length`` bytes of each row.

    Whole lines of 64 bytes only. Every word is folded into the result, so that no read can be
    left out; activations are not touched.
    """
    module = ir.Module("read")
    e, args = function(module, "product", VOID, PRODUCT_ARGS, isa)
    w, row_bytes, rows, length, _, _, out, _ = args
    words = vec(I32, _LINE // 4)
    folded = e.local(words)
    with e.loop(rows) as row:
        at = e.at(w, e.b.mul(row, row_bytes))
        e.store(const(words, 0), folded)
        with e.loop(length, _LINE) as place:
            line = e.at(at, place)
            ahead = [e.at(line, PREFETCH), const(I32, 0), const(I32, 3), const(I32, 1)]
            e.call("llvm.prefetch.p0", VOID, ahead)
            total = e.load(words, folded, 0, 64)
            e.store(e.b.add(total, e.load(words, line)), folded)
        total = e.sum_lanes(e.load(words, folded, 0, 64), e.b.add)
        e.store(e.b.uitofp(total, F32), out, e.b.mul(row, const(I64, 4)))
    e.b.ret_void()
    return module
