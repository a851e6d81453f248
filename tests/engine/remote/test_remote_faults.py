"""Servers that are down, refuse, are busy, answer nonsense, break off or fall silent."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from typing import Any

import numpy as np
import pytest
from remote_kit import PIECE, PIECES, Fake, Faults, faking, serving_http, tone

from engine.audio.wav import to_pcm16
from engine.cancel import CancelToken
from engine.errors import BusyError, CancelledError
from engine.remote import RemoteEngine, RemoteOptions, Timeouts
from engine.remote import errors as e
from engine.types import AudioChunk, Event, Summary, SynthesisRequest

SHORT = Timeouts(connect=2.0, reply=2.0, first=0.4, stall=0.4)
HTML = {"content-type": "text/html"}
JSON = {"content-type": "application/json"}


def engine_of(fake: Fake, **options: Any) -> RemoteEngine:
    return RemoteEngine.connect(RemoteOptions(fake.url, **options))


def heard(events: Iterator[Event]) -> tuple[np.ndarray, Exception | Summary]:
    """What came before the end, and the end."""
    chunks: list[np.ndarray] = []
    end: Exception | Summary | None = None
    try:
        for event in events:
            if isinstance(event, AudioChunk):
                chunks.append(event.samples)
            elif isinstance(event, Summary):
                end = event
    except Exception as error:
        end = error
    assert end is not None
    return np.concatenate(chunks) if chunks else np.empty(0, np.float32), end


def test_nobody_there() -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    with pytest.raises(e.ServerDownError) as caught:
        RemoteEngine.connect(RemoteOptions(f"127.0.0.1:{port}"))
    assert f"127.0.0.1:{port}" in caught.value.detail
    assert caught.value.advice


def test_an_unknown_name() -> None:
    with pytest.raises(e.ServerDownError):
        RemoteEngine.connect(RemoteOptions("http://no-such-host.invalid:1"))


@pytest.mark.parametrize(
    ("status", "headers", "body", "expected", "words"),
    [
        (401, JSON, b'{"error": "Invalid API key"}', e.ServerRefusedError, "Invalid API key"),
        (403, JSON, b'{"error": {"message": "not allowed"}}', e.ServerRefusedError, "not allowed"),
        (404, JSON, b'{"detail": "Not Found"}', e.ServerLacksError, "Not Found"),
        (413, {}, b"", e.ServerRejectedError, "413"),
        (422, JSON, b'{"detail": [{"loc": ["body", "top_k"], "msg": "too large"}]}',
         e.ServerRejectedError, "body.top_k: too large"),
        (400, JSON, b'{"error": {"message": "Input text cannot be empty", "code": 400}}',
         e.ServerRejectedError, "Input text cannot be empty"),
        (500, {"content-type": "text/plain"}, b"Synthesis failed.", e.ServerFailedError,
         "Synthesis failed."),
        (502, HTML, b"<html><h1>Bad Gateway</h1></html>", e.ServerFailedError, "502"),
        (307, {"location": "https://other.example/v1"}, b"", e.ServerReplyError,
         "https://other.example/v1"),
    ],
)  # fmt: skip
def test_answers_that_are_no_sound(
    status: int, headers: dict[str, str], body: bytes, expected: type[Exception], words: str
) -> None:
    with faking("vllm", faults=Faults(status=status, headers=headers, body=body)) as fake:
        samples, error = heard(engine_of(fake).synthesize(SynthesisRequest("Hi.")))
    assert isinstance(error, expected)
    assert words in str(error)
    assert error.advice  # type: ignore[attr-defined]
    assert error.status == status  # type: ignore[attr-defined]
    assert not len(samples)


@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_server_says_when(status: int) -> None:
    faults = Faults(status=status, headers={"retry-after": "7"}, body=b"Server busy")
    with faking("vllm", faults=faults) as fake:
        _, error = heard(engine_of(fake).synthesize(SynthesisRequest("Hi.")))
    assert isinstance(error, e.ServerBusyError)
    assert isinstance(error, BusyError)
    assert error.retry_after == 7
    assert "7 s" in error.advice


@pytest.mark.parametrize(
    ("media_type", "words"),
    [("text/html", "web page"), ("audio/mpeg", "audio/mpeg"), ("application/json", "json")],
)
def test_another_kind_of_answer(media_type: str, words: str) -> None:
    with faking("vllm", faults=Faults(media_type=media_type)) as fake:
        _, error = heard(engine_of(fake).synthesize(SynthesisRequest("Hi.")))
    assert isinstance(error, e.ServerReplyError)
    assert words in error.detail


def test_sound_that_is_no_wav() -> None:
    with faking("openai", faults=Faults(status=200, headers={"content-type": "audio/wav"},
                                        body=b"ID3 this is something else")) as fake:  # fmt: skip
        _, error = heard(engine_of(fake).synthesize(SynthesisRequest("Hi.")))
    assert isinstance(error, e.ServerReplyError)


@pytest.mark.parametrize(("kind", "old"), [("vllm", False), ("vllm", True), ("fish", False)])
def test_a_broken_stream_keeps_what_came(kind: str, old: bool) -> None:
    with faking(kind, old=old, faults=Faults(cut_after=3)) as fake:
        samples, error = heard(engine_of(fake).synthesize(SynthesisRequest("Hi.")))
    assert isinstance(error, e.StreamCutError)
    pieces = 2 if kind == "fish" else 3  # its first piece is the header
    np.testing.assert_array_equal(to_pcm16(samples), to_pcm16(tone())[: pieces * PIECE])


def test_a_stream_that_ends_without_its_last_event() -> None:
    with faking("vllm", faults=Faults(end_early=True)) as fake:
        samples, error = heard(engine_of(fake).synthesize(SynthesisRequest("Hi.")))
    assert isinstance(error, e.StreamCutError)
    assert len(samples) == PIECES * PIECE


def test_a_wav_that_is_shorter_than_its_header_tells() -> None:
    body = b"RIFF\x24\x10\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x44\xac\x00\x00"
    body += b"\x88\x58\x01\x00\x02\x00\x10\x00data\x00\x10\x00\x00" + bytes(1000)
    faults = Faults(status=200, headers={"content-type": "audio/wav"}, body=body)
    with faking("openai", faults=faults) as fake:
        samples, error = heard(engine_of(fake).synthesize(SynthesisRequest("Hi.")))
    assert isinstance(error, e.StreamCutError)
    assert len(samples) == 500


def test_an_event_that_tells_a_fault() -> None:
    with faking("vllm", faults=Faults(event_error=2)) as fake:
        samples, error = heard(engine_of(fake).synthesize(SynthesisRequest("Hi.")))
    assert isinstance(error, e.ServerFailedError)
    assert "CUDA out of memory" in error.detail
    assert len(samples) == 2 * PIECE


def test_a_server_that_sends_nothing_is_given_up() -> None:
    with faking("vllm", faults=Faults(silent_head=True)) as fake:
        engine = engine_of(fake, timeouts=SHORT)
        _, error = heard(engine.synthesize(SynthesisRequest("Hi.")))
    assert isinstance(error, e.ServerDownError)


def test_a_server_that_falls_silent_is_given_up() -> None:
    with faking("vllm", faults=Faults(silent_after=2)) as fake:
        engine = engine_of(fake, timeouts=SHORT)
        samples, error = heard(engine.synthesize(SynthesisRequest("Hi.")))
    assert isinstance(error, e.StreamCutError)
    assert len(samples) == 2 * PIECE


@pytest.mark.parametrize("pieces", [0, 2])
def test_a_cancel_closes_the_connection_at_once(pieces: int) -> None:
    faults = Faults(silent_after=pieces) if pieces else Faults(silent_head=True)
    cancel, there = CancelToken(), threading.Event()
    events: list[Event] = []
    with faking("vllm", faults=faults) as fake:
        stopper = threading.Thread(
            target=lambda: (fake.waiting.wait(10), there.wait(10), cancel.cancel())
        )
        stopper.start()
        for event in engine_of(fake).synthesize(SynthesisRequest("Hi."), cancel):
            events.append(event)
            if len(events) == 1 + pieces:
                there.set()
        stopper.join()
        begun = time.monotonic()
        assert fake.gone.wait(5), "the server did not notice"
        assert time.monotonic() - begun < 1
    summary = events[-1]
    assert isinstance(summary, Summary)
    assert summary.finish_reason == "cancelled"
    samples = [event.samples for event in events if isinstance(event, AudioChunk)]
    assert sum(map(len, samples)) == pieces * PIECE


def test_leaving_the_events_closes_the_connection() -> None:
    with faking("vllm", faults=Faults(silent_after=2)) as fake:
        events = engine_of(fake).synthesize(SynthesisRequest("Hi."))
        next(events)
        next(events)
        assert fake.waiting.wait(10)
        events.close()  # type: ignore[attr-defined]
        assert fake.gone.wait(5)


def test_a_cancel_while_connecting() -> None:
    cancel = CancelToken()
    cancel.cancel()
    with faking("vllm") as fake, pytest.raises(CancelledError):
        RemoteEngine.connect(RemoteOptions(fake.url), cancel=cancel)


def test_a_key_is_sent_and_never_told(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    with faking("vllm", key="sk-secret-7") as fake:
        options = RemoteOptions(fake.url, api_key="sk-secret-7")
        assert "sk-secret-7" not in repr(options)
        samples, end = heard(RemoteEngine.connect(options).synthesize(SynthesisRequest("Hi.")))
        assert isinstance(end, Summary)
        assert len(samples) == PIECES * PIECE
        with pytest.raises(e.ServerRefusedError) as caught:
            RemoteEngine.connect(RemoteOptions(fake.url, api_key="sk-wrong-8"))
        assert caught.value.status == 401
        assert "sk-" not in str(caught.value)
        with pytest.raises(e.ServerRefusedError):
            RemoteEngine.connect(RemoteOptions(fake.url))
    assert set(fake.seen_keys) == {"Bearer sk-secret-7", "Bearer sk-wrong-8", ""}
    assert "sk-secret" not in caplog.text
    assert "sk-wrong" not in caplog.text


def page_handler(body: bytes, media_type: str) -> type[BaseHTTPRequestHandler]:
    class Page(BaseHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            """Tests print nothing."""

        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-type", media_type)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    return Page


def test_a_website_is_no_speech_server() -> None:
    with (
        serving_http(page_handler(b"<html>Welcome</html>", "text/html")) as url,
        pytest.raises(e.ServerReplyError, match="web page"),
    ):
        RemoteEngine.connect(RemoteOptions(url))


def test_some_other_api_is_no_speech_server() -> None:
    with (
        serving_http(page_handler(b'{"hello": "world"}', "application/json")) as url,
        pytest.raises(e.ServerLacksError, match="no speech API"),
    ):
        RemoteEngine.connect(RemoteOptions(url))


def test_an_endless_list_does_not_fill_the_memory() -> None:
    body = b'{"data": [' + b'{"id": "x"},' * 800_000 + b"]}"
    with (
        serving_http(page_handler(body, "application/json")) as url,
        pytest.raises(e.RemoteError),
    ):
        RemoteEngine.connect(RemoteOptions(url))
