"""One synthesis at a time, on a thread of its own, its sound crossing in a bounded queue."""

from __future__ import annotations

import asyncio
import secrets
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Any

from engine.cancel import CancelToken
from engine.errors import EngineError
from engine.server.form import Upload
from engine.server.options import Limits
from engine.server.replies import LOG, ClientGoneError, busy, stopping
from engine.synthesis import request_warnings
from engine.synthesis.protocols import SpeechEngine
from engine.types import AudioChunk, Summary, SynthesisRequest
from engine.voices import VoiceProfile

REFERENCE_SECONDS = 60.0
POLL_S = 0.1


@dataclass(slots=True)
class Order:
    """What is to be spoken, checked as far as that is possible without the engine.

    Attributes:
        request: with its seed, without references.
        voice: a saved voice; not used when there is an upload.
        upload, transcript: a recording to clone and what is said in it. The order owns the
            upload until it is closed.
        notes: what was found out while the order was read.
    """

    request: SynthesisRequest
    voice: VoiceProfile | None = None
    upload: Upload | None = None
    transcript: str = ""
    notes: tuple[str, ...] = ()

    def close(self) -> None:
        """Delete the upload."""
        if self.upload is not None:
            self.upload.close()


def with_seed(request: SynthesisRequest) -> SynthesisRequest:
    """The request with a seed drawn now, so that it can be told before the end."""
    if request.sampling.seed is not None:
        return request
    sampling = replace(request.sampling, seed=secrets.randbelow(2**32))
    return replace(request, sampling=sampling)


@dataclass(frozen=True, slots=True)
class SpeechEnd:
    """The last thing in a job's queue."""

    summary: Summary | None = None
    error: Exception | None = None


class StalledError(EngineError):
    """The client does not take its sound."""


@dataclass(eq=False)
class SpeechJob:
    """A synthesis that runs, seen from the event loop; iterate :meth:`chunks` once.

    Attributes:
        cancel: read by the engine once a frame.
        summary: of the finished synthesis; set when :meth:`chunks` has ended.
        warnings: what was known of voice and text before the first sound; set by then.
    """

    loop: asyncio.AbstractEventLoop
    limits: Limits
    cancel: CancelToken = field(default_factory=CancelToken)
    summary: Summary | None = None
    warnings: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        self._queue: asyncio.Queue[AudioChunk | SpeechEnd | None] = asyncio.Queue()
        self._room = threading.Semaphore(self.limits.queued_chunks)

    async def chunks(self) -> AsyncIterator[AudioChunk]:
        """The sound as it is made.

        Raises:
            ClientGoneError: :meth:`abandon` was called.
            Exception: what the engine raised.
        """
        while (item := await self._queue.get()) is not None:
            if isinstance(item, AudioChunk):
                self._room.release()
                yield item
                continue
            if item.error is not None:
                raise item.error
            self.summary = item.summary
            return
        raise ClientGoneError

    def abandon(self) -> None:
        """Nobody wants the result any more; called on the event loop."""
        self.cancel.cancel()
        self._queue.put_nowait(None)

    def put(self, chunk: AudioChunk) -> None:
        """Hand over sound, from the worker's thread; waits while the queue is full.

        Raises:
            StalledError: it stayed full for too long.
        """
        waited = 0.0
        while not self._room.acquire(timeout=POLL_S):
            waited += POLL_S
            if self.cancel.cancelled:
                return
            if waited >= self.limits.stall_s:
                raise StalledError("server.client_stalled", waited=waited)
        self._post(chunk)

    def finish(self, outcome: SpeechEnd) -> None:
        """The job has ended and the engine is free again; from the worker's thread."""
        self._post(outcome)

    def _post(self, item: AudioChunk | SpeechEnd) -> None:
        try:
            self.loop.call_soon_threadsafe(self._queue.put_nowait, item)
        except RuntimeError:  # the loop has closed: the server is gone
            self.cancel.cancel()


class SynthesisQueue:
    """Takes one order at a time.

    Args:
        on_busy: gets true when a job begins and false when it has ended, from either thread.
    """

    def __init__(
        self,
        engine: SpeechEngine,
        limits: Limits,
        on_busy: Callable[[bool], None] | None = None,
    ) -> None:
        self.engine = engine
        self._limits = limits
        self._on_busy = on_busy
        self._taken = threading.Lock()
        self._closed = False
        self._job: SpeechJob | None = None
        # One thread for all jobs: thread pools of the numeric libraries belong to it.
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="s2-server-synthesis")

    @property
    def busy(self) -> bool:
        """Whether a job runs."""
        return self._taken.locked()

    def check_free(self) -> None:
        """Raise the 503 that :meth:`begin` would."""
        if self._closed:
            raise stopping()
        if self.busy:
            raise busy()

    def begin(self, order: Order) -> SpeechJob:
        """Start an order; the queue closes it in the end, also when it is refused.

        Raises:
            ApiError: 503, another job runs or the server stops.
        """
        if self._closed or not self._taken.acquire(blocking=False):
            order.close()
            raise stopping() if self._closed else busy()
        job = self._job = SpeechJob(asyncio.get_running_loop(), self._limits)
        self._tell(True)
        self._worker.submit(self._run, job, order)
        return job

    def close(self) -> None:
        """Take no more orders and cancel the one that runs; from any thread."""
        self._closed = True
        if (job := self._job) is not None:
            job.cancel.cancel()

    def join(self) -> None:
        """Wait until the last job has ended; it does so within a frame of its cancel."""
        self._worker.shutdown(wait=True)

    def _run(self, job: SpeechJob, order: Order) -> None:
        outcome = SpeechEnd()
        try:
            outcome = SpeechEnd(self._speak(job, order))
        except Exception as error:  # handed to the request, which answers with it
            outcome = SpeechEnd(error=error)
        except BaseException as error:
            outcome = SpeechEnd(error=RuntimeError(type(error).__name__))
            raise
        finally:
            order.close()
            self._job = None
            self._taken.release()
            self._tell(False)
            job.finish(outcome)

    def _speak(self, job: SpeechJob, order: Order) -> Summary | None:
        if self._closed:
            job.cancel.cancel()
        references = self._references(job, order)
        request = replace(order.request, references=references)
        job.warnings = (*order.notes, *request_warnings(request))
        summary = None
        with ExitStack() as stack:
            events: Any = self.engine.synthesize(request, job.cancel)
            if hasattr(events, "close"):
                stack.callback(events.close)
            for event in events:
                if isinstance(event, AudioChunk):
                    job.put(event)
                elif isinstance(event, Summary):
                    summary = replace(event, warnings=(*order.notes, *event.warnings))
        return summary

    def _references(self, job: SpeechJob, order: Order) -> tuple[VoiceProfile, ...]:
        if order.upload is None:
            return () if order.voice is None else (order.voice,)
        from engine.audio.files import read_audio

        job.cancel.raise_if_cancelled()
        clip = read_audio(
            order.upload.path, max_seconds=REFERENCE_SECONDS, name="the reference audio"
        )
        return (self.engine.encode_reference(clip, order.transcript, cancel=job.cancel),)

    def _tell(self, is_busy: bool) -> None:
        if self._on_busy is None:
            return
        try:
            self._on_busy(is_busy)
        except Exception:
            LOG.exception("the busy callback failed")
