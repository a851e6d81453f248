"""Which server, and how patient to be with it."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import urlsplit, urlunsplit

from engine.net.rules import is_loopback, is_plain
from engine.remote.dialects import KINDS
from engine.remote.errors import ServerAddressError

_KNOWN_ENDINGS = ("/v1/audio/speech", "/audio/speech", "/v1/models", "/v1/tts", "/v1")


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Seconds to wait; a cancel never waits for any of them.

    Attributes:
        connect: for the connection.
        reply: for an answer that needs no computing, such as a list.
        first: from a request for speech to its first sound; the server may have to encode
            the reference and read the prompt before.
        stall: between two pieces of sound.
    """

    connect: float = 5.0
    reply: float = 10.0
    first: float = 180.0
    stall: float = 60.0


@dataclass(frozen=True, slots=True)
class RemoteOptions:
    """A server and how to speak to it.

    Attributes:
        url: address, see :func:`normalise_url`.
        kind: one of :data:`~engine.remote.dialects.KINDS`; ``auto`` asks the server.
        api_key: sent as a bearer token; empty for none. Never part of a text or a log.
        model: name at the server; empty takes the one that it serves.
        voice: name at the server for requests that bring no voice; empty for its default.
    """

    url: str
    kind: str = "auto"
    api_key: str = field(default="", repr=False)
    model: str = ""
    voice: str = ""
    timeouts: Timeouts = field(default_factory=Timeouts)

    def __post_init__(self) -> None:
        object.__setattr__(self, "url", normalise_url(self.url))
        if self.kind not in KINDS:
            raise ServerAddressError("remote.kind", kind=self.kind, known=", ".join(KINDS))
        if not is_plain(self.api_key):
            raise ServerAddressError("remote.key")

    @property
    def host(self) -> str:
        """Host and port, for people."""
        return urlsplit(self.url).netloc

    @property
    def local(self) -> bool:
        """The server runs on this machine, so no proxy is asked and nothing can be overheard."""
        return is_loopback(urlsplit(self.url).hostname or "")

    @property
    def key_exposed(self) -> bool:
        """The key would travel readable for everyone on the way."""
        return bool(self.api_key) and self.url.startswith("http:") and not self.local


def normalise_url(text: str) -> str:
    """The base address of what a user typed or pasted: scheme added, known endings cut.

    Raises:
        ServerAddressError: it is no HTTP address, or holds a password.
    """
    given = text.strip()
    if not given:
        raise ServerAddressError("remote.no_address")
    if "://" not in given:
        given = f"http://{given}"
    try:
        parts = urlsplit(given)
        _ = parts.port  # raises for what is no port
        host = parts.hostname
    except ValueError:
        raise ServerAddressError("remote.bad_address", text=text.strip()[:80]) from None
    if parts.scheme not in ("http", "https") or not host or any(c.isspace() for c in given):
        raise ServerAddressError("remote.not_http", text=text.strip()[:80])
    if parts.username is not None or parts.password is not None:
        raise ServerAddressError("remote.user_in_address")
    path = parts.path.rstrip("/")
    for ending in _KNOWN_ENDINGS:
        if path.endswith(ending):
            path = path[: -len(ending)]
            break
    return urlunsplit((parts.scheme, parts.netloc, path.rstrip("/"), "", ""))
