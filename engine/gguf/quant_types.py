"""Storage types of GGUF tensors: their ids, block sizes and names (spec 01, section 5)."""

from __future__ import annotations

from enum import IntEnum


class QuantType(IntEnum):
    """Tensor types that the engine reads; the values are the ids stored in the file."""

    F32 = 0
    F16 = 1
    Q4_0 = 2
    Q4_1 = 3
    Q5_0 = 6
    Q5_1 = 7
    Q8_0 = 8
    Q2_K = 10
    Q3_K = 11
    Q4_K = 12
    Q5_K = 13
    Q6_K = 14
    I32 = 26
    BF16 = 30


# Type -> (values in a block, bytes in a block).
_LAYOUT: dict[int, tuple[int, int]] = {
    QuantType.F32: (1, 4),
    QuantType.F16: (1, 2),
    QuantType.Q4_0: (32, 18),
    QuantType.Q4_1: (32, 20),
    QuantType.Q5_0: (32, 22),
    QuantType.Q5_1: (32, 24),
    QuantType.Q8_0: (32, 34),
    QuantType.Q2_K: (256, 84),
    QuantType.Q3_K: (256, 110),
    QuantType.Q4_K: (256, 144),
    QuantType.Q5_K: (256, 176),
    QuantType.Q6_K: (256, 210),
    QuantType.I32: (1, 4),
    QuantType.BF16: (1, 2),
}

# Types that exist in the wild but are not read here; only their names are of use, in messages.
_FOREIGN: dict[int, str] = {
    9: "Q8_1",
    15: "Q8_K",
    16: "IQ2_XXS",
    17: "IQ2_XS",
    18: "IQ3_XXS",
    19: "IQ1_S",
    20: "IQ4_NL",
    21: "IQ3_S",
    22: "IQ2_S",
    23: "IQ4_XS",
    24: "I8",
    25: "I16",
    27: "I64",
    28: "F64",
    29: "IQ1_M",
    34: "TQ1_0",
    35: "TQ2_0",
    39: "MXFP4",
}


def is_known(type_id: int) -> bool:
    """Whether the layout of the type is known, so that its size can be computed."""
    return type_id in _LAYOUT


def block_size(type_id: int) -> int:
    """Values in one block; raises ``KeyError`` for a type that is not known."""
    return _LAYOUT[type_id][0]


def block_bytes(type_id: int) -> int:
    """Bytes of one block; raises ``KeyError`` for a type that is not known."""
    return _LAYOUT[type_id][1]


def row_bytes(type_id: int, row_length: int) -> int:
    """Bytes of a row of ``row_length`` values, which must be whole blocks."""
    values, size = _LAYOUT[type_id]
    if row_length % values:
        raise ValueError(f"row length {row_length} is not a multiple of {values}")
    return row_length // values * size


def type_name(type_id: int) -> str:
    """Name for display; ``type N`` when even the name is not known."""
    if type_id in _LAYOUT:
        return QuantType(type_id).name
    return _FOREIGN.get(type_id, f"type {type_id}")
