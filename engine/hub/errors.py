"""What can go wrong on the way of a file to this machine, each kind a class of its own.

The class decides what a window offers next, so no one has to read meaning out of a text.
"""

from __future__ import annotations

from engine.errors import EngineError


class DownloadError(EngineError):
    """A file could not be fetched; what was fetched of it is kept for the next try."""


class OfflineError(DownloadError):
    """Offline mode is on, so nothing was tried."""


class LicenseError(DownloadError):
    """The license of the weights was not accepted yet."""


class AccessError(DownloadError):
    """The hub gives the file only to people it knows (401 or 403)."""


class MissingFileError(DownloadError):
    """The hub or the mirror has no such file (404)."""


class DamagedFileError(DownloadError):
    """What arrived or lies on the disk is not the file that was published."""


class DiskFullError(DownloadError):
    """The disk has no room, before or while writing."""


class InUseError(DownloadError):
    """Another process is fetching the same file."""
