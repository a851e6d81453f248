"""How a job's sound reaches its client: whole, or live while it is made."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Protocol

import numpy as np
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from engine.server.queue import Order, SpeechJob, SynthesisQueue
from engine.server.replies import (
    FAILED,
    STREAM_FAILED,
    ApiError,
    ClientGoneError,
    as_api_error,
    stopping,
    warnings_header,
)
from engine.types import AudioChunk, Summary


class LiveFormat(Protocol):
    """Turns samples into the bytes of a stream; one object a response."""

    media_type: str
    headers: dict[str, str]

    def begin(self) -> bytes:
        """What stands before the first sample."""

    def feed(self, samples: np.ndarray) -> bytes:
        """The bytes of some samples, perhaps none yet."""

    def end(self, summary: Summary) -> bytes:
        """What is left when everything was made."""

    def fail(self, error: ApiError) -> bytes | None:
        """How the stream says that it failed; ``None`` to break off the connection."""


class _Watch:
    """Abandons the job when its client goes away."""

    def __init__(self, receive: Receive, job: SpeechJob) -> None:
        self._task = asyncio.create_task(self._run(receive, job))

    async def _run(self, receive: Receive, job: SpeechJob) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        job.abandon()

    async def close(self) -> None:
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task


async def whole(
    request: Request, queue: SynthesisQueue, order: Order, fallback: str = FAILED
) -> tuple[np.ndarray, Summary]:
    """Speak ``order`` to its end; return all samples and the summary.

    Raises:
        ApiError: the answer for a failure; a text without any sound is one.
        ClientGoneError: the client went away; the synthesis was cancelled.
    """
    job = queue.begin(order)
    watch = _Watch(request.receive, job)
    try:
        chunks = [chunk.samples async for chunk in job.chunks()]
    except ClientGoneError:
        raise
    except Exception as error:
        raise as_api_error(error, fallback) from error
    finally:
        job.cancel.cancel()  # no effect on a job that has ended
        await watch.close()
    summary = finished(job, fallback)
    if not chunks:
        raise ApiError(500, fallback)
    return np.concatenate(chunks), summary


def finished(job: SpeechJob, fallback: str) -> Summary:
    """The summary of a job that was not cut short by the server's end."""
    if job.summary is None:
        raise ApiError(500, fallback)
    if job.summary.finish_reason == "cancelled":
        raise stopping()
    return job.summary


async def live(
    request: Request, queue: SynthesisQueue, order: Order, kind: LiveFormat, start_samples: int = 0
) -> Response:
    """Begin ``order`` and return a response that sends its sound while it is made.

    Nothing is sent before ``start_samples`` are there, one at least, or everything is; so a
    failure before the first sound still has a status of its own.
    """
    job = queue.begin(order)
    watch = _Watch(request.receive, job)
    try:
        stream = job.chunks()
        first = await _gather(stream, start_samples)
        if not first:
            finished(job, STREAM_FAILED)
            raise ApiError(500, STREAM_FAILED)
        kind.headers |= warnings_header(job.warnings)
        return LiveResponse(job, watch, kind, first, stream)
    except BaseException as error:
        job.cancel.cancel()
        await watch.close()
        if isinstance(error, ClientGoneError) or not isinstance(error, Exception):
            raise
        raise as_api_error(error, STREAM_FAILED) from error


async def _gather(stream: AsyncIterator[AudioChunk], count: int) -> list[np.ndarray]:
    parts: list[np.ndarray] = []
    total = 0
    async for chunk in stream:
        parts.append(chunk.samples)
        total += len(chunk.samples)
        if total >= max(1, count):
            break
    return parts


class LiveResponse(Response):
    """Sends a running job's sound in chunks; breaks the connection off when it fails.

    A broken connection lacks the terminating chunk, which is how HTTP tells a client that
    what it has is not all.
    """

    def __init__(
        self,
        job: SpeechJob,
        watch: _Watch,
        kind: LiveFormat,
        first: list[np.ndarray],
        stream: AsyncIterator[AudioChunk],
    ) -> None:
        self._job, self._watch, self._kind = job, watch, kind
        self._first, self._stream = first, stream
        self.status_code = 200
        self.media_type = kind.media_type
        self.background = None
        self.init_headers(kind.headers)
        self.headers["content-type"] = kind.media_type
        if "content-length" in self.headers:
            del self.headers["content-length"]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            await self._body(send)
        except ClientGoneError:
            return
        finally:
            self._job.cancel.cancel()
            await self._watch.close()

    async def _body(self, send: Send) -> None:
        try:
            await _send(send, self._kind.begin())
            for samples in self._first:
                await _send(send, self._kind.feed(samples))
            async for chunk in self._stream:
                await _send(send, self._kind.feed(chunk.samples))
            last = self._kind.end(finished(self._job, STREAM_FAILED))
        except ClientGoneError:
            raise
        except Exception as error:
            told = self._kind.fail(as_api_error(error, STREAM_FAILED))
            if told is None:
                return  # without the terminating chunk
            last = told
        await send({"type": "http.response.body", "body": last, "more_body": False})


async def _send(send: Send, data: bytes) -> None:
    if data:
        await send({"type": "http.response.body", "body": data, "more_body": True})
