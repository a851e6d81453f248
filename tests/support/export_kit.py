"""A sound and a take to save, shared by the tests of exports and archives."""

from __future__ import annotations

import numpy as np

from engine.takes.export import ExportFormat
from engine.takes.provenance import Provenance
from engine.types import (
    Metrics,
    ModelInfo,
    PostProcessing,
    Sampling,
    Segmentation,
    StreamOptions,
    Summary,
    SynthesisRequest,
)
from engine.voices import VoiceProfile

RATE = 44100
KINDS = list(ExportFormat)
TEXT = 'She said: "no".\n[laughing] \u4f60\u597d \u2603 <|speaker:0|>\t\u00e9'


def speech(seconds: float = 1.0, rate: int = RATE) -> np.ndarray:
    """A gliding, pulsing tone, soft enough for every encoder."""
    t = np.arange(int(seconds * rate)) / rate
    tone = np.sin(2 * np.pi * (180 * t + 40 * t * t)) + 0.4 * np.sin(2 * np.pi * 900 * t)
    return (0.3 * tone * (0.6 + 0.4 * np.sin(2 * np.pi * 3 * t))).astype(np.float32)


def some_codes(frames: int = 20, books: int = 10) -> np.ndarray:
    rng = np.random.default_rng(frames)
    codes = rng.integers(0, 1024, (books, frames)).astype(np.int32)
    codes[0] = rng.integers(0, 4096, frames)
    return codes


def model_info() -> ModelInfo:
    return ModelInfo(
        "models/s2-pro-q4_k.gguf", "S2 Pro", 1, RATE, 2048, 10, 4096, 1024, 32768, 1, 1,
        {"F32": 400, "Q4_K": 250, "Q6_K": 30}, 1, 4096, 128,
    )  # fmt: skip


def a_provenance(frames: int = 20) -> Provenance:
    voice = VoiceProfile("hello", some_codes(8), RATE, 4096)
    request = SynthesisRequest(
        TEXT,
        (voice,),
        Sampling(0.7, 0.9, 40, 500, 3, None),
        StreamOptions("windowed", 2, 3, 40, True),
        PostProcessing(True, False, True),
        Segmentation(True, 250, 200, True),
    )
    summary = Summary(some_codes(frames), "length", 2**63 + 5, Metrics())
    return Provenance.of(
        request, summary, model_info(), ["\u00c9lan"], segments=[(0, 0), (9, 20000)]
    )
