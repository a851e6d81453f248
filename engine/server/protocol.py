"""One connection of a client, as uvicorn reads it."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

PROTOCOL_LOG = "engine.server.protocol"
HEAD_S = 20.0
"""How long the head of a request may take, and a connection wait for the next one."""


class Protocol(H11Protocol):
    """Logs where the engine logs, and lets go who begins a request and does not go on."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.logger = logging.getLogger(PROTOCOL_LOG)
        self._head: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._await_head()

    def handle_events(self) -> None:
        super().handle_events()
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop_waiting()
        elif self._head is None:
            self._await_head()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def _await_head(self) -> None:
        """A client that begins a request and does not end its head is let go."""
        self._stop_waiting()
        self._head = self.loop.call_later(HEAD_S, self._let_go)

    def _stop_waiting(self) -> None:
        if self._head is not None:
            self._head.cancel()
            self._head = None

    def _let_go(self) -> None:
        self._head = None
        if not self.transport.is_closing():
            self.transport.close()
