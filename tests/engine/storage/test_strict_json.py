"""The one reader of JSON: what it refuses, for everybody who reads with it."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import EngineError
from engine.hub.disk import check_content
from engine.machine.devices import VerdictFile
from engine.remote.http_call import Head
from engine.remote.reply import read_json as read_reply
from engine.server.body import read_json as read_body
from engine.server.replies import ApiError
from engine.storage.strict_json import (
    MAX_BYTES,
    MAX_DEPTH,
    parse_json,
    parse_object,
    read_object,
)
from engine.takes.provenance import Provenance
from engine.text.tokenizer_file import read_tokenizer_file
from engine.voices.notes import VoiceNotes

DEEP = b'{"a":' * (MAX_DEPTH + 2) + b"1" + b"}" * (MAX_DEPTH + 2)
DAMAGE = {
    "nothing": b"",
    "cut": b'{"a": 1',
    "no UTF-8": b'{"a": "\xff"}',
    "NaN": b'{"a": NaN}',
    "infinity": b'{"a": -Infinity}',
    "deep": DEEP,
    "deeper than can be read": b"[" * 100_000,
    "digits": b'{"a": ' + b"9" * 5000 + b"}",
}
plain = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**64), 2**64) | st.text() | st.floats(-1e300, 1e300),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(plain)
def test_what_json_can_say_comes_back(value: object) -> None:
    assert parse_json(json.dumps(value)) == value
    assert parse_json(b"\xef\xbb\xbf" + json.dumps(value).encode()) == value


@pytest.mark.parametrize("data", DAMAGE.values(), ids=DAMAGE)
def test_damage_is_a_value_error(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_json(data)


def test_the_limit_of_nesting_is_exact() -> None:
    parse_json("[" * MAX_DEPTH + "]" * MAX_DEPTH)
    with pytest.raises(ValueError, match="nested too deep"):
        parse_json("[" * (MAX_DEPTH + 2) + "]" * (MAX_DEPTH + 2))


def test_numbers_that_no_float_holds() -> None:
    with pytest.raises(ValueError, match="too large"):
        parse_json('{"a": 1e999}')
    assert parse_json('{"a": 1e999}', finite=False) == {"a": float("inf")}


@pytest.mark.parametrize("text", ["[1]", "1", "null", '"a"'])
def test_only_an_object_is_one(text: str) -> None:
    with pytest.raises(ValueError, match="no JSON object"):
        parse_object(text)


def test_files_of_ours_that_cannot_be_used_are_empty(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    assert read_object(path) == read_object(tmp_path) == {}
    for data in (*DAMAGE.values(), b"[1]", b'{"a": "' + b"x" * MAX_BYTES + b'"}'):
        path.write_bytes(data)
        assert read_object(path) == {}
    path.write_bytes(b'{"a": 1}')
    assert read_object(path) == {"a": 1}


@pytest.mark.skipif(os.name != "posix", reason="needs a pipe with a name")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x.json")
    assert read_object(tmp_path / "x.json") == {}


class Request:
    """A request whose body has come."""

    def __init__(self, body: bytes) -> None:
        self.body, self.headers, self.state = body, {}, type("State", (), {})()

    async def receive(self) -> dict[str, object]:
        return {"type": "http.request", "body": self.body}


def refused_by(read: Callable[[], object]) -> bool:
    try:
        return read() in (None, {})
    except (EngineError, ValueError, ApiError):
        return True


@pytest.mark.parametrize("data", DAMAGE.values(), ids=DAMAGE)
def test_every_reader_refuses_the_same(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(data)
    head = Head(200, {"content-type": "application/json"})
    take = data.replace(b"{", b'{"s2take": 1, ', 1).decode("latin-1")
    readers: dict[str, Callable[[], object]] = {
        "notes": lambda: VoiceNotes.from_bytes(data),
        "tokenizer": lambda: read_tokenizer_file(path),
        "download": lambda: check_content(path, path.name),
        "verdicts": lambda: VerdictFile(path).get("a"),
        "reply": lambda: read_reply(head, data),
        "body": lambda: asyncio.run(read_body(Request(data), 1 << 20, 1.0)),  # type: ignore[arg-type]
        "take": lambda: Provenance.from_json(take),
    }
    assert [name for name, read in readers.items() if not refused_by(read)] == []
