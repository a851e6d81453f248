"""Memory for each thread inside a kernel, and the table of words that such a kernel gets."""

from __future__ import annotations

from llvmlite import ir

from engine.kernels.ir import I64, PTR, Emitter, const

# The columns in the kernel's own form, how many, memory of the threads: how much for each,
# how many.
W_INPUT, W_COLUMNS, W_ROOM, W_ROOM_BYTES, W_ROOMS = range(5)
TABLE_WORDS = 8
# A room begins with the word that says whether it is taken, alone on its cache line.
ROOM_HEAD = 64


def take_room(e: Emitter, table: ir.Value) -> ir.Value:
    """Memory that no other thread uses now; there are as many rooms as threads."""
    first, size, rooms = (e.load(I64, table, 8 * w, 8) for w in (W_ROOM, W_ROOM_BYTES, W_ROOMS))
    turn, taken = e.b.append_basic_block("turn"), e.b.append_basic_block("taken")
    before = e.b.block
    e.b.branch(turn)
    e.b.position_at_end(turn)
    number = e.b.phi(I64)
    number.add_incoming(const(I64, 0), before)
    which = e.b.urem(number, rooms)
    room = e.at(e.b.inttoptr(first, PTR), e.b.mul(which, size))
    found = e.b.atomic_rmw("xchg", room, const(I64, 1), "seq_cst")
    number.add_incoming(e.b.add(number, const(I64, 1)), turn)
    e.b.cbranch(e.b.icmp_signed("==", found, const(I64, 0)), taken, turn)
    e.b.position_at_end(taken)
    return room
