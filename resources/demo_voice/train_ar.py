"""Training of the language model (step ``ar``): the engine's own slow and fast transformers."""

from __future__ import annotations

import math
import time
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor

from engine.lm.dual_ar import DualAR
from engine.lm.factory import FreshWeights
from engine.text.tokenizer import Tokenizer
from resources.demo_voice.examples import ExampleSource
from resources.demo_voice.muon import Muon
from resources.demo_voice.pace import Clock
from resources.demo_voice.sizes import CODEBOOK_SIZE, ar_config
from resources.demo_voice.tokens import vocabulary_size

MATRIX_RATE = 0.02
TABLE_RATE = 3e-3
WARM_UP = 40
SPOILED = 0.3
"""Highest share of wrong semantic codes in the past of an example."""

PLAIN_PROGRESS = 0.2
"""The first part of the training has short texts and no references: which sound belongs to
which phone is learned much sooner that way."""

FAST_SHARE = 0.5
"""Share of the frames whose residual codes are learned from in a step."""


def fresh_ar(tokenizer_path: Path, seed: int = 0) -> DualAR:
    """An untrained model that fits the tokenizer."""
    tokenizer = Tokenizer.load(tokenizer_path)
    config = ar_config(vocabulary_size(tokenizer_path), tokenizer.semantic_begin)
    return DualAR(config, FreshWeights(seed), tokenizer.im_end)


def spoiled(columns: Tensor, model: DualAR, generator: torch.Generator) -> Tensor:
    """Input columns with some wrong codes, as the model will hear from itself.

    With true codes as its past a small model recognises sentences of the training and reads on
    by heart; the rarely predictable residual codes give them away. So most residual codes are
    exchanged between frames, and some semantic ones too.
    """
    c = model.config
    spoken = (columns[:, 0] >= c.semantic_begin) & (columns[:, 0] <= c.semantic_end)
    codes = columns[:, 1:].movedim(1, -1)[spoken]
    n = len(codes)
    strength = torch.rand(columns.shape[0], generator=generator)
    row = spoken.nonzero()[:, 0]
    other = codes[torch.randperm(n, generator=generator)]
    swap = torch.rand(n, generator=generator) < 1.2 * strength[row]
    codes[swap, 1:] = other[swap, 1:]
    other = codes[torch.randperm(n, generator=generator)]
    wrong = torch.rand(n, generator=generator) < SPOILED * strength[row]
    codes[wrong] = other[wrong]
    made = columns.clone()
    made[:, 1:].movedim(1, -1)[spoken] = codes
    made[:, 0][spoken] = codes[:, 0] + c.semantic_begin
    return made


def losses(
    model: DualAR, batch: Tensor, generator: torch.Generator
) -> tuple[Tensor, Tensor, float]:
    """Cross entropies of main tokens and of residual codes, and the share of right main tokens.

    Args:
        batch: ``(batch, codebooks + 1, T)``; row 0 is -1 in the padding.
    """
    c = model.config
    main = batch[:, 0]
    columns = batch.clone()
    columns[:, 0].clamp_min_(0)
    if model.training:
        columns = spoiled(columns, model, generator)
    following = main[:, 1:]
    semantic = (following >= c.semantic_begin) & (following <= c.semantic_end)
    # An end token counts where it closes codes, not where it closes text.
    inside = (main[:, :-1] >= c.semantic_begin) & (main[:, :-1] <= c.semantic_end)
    ends = (following == model.slow.head_ids[-1]) & inside
    learned = semantic | ends
    wanted = torch.where(ends, CODEBOOK_SIZE, following - c.semantic_begin)[learned]
    hidden, fast_input, _ = _states(model, columns[:, :, :-1])
    logits = model.slow.logits(hidden[learned])
    slow = F.cross_entropy(logits, wanted)
    right = float((logits.argmax(-1) == wanted).float().mean())
    codes = batch[:, 1:, 1:].movedim(1, -1)[semantic]
    kept = torch.rand(len(codes), generator=generator) < FAST_SHARE
    residual = model.fast(fast_input[semantic][kept], codes[kept][:, :-1])
    fast = F.cross_entropy(residual.flatten(0, 1), codes[kept][:, 1:].flatten())
    return slow, fast, right


def _states(model: DualAR, columns: Tensor) -> tuple[Tensor, Tensor, None]:
    """Normed states of all positions; the head runs only where something is learned."""
    from engine.lm.layers import run_layers
    from engine.lm.rotary import rope_table

    c = model.config
    rope = rope_table(columns.shape[-1], c.head_dim, c.rope_base)
    hidden = model.slow.norm(run_layers(model.slow.layers, model.slow.embed(columns), rope, None))
    return hidden, hidden, None


def optimizers_of(model: DualAR) -> list[torch.optim.Optimizer]:
    """Muon for the matrices of the layers, AdamW for tables, heads and norms."""
    inner = [
        p
        for layers in (model.slow.layers, model.fast.layers)
        for p in layers.parameters()
        if p.ndim == 2
    ]
    chosen = {id(p) for p in inner}
    rest = [p for p in model.parameters() if id(p) not in chosen]
    return [
        Muon(inner, lr=MATRIX_RATE),
        torch.optim.AdamW(rest, lr=TABLE_RATE, betas=(0.9, 0.97), weight_decay=0.0),
    ]


def rate(step: int, progress: float) -> float:
    """Share of the peak learning rate: warm-up, then a cosine down to a fiftieth."""
    cosine = 0.5 * (1 + math.cos(math.pi * min(1.0, progress)))
    return min(1.0, (step + 1) / WARM_UP) * (0.02 + 0.98 * cosine)


def train(work: Path, *, steps: int, minutes: float, batch: int = 16, seed: int = 0) -> Path:
    """Train until the steps or the minutes are used up; resumes from ar.pt."""
    path = work / "ar.pt"
    model = fresh_ar(work / "tokenizer.json", seed)
    optimizers = optimizers_of(model)
    peaks = (MATRIX_RATE, TABLE_RATE)
    step, used = 0, 0.0
    if path.exists():
        saved = torch.load(path, weights_only=True)
        model.load_state_dict(saved["model"])
        for optimizer, state in zip(optimizers, saved["optimizers"], strict=True):
            optimizer.load_state_dict(state)
        step, used = saved["step"], saved["minutes"]
    source = ExampleSource(work, seed + 1000 * step)
    generator = torch.Generator().manual_seed(seed + step)
    clock = Clock(used, minutes)
    queue: list[Tensor] = []
    means = torch.zeros(3)
    while step < steps and clock.progress < 1:
        clock.wait_if_paused()
        if not queue:
            source.reload()
            queue = source.batches(batch, max(step / steps, clock.progress) < PLAIN_PROGRESS)
        share = rate(step, max(step / steps, clock.progress))
        for optimizer, peak in zip(optimizers, peaks, strict=True):
            optimizer.param_groups[0]["lr"] = peak * share
        slow, fast, right = losses(model, queue.pop(), generator)
        model.zero_grad()
        (slow + fast).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        for optimizer in optimizers:
            optimizer.step()
        step += 1
        means += torch.tensor([slow.item(), fast.item(), right])
        if step % 25 == 0:
            s, f, r = (means / 25).tolist()
            means.zero_()
            print(
                f"{step} slow {s:.3f} fast {f:.3f} right {r:.3f} "
                f"utterances {len(source.utterances)} {clock.minutes:.1f} min",
                flush=True,
            )
        if step % 100 == 0:
            _save(path, model, optimizers, step, clock.minutes)
    _save(path, model, optimizers, step, clock.minutes)
    print(time.strftime("%H:%M"), "language model at step", step, flush=True)
    return path


def _save(
    path: Path,
    model: DualAR,
    optimizers: list[torch.optim.Optimizer],
    step: int,
    minutes: float,
) -> None:
    state = {
        "model": model.state_dict(),
        "optimizers": [optimizer.state_dict() for optimizer in optimizers],
        "step": step,
        "minutes": minutes,
    }
    part = path.with_suffix(".part")
    torch.save(state, part)
    part.rename(path)
    kept = path.with_name(f"ar_{step:06}.pt")
    torch.save({"model": model.state_dict(), "step": step}, kept)
    for old in sorted(path.parent.glob("ar_[0-9]*.pt"))[:-4]:
        old.unlink()
