"""Streams that stop at each pass of the model, and the passes that they take together."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, cast

from engine.errors import EngineError
from engine.lm.cache import position_bytes
from engine.lm.passes import MOST_STREAMS, BeginFrame, NextCode, NextFrame, Pass, Passes
from engine.machine.memory import available_memory
from engine.synthesis.preparing import EngineParts
from engine.types import SynthesisRequest

Steps = Generator[Any, object, Any]

_SHARE_OF_MEMORY = 0.5
"""Of what is free: the rest is for the codec's states, finished takes and other programs."""
_FRAMING = 256
"""Tokens of a prompt around its texts, at most."""
_ORDER = (BeginFrame, NextCode, NextFrame)
"""Frames that were begun are finished first: then all streams are between two frames again."""


@dataclass(slots=True)
class Clock:
    """Seconds that were given to one stream: its own work, and its part of what is shared."""

    _seconds: float = 0.0
    _began: float | None = None

    def __call__(self) -> float:
        running = 0.0 if self._began is None else time.perf_counter() - self._began
        return self._seconds + running

    def add(self, seconds: float) -> None:
        """Count a part of a shared pass."""
        self._seconds += seconds

    @contextmanager
    def runs(self) -> Iterator[None]:
        """Count what is done inside; asked meanwhile, the clock tells the time so far."""
        self._began = time.perf_counter()
        try:
            yield
        finally:
            self._seconds, self._began = self(), None


def company_room() -> int:
    """Bytes of keys and values that all streams together may write."""
    return int(_SHARE_OF_MEMORY * available_memory()[0])


def most_bytes(parts: EngineParts, request: SynthesisRequest, texts: Sequence[str]) -> int:
    """Most bytes of keys and values that a stream writes that speaks ``texts`` one by one."""
    config = parts.model.config
    longest = max((len(text.encode()) for text in texts), default=0)
    voices = sum(p.frames + len(p.transcript.encode()) for p in request.references)
    turn = request.sampling.max_new_tokens * (2 if request.segmentation.history else 1)
    positions = voices + longest + turn + _FRAMING
    return min(positions, config.context_length) * position_bytes(config)


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
    steps: Steps = field(init=False)
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

    def __init__(self, passes: Passes, most: int = MOST_STREAMS) -> None:
        """At most ``most`` streams live at once, fewer where memory is small."""
        self._passes, self._most = passes, min(most, MOST_STREAMS)
        self._room = company_room()
        self.live: list[Stream] = []

    def has_room(self, needed: int) -> bool:
        """Whether a stream that needs so many bytes may join; the first one always may."""
        if not self.live:
            return True
        if not self._passes.can_share or len(self.live) >= self._most:
            return False
        return sum(stream.needed for stream in self.live) + needed <= self._room

    def join(
        self, stream: Stream, begin: Callable[[Clock | None], Steps]
    ) -> Iterator[tuple[Stream, Any]]:
        """Start a stream, which reads its whole prompt; yields what it says meanwhile.

        ``begin`` gets no clock where passes are not shared: then it makes them by itself.
        """
        try:
            stream.steps = begin(stream.clock if self._passes.can_share else None)
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
            stream.clock.add(each)
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
                with stream.clock.runs():
                    item = stream.steps.send(answer)
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
