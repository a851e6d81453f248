"""Running a model along given frames, to hold its numbers against the reference's."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from lm_support import prefill

from engine.lm.dual_ar import DualAR

Arrays = dict[str, np.ndarray]
GoldenRun = Callable[[str, str], Arrays]
TOLERANCE = 1e-4


def furthest(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.abs(a - b).max())


def force(model: DualAR, prompt: np.ndarray, codes: np.ndarray) -> Arrays:
    """Slow logits, hidden and fast logits along given frames, through the caches."""
    slow, fast = model.slow, model.fast
    out: dict[str, list[np.ndarray]] = {"logits": [], "hidden": [], "fast": []}
    with torch.inference_mode():
        cache, fast_cache = slow.new_cache(prompt.shape[1] + codes.shape[1]), fast.new_cache()
        state = prefill(slow, prompt, cache, chunk=32)
        for frame in codes.T.tolist():
            out["logits"].append(state.logits.numpy())
            out["hidden"].append(state.hidden.numpy())
            rows = [fast.begin(state.fast_input, frame[0], fast_cache)]
            rows += [fast.step(code, fast_cache) for code in frame[1:-1]]
            out["fast"].append(torch.stack(rows).numpy())
            column = np.array([model.config.semantic_begin + frame[0], *frame])
            state = slow.step(column, cache)
        out["logits"].append(state.logits.numpy())
        out["hidden"].append(state.hidden.numpy())
    return {name: np.stack(rows) for name, rows in out.items()}
