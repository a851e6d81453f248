"""Where files come from, whom the access token may be told, and how patient a download is.

Plain data: making it opens nothing and imports no network.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import quote, urlsplit

from engine.errors import RequestError
from engine.hub.catalogue import HubFile
from engine.hub.disk import FreeBytes, free_bytes
from engine.net.rules import is_loopback, is_plain

OFFICIAL = "https://huggingface.co"
_PORTS = {"https": 443, "http": 80}


@dataclass(frozen=True, slots=True)
class Hub:
    """Where files come from.

    Attributes:
        endpoint: address without a slash at the end.
        token: access token; told to :attr:`endpoint` alone, never to a host that it sends
            the download to, and never in the clear over a network.
    """

    endpoint: str = OFFICIAL
    token: str = field(default="", repr=False)

    def url(self, file: HubFile, revision: str) -> str:
        """The address of one file at one revision."""
        return f"{self.endpoint}/{file.repository}/resolve/{revision}/{quote(file.name)}"

    def owns(self, url: str) -> bool:
        """Whether ``url`` is on the very host that the user chose."""
        return _origin(url) == _origin(self.endpoint)

    def may_know_token(self, url: str) -> bool:
        """Whether the token may go along with a request to ``url``."""
        if not self.token or not self.owns(url):
            return False
        parts = urlsplit(url)
        return parts.scheme == "https" or is_loopback(parts.hostname or "")


def check_address(text: str) -> str:
    """A mirror's address as it is used; empty means the hub itself.

    Raises :class:`RequestError` for anything that is no address of a web server.
    """
    address = text.strip().rstrip("/")
    if not address:
        return OFFICIAL
    try:
        parts = urlsplit(address)
        good = parts.scheme in _PORTS and bool(parts.hostname) and parts.port != 0
    except ValueError:
        good = False
    if not good or parts.query or parts.fragment or "@" in parts.netloc or " " in address:
        raise RequestError("hub.mirror_address", text=text.strip())
    return address


def choose_hub(address: str = "", token: str = "", environ: Mapping[str, str] = os.environ) -> Hub:
    """The hub of a user's settings, else of the environment (``HF_ENDPOINT``, ``HF_TOKEN``).

    The token belongs to the hub itself. A mirror gets it only where the environment names
    both, so that typing a mirror's address never hands a stranger one's token.

    Raises :class:`RequestError` for an address that is none, and for a token that none can be.
    """
    named = environ.get("HF_ENDPOINT", "")
    endpoint = check_address(address or named)
    token = token.strip() or environ.get("HF_TOKEN", "").strip()
    trusted = endpoint == OFFICIAL or (bool(named) and endpoint == check_address(named))
    if trusted and not is_plain(token):
        raise RequestError("hub.token")
    return Hub(endpoint, token if trusted else "")


def offline_requested(environ: Mapping[str, str] = os.environ) -> bool:
    """Whether the environment asks the hub's tools to stay offline (``HF_HUB_OFFLINE``)."""
    return environ.get("HF_HUB_OFFLINE", "").strip().upper() in ("1", "ON", "YES", "TRUE")


def _origin(url: str) -> tuple[str, str, int]:
    parts = urlsplit(url)
    return parts.scheme, (parts.hostname or "").lower(), parts.port or _PORTS.get(parts.scheme, 0)


@dataclass(frozen=True, slots=True)
class Policy:
    """Times in seconds, sizes in bytes.

    Attributes:
        connect_s: for a connection and its encryption.
        stall_s: a server that sends nothing for that long is given up and asked again.
        tries: failures in a row, none of which brought a new byte, before giving up.
        first_wait_s: before the second try; doubles with each failure.
        longest_wait_s: where the doubling ends.
        longest_ask_s: a ``Retry-After`` above this is not waited for but told.
        mark_bytes: what a kill or a power cut costs at most.
    """

    connect_s: float = 15.0
    stall_s: float = 30.0
    tries: int = 6
    first_wait_s: float = 1.0
    longest_wait_s: float = 30.0
    longest_ask_s: float = 900.0
    mark_bytes: int = 32 << 20

    def wait_s(self, failures: int) -> float:
        """How long to wait after ``failures`` of them in a row."""
        result: float = min(self.longest_wait_s, self.first_wait_s * 2 ** max(0, failures - 1))
        return result


@dataclass(frozen=True, slots=True)
class DownloadOptions:
    """How files are fetched.

    Attributes:
        hub: from where.
        offline: refuse before any socket is made.
        policy: patience.
        free: asks for free bytes of a folder.
    """

    hub: Hub = field(default_factory=Hub)
    offline: bool = False
    policy: Policy = field(default_factory=Policy)
    free: FreeBytes = free_bytes
