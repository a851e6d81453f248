"""Matrix products that read GGUF blocks in place: the engine's fast path on the CPU.

A :class:`KernelPool` multiplies stored matrices with columns of activations. With few columns
weights are never unpacked to memory; the activations of a product are rounded once to 15 bits
per 256 values (float types keep float32), so a result is the float32 product to about 1e-5 of
the norms. ``prompts`` has the ways for many columns: rows are unpacked, a few at a time, for all
of them.

Results do not depend on the number of threads, on the rows multiplied together, or on which
other columns are in the call; but where a product becomes one of float32 numbers, which those of
float types and of the generic code do with very many columns.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from llvmlite import ir

from engine.gguf.quant_types import QuantType, block_bytes, block_size
from engine.kernels import work_queue
from engine.kernels.blocks import DECODERS
from engine.kernels.ir import Isa
from engine.kernels.jit import KernelLibrary
from engine.kernels.ops import build_execute
from engine.kernels.product import build_product
from engine.kernels.prompts import EIGHT_BITS, PromptProducts, Stored, Way, way_of
from engine.kernels.quantise import GROUP_COLUMNS, RECORD_BYTES, RECORD_VALUES, build_quantise
from engine.kernels.thread_pool import ThreadPool

FLOAT_TYPES = frozenset({int(QuantType.F16), int(QuantType.BF16)})
BLOCK_TYPES = frozenset(int(t) for t in DECODERS)

# Matrices that one call can multiply with the same columns.
MAX_MATRICES = work_queue.MAX_SEGMENTS

# Bytes of weights in a tile: some 5 us of reading, far above the price of taking a tile and
# far below a time slice of the system.
_TILE_BYTES = 48 << 10

_FIRST, _SEGMENT = work_queue.SEGMENTS // 8, work_queue.SEGMENT_BYTES // 8


def supported(type_id: int) -> bool:
    """Whether there is a kernel for a storage type."""
    return type_id in BLOCK_TYPES or type_id in FLOAT_TYPES


def max_columns(type_id: int) -> int:
    """How many columns a kernel takes before unpacking and a dense product is the faster way.

    Without bound where the kernels unpack by themselves, 0 for types without a kernel.
    """
    return 1 << 30 if supported(type_id) else 0


@dataclass(frozen=True, slots=True, eq=False)
class StoredMatrix:
    """A matrix as the kernels take it; made once and reused, it spares each call the checks.

    Attributes:
        raw: uint8 ``(rows, row_bytes)``; rows contiguous, at any alignment and stride.
        type_id: a supported storage type.
        row_length: values in a row.
        address, stride: of the first row, and bytes from row to row.
    """

    raw: np.ndarray
    type_id: int
    row_length: int
    address: int
    stride: int

    @property
    def place(self) -> Stored:
        """Address, bytes from row to row, rows, and storage type."""
        return self.address, self.stride, self.raw.shape[0], self.type_id

    @classmethod
    def of(cls, raw: np.ndarray, type_id: int) -> StoredMatrix:
        """Check a raw view; raises ``ValueError`` for what the kernels cannot read."""
        if not supported(type_id):
            raise ValueError(f"no kernel for storage type {type_id}")
        if raw.dtype != np.uint8 or raw.ndim != 2:
            raise ValueError(f"expected uint8 (rows, row_bytes), got {raw.dtype} {raw.shape}")
        size = block_bytes(type_id)
        if raw.shape[1] % size or (raw.shape[1] > 1 and raw.strides[1] != 1):
            raise ValueError(f"rows of {raw.shape[1]} bytes are not whole blocks of {size}")
        length = raw.shape[1] // size * block_size(type_id)
        return cls(raw, type_id, length, raw.ctypes.data, raw.strides[0])


Place = tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """What stays the same between two products of the same matrices and number of columns.

    Attributes:
        words: the matrices' segments for the board, but for activations and results.
        tiles: how many tiles of rows there are, of all matrices.
        length: values in a row.
        blocks: for each matrix, whether it reads activation records (and not float32).
        record_group: bytes of the records of one group of columns; 0 when none are needed.
    """

    words: np.ndarray
    tiles: int
    length: int
    blocks: tuple[bool, ...]
    record_group: int


class KernelPool:
    """Multiplies with a fixed number of threads. One call at a time; others wait their turn.

    Attributes:
        threads: how many work on a product, the caller included.
        library: the compiled code, which pools can share.
    """

    def __init__(self, threads: int = 1, library: KernelLibrary | None = None) -> None:
        """``threads`` at least 1. Helpers start with the first product that needs them."""
        self.library = library if library is not None else KernelLibrary()
        self._workers = ThreadPool(threads, self.library)
        words = [ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p]
        self._pack_type = ctypes.CFUNCTYPE(None, *words)
        self._quantise = self._pack_type(
            self.library.address("quantise", "quantise", build_quantise)
        )
        self._kernels: dict[tuple[int, int], int] = {}
        self._records, self._address = np.empty(0, np.uint8), 0
        self._prompts = PromptProducts(threads, self.library)
        self._lock = threading.Lock()

    @property
    def threads(self) -> int:
        return self._workers.threads

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the helper threads; also happens when the pool is collected."""
        with self._lock:
            self._workers.close()

    def warm_up(self, types: Iterable[int], columns: Sequence[int] = (1, 2)) -> None:
        """Compile or load the kernels of some types before they are needed."""
        for type_id in types:
            if supported(type_id):
                for count in columns:
                    self.kernel(type_id, count)

    def matmul(self, raw: np.ndarray, type_id: int, x: np.ndarray, out: np.ndarray) -> None:
        """``out[c, r] = sum_i W[r, i] * x[c, i]``.

        ``raw`` is uint8 ``(rows, row_bytes)``, ``x`` float32 ``(columns, row_length)`` and
        ``out`` float32 ``(columns, rows)``, rows contiguous. Raises ``ValueError`` when they
        do not fit together or the type has no kernel.
        """
        self.matmul_many([StoredMatrix.of(raw, type_id)], x, [out])

    def matmul_many(
        self, matrices: Sequence[StoredMatrix], x: np.ndarray, outs: Sequence[np.ndarray]
    ) -> None:
        """Multiply up to :data:`MAX_MATRICES` matrices with the same ``x`` in one go."""
        _check(matrices, x, outs)
        if x.shape[0]:
            places = [(out.ctypes.data, out.strides[0]) for out in outs]
            self.product(matrices)(x.shape[0], x.ctypes.data, x.strides[0], places)

    def product(self, matrices: Sequence[StoredMatrix], *, eight_bits: bool = False) -> Product:
        """A product to be made many times; holds the matrices.

        With ``eight_bits`` activations are rounded to 8 bits: see :meth:`takes_eight_bits`.
        """
        return Product(self, matrices, eight_bits)

    def way(
        self, matrices: Sequence[StoredMatrix], columns: int, eight_bits: bool = False
    ) -> Way | None:
        """How matrices meet so many columns; ``None`` is a few columns at a time."""
        kinds = [(m.type_id, m.row_length) for m in matrices]
        return way_of(self.library.isa, kinds, columns, eight_bits)

    def takes_eight_bits(self, matrix: StoredMatrix) -> bool:
        """Whether there is a product of a matrix with activations of 8 bits."""
        return EIGHT_BITS.takes(self.library.isa, matrix.type_id, matrix.row_length)

    def run(self, plan: Plan, columns: int, x: Place, outs: Sequence[Place]) -> None:
        """Make one product; see :meth:`Product.__call__`."""
        with self._lock:
            records = 0
            if plan.record_group:
                records = self._quantised(columns, x, plan.length)
            words = self._workers.board[_FIRST : _FIRST + plan.words.size]
            fill_segments(words, plan, records, x, outs)
            self._workers.run(plan.tiles)

    def run_prompt(
        self,
        way: Way,
        matrices: Sequence[StoredMatrix],
        columns: int,
        x: Place,
        outs: Sequence[Place],
    ) -> None:
        """Make one product with the columns of a prompt; see :meth:`Product.__call__`."""
        length = matrices[0].row_length
        with self._lock:
            pack = self._pack_type(self._prompts.pack(way))
            for start in range(0, columns, way.most_columns):
                count = min(way.most_columns, columns - start)
                here = (x[0] + start * x[1], x[1])
                to = [(address + start * stride, stride) for address, stride in outs]
                self._prompts.prepare(way, length, count)
                pack(*here, count, length, self._prompts.input)
                stored = [m.place for m in matrices]
                words, tiles = self._prompts.segments(way, stored, length, to)
                self._workers.board[_FIRST : _FIRST + words.size] = words
                self._workers.run(tiles)

    def run_segment(self, segment: np.ndarray, tiles: int, threads: int) -> None:
        """Work on tiles that one segment of the board describes, with up to so many threads."""
        with self._lock:
            self._workers.board[_FIRST : _FIRST + segment.size] = segment
            self._workers.run(tiles, threads)

    def execute(self, entries: int, count: int) -> None:
        """Run a list of steps, see ``ops``, given by its address and length."""
        address = self.function("execute", "execute", build_execute)
        run = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64)(address)
        with self._lock:
            self._workers.start()
            run(entries, count)

    @property
    def board(self) -> int:
        """Address of the board that the pool's threads share."""
        return self._workers.address

    def function(self, key: str, symbol: str, build: Callable[[Isa], ir.Module]) -> int:
        """Address of a step or kernel by name, compiled if need be."""
        return self.library.address(key, symbol, build)

    def kernel(self, type_id: int, columns: int) -> int:
        """Address of the kernel for a type and 1 to 8 columns, compiled if need be."""
        key = (type_id, columns)
        if key not in self._kernels:
            name = f"{QuantType(type_id).name.lower()}_{columns}"
            self._kernels[key] = self.library.address(
                name, "product", lambda isa: build_product(isa, type_id, columns)
            )
        return self._kernels[key]

    def _quantised(self, columns: int, x: Place, length: int) -> int:
        """Round the activations; returns the address of their records, 64-byte aligned."""
        need = columns * -(-length // RECORD_VALUES) * RECORD_BYTES + 64
        if self._records.nbytes < need:
            self._records = np.empty(need, np.uint8)
            self._address = self._records.ctypes.data
            self._address += -self._address % 64
        self._quantise(*x, columns, length, self._address)
        return self._address


class Product:
    """Matrices that are multiplied together, again and again, with what can be kept for it."""

    def __init__(
        self, pool: KernelPool, matrices: Sequence[StoredMatrix], eight_bits: bool
    ) -> None:
        if not 0 < len(matrices) <= MAX_MATRICES:
            raise ValueError(f"{len(matrices)} matrices in one product, not 1 to {MAX_MATRICES}")
        self.pool = pool
        self.matrices = tuple(matrices)
        self._plans: dict[int, Plan] = {}
        self._eight_bits = eight_bits

    def __call__(self, columns: int, x: int, x_stride: int, outs: Sequence[Place]) -> None:
        """Multiply, on addresses and unchecked, for callers that hold tensors.

        ``x`` is the address of the first of ``columns`` (at least 1) columns of float32 and
        ``x_stride`` the bytes to the next; ``outs`` are the same for each result.
        """
        way = self.pool.way(self.matrices, columns, self._eight_bits)
        if way is not None:
            self.pool.run_prompt(way, self.matrices, columns, (x, x_stride), outs)
            return
        plan = self._plans.get(columns)
        if plan is None:
            plan = make_plan(self.pool, self.matrices, columns)
            if columns <= GROUP_COLUMNS:  # those come again; prompts have any length
                self._plans[columns] = plan
        self.pool.run(plan, columns, (x, x_stride), outs)


def fill_segments(
    words: np.ndarray, plan: Plan, records: int, x: Place, outs: Sequence[Place]
) -> None:
    """Write a plan's segments, with the places of activations and results, for the board."""
    words[:] = plan.words
    at = work_queue.X // 8
    for blocks, (address, stride) in zip(plan.blocks, outs, strict=True):
        if blocks:
            words[at : at + 5] = records, 0, plan.record_group, address, stride
        else:
            words[at : at + 5] = *x, GROUP_COLUMNS * x[1], address, stride
        at += _SEGMENT


def make_plan(pool: KernelPool, matrices: Sequence[StoredMatrix], columns: int) -> Plan:
    length = matrices[0].row_length
    words, tiles = np.zeros((len(matrices), _SEGMENT), np.int64), 0
    for row, matrix in zip(words, matrices, strict=True):
        tiles = _fill_segment(row, pool, matrix, columns, tiles)
    blocks = tuple(matrix.type_id in BLOCK_TYPES for matrix in matrices)
    group = -(-length // RECORD_VALUES) * RECORD_BYTES * GROUP_COLUMNS if any(blocks) else 0
    return Plan(words.reshape(-1), tiles, length, blocks, group)


def _fill_segment(
    words: np.ndarray, pool: KernelPool, matrix: StoredMatrix, columns: int, begin: int
) -> int:
    """One matrix's entry on the board, but for activations and result; returns its last tile."""
    groups, rest = divmod(columns, GROUP_COLUMNS)
    rows = matrix.raw.shape[0]
    step = max(1, _TILE_BYTES // max(1, matrix.stride))
    if columns > 1:
        step = -(-step // 8) * 8
    end: int = begin - (-rows // step)
    words[work_queue.BEGIN // 8], words[work_queue.END // 8] = begin, end
    if groups:
        words[work_queue.FULL // 8] = pool.kernel(matrix.type_id, GROUP_COLUMNS)
    if rest:
        words[work_queue.REST // 8] = pool.kernel(matrix.type_id, rest)
    words[work_queue.W // 8], words[work_queue.ROW_BYTES // 8] = matrix.address, matrix.stride
    words[work_queue.ROWS // 8], words[work_queue.LENGTH // 8] = rows, matrix.row_length
    words[work_queue.TILE_ROWS // 8], words[work_queue.GROUPS // 8] = step, groups
    return end


def _check(matrices: Sequence[StoredMatrix], x: np.ndarray, outs: Sequence[np.ndarray]) -> None:
    if len(outs) != len(matrices):
        raise ValueError(f"{len(matrices)} matrices and {len(outs)} results in one product")
    if x.dtype != np.float32 or x.ndim != 2 or (x.size and x.strides[1] != 4):
        raise ValueError(f"expected float32 (columns, row_length), got {x.dtype} {x.shape}")
    for matrix, out in zip(matrices, outs, strict=True):
        shape = (x.shape[0], matrix.raw.shape[0])
        if out.dtype != np.float32 or out.shape != shape or (out.size and out.strides[1] != 4):
            raise ValueError(f"expected a float32 result {shape}, got {out.dtype} {out.shape}")
        if matrix.row_length != x.shape[1]:
            raise ValueError(f"rows of {matrix.row_length} values with columns of {x.shape[1]}")
