"""Drawing tokens: top-k and top-p without temperature, then temperature (spec 03, section 4).

Everything here works on the CPU in float64; one uniform number is used per draw. Numbers are
counted by frame, codebook and try, so that a seed, the place and the logits determine the token,
whatever was drawn before or is drawn beside it.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from torch import Tensor

from engine.errors import GenerationError
from engine.types import Sampling

# A main token may be drawn twice.
TRIES = 2
RAS_WINDOW = 10
RAS_TEMPERATURE = 1.0
RAS_TOP_P = 0.9

# A temperature below this draws the first entry: the softmax would be one-hot but for exact ties.
MIN_TEMPERATURE = 1e-5

Logits = np.ndarray | Tensor


class Uniform(Protocol):
    """Source of uniform numbers in [0, 1); ``numpy.random.Generator`` is one."""

    def random(self) -> float: ...


def new_seed() -> int:
    """A seed for a request that gave none, from the system's entropy; 64 bits."""
    return secrets.randbits(64)


def frame_uniforms(seed: int, frame: int, books: int) -> np.ndarray:
    """The uniform numbers of a frame, float64 ``(books, TRIES)``.

    Philox, whose key is the seed (an unsigned 64-bit number) and the frame: a number is the same
    whether or not those before it were asked for.
    """
    key = np.array([seed, frame], np.uint64)
    return np.random.Generator(np.random.Philox(key=key)).random((books, TRIES))


class Tries:
    """The numbers of one codebook in one frame, one after the other."""

    def __init__(self, numbers: np.ndarray) -> None:
        self._rest = iter(numbers.tolist())

    def random(self) -> float:
        """The next one; there are :data:`TRIES`."""
        return float(next(self._rest))


def probabilities(logits: Logits, temperature: float, top_p: float, top_k: int) -> np.ndarray:
    """The distribution that :func:`sample` draws from, float64, in the order of ``logits``.

    Args:
        logits: ``(n,)``; minus infinity forbids an entry.
        temperature: 0, or any value below 1e-5, leaves only the first entry.
        top_p: keeps the sorted prefix whose cumulative probability stays at or below it, and
            always the first entry; 1 or more keeps all.
        top_k: keeps this many entries; 0 or less keeps all.

    Raises:
        GenerationError: a logit is NaN or plus infinity, or every entry is forbidden.
    """
    z = _as_float64(logits)
    order, weights = _candidates(z, temperature, top_p, top_k)
    out = np.zeros(z.shape[0])
    out[order] = weights
    return out


@dataclass(slots=True)
class Draws:
    """What is counted of the draws of a request.

    Attributes:
        open: those in which more than one entry could be drawn, so that the seed counted.
    """

    open: int = 0


def sample(
    logits: Logits, temperature: float, top_p: float, top_k: int, rng: Uniform,
    draws: Draws | None = None,
) -> int:  # fmt: skip
    """Draw an index with exactly one uniform number u: the first whose cumulative exceeds u.

    Arguments and errors as in :func:`probabilities`.
    """
    order, weights = _candidates(_as_float64(logits), temperature, top_p, top_k)
    if draws is not None and len(order) > 1:
        draws.open += 1
    u = rng.random()
    rank = int(np.searchsorted(np.cumsum(weights), u, side="right"))
    # The rounded total may fall short of u by one unit in the last place.
    return int(order[min(rank, len(order) - 1)])


def sample_main(
    logits: Logits,
    sampling: Sampling,
    recent: Sequence[int],
    rng: Uniform,
    *,
    end_index: int,
    allow_end: bool = True,
    draws: Draws | None = None,
) -> int:
    """Draw the main token with repetition-aware sampling (spec 03, sections 4.1 and 4.2).

    A semantic token that is among the last ten is drawn once more at temperature 1 and top-p
    0.9, and the second result stands, whatever it is.

    Args:
        logits: over restricted indices, see :class:`engine.lm.slow_ar.SlowState`.
        recent: main tokens emitted so far, as restricted indices; its last ten count.
        end_index: restricted index of the end token.
        allow_end: false forbids the end token in both draws.
    """
    z = _as_float64(logits)
    if not allow_end:
        z = z.copy()
        z[end_index] = -np.inf
    drawn = sample(z, sampling.temperature, sampling.top_p, sampling.top_k, rng, draws)
    if drawn != end_index and drawn in recent[-RAS_WINDOW:]:
        drawn = sample(z, RAS_TEMPERATURE, RAS_TOP_P, sampling.top_k, rng, draws)
    return drawn


def _as_float64(logits: Logits) -> np.ndarray:
    if isinstance(logits, Tensor):
        logits = logits.detach().cpu().double().numpy()
    return np.asarray(logits, dtype=np.float64)


def _candidates(
    z: np.ndarray, temperature: float, top_p: float, top_k: int
) -> tuple[np.ndarray, np.ndarray]:
    """Indices that may be drawn, best first, and their probabilities."""
    top = float(z.max()) if z.size else -np.inf
    if np.isnan(top) or top == np.inf:
        raise GenerationError("generation.not_finite")
    if top == -np.inf:
        raise GenerationError("lm.all_masked")
    order = _sorted_prefix(z, top_k)
    if temperature < MIN_TEMPERATURE:
        return order[:1], np.ones(1)
    if top_p < 1.0:
        cumulative = np.cumsum(np.exp(z[order] - top)) / np.exp(z - top).sum()
        kept = int(np.searchsorted(cumulative, max(top_p, 0.0), side="right"))
        order = order[: max(kept, 1)]
    weights = np.exp((z[order] - top) / temperature)
    return order, weights / weights.sum()


def _sorted_prefix(z: np.ndarray, top_k: int) -> np.ndarray:
    """Indices of the ``top_k`` largest allowed entries, best first, lower index first in ties."""
    allowed = int(np.count_nonzero(z > -np.inf))
    count = min(top_k, allowed) if top_k > 0 else allowed
    threshold = np.partition(z, z.size - count)[z.size - count]
    found = np.flatnonzero(z >= threshold)
    return found[np.argsort(-z[found], kind="stable")][:count]
