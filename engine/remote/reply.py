"""Reading answers that are not sound: what failed, in the words of each kind of server."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from engine.net.retry_after import seconds_of
from engine.remote.errors import (
    RemoteError,
    ServerBusyError,
    ServerFailedError,
    ServerLacksError,
    ServerRefusedError,
    ServerRejectedError,
    ServerReplyError,
)
from engine.remote.http_call import Head

SHOWN = 300
_TAGS = re.compile(r"<[^>]*>|\s+")


def read_json(head: Head, body: bytes) -> Any:
    """The body as JSON, ``None`` when it is none."""
    if head.media_type in ("text/html", "application/msgpack"):
        return None
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def error_of(head: Head, body: bytes, host: str) -> RemoteError:
    """The error for an answer with a status of 300 and above."""
    status, said = head.status, message_of(head, body)
    told = f"{host}: {said}" if said else f"{host} answered with status {status}"
    error: RemoteError
    if status in (401, 407):
        error = ServerRefusedError(told, "Give the server's API key, or correct it.")
    elif status == 403:
        error = ServerRefusedError(told, "Ask whoever runs the server to allow it.")
    elif status in (404, 405, 501):
        error = ServerLacksError(
            told, "Check the address, the kind of server and the names of model and voice."
        )
    elif status == 413:
        error = ServerRejectedError(told, "Shorten the text or the reference.")
    elif status in (400, 415, 422):
        error = ServerRejectedError(told, "Change what it names, then try again.")
    elif status in (429, 503):
        error = _busy(told, head)
    elif 300 <= status < 400:
        target = head.headers.get("location", "another address")
        error = ServerReplyError(f"{host} points to {target[:SHOWN]}", "Use that address.")
    elif status in (502, 504):
        error = ServerFailedError(told, "The machine behind it does not answer. Try again later.")
    else:
        error = ServerFailedError(told, "Look at the server's log, then try again.")
    error.status = status
    return error


def _busy(told: str, head: Head) -> ServerBusyError:
    wait = retry_after(head.headers)
    advice = "Try again later." if wait is None else f"Try again in {max(1, round(wait))} s."
    error = ServerBusyError(told, advice)
    error.retry_after = wait
    return error


def retry_after(headers: Mapping[str, str], now: float | None = None) -> float | None:
    """Seconds of a ``Retry-After`` header, which holds a number or a date."""
    at = None if now is None else datetime.fromtimestamp(now, UTC)
    return seconds_of(headers.get("retry-after", ""), at)


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
        return ServerReplyError(
            f"{host} answered with a web page",
            "This is the address of a website or a proxy; use that of the speech API.",
        )
    said = message_of(head, body)
    kind = head.media_type or "nothing that says what it is"
    words = f": {said}" if said and head.media_type != "application/octet-stream" else ""
    return ServerReplyError(
        f"{host} sent {kind} instead of sound{words}",
        "Choose the kind of server by hand, or another address.",
    )
