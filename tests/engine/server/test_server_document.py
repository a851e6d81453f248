"""The server against its own document: requests that schemathesis makes of ``/openapi.json``.

Whatever fits the document, or breaks it in one place, must get a status, a type and a body that the
document names. ``--nightly`` tries many more.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from server_kit import serving_hope

from engine.engine import Engine
from engine.server.server import LocalServer
from engine.types import Sampling

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed")
    from schemathesis import GenerationMode
    from schemathesis.checks import CHECKS

CHECKED = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_schema_conformance",
)
REFUSED = {400, 404, 405, 413, 415}
FEW, MANY = 12, 400
OPERATIONS = [
    ("GET", "/health"),
    ("GET", "/voices"),
    ("DELETE", "/voices/{id}"),
    ("POST", "/generate"),
    ("POST", "/v1/audio/speech"),
    ("GET", "/v1/audio/voices"),
    ("GET", "/v1/models"),
    ("GET", "/v1/models/{model}"),
]


@pytest.fixture(scope="module")
def server(
    tiny_engine: Engine, tmp_path_factory: pytest.TempPathFactory, golden_file: Any
) -> Iterator[LocalServer]:
    sampling, root = Sampling(max_new_tokens=2, seed=1), tmp_path_factory.mktemp("voices")
    with serving_hope(tiny_engine, root, golden_file, sampling) as server:
        yield server


@pytest.fixture(scope="module")
def document(server: LocalServer) -> Any:
    return schemathesis.openapi.from_url(f"{server.url}/openapi.json")


def hold(document: Any, method: str, path: str, examples: int) -> None:
    """Try one operation with requests that fit the document and with some that do not."""
    operation = document[path][method]
    checks = CHECKS.get_by_names(list(CHECKED))

    @given(data=st.data())
    @settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def run(data: st.DataObject) -> None:
        modes = [mode for mode in GenerationMode if _has(operation, mode)]
        mode = data.draw(st.sampled_from(modes))
        case = data.draw(operation.as_strategy(generation_mode=mode))
        answer = case.call_and_validate(checks=checks)
        # In a form every value is a text, so that one of a wrong type cannot be told.
        if mode is GenerationMode.NEGATIVE and case.media_type == "application/json":
            assert answer.status_code in REFUSED, case.as_curl_command()

    run()


def _has(operation: Any, mode: Any) -> bool:
    """Whether anything can be broken: a request without parameters and body always fits."""
    if mode is GenerationMode.POSITIVE:
        return True
    return bool(operation.body) or bool(operation.query)


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_every_answer_is_one_that_the_document_names(document: Any, method: str, path: str) -> None:
    hold(document, method, path, FEW)


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_many_answers(document: Any, method: str, path: str) -> None:
    hold(document, method, path, MANY)


def test_all_operations_are_tried(document: Any) -> None:
    named = {(op.ok().method.upper(), op.ok().path) for op in document.get_all_operations()}
    assert named == set(OPERATIONS)
