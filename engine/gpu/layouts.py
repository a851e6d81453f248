"""Which quantised matrices have a form for GPUs, and how many bytes it takes; without torch.

What a form is, :mod:`engine.gpu.planes` says.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.gguf.quant_types import QuantType

# Kernels count bytes and values with 32 bits.
_MOST_VALUES = 1 << 31


@dataclass(frozen=True, slots=True)
class Layout:
    """What planes of one kind hold; the numbers are bytes in a block.

    Attributes:
        name: of the kind, and of its kernels.
        block: values in a block.
        low, high, scales, halves: bytes of each plane.
    """

    name: str
    block: int
    low: int
    high: int
    scales: int
    halves: int

    @property
    def sizes(self) -> tuple[int, int, int, int]:
        """Bytes of each plane, in the order of :attr:`engine.gpu.planes.Planes.parts`."""
        return self.low, self.high, self.scales, self.halves


Q2K = Layout("q2k", 256, 128, 0, 32, 4)
Q4K = Layout("q4k", 256, 128, 0, 16, 4)
Q5K = Layout("q5k", 256, 128, 32, 16, 4)
Q6K = Layout("q6k", 256, 128, 64, 16, 2)
Q40 = Layout("q40", 32, 16, 0, 0, 2)
Q80 = Layout("q80", 32, 32, 0, 0, 2)
LAYOUTS = {layout.name: layout for layout in (Q2K, Q4K, Q5K, Q6K, Q40, Q80)}

LAYOUT_OF: dict[int, Layout] = {
    QuantType.Q2_K: Q2K,
    QuantType.Q3_K: Q6K,
    QuantType.Q4_K: Q4K,
    QuantType.Q5_K: Q5K,
    QuantType.Q6_K: Q6K,
    QuantType.Q4_0: Q40,
    QuantType.Q5_0: Q80,
    QuantType.Q8_0: Q80,
}


def planes_bytes(type_id: int, rows: int, row_length: int) -> int | None:
    """Bytes that a matrix takes as planes; ``None`` for one that has no such form."""
    layout = LAYOUT_OF.get(type_id)
    if layout is None or row_length % layout.block or rows * row_length >= _MOST_VALUES:
        return None
    return rows * row_length // layout.block * sum(layout.sizes)
