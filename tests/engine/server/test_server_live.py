"""Live answers, one synthesis at a time, and clients and engines that let go in the middle."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from server_kit import (
    TIMEOUT,
    Idle,
    Paced,
    client_of,
    form,
    raw_post,
    read_all,
    serving,
    short,
)

from engine.engine import Engine
from engine.errors import DeviceError, EngineError, GenerationError
from engine.server.options import Limits
from engine.server.server import LocalServer
from engine.types import AudioChunk, ModelInfo

BUSY = "Server busy processing another synthesis request."
END = b"0\r\n\r\n"
LIVE = {"stream": True, "chunked": True}


@pytest.fixture
def paced(tiny_engine: Engine) -> Iterator[Paced]:
    paced = Paced(tiny_engine)
    yield paced
    assert paced.engine._busy.acquire(blocking=False), "the engine is still held"
    paced.engine._busy.release()


def open_live(server: LocalServer, **params: Any) -> socket.socket:
    return raw_post(
        server, {"text": "Hello there.", "params": json.dumps(short(**{**LIVE, **params}))}
    )


def read_until(connection: socket.socket, count: int) -> bytes:
    data = bytearray()
    while len(data) < count:
        piece = connection.recv(65536)
        assert piece, bytes(data[:2000])
        data += piece
    return bytes(data)


def test_sound_leaves_while_the_rest_is_made(paced: Paced, tmp_path: Path) -> None:
    with serving(paced, voice_dir=tmp_path) as server, open_live(server, frames=3) as connection:
        paced.let(1)
        head = read_until(connection, 4096)
        assert b"200 OK" in head
        assert b"RIFF" in head
        assert server.busy
        paced.let(2)
        assert len(read_to_end(connection)) > 2 * 4096


def read_to_end(connection: socket.socket) -> bytes:
    """Everything up to the terminating chunk."""
    data = b""
    while not data.endswith(END):
        data += read_until(connection, 1)
    return data


@pytest.mark.parametrize("path", ["/generate", "/v1/audio/speech"])
def test_a_second_request_is_refused_at_once_and_the_first_goes_on(
    paced: Paced, tmp_path: Path, path: str
) -> None:
    idle = Idle()
    with serving(paced, idle, voice_dir=tmp_path) as server, client_of(server) as client:
        with open_live(server, frames=4) as connection:
            assert paced.begun.wait(TIMEOUT)
            for _ in range(3):
                if path == "/generate":
                    answer = client.post(path, **form(params=short()))
                    assert answer.text == BUSY
                else:
                    answer = client.post(path, json={"input": "Hi."})
                    assert answer.json()["error"]["message"] == BUSY
                    assert answer.json()["error"]["type"] == "server_error"
                assert answer.status_code == 503
                assert int(answer.headers["retry-after"]) >= 1
            assert client.get("/health").json() == {"status": "ok"}
            paced.let(4)
            assert len(read_to_end(connection)) > 4 * 4096 + 44
        assert idle.wait()
        paced.let(2)
        assert client.post("/generate", **form(params=short())).status_code == 200
    assert len(paced.requests) == 2
    assert idle.calls == [True, False, True, False]


def test_busy_is_the_last_check(paced: Paced, tmp_path: Path) -> None:
    with (
        serving(paced, voice_dir=tmp_path) as server,
        client_of(server) as client,
        open_live(server),
    ):
        assert paced.begun.wait(TIMEOUT)
        assert client.post("/generate", **form(None)).status_code == 400
        assert client.post("/generate", **form(params="[]")).status_code == 400
        assert client.post("/generate", **form(voice="nobody")).status_code == 404
        no_words = form(" ", params=short(segment_sentences=True))
        assert client.post("/generate", **no_words).status_code == 400
        answer = client.post("/generate", **form(reference=b"x"))
        assert answer.text.startswith("Reference audio requires")


def test_an_engine_that_works_for_its_owner_is_busy(tiny_engine: Engine, tmp_path: Path) -> None:
    with serving(tiny_engine, voice_dir=tmp_path) as server, client_of(server) as client:
        with tiny_engine._exclusive():
            for params in (short(), short(**LIVE)):
                answer = client.post("/generate", **form(params=params))
                assert (answer.status_code, answer.text) == (503, BUSY)
                assert "retry-after" in answer.headers
        assert client.post("/generate", **form(params=short())).status_code == 200


@pytest.mark.parametrize("chunked", [False, True])
@pytest.mark.parametrize("stream", [False, True])
def test_a_client_that_leaves_stops_the_work(
    paced: Paced, tmp_path: Path, chunked: bool, stream: bool
) -> None:
    idle = Idle()
    with serving(paced, idle, voice_dir=tmp_path) as server, client_of(server) as client:
        connection = open_live(server, frames=900, stream=stream, chunked=chunked)
        assert paced.begun.wait(TIMEOUT)
        paced.let(3)
        if stream and chunked:
            read_until(connection, 4096)
        connection.close()
        assert idle.wait()
        assert not server.busy
        assert paced.frames <= 3
        paced.let(8)
        assert client.post("/generate", **form(params=short())).status_code == 200


def test_a_client_that_leaves_before_its_request_is_whole(paced: Paced, tmp_path: Path) -> None:
    with serving(paced, voice_dir=tmp_path) as server, client_of(server) as client:
        host, port = server.url.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), timeout=TIMEOUT) as connection:
            connection.sendall(
                b"POST /generate HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 900\r\n"
                b"Content-Type: multipart/form-data; boundary=cut\r\n\r\n--cut\r\n"
            )
        assert client.get("/health").status_code == 200
        assert not server.busy
    assert not paced.requests


def test_a_stalled_upload_is_given_up(paced: Paced, tmp_path: Path) -> None:
    limits = Limits(body_timeout_s=0.2)
    with serving(paced, voice_dir=tmp_path, limits=limits) as server:
        host, port = server.url.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), timeout=TIMEOUT) as connection:
            connection.sendall(
                b"POST /generate HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 900\r\n"
                b"Content-Type: multipart/form-data; boundary=cut\r\n\r\n--cut\r\n"
            )
            assert b" 408 " in read_all(connection)


def test_a_client_that_does_not_read_gives_the_engine_back(paced: Paced, tmp_path: Path) -> None:
    """The engine makes more than the queue and the sockets hold; nobody reads it."""
    sound = np.zeros(1_000_000, np.float32)

    class Endless(Paced):
        def synthesize(self, request: Any, cancel: Any = None) -> Iterator[Any]:
            self.requests.append(request)
            for index in range(1000):
                yield AudioChunk(index * len(sound), sound, 44100)

    idle, limits = Idle(), Limits(stall_s=0.3, queued_chunks=2)
    endless = Endless(paced.engine)
    with serving(endless, idle, voice_dir=tmp_path, limits=limits) as server:
        with open_live(server) as connection:
            assert idle.wait()
            assert not server.busy
            data = read_all(connection)
        assert b"200 OK" in data[:100]
        assert not data.endswith(END)


@pytest.mark.parametrize("error", [RuntimeError("a wire"), GenerationError("codec decode failed")])
def test_a_failure_in_the_middle_breaks_the_stream_off(
    paced: Paced, tmp_path: Path, error: Exception
) -> None:
    paced.fail_at, paced.fail_with = 2, error
    paced.let(100)
    with serving(paced, voice_dir=tmp_path) as server, client_of(server) as client:
        with open_live(server, frames=9, low_latency=True) as connection:
            data = read_all(connection)
        assert b"Transfer-Encoding: chunked" in data
        assert len(data) > 2 * 4096
        assert not data.endswith(END)
        assert not server.busy
        with pytest.raises(httpx.RemoteProtocolError):
            client.post("/generate", **form(params=short(9, low_latency=True, **LIVE)))
        paced.fail_at = None
        assert client.post("/generate", **form(params=short())).status_code == 200


@pytest.mark.parametrize(
    ("error", "params", "message"),
    [
        (RuntimeError("/root/secret"), {}, "Synthesis failed."),
        (RuntimeError("/root/secret"), {"stream": True}, "Streaming synthesis failed."),
        (RuntimeError("/root/secret"), LIVE, "Streaming synthesis failed."),
        (GenerationError("codec decode failed"), {}, "Synthesis failed."),
        (GenerationError("codec decode failed"), LIVE, "Codec decode failed"),
        (DeviceError("out of memory"), {"segment_sentences": True}, "Out of memory"),
    ],
)
def test_a_failure_before_any_sound_has_a_status(
    paced: Paced, tmp_path: Path, error: Exception, params: dict[str, Any], message: str
) -> None:
    paced.fail_at, paced.fail_with = 0, error
    with serving(paced, voice_dir=tmp_path) as server, client_of(server) as client:
        answer = client.post("/generate", **form(params=short(**params)))
        assert (answer.status_code, answer.text) == (500, message)
        answer = client.post("/v1/audio/speech", json={"input": "Hi.", "response_format": "wav"})
        assert answer.status_code == 500
        assert answer.json()["error"]["type"] == "server_error"
        assert "secret" not in answer.text
        paced.fail_at = None
        paced.let(9)
        assert client.post("/generate", **form(params=short())).status_code == 200


def test_stopping_cancels_and_answers(tiny_engine: Engine, tmp_path: Path) -> None:
    for live in (False, True):
        paced = Paced(tiny_engine)
        server_answer: list[bytes] = []
        with serving(paced, voice_dir=tmp_path) as server:
            connection = open_live(server, frames=900, stream=live, chunked=live)
            assert paced.begun.wait(TIMEOUT)
            if live:
                paced.let(1)
                server_answer.append(read_until(connection, 4096))
        server_answer.append(read_all(connection))
        connection.close()
        data = b"".join(server_answer)
        assert not data.endswith(END)
        if not live:
            assert b" 503 " in data[:40]
            assert data.endswith(b"The server is shutting down.")
        assert not server.running
        assert not [t for t in threading.enumerate() if t.name.startswith("s2-server")]


def test_an_engine_without_a_model_answers_with_its_reason(tmp_path: Path) -> None:
    class Empty:
        @property
        def info(self) -> ModelInfo:
            raise EngineError("no model is loaded", "Load one in the window.")

    with serving(Empty(), voice_dir=tmp_path) as server, client_of(server) as client:
        assert client.get("/health").status_code == 200
        assert client.post("/generate", **form(params=short())).status_code == 500
        assert client.get("/v1/models").status_code == 500
        assert not server.busy
