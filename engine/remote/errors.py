"""What can go wrong with a server, each with the next step for the user."""

from __future__ import annotations

from engine.errors import BusyError, EngineError


class RemoteError(EngineError):
    """Base of the errors of a server.

    Attributes:
        status: HTTP status of the answer; 0 when there was none.
        retry_after: seconds that the server asks to wait; ``None`` when it does not say.
    """

    status = 0
    retry_after: float | None = None


class ServerAddressError(RemoteError):
    """The address cannot be one of a server."""


class ServerDownError(RemoteError):
    """Nobody answers at the address, or not in time."""


class ServerRefusedError(RemoteError):
    """A key is missing, wrong, or not allowed to do this (401, 403)."""


class ServerLacksError(RemoteError):
    """The server has no such route, model, voice or ability (404, 405, 501)."""


class ServerRejectedError(RemoteError):
    """The server did not like the request (400, 413, 415, 422)."""


class ServerBusyError(RemoteError, BusyError):
    """The server works for others or limits the rate (429, 503)."""


class ServerFailedError(RemoteError):
    """The server met a fault of its own (5xx, or an error inside a stream)."""


class ServerReplyError(RemoteError):
    """The answer is not what a speech server sends: a web page, another kind of sound."""


class StreamCutError(RemoteError):
    """The sound ended before it was complete; what came until then is good."""
