"""What can go wrong with a server, each with the next step for the user."""

from __future__ import annotations

from engine.errors import BusyError, EngineError


class RemoteError(EngineError):
    """Base of the errors of a server.

    Attributes:
        status: HTTP status of the answer; 0 when there was none.
        retry_after: seconds that the server asks to wait; ``None`` when it does not say.
    """

    title = "The server cannot be used"
    status = 0
    retry_after: float | None = None


class ServerAddressError(RemoteError):
    """The address cannot be one of a server."""

    title = "The address cannot be used"


class ServerDownError(RemoteError):
    """Nobody answers at the address, or not in time."""

    title = "The server does not answer"


class ServerRefusedError(RemoteError):
    """A key is missing, wrong, or not allowed to do this (401, 403)."""

    title = "The server refuses access"


class ServerLacksError(RemoteError):
    """The server has no such route, model, voice or ability (404, 405, 501)."""

    title = "The server cannot do this"


class ServerRejectedError(RemoteError):
    """The server did not like the request (400, 413, 415, 422)."""

    title = "The server rejects the request"


class ServerBusyError(RemoteError, BusyError):
    """The server works for others or limits the rate (429, 503)."""

    title = "The server is busy"


class ServerFailedError(RemoteError):
    """The server met a fault of its own (5xx, or an error inside a stream)."""

    title = "The server failed"


class ServerReplyError(RemoteError):
    """The answer is not what a speech server sends: a web page, another kind of sound."""

    title = "The answer makes no sense"


class StreamCutError(RemoteError):
    """The sound ended before it was complete; what came until then is good."""

    title = "The sound was cut off"
