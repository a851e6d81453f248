"""Serving engines elsewhere: clients of speech servers that run S2 Pro.

>>> from engine.remote import RemoteEngine, RemoteOptions
>>> engine = RemoteEngine.connect(RemoteOptions("http://127.0.0.1:3030"))  # doctest: +SKIP

It has the calls of :class:`engine.engine.Engine`, without codes. Each name is loaded on first
use, the HTTP library with the first that needs it.
"""

from typing import TYPE_CHECKING

from engine import lazy_names

if TYPE_CHECKING:
    from engine.remote.dialects import DIALECTS, KINDS, ServerCapabilities
    from engine.remote.engine import RemoteEngine
    from engine.remote.errors import RemoteError
    from engine.remote.options import RemoteOptions, Timeouts, normalise_url
    from engine.remote.request import MAX_SECONDS, Recording, RemoteRequest, fields_of
else:
    __getattr__ = lazy_names(
        __name__,
        {
            "engine.remote.dialects": ("DIALECTS", "KINDS", "ServerCapabilities"),
            "engine.remote.engine": ("RemoteEngine",),
            "engine.remote.errors": ("RemoteError",),
            "engine.remote.options": ("RemoteOptions", "Timeouts", "normalise_url"),
            "engine.remote.request": ("MAX_SECONDS", "Recording", "RemoteRequest", "fields_of"),
        },
    )
