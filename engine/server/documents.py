"""What the server says about itself: its OpenAPI document and the page at ``/``."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from engine import __version__
from engine.storage.shipped import shipped_resources

PAGE_HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'unsafe-inline'; "
    "style-src 'unsafe-inline'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; "
    "form-action 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
}


@cache
def openapi_document() -> dict[str, Any]:
    """OpenAPI 3.1 of all public routes; tests hold it against routes, formats and parameters."""
    document: dict[str, Any] = json.loads(_shipped("openapi.json"))
    document["info"]["version"] = __version__
    return document


@cache
def page() -> str:
    """HTML of the page to try the server with: type, hear it, see how to call the server."""
    return _shipped("page.html")


def _shipped(name: str) -> str:
    return (shipped_resources() / "server" / name).read_text(encoding="utf-8")
