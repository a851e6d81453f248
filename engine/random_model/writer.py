"""The bytes of GGUF files: header, layout and padding (spec 01, section 1)."""

from __future__ import annotations

import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from gguf import GGUFValueType, GGUFWriter

from engine.errors import OutputError
from engine.gguf import quant_types
from engine.gguf.quant_types import QuantType

ALIGNMENT = 32
Piece = bytes | memoryview
Value = int | float | bool | str | list[int]

ARCHITECTURE = "general.architecture"

_T = GGUFValueType
_KINDS: dict[str, tuple[GGUFValueType, GGUFValueType | None]] = {
    "u32": (_T.UINT32, None),
    "i32": (_T.INT32, None),
    "f32": (_T.FLOAT32, None),
    "bool": (_T.BOOL, None),
    "str": (_T.STRING, None),
    "i32s": (_T.ARRAY, _T.INT32),
}


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


def header_bytes(metadata: list[KeyValue], tensors: list[TensorLayout]) -> bytes:
    """Everything in front of the data section, padded, as the ``gguf`` package writes it.

    The data follow piece by piece from elsewhere: the package would want whole tensors.
    """
    names = {item.key: str(item.value) for item in metadata}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "head.gguf"
        writer = GGUFWriter(path, names[ARCHITECTURE])
        for item in metadata:
            if item.key != ARCHITECTURE:  # the writer's own first entry
                kind, of = _KINDS[item.kind]
                writer.add_key_value(item.key, item.value, kind, of)
        for tensor in tensors:
            stored = QuantType(tensor.type_id)
            # The dtype only counts where there is no storage type.
            writer.add_tensor_info(
                tensor.name, tensor.shape, np.dtype(np.float32), tensor.nbytes, stored
            )
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_ti_data_to_file()
        writer.close()
        head = path.read_bytes()
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
            "random_model.room", path=path, needed=needed / 1000000.0, free=free / 1000000.0
        )
