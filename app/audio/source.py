"""What a player needs of a sound: that it can be read, and whether it still grows."""

from __future__ import annotations

from typing import Protocol

import numpy as np


class SampleSource(Protocol):
    """Mono sound that may still be growing."""

    @property
    def rate(self) -> int:
        """Samples in a second."""
        ...

    @property
    def length(self) -> int:
        """Samples so far."""
        ...

    @property
    def expected(self) -> int:
        """Guess of the final length in samples; 0 when there is none."""
        ...

    @property
    def complete(self) -> bool:
        """Nothing more will come."""
        ...

    def read(self, start: int, count: int) -> np.ndarray:
        """Up to ``count`` samples from offset ``start`` on, float32 ``(n,)``."""
        ...


class FixedSound:
    """A sound that is there from the start: a clip, or what the model hears of a voice.

    Attributes:
        samples: float32 ``(n,)``.
    """

    complete = True

    def __init__(self, samples: np.ndarray, rate: int) -> None:
        self.samples = np.ascontiguousarray(samples, np.float32)
        self.rate = rate
        self.length = self.expected = len(samples)

    def read(self, start: int, count: int) -> np.ndarray:
        return self.samples[max(0, start) : max(0, start) + max(0, count)]
