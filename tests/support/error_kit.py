"""What a refusal is: the code of an error, however many sentences stand around it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from engine.errors import EngineError, Message


def _reason(error: EngineError) -> Message:
    found: Message = Message(error.code, **error.params)
    while isinstance(found.params.get("reason"), Message):
        found = found.params["reason"]
    return found


def leaf(error: EngineError) -> str:
    """The innermost code: the reason, not the sentence around it."""
    return _reason(error).code


@contextmanager
def refused(
    code: str, kind: type[EngineError] = EngineError, **params: object
) -> Iterator[pytest.ExceptionInfo[EngineError]]:
    """The body must raise an error of ``kind``: its innermost code, and ``params`` of it."""
    with pytest.raises(kind) as caught:
        yield caught
    found = _reason(caught.value)
    assert found.code == code, str(caught.value)
    assert {name: found.params.get(name) for name in params} == params
