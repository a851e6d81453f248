"""Dividing a product between threads, as LLVM code: tiles of rows from one atomic counter.

A static division makes every product as slow as its slowest thread, and a barrier waits for
threads that the system has not even started. Here a thread takes the next tile when it is done
with one, and whoever called waits only for tiles that were taken: a thread that wakes up late
finds nothing to do and nobody waiting. On a busy machine the work slows down by what the other
processes take and not more.

Threads sleep on a semaphore of the system between products; they never need Python's lock.

The *board* is the memory they share; its places are the constants below (bytes). A late thread
and the next product cannot meet on a half-written board: a thread counts itself as active
before it looks whether the board is open, and the caller closes the board before it waits for
the active ones (both sequentially consistent).
"""

from __future__ import annotations

from llvmlite import ir

from engine.kernels.ir import I32, I64, PTR, VOID, Emitter, Isa, const, function
from engine.kernels.product import PRODUCT_ARGS
from engine.kernels.quantise import GROUP_COLUMNS

# Counters that several threads write have cache lines of their own.
NEXT_TILE, ACTIVE, OPEN = 0, 64, 128
CLOSED, TILES, WAKE = 192, 200, 208
WAIT, SEMAPHORE, WAIT_ARGUMENT, POST, YIELD = 216, 224, 232, 240, 248
SEGMENTS, SEGMENT_BYTES, MAX_SEGMENTS = 256, 128, 8
BOARD_BYTES = SEGMENTS + MAX_SEGMENTS * SEGMENT_BYTES

# Places in a segment, which is one matrix: tiles [begin, end) of the board are its rows.
BEGIN, END, FULL, REST, W, ROW_BYTES, ROWS, LENGTH = range(0, 64, 8)
X, X_STRIDE, X_GROUP, OUT, OUT_STRIDE, TILE_ROWS, GROUPS = range(64, 120, 8)

# Turns of waiting before the processor is offered to others: some microseconds.
_SPINS = 2000
_SEQUENTIAL = "seq_cst"


def build_run(isa: Isa) -> ir.Module:
    """``run(board)`` for the caller: returns when every tile of the board is done."""
    module = ir.Module("run")
    _build_run(module, isa, _build_drain(module, isa))
    return module


def build_serve(isa: Isa) -> ir.Module:
    """``serve(board)`` for the life of another thread: returns when the board is closed."""
    module = ir.Module("serve")
    _build_serve(module, isa, _build_drain(module, isa))
    return module


def _word(e: Emitter, base: ir.Value, offset: int) -> ir.Value:
    return e.load(I64, base, offset, 8)


def _atomic_load(e: Emitter, board: ir.Value, offset: int) -> ir.Value:
    return e.b.load_atomic(e.at(board, offset), _SEQUENTIAL, 8, typ=I64)


def _atomic_store(e: Emitter, board: ir.Value, offset: int, value: int) -> None:
    e.b.atomic_rmw("xchg", e.at(board, offset), const(I64, value), _SEQUENTIAL)


def _atomic_add(e: Emitter, board: ir.Value, offset: int, value: int) -> ir.Value:
    return e.b.atomic_rmw("add", e.at(board, offset), const(I64, value), _SEQUENTIAL)


def _call_pointer(e: Emitter, address: ir.Value, result: ir.Type, args: list[ir.Value]) -> ir.Value:
    """Call a C function whose address is only known at run time."""
    kind = ir.FunctionType(result, [a.type for a in args])
    return e.b.call(e.b.inttoptr(address, ir.PointerType(kind)), args)


def _pointer(e: Emitter, value: ir.Value) -> ir.Value:
    return e.b.inttoptr(value, PTR)


def _build_drain(module: ir.Module, isa: Isa) -> ir.Function:
    """``drain(board)``: work on tiles until there are none left to take."""
    e, (board,) = function(module, "drain", VOID, [PTR], isa)
    e.b.function.linkage = "internal"
    turn = e.b.append_basic_block("turn")
    find = e.b.append_basic_block("find")
    skip = e.b.append_basic_block("skip")
    work = e.b.append_basic_block("work")
    done = e.b.append_basic_block("done")
    e.b.branch(turn)
    e.b.position_at_end(turn)
    tile = _atomic_add(e, board, NEXT_TILE, 1)
    first = e.at(board, SEGMENTS)
    e.b.cbranch(e.b.icmp_signed("<", tile, _word(e, board, TILES)), find, done)
    e.b.position_at_end(find)
    segment = e.b.phi(PTR)
    segment.add_incoming(first, turn)
    e.b.cbranch(e.b.icmp_signed("<", tile, _word(e, segment, END)), work, skip)
    e.b.position_at_end(skip)
    segment.add_incoming(e.at(segment, SEGMENT_BYTES), skip)
    e.b.branch(find)
    e.b.position_at_end(work)
    _tile(e, segment, e.b.sub(tile, _word(e, segment, BEGIN)))
    e.b.branch(turn)
    e.b.position_at_end(done)
    e.b.ret_void()
    return e.b.function


def _tile(e: Emitter, segment: ir.Value, tile: ir.Value) -> None:
    """One tile of rows against all columns, in groups; the last group may be smaller."""
    row = e.b.mul(tile, _word(e, segment, TILE_ROWS))
    rows = e.minimum(e.b.sub(_word(e, segment, ROWS), row), _word(e, segment, TILE_ROWS))
    row_bytes, out_stride = _word(e, segment, ROW_BYTES), _word(e, segment, OUT_STRIDE)
    w = e.at(_pointer(e, _word(e, segment, W)), e.b.mul(row, row_bytes))
    out = e.at(_pointer(e, _word(e, segment, OUT)), e.b.mul(row, const(I64, 4)))
    x, x_group = _pointer(e, _word(e, segment, X)), _word(e, segment, X_GROUP)
    length, x_stride = _word(e, segment, LENGTH), _word(e, segment, X_STRIDE)

    def product(kernel: ir.Value, group: ir.Value) -> None:
        columns = e.at(x, e.b.mul(group, x_group))
        to = e.at(out, e.b.mul(e.b.mul(group, const(I64, GROUP_COLUMNS)), out_stride))
        args = [w, row_bytes, rows, length, columns, x_stride, to, out_stride]
        assert tuple(a.type for a in args) == PRODUCT_ARGS
        _call_pointer(e, kernel, VOID, args)

    groups, rest = _word(e, segment, GROUPS), _word(e, segment, REST)
    with e.loop(groups) as group:
        product(_word(e, segment, FULL), group)
    with e.b.if_then(e.b.icmp_signed("!=", rest, const(I64, 0))):
        product(rest, groups)


def _build_run(module: ir.Module, isa: Isa, drain: ir.Function) -> None:
    """Open the board, wake threads, work, close the board, wait for tiles still in work."""
    e, (board,) = function(module, "run", VOID, [PTR], isa)
    _atomic_store(e, board, NEXT_TILE, 0)
    _atomic_store(e, board, OPEN, 1)
    semaphore = _pointer(e, _word(e, board, SEMAPHORE))
    with e.loop(_word(e, board, WAKE)):
        args = [semaphore, const(I64, 1), ir.Constant(PTR, None)]
        _call_pointer(e, _word(e, board, POST), I32, args)
    e.b.call(drain, [board])
    _atomic_store(e, board, OPEN, 0)
    before = e.b.block
    wait = e.b.append_basic_block("wait")
    spin = e.b.append_basic_block("spin")
    offer = e.b.append_basic_block("offer")
    done = e.b.append_basic_block("done")
    e.b.branch(wait)
    e.b.position_at_end(wait)
    turns = e.b.phi(I64)
    turns.add_incoming(const(I64, 0), before)
    e.b.cbranch(e.b.icmp_signed("==", _atomic_load(e, board, ACTIVE), const(I64, 0)), done, spin)
    e.b.position_at_end(spin)
    if isa.pause:
        e.call(isa.pause, VOID, [])
    more = e.b.add(turns, const(I64, 1))
    turns.add_incoming(more, spin)
    e.b.cbranch(e.b.icmp_signed("<", more, const(I64, _SPINS)), wait, offer)
    e.b.position_at_end(offer)
    _call_pointer(e, _word(e, board, YIELD), I32, [])
    turns.add_incoming(const(I64, _SPINS), offer)
    e.b.branch(wait)
    e.b.position_at_end(done)
    e.b.ret_void()


def _build_serve(module: ir.Module, isa: Isa, drain: ir.Function) -> None:
    """Sleep, help with whatever is on the board, sleep; until the board is given up."""
    e, (board,) = function(module, "serve", VOID, [PTR], isa)
    sleep = e.b.append_basic_block("sleep")
    awake = e.b.append_basic_block("awake")
    done = e.b.append_basic_block("done")
    e.b.branch(sleep)
    e.b.position_at_end(sleep)
    semaphore = _pointer(e, _word(e, board, SEMAPHORE))
    args = [semaphore, _word(e, board, WAIT_ARGUMENT)]
    _call_pointer(e, _word(e, board, WAIT), I32, args)
    closed = _atomic_load(e, board, CLOSED)
    e.b.cbranch(e.b.icmp_signed("==", closed, const(I64, 0)), awake, done)
    e.b.position_at_end(awake)
    _atomic_add(e, board, ACTIVE, 1)
    is_open = e.b.icmp_signed("!=", _atomic_load(e, board, OPEN), const(I64, 0))
    with e.b.if_then(is_open):
        e.b.call(drain, [board])
    _atomic_add(e, board, ACTIVE, -1)
    e.b.branch(sleep)
    e.b.position_at_end(done)
    e.b.ret_void()
