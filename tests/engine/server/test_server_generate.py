"""``POST /generate`` over real HTTP: the modes, the texts of refusals, the aliases."""

from __future__ import annotations

import itertools
import json
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from media_kit import speech_like, write_media
from server_kit import client_of, form, kit_voice, read_sound, serving, short

from engine.audio.wav import to_pcm16, wav_header
from engine.engine import Engine
from engine.types import Sampling, SynthesisRequest

WORDS = "The morning train was late, so we waited by the river."


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory, golden_file: Any) -> Path:
    folder = tmp_path_factory.mktemp("voices")
    kit_voice(golden_file, folder)
    (folder / "damaged.s2voice").write_bytes(b"S2VOICE\0" + bytes(40))
    return folder


@pytest.fixture(scope="module")
def client(tiny_engine: Engine, root: Path) -> Iterator[httpx.Client]:
    with serving(tiny_engine, voice_dir=root) as server, client_of(server) as client:
        yield client


def spoken(engine: Engine, frames: int, text: str = "Hello there.") -> np.ndarray:
    sampling = Sampling(max_new_tokens=frames, min_tokens_before_end=frames, seed=3)
    return engine.render(SynthesisRequest(text, sampling=sampling)).samples


def test_one_shot_is_a_float_wav_of_what_the_engine_says(
    client: httpx.Client, tiny_engine: Engine
) -> None:
    answer = client.post("/generate", **form(params=short(5)))
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "audio/wav"
    assert answer.headers["x-seed"] == "3"
    assert answer.headers["x-finish-reason"] == "length"
    samples, info = read_sound(answer.content)
    assert info.subtype == "FLOAT"
    np.testing.assert_array_equal(samples, spoken(tiny_engine, 5))


@pytest.mark.parametrize(
    ("stream", "segment", "chunked", "kind"),
    list(itertools.product([False, True], [False, True], [False, True], ["wav", "PCM_S16LE"])),
)
def test_every_mode(
    client: httpx.Client, stream: bool, segment: bool, chunked: bool, kind: str
) -> None:
    params = short(stream=stream, segment_sentences=segment, chunked=chunked, output_format=kind)
    answer = client.post("/generate", **form("One two. Three four.", params=params))
    assert answer.status_code == 200, answer.text
    streaming, raw = stream or segment, kind != "wav" and (stream or segment)
    headers, body = answer.headers, answer.content
    ending = "pcm" if raw else "wav"
    assert headers["content-disposition"] == f'attachment; filename="generated_audio.{ending}"'
    assert int(headers["x-request-start"]) > 1_700_000_000_000
    assert headers["x-seed"] == "3"
    assert ("x-audio-sample-rate" in headers) == raw
    if raw:
        assert headers["content-type"] == "audio/L16; rate=44100; channels=1"
        assert headers["x-audio-channels"] == "1"
        assert headers["x-audio-encoding"] == "pcm_s16le"
    else:
        assert headers["content-type"] == "audio/wav"
    live = streaming and chunked
    assert ("transfer-encoding" in headers) == live
    assert ("content-length" in headers) != live
    assert ("x-finish-reason" in headers) != live
    frames = 2 * 2048 * (2 if segment else 1) + (7938 if segment else 0)
    if raw:
        assert len(body) == 2 * frames
    elif live:
        assert body[:44] == wav_header(44100)
        assert len(body) == 44 + 2 * frames
    else:
        width = 2 if streaming else 4
        assert len(body) == 44 + width * frames
        assert struct.unpack("<I", body[4:8])[0] == len(body) - 8
        assert struct.unpack("<I", body[40:44])[0] == len(body) - 44


@pytest.mark.parametrize("chunked", [False, True])
def test_streams_are_the_one_shot_in_16_bits(
    client: httpx.Client, tiny_engine: Engine, chunked: bool
) -> None:
    params = short(7, stream=True, chunked=chunked, output_format="s16le")
    body = client.post("/generate", **form(params=params)).content
    assert body == to_pcm16(spoken(tiny_engine, 7)).tobytes()


def test_realtime_is_read_last(client: httpx.Client) -> None:
    for params, live in (
        (short(chunked=True, realtime=False, stream=True), False),
        (short(chunked=False, realtime=True, stream=True), True),
        (short(realtime=True), False),
    ):
        headers = client.post("/generate", **form(params=params)).headers
        assert ("transfer-encoding" in headers) == live, params


def as_error(message: str) -> dict[str, str]:
    return {"error": message}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (form(None), "No text field in multipart form"),
        (form("  \n"), "No text field in multipart form"),
        ({"json": {"text": "hi"}}, "No text field in multipart form"),
        ({"content": b""}, "No text field in multipart form"),
        (form(params="{"), "JSON parse error"),
        (form(params=""), "JSON parse error"),
        (form(params='{"top_k": NaN}'), "JSON parse error"),
        (form(params="[" * 20_000), "JSON parse error"),
        (form(params="[]"), "Params JSON must be an object"),
        (form(params="3"), "Params JSON must be an object"),
        (form(None, params="{"), "No text field in multipart form"),
        (form(params="{", voice="nobody"), "JSON parse error"),
    ],
)
def test_refusals_in_json(client: httpx.Client, given: dict[str, Any], message: str) -> None:
    answer = client.post("/generate", **given)
    assert answer.status_code == 400
    assert answer.json() == as_error(message)
    assert int(answer.headers["x-request-start"]) > 0


@pytest.mark.parametrize(
    "params",
    [
        {"top_k": "x"}, {"top_k": None}, {"top_k": 1.5}, {"top_k": True}, {"temperature": "hot"},
        {"temperature": 1e999}, {"temperature": 2}, {"stream": 1}, {"output_format": 3},
        {"voice": 7}, {"seed": -1}, {"seed": 2**64}, {"sentence_pause_ms": 10**7},
        {"n_threads": "many"}, {"verbose": 0}, {"codec_follow_backend": 1},
    ],
)  # fmt: skip
def test_params_of_a_wrong_kind(client: httpx.Client, params: dict[str, Any]) -> None:
    text = json.dumps(params).replace("Infinity", "1e999")
    answer = client.post("/generate", **form(params=text))
    assert answer.status_code == 400
    assert answer.json()["error"].startswith("Invalid params JSON: ")


def test_unknown_params_and_peer_switches_are_accepted(client: httpx.Client) -> None:
    params = short(unknown=1, n_threads=3, verbose=False, codec_auto_backend=True, top_k=-4,
                   temperature=-1, top_p=0)  # fmt: skip
    assert client.post("/generate", **form(params=params)).status_code == 200


@pytest.mark.parametrize("name", ["reference", "reference_audio", "prompt_audio", "ref_audio"])
def test_a_reference_needs_its_transcript(
    client: httpx.Client, golden_file: Any, name: str
) -> None:
    clip = Path(golden_file("ref-mono-44k1.flac")).read_bytes()
    answer = client.post("/generate", **form(**{name: clip, "reference_text": " "}))
    assert answer.status_code == 400
    assert answer.headers["content-type"].startswith("text/plain")
    expected = "Reference audio requires reference_text (aliases: ref_text, prompt_text)."
    assert answer.text == expected


def test_a_phones_recording_is_a_reference(client: httpx.Client, tmp_path: Path) -> None:
    clip = write_media(tmp_path / "a.m4a", [speech_like(1.5)], container="ipod").read_bytes()
    fields = {"reference": clip, "reference_text": WORDS, "params": short()}
    assert client.post("/generate", **form(**fields)).status_code == 200
    damaged = client.post("/generate", **form(**{**fields, "reference": clip[:600]}))
    assert damaged.status_code == 400
    assert "MPEG-4" in damaged.text


def test_an_empty_reference_counts_as_absent(client: httpx.Client) -> None:
    assert client.post("/generate", **form(reference=b"", params=short())).status_code == 200


def test_nothing_to_segment(client: httpx.Client) -> None:
    answer = client.post("/generate", **form(" \n ", params=short(segment_sentences=True)))
    assert answer.status_code == 400
    assert answer.text == "Text did not produce any non-empty segments."


def test_the_order_of_checks(client: httpx.Client) -> None:
    segments = short(segment_sentences=True)
    answer = client.post("/generate", **form(" ", voice="nobody", params=segments))
    assert answer.status_code == 404
    answer = client.post("/generate", **form(" ", reference=b"RIFF", params=segments))
    assert answer.text.startswith("Reference audio requires")


def test_cloning_from_a_recording_equals_the_engine(
    client: httpx.Client, tiny_engine: Engine, golden_file: Any
) -> None:
    clip = golden_file("ref-mono-44k1.flac")
    voice = tiny_engine.encode_reference(clip, WORDS)
    sampling = Sampling(max_new_tokens=3, min_tokens_before_end=3, seed=3)
    expected = tiny_engine.render(SynthesisRequest("Hi.", (voice,), sampling)).samples
    data = Path(clip).read_bytes()
    fields = {"reference": b"", "reference_audio": data, "ref_text": WORDS, "params": short(3)}
    for text_field in ("ref_text", "prompt_text"):
        given = {**fields, text_field: WORDS}
        samples, _ = read_sound(client.post("/generate", **form("Hi.", **given)).content)
        np.testing.assert_array_equal(samples, expected)


def test_transcript_aliases_have_an_order(
    client: httpx.Client, tiny_engine: Engine, golden_file: Any
) -> None:
    clip = Path(golden_file("ref-mono-44k1.flac"))
    texts = {"prompt_text": "three", "ref_text": "two", "reference_text": "one"}
    voice = tiny_engine.encode_reference(clip, "one")
    sampling = Sampling(max_new_tokens=2, min_tokens_before_end=2, seed=3)
    expected = tiny_engine.render(SynthesisRequest("Hi.", (voice,), sampling)).samples
    given = form("Hi.", reference=clip.read_bytes(), params=short(), **texts)
    samples, _ = read_sound(client.post("/generate", **given).content)
    np.testing.assert_array_equal(samples, expected)


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"voice": "hope"}, 200),
        ({"voice_id": "hope"}, 200),
        ({"voice_profile": "hope.s2voice"}, 200),
        ({"voice": "nobody"}, 404),
        ({"voice": "hope", "params": short(voice="nobody")}, 404),
        ({"voice": "nobody", "params": short(voice="hope")}, 200),
        ({"voice": "nobody", "params": short(voice="nobody", voice_id="hope")}, 200),
        ({"voice": "hope", "params": short(voice="hope", voice_id="nobody")}, 404),
        ({"voice": "damaged"}, 400),
    ],
)
def test_voices_and_their_precedence(
    client: httpx.Client, fields: dict[str, Any], status: int
) -> None:
    answer = client.post("/generate", **form(**{"params": short(), **fields}))
    assert answer.status_code == status, answer.text
    if status != 200:
        assert answer.headers["content-type"].startswith("text/plain")


def test_an_undecodable_reference_is_the_clients_fault(client: httpx.Client) -> None:
    given = form(reference=b"this is no sound", reference_text="hm", params=short())
    answer = client.post("/generate", **given)
    assert answer.status_code == 400
    assert "cannot be read as audio" in answer.text
    assert "/tmp" not in answer.text


def test_the_server_has_defaults_of_its_own(tiny_engine: Engine, root: Path) -> None:
    sampling = Sampling(max_new_tokens=4, min_tokens_before_end=4, seed=3)
    with (
        serving(tiny_engine, voice_dir=root, sampling=sampling, voice="hope") as server,
        client_of(server) as client,
    ):
        samples, _ = read_sound(client.post("/generate", **form()).content)
    from engine.voices import VoiceProfile

    voice = VoiceProfile.load(root / "hope.s2voice")
    request = SynthesisRequest("Hello there.", (voice,), sampling)
    np.testing.assert_array_equal(samples, tiny_engine.render(request).samples)
