"""Reads the golden arrays; needs nothing but numpy, so that prepared scripts can use it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

GOLDEN_DIR = Path(__file__).parents[1] / "data" / "golden"
_PACKED, _SCALE = "__i16", "__scale"


def load_arrays(name: str) -> dict[str, np.ndarray]:
    """Arrays of ``tests/data/golden/NAME.npz``; sound packed in 16 bits comes as float32."""
    with np.load(GOLDEN_DIR / f"{name}.npz") as stored:
        arrays = {key: stored[key] for key in stored.files}
    for key in [key for key in arrays if key.endswith(_PACKED)]:
        plain = key.removesuffix(_PACKED)
        scale = arrays.pop(plain + _SCALE)
        arrays[plain] = arrays.pop(key).astype(np.float32) * scale
    return arrays
