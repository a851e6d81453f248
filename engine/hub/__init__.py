"""Model files: which ones are known, where they lie, and how they get here.

Nothing in this package opens a connection by itself: only :func:`engine.hub.fetch.fetch`
does, called for a file that a person chose, and never in offline mode.
"""

from engine.hub.address import (
    OFFICIAL,
    DownloadOptions,
    check_address,
    choose_hub,
    offline_requested,
)
from engine.hub.catalogue import License, Variant
from engine.hub.disk import make_folder
from engine.hub.events import AccessError, OfflineError, Phase, Transfer
from engine.hub.local import Entry, Place, Presence
from engine.hub.store import ModelStore
