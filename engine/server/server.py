"""A server on a thread of its own: started and stopped from a program or the command line."""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
from collections.abc import Callable
from typing import Any

from engine.errors import EngineError
from engine.server.options import ServerOptions
from engine.synthesis.protocols import SpeechEngine

BACKLOG = 64
MAX_PORT = 65_535
GRACE_S = 3
START_S, STOP_S = 30.0, 15.0
BROKEN_OFF = "ASGI callable returned without completing response."


class ServerError(EngineError):
    """The server cannot listen or cannot be loaded."""


class LocalServer:
    """Serves one engine over HTTP until it is stopped.

    The engine stays the caller's, who closes it after :meth:`stop`. While it works for the
    caller, requests get the same 503 as beside another request.

    Args:
        engine: an :class:`~engine.engine.Engine`, or an object with the same calls.
        options: where and how.
        on_busy: gets true when a synthesis begins and false when it has ended; called on the
            server's threads.

    Raises:
        ServerError: the extra ``server`` is not installed.
    """

    def __init__(
        self,
        engine: SpeechEngine,
        options: ServerOptions | None = None,
        on_busy: Callable[[bool], None] | None = None,
    ) -> None:
        check_libraries()
        self._engine = engine
        self._options = options or ServerOptions()
        self._on_busy = on_busy
        self._address: tuple[str, int] | None = None
        self._thread: threading.Thread | None = None
        self._server: Any = None
        self._queue: Any = None

    @property
    def url(self) -> str:
        """Address that clients use, such as ``http://127.0.0.1:3030``; empty when stopped."""
        if self._address is None:
            return ""
        host, port = self._address
        return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"

    @property
    def running(self) -> bool:
        """Whether clients can connect."""
        return self._thread is not None and self._thread.is_alive()

    @property
    def busy(self) -> bool:
        """Whether a synthesis runs for a client."""
        queue = self._queue
        return queue is not None and bool(queue.busy)

    def start(self) -> None:
        """Listen, and return when clients can connect.

        Raises:
            ServerError: the address is taken or not of this machine, or it runs already.
        """
        if self._thread is not None:
            raise ServerError("server.runs")
        from engine.server.app import make_app
        from engine.server.queue import SynthesisQueue

        ready = threading.Event()
        self._queue = SynthesisQueue(self._engine, self._options.limits, self._on_busy)
        self._server = make_uvicorn(make_app(self._queue, self._options), ready)
        listeners = listen_all(self._options.host, self._options.port)
        self._address = listeners[0].getsockname()[:2]
        self._thread = threading.Thread(
            target=self._serve, args=(listeners, ready), name="s2-server", daemon=True
        )
        self._thread.start()
        if not ready.wait(START_S) or not self._server.started:
            self.stop()
            raise ServerError("server.not_up")

    def stop(self) -> None:
        """Cancel what runs, close all connections and wait for the end; harmless when stopped.

        A running synthesis ends within a frame; its client gets a 503, or a stream that is
        broken off.
        """
        thread, self._thread = self._thread, None
        if thread is None:
            return
        self._queue.close()
        self._server.should_exit = True
        thread.join(STOP_S)
        self._queue.join()
        self._address = None

    def __enter__(self) -> LocalServer:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _serve(self, listeners: list[socket.socket], ready: threading.Event) -> None:
        try:
            asyncio.run(self._server.serve(sockets=listeners))
        finally:
            for listener in listeners:
                listener.close()
            ready.set()


def listen_all(host: str, port: int) -> list[socket.socket]:
    """Listening sockets; more than one for ``localhost``, which is ::1 to some clients.

    Raises:
        ServerError: as :func:`listen` for the first one. A second address that this machine does
            not have is left out; one whose port is taken is an error too.
    """
    first = listen(host, port)
    if host.casefold() != "localhost":
        return [first]
    number, mine = first.getsockname()[1], first.getsockname()[0]
    other = "::1" if mine == "127.0.0.1" else "127.0.0.1"
    try:
        return [first, listen(other, number)]
    except ServerError:
        if _is_of_this_machine(other):
            first.close()
            raise
        return [first]


def _is_of_this_machine(address: str) -> bool:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_STREAM) as trial:
            trial.bind((address, 0))
    except OSError:
        return False
    return True


def listen(host: str, port: int) -> socket.socket:
    """A listening socket.

    Raises:
        ServerError: with the system's reason.
    """
    if not 0 <= port <= MAX_PORT:
        raise ServerError("server.no_port", port=port, limit=MAX_PORT)
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = found[0]
        listener = socket.socket(family, kind, protocol)
    except (OSError, UnicodeError) as error:
        raise ServerError("server.host", host=host, reason=error) from error
    try:
        if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):  # Windows: the other flag would share it
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        reason = error.strerror or str(error)
        raise ServerError("server.port_taken", host=host, port=port, reason=reason) from error
    return listener


def make_uvicorn(app: Any, ready: threading.Event) -> Any:
    """The ASGI server, which sets ``ready`` when it takes connections."""
    import uvicorn

    from engine.server.protocol import PROTOCOL_LOG, Protocol

    logging.getLogger(PROTOCOL_LOG).addFilter(_quiet)

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            ready.set()

    config = uvicorn.Config(
        app,
        http=Protocol,
        ws="none",
        loop="asyncio",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE_S,
    )
    return Server(config)


def _quiet(record: logging.LogRecord) -> bool:
    return record.msg != BROKEN_OFF and record.levelno >= logging.ERROR


def check_libraries() -> None:
    """Raise :class:`ServerError` when the extra ``server`` is not installed."""
    try:
        import python_multipart  # noqa: F401
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as error:
        raise ServerError("server.no_library", name=error.name) from error
