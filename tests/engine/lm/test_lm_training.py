"""The modules that serve a model also train one: a batch, no cache, gradients everywhere."""

from __future__ import annotations

import numpy as np
import torch
from lm_support import CONFIG, IM_END, make_prompt

from engine.lm.dual_ar import DualAR
from engine.lm.factory import FreshWeights


def batch() -> torch.Tensor:
    prompts = torch.from_numpy(np.stack([make_prompt(9, seed) for seed in (1, 2)]))
    prompts[:, 0, 1] = CONFIG.semantic_begin
    return prompts


def loss_of(model: DualAR, prompts: torch.Tensor) -> torch.Tensor:
    _, fast_input, logits = model.slow(prompts)
    codes = model.fast(fast_input[:, 4], prompts[:, 1:4, 4])
    return logits.logsumexp(-1).mean() + codes.logsumexp(-1).mean()


def test_every_parameter_gets_a_gradient() -> None:
    model = DualAR(CONFIG, FreshWeights(), IM_END)
    loss_of(model, batch()).backward()
    assert [name for name, p in model.named_parameters() if p.grad is None] == []


def test_a_step_lowers_the_loss_and_the_head_follows_the_table() -> None:
    model = DualAR(CONFIG, FreshWeights(), IM_END)
    losses = []
    for _ in range(4):
        loss = loss_of(model, batch())
        losses.append(float(loss.detach()))
        model.zero_grad()
        loss.backward()
        with torch.no_grad():
            for parameter in model.parameters():
                parameter -= 0.05 * parameter.grad
    assert losses == sorted(losses, reverse=True)
    trained = model.serve()
    hidden, _, logits = trained.slow(batch())
    rows = trained.slow.embeddings.weight[trained.slow.head_ids]
    assert torch.allclose(logits, hidden @ rows.T, atol=1e-5)


def test_parameters_are_named_as_in_the_file() -> None:
    """So a trained state is written under the names of spec 01 section 3 without a table."""
    model = DualAR(CONFIG, FreshWeights(), IM_END)
    slow = {name for name, _ in model.slow.named_parameters()}
    fast = {f"fast_{name}" for name, _ in model.fast.named_parameters()}
    assert {"embeddings.weight", "codebook_embeddings.weight", "norm.weight"} <= slow
    assert {"layers.1.attention.wqkv.weight", "layers.0.attention.q_norm.weight"} <= slow
    assert {"layers.1.feed_forward.w2.weight", "layers.1.ffn_norm.weight"} <= slow
    assert {"fast_project_in.weight", "fast_embeddings.weight", "fast_output.weight"} <= fast
    assert {"fast_layers.0.attention.wo.weight", "fast_norm.weight"} <= fast
