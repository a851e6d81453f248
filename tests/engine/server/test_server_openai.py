"""OpenAI's speech endpoint: formats, events, errors, as its clients know them."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from server_kit import Paced, client_of, kit_voice, read_sound, serving

from engine.audio.resample import StreamResampler
from engine.audio.wav import to_pcm16, wav_header
from engine.engine import Engine
from engine.server.options import Limits
from engine.types import Sampling, Segmentation, SynthesisRequest
from engine.voices import VoiceProfile

WORDS = "The morning train was late, so we waited by the river."
SPEECH = "/v1/audio/speech"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory, golden_file: Any) -> Path:
    folder = tmp_path_factory.mktemp("voices")
    kit_voice(golden_file, folder)
    return folder


@pytest.fixture(scope="module")
def client(tiny_engine: Engine, root: Path) -> Iterator[httpx.Client]:
    sampling = Sampling(max_new_tokens=4, min_tokens_before_end=4)
    with (
        serving(tiny_engine, voice_dir=root, sampling=sampling) as server,
        client_of(server) as client,
    ):
        yield client


def body(**given: Any) -> dict[str, Any]:
    return {"json": {"model": "tts-1", "input": "Hi.", "voice": "default", "seed": 3, **given}}


def expected(engine: Engine, voice: VoiceProfile | None = None) -> np.ndarray:
    sampling = Sampling(max_new_tokens=4, min_tokens_before_end=4, seed=3)
    references = () if voice is None else (voice,)
    return engine.render(SynthesisRequest("Hi.", references, sampling)).samples


@pytest.mark.parametrize(
    ("kind", "media_type", "container"),
    [
        ("mp3", "audio/mpeg", "MP3"),
        (None, "audio/mpeg", "MP3"),
        ("opus", "audio/ogg", "OGG"),
        ("flac", "audio/flac", "FLAC"),
        ("wav", "audio/wav", "WAV"),
    ],
)
def test_formats(
    client: httpx.Client, tiny_engine: Engine, kind: str | None, media_type: str, container: str
) -> None:
    answer = client.post(SPEECH, **body(response_format=kind))
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == media_type
    assert answer.headers["x-seed"] == "3"
    samples, info = read_sound(answer.content)
    assert info.format == container
    assert abs(len(samples) / info.samplerate - 4 * 2048 / 44100) < 0.03
    if kind in ("flac", "wav"):
        exact = to_pcm16(expected(tiny_engine)) / 32768
        np.testing.assert_array_equal(samples, exact.astype(np.float32))


def test_wav_and_pcm_are_sent_while_they_are_made(
    client: httpx.Client, tiny_engine: Engine
) -> None:
    wav = client.post(SPEECH, **body(response_format="wav"))
    assert wav.headers["transfer-encoding"] == "chunked"
    assert wav.content[:44] == wav_header(44100)
    raw = client.post(SPEECH, **body(response_format="pcm"))
    assert raw.headers["transfer-encoding"] == "chunked"
    assert raw.headers["content-type"] == "audio/pcm"
    assert raw.headers["x-audio-sample-rate"] == "24000"
    samples = np.frombuffer(raw.content, "<i2") / 32768
    stream = StreamResampler(44100, 24000)
    whole = np.concatenate([stream.push(expected(tiny_engine)), stream.flush()])
    assert len(samples) == len(whole)
    assert np.abs(samples - whole).max() < 2 / 32768
    native = client.post(SPEECH, **body(response_format="pcm", sample_rate=44100))
    assert native.content == wav.content[44:]


@pytest.mark.parametrize("kind", ["wav", "pcm", "mp3", "opus", "flac"])
def test_events(client: httpx.Client, kind: str) -> None:
    plain = client.post(SPEECH, **body(response_format=kind)).content
    answer = client.post(SPEECH, **body(response_format=kind, stream_format="sse"))
    assert answer.headers["content-type"] == "text/event-stream"
    blocks = answer.text.removesuffix("\n\n").split("\n\n")
    events = []
    for block in blocks:
        kind_line, data_line = block.split("\n")
        event = json.loads(data_line.removeprefix("data: "))
        assert kind_line == f"event: {event['type']}"
        events.append(event)
    assert [event["type"] for event in events[:-1]] == ["speech.audio.delta"] * (len(events) - 1)
    assert b"".join(base64.b64decode(event["audio"]) for event in events[:-1]) == plain
    usage = events[-1]["usage"]
    assert events[-1]["type"] == "speech.audio.done"
    assert usage["output_tokens"] == 4
    assert usage["total_tokens"] == usage["input_tokens"] + 4


def test_a_failure_among_events_is_an_event(tiny_engine: Engine, root: Path) -> None:
    paced = Paced(tiny_engine, fail_at=2)
    paced.let(99)
    given = body(response_format="wav", stream_format="sse", max_new_tokens=8)
    with serving(paced, voice_dir=root) as server, client_of(server) as client:
        text = client.post(SPEECH, **given).text
    last = text.removesuffix("\n\n").split("\n\n")[-1].split("\n")
    assert last[0] == "event: error"
    error = json.loads(last[1].removeprefix("data: "))["error"]
    assert error["message"] == "Streaming synthesis failed."
    assert "speech.audio.done" not in text


@pytest.mark.parametrize(
    ("given", "param"),
    [
        ({"input": None}, "input"),
        ({"input": 3}, "input"),
        ({"input": " \n"}, "input"),
        ({"response_format": "aac"}, "response_format"),
        ({"response_format": ["wav"]}, "response_format"),
        ({"stream_format": "websocket"}, "stream_format"),
        ({"speed": 1.5}, "speed"),
        ({"speed": "fast"}, "speed"),
        ({"speed": True}, "speed"),
        ({"voice": 7}, "voice"),
        ({"voice": {"name": "x"}}, "id"),
        ({"voice": "../x.s2voice"}, "voice"),
        ({"sample_rate": 3}, "sample_rate"),
        ({"ref_audio": "https://example.com/a.wav", "ref_text": "x"}, "ref_audio"),
        ({"ref_audio": "%%%", "ref_text": "x"}, "ref_audio"),
        ({"ref_audio": "AAAA"}, "ref_text"),
        ({"seed": "x"}, None),
        ({"temperature": 9}, None),
        ({"top_k": []}, None),
    ],
)
def test_refusals(client: httpx.Client, given: dict[str, Any], param: str | None) -> None:
    answer = client.post(SPEECH, **body(**given))
    assert answer.status_code == 400, answer.text
    error = answer.json()["error"]
    assert set(error) == {"message", "type", "param", "code"}
    assert error["type"] == "invalid_request_error"
    assert error["param"] == param
    assert error["message"]


def test_half_a_character_is_refused(client: httpx.Client) -> None:
    answer = client.post(SPEECH, content=b'{"input": "\\ud800"}')
    assert answer.status_code == 400
    assert answer.json()["error"]["param"] == "input"


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff", b"[" * 100_000, b'{"a": NaN}'])
def test_bodies_that_are_no_json_object(client: httpx.Client, content: bytes) -> None:
    answer = client.post(SPEECH, content=content, headers={"content-type": "application/json"})
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == "invalid_json"


def test_what_is_ignored_is_said(client: httpx.Client) -> None:
    answer = client.post(SPEECH, **body(instructions="whisper", speed=1.0, language="en"))
    assert answer.status_code == 200
    assert answer.headers["x-ignored-parameters"] == "instructions"
    assert "x-ignored-parameters" not in client.post(SPEECH, **body(instructions=None)).headers


def test_voices(client: httpx.Client, tiny_engine: Engine, root: Path) -> None:
    wanted = to_pcm16(expected(tiny_engine, VoiceProfile.load(root / "hope.s2voice"))).tobytes()
    for voice in ("hope", {"id": "hope"}):
        given = body(voice=voice, response_format="pcm", sample_rate=44100)
        assert client.post(SPEECH, **given).content == wanted
    answer = client.post(SPEECH, **body(voice="alloy"))
    assert answer.status_code == 404
    assert answer.json()["error"]["code"] == "voice_not_found"


def test_a_recording_in_the_request(
    client: httpx.Client, tiny_engine: Engine, golden_file: Any
) -> None:
    clip = Path(golden_file("ref-mono-44k1.flac"))
    voice = tiny_engine.encode_reference(clip, WORDS)
    wanted = to_pcm16(expected(tiny_engine, voice)).tobytes()
    coded = base64.b64encode(clip.read_bytes()).decode()
    for audio in (coded, f"data:audio/flac;base64,{coded}"):
        given = body(ref_audio=audio, ref_text=WORDS, response_format="pcm", sample_rate=44100)
        assert client.post(SPEECH, **given).content == wanted
    broken = base64.b64encode(b"no sound at all").decode()
    answer = client.post(SPEECH, **body(ref_audio=broken, ref_text=WORDS))
    assert answer.status_code == 400
    assert "cannot be read as audio" in answer.json()["error"]["message"]


def test_long_text_is_spoken_in_pieces(tiny_engine: Engine, root: Path) -> None:
    paced = Paced(tiny_engine)
    paced.let(10_000)
    sampling = Sampling(max_new_tokens=1)
    with (
        serving(paced, voice_dir=root, sampling=sampling) as server,
        client_of(server) as client,
    ):
        text = "This sentence is spoken in about three seconds, more or less. " * 12
        assert client.post(SPEECH, **body(input=text)).status_code == 200
        assert client.post(SPEECH, **body(input="Short.")).status_code == 200
    assert [request.segmentation for request in paced.requests] == [
        Segmentation(sentences=True),
        Segmentation(),
    ]


def test_models(client: httpx.Client) -> None:
    listed = client.get("/v1/models").json()
    assert listed["object"] == "list"
    (model,) = listed["data"]
    assert model["id"] == "tiny-f32"
    assert client.get("/v1/models/tiny-f32").json() == model
    missing = client.get("/v1/models/gpt-9")
    assert missing.status_code == 404
    assert missing.json()["error"]["code"] == "model_not_found"


def test_limits(tiny_engine: Engine, root: Path) -> None:
    limits = Limits(text_chars=10, reference_bytes=999)
    with (
        serving(tiny_engine, voice_dir=root, limits=limits) as server,
        client_of(server) as client,
    ):
        answer = client.post(SPEECH, **body(input="x" * 11))
        assert answer.status_code == 413
        assert answer.json()["error"]["code"] == "string_above_max_length"
        audio = base64.b64encode(bytes(1200)).decode()
        answer = client.post(SPEECH, **body(ref_audio=audio, ref_text="x"))
        assert (answer.status_code, answer.json()["error"]["code"]) == (413, "too_large")
        answer = client.post(SPEECH, content=bytes(2 * 2**20))
        assert (answer.status_code, answer.json()["error"]["code"]) == (413, "too_large")


def test_other_paths_and_methods(client: httpx.Client) -> None:
    assert client.get(SPEECH).status_code == 405
    assert client.get("/v1/nothing").json()["error"]["type"] == "invalid_request_error"
