"""A body in another encoding is told which one it is in."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator

import httpx
import pytest
from server_kit import client_of, form, serving, short

from engine.engine import Engine

BODY = json.dumps({"model": "m", "input": "Grüß dich.", "max_new_tokens": 2}, ensure_ascii=False)


@pytest.fixture(scope="module")
def client(tiny_engine: Engine) -> Iterator[httpx.Client]:
    with serving(tiny_engine) as server, client_of(server) as client:
        yield client


CAUSES = [
    (BODY.encode("utf-16"), "UTF-16"),
    (BODY.encode("utf-16-le"), "UTF-16"),
    (BODY.encode("utf-16-be"), "UTF-16"),
    (BODY.encode("latin-1"), "perhaps Latin-1"),
    (gzip.compress(BODY.encode()), "gzip"),
    (b"{'input': 1}", "not valid JSON"),
    (b"", "not valid JSON"),
    (b"\xef\xbb\xbf", "not valid JSON"),
]


@pytest.mark.parametrize(("data", "words"), CAUSES, ids=range(8))
def test_the_cause_is_named(client: httpx.Client, data: bytes, words: str) -> None:
    headers = {"content-type": "application/json"}
    answer = client.post("/v1/audio/speech", content=data, headers=headers)
    assert answer.status_code == 400
    assert words in answer.json()["error"]["message"]


@pytest.mark.parametrize(("data", "words"), CAUSES[:5], ids=range(5))
def test_params_too(client: httpx.Client, data: bytes, words: str) -> None:
    answer = client.post("/generate", **form("Hi.", params=data))
    assert answer.status_code == 400
    assert words in answer.json()["error"]


def test_a_mark_in_front_is_no_fault(client: httpx.Client) -> None:
    headers = {"content-type": "application/json"}
    marked = b"\xef\xbb\xbf" + BODY.encode()
    assert client.post("/v1/audio/speech", content=marked, headers=headers).status_code == 200
    params = b"\xef\xbb\xbf" + json.dumps(short(2)).encode()
    assert client.post("/generate", **form("Hi.", params=params)).status_code == 200
