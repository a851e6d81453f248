"""What a server is told when it starts, and what it needs of an engine."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from engine.text.pronunciations import Pronunciations
from engine.types import (
    PostProcessing,
    Sampling,
    Segmentation,
    StreamOptions,
)
from engine.voices import DEFAULT_DIRECTORY

if TYPE_CHECKING:
    pass

DEFAULT_HOST, DEFAULT_PORT = "127.0.0.1", 3030
MIB = 2**20


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a client may send, and how long it may take (spec 07, section 2).

    Attributes:
        text_chars: longest text, in characters.
        reference_bytes, params_bytes: largest recording and ``params`` field.
        body_timeout_s: longest silence of a client in the middle of its request.
        stall_s: longest time that a client may leave a full queue unread before its
            synthesis is given up, so that it does not keep the engine from others.
        queued_chunks: pieces of sound that wait for a slow client.
    """

    text_chars: int = 20_000
    reference_bytes: int = 50 * MIB
    params_bytes: int = 64 * 1024
    body_timeout_s: float = 30.0
    stall_s: float = 60.0
    queued_chunks: int = 1024

    @property
    def text_bytes(self) -> int:
        """Bytes that the longest text can take in UTF-8."""
        return 4 * self.text_chars


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """Settings of one server; everything about a request is a default that it may override.

    Attributes:
        host, port: where to listen; port 0 takes a free one.
        voice_dir: the voice root; nothing outside it is ever opened for a request.
        more_voice_dirs: further folders, looked into by id only and never written.
        voice: id used when a request names no voice; empty for the model's own.
        sampling, stream, segmentation: defaults of a request.
        pronunciations: words that are spoken otherwise; a request's own come on top.
        post: done to finished takes, not to streams.
        allowed_hosts: host names that clients may use besides addresses and ``localhost``;
            ``*`` lets every name pass.
        allowed_origins: web pages that may call from a browser, such as
            ``http://localhost:8000``; ``*`` lets all.
        limits: see :class:`Limits`.
    """

    host: str = DEFAULT_HOST
    port: int = DEFAULT_PORT
    voice_dir: Path = DEFAULT_DIRECTORY
    more_voice_dirs: tuple[Path, ...] = ()
    voice: str = ""
    sampling: Sampling = field(default_factory=Sampling)
    stream: StreamOptions = field(default_factory=StreamOptions)
    segmentation: Segmentation = field(default_factory=Segmentation)
    pronunciations: Pronunciations = ()
    post: PostProcessing = field(default_factory=PostProcessing)
    allowed_hosts: tuple[str, ...] = ()
    allowed_origins: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)
