"""What a refusal is: the code of an error, however many sentences stand around it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from engine.errors import EngineError, Message


def leaf(error: EngineError) -> str:
    """The innermost code: the reason, not the sentence around it."""
    code, reason = error.code, error.params.get("reason")
    while isinstance(reason, Message):
        code, reason = reason.code, reason.params.get("reason")
    return code


@contextmanager
def refused(
    code: str, kind: type[EngineError] = EngineError
) -> Iterator[pytest.ExceptionInfo[EngineError]]:
    """The body must raise an error of ``kind`` whose innermost code is ``code``."""
    with pytest.raises(kind) as caught:
        yield caught
    assert leaf(caught.value) == code, str(caught.value)
