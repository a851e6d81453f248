"""Which layers an accelerator gets, and how its free memory is counted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
import toy_device

from engine import loading
from engine.engine import Engine
from engine.gguf.inspect import MemoryNeeds
from engine.gguf.linear import QuantLinear
from engine.machine.devices import free_memory

GB = 10**9
# A file of any type: dense it takes the same.
NEEDS = MemoryNeeds(
    process=0, stored=3 * GB, layer=201_861_632, fast=986_000_000, codec=16 * GB // 10,
    position=294_912, context=32768, layers=36,
)  # fmt: skip


@pytest.mark.parametrize(
    ("card", "layers"), [(4, 3), (6, 12), (8, 21), (10, 31), (12, 36), (16, 36), (24, 36)]
)
def test_as_many_layers_go_as_fit(card: int, layers: int) -> None:
    """Cards by their size in GB, with 0.6 GB taken by the driver and the screen."""
    assert NEEDS.layers_in(card * GB - 6 * GB // 10) == layers
    assert NEEDS.layers_in(0) == 0


@pytest.fixture
def card(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """A made-up CUDA memory: what the driver counts as free and what torch holds."""

    def put(free: int, *, reserved: int = 0, allocated: int = 0, share: float = 1.0) -> None:
        cuda = torch.cuda
        monkeypatch.setattr(cuda, "mem_get_info", lambda _home: (free, 10 * GB))
        monkeypatch.setattr(cuda, "memory_reserved", lambda _home: reserved)
        monkeypatch.setattr(cuda, "memory_allocated", lambda _home: allocated)
        monkeypatch.setattr(cuda, "get_per_process_memory_fraction", lambda _home: share)

    return put


def test_what_torch_keeps_for_later_is_free(card: Callable[..., None]) -> None:
    card(2 * GB)
    assert free_memory("cuda:0") == 2 * GB
    card(2 * GB, reserved=7 * GB, allocated=GB)
    assert free_memory("cuda:0") == 8 * GB
    card(9 * GB, reserved=GB, allocated=GB, share=0.4)
    assert free_memory("cuda:0") == 3 * GB
    assert free_memory("mps") is None


def test_the_free_memory_decides_and_says_so(
    models: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On the made-up device; what an engine frees is given back when it closes."""
    toy_device.install()
    released: list[str] = []
    monkeypatch.setattr(loading, "resolve_device", lambda name: name)
    monkeypatch.setattr(loading, "verdict_path", lambda: tmp_path / "codec.json")
    monkeypatch.setattr(loading, "release_memory", released.append)
    monkeypatch.setattr("engine.engine.release_memory", released.append)

    def load(free: int | None, layers: int = -1) -> Engine:
        monkeypatch.setattr(loading, "free_memory", lambda _device: free)
        return Engine.load(models.path("tiny-kquant"), models.tokenizer, device="toy", threads=1,
                           gpu_layers=layers, codec_policy="cpu")  # fmt: skip

    with load(0) as engine:
        assert engine.info.device == "cpu"
        assert "0 of" in engine.warnings[0]
        assert released == ["toy"]
    assert released == ["toy", "cpu"]
    with load(0, 1) as engine:
        assert (engine.info.gpu_layers, engine.warnings) == (1, ())
    for free in (None, 10 * GB):
        with load(free) as engine:
            assert engine._parts is not None
            assert engine.info.gpu_layers == engine._parts.model.config.n_layers
            assert not engine.warnings
            matrices = [m for m in engine._parts.model.modules() if isinstance(m, QuantLinear)]
            assert all(m.weight is not None for m in matrices)
