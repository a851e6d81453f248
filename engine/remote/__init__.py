"""Serving engines elsewhere: clients of speech servers that run S2 Pro.

>>> from engine.remote import RemoteEngine, RemoteOptions
>>> engine = RemoteEngine.connect(RemoteOptions("http://127.0.0.1:3030"))  # doctest: +SKIP

It has the calls of :class:`engine.engine.Engine`, without codes.
"""

from __future__ import annotations

from engine.remote.capabilities import Capabilities
from engine.remote.engine import Codec, RemoteEngine, RemoteInfo
from engine.remote.errors import RemoteError
from engine.remote.options import KINDS, RemoteOptions, Timeouts, normalise_url
from engine.remote.probe import probe
from engine.remote.request import Recording, RemoteRequest

__all__ = [
    "KINDS",
    "Capabilities",
    "Codec",
    "Recording",
    "RemoteEngine",
    "RemoteError",
    "RemoteInfo",
    "RemoteOptions",
    "RemoteRequest",
    "Timeouts",
    "normalise_url",
    "probe",
]
