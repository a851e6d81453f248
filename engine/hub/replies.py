"""What the network's answers and failures mean: headers, redirects, and what went wrong.

The hub tells size and hash of a large file in ``X-Linked-Size`` and ``X-Linked-ETag`` of the
redirect that leads to the storage. Ordinary servers have ``ETag`` and ``Content-Range``.
"""

from __future__ import annotations

import re
import socket
import ssl
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

import httpx

from engine.errors import Message
from engine.hub.address import Policy
from engine.hub.events import DownloadError


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


_SHA256 = re.compile(r"[0-9a-f]{64}")
_RANGE = re.compile(r"bytes\s+(?:(\d{1,18})-(\d{1,18})|\*)/(\d{1,18}|\*)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Linked:
    """What the hub itself says about a file, before it sends one on.

    Attributes:
        sha256: the LFS object id, empty for a small file.
        etag: the hub's mark of the content.
        size: in bytes, 0 when it does not tell.
    """

    sha256: str = ""
    etag: str = ""
    size: int = 0

    def merged(self, headers: Mapping[str, str]) -> Linked:
        """This with what one more answer of the hub tells."""
        linked = bare_etag(headers.get("x-linked-etag", ""))
        digest = linked.lower() if _SHA256.fullmatch(linked.lower()) else ""
        return Linked(
            self.sha256 or digest,
            self.etag or linked,
            self.size or _number(headers.get("x-linked-size", "")),
        )


def bare_etag(text: str) -> str:
    """An ETag without quotes; empty for a weak one, which promises no equal bytes."""
    text = text.strip()
    return "" if text[:2] in ("W/", "w/") else text.strip('"')


def content_range(text: str) -> tuple[int, int]:
    """First byte and whole size of ``Content-Range``; -1 for what it does not tell."""
    match = _RANGE.fullmatch(text.strip())
    if match is None:
        return -1, -1
    first, _, whole = match.groups()
    return int(first) if first else -1, -1 if whole == "*" else int(whole)


def content_length(headers: Mapping[str, str]) -> int:
    """The announced length of the body, 0 when there is none."""
    return _number(headers.get("content-length", ""))


def is_page(headers: Mapping[str, str]) -> bool:
    """A web page came in place of a file: a sign-in page of the network, mostly."""
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    return kind in ("text/html", "application/xhtml+xml")


def _number(text: str) -> int:
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else 0
