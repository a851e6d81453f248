"""The kernels as layers use them: what :class:`QuantLinear` calls for its products on the CPU."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from engine.gguf.linear import BlockMatrix, QuantLinear
from engine.gguf.reader import GGUFFile
from engine.kernels.pool import KernelPool, Product, StoredMatrix, max_columns, supported
from engine.kernels.quantise import GROUP_COLUMNS


class PoolKernels:
    """Chooses a kernel for each matrix of a model; all of them work in one pool.

    This is the ``kernels`` argument of ``WeightSource`` and ``DualAR.from_gguf``.
    """

    def __init__(self, pool: KernelPool, eight_bits: str | None = None) -> None:
        """Products of matrices whose names begin with ``eight_bits`` round activations so."""
        self.pool = pool
        self._eight_bits = eight_bits

    def __call__(self, matrix: BlockMatrix) -> MatrixKernel | None:
        """The kernel of a matrix, or ``None`` when its type has none."""
        if not supported(matrix.type_id) or not matrix.rows:
            return None
        eight_bits = self._eight_bits is not None and matrix.name.startswith(self._eight_bits)
        return MatrixKernel(self.pool, StoredMatrix.of(matrix.raw, matrix.type_id), eight_bits)

    def warm_up(self, file: GGUFFile) -> None:
        """Have the kernels for a file's matrices: for frames, for pairs, and for prompts."""
        prefix = file.codec_prefix
        types = {t.type_id for name, t in file.tensors.items() if not name.startswith(prefix)}
        self.pool.warm_up(sorted(types), (1, 2, GROUP_COLUMNS))

    def close(self) -> None:
        """End the pool's threads."""
        self.pool.close()


class MatrixKernel:
    """The product of one stored matrix, on tensors.

    Attributes:
        max_columns: beyond this, unpacking and a dense product is the faster way.
        stored: the matrix.
        eight_bits: activations are rounded to 8 bits.
    """

    def __init__(self, pool: KernelPool, stored: StoredMatrix, eight_bits: bool = False) -> None:
        self.pool = pool
        self.stored = stored
        self.eight_bits = eight_bits and pool.takes_eight_bits(stored)
        self.max_columns = max_columns(stored.type_id)
        self._product = pool.product([stored], eight_bits=self.eight_bits)

    def __call__(self, matrix: BlockMatrix, x: Tensor, out: Tensor) -> None:
        """Multiply float32 ``x (columns, row_length)`` into ``out (columns, rows)``."""
        _run(self._product, x, [out])


class FusedLinear:
    """Layers that read the same input, as one product where the kernels allow it.

    One division of work instead of several, and the activations are rounded once. Elsewhere
    (other devices, types without kernels, very many columns) each layer works for itself; the
    results are the same bits either way. Not a module: the layers stay with their owner.
    """

    def __init__(self, layers: Sequence[QuantLinear]) -> None:
        self._layers = tuple(layers)
        self._product: Product | None = None
        self._widest = 0
        kernels = [layer.kernel for layer in self._layers]
        found = [kernel for kernel in kernels if isinstance(kernel, MatrixKernel)]
        if len(found) == len(kernels) and len({(k.pool, k.eight_bits) for k in found}) == 1:
            stored, eight_bits = [kernel.stored for kernel in found], found[0].eight_bits
            self._product = found[0].pool.product(stored, eight_bits=eight_bits)
            self._widest = min(kernel.max_columns for kernel in found)

    def __call__(self, x: Tensor) -> list[Tensor]:
        """Multiply float32 ``(..., in_features)``; one result for each layer."""
        flat = x.reshape(-1, x.shape[-1])
        # A layer that was moved to another device has given up its kernel.
        usable = self._product is not None and all(layer.kernel for layer in self._layers)
        if not usable or not 0 < flat.shape[0] <= self._widest:
            return [layer(x) for layer in self._layers]
        assert self._product is not None
        sizes = [layer.out_features for layer in self._layers]
        outs = [torch.empty((flat.shape[0], size)) for size in sizes]
        _run(self._product, flat.float().contiguous(), outs)
        return [out.view(*x.shape[:-1], size) for out, size in zip(outs, sizes, strict=True)]


def _run(product: Product, x: Tensor, outs: Sequence[Tensor]) -> None:
    places = [(out.data_ptr(), 4 * out.stride(0)) for out in outs]
    product(x.shape[0], x.data_ptr(), 4 * x.stride(0), places)
