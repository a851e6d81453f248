"""What every request passes first: whose page sent it, and to which name (DNS rebinding)."""

from __future__ import annotations

import ipaddress
import time
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from engine.server.options import ServerOptions
from engine.server.replies import ApiError, render


class Guard:
    """Refuses foreign hosts and pages, and stamps every answer with its time of arrival.

    A page of the web can make a browser send requests here. When its own name was made to
    point to this machine, ``Host`` holds that name; otherwise ``Origin`` names the page. An
    address in ``Host`` is safe: no foreign page can have been loaded from it.
    """

    def __init__(self, app: ASGIApp, options: ServerOptions) -> None:
        self._app = app
        self._hosts = {name.lower() for name in options.allowed_hosts}
        self._origins = {origin.lower().rstrip("/") for origin in options.allowed_origins}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        arrived = str(time.time_ns() // 1_000_000)

        async def stamped(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)["x-request-start"] = arrived
            await send(message)

        error = self._refusal(Headers(scope=scope))
        if error is not None:
            await render(error, scope["path"])(scope, receive, stamped)
            return
        await self._app(scope, receive, stamped)

    def _refusal(self, headers: Headers) -> ApiError | None:
        host = headers.get("host")
        if host is not None and not self._host_allowed(host):
            return ApiError(
                403, "This server does not answer to that host name. Allow it with --allow-host.",
                as_json=True, code="host_not_allowed", headers={"connection": "close"},
            )  # fmt: skip
        origin = headers.get("origin")
        if origin is not None and not self._origin_allowed(origin, host):
            return ApiError(
                403, "This server does not answer to that web page. Allow it with --allow-origin.",
                as_json=True, code="origin_not_allowed", headers={"connection": "close"},
            )  # fmt: skip
        return None

    def _host_allowed(self, host: str) -> bool:
        if "*" in self._hosts:
            return True
        name = host_name(host)
        return name is not None and (
            name == "localhost" or name in self._hosts or _is_address(name)
        )

    def _origin_allowed(self, origin: str, host: str | None) -> bool:
        origin = origin.lower()
        if "*" in self._origins or origin in self._origins:
            return True
        return host is not None and origin in (f"http://{host.lower()}", f"https://{host.lower()}")


def host_name(host: str) -> str | None:
    """Name or address of a ``Host`` header, in small letters; ``None`` when it is malformed."""
    try:
        parts = urlsplit(f"//{host}")
        _ = parts.port  # raises for what is no port
    except ValueError:
        return None
    if parts.path or parts.query or parts.fragment or parts.username is not None:
        return None
    return (parts.hostname or "").rstrip(".") or None


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return False
    return True
