"""Strict access to the tensors of a model: names and shapes are checked, then read lazily."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import torch
from torch import Tensor

from engine.errors import ModelFileError
from engine.gguf.dequant import as_tensor, can_dequantize, dequantize
from engine.gguf.linear import BlockMatrix, KernelChooser, QuantEmbedding, QuantLinear
from engine.gguf.quant_types import QuantType
from engine.gguf.reader import GGUFFile, TensorInfo, unsupported_type

_UNFOLDED_ENDS = ("weight_g", "weight_v")
_UNFOLDED_PART = "parametrizations."
_PLAIN = {int(QuantType.F16): torch.float16, int(QuantType.F32): torch.float32}


def _without_leading_ones(shape: Sequence[int]) -> tuple[int, ...]:
    """The shape as a file may store it (spec 01, section 1)."""
    stripped = list(shape)
    while len(stripped) > 1 and stripped[0] == 1:
        stripped.pop(0)
    return tuple(stripped)


class WeightSource:
    """Tensors of a file below a prefix, bound by name and exact shape.

    Args:
        file: the open file; it must stay open while tensors are asked for.
        prefix: put in front of every name, such as ``c.``.
        device: where tensors and layers are made. On the CPU layers keep the mapped blocks.
        dtype: of dense matrices on another device; see :func:`engine.gguf.linear.dense`.
        kernels: chooses the product for few columns on the CPU; ``None`` uses tiles always.

    Raises:
        ModelFileError: the file holds weight-norm tensors that were never folded.
    """

    def __init__(
        self,
        file: GGUFFile,
        prefix: str = "",
        *,
        device: torch.device | str = "cpu",
        dtype: torch.dtype | None = None,
        kernels: KernelChooser | None = None,
    ) -> None:
        self.file = file
        self.prefix = prefix
        self.device = torch.device(device)
        self.dtype = dtype
        self.kernels = kernels if self.device.type == "cpu" else None
        self._used: set[str] = set()
        for name in file.tensors:
            if name.startswith(prefix) and (
                name.endswith(_UNFOLDED_ENDS) or _UNFOLDED_PART in name
            ):
                raise ModelFileError("gguf.weight_norm", name=name)

    def has(self, name: str) -> bool:
        """Whether the tensor exists."""
        return self.prefix + name in self.file.tensors

    def info(self, name: str) -> TensorInfo:
        """Directory entry; raises :class:`ModelFileError` ("missing tensor: NAME")."""
        return self.file.info(self.prefix + name)

    def require(self, names: Iterable[str]) -> None:
        """Check that all tensors exist, and name the first missing ones if not."""
        missing = [self.prefix + name for name in names if not self.has(name)]
        if missing:
            raise self.file.missing_tensor(*missing)

    def check(self, name: str, shape: Sequence[int]) -> TensorInfo:
        """Check presence, type and exact shape (torch order; leading ones do not count)."""
        info = self.info(name)
        if not can_dequantize(info.type_id):
            raise unsupported_type(info)
        if info.shape != _without_leading_ones(shape):
            raise ModelFileError(
                "gguf.shape", name=info.name, found=list(info.shape), shape=list(shape)
            )
        self._used.add(info.name)
        return info

    def f32(self, name: str, shape: Sequence[int]) -> Tensor:
        """The tensor as numbers: float32 of exactly ``shape``, its own memory."""
        info = self.check(name, shape)
        raw = self.file.raw(info.name)
        return dequantize(raw, info.type_id, info.row_length).view(*shape).to(self.device)

    def numbers(self, name: str, shape: Sequence[int]) -> Tensor:
        """The tensor as it is stored if that is float16 or float32, else as :meth:`f32`.

        Stored numbers stay in the map: read them, never write. On the CPU, whatever the
        source's device.
        """
        info = self.check(name, shape)
        raw = self.file.raw(info.name)
        if (kind := _PLAIN.get(info.type_id)) is not None:
            return as_tensor(raw).reshape(-1).view(kind).view(*shape)
        return dequantize(raw, info.type_id, info.row_length).view(*shape)

    def linear(self, name: str, out_features: int, in_features: int) -> QuantLinear:
        """A layer over a weight ``(out_features, in_features)``."""
        matrix = self._matrix(name, (out_features, in_features))
        kernel = self.kernels(matrix) if self.kernels is not None else None
        return QuantLinear(matrix, kernel=kernel, device=self.device, dtype=self.dtype)

    def embedding(self, name: str, rows: int, dim: int) -> QuantEmbedding:
        """A table of ``rows`` rows of ``dim`` values."""
        return QuantEmbedding(self._matrix(name, (rows, dim)), device=self.device)

    def unused(self) -> list[str]:
        """Full names below the prefix that were never asked for, for the debug log."""
        return [n for n in self.file.tensors if n.startswith(self.prefix) and n not in self._used]

    def _matrix(self, name: str, shape: tuple[int, int]) -> BlockMatrix:
        info = self.check(name, shape)
        return BlockMatrix(self.file.raw(info.name), info.type_id, info.row_length, info.name)
