"""Any value in any field: spoken or refused by the real server and engine, and it goes on.

Damaged bodies, headers and paths are the fuzzer's: ``tests/fuzz``.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from server_kit import Paced, client_of, multipart, serving

from engine.engine import Engine
from engine.server.options import Limits
from engine.types import Sampling

EXAMPLES = int(os.environ.get("S2_FUZZ_EXAMPLES", "150"))
KIND = {"content-type": "multipart/form-data; boundary=cut"}
PEER_KEYS = ["max_new_tokens", "temperature", "top_p", "top_k", "seed", "stream", "chunked",
             "voice", "voice_id", "voice_dir", "output_format", "segment_sentences",
             "sentence_pause_ms", "segment_max_chars", "stream_decode_stride",
             "stream_start_buffer_ms", "low_latency"]  # fmt: skip
OPENAI_KEYS = ["input", "voice", "model", "response_format", "stream_format", "speed", "seed",
               "temperature", "top_p", "top_k", "max_new_tokens", "sample_rate", "ref_audio",
               "ref_text", "instructions"]  # fmt: skip
any_values = settings(
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


def fault(client: httpx.Client, path: str, body: bytes, headers: dict[str, str]) -> str:
    """What is wrong with the answer to a request: a failure of the server, or nothing."""
    answer = client.post(path, content=body, headers=headers, timeout=10)
    fine = answer.status_code == 200 or 400 <= answer.status_code < 500
    return "" if fine and "Traceback" not in answer.text else answer.text


@any_values
@given(st.dictionaries(st.sampled_from(PEER_KEYS), values, max_size=6))
def test_any_params(client: httpx.Client, params: dict[str, Any]) -> None:
    text = json.dumps({"max_new_tokens": 1, **params})
    body = multipart({"text": "Hi.", "params": text})
    assert not fault(client, "/generate", body, KIND)


@any_values
@given(st.dictionaries(st.sampled_from(OPENAI_KEYS), values, max_size=6))
def test_any_json(client: httpx.Client, given_fields: dict[str, Any]) -> None:
    body = json.dumps({"max_new_tokens": 1, **given_fields}).encode()
    assert not fault(client, "/v1/audio/speech", body, {})


def test_the_server_still_speaks(client: httpx.Client, tmp_path: Path) -> None:
    body = multipart({"text": "Hi.", "params": '{"max_new_tokens": 1}'})
    assert client.post("/generate", content=body, headers=KIND).status_code == 200
