"""Streams that stop at each pass of the model, and the passes that they take together."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from typing import Any, cast

from engine.errors import EngineError
from engine.lm.passes import BeginFrame, NextCode, NextFrame, Pass, Passes

_ORDER = (BeginFrame, NextCode, NextFrame)
"""Frames that were begun are finished first: then all streams are between two frames again."""


@dataclass(slots=True)
class Clock:
    """Seconds that were given to one stream: of what is shared its part."""

    seconds: float = 0.0

    def __call__(self) -> float:
        return self.seconds


@dataclass(slots=True, eq=False)
class Stream:
    """One of a company.

    Attributes:
        index: its place among all.
        needed: bytes of memory that were promised to it.
        result: what it returned.
        error: what it ended with instead.
    """

    index: int
    needed: int = 0
    clock: Clock = field(default_factory=Clock)
    steps: Generator[Any, object, Any] = field(init=False)
    waits_for: Pass | None = None
    result: Any = None
    error: EngineError | None = None

    def end(self, result: Any, error: EngineError | None) -> None:
        """It returned, or failed."""
        self.result, self.error = result, error


class Company:
    """The streams that are spoken now.

    Attributes:
        live: in the order in which they joined.
    """

    def __init__(self, passes: Passes) -> None:
        self._passes = passes
        self.live: list[Stream] = []

    def join(
        self, stream: Stream, begin: Callable[[Clock], Generator[Any, object, Any]]
    ) -> Iterator[tuple[Stream, Any]]:
        """Start a stream, which reads its whole prompt; yields what it says meanwhile."""
        try:
            stream.steps = begin(stream.clock)
        except EngineError as error:
            stream.end(None, error)
            return
        self.live.append(stream)
        yield from self._advance(stream, None)

    def turn(self) -> Iterator[tuple[Stream, Any]]:
        """Make one shared pass, and let those who waited for it go on."""
        kind = next(k for k in _ORDER if any(isinstance(s.waits_for, k) for s in self.live))
        company = [stream for stream in self.live if isinstance(stream.waits_for, kind)]
        started = time.perf_counter()
        answers = self._passes.together([cast(Pass, stream.waits_for) for stream in company])
        each = (time.perf_counter() - started) / len(company)
        for stream, answer in zip(company, answers, strict=True):
            stream.clock.seconds += each
            yield from self._advance(stream, answer)

    def close(self) -> None:
        """End all that still live."""
        for stream in self.live:
            stream.steps.close()
        self.live.clear()

    def _advance(self, stream: Stream, answer: object) -> Iterator[tuple[Stream, Any]]:
        """Let a stream go on until it waits for a pass again, or ends."""
        stream.waits_for = None
        try:
            while True:
                started = time.perf_counter()
                item = stream.steps.send(answer)
                stream.clock.seconds += time.perf_counter() - started
                if isinstance(item, Pass):
                    stream.waits_for = item
                    return
                answer = None
                yield stream, item
        except StopIteration as stop:
            stream.end(stop.value, None)
        except EngineError as error:
            stream.end(None, error)
        self.live.remove(stream)
