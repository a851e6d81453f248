"""What parts of the program need of an engine; :class:`engine.engine.Engine` has all of it.

A client may be handed an object of its own that passes the calls on, for example to refuse them
with an :class:`~engine.errors.EngineError` while no model is loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Protocol

import numpy as np

from engine.audio.clip import AudioClip
from engine.cancel import CancelToken
from engine.errors import EngineError
from engine.types import Event, ModelInfo, Progress, SynthesisRequest
from engine.voices import VoiceProfile


class ReferenceEncoder(Protocol):
    """Makes voices of recordings."""

    @property
    def info(self) -> ModelInfo: ...

    def encode_reference(
        self,
        audio: str | Path | AudioClip,
        transcript: str,
        *,
        cancel: CancelToken | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> VoiceProfile: ...


class SpeechEngine(ReferenceEncoder, Protocol):
    """Speaks, and makes voices of recordings."""

    def synthesize(
        self, request: SynthesisRequest, cancel: CancelToken | None = None
    ) -> Iterator[Event]: ...


class VoiceCodec(ReferenceEncoder, Protocol):
    """Codes of recordings, and sound float32 ``(n,)`` of codes int32 ``(codebooks, frames)``."""

    def decode(
        self,
        codes: np.ndarray,
        *,
        cancel: CancelToken | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> np.ndarray: ...


class EngineLike(SpeechEngine, VoiceCodec, Protocol):
    """All that the window needs; it closes what it loaded."""

    def synthesize_many(
        self,
        requests: Sequence[SynthesisRequest],
        cancels: Sequence[CancelToken] | None = None,
    ) -> Iterator[tuple[int, Event | EngineError]]: ...

    def warm_up(
        self, voices: tuple[VoiceProfile, ...] = (), cancel: CancelToken | None = None
    ) -> Iterator[Event]: ...

    def close(self) -> None: ...
