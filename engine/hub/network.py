"""Failures of the network in words, and where a redirect may lead."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator
from urllib.parse import urljoin, urlsplit

import httpx

from engine.errors import Message
from engine.hub.errors import DownloadError
from engine.hub.policy import Policy


class TryAgainError(Exception):
    """This try is over and another one may help.

    Attributes:
        reason: for a person.
        wait_s: what the server asked for, else 0.
    """

    def __init__(self, code: str, wait_s: float = 0.0, /, **params: object) -> None:
        self.reason = Message(code, **params)
        super().__init__(self.reason)
        self.wait_s = wait_s


def open_client(policy: Policy) -> httpx.AsyncClient:
    """A client that follows no redirect by itself and minds the environment's proxies.

    Raises :class:`DownloadError` when what the environment says about proxies or certificates
    cannot be used.
    """
    timeout = httpx.Timeout(policy.stall_s, connect=policy.connect_s)
    try:
        return httpx.AsyncClient(timeout=timeout, follow_redirects=False)
    except (ImportError, ValueError, OSError, httpx.InvalidURL) as error:
        raise DownloadError("hub.settings", reason=error) from error


def next_url(url: str, where: str) -> str:
    """Where a redirect from ``url`` leads.

    Raises:
        TryAgainError: it leads nowhere.
        DownloadError: it would leave the encrypted way.
    """
    try:
        target = urljoin(url, where)
        before, after = urlsplit(url), urlsplit(target)
        good = bool(where and after.hostname) and after.port != 0
    except ValueError:
        good = False
    if not good or after.scheme not in ("http", "https"):
        raise TryAgainError("hub.redirect_nowhere")
    if before.scheme == "https" and after.scheme != "https":
        raise DownloadError("hub.redirect_plain")
    return target


def said(error: Exception) -> Message:
    """What failed, in words.

    Raises :class:`DownloadError` for a certificate that is not trusted: asking again would
    not help, and going on without would give up what the encryption is for.
    """
    causes = list(_causes(error))
    if any(isinstance(each, ssl.SSLCertVerificationError) for each in causes):
        raise DownloadError("hub.certificate") from error
    if any(isinstance(each, socket.gaierror) for each in causes):
        return Message("hub.unknown_host")
    if isinstance(error, httpx.ConnectTimeout | httpx.ConnectError | httpx.ProxyError):
        return Message("hub.unconnected")
    if isinstance(error, httpx.TimeoutException):
        return Message("hub.silent")
    if isinstance(error, httpx.ReadError | httpx.RemoteProtocolError):
        return Message("hub.cut")
    return Message("hub.connection", kind=type(error).__name__)


def _causes(error: BaseException) -> Iterator[BaseException]:
    """``error`` and what it came from, at most eight steps deep."""
    step: BaseException | None = error
    for _ in range(8):
        if step is None:
            return
        yield step
        step = step.__cause__ or step.__context__
