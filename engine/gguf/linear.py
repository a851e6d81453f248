"""Linear layers and embedding tables that keep their weights as GGUF blocks.

On the CPU a matrix stays in the file's map and is read by a kernel or dequantised tile by tile
on each use, so a model needs little more memory than its file. On another device a matrix
becomes a dense tensor once, when the module is moved there.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, Self, cast

import numpy as np
import torch
from torch import Tensor, nn

from engine.gguf.dequant import as_tensor, dequantize
from engine.gguf.quant_types import QuantType

# Values of one tile: 1 MiB of float32 stays in a core's cache between unpacking and product.
TILE_VALUES = 1 << 18
# On an accelerator each tile is some thirty launches, and memory is wide: 64 MiB of float32.
DEVICE_TILE_VALUES = 1 << 24


@dataclass(frozen=True, slots=True, eq=False)
class BlockMatrix:
    """A matrix in its stored form.

    Attributes:
        raw: uint8 ``(rows, row_bytes)``, read-only, usually a view of the file's map.
        type_id: storage type.
        row_length: values in a row.
        name: tensor name, for messages.
    """

    raw: np.ndarray
    type_id: int
    row_length: int
    name: str = ""

    @property
    def rows(self) -> int:
        return int(self.raw.shape[0])


class FewColumnKernel(Protocol):
    """A product of stored blocks with a few columns, without unpacking the matrix.

    ``x`` is contiguous float32 ``(columns, row_length)`` and ``out`` contiguous float32
    ``(columns, rows)``, both on the CPU; ``columns`` is at most ``max_columns``.
    """

    max_columns: int

    def __call__(self, matrix: BlockMatrix, x: Tensor, out: Tensor) -> None: ...


class KernelChooser(Protocol):
    """Finds the kernel of a matrix, or ``None`` for a type without one."""

    def __call__(self, matrix: BlockMatrix, /) -> FewColumnKernel | None: ...


def _tiles(rows: int, row_length: int, values: int = TILE_VALUES) -> list[tuple[int, int]]:
    step = max(1, values // row_length)
    return [(start, min(start + step, rows)) for start in range(0, rows, step)]


def dense(matrix: BlockMatrix, device: torch.device, dtype: torch.dtype | None = None) -> Tensor:
    """The whole matrix as a tensor ``(rows, row_length)`` on a device.

    Blocks travel packed and are unpacked there. ``dtype`` defaults to float32 for a matrix
    stored as float32 and bfloat16 for any other (spec 00, section 4).
    """
    packed, type_id, length = as_tensor(matrix.raw), matrix.type_id, matrix.row_length
    if dtype is None:
        dtype = torch.float32 if type_id == QuantType.F32 else torch.bfloat16
    result = torch.empty((packed.shape[0], length), dtype=dtype, device=device)
    for start, stop in _tiles(packed.shape[0], length, DEVICE_TILE_VALUES):
        result[start:stop] = dequantize(packed[start:stop].to(device), type_id, length)
    return result


class QuantLinear(nn.Module):
    """``x @ W.T`` without a bias, for a weight of any storage type.

    Holds no parameters. Moving the module to a device other than the CPU makes the weight
    dense there; there is no way back.

    Attributes:
        in_features, out_features: sizes of the last axis before and after.
        matrix: the stored weight, ``None`` once on another device.
    """

    weight: Tensor | None

    def __init__(
        self,
        matrix: BlockMatrix,
        *,
        kernel: FewColumnKernel | None = None,
        device: torch.device | str = "cpu",
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        self.in_features = matrix.row_length
        self.out_features = matrix.rows
        self.matrix: BlockMatrix | None = matrix
        self.kernel = kernel
        self._type_id = matrix.type_id
        self._dtype = dtype
        self.register_buffer("weight", None, persistent=False)
        if torch.device(device).type != "cpu":
            self._densify(torch.device(device))

    @property
    def nbytes(self) -> int:
        """Bytes that one product reads: the stored blocks, or the numbers they became."""
        return int(self.matrix.raw.nbytes) if self.matrix is not None else self._there.nbytes

    @property
    def _there(self) -> Tensor:
        assert self.weight is not None
        return self.weight

    def forward(self, x: Tensor) -> Tensor:
        """Multiply: float32 ``(..., in_features)`` to float32 ``(..., out_features)``."""
        flat = x.reshape(-1, self.in_features)
        if self.matrix is None:
            weight = self._there
            product = (flat.to(weight.dtype) @ weight.T).float()
        else:
            product = self._from_blocks(self.matrix, flat.float())
        return product.view(*x.shape[:-1], self.out_features)

    def _from_blocks(self, matrix: BlockMatrix, x: Tensor) -> Tensor:
        """Choose the way for this number of columns: the kernel for a few, tiles for many."""
        if self.kernel is not None and 0 < x.shape[0] <= self.kernel.max_columns:
            out = torch.empty((x.shape[0], matrix.rows))
            self.kernel(matrix, x.contiguous(), out)
            return out
        if matrix.type_id == QuantType.F32:
            return x @ as_tensor(matrix.raw).view(torch.float32).T
        return _tiled_product(matrix, x)

    def _densify(self, device: torch.device) -> None:
        assert self.matrix is not None
        self.weight = dense(self.matrix, device, self._dtype)
        self.matrix = None
        self.kernel = None

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> Self:
        super()._apply(fn, recurse)  # type: ignore[no-untyped-call]
        if self.matrix is not None:
            target = fn(torch.empty(0)).device
            if target.type != "cpu":
                self._densify(target)
        return self

    def extra_repr(self) -> str:
        return f"in_features={self.in_features}, out_features={self.out_features}"


def _tiled_product(matrix: BlockMatrix, x: Tensor) -> Tensor:
    """``x @ W.T`` with one tile of W unpacked at a time, into one buffer that all tiles share."""
    packed = as_tensor(matrix.raw)
    tiles = _tiles(matrix.rows, matrix.row_length)
    buffer = torch.empty((tiles[0][1], matrix.row_length))
    # Rows of the transposed result are contiguous, so each tile writes straight into it.
    result = torch.empty((matrix.rows, x.shape[0]))
    columns = x.T
    for start, stop in tiles:
        tile = buffer[: stop - start]
        dequantize(packed[start:stop], matrix.type_id, matrix.row_length, out=tile)
        torch.mm(tile, columns, out=result[start:stop])
    return result.T.contiguous()


class QuantEmbedding(nn.Module):
    """Rows of a stored table by number; only the rows asked for are unpacked.

    Holds no parameters. Moved to another device, the table goes there in its stored form.

    Attributes:
        num_embeddings, embedding_dim: rows and values in a row.
    """

    def __init__(self, matrix: BlockMatrix, *, device: torch.device | str = "cpu") -> None:
        super().__init__()
        self.num_embeddings = matrix.rows
        self.embedding_dim = matrix.row_length
        self.type_id = matrix.type_id
        self._packed = as_tensor(matrix.raw).to(device)

    def forward(self, ids: Tensor) -> Tensor:
        """Rows ``ids`` (int64, any shape) as float32 ``(..., embedding_dim)``.

        Raises ``IndexError`` for a row that does not exist, negative numbers included.
        """
        rows = self._gather(ids.reshape(-1))
        values = dequantize(rows, self.type_id, self.embedding_dim)
        return values.view(*ids.shape, self.embedding_dim)

    def head(
        self,
        ids: Tensor,
        *,
        kernels: KernelChooser | None = None,
        dtype: torch.dtype | None = None,
    ) -> QuantLinear:
        """A linear layer of chosen rows only: the restricted output of tied embeddings.

        ``ids`` is int64 ``(n,)``; the result has ``n`` outputs in that order and holds its
        own copy of the packed rows.
        """
        rows = self._gather(ids.reshape(-1)).cpu().numpy()
        matrix = BlockMatrix(rows, self.type_id, self.embedding_dim)
        kernel = kernels(matrix) if kernels is not None else None
        return QuantLinear(matrix, kernel=kernel, device=self._packed.device, dtype=dtype)

    def _gather(self, ids: Tensor) -> Tensor:
        return self._packed.index_select(0, ids.to(self._packed.device))

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> Self:
        super()._apply(fn, recurse)  # type: ignore[no-untyped-call]
        self._packed = fn(self._packed)
        return self

    def extra_repr(self) -> str:
        return f"num_embeddings={self.num_embeddings}, embedding_dim={self.embedding_dim}"


def table_rows(table: nn.Module, start: int, stop: int) -> nn.Module:
    """A table of rows ``start..stop`` alone, sharing their memory with ``table``."""
    if isinstance(table, QuantEmbedding):
        rows = copy.copy(table)
        rows._packed, rows.num_embeddings = table._packed[start:stop], stop - start
        return rows
    weight = cast(nn.Embedding, table).weight[start:stop].detach()
    made: nn.Embedding = nn.Embedding.from_pretrained(weight)
    return made
