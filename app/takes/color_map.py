"""A perceptually even colour map, computed, not copied.

Equal steps of a code shall look like equal steps. So the map is a straight walk in OKLCH
(a space built for that): lightness rises evenly while the hue turns from violet-blue over
teal to yellow. Being monotone in lightness it also reads in grey and with colour blindness.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

STEPS = 256
LIGHTNESS = (0.30, 0.90)
HUE_DEGREES = (285.0, 105.0)
CHROMA = (0.10, 0.15)


@lru_cache(maxsize=1)
def even_map() -> np.ndarray:
    """uint8 ``(256, 3)``: red, green, blue from the lowest to the highest value."""
    t = np.linspace(0.0, 1.0, STEPS)
    light = LIGHTNESS[0] + (LIGHTNESS[1] - LIGHTNESS[0]) * t
    hue = np.deg2rad(HUE_DEGREES[0] + (HUE_DEGREES[1] - HUE_DEGREES[0]) * t)
    chroma = CHROMA[0] + (CHROMA[1] - CHROMA[0]) * t
    table = (255 * oklch_to_srgb(light, chroma, hue) + 0.5).astype(np.uint8)
    table.flags.writeable = False
    return table


def oklch_to_srgb(light: np.ndarray, chroma: np.ndarray, hue: np.ndarray) -> np.ndarray:
    """sRGB in 0..1, float64 ``(n, 3)``, colours outside the gamut clipped. Hue in radians."""
    a, b = chroma * np.cos(hue), chroma * np.sin(hue)
    cones = np.stack([
        light + 0.3963377774 * a + 0.2158037573 * b,
        light - 0.1055613458 * a - 0.0638541728 * b,
        light - 0.0894841775 * a - 1.2914855480 * b,
    ])  # fmt: skip
    to_linear = np.array([
        [4.0767416621, -3.3077115913, 0.2309699292],
        [-1.2684380046, 2.6097574011, -0.3413193965],
        [-0.0041960863, -0.7034186147, 1.7076147010],
    ])  # fmt: skip
    linear = np.clip(to_linear @ cones**3, 0.0, 1.0).T
    result: np.ndarray = np.where(
        linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055
    )
    return result
