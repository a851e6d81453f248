"""Reading a request's body without trusting its length, its speed or its end."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

from starlette.requests import Request

from engine.server.options import MIB
from engine.server.replies import ApiError, ClientGoneError, bad_request
from engine.storage.strict_json import parse_json

DRAIN_BYTES, DRAIN_S = 64 * MIB, 5.0
LARGE_JSON = 4 * MIB


class TooLargeError(ApiError):
    """A part of the body, or all of it, is over its limit."""

    def __init__(self, what: str, limit: str) -> None:
        super().__init__(
            413, f"{what} is larger than {limit}", code="too_large",
            headers={"connection": "close"},
        )  # fmt: skip


def size_text(count: int) -> str:
    """A limit in bytes, for a message."""
    return f"{count // MIB} MiB" if count >= MIB else f"{max(1, count // 1024)} KiB"


async def read_chunks(request: Request, limit: int, timeout: float) -> AsyncIterator[bytes]:
    """Yield the body piece by piece.

    Raises:
        TooLargeError: more than ``limit`` bytes are announced or come.
        ApiError: 408 when nothing comes for ``timeout`` seconds.
        ClientGoneError: the connection closed before the end.
    """
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared) > limit:
        raise TooLargeError("The request", size_text(limit))
    total, more = 0, True
    while more:
        chunk, more = await _next(request, timeout)
        total += len(chunk)
        if total > limit:
            raise TooLargeError("The request", size_text(limit))
        request.state.all_received = not more
        yield chunk


async def _next(request: Request, timeout: float) -> tuple[bytes, bool]:
    try:
        message = await asyncio.wait_for(request.receive(), timeout)
    except TimeoutError:
        raise ApiError(
            408, "The request did not arrive in time", headers={"connection": "close"}
        ) from None
    if message["type"] == "http.disconnect":
        raise ClientGoneError
    return message.get("body", b""), message.get("more_body", False)


async def drain(request: Request) -> None:
    """Swallow the rest of a refused body, within bounds.

    Many clients read the answer only after they have sent everything; one that meets a closed
    connection before would report that instead of the reason.
    """
    # One that sent "Expect" waits for our word before it sends.
    if "expect" in request.headers or getattr(request.state, "all_received", False):
        return
    with contextlib.suppress(ClientGoneError, ApiError, TimeoutError):
        async with asyncio.timeout(DRAIN_S):
            left, more = DRAIN_BYTES, True
            while more and left > 0:
                chunk, more = await _next(request, DRAIN_S)
                left -= len(chunk)


async def read_json(request: Request, limit: int, timeout: float) -> dict[str, Any]:
    """The body as a JSON object.

    Raises:
        ApiError: 400 for anything else; and as :func:`read_chunks`.
    """
    data = bytearray()
    async for chunk in read_chunks(request, limit, timeout):
        data += chunk
    try:
        if len(data) > LARGE_JSON:  # long enough to hold up other connections
            value = await asyncio.to_thread(parse_json, data, finite=False)
        else:
            value = parse_json(data, finite=False)
    except ValueError:
        raise bad_request(json_fault(data, "The body"), code="invalid_json") from None
    if not isinstance(value, dict):
        raise bad_request("The body must be a JSON object", code="invalid_json")
    return value


def json_fault(data: bytes | bytearray, what: str) -> str:
    """Why ``data`` is no JSON: most often another encoding, which its first bytes show."""
    start = bytes(data[:4])
    if start[:2] == b"\x1f\x8b":
        return f"{what} is compressed with gzip; send it as it is"
    if start[:2] in (b"\xff\xfe", b"\xfe\xff") or (len(start) == 4 and start[1::2] == b"\0\0"):
        return f"{what} is UTF-16 text; send it as UTF-8"
    if start[::2] == b"\0\0":
        return f"{what} is UTF-16 text; send it as UTF-8"
    try:
        data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return f"{what} is not UTF-8 text (byte {error.start}), perhaps Latin-1; send it as UTF-8"
    return f"{what} is not valid JSON"
