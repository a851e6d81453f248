"""The local HTTP server: the peer's ``/generate`` and OpenAI's speech endpoint.

Needs the extra ``server``. Start with :class:`LocalServer`.
"""

from typing import TYPE_CHECKING

from engine import lazy_names

if TYPE_CHECKING:
    from engine.server.options import ServerOptions
    from engine.server.server import LocalServer
else:
    __getattr__ = lazy_names(
        __name__,
        {
            "engine.server.options": ("ServerOptions",),
            "engine.server.server": ("LocalServer",),
        },
    )
