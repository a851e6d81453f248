"""Server-sent events that carry sound, in the two forms that speech servers use.

OpenAI's: ``speech.audio.delta`` with base64 in ``audio``, then ``speech.audio.done``.
SGLang-Omni's older one: objects ``audio.speech.chunk`` with ``audio.data``, then ``[DONE]``;
there each piece may be a whole WAV of its own.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

import httpx
import numpy as np
from httpx_sse import EventSource

from engine.remote.errors import RemoteError, ServerFailedError, ServerReplyError, StreamCutError
from engine.remote.sound import SniffDecoder, SoundDecoder, WavDecoder, check_playable
from engine.storage.strict_json import parse_object

MAX_EVENT = 64 << 20
EVENTS_TYPE = "text/event-stream"
LAST = "[DONE]"


def event_texts(pieces: Iterable[bytes]) -> Iterator[str]:
    """The data of each event; the last one may lack the empty line behind it.

    Raises :class:`ServerReplyError` for an event of more than :data:`MAX_EVENT` bytes.
    """
    size = 0

    def counted() -> Iterator[bytes]:
        nonlocal size
        for piece in chain(pieces, (b"\n\n",)):
            size += len(piece)
            if size > MAX_EVENT:
                raise ServerReplyError("remote.endless_event")
            yield piece

    answer = httpx.Response(200, headers={"content-type": EVENTS_TYPE}, content=counted())
    for event in EventSource(answer).iter_sse():
        size = 0
        if event.data:
            yield event.data


@dataclass(slots=True)
class Usage:
    """What a server counted; 0 where it did not.

    Attributes:
        frames: made.
        prompt: read.
        cut: it says that the limit of frames ended the speech.
    """

    frames: int = 0
    prompt: int = 0
    cut: bool = False


class EventDecoder:
    """Samples of the sound in events, in the manner of :class:`~engine.remote.sound.SoundDecoder`.

    Attributes:
        rate: in Hz; 0 until it is known.
        usage: of the last event.
    """

    def __init__(self, inner: Callable[[], SoundDecoder], host: str) -> None:
        self.rate = 0
        self.usage = Usage()
        self._make, self._host = inner, host
        self._sound: SoundDecoder | None = None
        self._ended = False

    def decode(self, pieces: Iterable[bytes]) -> Iterator[np.ndarray]:
        """Float32 samples ``(n,)`` of each event.

        Raises:
            ServerFailedError: an event says that the server failed.
            ServerReplyError: an event makes no sense.
        """
        for text in event_texts(pieces):
            if not self._ended:
                yield self._take(text)

    def finish(self) -> None:
        """Raises :class:`StreamCutError` when no event said that it is the last."""
        if not self._ended:
            raise StreamCutError("remote.incomplete", host=self._host)

    def _take(self, data: str) -> np.ndarray:
        nothing = np.empty(0, np.float32)
        if data.strip() == LAST:
            self._ended = True
            return nothing
        event = self._parse(data)
        kind = str(event.get("type") or event.get("object") or "")
        if event.get("error") or kind.endswith("error"):
            raise self._failed(event)
        audio = event.get("audio")
        if isinstance(audio, dict):
            samples = self._sound_of(audio.get("data"), _rate(audio), own_file=True)
        else:
            samples = self._sound_of(audio)
        if kind == "speech.audio.done":
            usage = event.get("usage")
            counted = usage if isinstance(usage, dict) else {}
            self.usage = Usage(
                _count(counted, "output_tokens"),
                _count(counted, "input_tokens"),
                event.get("finish_reason") == "length",
            )
            self._ended = True
        return samples

    def _parse(self, data: str) -> dict[str, Any]:
        try:
            return parse_object(data)
        except ValueError as error:
            raise ServerReplyError("remote.bad_event", host=self._host) from error

    def _sound_of(self, text: object, told: int = 0, own_file: bool = False) -> np.ndarray:
        """Samples of one event; ``told`` is the rate that it names, 0 for none."""
        if not text:
            return np.empty(0, np.float32)
        try:
            data = base64.b64decode(str(text), validate=True)
        except (binascii.Error, ValueError):
            raise ServerReplyError("remote.bad_base64", host=self._host) from None
        is_file = data[:4] == b"RIFF"
        if told:
            check_playable(told)
        if own_file and is_file:
            self._sound = WavDecoder()
        if self._sound is None:
            self._sound = SniffDecoder(self._make())
        samples = self._sound.feed(data)
        self.rate = self._sound.rate if is_file or not told else told
        return samples

    def _failed(self, event: dict[str, Any]) -> RemoteError:
        error = event.get("error")
        message = error.get("message") if isinstance(error, dict) else error
        words = " ".join(str(message or event.get("message") or "").split())[:300]
        return ServerFailedError(
            "remote.synthesis", host=self._host, reason=words or "the synthesis failed"
        )


def _rate(audio: dict[str, Any]) -> int:
    value = audio.get("sample_rate")
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def _count(usage: dict[str, Any], key: str) -> int:
    value = usage.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
