"""A list of steps on fixed addresses: written once, run again and again in one call.

Each method of :class:`Program` appends a step of ``ops`` or ``attention``. The
program holds the arrays behind its addresses; what else the addresses point to (weights, a
cache) is handed to :meth:`Program.keep`.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.kernels import attention, work_queue
from engine.kernels import ops as steps
from engine.kernels.pool import KernelPool, StoredMatrix, fill_segments, make_plan
from engine.kernels.prompts import PromptProducts, Way
from engine.kernels.quantise import RECORD_BYTES, RECORD_VALUES, build_quantise

# Below this many positions waking a thread costs more than it saves.
ATTEND_ALONE = 96

_ALWAYS = -1


@dataclass(frozen=True, slots=True)
class HeadSizes:
    """Sizes of an attention: heads of ``width`` values, ``queries`` and ``kv`` of them."""

    queries: int
    kv: int
    width: int

    @property
    def row(self) -> int:
        """Values of a column of queries, keys and values."""
        return (self.queries + 2 * self.kv) * self.width


@dataclass(frozen=True, slots=True)
class CachePlace:
    """A layer's cache: addresses of keys, values and rotary table, and bytes of a head's rows."""

    keys: int
    values: int
    head_bytes: int
    rope: int


def aligned(*shape: int) -> np.ndarray:
    """A float32 array of zeros at a 64-byte address."""
    size = int(np.prod(shape))
    room = np.zeros(size + 16, np.float32)
    skip = -room.ctypes.data % 64 // 4
    return room[skip : skip + size].reshape(shape)


def program_fits(*lengths: int) -> bool:
    """Whether the steps can work on vectors of these lengths."""
    return all(length % steps.WIDTH == 0 for length in lengths)


class Program:
    """Steps for a fixed number of columns.

    Attributes:
        columns: how many columns each step works on.
        past: int64 ``(1 + streams,)``: the most positions before any stream's first column, then
            those of each; set by :meth:`run`.
    """

    def __init__(self, pool: KernelPool, columns: int, streams: int = 1) -> None:
        """``columns`` are those of all streams together, each stream's side by side."""
        self.pool, self.columns = pool, columns
        self.past = np.zeros(1 + streams, np.int64)
        self._entries: list[list[int]] = []
        self._list: np.ndarray | None = None
        self._kept: list[object] = []
        self._records = np.empty(0, np.uint8)
        self._prompts: dict[tuple[str, int, int], PromptProducts] = {}

    def keep(self, *owners: object) -> None:
        """Hold what the program's addresses point to."""
        self._kept.extend(owners)

    def array(self, *shape: int) -> np.ndarray:
        """A float32 array for steps to work on, kept by the program."""
        made = aligned(*shape)
        self.keep(made)
        return made

    def norm(
        self, x: np.ndarray, addend: np.ndarray | None, weight: int, out: np.ndarray, eps: float
    ) -> None:
        """``x += addend`` and ``out = rms_norm(x)``; arrays ``(columns, length)``."""
        more = 0 if addend is None else _at(addend)
        function = self.pool.function("norm", "norm", steps.build_norm)
        self._add(function, _at(x), more, weight, _at(out), x.shape[1], self.columns, _bits(eps))

    def gate(self, a: np.ndarray, b: np.ndarray) -> None:
        """``a = silu(a) * b``."""
        function = self.pool.function("gate", "gate", steps.build_gate)
        self._add(function, _at(a), _at(b), a.size)

    def multiply(
        self,
        matrices: Sequence[StoredMatrix],
        x: np.ndarray,
        outs: Sequence[np.ndarray],
        eight_bits: bool = False,
    ) -> None:
        """Products of matrices with ``x (columns, length)`` into ``outs (columns, rows)``."""
        way = self.pool.way(matrices, self.columns, eight_bits)
        if way is not None:
            for start in range(0, self.columns, way.most_columns):
                some = slice(start, start + way.most_columns)
                self._multiply_many(way, matrices, x[some], [out[some] for out in outs])
            return
        plan = make_plan(self.pool, matrices, self.columns)
        records = self._room(plan.length) if plan.record_group else 0
        words = np.zeros(plan.words.size, np.int64)
        place = (_at(x), x.strides[0])
        fill_segments(words, plan, records, place, [(_at(o), o.strides[0]) for o in outs])
        self.keep(words, *matrices)
        quantise = self.pool.function("quantise", "quantise", build_quantise)
        self._on_board(x, quantise, records, words, (plan.tiles, self._wake(plan.tiles), _ALWAYS))

    def _multiply_many(
        self,
        way: Way,
        matrices: Sequence[StoredMatrix],
        x: np.ndarray,
        outs: Sequence[np.ndarray],
    ) -> None:
        """A product with many columns, in memory that those of one way and length share."""
        columns, length = x.shape
        made = self._prompts.get((way.name, columns, length))
        if made is None:
            made = PromptProducts(self.pool.threads, self.pool.library)
            made.prepare(way, length, columns)
            self._prompts[way.name, columns, length] = made
        places = [(_at(out), out.strides[0]) for out in outs]
        words, tiles = made.segments(way, [m.place for m in matrices], length, places)
        self.keep(words, *matrices)
        sharing = tiles, self._wake(tiles), _ALWAYS
        self._on_board(x, made.pack(way), made.input, words, sharing)

    def _wake(self, tiles: int) -> int:
        return min(self.pool.threads, tiles) - 1

    def heads(
        self,
        qkv: np.ndarray,
        sizes: HeadSizes,
        norms: tuple[int, int],
        eps: float,
        places: Sequence[CachePlace],
    ) -> None:
        """Norm and turn queries and keys of ``qkv``, which all streams share evenly."""
        width = sizes.width
        function = self.pool.function(
            f"heads_{width}", "heads", lambda isa: attention.build_heads(isa, width)
        )
        each = self.columns // len(places)
        for index, place in enumerate(places):
            self._add(
                function, _at(qkv[index * each]), qkv.strides[0], each, sizes.queries, sizes.kv,
                *norms, _bits(eps), place.rope, _at(self.past[1 + index :]), place.keys,
                place.values, place.head_bytes,
            )  # fmt: skip

    def attend(
        self,
        qkv: np.ndarray,
        sizes: HeadSizes,
        places: Sequence[CachePlace],
        scores: np.ndarray,
        out: np.ndarray,
    ) -> None:
        """Attention of each stream over its own cache into ``out (columns, queries * width)``.

        ``scores`` is float32 ``(streams * queries, positions + 8)``, room to work in.
        """
        group, width = sizes.queries // sizes.kv, sizes.width
        key = f"attend_{width}_{group}"
        function = self.pool.function(
            key, "product", lambda isa: attention.build_attend(isa, width, group)
        )
        each, count = self.columns // len(places), len(places) * sizes.kv
        parts = np.zeros((count, attention.HEAD_WORDS), np.int64)
        for number, part in enumerate(parts):
            stream, head = divmod(number, sizes.kv)
            place, column, start = places[stream], stream * each, 4 * width * group * head
            part[:10] = (
                place.keys + place.head_bytes * head, place.values + place.head_bytes * head,
                _at(scores[group * number]), scores.strides[0], _at(self.past[1 + stream :]),
                _at(qkv[column]) + start, qkv.strides[0],
                _at(out[column]) + start, out.strides[0], each,
            )  # fmt: skip
        words = np.zeros(work_queue.SEGMENT_BYTES // 8, np.int64)
        words[work_queue.END // 8], words[work_queue.ROWS // 8] = count, count
        words[work_queue.REST // 8], words[work_queue.W // 8] = function, _at(parts)
        words[work_queue.ROW_BYTES // 8], words[work_queue.TILE_ROWS // 8] = attention.HEAD_BYTES, 1
        self.keep(parts, words)
        alone = ATTEND_ALONE // len(places) if self.columns < ATTEND_ALONE else _ALWAYS
        self._on_board(qkv, 0, 0, words, (count, self._wake(count), alone))

    def tiles(self, segment: np.ndarray, count: int, threads: int) -> None:
        """Work on ``count`` tiles that a segment of the board describes, with some threads."""
        self.keep(segment)
        wake = min(self.pool.threads, count, threads) - 1
        self._on_board(segment, 0, 0, segment, (count, wake, _ALWAYS))

    def run(self, *past: int) -> None:
        """Do all steps with ``past`` positions before the first column of each stream."""
        if self._list is None:
            self._list = np.zeros((len(self._entries), steps.ENTRY_WORDS), np.int64)
            for row, entry in zip(self._list, self._entries, strict=True):
                row[: len(entry)] = entry
        self.past[0], self.past[1:] = max(past, default=0), past or 0
        self.pool.execute(_at(self._list), len(self._list))

    def _add(self, *entry: int) -> None:
        self._entries.append(list(entry))

    def _on_board(
        self,
        x: np.ndarray,
        pack: int,
        records: int,
        words: np.ndarray,
        sharing: tuple[int, int, int],
    ) -> None:
        """Bring ``x`` to ``records`` by the function ``pack``, unless 0; share the tiles."""
        pool, columns, length = self.pool, *_shape(x)
        tiles, wake, threshold = sharing
        self._add(
            pool.function("multiply", "multiply", steps.build_multiply),
            pool.function("run", "run", work_queue.build_run), pool.board,
            pack, _at(x), x.strides[0], columns, length, records, _at(words), words.size,
            tiles, wake, _at(self.past), threshold,
        )  # fmt: skip

    def _room(self, length: int) -> int:
        """Address of records for columns of ``length`` values; all steps share the largest."""
        need = self.columns * -(-length // RECORD_VALUES) * RECORD_BYTES + 64
        if self._records.nbytes < need:
            self._records = np.empty(need, np.uint8)
            self.keep(self._records)
        return _at(self._records) + -_at(self._records) % 64


def _shape(x: np.ndarray) -> tuple[int, int]:
    """Columns of ``x``, and values of each."""
    return x.shape[0], x.shape[-1]


def _at(array: np.ndarray) -> int:
    return int(array.ctypes.data)


def _bits(value: float) -> int:
    return int(struct.unpack("<I", struct.pack("<f", value))[0])
