"""Is the sound of a file still the one that its story tells of?

Tags outlive every edit: a take that was cut, made louder or replaced still carries the recipe of
the old one. So an exported file holds a mark of its sound, the levels along it, which survive
compression and other decoders but no edit that can be heard.
"""

from __future__ import annotations

import base64
import binascii
from itertools import pairwise

import numpy as np

from engine.audio.levels import FLOOR_DB

STEP_S = 0.25
MOST = 2048
HEARD_DB = -50.0
SAME_DB = 2.0
LOUD_SHARE = 0.8
PADDING_S = 0.15
"""Compressed files may be longer by what their encoder put around the sound."""


def sound_mark(samples: np.ndarray, rate: int) -> str:
    """The mark of mono ``samples`` ``(n,)``: their length in ms, and levels in half decibels."""
    seconds = len(samples) / rate
    levels = np.clip(np.round(-2 * _levels(samples, _count(seconds))), 0, 255).astype(np.uint8)
    return f"{round(1000 * seconds)}:{base64.b64encode(levels.tobytes()).decode('ascii')}"


def is_same_sound(mark: str, samples: np.ndarray, rate: int) -> bool:
    """Whether ``samples`` can be the sound of ``mark``; true for a mark that is none."""
    length, _, packed = mark.partition(":")
    try:
        levels = -0.5 * np.frombuffer(base64.b64decode(packed, validate=True), np.uint8)
        seconds = int(length) / 1000
    except (ValueError, binascii.Error):
        return True
    if not len(levels):
        return True
    if not -0.01 < len(samples) / rate - seconds < PADDING_S:
        return False
    found = _levels(samples[: round(seconds * rate)], len(levels))
    heard = (levels > HEARD_DB) | (found > HEARD_DB)
    close = np.abs(found - levels)[heard] <= SAME_DB
    return not heard.any() or float(close.mean()) >= LOUD_SHARE


def _count(seconds: float) -> int:
    return max(1, min(MOST, round(seconds / STEP_S)))


def _levels(samples: np.ndarray, count: int) -> np.ndarray:
    """RMS in dBFS of ``count`` equal parts, float64."""
    bounds = np.linspace(0, len(samples), count + 1).astype(int)
    power = np.array(
        [
            float(np.mean(np.square(samples[a:b], dtype=np.float64))) if b > a else 0.0
            for a, b in pairwise(bounds)
        ]
    )
    levels: np.ndarray = np.maximum(FLOOR_DB, 10 * np.log10(np.maximum(power, 1e-13)))
    return levels
