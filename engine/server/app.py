"""The routes, put together."""

from __future__ import annotations

import inspect
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from engine.errors import EngineError
from engine.server.body import drain
from engine.server.documents import PAGE_HEADERS, openapi_document, page
from engine.server.generate import Generate
from engine.server.guard import Guard
from engine.server.options import ServerOptions
from engine.server.queue import SynthesisQueue
from engine.server.replies import FAILED, ApiError, ClientGoneError, as_api_error, render
from engine.server.speech import Speech
from engine.server.voices import VoiceResolver


class VoiceRoutes:
    """The voices that a request can name."""

    def __init__(self, resolver: VoiceResolver) -> None:
        self._resolver = resolver

    async def listing(self, request: Request) -> Response:
        """``GET /voices``."""
        return JSONResponse({"voices": self._resolver.listing()})

    async def remove(self, request: Request) -> Response:
        """``DELETE /voices/{id}``."""
        voice_id = request.path_params["id"]
        self._resolver.remove(voice_id)
        return JSONResponse({"id": voice_id, "deleted": True})


async def health(request: Request) -> Response:
    """``GET /health``: the server answers, whether or not it is busy."""
    return JSONResponse({"status": "ok"})


async def openapi(request: Request) -> Response:
    """``GET /openapi.json``."""
    return JSONResponse(openapi_document())


async def front_page(request: Request) -> Response:
    """``GET /``: a page to try the server with."""
    return HTMLResponse(page(), headers=PAGE_HEADERS)


def make_routes(queue: SynthesisQueue, options: ServerOptions) -> list[Route]:
    """All routes; ``openapi.json`` describes exactly these."""
    resolver = VoiceResolver(options)
    generate, voices = Generate(queue, resolver, options), VoiceRoutes(resolver)
    speech = Speech(queue, resolver, options)
    return [
        Route("/", front_page, methods=["GET"], include_in_schema=False),
        Route("/health", health, methods=["GET"]),
        Route("/openapi.json", openapi, methods=["GET"]),
        Route("/generate", generate.post, methods=["POST"]),
        Route("/voices", voices.listing, methods=["GET"]),
        Route("/voices/{id:path}", voices.remove, methods=["DELETE"]),
        Route("/v1/audio/speech", speech.speech, methods=["POST"]),
        Route("/v1/audio/voices", speech.voices, methods=["GET"]),
        Route("/v1/models", speech.models, methods=["GET"]),
        Route("/v1/models/{model:path}", speech.model, methods=["GET"]),
    ]


def make_app(queue: SynthesisQueue, options: ServerOptions) -> Starlette:
    """The application for an ASGI server."""
    middleware = [Middleware(Guard, options=options)]
    if options.allowed_origins:
        middleware.append(
            Middleware(
                CORSMiddleware,
                allow_origins=list(options.allowed_origins),
                allow_methods=["GET", "POST", "DELETE"],
                allow_headers=["*"],
                expose_headers=["*"],
                **_private_network(),
            )
        )
    return Starlette(
        routes=make_routes(queue, options),
        middleware=middleware,
        exception_handlers={
            ApiError: _api_error,
            EngineError: _engine_error,
            HTTPException: _http_error,
            ClientGoneError: _gone,
            Exception: _unexpected,
        },
    )


def _private_network() -> dict[str, Any]:
    """Browsers ask before a page of the network may reach this machine; newer starlettes refuse
    unless told, older ones say nothing about it."""
    known = inspect.signature(CORSMiddleware.__init__).parameters
    return {"allow_private_network": True} if "allow_private_network" in known else {}


async def _api_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, ApiError)
    if error.headers.get("connection") == "close" and error.status == 413:
        await drain(request)
    return render(error, request.url.path)


async def _engine_error(request: Request, error: Exception) -> Response:
    return render(as_api_error(error, FAILED), request.url.path)


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    known = ApiError(error.status_code, error.detail, as_json=True, headers=error.headers)
    return render(known, request.url.path)


async def _gone(request: Request, error: Exception) -> Response:
    """Nobody reads this; 499 is what proxies log for it."""
    return Response(status_code=499, headers={"connection": "close"})


async def _unexpected(request: Request, error: Exception) -> Response:
    return render(ApiError(500, FAILED), request.url.path)
