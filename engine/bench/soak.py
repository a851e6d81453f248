"""Does it last: take after take for minutes, memory flat, the sound never dry.

Playing is simulated by a clock, so that the figures depend on the engine alone: a take's
sound starts by the rule of the live sink and is consumed in real time, and every moment at
which a chunk came after it was needed is an underrun.
"""

from __future__ import annotations

import gc
import itertools
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import psutil

from engine.audio.start_rule import CUSHION_S
from engine.bench.report import machine, table
from engine.types import AudioChunk, Sampling, StreamOptions, Summary, SynthesisRequest

if TYPE_CHECKING:
    from engine.engine import Engine

TEXTS = (
    "The ferry left late.",
    "Two came back, and then night fell over the harbour.",
    "Nobody had thought of the lamps. Nobody but her.",
)
WARM_UP_SHARE = 0.1
MEMORY_BOUND = 0.05


@dataclass(slots=True)
class SimulatedPlayer:
    """Plays one take against a clock.

    Attributes:
        cushion_s: sound that must be there before the first sample is heard.
        underruns: how often the sound ran dry while more was to come.
        low_water_s: least sound ahead of the playing, measured at each chunk.
        waited_s: silence because of underruns.
    """

    cushion_s: float = CUSHION_S
    underruns: int = 0
    low_water_s: float | None = None
    waited_s: float = 0.0
    _made_s: float = 0.0
    _begun: float | None = None

    def chunk(self, seconds: float, now: float) -> None:
        """Another ``seconds`` of sound came at time ``now``."""
        if self._begun is not None:
            ahead = self._made_s - (now - self._begun)
            self.low_water_s = ahead if self.low_water_s is None else min(self.low_water_s, ahead)
            if ahead < 0:
                self.underruns += 1
                self.waited_s -= ahead
                self._begun -= ahead
        self._made_s += seconds
        if self._begun is None and self._made_s >= self.cushion_s:
            self._begun = now


@dataclass(frozen=True, slots=True)
class _Take:
    """One take: how it would have played, seconds of work a second of sound, bytes resident."""

    player: SimulatedPlayer
    factor: float
    memory: int


def run_soak(
    engine: Engine,
    seconds: float,
    frames: int = 64,
    clock: Callable[[], float] = time.perf_counter,
    memory: Callable[[], int] | None = None,
) -> dict[str, Any]:
    """Speak for ``seconds`` and watch.

    Args:
        frames: length of a take.
        memory: resident bytes; those of this process by default.

    Returns:
        Figures ready for JSON. ``memory_growth`` compares the median of the last tenth with
        that of the tenth that follows the warm-up. ``takes_different`` counts takes that
        differ from the first one of the same text and seed.
    """
    resident = memory or _resident
    began, different = clock(), 0
    first: dict[str, np.ndarray] = {}
    takes: list[_Take] = []
    for text in itertools.cycle(TEXTS):
        if takes and clock() - began >= seconds:
            break
        player = SimulatedPlayer()
        samples, summary = _speak(engine, text, frames, player, clock)
        different += not np.array_equal(samples, first.setdefault(text, samples))
        gc.collect()
        takes.append(_Take(player, summary.metrics.total_rtf, resident()))
    return {
        "machine": machine(),
        "seconds": clock() - began,
        "takes": len(takes),
        "takes_different": different,
        **_figures(takes),
    }


def _figures(takes: list[_Take]) -> dict[str, Any]:
    lows = [t.player.low_water_s for t in takes if t.player.low_water_s is not None]
    fast = [t.player for t in takes if t.factor < 1]
    return {
        "takes_faster_than_real_time": len(fast),
        "underruns_when_faster": sum(player.underruns for player in fast),
        "underruns": sum(t.player.underruns for t in takes),
        "buffer_low_water_ms": 1e3 * min(lows) if lows else None,
        "real_time_factor": statistics.median(t.factor for t in takes),
        "memory_mb": takes[-1].memory / 1e6,
        "memory_growth": growth([t.memory for t in takes]),
    }


def growth(rows: list[int]) -> float:
    """Relative growth from the tenth after the warm-up to the last tenth."""
    tenth = max(1, int(len(rows) * WARM_UP_SHARE))
    early = statistics.median(rows[tenth : 2 * tenth] or rows[:1])
    return statistics.median(rows[-tenth:]) / early - 1


def _speak(
    engine: Engine, text: str, frames: int, player: SimulatedPlayer, clock: Callable[[], float]
) -> tuple[np.ndarray, Summary]:
    sampling = Sampling(max_new_tokens=frames, min_tokens_before_end=frames, seed=1)
    request = SynthesisRequest(text, sampling=sampling, stream=StreamOptions(stride=4))
    chunks, summary = [], None
    for event in engine.synthesize(request):
        if isinstance(event, AudioChunk):
            player.chunk(len(event.samples) / event.sample_rate, clock())
            chunks.append(event.samples)
        elif isinstance(event, Summary):
            summary = event
    assert summary is not None
    return np.concatenate(chunks), summary


def _resident() -> int:
    return int(psutil.Process().memory_info().rss)


def as_table(figures: dict[str, Any]) -> str:
    """The figures, one a line."""
    plain = {k: v for k, v in figures.items() if k != "machine"}
    return table(list(plain.items()), ("figure", "value"))


def verdict(figures: dict[str, Any]) -> list[str]:
    """What is not as it must be, one sentence each; empty when all is well."""
    found = []
    if figures["takes_different"]:
        found.append(f"{figures['takes_different']} takes differ from the first of their text")
    if figures["memory_growth"] > MEMORY_BOUND:
        found.append(f"memory grew by {100 * figures['memory_growth']:.1f} %")
    if figures["underruns_when_faster"]:
        found.append(
            f"{figures['underruns_when_faster']} underruns in takes made faster than real time"
        )
    return found
