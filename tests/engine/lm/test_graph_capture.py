"""Captured frames with made-up CUDA graphs, which record operations and run them again."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
import torch
from lm_support import CONFIG, drain, make_model, make_prompt, set_constant_logits
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from engine.errors import GenerationError
from engine.lm import cuda_graphs, graph_capture
from engine.lm.cuda_graphs import StaticFrames, lent_frames, prepare_frames
from engine.lm.generate import generate
from engine.types import FrameCodes, Sampling

REQUESTS = [
    Sampling(max_new_tokens=9, seed=5, min_tokens_before_end=9),
    Sampling(max_new_tokens=40, seed=7, temperature=1.0),
    Sampling(max_new_tokens=5, seed=2, top_k=1, min_tokens_before_end=5),
]


class Graph(TorchDispatchMode):
    """Stands for ``torch.cuda.CUDAGraph``: operations again, results at the same addresses."""

    def __init__(self, driver: Driver) -> None:
        super().__init__()
        self.driver, self.done = driver, []

    def __torch_dispatch__(self, op: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if op._schema.name in ("aten::item", "aten::_local_scalar_dense"):
            raise RuntimeError("operation not permitted when stream is capturing")
        result = op(*args, **(kwargs or {}))
        self.done.append((op, args, kwargs or {}, result))
        return result

    def capture_begin(self, pool: object, capture_error_mode: str) -> None:
        assert self.driver.stream != "main"
        assert (pool, capture_error_mode) == ("pool", "thread_local")
        self.driver.begun += 1
        self.driver.broken = False
        self.__enter__()

    def capture_end(self) -> None:
        self.__exit__(None, None, None)
        self.driver.ended += 1
        if self.driver.broken:
            raise RuntimeError("operation failed due to a previous error during capture")

    def replay(self) -> None:
        self.driver.replays += 1
        for op, args, kwargs, result in self.done:
            again = op(*args, **kwargs)
            given = {t.untyped_storage().data_ptr() for t in tensors((args, kwargs))}
            for old, new in zip(tensors(result), tensors(again), strict=True):
                if old.untyped_storage().data_ptr() not in given:  # not a view, not in place
                    old.copy_(new)


def tensors(tree: Any) -> list[torch.Tensor]:
    return [t for t in tree_leaves(tree) if isinstance(t, torch.Tensor)]


class Driver:
    """What the tests read: the current stream, and how often captures began, ended, ran."""

    def __init__(self) -> None:
        self.stream, self.broken = "main", False
        self.begun = self.ended = self.replays = self.emptied = 0
        self.allocator: list[tuple[int, object]] = []

    @contextmanager
    def on(self, stream: Any) -> Iterator[None]:
        before, self.stream = self.stream, stream.name
        try:
            yield
        finally:
            self.stream = before


class Stream:
    def __init__(self, name: str) -> None:
        self.name = name

    def wait_stream(self, other: Stream) -> None:
        assert other.name != self.name


@contextmanager
def _device(_home: torch.device) -> Iterator[None]:
    yield


@pytest.fixture
def driver(monkeypatch: pytest.MonkeyPatch) -> Driver:
    """``torch.cuda`` as far as captures use it, on the CPU's tensors."""
    made, cuda = Driver(), torch.cuda
    monkeypatch.setattr(cuda, "CUDAGraph", lambda: Graph(made))
    monkeypatch.setattr(cuda, "Stream", lambda _home: Stream("side"))
    monkeypatch.setattr(cuda, "current_stream", lambda _home: Stream(made.stream))
    monkeypatch.setattr(cuda, "stream", made.on)
    monkeypatch.setattr(cuda, "device", _device)
    monkeypatch.setattr(cuda, "graph_pool_handle", lambda: "pool")
    monkeypatch.setattr(cuda, "synchronize", lambda _home: None)
    monkeypatch.setattr(torch._C, "_cuda_endAllocateToPool",
                        lambda *what: made.allocator.append(what))  # fmt: skip
    monkeypatch.setattr(cuda_graphs, "_KIND", "cpu")
    monkeypatch.setattr(cuda_graphs, "_SHORTEST", 64)
    monkeypatch.setattr(cuda_graphs, "_LENGTHS", (16, 32, 64))
    monkeypatch.setattr(graph_capture, "_broken", [])
    return made


def ordinary(sampling: Sampling) -> np.ndarray:
    model = make_model()
    model.graphs.failure = "not wanted"
    return drain(generate(model, make_prompt(), sampling)).codes


def test_one_capture_serves_every_request(driver: Driver) -> None:
    model = make_model()
    for sampling in (*REQUESTS, *REQUESTS):
        result = drain(generate(model, make_prompt(), sampling))
        np.testing.assert_array_equal(result.codes, ordinary(sampling))
    assert driver.begun == driver.ended == 1 + 3  # the draw, and a step of each length
    assert driver.replays > 2 * len(REQUESTS)
    assert driver.stream == "main"
    assert not model.graphs.lent
    assert not driver.allocator


def test_a_longer_request_grows_them_once(driver: Driver, monkeypatch: Any) -> None:
    monkeypatch.setattr(cuda_graphs, "_SHORTEST", 16)
    model = make_model()
    for _ in range(2):
        drain(generate(model, make_prompt(), REQUESTS[1]))
    frames = prepare_frames(model)
    assert frames is not None
    assert frames.capacity == 64
    assert driver.begun == 1 + 3


def test_a_second_request_meanwhile_takes_the_loop(driver: Driver) -> None:
    model = make_model()
    first = generate(model, make_prompt(), REQUESTS[0])
    next(event for event in first if isinstance(event, FrameCodes))
    assert model.graphs.lent
    second = drain(generate(model, make_prompt(), REQUESTS[2]))
    np.testing.assert_array_equal(second.codes, ordinary(REQUESTS[2]))
    first.close()
    assert not model.graphs.lent


def test_a_failed_capture_is_remembered_and_leaves_nothing(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = cuda_graphs.StaticFrames._step_frame

    def syncing(self: Any, attended: int) -> None:
        real(self, attended)
        try:
            int(self._rows.position)  # what a capture refuses
        except RuntimeError:
            driver.broken = True
            raise

    monkeypatch.setattr(cuda_graphs.StaticFrames, "_step_frame", syncing)
    model = make_model()
    for sampling in REQUESTS:
        result = drain(generate(model, make_prompt(), sampling))
        np.testing.assert_array_equal(result.codes, ordinary(sampling))
    assert (driver.begun, driver.ended, driver.replays) == (2, 2, 0)
    assert driver.stream == "main"
    assert driver.allocator == [(0, "pool")]
    assert len(graph_capture._broken) == 1
    assert "not permitted" in model.graphs.failure
    assert model.graphs.frames is None


@pytest.mark.parametrize("where", ["cache", "capture"])
def test_a_full_memory_leaves_long_requests_to_the_loop(
    driver: Driver, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    model = make_model()
    drain(generate(model, make_prompt(), REQUESTS[0]))
    owner: Any = cuda_graphs if where == "cache" else cuda_graphs.StaticFrames
    name = "_tables" if where == "cache" else "capture"
    with monkeypatch.context() as patch:
        patch.setattr(owner, name, _full)
        with lent_frames(model, 100) as frames:
            assert frames is None
    assert (model.graphs.limit, model.graphs.failure) == (64, "")
    with lent_frames(model, 100) as frames:
        assert frames is None
    gc.collect()
    assert not [each for each in gc.get_objects() if type(each) is StaticFrames]
    with lent_frames(model, 60) as frames:
        assert frames is not None


def _full(*_: Any) -> None:
    raise torch.OutOfMemoryError("CUDA out of memory")


def test_an_end_at_once_and_a_closed_model(driver: Driver) -> None:
    model = make_model()
    set_constant_logits(model, [-9.0] * CONFIG.codebook_size + [9.0])
    with pytest.raises(GenerationError, match="no frames"):
        drain(generate(model, make_prompt(), Sampling(seed=1)))
    assert model.graphs.frames is not None
    assert not model.graphs.lent
    model.close()
    assert model.graphs.frames is None
