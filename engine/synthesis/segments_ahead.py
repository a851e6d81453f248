"""The pieces of a long text spoken together, and handed out one after the other."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Mapping
from typing import Any

from engine.lm.generate import GenerationStats, Steps
from engine.lm.passes import Passes
from engine.synthesis.company import Clock, Company, Stream


class SegmentsAhead:
    """Makes frames of the pieces behind the one that is asked for, in the same passes.

    What is made before its turn waits here. Pieces join one by one, in their order.
    """

    def __init__(
        self,
        passes: Passes,
        begin: Callable[[int, Clock | None], Steps],
        needed: Mapping[int, int],
        most: int,
    ) -> None:
        """``begin`` starts the frames of a piece; ``most`` are made at once.

        Args:
            needed: bytes of memory that each piece needs, in the order of the pieces.
        """
        self._company, self._begin = Company(passes, most), begin
        self._streams = {index: Stream(index, size) for index, size in needed.items()}
        self._waiting = deque(needed)
        self._made: dict[int, deque[Any]] = {index: deque() for index in needed}

    def frames(self, index: int) -> Generator[Any, object, GenerationStats]:
        """What ``generate`` yields and returns for one piece.

        Raises:
            EngineError: the piece failed.
        """
        stream, made = self._streams[index], self._made[index]
        while True:
            while made:
                yield made.popleft()
            if stream.error is not None:
                raise stream.error
            if stream.result is not None:
                result: GenerationStats = stream.result
                return result
            self._go_on()

    def close(self) -> None:
        """Drop what was made and not asked for."""
        self._company.close()

    def _go_on(self) -> None:
        """Let one more piece in, and make a shared pass."""
        if self._waiting and self._company.has_room(self._streams[self._waiting[0]].needed):
            index = self._waiting.popleft()
            joining = self._company.join(
                self._streams[index], lambda clock: self._begin(index, clock)
            )
            for stream, item in joining:
                self._made[stream.index].append(item)
        if self._company.live:
            for stream, item in self._company.turn():
                self._made[stream.index].append(item)
