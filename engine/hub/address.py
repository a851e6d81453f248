"""Addresses of files on the hub or a mirror of it, and whom the access token may be told."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import quote, urlsplit

from engine.errors import RequestError
from engine.hub.catalogue import HubFile
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
