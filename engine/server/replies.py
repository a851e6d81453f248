"""Answers that are not sound: what failed, in the form that the client's protocol has."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence

from starlette.responses import JSONResponse, PlainTextResponse, Response

from engine.errors import (
    BusyError,
    CancelledError,
    ContextError,
    EngineError,
    ReferenceAudioError,
    RequestError,
    VoiceError,
)

LOG = logging.getLogger("engine.server")

BUSY = "Server busy processing another synthesis request."
STOPPING = "The server is shutting down."
FAILED = "Synthesis failed."
STREAM_FAILED = "Streaming synthesis failed."
RETRY_AFTER_S = 1
MOST_WARNINGS = 8
MOST_LETTERS = 300
OPENAI_PREFIX = "/v1/"


class ClientGoneError(Exception):
    """The client closed its connection; there is nobody to answer."""


class ApiError(Exception):
    """Ends a request with a status and a sentence.

    Attributes:
        status: HTTP status, 400 and above.
        message: the exact text for the client.
        as_json: on the peer's routes, ``{"error": message}`` instead of plain text.
        param, code: further fields of OpenAI's error object.
        headers: to be sent along.
    """

    def __init__(
        self,
        status: int,
        message: str,
        *,
        as_json: bool = False,
        param: str | None = None,
        code: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status, self.message, self.as_json = status, message, as_json
        self.param, self.code = param, code
        self.headers = dict(headers or {})


def bad_request(message: str, param: str | None = None, code: str | None = None) -> ApiError:
    """A 400 that is JSON on every route."""
    return ApiError(400, message, as_json=True, param=param, code=code)


def busy() -> ApiError:
    """Another synthesis runs; there is no queue."""
    return ApiError(503, BUSY, code="server_busy", headers={"retry-after": str(RETRY_AFTER_S)})


def stopping() -> ApiError:
    """The server stops and takes nothing new."""
    return ApiError(503, STOPPING, code="server_stopping")


def as_api_error(error: Exception, fallback: str) -> ApiError:
    """The answer for what the engine raised.

    Args:
        fallback: text of a failure that is not the client's. A stream gives the engine's own
            sentence instead, as the peer's sink does (spec 06, section 4.3).
    """
    if isinstance(error, ApiError):
        return error
    if isinstance(error, BusyError):
        return busy()
    if isinstance(error, CancelledError):
        return stopping()
    if isinstance(error, (VoiceError, ReferenceAudioError, RequestError, ContextError)):
        return ApiError(400, sentence(error))
    if isinstance(error, EngineError):
        LOG.error("%s", error)
        return ApiError(500, sentence(error) if fallback == STREAM_FAILED else fallback)
    LOG.error("%s", fallback, exc_info=error)
    return ApiError(500, fallback)


def sentence(error: EngineError) -> str:
    """The error's detail with a capital letter; the advice may name files of this machine."""
    return error.detail[:1].upper() + error.detail[1:]


def warnings_header(warnings: Sequence[str]) -> dict[str, str]:
    """Sentences for the user as a JSON list in ASCII; no header for none."""
    if not warnings:
        return {}
    kept = list(warnings[:MOST_WARNINGS])
    return {"x-warnings": json.dumps([sentence[:MOST_LETTERS] for sentence in kept])}


def openai_error(error: ApiError) -> dict[str, object]:
    """OpenAI's error object."""
    kind = "server_error" if error.status >= 500 else "invalid_request_error"
    return {
        "error": {
            "message": error.message,
            "type": kind,
            "param": error.param,
            "code": error.code,
        }
    }


def render(error: ApiError, path: str) -> Response:
    """The response for ``error`` on the route ``path``."""
    if path.startswith(OPENAI_PREFIX):
        return JSONResponse(openai_error(error), error.status, error.headers)
    if error.as_json:
        return JSONResponse({"error": error.message}, error.status, error.headers)
    return PlainTextResponse(error.message, error.status, error.headers)
