"""How files shall be fetched, as plain data: making it opens nothing and imports no network."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.hub.address import Hub
from engine.hub.disk import FreeBytes, free_bytes
from engine.hub.policy import Policy


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
