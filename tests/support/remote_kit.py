"""Strict stand-ins of speech servers, written from their public documents.

They refuse fields that the documents do not name, wrong types and wrong content types, and they
can be told to fail in every way that a server or the network does.
"""

from __future__ import annotations

import base64
import contextlib
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
import ormsgpack
from remote_docs import FIELDS, RefusedError, check_fields, clip_of

from engine.audio.wav import encode_wav, to_pcm16, wav_header

RATE = 44_100
PIECES = 5
PIECE = 4096
WAIT_S = 30.0


def tone(pieces: int = PIECES, rate: int = RATE) -> np.ndarray:
    """What every fake says: a tone that never repeats a piece."""
    at = np.arange(pieces * PIECE, dtype=np.float32) / rate
    return (0.4 * np.sin(2 * np.pi * (220 + 40 * at) * at)).astype(np.float32)


@dataclass
class Faults:
    """What shall go wrong.

    Attributes:
        status, headers, body: answer speech with this instead of sound; 0 for none.
        cut_after: break the connection off behind so many pieces of sound.
        silent_after: send nothing more behind so many pieces, until released.
        silent_head: send not even a head, until released.
        end_early: end the stream properly, without its closing event.
        event_error: an event that says that it failed behind so many pieces.
        media_type: of the sound; empty for the right one.
    """

    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    cut_after: int = -1
    silent_after: int = -1
    silent_head: bool = False
    end_early: bool = False
    event_error: int = -1
    media_type: str = ""


@dataclass
class Fake:
    """A running stand-in.

    Attributes:
        kind: whose documents it follows.
        old: streams as earlier versions did: vLLM-Omni raw samples, SGLang-Omni events of WAVs.
        key: bearer token that it asks for; empty for none.
        requests: bodies of the requests for speech.
        released: lets everything that is silent go on.
        waiting: set when it fell silent.
        gone: set when a client closed its connection while it was silent.
        declared: fields beyond the documents that its schema names; ``None`` for no schema.
    """

    kind: str
    old: bool = False
    key: str = ""
    rate: int = RATE
    model: str = "fishaudio/s2-pro"
    faults: Faults = field(default_factory=Faults)
    declared: tuple[str, ...] | None = None
    requests: list[dict[str, Any]] = field(default_factory=list)
    seen_keys: list[str] = field(default_factory=list)
    url: str = ""

    def __post_init__(self) -> None:
        self.released, self.waiting, self.gone = (threading.Event() for _ in range(3))

    def lists(self, path: str) -> Any:
        """JSON of a GET; ``None`` where the kind has no such route."""
        if path == "/openapi.json" and self.declared is not None:
            return self._document()
        if self.kind == "fish":
            return {
                "/v1/health": {"status": "ok"},
                "/v1/references/list?format=json": {
                    "success": True, "reference_ids": ["alice", "bob"], "message": "",
                },
            }.get(path)  # fmt: skip
        if path == "/v1/models":
            owner = {"vllm": "vllm", "sglang": "sglang-omni"}.get(self.kind, "openai")
            entry = {"id": self.model, "object": "model", "owned_by": owner}
            return {"object": "list", "data": [entry]}
        if path == "/v1/audio/voices" and self.kind == "vllm":
            return {"voices": ["default"], "uploaded_voices": []}
        return None

    def _document(self) -> Any:
        names = [*FIELDS[self.kind], *(self.declared or ())]
        schema = {"type": "object", "properties": {name: {} for name in names}}
        reference = {"schema": {"$ref": "#/components/schemas/CreateSpeechRequest"}}
        post = {"post": {"requestBody": {"content": {"application/json": reference}}}}
        return {
            "openapi": "3.1.0", "info": {"title": "FastAPI", "version": "1"},
            "paths": {"/v1/audio/speech": post},
            "components": {"schemas": {"CreateSpeechRequest": schema}},
        }  # fmt: skip

    def check(self, path: str, content_type: str, body: bytes) -> dict[str, Any]:
        """The request, when it is as the documents have it."""
        if path != ("/v1/tts" if self.kind == "fish" else "/v1/audio/speech"):
            raise KeyError(path)
        if content_type == "application/json":
            given = json.loads(body.decode("utf-8"))
        elif content_type == "application/msgpack" and self.kind == "fish":
            given = ormsgpack.unpackb(body)
        else:
            raise RefusedError(f"unsupported content type {content_type!r}")
        if not isinstance(given, dict):
            raise RefusedError("the body must be an object")
        extra = {name: given.pop(name) for name in self.declared or () if name in given}
        check_fields(self.kind, given)
        getattr(self, f"_check_{self.kind}", lambda _: None)(given)
        return {**given, **extra}

    def _check_vllm(self, given: dict[str, Any]) -> None:
        if "ref_audio" in given:
            clip_of(given["ref_audio"])
        if given.get("stream") and given.get("response_format") not in ("pcm", "wav"):
            raise RefusedError("stream=true requires response_format 'pcm' or 'wav'")
        if given.get("stream") and self.old and given.get("response_format") != "pcm":
            raise RefusedError("stream=true requires response_format='pcm'")

    def _check_sglang(self, given: dict[str, Any]) -> None:
        for each in given.get("references", []):
            if set(each) != {"audio_path", "text"}:
                raise RefusedError("references: each needs audio_path and text, and nothing else")
            clip_of(each["audio_path"])
        if given.get("stream") and given.get("response_format") != "pcm":
            raise RefusedError("stream=true requires response_format='pcm'")
        if "top_k" in given and given["top_k"] != -1 and not 1 <= given["top_k"] <= 30:
            raise RefusedError("top_k must be -1 or 1..30")

    def _check_fish(self, given: dict[str, Any]) -> None:
        if given.get("streaming") and given.get("format", "wav") != "wav":
            raise RefusedError("Streaming only supports WAV format")
        for name, low, high in (("temperature", 0.1, 1.0), ("top_p", 0.1, 1.0)):
            if name in given and not low <= given[name] <= high:
                raise RefusedError(f"{name} must be from {low} to {high}")
        for each in given.get("references", []):
            if not isinstance(each.get("audio"), bytes) or each["audio"][:4] != b"RIFF":
                raise RefusedError("references: audio must be the bytes of a file")
            if not each.get("text"):
                raise RefusedError("references: text is required")

    def pieces(self, given: dict[str, Any]) -> tuple[str, list[bytes]]:
        """Media type and pieces of the answer."""
        samples = tone(rate=self.rate)
        pcm = [to_pcm16(part).tobytes() for part in np.split(samples, PIECES)]
        if self.kind == "fish":
            return "audio/wav", [wav_header(self.rate), *pcm]
        if not given.get("stream"):
            return "audio/wav", [encode_wav(samples, self.rate, "PCM_16")]
        if self.kind == "sglang" and self.old:
            return "text/event-stream", [*self._chunk_events(samples), b"data: [DONE]\n\n"]
        if self.kind == "vllm" and not self.old:
            return "text/event-stream", [*map(delta, pcm), DONE]
        return "audio/pcm", pcm

    def _chunk_events(self, samples: np.ndarray) -> Iterator[bytes]:
        for part in np.split(samples, PIECES):
            data = base64.b64encode(encode_wav(part, self.rate, "PCM_16")).decode()
            event = {"object": "audio.speech.chunk", "audio": {"data": data, "format": "wav"}}
            yield f"data: {json.dumps(event)}\n\n".encode()


def delta(pcm: bytes) -> bytes:
    """OpenAI's event of a piece."""
    text = base64.b64encode(pcm).decode()
    body = {"type": "speech.audio.delta", "audio": text, "response_format": "pcm"}
    return f"event: speech.audio.delta\ndata: {json.dumps(body)}\n\n".encode()


DONE = (
    b'event: speech.audio.done\ndata: {"type":"speech.audio.done","usage":{"input_tokens":9,'
    b'"output_tokens":10,"total_tokens":19}}\n\n'
)


def handler_of(fake: Fake) -> type[BaseHTTPRequestHandler]:
    """A request handler that answers for ``fake``."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: Any) -> None:
            """Tests print nothing."""

        def do_GET(self) -> None:
            if not self._allowed():
                return
            found = fake.lists(self.path)
            if found is None:
                self._json(404, {"detail": "Not Found"})
            else:
                self._json(200, found)

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            if not self._allowed():
                return
            try:
                given = fake.check(self.path, self.headers.get("content-type", ""), body)
            except KeyError:
                self._json(404, {"detail": "Not Found"})
                return
            except (RefusedError, ValueError) as error:
                self._refuse(str(error))
                return
            fake.requests.append(given)
            with contextlib.suppress(ConnectionError, OSError):
                self._speak(given)

        def _allowed(self) -> bool:
            given = self.headers.get("authorization", "")
            fake.seen_keys.append(given)
            if fake.key and given != f"Bearer {fake.key}":
                self._json(401, {"error": {"message": "Invalid API key", "code": 401}})
                return False
            return True

        def _refuse(self, why: str) -> None:
            if fake.kind == "fish":
                self._json(422, [{"loc": ["body"], "msg": why, "type": "value_error"}])
            elif "extra field" in why:
                self._json(422, {"detail": [{"loc": ["body", "x"], "msg": why}]})
            else:
                error = {"message": why, "type": "BadRequestError", "param": None, "code": 400}
                self._json(400, {"error": error})

        def _json(self, status: int, body: Any) -> None:
            self._whole(status, json.dumps(body).encode(), {"content-type": "application/json"})

        def _whole(self, status: int, data: bytes, headers: dict[str, str]) -> None:
            self.send_response(status)
            for name, value in {**headers, "content-length": str(len(data))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        def _speak(self, given: dict[str, Any]) -> None:
            faults = fake.faults
            if faults.silent_head:
                self._be_silent()
            if faults.status:
                self._whole(faults.status, faults.body, faults.headers)
                return
            media_type, pieces = fake.pieces(given)
            self.send_response(200)
            self.send_header("content-type", faults.media_type or media_type)
            if media_type == "audio/pcm" and fake.kind == "sglang":
                self.send_header("x-sample-rate", str(fake.rate))
            self.send_header("transfer-encoding", "chunked")
            self.end_headers()
            for index, piece in enumerate(pieces):
                if index == faults.cut_after:
                    self.close_connection = True
                    return
                if index == faults.silent_after:
                    self._be_silent()
                if index == faults.event_error:
                    piece, faults.end_early = EVENT_ERROR, True
                if faults.end_early and index == len(pieces) - 1:
                    break
                self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
                self.wfile.flush()
            self.wfile.write(b"0\r\n\r\n")

        def _be_silent(self) -> None:
            """Wait until released, or notice that the client is gone."""
            fake.waiting.set()
            self.connection.settimeout(WAIT_S)
            if fake.released.is_set():
                return
            try:
                left = self.connection.recv(1) == b""
            except TimeoutError:
                return
            except OSError:  # reset: it closed with sound that it had not read
                left = True
            if left:
                fake.gone.set()
                raise ConnectionError

    return Handler


EVENT_ERROR = (
    b'event: speech.audio.error\ndata: {"type":"speech.audio.error","error":{"message":'
    b'"CUDA out of memory","type":"server_error","param":null,"code":500}}\n\n'
)


@contextmanager
def faking(kind: str, **options: Any) -> Iterator[Fake]:
    """A running fake on a free port."""
    fake = Fake(kind, **options)
    with serving_http(handler_of(fake)) as url:
        fake.url = url
        try:
            yield fake
        finally:
            fake.released.set()


@contextmanager
def serving_http(handler: Callable[..., BaseHTTPRequestHandler]) -> Iterator[str]:
    """Any handler on a free port of this machine; gives its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(WAIT_S)
