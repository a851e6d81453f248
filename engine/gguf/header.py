"""Parser of a GGUF header: metadata and tensor directory (spec 01, section 1).

Every length and count is compared with the bytes that are left before it is used, so that a
damaged or hostile file costs neither memory nor time beyond its own size.
"""

from __future__ import annotations

import mmap
import struct
from dataclasses import dataclass
from typing import Any

from engine.errors import Message, ModelFileError

MAX_KV = 65536
MAX_TENSORS = 65536
MAX_STRING = 16 << 20
MAX_ARRAY = 3 << 19
"""Of all arrays of a file together: Python's lists take up to a hundred times their bytes. The
largest vocabularies, with scores and merges, hold 1.3 million elements."""

MAX_DIMS = 4
MAX_ELEMENTS = 1 << 40
DEFAULT_ALIGNMENT = 32
MAX_ALIGNMENT = 1 << 20
MAX_KEY = (1 << 16) - 1
MAX_TENSOR_NAME = 64
"""Both as the format's own document has them."""

MIN_FILE = 24

_MAX_NESTING = 4
_MAX_INNER = 4096
_MAX_INNER_IN_ALL = 1 << 16
"""Arrays in arrays of a file together: no model has any, and each takes microseconds."""
_STRING, _ARRAY, _BOOL = 8, 9, 7
_SCALARS: dict[int, struct.Struct] = {
    0: struct.Struct("<B"),
    1: struct.Struct("<b"),
    2: struct.Struct("<H"),
    3: struct.Struct("<h"),
    4: struct.Struct("<I"),
    5: struct.Struct("<i"),
    6: struct.Struct("<f"),
    7: struct.Struct("<?"),
    10: struct.Struct("<Q"),
    11: struct.Struct("<q"),
    12: struct.Struct("<d"),
}
# Smallest possible entry: it bounds a count before anything is read.
_MIN_KV_BYTES = 8 + 4 + 1
_MIN_TENSOR_BYTES = 8 + 4 + 8 + 4 + 8


@dataclass(frozen=True, slots=True)
class TensorEntry:
    """One directory entry as it stands in the file: ``ne`` has the fastest axis first."""

    name: str
    ne: tuple[int, ...]
    type_id: int
    offset: int


@dataclass(frozen=True, slots=True)
class Header:
    """Parsed header; ``data_start`` is the absolute offset of the data section."""

    version: int
    metadata: dict[str, Any]
    tensors: list[TensorEntry]
    alignment: int
    data_start: int


def corrupt(code: str, **params: object) -> ModelFileError:
    """The error for a header that cannot be right."""
    return ModelFileError("gguf.corrupt", reason=Message(code, **params))


class _Cursor:
    """Reads forward through the map and refuses to pass its end."""

    def __init__(self, data: mmap.mmap | bytes, position: int) -> None:
        self.data = data
        self.position = position
        self.size = len(data)
        self.array_budget = MAX_ARRAY
        self.inner_budget = _MAX_INNER_IN_ALL
        self.string_budget = MAX_STRING

    def need(self, count: int, what: str) -> None:
        end = self.position + count
        if end > self.size:
            raise corrupt("header.past_end", what=what, end=end, size=self.size)

    def scalar(self, kind: struct.Struct, what: str) -> Any:
        self.need(kind.size, what)
        (value,) = kind.unpack_from(self.data, self.position)
        self.position += kind.size
        return value

    def u32(self, what: str) -> int:
        return int(self.scalar(_SCALARS[4], what))

    def u64(self, what: str) -> int:
        return int(self.scalar(_SCALARS[10], what))

    def raw_string(self, what: str) -> bytes:
        length = self.u64(what)
        # Shared by all strings of the file, for the same reason as the budget of arrays.
        if length > self.string_budget:
            raise corrupt("header.text_length", what=what, length=length)
        self.need(length, what)
        self.string_budget -= length
        start = self.position
        self.position += length
        return self.data[start : self.position]

    def name(self, what: str, longest: int) -> str:
        """A key or a tensor name: must be UTF-8, not empty, without NUL, of bounded bytes."""
        raw = self.raw_string(what)
        if len(raw) > longest:
            raise corrupt("header.text_length", what=what, length=len(raw))
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError:
            raise corrupt("header.not_utf8", what=what) from None
        if not text or "\0" in text:
            raise corrupt("header.empty_name", what=what)
        return text

    def value(self, type_id: int, what: str, depth: int = 0) -> Any:
        if type_id == _STRING:
            # Vocabulary entries of some exporters are byte fragments: keep what can be shown.
            return self.raw_string(what).decode("utf-8", "replace")
        if type_id == _ARRAY:
            return self._array(what, depth)
        if type_id == _BOOL:
            return self.scalar(_SCALARS[0], what) != 0
        kind = _SCALARS.get(type_id)
        if kind is None:
            raise corrupt("header.value_type", what=what, type_id=type_id)
        return self.scalar(kind, what)

    def _array(self, what: str, depth: int) -> list[Any]:
        if depth >= _MAX_NESTING:
            raise corrupt("header.nesting", what=what)
        element = self.u32(what)
        count = self.u64(what)
        # The budget is shared by all arrays of the file: lists are larger than their bytes.
        if count > self.array_budget:
            raise corrupt("header.array_length", what=what, count=count)
        self.array_budget -= count
        kind = _SCALARS.get(element)
        if kind is None:
            if element not in (_STRING, _ARRAY):
                raise corrupt("header.element_type", what=what, element=element)
            self.need(count * (8 if element == _STRING else 12), what)
            if element == _STRING:
                return self._strings(count, what)
            self.inner_budget -= count
            if count > _MAX_INNER or self.inner_budget < 0:
                raise corrupt("header.nested_arrays", what=what, count=count)
            return [self.value(element, what, depth + 1) for _ in range(count)]
        size = count * kind.size
        self.need(size, what)
        start = self.position
        self.position += size
        code = "B" if element == _BOOL else kind.format[-1]
        values = struct.unpack(f"<{count}{code}", self.data[start : self.position])
        return [v != 0 for v in values] if element == _BOOL else list(values)

    def _strings(self, count: int, what: str) -> list[str]:
        """A vocabulary: as :meth:`value` reads each, in one loop that a million of them need."""
        data, at, size, budget = self.data, self.position, self.size, self.string_budget
        length_at = _SCALARS[10].unpack_from
        found: list[str] = []
        for _ in range(count):
            if at + 8 > size:
                self.need(at + 8 - self.position, what)
            end = at + 8 + length_at(data, at)[0]
            at += 8
            budget -= end - at
            if budget < 0:
                raise corrupt("header.text_length", what=what, length=end - at)
            if end > size:
                self.need(end - self.position, what)
            found.append(data[at:end].decode("utf-8", "replace"))
            at = end
        self.position, self.string_budget = at, budget
        return found


def _count(cursor: _Cursor, what: str, limit: int, smallest: int) -> int:
    count = cursor.u64(f"the number of {what}")
    if count > limit:
        raise corrupt("header.count_limit", count=count, what=what, limit=limit)
    left = cursor.size - cursor.position
    if count * smallest > left:
        raise corrupt("header.count_bytes", count=count, what=what, left=left)
    return count


def _read_metadata(cursor: _Cursor, count: int) -> dict[str, Any]:
    metadata: dict[str, Any] = {}
    for index in range(count):
        key = cursor.name(f"metadata key {index}", MAX_KEY)
        if key in metadata:
            raise ModelFileError("gguf.duplicate_key", key=key)
        type_id = cursor.u32(f"key {key}")
        metadata[key] = cursor.value(type_id, f"key {key}")
    return metadata


def _read_tensors(cursor: _Cursor, count: int) -> list[TensorEntry]:
    entries: list[TensorEntry] = []
    seen: set[str] = set()
    for index in range(count):
        name = cursor.name(f"name of tensor {index}", MAX_TENSOR_NAME)
        if name in seen:
            raise ModelFileError("gguf.duplicate_tensor", name=name)
        seen.add(name)
        n_dims = cursor.u32(f"tensor {name}")
        if not 1 <= n_dims <= MAX_DIMS:
            raise corrupt("header.dimensions", name=name, n_dims=n_dims)
        ne = tuple(cursor.u64(f"tensor {name}") for _ in range(n_dims))
        product = 1
        for length in ne:
            product *= length
        if product < 1 or product >= MAX_ELEMENTS:
            raise corrupt("header.shape", name=name, dimensions=list(ne))
        type_id = cursor.u32(f"tensor {name}")
        entries.append(TensorEntry(name, ne, type_id, cursor.u64(f"tensor {name}")))
    return entries


def _alignment(metadata: dict[str, Any]) -> int:
    value = metadata.get("general.alignment", DEFAULT_ALIGNMENT)
    if isinstance(value, bool) or not isinstance(value, int):
        raise ModelFileError("header.alignment_type")
    if not 8 <= value <= MAX_ALIGNMENT or value & (value - 1):
        raise corrupt("header.alignment", value=value)
    return value


def parse_header(data: mmap.mmap | bytes) -> Header:
    """Parse and check a whole header.

    ``data`` holds the file from its first byte. Raises :class:`ModelFileError` for a bad
    magic or version, for anything that runs past the end, for duplicates, and for values
    beyond the limits of spec 01, section 6.
    """
    if len(data) < MIN_FILE or data[:4] != b"GGUF":
        raise ModelFileError("gguf.not_gguf")
    cursor = _Cursor(data, 4)
    version = cursor.u32("the version")
    if version not in (2, 3):
        big = " (the file is big-endian)" if version in (0x02000000, 0x03000000) else ""
        raise ModelFileError("gguf.version", version=version, big=big)
    n_tensors = _count(cursor, "tensors", MAX_TENSORS, _MIN_TENSOR_BYTES)
    n_kv = _count(cursor, "metadata entries", MAX_KV, _MIN_KV_BYTES)
    metadata = _read_metadata(cursor, n_kv)
    tensors = _read_tensors(cursor, n_tensors)
    alignment = _alignment(metadata)
    data_start = -(-cursor.position // alignment) * alignment
    return Header(version, metadata, tensors, alignment, data_start)
