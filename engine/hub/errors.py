"""What can go wrong on the way of a file to this machine, each kind a class of its own.

The class decides what a window offers next, so no one has to read meaning out of a text.
"""

from __future__ import annotations

from engine.errors import EngineError


class DownloadError(EngineError):
    """A file could not be fetched; what was fetched of it is kept for the next try."""

    title = "The download failed"


class OfflineError(DownloadError):
    """Offline mode is on, so nothing was tried."""

    title = "Offline mode is on"


class LicenseError(DownloadError):
    """The license of the weights was not accepted yet."""

    title = "The license was not accepted"


class AccessError(DownloadError):
    """The hub gives the file only to people it knows (401 or 403)."""

    title = "The hub asks who you are"


class MissingFileError(DownloadError):
    """The hub or the mirror has no such file (404)."""

    title = "The file is not there"


class DamagedFileError(DownloadError):
    """What arrived or lies on the disk is not the file that was published."""

    title = "The file is damaged"


class DiskFullError(DownloadError):
    """The disk has no room, before or while writing."""

    title = "The disk is full"


class InUseError(DownloadError):
    """Another process is fetching the same file."""

    title = "Already being downloaded"
