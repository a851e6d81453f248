"""What an answer holds: sound in one of its forms, or what failed in each server's words."""

from __future__ import annotations

import re
from typing import Any

from engine.errors import Message
from engine.net.rules import retry_after
from engine.remote.dialects import DIALECTS, ServerCapabilities
from engine.remote.errors import (
    RemoteError,
    ServerBusyError,
    ServerFailedError,
    ServerLacksError,
    ServerRefusedError,
    ServerRejectedError,
    ServerReplyError,
)
from engine.remote.events import EVENTS_TYPE, EventDecoder
from engine.remote.http_call import Head
from engine.remote.sound import PcmDecoder, SniffDecoder, SoundDecoder, WavDecoder
from engine.storage.strict_json import parse_json

SHOWN = 300
WAV_TYPES = ("audio/wav", "audio/x-wav", "audio/wave", "audio/vnd.wave")
PCM_TYPES = ("audio/pcm", "audio/l16", "audio/x-pcm")
UNKNOWN_TYPES = ("", "application/octet-stream", "binary/octet-stream")
Decoder = SoundDecoder | EventDecoder
_TAGS = re.compile(r"<[^>]*>|\s+")


def read_json(head: Head, body: bytes) -> Any:
    """The body as JSON, ``None`` when it is none."""
    if head.media_type in ("text/html", "application/msgpack"):
        return None
    try:
        return parse_json(body)
    except ValueError:
        return None


def error_of(head: Head, body: bytes, host: str) -> RemoteError:
    """The error for an answer with a status of 300 and above."""
    status, said = head.status, message_of(head, body)
    told = (
        Message("remote.said", host=host, said=said)
        if said
        else Message("remote.status", host=host, status=status)
    )
    error: RemoteError
    if status in (401, 407):
        error = ServerRefusedError(told, "advice.api_key")
    elif status == 403:
        error = ServerRefusedError(told, "advice.ask_owner")
    elif status in (404, 405, 501):
        error = ServerLacksError(told, "advice.check_names")
    elif status == 413:
        error = ServerRejectedError(told, "advice.shorten")
    elif status in (400, 415, 422):
        error = ServerRejectedError(told, "advice.change")
    elif status in (429, 503):
        error = _busy(told, head)
    elif 300 <= status < 400:
        target = head.headers.get("location", "another address")
        error = ServerReplyError("remote.points_to", host=host, target=target[:SHOWN])
    elif status in (502, 504):
        error = ServerFailedError(told, "advice.machine_behind")
    else:
        error = ServerFailedError(told, "advice.server_log")
    error.status = status
    return error


def _busy(told: Message, head: Head) -> ServerBusyError:
    wait = retry_after(head.headers.get("retry-after", ""))
    advice = Message("advice.later")
    if wait is not None:
        advice = Message("advice.again_in", seconds=max(1, round(wait)))
    error = ServerBusyError(told, advice)
    error.retry_after = wait
    return error


def message_of(head: Head, body: bytes) -> str:
    """What an answer says went wrong, one line; empty when it says nothing."""
    plain = read_json(head, body)
    if plain is None:
        if head.media_type in ("application/msgpack", "application/octet-stream"):
            return ""
        text = body.decode("utf-8", "replace")
        if head.media_type == "text/html" or text.lstrip()[:1] == "<":
            return ""  # a page of a proxy, written for a browser
        return _line(text)
    return _line(_find_message(plain))


def _find_message(plain: Any, depth: int = 0) -> str:
    """OpenAI's ``error.message``, FastAPI's ``detail``, ``message`` or ``error`` of others."""
    if isinstance(plain, str):
        return plain
    if depth > 3:
        return ""
    if isinstance(plain, list):
        return "; ".join(filter(None, (_find_message(each, depth + 1) for each in plain[:4])))
    if not isinstance(plain, dict):
        return ""
    where = plain.get("loc")
    for key in ("error", "message", "detail", "msg"):
        if key in plain and (found := _find_message(plain[key], depth + 1)):
            if key == "msg" and isinstance(where, list | tuple) and where:
                return f"{'.'.join(str(part) for part in where)}: {found}"
            return found
    return ""


def _line(text: str) -> str:
    return _TAGS.sub(" ", text).strip()[:SHOWN]


def not_sound(head: Head, body: bytes, host: str) -> RemoteError:
    """The error for an answer of status 200 that holds no sound."""
    if head.media_type == "text/html":
        return ServerReplyError("remote.web_page", host=host)
    said = message_of(head, body)
    kind = head.media_type or "nothing that says what it is"
    words = f": {said}" if said and head.media_type != "application/octet-stream" else ""
    return ServerReplyError("remote.no_sound", host=host, kind=kind, words=words)


def make_decoder(head: Head, can: ServerCapabilities, host: str) -> Decoder | None:
    """What reads the body of an answer of status 200; ``None`` when it holds no sound."""
    rate = _told_rate(head) or DIALECTS[can.kind].raw_rate or can.sample_rate
    channels = _number(head, "x-audio-channels", "x-channels") or 1

    def raw() -> SoundDecoder:
        return PcmDecoder(rate, channels)

    kind = head.media_type
    if kind == EVENTS_TYPE:
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
        raise ServerReplyError("remote.bits", host=host, bits=bits)


def _number(head: Head, *names: str) -> int:
    for name in names:
        if value := _whole(head.headers.get(name, "").strip()):
            return value
    return 0


def _whole(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 8 else 0
