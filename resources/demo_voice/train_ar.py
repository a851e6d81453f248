"""Training of the language model (step ``ar``): the engine's own slow and fast transformers."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from engine.lm.dual_ar import DualAR
from engine.lm.factory import FreshWeights
from engine.lm.layers import causal_mask
from engine.lm.rotary import rope_table, rotate
from engine.text.tokenizer import Tokenizer
from resources.demo_voice.examples import ExampleSource, columns_of, padded
from resources.demo_voice.judge import unseen_sentences
from resources.demo_voice.muon import Muon
from resources.demo_voice.pace import Clock
from resources.demo_voice.sizes import CODEBOOK_SIZE, TEXT_FRAMES, ar_config
from resources.demo_voice.tokens import sounds_of, vocabulary_size

MATRIX_RATE = 0.02
TABLE_RATE = 3e-3
WARM_UP = 40
SPOILED = 0.5
"""Highest share of wrong codes in the past of an example."""

GUIDED_LAYER = 1
DISTANCE = TEXT_FRAMES + 4
"""Columns between the one that predicts a frame and the token of this frame."""

LOOKS = (-1, 0, 1, 2)
"""Where the heads of the guided layer are taught to look: tokens from the frame's own."""

GUIDANCE = 0.2
"""Weight of the teaching of attention beside the cross entropies."""


def fresh_ar(tokenizer_path: Path, seed: int = 0) -> DualAR:
    """An untrained model that fits the tokenizer."""
    tokenizer = Tokenizer.load(tokenizer_path, trusted=True)
    config = ar_config(vocabulary_size(tokenizer_path), tokenizer.semantic_begin)
    return DualAR(config, FreshWeights(seed), tokenizer.im_end)


def spoiled(columns: Tensor, model: DualAR, generator: torch.Generator) -> Tensor:
    """Input columns with some wrong codes, as the model will hear from itself.

    What comes next follows from the text, so the past needs no trust.
    """
    c = model.config
    spoken = (columns[:, 0] >= c.semantic_begin) & (columns[:, 0] <= c.semantic_end)
    codes = columns[:, 1:].movedim(1, -1)[spoken]
    n = len(codes)
    strength = torch.rand(columns.shape[0], generator=generator)
    row = spoken.nonzero()[:, 0]
    for book in range(codes.shape[1]):
        wrong = torch.rand(n, generator=generator) < SPOILED * strength[row]
        codes[wrong, book] = codes[torch.randperm(n, generator=generator), book][wrong]
    made = columns.clone()
    made[:, 1:].movedim(1, -1)[spoken] = codes
    made[:, 0][spoken] = codes[:, 0] + c.semantic_begin
    return made


@dataclass(frozen=True)
class Losses:
    """What is minimised, and shares of right predictions.

    Attributes:
        total: weighted sum, differentiable.
        slow, fast, guide: cross entropies of main tokens, of residual codes and of attention.
        right, right_fast: shares of right main tokens and right residual codes.
    """

    total: Tensor
    slow: float
    fast: float
    guide: float
    right: float
    right_fast: float


def losses(model: DualAR, batch: Tensor, generator: torch.Generator) -> Losses:
    """Compare predictions with a batch ``(batch, codebooks + 1, T)``; row 0 is -1 in padding."""
    c = model.config
    main = batch[:, 0]
    columns = batch.clone()
    columns[:, 0].clamp_min_(0)
    if model.training:
        columns = spoiled(columns, model, generator)
    following = main[:, 1:]
    semantic = (following >= c.semantic_begin) & (following <= c.semantic_end)
    # Only what follows the end of the text is to be spoken; a reference is not.
    ended = (main[:, :-1] == model.slow.head_ids[-1]) & (following >= 0)
    semantic &= ended.flip(1).cumsum(1).flip(1) == 0
    inside = (main[:, :-1] >= c.semantic_begin) & (main[:, :-1] <= c.semantic_end)
    ends = (following == model.slow.head_ids[-1]) & inside
    learned = semantic | ends
    wanted = torch.where(ends, CODEBOOK_SIZE, following - c.semantic_begin)[learned]
    hidden, guide = _states(model, columns[:, :, :-1], learned)
    logits = model.slow.logits(hidden[learned])
    slow = F.cross_entropy(logits, wanted)
    codes = batch[:, 1:, 1:].movedim(1, -1)[semantic]
    residual = model.fast(hidden[semantic], codes[:, :-1]).flatten(0, 1)
    right_codes = codes[:, 1:].flatten()
    fast = F.cross_entropy(residual, right_codes)
    return Losses(
        slow + fast + GUIDANCE * guide, slow.item(), fast.item(), guide.item(),
        float((logits.argmax(-1) == wanted).float().mean()),
        float((residual.argmax(-1) == right_codes).float().mean()),
    )  # fmt: skip


def _states(model: DualAR, columns: Tensor, learned: Tensor) -> tuple[Tensor, Tensor]:
    """Normed states of all positions, and how far attention is from where it should be."""
    c = model.config
    length = columns.shape[-1]
    rope = rope_table(length, c.head_dim, c.rope_base)
    mask = causal_mask(length, 0, rope.device)
    assert mask is not None
    x = model.slow.embed(columns)
    guide = x.new_zeros(())
    for index, layer in enumerate(model.slow.layers):
        if index == GUIDED_LAYER and model.training:
            guide = _guide(layer, x, rope, mask, learned)
        x = layer(x, rope, mask, None, index)
    return model.slow.norm(x), guide


def _guide(layer: Any, x: Tensor, rope: Tensor, mask: Tensor, learned: Tensor) -> Tensor:
    """Mean of ``-log(attention)`` that each head pays to the token it should look at."""
    attention = layer.attention
    qkv = attention.wqkv(layer.attention_norm(x)).unflatten(-1, (-1, attention.head_dim))
    q, k, _ = qkv.split(attention.heads, dim=-2)
    q, k = rotate(attention.q_norm(q), rope), rotate(attention.k_norm(k), rope)
    k = k.repeat_interleave(q.shape[2] // k.shape[2], 2)
    total = x.new_zeros(())
    for row, positions in enumerate(learned):
        at = positions.nonzero()[:, 0]
        scores = torch.einsum("qhd,khd->hqk", q[row, at], k[row]) * attention.head_dim**-0.5
        paid = torch.log_softmax(scores + mask[at], -1)
        aim = at[None] - DISTANCE + torch.tensor(LOOKS)[:, None]
        total = total - paid.gather(2, aim[..., None]).mean()
    return total / len(learned)


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


@torch.no_grad()
def check(model: DualAR, batch: Tensor) -> tuple[float, float]:
    """Shares of right main tokens and right residual codes on texts that are not trained."""
    model.eval()
    found = losses(model, batch, torch.Generator())
    model.train()
    return found.right, found.right_fast


def unseen_batch(work: Path, count: int = 16) -> Tensor:
    """Some of the judged sentences with the codes that are right for them."""
    tokenizer, source = (
        Tokenizer.load(work / "tokenizer.json", trusted=True),
        ExampleSource(work, 0),
    )
    texts = unseen_sentences()[:count]
    sounds = [sounds_of(tokenizer.encode_user(text)) for text in texts]
    return padded([columns_of(source.tokenizer, source.table, s, 0) for s in sounds])


def train(work: Path, *, steps: int, minutes: float, seed: int = 0) -> Path:
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
    source, unseen = ExampleSource(work, seed + 1000 * step), unseen_batch(work)
    generator = torch.Generator().manual_seed(seed + step)
    clock = Clock(used, minutes)
    queue: list[Tensor] = []
    seen: list[Losses] = []
    while step < steps and clock.progress < 1:
        clock.wait_if_paused()
        queue = queue or source.batches()
        share = rate(step, max(step / steps, clock.progress))
        for optimizer, peak in zip(optimizers, peaks, strict=True):
            optimizer.param_groups[0]["lr"] = peak * share
        found = losses(model, queue.pop(), generator)
        model.zero_grad()
        found.total.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        for optimizer in optimizers:
            optimizer.step()
        step += 1
        seen.append(found)
        if step % 25 == 0:
            _tell(step, seen, check(model, unseen), clock.minutes)
            seen = []
        if step % 100 == 0:
            _save(path, model, optimizers, step, clock.minutes)
    _save(path, model, optimizers, step, clock.minutes)
    print(time.strftime("%H:%M"), "language model at step", step, flush=True)
    return path


def _tell(step: int, seen: list[Losses], unseen: tuple[float, float], minutes: float) -> None:
    names = ("slow", "fast", "guide", "right", "right_fast")
    means = (sum(getattr(one, name) for one in seen) / len(seen) for name in names)
    said = " ".join(f"{name} {mean:.3f}" for name, mean in zip(names, means, strict=True))
    print(f"{step} {said} unseen {unseen[0]:.3f} {unseen[1]:.3f} {minutes:.1f} min", flush=True)


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
