"""Many syntheses at once: streams that wait for the same pass of the model share it.

A stream is a synthesis that stops at each pass (:meth:`Synthesis.steps`). Prompts are read one
after the other, so that takes of one line find the voice, and the line, read already. Then all
streams that are between two frames take the slow model's pass together, and all that are inside
of a frame those of the fast one. Streams join when there is room and leave when they end; what a
stream makes does not depend on the others, to the last bit.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

from engine.cancel import CancelToken
from engine.errors import EngineError
from engine.lm.cache import PromptShare
from engine.lm.passes import Passes
from engine.synthesis.company import Company, Stream, most_bytes
from engine.synthesis.preparing import EngineParts, split_text
from engine.synthesis.synthesis import Synthesis
from engine.types import Event, SynthesisRequest

Part = tuple[int, Event | EngineError]


class Batch:
    """Speaks requests together; iterate :meth:`run` once."""

    def __init__(
        self,
        parts: EngineParts,
        requests: Sequence[SynthesisRequest],
        cancels: Sequence[CancelToken],
    ) -> None:
        self._parts = parts
        self._prompts = PromptShare() if len(requests) > 1 else None
        self._waiting = deque(
            (Stream(index, most_bytes(parts, request, self._texts(request))), request, cancel)
            for index, (request, cancel) in enumerate(zip(requests, cancels, strict=True))
        )
        self._company = Company(Passes(parts.model))

    def run(self) -> Iterator[Part]:
        """Yield the events of all, each with the place of its request.

        Those of one request come as :meth:`Synthesis.run` yields them; an error in their place
        ends that request only.
        """
        try:
            while self._waiting or self._company.live:
                yield from self._join()
                if self._company.live:
                    yield from self._parts_of(self._company.turn(), list(self._company.live))
        finally:
            self._company.close()

    def _join(self) -> Iterator[Part]:
        """Start what there is room for; each reads its whole prompt before the next one."""
        while self._waiting and self._company.has_room(self._waiting[0][0].needed):
            stream, request, cancel = self._waiting.popleft()
            synthesis = Synthesis(self._parts, request, cancel, self._prompts)
            yield from self._parts_of(self._company.join(stream, synthesis.steps), [stream])

    def _texts(self, request: SynthesisRequest) -> list[str]:
        """What it speaks; nothing of a text that will turn out to be wrong."""
        try:
            return split_text(request, self._parts.model.config.text_limit).texts
        except EngineError:
            return []

    def _parts_of(
        self, said: Iterator[tuple[Stream, Event]], who: Sequence[Stream]
    ) -> Iterator[Part]:
        """What streams say, and the errors of those that end with one."""
        for stream, item in said:
            yield stream.index, item
        for stream in who:
            if stream.error is not None:
                yield stream.index, stream.error
