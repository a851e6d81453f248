"""Files and requests with one fault each: the verdict of each, fast, and in little memory."""

from __future__ import annotations

import json
import time
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from error_kit import leaf
from fuzz_http import Server
from gguf_support import save
from named_gguf import GGUF_CASES
from named_http import HTTP_CASES
from named_tokenizer import TOKENIZER_BYTES, TOKENIZER_CHANGES

from engine.errors import EngineError, ModelFileError, TokenizerError
from engine.gguf.reader import GGUFFile
from engine.text.tokenizer import Tokenizer


def refusal(read: Callable[[Path], object], path: Path) -> EngineError:
    """The error for a file; it must come fast, without memory, and have a sentence."""
    tracemalloc.start()
    start = time.thread_time()
    try:
        with pytest.raises(EngineError) as caught:
            read(path)
        seconds = time.thread_time() - start
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert seconds < 1
    assert peak < (8 << 20) + 4 * path.stat().st_size
    assert str(caught.value).strip()
    return caught.value


def check(error: EngineError, kind: type[EngineError], verdict: str) -> None:
    """``verdict`` is the innermost code and, behind a blank, what the sentence must show."""
    code, _, shown = verdict.partition(" ")
    assert (type(error), leaf(error)) == (kind, code)
    assert shown in str(error)


@pytest.mark.parametrize("name", GGUF_CASES)
def test_model_file(tmp_path: Path, name: str) -> None:
    data, verdict = GGUF_CASES[name]
    path = save(tmp_path / "bad.gguf", data)
    error = refusal(GGUFFile.open, path)
    check(error, ModelFileError, verdict)
    assert str(path) in str(error)


@pytest.mark.parametrize("name", TOKENIZER_BYTES)
def test_tokenizer_bytes(tmp_path: Path, name: str) -> None:
    data, verdict = TOKENIZER_BYTES[name]
    error = refusal(Tokenizer.load, save(tmp_path / "tokenizer.json", data))
    check(error, TokenizerError, verdict)
    assert error.code == "tokenizer.damaged"


@pytest.mark.parametrize("name", TOKENIZER_CHANGES)
def test_tokenizer_change(models: Any, tmp_path: Path, name: str) -> None:
    change, verdict = TOKENIZER_CHANGES[name]
    tree = json.loads(models.tokenizer.read_bytes())
    change(tree)
    path = save(tmp_path / "tokenizer.json", json.dumps(tree).encode())
    check(refusal(Tokenizer.load, path), TokenizerError, verdict)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    made = Server(tmp_path_factory.mktemp("server"))
    yield made
    made.close()


@pytest.mark.parametrize("name", HTTP_CASES)
def test_request(server: Server, name: str) -> None:
    case = HTTP_CASES[name]
    answer = server.ask("POST", case.path, [case.body], [(b"content-type", case.kind)])
    server.idle()
    assert server.check(*answer) == str(case.status)
