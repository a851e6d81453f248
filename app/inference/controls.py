"""What the controls ask of the engine: from settings to a request."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from app.core import settings as keys
from app.core.settings import Settings
from app.inference.jobs import LoadOptions
from engine.types import (
    MAX_SEED,
    VOICE_CACHE_MB,
    Arithmetic,
    CodecPolicy,
    DecodeMode,
    Sampling,
    Segmentation,
    StreamOptions,
    SynthesisRequest,
)
from engine.voices import VoiceProfile

AUTO = -1
SEED_BITS = 31
LEAST_WARMTH, MOST_WARMTH = 0.05, 1.99


def new_seed() -> int:
    """A fresh seed, short enough to read out and type."""
    return secrets.randbits(SEED_BITS)


def readings_of(
    request: SynthesisRequest, count: int, seeds_given: bool, spread: float
) -> list[SynthesisRequest]:
    """The request so many times, each with a seed of its own.

    Args:
        seeds_given: they count up from the request's; else each other one is drawn.
        spread: how far temperatures lie around the request's, the first one's below it.
    """
    sampling, found = request.sampling, []
    for number in range(count):
        seed = (sampling.seed or 0) + number if seeds_given or not number else new_seed()
        share = 2 * number / (count - 1) - 1 if count > 1 else 0.0
        warmth = min(MOST_WARMTH, max(LEAST_WARMTH, sampling.temperature + spread * share))
        warmth = warmth if spread and count > 1 else sampling.temperature
        own = replace(sampling, seed=seed & MAX_SEED, temperature=round(warmth, 3))
        found.append(replace(request, sampling=own))
    return found


@dataclass(frozen=True, slots=True)
class Controls:
    """The values of all controls at one moment.

    ``holdback``, ``context`` and ``start_buffer_ms`` are -1 for automatic. The low-latency
    preset overrides stride, holdback and start buffer without forgetting them.
    """

    device: str = "cpu"
    codec_policy: CodecPolicy = "auto"
    gpu_layers: int = AUTO
    threads: int = 0
    arithmetic: Arithmetic = "exact"
    voice_cache_mb: int = VOICE_CACHE_MB
    decode_mode: DecodeMode = "exact"
    stride: int = 4
    holdback: int = AUTO
    context: int = AUTO
    start_buffer_ms: int = AUTO
    low_latency: bool = False
    temperature: float = 0.8
    top_p: float = 0.8
    top_k: int = 30
    max_frames: int = 1024

    @classmethod
    def from_settings(cls, settings: Settings) -> Controls:
        """The values that the panel shows now."""
        get = settings.get
        return cls(
            device=get(keys.BACKEND),
            codec_policy=cast(CodecPolicy, get(keys.CODEC_POLICY)),
            gpu_layers=get(keys.GPU_LAYERS),
            threads=get(keys.THREADS),
            arithmetic=cast(Arithmetic, get(keys.ARITHMETIC)),
            voice_cache_mb=get(keys.VOICE_CACHE_MB),
            decode_mode=cast(DecodeMode, get(keys.DECODE_MODE)),
            stride=get(keys.STRIDE),
            holdback=get(keys.HOLDBACK),
            context=get(keys.CONTEXT),
            start_buffer_ms=get(keys.START_BUFFER),
            low_latency=get(keys.LOW_LATENCY),
            temperature=get(keys.TEMPERATURE),
            top_p=get(keys.TOP_P),
            top_k=get(keys.TOP_K),
            max_frames=get(keys.MAX_FRAMES),
        )

    @property
    def start_buffer_s(self) -> float | None:
        """The player's start buffer; ``None`` leaves it to the start rule."""
        if self.low_latency:
            return 0.0
        return None if self.start_buffer_ms == AUTO else self.start_buffer_ms / 1000

    def request(
        self,
        text: str,
        voice: VoiceProfile | tuple[VoiceProfile, ...] | None,
        seed: int,
        segmentation: Segmentation | None = None,
    ) -> SynthesisRequest:
        """The synthesis that these values ask for.

        Raises:
            RequestError: a value is out of its range.
        """
        windowed = self.decode_mode == "windowed"
        preset = self.low_latency
        return SynthesisRequest(
            text=text,
            references=_references(voice),
            sampling=Sampling(
                temperature=self.temperature,
                top_p=self.top_p,
                top_k=self.top_k,
                max_new_tokens=self.max_frames,
                seed=seed,
            ),
            stream=StreamOptions(
                decode_mode=self.decode_mode,
                stride=0 if preset else self.stride,
                holdback=None if preset or self.holdback == AUTO else self.holdback,
                context=None if not windowed or self.context == AUTO else self.context,
                low_latency=preset,
            ),
            segmentation=segmentation or Segmentation(),
        )

    @property
    def placement(self) -> tuple[object, ...]:
        """What counts when a model is loaded; a change asks to load it again."""
        o = self.load_options(Path(), None)
        return o.device, o.codec_policy, o.gpu_layers, o.threads, o.arithmetic, o.voice_cache_mb

    def load_options(self, model: Path, tokenizer: Path | None) -> LoadOptions:
        """How to load ``model``; layers count on an accelerator only."""
        layers = AUTO if self.device == "cpu" else self.gpu_layers
        return LoadOptions(
            model=model,
            tokenizer=tokenizer,
            device=self.device,
            codec_policy=self.codec_policy,
            gpu_layers=layers,
            threads=self.threads,
            arithmetic=self.arithmetic,
            voice_cache_mb=self.voice_cache_mb,
        )


def _references(
    voice: VoiceProfile | tuple[VoiceProfile, ...] | None,
) -> tuple[VoiceProfile, ...]:
    if voice is None:
        return ()
    return voice if isinstance(voice, tuple) else (voice,)
