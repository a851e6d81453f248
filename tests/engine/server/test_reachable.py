"""Whoever was allowed reaches the server: pages of Chromium, and clients for which localhost
is ::1."""

from __future__ import annotations

import socket

import httpx
import pytest
from server_kit import client_of, serving

from engine.engine import Engine
from engine.server import protocol as module
from engine.server.server import listen_all

PAGE = "https://studio.example"


def preflight(client: httpx.Client, origin: str = PAGE, **headers: str) -> httpx.Response:
    asked = {"origin": origin, "access-control-request-method": "POST", **headers}
    return client.request("OPTIONS", "/v1/audio/speech", headers=asked)


def test_a_page_of_the_network_may_reach_this_machine(tiny_engine: Engine) -> None:
    with serving(tiny_engine, allowed_origins=(PAGE,)) as server, client_of(server) as client:
        private = {"access-control-request-private-network": "true"}
        answer = preflight(client, **private)
        assert answer.status_code in (200, 204)
        assert answer.headers["access-control-allow-private-network"] == "true"
        assert answer.headers["access-control-allow-origin"] == PAGE
        other = preflight(client, origin="https://evil.example", **private)
        assert "access-control-allow-private-network" not in other.headers or (
            other.status_code >= 400
        )
        for path, status in (("/nowhere", 404), ("/v1/audio/speech", 400)):
            failed = client.post(path, headers={"origin": PAGE}, content=b"{")
            assert failed.status_code == status
            assert failed.headers["access-control-allow-origin"] == PAGE


def has_ipv6() -> bool:
    try:
        with socket.socket(socket.AF_INET6, socket.SOCK_STREAM) as trial:
            trial.bind(("::1", 0))
    except OSError:
        return False
    return True


def test_localhost_is_both(tiny_engine: Engine) -> None:
    with serving(tiny_engine, host="localhost") as server:
        port = server.url.rsplit(":", 1)[1]
        for host in ("127.0.0.1", *(["[::1]"] if has_ipv6() else [])):
            assert httpx.get(f"http://{host}:{port}/health", trust_env=False).status_code == 200


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_an_address_is_itself_only(host: str) -> None:
    if host == "::1" and not has_ipv6():
        pytest.skip("this machine has no IPv6")
    listeners = listen_all(host, 0)
    try:
        assert [each.getsockname()[0] for each in listeners] == [host]
    finally:
        for each in listeners:
            each.close()


def test_half_a_head_is_let_go(tiny_engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would hold one of the process's files for ever."""
    monkeypatch.setattr(module, "HEAD_S", 0.2)
    with serving(tiny_engine) as server, client_of(server) as client:
        port = int(server.url.rsplit(":", 1)[1])
        with socket.create_connection(("127.0.0.1", port)) as half:
            half.settimeout(60)
            half.sendall(b"GET /health HTTP/1.1\r\nHost: local")
            assert half.recv(100) == b""
        assert client.get("/health").status_code == 200
        body = {"input": "Hi.", "max_new_tokens": 20, "min_tokens_before_end": 20}
        assert client.post("/v1/audio/speech", json=body).status_code == 200
