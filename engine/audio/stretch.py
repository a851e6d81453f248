"""Finished speech faster or slower at the same pitch (WSOLA: overlapped pieces that fit).

A model has no dial for its pace, so this changes the sound and nothing else: vowels get longer or
shorter like everything, and beyond a quarter it is heard. At 1 not a sample changes.
"""

from __future__ import annotations

import numpy as np

SLOWEST, FASTEST = 0.8, 1.25
_FRAME_S = 0.04
_SEARCH_S = 0.008


def stretch(samples: np.ndarray, rate: int, speed: float) -> np.ndarray:
    """Mono float32 ``(n,)`` at ``rate`` Hz, ``speed`` times as fast: ``round(n / speed)`` long."""
    if speed == 1 or not len(samples):
        return samples
    half = max(16, round(_FRAME_S * rate / 2))
    search = max(1, round(_SEARCH_S * rate))
    window = np.hanning(2 * half + 1)[:-1].astype(np.float32)
    wanted = round(len(samples) / speed)
    pieces = -(-wanted // half) + 1
    room = round(pieces * half * speed) + 3 * half + 2 * search
    padded = np.zeros(search + half + max(room, len(samples)), np.float32)
    padded[search + half : search + half + len(samples)] = samples
    out = np.zeros((pieces + 1) * half, np.float32)
    at = search
    for number in range(pieces):
        if number:
            goal = padded[at + half : at + 3 * half]  # what would follow by itself
            first = round(number * half * speed)
            field = padded[first : first + 2 * half + 2 * search]
            at = first + int(np.argmax(np.correlate(field, goal, "valid")))
        out[number * half : (number + 2) * half] += window * padded[at : at + 2 * half]
    return out[half : half + wanted]
