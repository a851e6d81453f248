"""How each kind of server is asked for speech, as its public documents say.

- ``studio``: this program's own server; everything, as events.
- ``vllm``: vLLM-Omni, docs "Speech API": ``ref_audio`` and ``ref_text``, ``max_new_tokens``,
  streams of raw samples or events.
- ``sglang``: SGLang-Omni, cookbook "Fish Audio S2-Pro": ``references`` of ``audio_path`` and
  ``text``, sampling options, top-k at most 30.
- ``fish``: Fish Speech's own server: ``POST /v1/tts``, JSON, or MessagePack with a recording;
  only WAV is streamed.
- ``openai``: what OpenAI documents, and nothing else.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine.errors import RequestError
from engine.remote.capabilities import OPENAI_RATE, Capabilities
from engine.remote.errors import ServerReplyError
from engine.remote.events import EventDecoder
from engine.remote.http_call import Head
from engine.remote.msgpack import pack
from engine.remote.request import Recording
from engine.remote.sound import PcmDecoder, SniffDecoder, SoundDecoder, WavDecoder
from engine.types import Sampling

SPEECH, TTS = "/v1/audio/speech", "/v1/tts"
JSON_TYPE, MSGPACK_TYPE = "application/json", "application/msgpack"
DEFAULT_VOICE, OPENAI_VOICE = "default", "alloy"
WAV_TYPES = ("audio/wav", "audio/x-wav", "audio/wave", "audio/vnd.wave")
PCM_TYPES = ("audio/pcm", "audio/l16", "audio/x-pcm")
UNKNOWN_TYPES = ("", "application/octet-stream", "binary/octet-stream")


@dataclass(frozen=True, slots=True)
class Utterance:
    """What one request to a server says.

    Attributes:
        voice: name at the server; empty for its default.
        recording: a voice to clone instead.
        sampling: with the seed of this utterance.
    """

    text: str
    voice: str
    recording: Recording | None
    sampling: Sampling


@dataclass(frozen=True, slots=True)
class Body:
    """A request, ready to be sent."""

    path: str
    content: bytes
    content_type: str


Maker = Callable[[Utterance, Capabilities], Body]


def make_body(said: Utterance, can: Capabilities) -> Body:
    """The request for ``said`` in the dialect of the server.

    Raises :class:`RequestError` for a text, transcript or name that cannot be encoded.
    """
    try:
        return _MAKERS[can.kind](said, can)
    except UnicodeEncodeError as error:
        raise RequestError(
            "the text, its voice or its transcript holds half a character (a lone surrogate)",
            "Delete it and type the character again.",
        ) from error


def _studio(said: Utterance, can: Capabilities) -> Body:
    return _json(SPEECH, {
        **_openai_fields(said, can, DEFAULT_VOICE),
        **_reference_fields(said),
        **sampling_fields(said.sampling, can),
        "stream_format": "sse",
    })  # fmt: skip


def _vllm(said: Utterance, can: Capabilities) -> Body:
    return _json(SPEECH, {
        **_openai_fields(said, can, DEFAULT_VOICE),
        **_reference_fields(said),
        **sampling_fields(said.sampling, can),
        **_stream_fields(can),
    })  # fmt: skip


def _sglang(said: Utterance, can: Capabilities) -> Body:
    fields = {
        **_openai_fields(said, can, DEFAULT_VOICE),
        **sampling_fields(said.sampling, can),
        **_stream_fields(can),
    }
    if said.recording is not None:
        clip = {"audio_path": _data_url(said.recording), "text": said.recording.transcript}
        fields["references"] = [clip]
    if fields.get("top_k") == 0:
        fields["top_k"] = -1  # its word for no limit
    return _json(SPEECH, fields)


def _fish(said: Utterance, can: Capabilities) -> Body:
    fields: dict[str, Any] = {
        "text": said.text,
        "format": "wav",
        "streaming": True,
        **sampling_fields(said.sampling, can),
    }
    if said.recording is not None:
        clip = {"audio": said.recording.wav(), "text": said.recording.transcript}
        return Body(TTS, pack({**fields, "references": [clip]}), MSGPACK_TYPE)
    if said.voice:
        fields["reference_id"] = said.voice
    return _json(TTS, fields)


def _openai(said: Utterance, can: Capabilities) -> Body:
    voice = can.voices[0] if can.voices else OPENAI_VOICE
    return _json(SPEECH, _openai_fields(said, can, voice))


_MAKERS: dict[str, Maker] = {
    "studio": _studio,
    "vllm": _vllm,
    "sglang": _sglang,
    "fish": _fish,
    "openai": _openai,
}


def sampling_fields(sampling: Sampling, can: Capabilities) -> dict[str, Any]:
    """Those sampling options that the server takes."""
    given = {name: getattr(sampling, name) for name in sorted(can.sampling)}
    return {name: value for name, value in given.items() if value is not None}


def _openai_fields(said: Utterance, can: Capabilities, voice: str) -> dict[str, Any]:
    fields = {"input": said.text, "voice": said.voice or voice, "response_format": "wav"}
    return {"model": can.model, **fields} if can.model else fields


def _reference_fields(said: Utterance) -> dict[str, Any]:
    if said.recording is None:
        return {}
    return {"ref_audio": _data_url(said.recording), "ref_text": said.recording.transcript}


def _stream_fields(can: Capabilities) -> dict[str, Any]:
    """Raw samples, which every version streams; a WAV in one piece where their rate is unknown."""
    return {"stream": True, "response_format": "pcm"} if can.streaming else {}


def _data_url(recording: Recording) -> str:
    return f"data:audio/wav;base64,{base64.b64encode(recording.wav()).decode('ascii')}"


def _json(path: str, fields: dict[str, Any]) -> Body:
    content = json.dumps(fields, ensure_ascii=False, allow_nan=False).encode("utf-8")
    return Body(path, content, JSON_TYPE)


def make_decoder(head: Head, can: Capabilities, host: str) -> SoundDecoder | None:
    """What reads the body of an answer of status 200; ``None`` when it holds no sound."""
    rate = _told_rate(head) or (OPENAI_RATE if can.kind == "openai" else can.sample_rate)
    channels = _number(head, "x-audio-channels", "x-channels") or 1

    def raw() -> SoundDecoder:
        return PcmDecoder(rate, channels)

    kind = head.media_type
    if kind == "text/event-stream":
        return EventDecoder(raw, host)
    if kind in WAV_TYPES:
        return WavDecoder()
    if kind in PCM_TYPES:
        _check_depth(head, host)
        return raw()
    return SniffDecoder(raw()) if kind in UNKNOWN_TYPES else None


def _told_rate(head: Head) -> int:
    rate = _number(head, "x-audio-sample-rate", "x-sample-rate")
    if rate:
        return rate
    for part in head.headers.get("content-type", "").split(";")[1:]:
        name, _, value = part.strip().partition("=")
        if name.lower() == "rate":
            return _whole(value.strip('"'))
    return 0


def _check_depth(head: Head, host: str) -> None:
    bits = _number(head, "x-bit-depth")
    if bits not in (0, 16):
        raise ServerReplyError(
            f"{host} sends samples of {bits} bits, which are not understood here",
            "Set the server to 16 bits.",
        )


def _number(head: Head, *names: str) -> int:
    for name in names:
        if value := _whole(head.headers.get(name, "").strip()):
            return value
    return 0


def _whole(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 8 else 0
