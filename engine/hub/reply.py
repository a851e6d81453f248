"""What a server's answer means for a download: pure reading of headers.

The hub tells size and hash of a large file in ``X-Linked-Size`` and ``X-Linked-ETag`` of the
redirect that leads to the storage. Ordinary servers have ``ETag`` and ``Content-Range``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

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
