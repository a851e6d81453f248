"""Memory-mapped GGUF file: metadata with typed getters and raw tensor bytes (spec 01)."""

from __future__ import annotations

import contextlib
import math
import mmap
import os
import stat
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Any, Final

import numpy as np

from engine.errors import Message, ModelFileError
from engine.gguf import quant_types
from engine.gguf.header import Header, TensorEntry, corrupt, parse_header
from engine.gguf.sniff import SNIFF_BYTES, describe_foreign

ARCH_MODEL = "fish-speech"
ARCH_CODEC = "fish-speech-codec"


class _Required(Enum):
    REQUIRED = "required"


REQUIRED: Final = _Required.REQUIRED


@dataclass(frozen=True, slots=True)
class TensorInfo:
    """Where a tensor lies and what it is.

    Attributes:
        shape: torch order, slowest axis first, without leading ones.
        type_id: storage type as stored in the file, perhaps one that is not supported.
        offset: first byte, counted from the beginning of the file.
        nbytes: size in the file; 0 when the type is not known.
        row_length: values along the last axis, the one that blocks run along.
    """

    name: str
    shape: tuple[int, ...]
    type_id: int
    offset: int
    nbytes: int
    row_length: int

    @property
    def elements(self) -> int:
        """Number of values."""
        return math.prod(self.shape)


def _os_path(path: Path) -> str:
    """The path for the system calls; on Windows in the form without the 260 character limit."""
    text = os.fspath(path)
    if sys.platform == "win32" and len(text) > 240 and not text.startswith("\\\\"):
        return "\\\\?\\" + os.path.abspath(text)
    return text


def shown(path: Path) -> str:
    """The path as text that can always be printed."""
    return os.fspath(path).encode("utf-8", "replace").decode("utf-8")


def _map_file(path: Path) -> mmap.mmap:
    try:
        target = _os_path(path)
        status = os.stat(target)
        if stat.S_ISDIR(status.st_mode):
            raise ModelFileError("gguf.folder", path=shown(path))
        if not stat.S_ISREG(status.st_mode):
            # Opening a pipe would wait for a writer.
            raise ModelFileError("gguf.not_regular", path=shown(path))
        with open(target, "rb") as stream:
            start = stream.read(SNIFF_BYTES)
            if len(start) < 24 or start[:4] != b"GGUF":
                what, advice = describe_foreign(start)
                reason = f": {what}" if what else ""
                raise ModelFileError("gguf.foreign", advice=advice, path=shown(path), reason=reason)
            return mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ModelFileError("gguf.unopened", path=shown(path), reason=reason) from error


def _place(entry: TensorEntry, header: Header) -> TensorInfo:
    """Check one directory entry by itself and compute its place in the file."""
    ne = list(entry.ne)
    while len(ne) > 1 and ne[-1] == 1:
        ne.pop()
    if entry.offset % header.alignment:
        raise corrupt(
            "header.offset", name=entry.name, offset=entry.offset, alignment=header.alignment
        )
    nbytes = 0
    if quant_types.is_known(entry.type_id):
        block = quant_types.block_size(entry.type_id)
        if ne[0] % block:
            raise ModelFileError("gguf.row_length", name=entry.name, length=ne[0], block=block)
        nbytes = math.prod(ne) // block * quant_types.block_bytes(entry.type_id)
    shape = tuple(reversed(ne))
    start = header.data_start + entry.offset
    return TensorInfo(entry.name, shape, entry.type_id, start, nbytes, ne[0])


def _directory(header: Header, size: int) -> dict[str, TensorInfo]:
    tensors = {entry.name: _place(entry, header) for entry in header.tensors}
    past = [t for t in tensors.values() if t.offset + max(t.nbytes, 1) > size]
    if past:
        first = min(past, key=lambda t: t.offset)
        needed = max(t.offset + t.nbytes for t in past)
        raise ModelFileError(
            "gguf.truncated",
            needed=needed,
            size=size,
            name=first.name,
            offset=first.offset,
            end=first.offset + first.nbytes,
        )
    _refuse_overlap(tensors.values())
    return tensors


def _refuse_overlap(tensors: Iterable[TensorInfo]) -> None:
    """No byte of a file belongs to two tensors."""
    stored = sorted((t for t in tensors if t.nbytes), key=lambda t: t.offset)
    for first, second in pairwise(stored):
        if second.offset < first.offset + first.nbytes:
            raise corrupt(
                "header.overlap", name=second.name, offset=second.offset, other=first.name
            )


def _refuse_part(metadata: Mapping[str, Any]) -> None:
    """A part of a split file has a few of the tensors, and only the first one the facts."""
    count, number = metadata.get("split.count"), metadata.get("split.no")
    if type(count) is int and count > 1:
        place = number + 1 if type(number) is int else "?"
        raise ModelFileError("gguf.part", number=place, count=count)


class GGUFFile:
    """A GGUF file, mapped read-only and checked as a whole before anything of it is used.

    Attributes:
        path: as given to :meth:`open`.
        size: bytes of the file.
        version: 2 or 3.
        alignment: of the data section, in bytes.
        metadata: read-only mapping of keys to Python values (arrays are lists).
        tensors: read-only mapping of names to :class:`TensorInfo`, in file order.
    """

    def __init__(self, path: Path, data: mmap.mmap, header: Header) -> None:
        self.path = path
        self.size = len(data)
        self.version = header.version
        self.alignment = header.alignment
        self.metadata: Mapping[str, Any] = MappingProxyType(header.metadata)
        _refuse_part(self.metadata)
        self.tensors: Mapping[str, TensorInfo] = MappingProxyType(_directory(header, self.size))
        self._map: mmap.mmap | None = data
        self._bytes: np.ndarray | None = np.frombuffer(data, np.uint8)

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> GGUFFile:
        """Map and check a file; raises :class:`ModelFileError` (spec 01, section 6)."""
        target = Path(path)
        data = _map_file(target)
        try:
            return cls(target, data, parse_header(data))
        except ModelFileError as error:
            data.close()
            raise ModelFileError(
                "gguf.in_file", advice=error.advice, path=shown(target), reason=error.detail
            ) from error

    def close(self) -> None:
        """Let go of the map. Views handed out by :meth:`raw` stay valid and keep it alive."""
        self._bytes = None
        if self._map is not None:
            with contextlib.suppress(BufferError):
                self._map.close()
            self._map = None

    def __enter__(self) -> GGUFFile:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # Tensors

    def info(self, name: str) -> TensorInfo:
        """Directory entry; raises :class:`ModelFileError` when there is no such tensor."""
        found = self.tensors.get(name)
        if found is None:
            raise self.missing_tensor(name)
        return found

    def missing_tensor(self, first: str, *others: str) -> ModelFileError:
        """The error for tensors that are absent; it names the first few and what the file is."""
        listed = ", ".join(others[:3])
        rest = f" and {len(others) - 3} more" if len(others) > 3 else ""
        also = f" (also {listed}{rest})" if others else ""
        return ModelFileError("gguf.no_tensor", advice=self._identity(), first=first, also=also)

    def raw(self, name: str) -> np.ndarray:
        """Bytes of a tensor, uint8 ``(rows, row_bytes)``: a read-only view of the map.

        Raises :class:`ModelFileError` for a tensor that is absent or of an unsupported type.
        """
        info = self.info(name)
        if not quant_types.is_known(info.type_id):
            raise unsupported_type(info)
        if self._bytes is None:
            raise ValueError("the file is closed")
        width = quant_types.row_bytes(info.type_id, info.row_length)
        return self._bytes[info.offset : info.offset + info.nbytes].reshape(-1, width)

    def span(self, start: int, count: int) -> memoryview:
        """Bytes of the file: a read-only view of the map."""
        if self._bytes is None:
            raise ValueError("the file is closed")
        return self._bytes.data[start : start + count]

    def _identity(self) -> Message:
        name = self.metadata.get("general.name", "")
        architecture = self.metadata.get("general.architecture", "unknown")
        title = f'"{name}" ' if isinstance(name, str) and name else ""
        count = len(self.tensors)
        return Message("gguf.identity", title=title, architecture=architecture, count=count)

    # Metadata

    @property
    def architecture(self) -> str:
        """``fish-speech`` or ``fish-speech-codec``; anything else is an error."""
        if "general.architecture" not in self.metadata:
            raise ModelFileError("gguf.no_architecture")
        value = self.get_str("general.architecture")
        if value not in (ARCH_MODEL, ARCH_CODEC):
            raise ModelFileError("gguf.architecture", value=value)
        return value

    @property
    def codec_prefix(self) -> str:
        """Prefix of the codec's tensor names (spec 01, section 2.1)."""
        return "c." if self.architecture == ARCH_MODEL else ""

    def _get(self, key: str, default: Any) -> Any:
        if key in self.metadata:
            return self.metadata[key]
        if default is REQUIRED:
            raise ModelFileError("gguf.no_key", advice=self._identity(), key=key)
        return default

    def _integer(self, key: str, default: Any, low: int, high: int) -> int:
        value = self._get(key, default)
        if key not in self.metadata:
            return int(value)
        if isinstance(value, bool) or not isinstance(value, int):
            raise _wrong_type("INT32/UINT32", key, value)
        if not low <= value <= high:
            raise _wrong_type("INT32/UINT32", key, value, " is out of range")
        return value

    def get_u32(self, key: str, default: int | _Required = REQUIRED) -> int:
        """An integer of any stored type, 0 to 2^32 - 1."""
        return self._integer(key, default, 0, 2**32 - 1)

    def get_f32(self, key: str, default: float | _Required = REQUIRED) -> float:
        """A finite floating-point number of any stored width."""
        value = self._get(key, default)
        if key in self.metadata and (not isinstance(value, float) or not math.isfinite(value)):
            raise _wrong_type("FLOAT32", key, value)
        return float(value)

    def get_bool(self, key: str, default: bool | _Required = REQUIRED) -> bool:
        """A boolean."""
        value = self._get(key, default)
        if not isinstance(value, bool):
            raise _wrong_type("BOOL", key, value)
        return value

    def get_str(self, key: str, default: str | _Required = REQUIRED) -> str:
        """A string."""
        value = self._get(key, default)
        if not isinstance(value, str):
            raise _wrong_type("STRING", key, value)
        return value

    def get_int_list(
        self, key: str, default: list[int] | tuple[int, ...] | _Required = REQUIRED
    ) -> list[int]:
        """An array of integers of any stored type, each within the range of i32."""
        value = self._get(key, default)
        if not isinstance(value, list | tuple):
            raise _wrong_type("ARRAY of INT32", key, value)
        for item in value:
            if isinstance(item, bool) or not isinstance(item, int) or not -(2**31) <= item < 2**31:
                raise _wrong_type("ARRAY of INT32", key, item)
        return list(value)


def _wrong_type(expected: str, key: str, value: object, note: str = "") -> ModelFileError:
    text = str(value)
    text = text if len(text) <= 40 else text[:37] + "..."
    return ModelFileError("gguf.wrong_type", expected=expected, key=key, text=text, note=note)


def unsupported_type(info: TensorInfo) -> ModelFileError:
    """The error for a tensor that is needed and whose type cannot be read."""
    label = quant_types.type_name(info.type_id)
    named = "" if label.startswith("type ") else f" ({label})"
    return ModelFileError("gguf.quantisation", name=info.name, type_id=info.type_id, named=named)
