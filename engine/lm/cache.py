"""Keys and values of past positions, and their reuse between requests.

Spec 03, section 2.2. A cache belongs to one request; modules stay immutable. Layout per layer:
``(kv_heads, capacity, head_dim)``, so that one head's past is contiguous and grows in place.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from engine.errors import DeviceError, GenerationError
from engine.lm.config import StackConfig
from engine.lm.rotary import rope_table


class KVCache:
    """Preallocated keys and values of every layer of one stack, and its rotary table.

    Rows are written in place at ``length``; nothing past ``length`` is ever read. Slots are not
    cleared: the operating system commits a page only when a row in it is written.

    Attributes:
        capacity: positions that fit.
        length: positions that are valid.
        dtype: storage type, float32, bfloat16 or float16.
        keys, values: one ``(kv_heads, capacity, head_dim)`` tensor per layer.
        rope: float32 ``(capacity, head_dim / 2, 2)``, cosine and sine, on the first layer's device.
    """

    def __init__(
        self,
        config: StackConfig,
        capacity: int,
        *,
        dtype: torch.dtype = torch.float32,
        device: torch.device | str | Sequence[torch.device] = "cpu",
    ) -> None:
        """``device`` is one for all layers, or one for each."""
        self.capacity = capacity
        self.length = 0
        self.dtype = dtype
        shape = (config.n_kv_heads, capacity, config.head_dim)
        if isinstance(device, torch.device | str):
            device = [torch.device(device)] * config.n_layers
        try:
            self.keys = [torch.empty(shape, dtype=dtype, device=home) for home in device]
            self.values = [torch.empty(shape, dtype=dtype, device=home) for home in device]
        except (RuntimeError, MemoryError) as error:
            size = position_bytes(config, dtype) * capacity / 2**20
            raise DeviceError("device.cache_memory", capacity=capacity, size=size) from error
        self.rope = rope_table(capacity, config.head_dim, config.rope_base, device[0])

    @property
    def nbytes(self) -> int:
        """Bytes that the keys and values take when they are full."""
        return sum(t.numel() * t.element_size() for t in (*self.keys, *self.values))

    def check_room(self, count: int) -> None:
        """Raise unless ``count`` more positions fit; the state is untouched either way."""
        if count <= 0:
            raise GenerationError("lm.no_column", count=count)
        if self.length + count > self.capacity:
            raise GenerationError(
                "lm.cache_full", held=self.length, count=count, capacity=self.capacity
            )

    def write(self, layer: int, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
        """Put new rows behind the valid ones and return views of all of them.

        The rows count as valid for later calls only after :meth:`advance`, so a failure in a
        later layer leaves the state as it was.

        Args:
            keys, values: ``(kv_heads, n, head_dim)``; cast to the cache's type.

        Returns:
            Views ``(kv_heads, length + n, head_dim)``.
        """
        end = self.length + keys.shape[1]
        self.keys[layer][:, self.length : end] = keys
        self.values[layer][:, self.length : end] = values
        return self.keys[layer][:, :end], self.values[layer][:, :end]

    def advance(self, count: int) -> None:
        """Make the ``count`` rows written last valid, in every layer."""
        self.length += count

    def truncate(self, length: int) -> None:
        """Forget every position from ``length`` on."""
        if not 0 <= length <= self.length:
            raise GenerationError("lm.cache_cut", held=self.length, length=length)
        self.length = length

    def snapshot(self, length: int) -> KVSnapshot:
        """A copy of the first ``length`` positions, independent of this cache."""
        if not 0 < length <= self.length:
            raise GenerationError("lm.cache_copy", length=length, held=self.length)
        return KVSnapshot(
            length,
            tuple(k[:, :length].clone() for k in self.keys),
            tuple(v[:, :length].clone() for v in self.values),
        )

    def copy_prefix(self, snapshot: KVSnapshot) -> None:
        """Start this empty cache with the positions of a snapshot, bit for bit."""
        if self.length:
            raise GenerationError("lm.cache_used")
        self.check_room(snapshot.length)
        for source, target in zip(
            (*snapshot.keys, *snapshot.values), (*self.keys, *self.values), strict=True
        ):
            target[:, : snapshot.length] = source
        self.length = snapshot.length


@dataclass(frozen=True, slots=True)
class KVSnapshot:
    """Cached rows of a prompt's beginning: one ``(kv_heads, length, head_dim)`` per layer."""

    length: int
    keys: tuple[Tensor, ...]
    values: tuple[Tensor, ...]

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        return sum(t.numel() * t.element_size() for t in (*self.keys, *self.values))


@dataclass(frozen=True, slots=True)
class PrefixKey:
    """What the rows of a prompt's beginning depend on.

    Attributes:
        identity: of the model; see :class:`engine.lm.dual_ar.DualAR`.
        dtype: of the cache.
        chunk: columns of a prefill pass.
        columns: the prompt's beginning, int32, as bytes.
    """

    identity: Hashable
    dtype: torch.dtype
    chunk: int
    columns: bytes


class PrefixCache:
    """Keeps the cached rows of voices that were used lately, within a memory bound.

    A voice's system message and reference codes are the same columns in each request; their
    rows are reused exactly. The key holds everything that the rows depend on: the model, the
    storage type, the chunk size and the columns themselves, so that a changed voice of the same
    name is another entry.

    Attributes:
        max_bytes: bound on what is held; the entry used longest ago goes first.
        hits, misses: look-ups that found, or did not find, their entry.
    """

    def __init__(self, max_bytes: int = 256 * 2**20) -> None:
        self.max_bytes = max_bytes
        self.hits = 0
        self.misses = 0
        self._entries: OrderedDict[PrefixKey, KVSnapshot] = OrderedDict()

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def nbytes(self) -> int:
        """Bytes held now."""
        return sum(entry.nbytes for entry in self._entries.values())

    def find(self, key: PrefixKey, cache: KVCache, length: int) -> KVSnapshot | None:
        """The entry of ``key``, now the youngest, or ``None``.

        ``cache`` and ``length`` say what its rows must be: the first positions of that cache.
        """
        entry = self._entries.get(key)
        if entry is None:
            self.misses += 1
            return None
        self.hits += 1
        self._entries.move_to_end(key)
        return entry

    def fits(self, nbytes: int) -> bool:
        """Whether an entry of this size may be kept at all."""
        return nbytes <= self.max_bytes

    def keep(self, key: PrefixKey, snapshot: KVSnapshot, seconds: float) -> None:
        """Keep an entry that took ``seconds``; drop the oldest ones until the bound holds."""
        if not self.fits(snapshot.nbytes):
            return
        self._entries[key] = snapshot
        self._entries.move_to_end(key)
        while self.nbytes > self.max_bytes:
            self._entries.popitem(last=False)

    def clear(self) -> None:
        """Drop every entry."""
        self._entries.clear()

    def close(self) -> None:
        """Drop every entry, and end what works for it."""
        self.clear()


class PromptShare:
    """Whole prompts that takes of one line have in common, for as long as they are made.

    Attributes:
        most: how many are kept; those of one line come one after the other.
    """

    def __init__(self, most: int = 2) -> None:
        self.most = most
        self._entries: OrderedDict[bytes, tuple[KVSnapshot, Tensor]] = OrderedDict()

    def load(self, key: bytes, cache: KVCache) -> Tensor | None:
        """Put a prompt's rows into an empty cache; returns the state behind it, ``(dim,)``."""
        entry = self._entries.get(key)
        if entry is None:
            return None
        self._entries.move_to_end(key)
        cache.copy_prefix(entry[0])
        return entry[1]

    def keep(self, key: bytes, cache: KVCache, last: Tensor) -> None:
        """Keep what ``cache`` holds now, and the state of its last column."""
        self._entries[key] = cache.snapshot(cache.length), last.clone()
        while len(self._entries) > self.most:
            self._entries.popitem(last=False)


def position_bytes(config: StackConfig, dtype: torch.dtype = torch.float32) -> int:
    """Bytes that one cached position takes over all layers."""
    return config.n_layers * 2 * config.n_kv_heads * config.head_dim * dtype.itemsize
