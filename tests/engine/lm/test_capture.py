"""What a CUDA graph forbids, checked without CUDA: on the stand-in device."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import torch
import toy_device
from lm_support import prefill
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from engine.gguf.linear import QuantEmbedding
from engine.gguf.reader import GGUFFile
from engine.lm.cuda_graphs import StaticFrames, _tables
from engine.lm.dual_ar import DualAR
from engine.text.tokenizer import Tokenizer
from engine.types import Sampling

MODEL = "tiny-kquant"
_SYNCS = ("aten::item", "aten::_local_scalar_dense", "aten::nonzero", "aten::masked_select")


class CaptureLint(TorchDispatchMode):
    """Notes each operation that waits for the device or copies between it and the CPU."""

    def __init__(self) -> None:
        super().__init__()
        self.refused: list[str] = []

    def __torch_dispatch__(self, op: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = op(*args, **(kwargs or {}))
        name = op._schema.name
        tensors = [t for t in tree_leaves((args, kwargs, result)) if isinstance(t, torch.Tensor)]
        copies = "copy" in name and len({t.device.type for t in tensors}) > 1
        if name in _SYNCS or copies:
            self.refused.append(name)
        return result


@pytest.fixture(scope="module")
def model(models: Any) -> Iterator[DualAR]:
    end = Tokenizer.load(models.tokenizer).im_end
    with GGUFFile.open(models.path(MODEL)) as file:
        yield DualAR.from_gguf(file, end, toy_device.install())


def test_the_lint_sees_what_a_capture_refuses() -> None:
    here = torch.arange(4.0)
    there = here.to(toy_device.install())
    place = torch.tensor(2).to("toy")
    for work in (lambda: there[place], lambda: there.nonzero(), lambda: there.cpu(),
                 lambda: there.copy_(here), lambda: there.sum().item()):  # fmt: skip
        with CaptureLint() as lint:
            work()
        assert lint.refused
    with CaptureLint() as lint:
        there.add_(1).sort()
    assert not lint.refused


def test_both_pieces_can_be_captured(model: DualAR, golden: Any) -> None:
    """No result is waited for and nothing is copied to or from the CPU in them."""
    prompt = golden(MODEL, "plain")["ref_prompt"]
    frames = StaticFrames(model, prompt.shape[1] + 4)
    with torch.inference_mode():
        state = prefill(model.slow, prompt, frames.cache)
        frames.begin(state, Sampling(seed=1))
        for piece in (frames._draw, *frames._steps.values()):
            with CaptureLint() as lint:
                piece()
            assert lint.refused == []


def test_only_rows_that_frames_read_are_on_the_device(model: DualAR) -> None:
    tables, c = _tables(model.slow, torch.device("toy", 0)), model.config
    assert isinstance(tables.tokens, QuantEmbedding)
    assert tables.tokens._packed.shape[0] == c.codebook_size < c.vocab_size
    assert tables.tokens._packed.device.type == "toy"
    whole = model.slow.embeddings
    assert whole._packed.device.type == "cpu"
    codes = torch.tensor([3, c.codebook_size - 1])
    expected = whole(codes + c.semantic_begin)
    assert torch.equal(tables.tokens(codes.to("toy")).cpu(), expected)
