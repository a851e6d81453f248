"""Where the layers' weights come from: one set of modules, served from a file or trained.

The modules of this package ask a factory for their matrices by the file's tensor names.
:class:`engine.gguf.weights.WeightSource` answers with quantised layers on the mapped file; the
factory here answers with ordinary ``nn.Linear`` and ``nn.Embedding``.
"""

from __future__ import annotations

import math
from typing import Protocol

import torch
from torch import Tensor, nn


class WeightFactory(Protocol):
    """Makes the leaves of a model; names are those of the file (spec 01, section 3)."""

    def linear(self, name: str, out_features: int, in_features: int) -> nn.Module:
        """A bias-free linear layer from ``(..., in)`` to ``(..., out)``."""
        ...

    def embedding(self, name: str, rows: int, dim: int) -> nn.Module:
        """A table that maps int64 ids ``(...)`` to float32 rows ``(..., dim)``."""
        ...

    def f32(self, name: str, shape: tuple[int, ...]) -> Tensor:
        """A small float32 tensor, such as a norm's weight."""
        ...


class FreshWeights:
    """Random trainable weights, scaled so that activations keep unit size.

    Asking twice for one name shares the parameter, which is how tied matrices are made.

    Args:
        seed: of the random values.
        device: ``cpu``, or ``meta`` for shapes without memory.
    """

    def __init__(self, seed: int = 0, device: str = "cpu") -> None:
        self._device = torch.device(device)
        self._generator = torch.Generator().manual_seed(seed)
        self._made: dict[str, nn.Parameter] = {}

    def linear(self, name: str, out_features: int, in_features: int) -> nn.Linear:
        return _linear(self._matrix(name, out_features, in_features, 1 / math.sqrt(in_features)))

    def embedding(self, name: str, rows: int, dim: int) -> nn.Embedding:
        return _embedding(self._matrix(name, rows, dim, 0.05))

    def f32(self, name: str, shape: tuple[int, ...]) -> Tensor:
        return nn.Parameter(torch.ones(shape, device=self._device))

    def _matrix(self, name: str, rows: int, columns: int, std: float) -> nn.Parameter:
        if name not in self._made:
            values = torch.empty(rows, columns, device=self._device)
            if self._device.type != "meta":
                values.normal_(0.0, std, generator=self._generator)
            self._made[name] = nn.Parameter(values)
        return self._made[name]


def _linear(weight: nn.Parameter) -> nn.Linear:
    """A bias-free layer around an existing parameter, without a second allocation."""
    layer = nn.Linear(weight.shape[1], weight.shape[0], bias=False, device="meta")
    layer.weight = weight
    return layer


def _embedding(weight: nn.Parameter) -> nn.Embedding:
    layer: nn.Embedding = nn.Embedding.from_pretrained(weight.detach(), freeze=False)
    layer.weight = weight  # the very parameter, so that tied layers share it
    return layer
