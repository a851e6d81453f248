"""Tiny random models and prompts for the tests of the dual-AR engine."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from torch import Tensor

from engine.lm.cache import KVCache
from engine.lm.config import ARConfig, FastConfig
from engine.lm.dual_ar import DualAR
from engine.lm.factory import FreshWeights
from engine.lm.fast_ar import FastAR
from engine.lm.generate import GenerationStats
from engine.lm.slow_ar import SlowAR, SlowState, chunk_bounds
from engine.types import FrameCodes, Progress

IM_END = 20

FAST = FastConfig(
    dim=16,
    n_layers=2,
    n_heads=4,
    n_kv_heads=2,
    head_dim=8,
    ffn=24,
    rope_base=1e4,
    eps=1e-6,
    qk_norm=True,
    context_length=5,
    project_in=True,
    tie=False,
)

CONFIG = ARConfig(
    dim=24,
    n_layers=2,
    n_heads=4,
    n_kv_heads=2,
    head_dim=8,
    ffn=32,
    rope_base=1e4,
    eps=1e-6,
    qk_norm=True,
    vocab_size=64,
    context_length=64,
    scale_codebooks=True,
    tie_embeddings=True,
    codebook_size=16,
    num_codebooks=4,
    semantic_begin=40,
    semantic_end=55,
    norm_fast_input=True,
    fast=FAST,
)


def make_model(seed: int = 3, **changes: Any) -> DualAR:
    """A served model with random weights, norms away from one, and livelier tables."""
    model = DualAR(replace(CONFIG, **changes), FreshWeights(seed), IM_END)
    generator = torch.Generator().manual_seed(seed + 1)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if name.endswith("norm.weight"):
                parameter.add_(0.2 * torch.randn(parameter.shape, generator=generator))
            elif "embeddings" in name:
                parameter.mul_(10)
    return model.serve()


def make_prompt(columns: int = 12, seed: int = 5, config: ARConfig = CONFIG) -> np.ndarray:
    """Text columns with a few semantic ones among them, int32 ``(num_codebooks + 1, T)``."""
    rng = np.random.default_rng(seed)
    prompt = np.zeros((config.num_codebooks + 1, columns), np.int32)
    prompt[0] = rng.integers(0, IM_END, columns)
    for at in range(2, min(columns, 6)):
        prompt[1:, at] = rng.integers(0, config.codebook_size, config.num_codebooks)
        prompt[0, at] = config.semantic_begin + prompt[1, at]
    return prompt


def prefill(slow: SlowAR, columns: np.ndarray, cache: KVCache, chunk: int = 128) -> SlowState:
    """Process a prompt in chunks; only its last column is read out."""
    for start, end in chunk_bounds(0, columns.shape[1], chunk):
        last = slow.extend(columns[:, start:end], cache)
    return slow.read_out(last)


def decode_fast(fast: FastAR, fast_input: Tensor, prefix: list[int]) -> Tensor:
    """Logits for code ``len(prefix)``, from scratch; the check on the cached passes."""
    return fast(fast_input.unsqueeze(0), torch.tensor([prefix]))[0, -1]


def set_constant_logits(model: DualAR, logits: list[float] | Tensor) -> None:
    """Make the slow model say the same whatever its state is."""
    values = torch.as_tensor(logits, dtype=torch.float32)
    model.slow.logits = lambda hidden: values  # type: ignore[method-assign]


@dataclass
class Outcome:
    """Everything a generation gave."""

    codes: np.ndarray
    progress: list[Progress]
    stats: GenerationStats


def drain(generator: Any) -> Outcome:
    """Run a generation to its end."""
    frames: list[np.ndarray] = []
    progress: list[Progress] = []
    while True:
        try:
            event = next(generator)
        except StopIteration as stop:
            codes = np.stack(frames, 1) if frames else np.zeros((0, 0), np.int32)
            return Outcome(codes, progress, stop.value)
        if isinstance(event, FrameCodes):
            assert event.index == len(frames)
            frames.append(event.codes)
        else:
            progress.append(event)


class ScriptedUniform:
    """Hands out given numbers and fails when more are asked for."""

    def __init__(self, *values: float) -> None:
        self.values = list(values)

    def random(self) -> float:
        return self.values.pop(0)
