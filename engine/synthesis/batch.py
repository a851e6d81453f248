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
from functools import partial

from engine.cancel import CancelToken
from engine.errors import EngineError
from engine.lm.cache import PromptShare, position_bytes
from engine.lm.passes import MOST_STREAMS, Passes
from engine.machine.memory import available_memory
from engine.synthesis.company import Company, Stream
from engine.synthesis.preparing import EngineParts, split_text
from engine.synthesis.synthesis import Synthesis
from engine.types import Event, SynthesisRequest

Part = tuple[int, Event | EngineError]

_SHARE_OF_MEMORY = 0.5
"""Of what is free: the rest is for the codec's states, finished takes and other programs."""
_FRAMING = 256
"""Tokens of a prompt around its texts, at most."""


class Batch:
    """Speaks requests together; iterate :meth:`run` once."""

    def __init__(
        self,
        parts: EngineParts,
        requests: Sequence[SynthesisRequest],
        cancels: Sequence[CancelToken],
    ) -> None:
        self._parts = parts
        self._passes = Passes(parts.model)
        self._prompts = PromptShare() if len(requests) > 1 else None
        self._waiting = deque(zip(range(len(requests)), requests, cancels, strict=True))
        self._company = Company(self._passes)
        self._room = int(_SHARE_OF_MEMORY * available_memory()[0])

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
        while self._waiting and (not self._company.live or self._has_room()):
            index, request, cancel = self._waiting.popleft()
            shared = self._passes.can_share
            synthesis = Synthesis(self._parts, request, cancel, self._prompts if shared else None)
            stream = Stream(index, self._needed(request))
            joining = self._company.join(stream, partial(synthesis.steps, shared))
            yield from self._parts_of(joining, [stream])

    def _parts_of(
        self, said: Iterator[tuple[Stream, Event]], who: Sequence[Stream]
    ) -> Iterator[Part]:
        """What streams say, and the errors of those that end with one."""
        for stream, item in said:
            yield stream.index, item
        for stream in who:
            if stream.error is not None:
                yield stream.index, stream.error

    def _has_room(self) -> bool:
        if not self._passes.can_share or len(self._company.live) >= MOST_STREAMS:
            return False
        promised = sum(stream.needed for stream in self._company.live)
        return promised + self._needed(self._waiting[0][1]) <= self._room

    def _needed(self, request: SynthesisRequest) -> int:
        """Most bytes of keys and values that a request will write; one at least as much as a
        frame, though its text may turn out to be wrong."""
        config = self._parts.model.config
        try:
            longest = max(len(t.encode()) for t in split_text(request, config.text_limit).texts)
        except EngineError:
            longest = 0
        voices = sum(p.frames + len(p.transcript.encode()) for p in request.references)
        turn = request.sampling.max_new_tokens * (2 if request.segmentation.history else 1)
        positions = voices + longest + turn + _FRAMING
        return min(positions, config.context_length) * position_bytes(config)
