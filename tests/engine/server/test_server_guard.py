"""Who may call: hosts, web pages, sizes; and the document and page that describe the server."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from server_kit import Paced, client_of, form, serving, short

from engine.engine import Engine
from engine.server.app import make_routes
from engine.server.documents import openapi_document, page
from engine.server.guard import host_name
from engine.server.options import Limits, ServerOptions
from engine.server.params import GenerateParams, parse_params, read_sampling, read_words
from engine.server.queue import SynthesisQueue
from engine.server.replies import ApiError
from engine.server.speech import FORMATS, IGNORED, parse_speech

PAGE_OF_OTHERS = {"origin": "https://example.com"}


@pytest.fixture
def paced(tiny_engine: Engine) -> Paced:
    paced = Paced(tiny_engine)
    paced.let(10_000)
    return paced


@pytest.fixture
def client(paced: Paced, tmp_path: Path) -> Iterator[httpx.Client]:
    with serving(paced, voice_dir=tmp_path) as server, client_of(server) as client:
        yield client


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1", 200), ("127.0.0.1:99", 200), ("localhost", 200), ("LOCALHOST:3030", 200),
        ("[::1]:3030", 200), ("192.168.1.7", 200), ("localhost.", 200), ("evil.example", 403),
        ("evil.example:3030", 403), ("127.0.0.1.evil.example", 403),
        ("localhost.evil.example", 403),
        ("a@localhost", 403), ("localhost/x", 403), ("[::1", 403), ("", 403), ("127.0.0.1:x", 403),
    ],
)  # fmt: skip
def test_host_names(client: httpx.Client, host: str, status: int) -> None:
    assert client.get("/health", headers={"host": host}).status_code == status


def test_a_foreign_host_reaches_nothing(client: httpx.Client, paced: Paced) -> None:
    answer = client.post("/generate", headers={"host": "evil.example"}, **form(params=short()))
    assert answer.status_code == 403
    assert "--allow-host" in answer.json()["error"]
    assert int(answer.headers["x-request-start"]) > 0
    given = {"json": {"input": "Hi."}, "headers": {"host": "evil.example"}}
    assert client.post("/v1/audio/speech", **given).json()["error"]["code"] == "host_not_allowed"
    assert not paced.requests


def test_allowed_hosts(paced: Paced, tmp_path: Path) -> None:
    for allowed, status in ((("studio.lan",), 200), (("*",), 200), (("other",), 403)):
        with (
            serving(paced, voice_dir=tmp_path, allowed_hosts=allowed) as server,
            client_of(server) as client,
        ):
            answer = client.get("/health", headers={"host": "Studio.LAN:1234"})
            assert answer.status_code == status


def test_host_names_are_taken_apart() -> None:
    assert host_name("[2001:db8::1]:80") == "2001:db8::1"
    assert host_name("Name.:80") == "name"
    assert host_name(":80") is None


def test_pages_of_others_are_refused(client: httpx.Client, paced: Paced) -> None:
    for origin in ("https://example.com", "null", "http://localhost:1", "http://127.0.0.1"):
        answer = client.post("/generate", headers={"origin": origin}, **form(params=short()))
        assert answer.status_code == 403, origin
    assert client.delete("/voices/x", headers=PAGE_OF_OTHERS).status_code == 403
    assert not paced.requests
    own = str(client.base_url).rstrip("/")
    assert client.get("/health", headers={"origin": own}).status_code == 200


def test_allowed_pages_get_the_headers_that_browsers_ask_for(paced: Paced, tmp_path: Path) -> None:
    with (
        serving(paced, voice_dir=tmp_path, allowed_origins=("https://example.com",)) as server,
        client_of(server) as client,
    ):
        answer = client.post(
            "/v1/audio/speech",
            headers=PAGE_OF_OTHERS,
            json={"input": "Hi.", "response_format": "pcm", "max_new_tokens": 1},
        )
        assert answer.status_code == 200
        assert answer.headers["access-control-allow-origin"] == "https://example.com"
        ask = {**PAGE_OF_OTHERS, "access-control-request-method": "POST",
               "access-control-request-headers": "content-type"}  # fmt: skip
        assert client.options("/v1/audio/speech", headers=ask).status_code == 200
        other = {"origin": "https://example.org"}
        assert client.get("/health", headers=other).status_code == 403


@pytest.mark.parametrize(
    ("fields", "what"),
    [
        ({"text": "x" * 101}, "The field text"),
        ({"text": "é" * 101}, "The field text"),
        ({"text": "é" * 100}, ""),
        ({"params": json.dumps(short()) + " " * 2000}, "The params field"),
        ({"reference": bytes(5001), "reference_text": "x"}, "The reference audio"),
        ({"reference": bytes(2_000_000), "reference_text": "x"}, "The re"),
        ({"reference_text": "x" * 401}, "The field reference_text"),
    ],
)
def test_limits_of_fields(paced: Paced, tmp_path: Path, fields: dict[str, Any], what: str) -> None:
    limits = Limits(text_chars=100, params_bytes=1024, reference_bytes=5000)
    given = {"params": short(), **fields}
    text = given.pop("text", "Hi.")
    with (
        serving(paced, voice_dir=tmp_path, limits=limits) as server,
        client_of(server) as client,
    ):
        answer = client.post("/generate", **form(text, **given))
        assert answer.status_code == (413 if what else 200), answer.text
        assert answer.text.startswith(what or "RIFF")
        assert client.get("/health").status_code == 200


def test_a_body_without_a_length_is_counted_while_it_comes(paced: Paced, tmp_path: Path) -> None:
    sent = 0

    def endless() -> Iterator[bytes]:
        nonlocal sent
        yield b'--cut\r\nContent-Disposition: form-data; name="other"\r\n\r\n'
        while sent < 1000:
            sent += 1
            yield bytes(2**20)

    limits = Limits(reference_bytes=5000)
    kind = {"content-type": "multipart/form-data; boundary=cut"}
    with (
        serving(paced, voice_dir=tmp_path, limits=limits) as server,
        client_of(server) as client,
    ):
        answer = client.post("/generate", content=endless(), headers=kind)
        assert answer.status_code == 413
    assert sent < 200


def test_uploads_leave_no_files(
    paced: Paced, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, golden_file: Any
) -> None:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    clip = Path(golden_file("ref-mono-44k1.flac")).read_bytes()
    cases = (
        form(reference=clip, reference_text="hm", params=short()),
        form(reference=clip, reference_text=" "),
        form(reference=clip, ref_audio=clip, reference_text="hm", params="["),
        form(reference=b"no sound", reference_text="hm", params=short()),
        form(None, reference=clip),
    )
    with serving(paced, voice_dir=tmp_path) as server, client_of(server) as client:
        for given in cases:
            client.post("/generate", **given)
    assert list(folder.iterdir()) == []


def test_the_document_describes_exactly_the_routes(paced: Paced) -> None:
    queue = SynthesisQueue(paced, Limits())
    routes = {
        (route.path.replace(":path", ""), method.lower())
        for route in make_routes(queue, ServerOptions())
        if route.include_in_schema
        for method in (route.methods or set()) - {"HEAD"}
    }
    queue.close()
    queue.join()
    described = openapi_document()
    assert {(path, m) for path, methods in described["paths"].items() for m in methods} == routes
    names = set(described["components"]["schemas"])
    used = {part.split('"')[0] for part in json.dumps(described).split("#/components/schemas/")[1:]}
    assert used == names


def test_the_document_describes_the_fields_that_are_read() -> None:
    schemas, options = openapi_document()["components"]["schemas"], ServerOptions()

    def read(**given: Any) -> GenerateParams:
        return parse_params(json.dumps(given).encode(), options)

    for name, about in schemas["GenerateParams"]["properties"].items():
        with pytest.raises(ApiError, match=name):
            read(**{name: []})
        if "default" in about:  # a holdback that is not given is the decoder's affair, like 0
            made = replace(read(**{name: about["default"]}), stream=options.stream)
            assert made == parse_params(None, options)

    def say(**given: Any) -> None:
        wanted = parse_speech({"input": "Hi.", "ref_text": "Hi.", **given}, Limits())
        read_sampling(wanted.given, options.sampling)
        read_words(wanted.given, options.pronunciations)

    speech = schemas["Speech"]["properties"]
    assert tuple(speech["response_format"]["enum"]) == FORMATS
    for name in set(speech) - {"model", *IGNORED}:
        with pytest.raises((ApiError, ValueError), match=name):
            say(**{name: []})


def test_the_document_and_the_page_are_served(client: httpx.Client) -> None:
    assert client.get("/openapi.json").json() == openapi_document()
    front = client.get("/")
    assert front.text == page()
    assert "frame-ancestors 'none'" in front.headers["content-security-policy"]


@pytest.mark.parametrize(
    "module", ["engine.server.app", "engine.server.server", "engine.commands.serve"]
)
def test_importing_does_not_load_torch(module: str) -> None:
    code = f"import sys, {module}; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
