"""Storage types of GGUF tensors: their ids, block sizes and names (spec 01, section 5).

The table is the ``gguf`` package's own, so that a type that it learns is known here too.
"""

from __future__ import annotations

from gguf.constants import GGML_QUANT_SIZES, GGMLQuantizationType

QuantType = GGMLQuantizationType
"""Tensor types; the values are the ids stored in the file."""


def is_known(type_id: int) -> bool:
    """Whether the layout of the type is known, so that its size can be computed."""
    return type_id in GGML_QUANT_SIZES


def block_size(type_id: int) -> int:
    """Values in one block; raises ``KeyError`` for a type that is not known."""
    return GGML_QUANT_SIZES[QuantType(type_id)][0]


def block_bytes(type_id: int) -> int:
    """Bytes of one block; raises ``KeyError`` for a type that is not known."""
    return GGML_QUANT_SIZES[QuantType(type_id)][1]


def row_bytes(type_id: int, row_length: int) -> int:
    """Bytes of a row of ``row_length`` values, which must be whole blocks."""
    values = block_size(type_id)
    if row_length % values:
        raise ValueError(f"row length {row_length} is not a multiple of {values}")
    return row_length // values * block_bytes(type_id)


def type_name(type_id: int) -> str:
    """Name for display; ``type N`` when even the name is not known."""
    return QuantType(type_id).name if is_known(type_id) else f"type {type_id}"
