"""A hub and its storage on this machine, with the faults of real ones.

Two servers of two origins: the hub answers ``/OWNER/REPO/resolve/REV/NAME`` itself or sends
the request on to the storage with the headers of large files. Faults are taken one by one, a
fault a request; without any the servers do what they should.
"""

from __future__ import annotations

import hashlib
import select
import socket
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from engine.hub.address import DownloadOptions, Hub, Policy
from engine.hub.catalogue import HubFile
from engine.hub.events import DownloadError
from engine.hub.fetch import fetch
from engine.hub.partial_file import journal_path, kept_bytes, part_path

REPO = "someone/voices"
NAME = "voice.bin"
PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy")
QUICK = Policy(
    connect_s=5, stall_s=5, tries=4, first_wait_s=0.001, longest_wait_s=0.005, mark_bytes=4096
)


@dataclass(frozen=True)
class Fault:
    """What goes wrong with one answer.

    Attributes:
        status: instead of 200 or 206, with an empty body.
        headers: added to the answer.
        cut: bytes of the body after which the connection is cut.
        stall: bytes of the body after which nothing comes any more.
        length: announced in place of the true length; below 0 none is announced.
        ignore_range: send the whole file to a range request.
        shift: send the piece that begins that much elsewhere.
        page: a web page in place of the file.
        body: other bytes in place of the file's.
    """

    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    cut: int | None = None
    stall: int | None = None
    length: int | None = None
    ignore_range: bool = False
    shift: int = 0
    page: bool = False
    body: bytes | None = None


@dataclass(frozen=True)
class Seen:
    """A request as it arrived."""

    path: str
    headers: dict[str, str]

    @property
    def start(self) -> int:
        """First byte that was asked for."""
        text = self.headers.get("range", "")
        return int(text.removeprefix("bytes=").split("-")[0]) if text else 0


class Server:
    """One origin.

    Attributes:
        files: content by name.
        etags: marks of the content; empty sends none.
        faults: of the next requests.
        always: of every request that finds no other fault.
        seen: requests, oldest first.
        sent: bytes of bodies that were written.
        storage: another server to send requests on to, with the headers of large files.
        linked: send the hub's headers of large files.
    """

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.etags: dict[str, str] = {}
        self.faults: deque[Fault] = deque()
        self.always: Fault | None = None
        self.seen: list[Seen] = []
        self.sent = 0
        self.sent_some = threading.Condition()
        self.storage: Server | None = None
        self.linked = True
        self.redirect_to = ""
        self.closing = threading.Event()
        server = self

        class Handler(_Handler):
            owner = server

        self._http = _Quiet(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,))
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    def put(self, name: str, content: bytes, etag: str = '"first"') -> None:
        self.files[name] = content
        self.etags[name] = etag

    def reset(self) -> None:
        """Forget faults and requests."""
        self.faults.clear()
        self.always = None
        self.seen.clear()
        self.sent = 0
        self.storage = None
        self.linked = True
        self.redirect_to = ""

    def wait_sent(self, count: int, timeout: float = 60) -> bool:
        """Wait until that many bytes of bodies went out."""
        with self.sent_some:
            return self.sent_some.wait_for(lambda: self.sent >= count, timeout)

    def close(self) -> None:
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


class _Quiet(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that was killed is no fault of the server."""


class _Handler(BaseHTTPRequestHandler):
    owner: Server
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:
        """Quiet."""

    def do_GET(self) -> None:
        owner = self.owner
        owner.seen.append(Seen(self.path, {k.lower(): v for k, v in self.headers.items()}))
        name = self.path.split("?")[0].rsplit("/", 1)[-1]
        fault = owner.faults.popleft() if owner.faults else owner.always or Fault()
        if fault.status:
            self._plain(fault.status, fault.headers)
        elif fault.page:
            self._plain(200, {"Content-Type": "text/html"}, b"<html>Sign in</html>")
        elif name not in owner.files:
            self._plain(404, {})
        elif owner.storage is not None or owner.redirect_to:
            self._send_on(name, fault)
        else:
            self._send_file(owner.files[name], owner.etags[name], fault)

    def _plain(self, status: int, headers: dict[str, str], body: bytes = b"") -> None:
        self.send_response(status)
        for key, value in headers.items():
            self.send_header(key, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _send_on(self, name: str, fault: Fault) -> None:
        owner, content = self.owner, self.owner.files[name]
        base = owner.redirect_to or (owner.storage.url if owner.storage else "")
        headers = {"Location": f"{base}/blob/{name}?signature=secret"}
        if owner.linked:
            headers["X-Linked-ETag"] = f'"{hashlib.sha256(content).hexdigest()}"'
            headers["X-Linked-Size"] = str(len(content))
        self._plain(302, {**headers, **fault.headers})

    def _send_file(self, content: bytes, etag: str, fault: Fault) -> None:
        content = content if fault.body is None else fault.body
        asked = self.headers.get("Range", "")
        start = int(asked.removeprefix("bytes=").split("-")[0]) if asked else 0
        ranged = bool(asked) and not fault.ignore_range
        if ranged and start >= len(content):
            self._plain(416, {"Content-Range": f"bytes */{len(content)}", **fault.headers})
            return
        start = max(0, start + fault.shift) if ranged else 0
        body = content[start:]
        self.send_response(206 if ranged else 200)
        if ranged:
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        if etag:
            self.send_header("ETag", etag)
        length = len(body) if fault.length is None else fault.length
        lengths = {"Content-Length": str(length)} if length >= 0 else {}
        for key, value in {**lengths, **fault.headers}.items():
            self.send_header(key, value)
        self.end_headers()
        self._send_body(body, fault)

    def _send_body(self, body: bytes, fault: Fault) -> None:
        owner = self.owner
        stop = min(len(body), *(n for n in (fault.cut, fault.stall) if n is not None), len(body))
        try:
            for at in range(0, stop, 4096):
                piece = body[at : min(at + 4096, stop)]
                self.wfile.write(piece)
                with owner.sent_some:
                    owner.sent += len(piece)
                    owner.sent_some.notify_all()
            self.wfile.flush()
            if fault.stall is not None:
                self._say_nothing()
        except OSError:
            pass
        if fault.cut is not None or fault.length is not None or fault.stall is not None:
            self.close_connection = True

    def _say_nothing(self) -> None:
        """Until the client goes away."""
        while not self.owner.closing.wait(0.02):
            readable, _, _ = select.select([self.connection], [], [], 0)
            if readable and not self.connection.recv(1, socket.MSG_PEEK):
                return


@contextmanager
def serving() -> Iterator[Server]:
    """A server for a while."""
    server = Server()
    try:
        yield server
    finally:
        server.close()


def known(name: str, content: bytes) -> HubFile:
    """A file whose size and hash are in the catalogue."""
    return HubFile(REPO, name, len(content), hashlib.sha256(content).hexdigest())


def unknown(name: str, size: int = 1) -> HubFile:
    """A file of which only the hub knows the hash."""
    return HubFile(REPO, name, size, exact=False, revision="main")


def wishes(server: Server, token: str = "", **more: Any) -> DownloadOptions:
    """Fetch from ``server``, quickly."""
    return DownloadOptions(**{"hub": Hub(server.url, token), "policy": QUICK, **more})


def noise(size: int, seed: int = 1) -> bytes:
    """Bytes without a pattern."""
    blocks, state = [], seed.to_bytes(8, "little")
    while sum(map(len, blocks)) < size:
        state = hashlib.sha256(state).digest()
        blocks.append(state * 8)
    return b"".join(blocks)[:size]


VOICE = noise(50_000)


def check_done(folder: Path, content: bytes = VOICE) -> None:
    """The file is whole and nothing else of it lies about."""
    target = folder / NAME
    assert target.read_bytes() == content
    assert not part_path(target).exists()
    assert not journal_path(target).exists()


def leave_part(hub: Server, folder: Path, size: int, etag: str = '"first"') -> None:
    """An earlier try that the server ended after ``size`` bytes."""
    hub.etags[NAME] = etag
    hub.faults.extend([Fault(cut=size), *[Fault(status=503)] * QUICK.tries])
    with pytest.raises(DownloadError):
        fetch(unknown(NAME), folder, wishes(hub))
    hub.faults.clear()
    hub.seen.clear()
    assert kept_bytes(folder / NAME) == size
