"""What every client of the network shares."""

from __future__ import annotations

import asyncio
import threading
import time
from datetime import UTC, datetime

import pytest

from engine.cancel import CancelToken
from engine.errors import CancelledError
from engine.net.cancellable import CancellableLoop
from engine.net.rules import is_loopback, is_plain, retry_after


@pytest.mark.parametrize(
    ("host", "expected"),
    [("localhost", True), ("LOCALHOST.", True), ("127.8.0.1", True), ("::1", True),
     ("fe80::1%eth0", False), ("10.0.0.5", False), ("localhost.example", False), ("", False)],
)  # fmt: skip
def test_this_machine(host: str, expected: bool) -> None:
    assert is_loopback(host) is expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("7", 7.0),
        ("0", 0.0),
        ("Thu, 01 Jan 1970 00:01:40 GMT", 90.0),
        ("Thu, 01 Jan 1970 00:01:40 -0000", 90.0),
        ("soon", None),
        ("Wed, 21 Oct 1969 07:28:00 GMT", 0.0),
        ("", None),
        ("inf", None),
        ("nan", None),
        ("9" * 5000, None),
        ("Thu, 01 Jan 99999999999999999999 00:00:00 GMT", None),
    ],
)
def test_retry_after(value: str, expected: float | None) -> None:
    assert retry_after(value, datetime.fromtimestamp(10.0, UTC)) == expected


def test_keys_hold_what_a_header_can() -> None:
    assert is_plain("sk-Aa0_~!")
    for odd in ("two words", "line\n", "ü", "\x7f"):
        assert not is_plain(odd)


def test_a_cancel_ends_what_waits_at_once() -> None:
    cancel, begun, ended = CancelToken(), threading.Event(), []

    async def forever() -> None:
        begun.set()
        try:
            await asyncio.sleep(60)
        finally:
            ended.append("tidied")

    threading.Thread(target=lambda: (begun.wait(10), cancel.cancel())).start()
    loop, started = CancellableLoop(), time.monotonic()
    with pytest.raises(CancelledError):
        loop.run(forever, cancel)
    assert time.monotonic() - started < 10
    assert ended == ["tidied"]
    loop.close()
    loop.close()


def test_work_returns_and_raises_as_it_is() -> None:
    async def answer() -> int:
        return 7

    async def fail() -> None:
        raise ValueError("no")

    async def last() -> None:
        seen.append(True)
        raise OSError("what fails at the end fails alone")

    seen: list[bool] = []
    loop = CancellableLoop()
    assert loop.run(answer, CancelToken()) == 7
    with pytest.raises(ValueError, match="no"):
        loop.run(fail, CancelToken())
    loop.close(last)
    assert seen == [True]
