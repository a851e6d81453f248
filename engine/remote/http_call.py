"""One HTTP exchange on a thread of its own, so that a cancel waits for nothing.

The consumer polls a queue and sees its cancel flag at once; the thread runs an event loop in
which connecting, a silent server and a slow one can all be abandoned, and the connection with
them. A blocking client could not be stopped while it waits for the first byte.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

import httpx

from engine.cancel import CancelToken
from engine.errors import CancelledError
from engine.remote.errors import RemoteError, ServerDownError, StreamCutError
from engine.remote.options import RemoteOptions

POLL_S = 0.03
JOIN_S = 2.0
FULL, FULL_WAIT_S = 256, 0.02


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


class _End:
    """The answer is complete."""


_Item = Head | bytes | _End | RemoteError


class HttpCall:
    """A running call. Iterate :meth:`body` after :meth:`head`; always :meth:`close` it."""

    def __init__(self, options: RemoteOptions, call: Call) -> None:
        self._options, self._call = options, call
        self._items: queue.SimpleQueue[_Item] = queue.SimpleQueue()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[None] | None = None
        self._stopped = threading.Event()
        self._begun = False
        self._thread = threading.Thread(target=self._run, name="s2-remote", daemon=True)
        self._thread.start()

    def head(self, cancel: CancelToken) -> Head:
        """Wait for status and headers.

        Raises:
            RemoteError: nobody answers.
            CancelledError: ``cancel`` was set; the connection is closed.
        """
        item = self._next(cancel)
        if isinstance(item, RemoteError):
            raise item
        assert isinstance(item, Head)
        return item

    def body(self, cancel: CancelToken) -> Iterator[bytes]:
        """The bytes of the answer as they come.

        Raises:
            StreamCutError: the connection ended, or fell silent, before the answer did.
            CancelledError: ``cancel`` was set; the connection is closed.
        """
        while not isinstance(item := self._next(cancel), _End):
            if isinstance(item, RemoteError):
                raise item
            assert isinstance(item, bytes)
            yield item

    def close(self) -> None:
        """Break the connection off, if it is still there; harmless when repeated."""
        self._stopped.set()
        loop, task = self._loop, self._task
        if loop is not None and task is not None:
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(task.cancel)
        self._thread.join(JOIN_S)

    def _next(self, cancel: CancelToken) -> _Item:
        while True:
            if cancel.cancelled:
                self.close()
                raise CancelledError()
            try:
                return self._items.get(timeout=POLL_S)
            except queue.Empty:
                continue

    def _run(self) -> None:
        try:
            asyncio.run(self._main())
        except Exception as error:  # a fault here must not leave the consumer waiting
            self._items.put(self._failure(error))

    async def _main(self) -> None:
        self._loop, self._task = asyncio.get_running_loop(), asyncio.current_task()
        if self._stopped.is_set():
            return
        with suppress(asyncio.CancelledError):
            try:
                await self._talk()
                self._items.put(_End())
            except (httpx.HTTPError, httpx.InvalidURL, TimeoutError, OSError) as error:
                self._items.put(self._failure(error))

    async def _talk(self) -> None:
        options, call = self._options, self._call
        limits = httpx.Timeout(None, connect=options.timeouts.connect)
        async with httpx.AsyncClient(
            base_url=options.url, timeout=limits, trust_env=not options.local
        ) as client:
            request = client.build_request(
                call.method, call.path, content=call.content or None, headers=self._headers()
            )
            async with asyncio.timeout(call.first_s):
                response = await client.send(request, stream=True)
            try:
                self._items.put(Head(response.status_code, _plain(response.headers)))
                await self._read(response)
            finally:
                await response.aclose()

    async def _read(self, response: httpx.Response) -> None:
        pieces = response.aiter_bytes()
        wait = self._call.first_s
        while True:
            try:
                async with asyncio.timeout(wait):
                    piece = await anext(pieces)
            except StopAsyncIteration:
                return
            self._begun = True
            wait = self._options.timeouts.stall
            if piece:
                self._items.put(piece)
            while self._items.qsize() > FULL:  # the consumer plays: the server shall wait
                await asyncio.sleep(FULL_WAIT_S)

    def _headers(self) -> dict[str, str]:
        headers = {
            "accept": self._call.accept,
            "accept-encoding": "identity",  # a compressor in between would hold sound back
            "user-agent": "s2-voice-studio",
        }
        if self._call.content_type:
            headers["content-type"] = self._call.content_type
        if self._options.api_key:
            headers["authorization"] = f"Bearer {self._options.api_key}"
        return headers

    def _failure(self, error: Exception) -> RemoteError:
        host, limits = self._options.host, self._options.timeouts
        if isinstance(error, (httpx.ConnectTimeout, httpx.PoolTimeout)):
            return ServerDownError(
                f"{host} did not answer within {limits.connect:.0f} s",
                "Check the address, and that the server runs and can be reached from here.",
            )
        if isinstance(error, httpx.ConnectError):
            return _no_connection(host, error)
        if isinstance(error, TimeoutError) and not self._begun:
            return ServerDownError(
                f"{host} sent nothing within {self._call.first_s:.0f} s",
                "It may be loading its model or be overloaded. Try again later.",
            )
        if isinstance(error, TimeoutError):
            return StreamCutError(
                f"{host} sent nothing more for {limits.stall:.0f} s",
                "What came until then is kept. Look at the server, then try again.",
            )
        if isinstance(error, httpx.DecodingError | httpx.InvalidURL):
            return RemoteError(f"the answer of {host} cannot be read: {_reason(error)}")
        if self._begun or isinstance(error, httpx.RemoteProtocolError):
            return StreamCutError(
                f"{host} broke the connection off before the answer was complete",
                "What came until then is kept. Look at the server's log, then try again.",
            )
        return ServerDownError(f"the connection to {host} was lost: {_reason(error)}", "Try again.")


def _no_connection(host: str, error: Exception) -> ServerDownError:
    reason = _reason(error)
    if "certificate" in reason.lower():
        return ServerDownError(
            f"the certificate of {host} cannot be trusted: {reason}",
            "Use an address that its certificate is made for.",
        )
    return ServerDownError(
        f"nobody answers at {host}: {reason}",
        "Start the server there, or correct the address.",
    )


def _reason(error: Exception) -> str:
    return str(error).strip().rstrip(".") or type(error).__name__


def _plain(headers: httpx.Headers) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


def read_all(exchange: HttpCall, cancel: CancelToken, limit: int) -> bytes:
    """The rest of a body, at most ``limit`` bytes of it."""
    data = bytearray()
    for piece in exchange.body(cancel):
        data += piece
        if len(data) >= limit:
            break
    return bytes(data[:limit])


def fetch(
    options: RemoteOptions, call: Call, cancel: CancelToken, limit: int
) -> tuple[Head, bytes]:
    """A whole short answer of any status.

    Raises:
        RemoteError, CancelledError
    """
    exchange = HttpCall(options, call)
    try:
        head = exchange.head(cancel)
        return head, read_all(exchange, cancel, limit)
    finally:
        exchange.close()


__all__: list[str] = ["Call", "Head", "HttpCall", "fetch", "read_all"]
