"""Requests against the real application: forms, JSON bodies, headers and paths."""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
from export_kit import model_info, speech
from fuzz_mutate import TEXT_TRAPS, dump_json, mutate_bytes, mutate_json
from fuzz_target import Case
from named_http import HTTP_CASES

from engine.audio.reference import load_reference
from engine.audio.wav import encode_wav
from engine.errors import EngineError
from engine.server.app import make_app
from engine.server.options import Limits, ServerOptions
from engine.server.queue import SynthesisQueue
from engine.types import AudioChunk, Metrics, Sampling, Summary, SynthesisRequest
from engine.voices import VoiceProfile

GOLDEN = Path(__file__).parents[1] / "data" / "golden" / "voice-tiny-f32.s2voice"
_STATUSES = {200, 400, 403, 404, 405, 408, 413, 499}
_PARAMS = {
    "max_new_tokens": 4, "temperature": 0.8, "top_p": 0.8, "top_k": 30, "seed": 3, "stream": True,
    "chunked": False, "voice": "hope", "voice_dir": "", "output_format": "pcm", "n_threads": 2,
    "segment_sentences": True, "sentence_pause_ms": 180, "segment_max_chars": 90, "verbose": True,
    "stream_decode_stride": 4, "stream_start_buffer_ms": 10, "low_latency": True,
}  # fmt: skip
SPEECH = {
    "model": "tts-1", "input": "Good evening.", "voice": "hope", "response_format": "wav",
    "stream_format": "audio", "speed": 1.0, "seed": 3, "temperature": 0.8, "top_p": 0.8,
    "top_k": 30, "max_new_tokens": 4, "sample_rate": 24000, "ref_text": "Hello.",
    "instructions": "calmly",
}  # fmt: skip
_NAMED = tuple(case.body for case in HTTP_CASES.values())
_KINDS = tuple(case.kind for case in HTTP_CASES.values())
_HEADERS = ((b"host", b"localhost:3030"), (b"user-agent", b"fuzz"))


class ShortEngine:
    """Speaks a tenth of a second; reads references as the engine does, but encodes nothing."""

    def __init__(self) -> None:
        self.info = model_info()
        self._voice = VoiceProfile.load(GOLDEN)

    def encode_reference(self, audio: Any, transcript: str, **_: Any) -> VoiceProfile:
        load_reference(audio, self.info.sample_rate)
        return self._voice

    def synthesize(self, request: SynthesisRequest, cancel: Any = None) -> Iterator[Any]:
        samples = np.full(4410, 0.1, np.float32)
        yield AudioChunk(0, samples, self.info.sample_rate)
        codes = np.zeros((10, 2), np.int32)
        yield Summary(codes, "end", request.sampling.seed or 0, Metrics())


class Server:
    """The application without a socket: the fuzzer plays the ASGI server."""

    def __init__(self, home: Path) -> None:
        voices = home / "voices"
        voices.mkdir()
        (voices / "hope.s2voice").write_bytes(GOLDEN.read_bytes())
        limits = Limits(body_timeout_s=0.5, reference_bytes=200_000, stall_s=2.0)
        options = ServerOptions(
            voice_dir=voices, sampling=Sampling(max_new_tokens=2), limits=limits
        )
        self.voices = voices
        self.queue = SynthesisQueue(ShortEngine(), limits)
        self._app = make_app(self.queue, options)
        self._loop = asyncio.new_event_loop()

    def ask(
        self, method: str, path: str, body: list[bytes], headers: list[tuple[bytes, bytes]],
        gone: bool = False,
    ) -> tuple[int, bytes]:  # fmt: skip
        """Status and body of the answer."""
        return self._loop.run_until_complete(self._ask(method, path, body, headers, gone))

    async def _ask(
        self,
        method: str,
        path: str,
        body: list[bytes],
        headers: list[tuple[bytes, bytes]],
        gone: bool,
    ) -> tuple[int, bytes]:
        messages = [{"type": "http.request", "body": part, "more_body": True} for part in body]
        last = {"type": "http.disconnect"} if gone else {"type": "http.request", "more_body": False}
        messages.append({"body": b"", **last})
        sent: list[dict[str, Any]] = []

        async def receive() -> dict[str, Any]:
            if messages:
                return messages.pop(0)
            await asyncio.sleep(3600)
            return {"type": "http.disconnect"}

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method,
            "scheme": "http", "path": path, "raw_path": quote(path, errors="replace").encode(),
            "query_string": b"", "root_path": "", "headers": [*_HEADERS, *headers],
            "client": ("127.0.0.1", 5), "server": ("127.0.0.1", 3030),
        }  # fmt: skip
        await self._app(scope, receive, send)
        starts = [message for message in sent if message["type"] == "http.response.start"]
        assert len(starts) == 1, f"{len(starts)} answers"
        data = b"".join(m.get("body", b"") for m in sent if m["type"] == "http.response.body")
        return starts[0]["status"], data

    def close(self) -> None:
        """End its threads."""
        self.queue.close()
        self._loop.close()

    def check(self, status: int, data: bytes) -> str:
        """The rules for every answer, and that the server goes on."""
        assert status in _STATUSES, f"{status}: {data[:200]!r}"
        assert b"Traceback" not in data
        assert b"/s2-fuzz-" not in data, "the answer names a place on this machine"
        assert (self.voices / "hope.s2voice").is_file(), "a voice is gone"
        return str(status)

    def idle(self) -> None:
        """Nothing of the request is left."""
        assert not self.queue.busy, "the engine stays taken"
        left = [
            path.name for path in self.voices.parent.iterdir() if path.name.startswith("s2-ref")
        ]
        assert not left, f"uploads were left: {left}"


def _pieces(rng: random.Random, data: bytes) -> list[bytes]:
    """The body as it could come from a network."""
    size = max(rng.choice((1, 7, 64, 1 << 16, 1 << 20)), len(data) // 50)
    return [data[at : at + size] for at in range(0, len(data), size)] or [b""]


class FormTarget:
    """``POST /generate`` with forms that lie about themselves."""

    name = "form"
    errors: tuple[type[Exception], ...] = (EngineError,)

    def prepare(self, home: Path) -> None:
        logging.disable(logging.CRITICAL)
        self._server = Server(home)
        self._clip = encode_wav(speech(0.6, 16000), 16000)
        self._ask_good()

    def _ask_good(self) -> None:
        rng = random.Random(0)
        body = self.form(rng, [("text", b"Hi."), ("params", b'{"seed":1}')])
        status, _ = self._server.ask("POST", "/generate", [body], [_multipart(b"cut")])
        assert status == 200

    def form(
        self, rng: random.Random, parts: list[tuple[str, bytes]], end: bytes = b"--cut--\r\n"
    ) -> bytes:
        out = []
        for name, value in parts:
            extra = b'; filename="a.wav"' if rng.random() < 0.3 else b""
            quoted = name.encode("utf-8", "surrogatepass")
            head = b'Content-Disposition: form-data; name="' + quoted + b'"' + extra
            if rng.random() < 0.05:
                head += b"; x=" + b"y" * rng.choice((10, 100_000))
            if rng.random() < 0.05:
                head = b"\r\n".join([b"X-A: b"] * rng.choice((1, 2000)) + [head])
            out.append(b"--cut\r\n" + head + b"\r\n\r\n" + value + b"\r\n")
        return b"".join(out) + end

    def make(self, rng: random.Random) -> Case:
        params = json.dumps(_PARAMS).encode()
        if rng.random() < 0.4:
            params = dump_json(rng, mutate_json(rng, _PARAMS))
        trap = rng.choice(TEXT_TRAPS).encode("utf-8", "surrogatepass")
        clip = self._clip if rng.random() < 0.5 else mutate_bytes(rng, self._clip)
        fields = [("text", b"Good evening." if rng.random() < 0.8 else trap), ("params", params)]
        pool = [
            ("reference", clip), ("reference_text", b"Hello."), ("voice", b"hope"), ("voice", trap),
            ("voice_dir", trap), ("text", b"x" * rng.choice((0, 20_000, 90_000))),
            ("prompt_text", b"\xff"), ("ref_audio", b""), (rng.choice(TEXT_TRAPS), b"x"),
            ("reference", b"x" * 250_000), ("voice_id", b"../hope.s2voice"),
        ]  # fmt: skip
        fields += rng.sample(pool, rng.randrange(4))
        if rng.random() < 0.03:
            fields = [("text", b"Hi.")] * 80
        body = self.form(rng, fields, rng.choice((b"--cut--\r\n", b"--cut--", b"", b"--cut")))
        if rng.random() < 0.3:
            body = mutate_bytes(rng, rng.choice((body, rng.choice(_NAMED))), _NAMED)
        headers = [
            _multipart(rng.choice((b"cut", b"cut", b"cut", b"", b"c" * 300, b'"cut', b"cut;x=y")))
        ]
        if rng.random() < 0.1:
            headers = [(b"content-type", mutate_bytes(rng, rng.choice(_KINDS))[:2000])]
        if rng.random() < 0.3:
            length = rng.choice((len(body), 0, 2**63, -1, 10**30))
            headers.append((b"content-length", str(length).encode()))
        return Case({}, plan=(_pieces(rng, body), headers, rng.random() < 0.05))

    def read(self, folder: Path, case: Case) -> str:
        body, headers, gone = case.plan
        status, data = self._server.ask("POST", "/generate", body, headers, gone)
        self._server.idle()
        return self._server.check(status, data)


def _multipart(boundary: bytes) -> tuple[bytes, bytes]:
    return b"content-type", b"multipart/form-data; boundary=" + boundary


class BodyTarget:
    """``POST /v1/audio/speech`` and all other routes, with JSON, headers and paths of any kind."""

    name = "body"
    errors: tuple[type[Exception], ...] = (EngineError,)

    def prepare(self, home: Path) -> None:
        logging.disable(logging.CRITICAL)
        self._server = Server(home)
        clip = encode_wav(speech(0.6, 16000), 16000)
        self._clip = base64.b64encode(clip).decode()
        status, _ = self._server.ask("POST", "/v1/audio/speech", [json.dumps(SPEECH).encode()], [])
        assert status == 200

    def make(self, rng: random.Random) -> Case:
        tree: dict[str, Any] = dict(SPEECH)
        if rng.random() < 0.3:
            tree["ref_audio"] = rng.choice(
                (self._clip, self._clip[:-3], "data:x," + self._clip, "=" * 400)
            )
        tree["response_format"] = rng.choice(("wav", "pcm", "mp3", "flac", "opus"))
        tree["stream_format"] = rng.choice(("audio", "sse"))
        body = dump_json(rng, mutate_json(rng, tree))
        if rng.random() < 0.3:
            body = mutate_bytes(rng, body, _NAMED)
        headers: list[tuple[bytes, bytes]] = []
        if rng.random() < 0.2:
            name = rng.choice(
                (b"host", b"origin", b"content-length", b"expect", b"content-type", b"accept")
            )
            value = rng.choice(TEXT_TRAPS).encode("utf-8", "surrogatepass")[:500]
            headers.append((name, value.replace(b"\r", b"").replace(b"\n", b"")))
        method, path = "POST", "/v1/audio/speech"
        if rng.random() < 0.25:
            method = rng.choice(("GET", "POST", "DELETE", "HEAD", "OPTIONS", "PUT", "\u00c9"))
            folder = rng.choice(("/voices/", "/v1/models/", "/v1/audio/", "/", "/voices/../", "//"))
            path = folder + rng.choice(TEXT_TRAPS).encode("utf-8", "replace").decode()
        return Case({}, plan=(method, path, _pieces(rng, body), headers, rng.random() < 0.05))

    def read(self, folder: Path, case: Case) -> str:
        method, path, body, headers, gone = case.plan
        status, data = self._server.ask(method, path, body, headers, gone)
        self._server.idle()
        return self._server.check(status, data)
