"""One call to a server on the calling thread, which a cancel ends at once.

A blocking client could not be stopped while it connects or waits for the first byte.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from typing import TypeVar

import httpx

from engine.cancel import CancelToken
from engine.errors import EngineError
from engine.net.cancellable import CancellableLoop, Work
from engine.remote.errors import RemoteError, ServerDownError, StreamCutError
from engine.remote.options import RemoteOptions

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Call:
    """What is asked of the server.

    Attributes:
        path: below the base address, beginning with a slash.
        content, content_type: the body; empty for none.
        first_s: seconds to wait for the head of the answer and for its first bytes.
    """

    method: str
    path: str
    first_s: float
    content: bytes = b""
    content_type: str = ""
    accept: str = "*/*"


@dataclass(frozen=True, slots=True)
class Head:
    """Status and headers of an answer; names of headers in small letters."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def media_type(self) -> str:
        """The content type without its parameters, in small letters."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()


class HttpCall:
    """A call: :meth:`head`, then iterate :meth:`body`; always :meth:`close` it."""

    def __init__(self, options: RemoteOptions, call: Call) -> None:
        self._options, self._call = options, call
        self._begun = False
        self._client: httpx.AsyncClient | None = None
        self._response: httpx.Response | None = None
        try:
            self._loop = CancellableLoop()
        except OSError as error:
            raise self._failure(error) from error

    def head(self, cancel: CancelToken) -> Head:
        """Send, and wait for status and headers.

        Raises:
            RemoteError: nobody answers.
            CancelledError: ``cancel`` was set.
        """
        response = self._response = self._run(self._send, cancel)
        headers = {name.lower(): value for name, value in response.headers.items()}
        return Head(response.status_code, headers)

    def body(self, cancel: CancelToken) -> Iterator[bytes]:
        """The bytes of the answer as they come.

        Raises:
            StreamCutError: the connection ended, or fell silent, before the answer did.
            CancelledError: ``cancel`` was set.
        """
        assert self._response is not None
        pieces = self._response.aiter_bytes()

        async def following() -> bytes | None:
            wait = self._options.timeouts.stall if self._begun else self._call.first_s
            async with asyncio.timeout(wait):
                return await anext(pieces, None)

        while (piece := self._run(following, cancel)) is not None:
            self._begun = True
            if piece:
                yield piece

    def read(self, cancel: CancelToken, limit: int) -> bytes:
        """The rest of the body, at most ``limit`` bytes of it; raises as :meth:`body`."""
        data = bytearray()
        for piece in self.body(cancel):
            data += piece
            if len(data) >= limit:
                break
        return bytes(data[:limit])

    def close(self) -> None:
        """Break the connection off, if it is still there; harmless when repeated."""
        self._loop.close(self._hang_up)

    async def _hang_up(self) -> None:
        for each in (self._response, self._client):
            if each is not None:
                await each.aclose()

    def _run(self, work: Work[T], cancel: CancelToken) -> T:
        try:
            return self._loop.run(work, cancel)
        except EngineError:
            self.close()
            raise
        except Exception as error:
            raise self._failure(error) from error

    async def _send(self) -> httpx.Response:
        options, call = self._options, self._call
        limits = httpx.Timeout(None, connect=options.timeouts.connect)
        client = self._client = httpx.AsyncClient(
            base_url=options.url, timeout=limits, trust_env=not options.local
        )
        headers = {
            "accept": call.accept,
            "accept-encoding": "identity",  # a compressor in between would hold sound back
            "user-agent": "s2-voice-studio",
        }
        if call.content_type:
            headers["content-type"] = call.content_type
        if options.api_key:
            headers["authorization"] = f"Bearer {options.api_key}"
        request = client.build_request(
            call.method, call.path, content=call.content or None, headers=headers
        )
        async with asyncio.timeout(call.first_s):
            return await client.send(request, stream=True)

    def _failure(self, error: Exception) -> RemoteError:
        host, limits = self._options.host, self._options.timeouts
        if isinstance(error, (httpx.ConnectTimeout, httpx.PoolTimeout)):
            return ServerDownError("remote.no_answer", host=host, seconds=limits.connect)
        if isinstance(error, httpx.ConnectError):
            return _no_connection(host, error)
        if isinstance(error, TimeoutError) and not self._begun:
            return ServerDownError("remote.nothing", host=host, seconds=self._call.first_s)
        if isinstance(error, TimeoutError):
            return StreamCutError("remote.stalled", host=host, seconds=limits.stall)
        if isinstance(error, httpx.DecodingError | httpx.InvalidURL):
            return RemoteError("remote.unreadable", host=host, reason=_reason(error))
        if self._begun or isinstance(error, httpx.RemoteProtocolError):
            return StreamCutError("remote.broken_off", host=host)
        return ServerDownError("remote.lost", host=host, reason=_reason(error))


def _no_connection(host: str, error: Exception) -> ServerDownError:
    reason = _reason(error)
    if "certificate" in reason.lower():
        return ServerDownError("remote.certificate", host=host, reason=reason)
    return ServerDownError("remote.nobody", host=host, reason=reason)


def _reason(error: Exception) -> str:
    return str(error).strip().rstrip(".") or type(error).__name__


def fetch(
    options: RemoteOptions, call: Call, cancel: CancelToken, limit: int
) -> tuple[Head, bytes]:
    """A whole short answer of any status.

    Raises:
        RemoteError, CancelledError
    """
    with closing(HttpCall(options, call)) as running:
        head = running.head(cancel)
        return head, running.read(cancel, limit)
