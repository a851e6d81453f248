"""Model files: which ones are known, where they lie, and how they get here.

Nothing in this package opens a connection by itself: only :func:`engine.hub.fetch.fetch`
does, called for a file that a person chose, and never in offline mode.
"""

from typing import TYPE_CHECKING

from engine import lazy_names

if TYPE_CHECKING:
    from engine.hub.address import OFFICIAL, check_address, choose_hub, offline_requested
    from engine.hub.catalogue import License, Variant
    from engine.hub.disk import make_folder
    from engine.hub.errors import AccessError, OfflineError
    from engine.hub.events import Phase, Transfer
    from engine.hub.local import Entry, Place, Presence
    from engine.hub.options import DownloadOptions
    from engine.hub.store import ModelStore
else:
    __getattr__ = lazy_names(
        __name__,
        {
            "engine.hub.address": ("OFFICIAL", "check_address", "choose_hub", "offline_requested"),
            "engine.hub.catalogue": ("License", "Variant"),
            "engine.hub.disk": ("make_folder",),
            "engine.hub.errors": ("AccessError", "OfflineError"),
            "engine.hub.events": ("Phase", "Transfer"),
            "engine.hub.local": ("Entry", "Place", "Presence"),
            "engine.hub.options": ("DownloadOptions",),
            "engine.hub.store": ("ModelStore",),
        },
    )
