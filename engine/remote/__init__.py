"""Serving engines elsewhere: clients of speech servers that run S2 Pro.

>>> from engine.remote import RemoteEngine, RemoteOptions
>>> engine = RemoteEngine.connect(RemoteOptions("http://127.0.0.1:3030"))  # doctest: +SKIP

It has the calls of :class:`engine.engine.Engine`, without codes. Each name is loaded on first
use, the HTTP library with the first that needs it.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_HOMES = {
    "dialects": ("DIALECTS", "KINDS", "ServerCapabilities"),
    "engine": ("RemoteEngine",),
    "errors": ("RemoteError",),
    "options": ("RemoteOptions", "Timeouts", "normalise_url"),
    "request": ("MAX_SECONDS", "Recording", "RemoteRequest", "fields_of"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = sorted(_HOME_OF)


def __getattr__(name: str) -> Any:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module 'engine.remote' has no attribute {name!r}")
    return getattr(import_module(f"engine.remote.{home}"), name)
