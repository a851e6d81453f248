"""Collects the figures of one synthesis (spec 06, section 9)."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import psutil

from engine.types import FinishReason, Metrics, Sampling

if TYPE_CHECKING:
    from engine.lm.generate import GenerationStats
    from engine.synthesis.emitters import DecodeFigures


def peak_resident_mb() -> float:
    """Largest resident memory of this process so far, in megabytes (1e6 bytes)."""
    if sys.platform == "win32":
        return float(psutil.Process().memory_info().peak_wset) / 1e6
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1e6 if sys.platform == "darwin" else peak * 1024 / 1e6


@dataclass(slots=True)
class MetricsCollector:
    """Sums what the segments of a text report; one object a synthesis."""

    sample_rate: int
    seed: int
    started: float = field(default_factory=time.perf_counter)
    first_audio: float | None = None
    samples: int = 0
    totals: dict[str, float] = field(default_factory=dict)
    frames_emitted: int = 0

    def add(self, **values: float) -> None:
        for name, value in values.items():
            self.totals[name] = self.totals.get(name, 0) + value

    def audio(self, samples: int) -> None:
        """Count samples handed out; the first ones stop the first-audio clock."""
        if samples and self.first_audio is None:
            self.first_audio = time.perf_counter()
        self.samples += samples

    def add_segment(
        self,
        stats: GenerationStats,
        decode: DecodeFigures,
        between_frames_ms: float,
        waited_ms: float,
    ) -> None:
        """Add one segment.

        Args:
            between_frames_ms: time that generation waited for the codec.
            waited_ms: the same and the wait for the last samples. Less than the codec's own
                time where the two overlap.
        """
        self.add(
            frames=stats.frames,
            kv_init_ms=stats.kv_init_ms,
            prefill_ms=stats.prefill_ms,
            generate_ms=stats.generate_ms + between_frames_ms,
            prompt_columns=stats.prompt_columns,
            prefill_columns=stats.prefill_columns,
            fast_passes=stats.fast_passes,
            decode_ms=decode.ms,
            decode_wall_ms=waited_ms,
            decode_batches=decode.calls,
            codec_frames_decoded=decode.frames,
            clamped_codes=decode.clamped_codes,
            ar_only_ms=stats.generate_ms,
            segments=1,
        )
        counted = stats.open_draws >= 0 and self.totals.get("open_draws", 0) >= 0
        self.totals["open_draws"] = (
            self.totals.get("open_draws", 0) + stats.open_draws if counted else -1
        )

    def finish(self, reason: FinishReason) -> Metrics:
        """The finished figures; averages are milliseconds a frame."""
        t = self.totals
        total_ms = 1e3 * (time.perf_counter() - self.started)
        audio_s = self.samples / self.sample_rate
        frames = int(t.get("frames", 0))
        generate, decode = t.get("generate_ms", 0.0), t.get("decode_ms", 0.0)
        per_frame = 1 / frames if frames else 0.0
        per_second = 1e-3 / audio_s if audio_s else 0.0
        first = self.first_audio
        return Metrics(
            frames=frames,
            audio_s=audio_s,
            sample_rate=self.sample_rate,
            kv_init_ms=t.get("kv_init_ms", 0.0),
            prefill_ms=t.get("prefill_ms", 0.0),
            generate_ms=generate,
            decode_ms=decode,
            decode_wall_ms=t.get("decode_wall_ms", 0.0),
            decode_batches=int(t.get("decode_batches", 0)),
            ar_only_ms=t.get("ar_only_ms", 0.0),
            total_ms=total_ms,
            ttfa_ms=0.0 if first is None else 1e3 * (first - self.started),
            gen_avg=generate * per_frame,
            total_avg=total_ms * per_frame,
            decode_avg=decode * per_frame,
            ar_avg=t.get("ar_only_ms", 0.0) * per_frame,
            gen_rtf=generate * per_second,
            total_rtf=total_ms * per_second,
            max_rss_mb=peak_resident_mb(),
            seed=self.seed,
            finish_reason=reason,
            clamped_codes=int(t.get("clamped_codes", 0)),
            prompt_columns=int(t.get("prompt_columns", 0)),
            prefill_columns=int(t.get("prefill_columns", 0)),
            fast_passes=int(t.get("fast_passes", 0)),
            codec_frames_decoded=int(t.get("codec_frames_decoded", 0)),
            frames_emitted=self.frames_emitted,
            segments=max(1, int(t.get("segments", 0))),
            open_draws=int(t.get("open_draws", -1)),
        )


def one_reading(sampling: Sampling, metrics: Metrics) -> bool:
    """Whether the model left nothing to chance, although it was asked to."""
    return metrics.open_draws == 0 and sampling.temperature > 0 and sampling.top_k != 1
