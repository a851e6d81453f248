"""Bodies that nobody meant: always a refusal, never an error of ours, never a hang."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from server_kit import Paced, client_of, multipart, serving

from engine.engine import Engine
from engine.server.options import Limits
from engine.types import Sampling

EXAMPLES = int(os.environ.get("S2_FUZZ_EXAMPLES", "150"))
KIND = {"content-type": "multipart/form-data; boundary=cut"}
GOOD = multipart({"text": "Hi.", "params": '{"max_new_tokens": 1}', "voice": "nobody"})
PEER_KEYS = ["max_new_tokens", "temperature", "top_p", "top_k", "seed", "stream", "chunked",
             "voice", "voice_id", "voice_dir", "output_format", "segment_sentences",
             "sentence_pause_ms", "segment_max_chars", "stream_decode_stride",
             "stream_start_buffer_ms", "low_latency"]  # fmt: skip
OPENAI_KEYS = ["input", "voice", "model", "response_format", "stream_format", "speed", "seed",
               "temperature", "top_p", "top_k", "max_new_tokens", "sample_rate", "ref_audio",
               "ref_text", "instructions"]  # fmt: skip
fuzz = settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=4,
)


@pytest.fixture(scope="module")
def client(tiny_engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    paced = Paced(tiny_engine)
    paced.let(10**6)
    options = {
        "voice_dir": tmp_path_factory.mktemp("voices"),
        "sampling": Sampling(max_new_tokens=1),
        # A form whose length is a lie must end too.
        "limits": Limits(body_timeout_s=1.0, reference_bytes=100_000),
    }
    with serving(paced, **options) as server, client_of(server) as client:
        yield client


def check(answer: httpx.Response) -> None:
    assert answer.status_code == 200 or 400 <= answer.status_code < 500, answer.text
    assert "Traceback" not in answer.text


def post(client: httpx.Client, path: str, body: bytes, headers: dict[str, str]) -> None:
    check(client.post(path, content=body, headers=headers, timeout=10))


@fuzz
@given(st.binary(max_size=400))
@example(b"")
@example(b"--cut--")
@example(b"--cut\r\n\r\n\r\n--cut--")
@example(b'--cut\r\nContent-Disposition: form-data; name="text"\r\n\r\nHi.')
@example(b"--cut\r\n" + b"A: b\r\n" * 5000)
@example(b"--cut\r\n" + b"A" * 100_000 + b": b\r\n\r\n--cut--")
def test_any_bytes_as_a_form(client: httpx.Client, body: bytes) -> None:
    post(client, "/generate", body, KIND)


@fuzz
@given(st.data())
def test_a_damaged_form(client: httpx.Client, data: st.DataObject) -> None:
    body = bytearray(GOOD)
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(body) - 1))
        match data.draw(st.sampled_from(["set", "cut", "double", "insert"])):
            case "set":
                body[at] = data.draw(st.integers(0, 255))
            case "cut":
                del body[at : at + data.draw(st.integers(1, 40))]
            case "double":
                body[at:at] = body[at : at + 60]
            case _:
                body[at:at] = data.draw(st.binary(max_size=9))
        if not body:
            break
    post(client, "/generate", bytes(body), KIND)


@fuzz
@given(st.dictionaries(st.sampled_from(PEER_KEYS), values, max_size=6))
def test_any_params(client: httpx.Client, params: dict[str, Any]) -> None:
    text = json.dumps({"max_new_tokens": 1, **params})
    post(client, "/generate", multipart({"text": "Hi.", "params": text}), KIND)


@fuzz
@given(st.text(max_size=60).map(lambda text: text.encode("utf-8")) | st.binary(max_size=60))
@example(b"multipart/form-data")
@example(b"multipart/form-data; boundary=")
@example(b"multipart/form-data; boundary=" + b"x" * 400)
@example(b'multipart/form-data; boundary="cut')
@example(b"multipart/form-data; boundary*=utf-8''cut; charset=none")
def test_any_content_type(client: httpx.Client, kind: bytes) -> None:
    headers = [(b"content-type", bytes(b for b in kind if b > 31 and b != 127).strip())]
    check(client.post("/generate", content=GOOD, headers=headers, timeout=10))


@fuzz
@given(st.dictionaries(st.sampled_from(OPENAI_KEYS), values, max_size=6))
@example({"input": "Hi.", "seed": 10**400})
@example({"input": "Hi.", "temperature": 10**400})
@example({"input": "Hi.", "voice": {"id": "\x00.s2voice"}})
@example({"input": "Hi.", "voice": "\x00/x.s2voice"})
def test_any_json(client: httpx.Client, given_fields: dict[str, Any]) -> None:
    body = json.dumps({"max_new_tokens": 1, **given_fields}).encode()
    post(client, "/v1/audio/speech", body, {})


@fuzz
@given(st.binary(max_size=200))
def test_any_bytes_as_json(client: httpx.Client, body: bytes) -> None:
    post(client, "/v1/audio/speech", body, {})


@fuzz
@given(st.text(min_size=1, max_size=30), st.sampled_from(["GET", "POST", "DELETE", "PUT", "HEAD"]))
def test_any_path(client: httpx.Client, path: str, method: str) -> None:
    address = f"/{path.encode('utf-8', 'replace').hex('%', 1)}"
    check(client.request(method, address.replace("/", "/%", 1), timeout=10))


def test_the_server_still_speaks(client: httpx.Client, tmp_path: Path) -> None:
    body = multipart({"text": "Hi.", "params": '{"max_new_tokens": 1}'})
    assert client.post("/generate", content=body, headers=KIND).status_code == 200
