"""Random tensor contents for stand-in models, drawn row by row in a fixed order.

Packed types are not quantised from numbers but drawn as valid blocks whose values have the
wanted spread, which is fast enough for models of the full size.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from engine.gguf.quant_types import QuantType
from engine.random_model.writer import TensorLayout

# Values drawn at once: bounds the memory for tables of the full size.
PIECE_VALUES = 1 << 22


class Filler(Protocol):
    """Draws ``rows`` rows of a tensor as float32 ``(rows, columns)``."""

    def draw(self, rng: np.random.Generator, rows: int, columns: int) -> np.ndarray: ...


@dataclass(frozen=True, slots=True)
class Normal:
    """Zero-mean normal values; the only kind that can be stored as blocks."""

    std: float

    def draw(self, rng: np.random.Generator, rows: int, columns: int) -> np.ndarray:
        return rng.standard_normal((rows, columns), np.float32) * self.std


@dataclass(frozen=True, slots=True)
class Around:
    """Normal values around a centre, for norms, gains and biases."""

    centre: float
    spread: float

    def draw(self, rng: np.random.Generator, rows: int, columns: int) -> np.ndarray:
        noise = rng.standard_normal((rows, columns)).astype(np.float32)
        return self.centre + self.spread * noise


@dataclass(frozen=True, slots=True)
class Uniform:
    """Values between two bounds, for activation slopes."""

    low: float
    high: float

    def draw(self, rng: np.random.Generator, rows: int, columns: int) -> np.ndarray:
        return rng.uniform(self.low, self.high, (rows, columns)).astype(np.float32)


def _scales(rng: np.random.Generator, count: int, value: float) -> np.ndarray:
    """Block scales within a fifth of a value, float32 ``(count,)``."""
    level = np.full(count, value, np.float32)
    return level * rng.uniform(0.8, 1.2, count).astype(np.float32)


def _half_bytes(values: np.ndarray) -> np.ndarray:
    return values.astype(np.float16).view(np.uint8).reshape(-1, 2)


def _random_bytes(rng: np.random.Generator, count: int, width: int) -> np.ndarray:
    return np.frombuffer(rng.bytes(count * width), np.uint8).reshape(count, width)


def _q4_k(rng: np.random.Generator, count: int, std: float) -> np.ndarray:
    """Q4_K blocks: each group's minimum is about 7.5 steps, which centres the values."""
    d = _scales(rng, count, std / (32.0 * 4.61))
    scales = rng.integers(26, 39, (count, 8), dtype=np.uint8)
    shifted = scales.astype(np.int16) + rng.integers(-1, 2, (count, 8))
    minima = np.clip(shifted, 0, 63).astype(np.uint8)
    blocks = np.empty((count, 144), np.uint8)
    blocks[:, 0:2] = _half_bytes(d)
    blocks[:, 2:4] = _half_bytes(d * 7.5)
    blocks[:, 4:8] = (scales[:, :4] & 63) | ((scales[:, 4:] >> 4) << 6)
    blocks[:, 8:12] = (minima[:, :4] & 63) | ((minima[:, 4:] >> 4) << 6)
    blocks[:, 12:16] = (scales[:, 4:] & 15) | ((minima[:, 4:] & 15) << 4)
    blocks[:, 16:] = _random_bytes(rng, count, 128)
    return blocks


def _q6_k(rng: np.random.Generator, count: int, std: float) -> np.ndarray:
    """Q6_K blocks with group scales of either sign."""
    d = _scales(rng, count, std / (60.0 * 18.47))
    scales = rng.integers(45, 76, (count, 16)) * rng.choice([-1, 1], (count, 16))
    blocks = np.empty((count, 210), np.uint8)
    blocks[:, :192] = _random_bytes(rng, count, 192)
    blocks[:, 192:208] = scales.astype(np.int8).view(np.uint8)
    blocks[:, 208:] = _half_bytes(d)
    return blocks


def _q8_0(rng: np.random.Generator, count: int, std: float) -> np.ndarray:
    """Q8_0 blocks over the whole range of their bytes."""
    d = _scales(rng, count, std / 73.3)
    blocks = np.empty((count, 34), np.uint8)
    blocks[:, 0:2] = _half_bytes(d)
    blocks[:, 2:] = rng.integers(-127, 128, (count, 32), dtype=np.int8).view(np.uint8)
    return blocks


_BLOCKS: dict[int, tuple[Callable[[np.random.Generator, int, float], np.ndarray], int]] = {
    QuantType.Q4_K: (_q4_k, 256),
    QuantType.Q6_K: (_q6_k, 256),
    QuantType.Q8_0: (_q8_0, 32),
}
_PLAIN = {QuantType.F32: np.float32, QuantType.F16: np.float16}


@dataclass(frozen=True, slots=True)
class RandomTensor:
    """A tensor of a stand-in model: its layout and how its values are drawn."""

    layout: TensorLayout
    filler: Filler

    def pieces(self) -> list[int]:
        """Rows of each piece that :meth:`draw` is to be called with, in order."""
        step = max(1, PIECE_VALUES // self.layout.shape[-1])
        rows = self.layout.rows
        return [min(step, rows - start) for start in range(0, rows, step)]

    def draw(self, rng: np.random.Generator, rows: int) -> memoryview:
        """The bytes of the next ``rows`` rows."""
        columns = self.layout.shape[-1]
        kind = QuantType(self.layout.type_id)
        if kind in _PLAIN:
            values = self.filler.draw(rng, rows, columns)
            return np.ascontiguousarray(values, _PLAIN[kind]).data.cast("B")
        assert isinstance(self.filler, Normal)
        function, size = _BLOCKS[kind]
        return function(rng, rows * columns // size, self.filler.std).data.cast("B")
