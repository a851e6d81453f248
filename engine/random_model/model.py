"""Stand-in models: valid GGUF files with random weights, for tests, timing and a first run.

They have the layout of the released model, so that everything but the sound is real. A
golden model is one of four small ones whose bytes never change; the arrays under
``tests/data/golden`` belong to them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from engine.cancel import CancelToken
from engine.random_model.config import GOLDEN, SIZES, TYPES, ModelPlan, metadata, random_plan
from engine.random_model.layout import tensors
from engine.random_model.tokenizer import make_tokenizer
from engine.random_model.weights import RandomTensor
from engine.random_model.writer import (
    Piece,
    header_bytes,
    padding,
    require_space,
    total_bytes,
)
from engine.storage.files import shown, telling, write_file

__all__ = [
    "GOLDEN_MODELS",
    "SIZES",
    "TYPES",
    "make_golden_model",
    "make_random_model",
    "make_tokenizer",
]

GOLDEN_MODELS = tuple(GOLDEN)
ProgressFunction = Callable[[int, int], None]


def make_golden_model(name: str, path: str | os.PathLike[str]) -> Path:
    """Write one of :data:`GOLDEN_MODELS`; raises ``KeyError`` for another name."""
    return _write(path, GOLDEN[name], None, None)


def make_random_model(
    path: str | os.PathLike[str],
    *,
    size: str = "tiny",
    type: str = "f32",
    tokenizer: str | os.PathLike[str] | None = None,
    seed: int | None = None,
    progress: ProgressFunction | None = None,
    cancel: CancelToken | None = None,
) -> Path:
    """Write a model with random weights, and its tokenizer when a path for it is given.

    The file is made in pieces, so memory stays far below its size, and appears only when it
    is whole.

    Args:
        size: ``tiny`` (a few MB) or ``full`` (the dimensions of S2 Pro).
        type: ``f32``, ``f16``, ``q8_0`` or ``q4_k`` (with Q6_K where mixtures have it).
        seed: of the weights; ``None`` is a fixed one, so that two runs give the same file.
        progress: called with bytes done and bytes in all.
        cancel: looked at between pieces.

    Raises:
        ValueError: an unknown size or type.
        OutputError: no room, or the file cannot be written.
        CancelledError: stopped; nothing is left behind.
    """
    plan = random_plan(size, type, seed)
    written = _write(path, plan, progress, cancel)
    if tokenizer is not None:
        make_tokenizer(tokenizer, full=size == "full")
    return written


def _write(
    path: str | os.PathLike[str],
    plan: ModelPlan,
    progress: ProgressFunction | None,
    cancel: CancelToken | None,
) -> Path:
    contents = tensors(plan)
    layouts = [tensor.layout for tensor in contents]
    head = header_bytes(metadata(plan), layouts)
    total = total_bytes(head, layouts)
    require_space(path, total)

    def pieces() -> Iterator[Piece]:
        done = len(head)
        yield head
        for piece in _data(contents, plan.seed):
            if cancel is not None:
                cancel.raise_if_cancelled()
            yield piece
            done += len(piece)
            if progress is not None:
                progress(done, total)

    # It can be made again, and a large one would take long to reach the disk.
    with telling(shown(path)):
        write_file(path, pieces(), follow=True, durable=False)
    return Path(path)


def _data(contents: list[RandomTensor], seed: int) -> Iterator[Piece]:
    """The data section; one generator runs through all tensors in file order."""
    rng = np.random.default_rng(seed)
    for tensor in contents:
        for rows in tensor.pieces():
            yield tensor.draw(rng, rows)
        yield padding(tensor.layout.nbytes)
