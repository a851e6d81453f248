"""The bytes of GGUF files: header, layout and padding (spec 01, section 1)."""

from __future__ import annotations

import os
import shutil
import struct
from dataclasses import dataclass
from pathlib import Path

from engine.errors import OutputError
from engine.gguf import quant_types

ALIGNMENT = 32
Piece = bytes | memoryview
Value = int | float | bool | str | list[int]

_CODES = {"u32": (4, "<I"), "i32": (5, "<i"), "f32": (6, "<f"), "bool": (7, "<?")}
_STRING, _ARRAY = 8, 9


@dataclass(frozen=True, slots=True)
class KeyValue:
    """A metadata entry; ``kind`` is u32, i32, f32, bool, str, or i32s for an array."""

    key: str
    kind: str
    value: Value


@dataclass(frozen=True, slots=True)
class TensorLayout:
    """Name, torch shape and storage type of a tensor that will be written."""

    name: str
    shape: tuple[int, ...]
    type_id: int

    @property
    def row_bytes(self) -> int:
        return quant_types.row_bytes(self.type_id, self.shape[-1])

    @property
    def rows(self) -> int:
        count = 1
        for length in self.shape[:-1]:
            count *= length
        return count

    @property
    def nbytes(self) -> int:
        return self.rows * self.row_bytes


def padding(count: int, alignment: int = ALIGNMENT) -> bytes:
    """Zeros that bring ``count`` bytes to a multiple of the alignment."""
    return bytes(-count % alignment)


def _string(text: str) -> bytes:
    raw = text.encode("utf-8")
    return struct.pack("<Q", len(raw)) + raw


def _entry(item: KeyValue) -> bytes:
    if item.kind == "str":
        return _string(item.key) + struct.pack("<I", _STRING) + _string(str(item.value))
    if item.kind == "i32s":
        assert isinstance(item.value, list)
        head = struct.pack("<IIQ", _ARRAY, _CODES["i32"][0], len(item.value))
        return _string(item.key) + head + struct.pack(f"<{len(item.value)}i", *item.value)
    code, form = _CODES[item.kind]
    return _string(item.key) + struct.pack("<I", code) + struct.pack(form, item.value)


def header_bytes(metadata: list[KeyValue], tensors: list[TensorLayout]) -> bytes:
    """Everything in front of the data section, padded."""
    parts = [b"GGUF", struct.pack("<IQQ", 3, len(tensors), len(metadata))]
    parts += [_entry(item) for item in metadata]
    offset = 0
    for tensor in tensors:
        ne = tensor.shape[::-1]
        parts.append(_string(tensor.name) + struct.pack(f"<I{len(ne)}Q", len(ne), *ne))
        parts.append(struct.pack("<IQ", tensor.type_id, offset))
        offset += tensor.nbytes + len(padding(tensor.nbytes))
    head = b"".join(parts)
    return head + padding(len(head))


def total_bytes(head: bytes, tensors: list[TensorLayout]) -> int:
    """Size of the whole file."""
    return len(head) + sum(t.nbytes + len(padding(t.nbytes)) for t in tensors)


def require_space(path: str | os.PathLike[str], needed: int) -> None:
    """Raise :class:`OutputError` when the disk of ``path`` has less room than that."""
    try:
        free = shutil.disk_usage(Path(path).absolute().parent).free
    except OSError:
        return  # the write itself tells better what is wrong
    if free < needed:
        raise OutputError(
            f"{path}: needs {needed / 1e6:.0f} MB, but only {free / 1e6:.0f} MB are free",
            "Make room or choose another folder.",
        )
