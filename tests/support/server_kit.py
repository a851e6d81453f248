"""A real server on a free port of this machine, and engines that wait or fail on demand."""

from __future__ import annotations

import io
import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import soundfile

from engine.cancel import CancelToken
from engine.engine import Engine
from engine.server.options import ServerOptions
from engine.server.server import LocalServer
from engine.types import Event, FrameCodes, ModelInfo, Sampling, SynthesisRequest
from engine.voices import VoiceProfile

TIMEOUT = 60.0
POLL_S = 0.01


@contextmanager
def serving(
    engine: Any, on_busy: Callable[[bool], None] | None = None, **options: Any
) -> Iterator[LocalServer]:
    """A started server on a free port."""
    with LocalServer(engine, ServerOptions(port=0, **options), on_busy) as server:
        yield server


@contextmanager
def serving_hope(
    engine: Any, root: Path, golden_file: Any, sampling: Sampling
) -> Iterator[LocalServer]:
    """A started server whose folder ``root`` has the golden voice ``hope``."""
    kit_voice(golden_file, root)
    with serving(engine, voice_dir=root, sampling=sampling) as server:
        yield server


@contextmanager
def client_of(server: LocalServer) -> Iterator[httpx.Client]:
    """A client that uses no proxy and follows nothing."""
    with httpx.Client(base_url=server.url, timeout=TIMEOUT, trust_env=False) as client:
        yield client


def form(text: str | None = "Hello there.", /, **fields: Any) -> dict[str, Any]:
    """Arguments of ``client.post`` for a multipart form; ``params`` may be a dictionary.

    Bytes become files.
    """
    if isinstance(fields.get("params"), dict):
        fields["params"] = json.dumps(fields["params"])
    files: list[tuple[str, Any]] = [] if text is None else [("text", (None, text))]
    for name, value in fields.items():
        files.append((name, ("clip.wav", value) if isinstance(value, bytes) else (None, value)))
    return {"files": files or [("nothing", (None, "x"))]}


def short(frames: int = 2, **params: Any) -> dict[str, Any]:
    """Params of a synthesis of exactly so many frames a piece."""
    return {"max_new_tokens": frames, "min_tokens_before_end": frames, "seed": 3, **params}


def read_sound(data: bytes) -> tuple[np.ndarray, soundfile._SoundFileInfo]:
    """Samples and facts of a sound file in memory."""
    return soundfile.read(io.BytesIO(data), dtype="float32")[0], soundfile.info(io.BytesIO(data))


@dataclass
class Paced:
    """The real engine, whose frames wait for permits; it can also fail at one.

    Attributes:
        requests: everything that was asked for.
        begun: set when a frame waits.
        frames: how many frames were let through.
    """

    engine: Engine
    fail_at: int | None = None
    fail_with: Exception = field(default_factory=lambda: RuntimeError("a wire came loose"))
    requests: list[SynthesisRequest] = field(default_factory=list)
    frames: int = 0

    def __post_init__(self) -> None:
        self.permits = threading.Semaphore(0)
        self.begun = threading.Event()

    @property
    def info(self) -> ModelInfo:
        return self.engine.info

    def encode_reference(self, *args: Any, **options: Any) -> VoiceProfile:
        return self.engine.encode_reference(*args, **options)

    def let(self, frames: int) -> None:
        """Let so many frames pass."""
        for _ in range(frames):
            self.permits.release()

    def synthesize(
        self, request: SynthesisRequest, cancel: CancelToken | None = None
    ) -> Iterator[Event]:
        assert cancel is not None
        self.requests.append(request)
        events = self.engine.synthesize(request, cancel)
        try:
            for event in events:
                if isinstance(event, FrameCodes):
                    if self.fail_at == event.index:
                        raise self.fail_with
                    self.begun.set()
                    while not cancel.cancelled and not self.permits.acquire(timeout=POLL_S):
                        pass
                    self.frames += not cancel.cancelled
                yield event
        finally:
            events.close()  # type: ignore[attr-defined]


class Idle:
    """An ``on_busy`` callback that can be waited for."""

    def __init__(self) -> None:
        self.calls: list[bool] = []
        self._ended = threading.Semaphore(0)

    def __call__(self, is_busy: bool) -> None:
        self.calls.append(is_busy)
        if not is_busy:
            self._ended.release()

    def wait(self, seconds: float = TIMEOUT) -> bool:
        """Whether a job ends in time."""
        return self._ended.acquire(timeout=seconds)


def multipart(fields: dict[str, str], boundary: str = "cut") -> bytes:
    """A form's body by hand."""
    parts = [
        f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in fields.items()
    ]
    return ("".join(parts) + f"--{boundary}--\r\n").encode()


def raw_post(server: LocalServer, fields: dict[str, str], path: str = "/generate") -> socket.socket:
    """Send a form over a socket of its own and return that."""
    host, port = server.url.removeprefix("http://").split(":")
    body = multipart(fields)
    connection = socket.create_connection((host, int(port)), timeout=TIMEOUT)
    head = (
        f"POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {len(body)}\r\n"
        "Content-Type: multipart/form-data; boundary=cut\r\n\r\n"
    )
    connection.sendall(head.encode() + body)
    return connection


def read_all(connection: socket.socket) -> bytes:
    """Everything until the other side closes."""
    data = bytearray()
    while piece := connection.recv(65536):
        data += piece
    return bytes(data)


def kit_voice(golden_file: Any, folder: Path, voice_id: str = "hope") -> Path:
    """Save the golden voice under ``voice_id``."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{voice_id}.s2voice"
    path.write_bytes(Path(golden_file("voice-tiny-f32.s2voice")).read_bytes())
    return path
