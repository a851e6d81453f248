"""Loaded engines for the tests of the engine and its command line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hub_kit import NAME, PROXIES, VOICE, Server, serving

from engine.engine import Engine
from engine.types import AudioChunk, Event, FrameCodes, Summary


@pytest.fixture(scope="session")
def tiny_engine(models: Any) -> Iterator[Engine]:
    """One engine on the golden model tiny-f32, shared by all tests of a worker."""
    with Engine.load(models.path("tiny-f32"), models.tokenizer, threads=1) as engine:
        yield engine


class Collected:
    """The events of one synthesis, sorted."""

    def __init__(self, events: Iterator[Event]) -> None:
        self.events = list(events)
        self.chunks = [e for e in self.events if isinstance(e, AudioChunk)]
        self.frames = [e for e in self.events if isinstance(e, FrameCodes)]
        self.summaries = [e for e in self.events if isinstance(e, Summary)]

    @property
    def summary(self) -> Summary:
        (summary,) = self.summaries
        assert self.events[-1] is summary
        return summary

    @property
    def samples(self) -> np.ndarray:
        parts = [c.samples for c in self.chunks]
        return np.concatenate(parts) if parts else np.empty(0, np.float32)

    @property
    def codes(self) -> np.ndarray:
        return np.stack([f.codes for f in self.frames], axis=1)


@pytest.fixture
def collect() -> type[Collected]:
    return Collected


@pytest.fixture(scope="module")
def servers() -> Iterator[tuple[Server, Server]]:
    """A hub and its storage, of two origins."""
    with serving() as first, serving() as second:
        yield first, second


@pytest.fixture
def hub(servers: tuple[Server, Server], monkeypatch: pytest.MonkeyPatch) -> Server:
    """The hub with one file and no fault yet."""
    for name in PROXIES:
        monkeypatch.delenv(name, raising=False)
    servers[0].reset()
    servers[0].put(NAME, VOICE)
    return servers[0]


@pytest.fixture
def storage(servers: tuple[Server, Server]) -> Server:
    """The storage that the hub may send requests on to."""
    servers[1].reset()
    servers[1].put(NAME, VOICE)
    return servers[1]
