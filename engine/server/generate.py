"""``POST /generate``, as the peer has it (spec 07, section 2)."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import numpy as np
from starlette.requests import Request
from starlette.responses import Response

from engine.audio.post import postprocess
from engine.errors import Message
from engine.server.delivery import live, whole
from engine.server.form import NO_TEXT, REFERENCE_TEXT, VOICE, MultipartForm, read_form
from engine.server.options import ServerOptions
from engine.server.params import GenerateParams, parse_params
from engine.server.queue import Order, SynthesisQueue, with_seed
from engine.server.replies import (
    FAILED,
    STREAM_FAILED,
    ApiError,
    as_api_error,
    bad_request,
    warnings_header,
)
from engine.server.sound import LivePcm, pcm_bytes, raw_headers, wav_bytes
from engine.server.voices import VoiceResolver
from engine.synthesis.emitters import FILE_STRIDE
from engine.text.split import is_speakable, split_sentences
from engine.types import Summary, SynthesisRequest

NO_TRANSCRIPT = "Reference audio requires reference_text (aliases: ref_text, prompt_text)."
NO_SEGMENTS = "Text did not produce any non-empty segments."


class Generate:
    """The route's state: where voices and the engine are."""

    def __init__(
        self, queue: SynthesisQueue, resolver: VoiceResolver, options: ServerOptions
    ) -> None:
        self._queue, self._resolver, self._options = queue, resolver, options

    async def post(self, request: Request) -> Response:
        """Answer one request."""
        form = await read_form(request, self._options.limits)
        try:
            params, order = self._order(form)
        finally:
            form.close()
        try:
            rate = self._queue.engine.info.sample_rate
        except Exception as error:
            order.close()
            raise as_api_error(error, FAILED) from error
        if params.live:
            return await self._live(request, params, order, rate)
        return await self._whole(request, params, order, rate)

    def _order(self, form: MultipartForm) -> tuple[GenerateParams, Order]:
        """Check in the order of the spec; the busy check comes after all of these."""
        text = self._text(form)
        params = parse_params(form.texts.get("params"), self._options)
        if not is_speakable(text) and not params.segmentation.sentences:
            raise bad_request(NO_TEXT)
        value = params.voice or form.first(VOICE)
        directory = params.voice_dir or form.first(["voice_dir"])
        path = self._resolver.locate(value, directory)
        upload = None
        try:
            transcript = ""
            voice = None
            if (upload := form.take_reference()) is not None:
                transcript = form.first(REFERENCE_TEXT)
                if not is_speakable(transcript):
                    raise ApiError(400, NO_TRANSCRIPT)
            elif path is not None:
                voice = self._resolver.load(path, self._queue.engine.info)
            if params.segmentation.sentences:
                check_segments(text, params.segmentation.max_chars)
            request = SynthesisRequest(
                text,
                sampling=params.sampling,
                stream=params.stream,
                post=self._options.post,
                segmentation=params.segmentation,
                pronunciations=params.pronunciations,
            )
            notes = (Message("server.empty_clip"),) if form.left_out and upload is None else ()
            return params, Order(with_seed(request), voice, upload, transcript, notes)
        except BaseException:
            if upload is not None:
                upload.close()
            raise

    def _text(self, form: MultipartForm) -> str:
        text = form.text("text")
        if text is None:
            raise bad_request(NO_TEXT)
        limit = self._options.limits.text_chars
        if len(text) > limit:
            raise ApiError(413, f"The field text is larger than {limit} characters")
        return text

    async def _live(
        self, request: Request, params: GenerateParams, order: Order, rate: int
    ) -> Response:
        media_type = raw_type(rate) if params.raw else "audio/wav"
        kind = LivePcm(rate, wav=not params.raw, media_type=media_type)
        kind.headers |= {**attachment(params.raw), **seed_header(order)}
        start = rate * params.start_buffer_ms // 1000
        return await live(request, self._queue, order, kind, start)

    async def _whole(
        self, request: Request, params: GenerateParams, order: Order, rate: int
    ) -> Response:
        stream = order.request.stream
        if not params.streaming and not stream.stride and not stream.low_latency:
            order.request = with_stride(order.request, FILE_STRIDE)
        fallback = STREAM_FAILED if params.streaming else FAILED
        samples, summary = await whole(request, self._queue, order, fallback)
        headers = {**attachment(params.raw), **seed_header(order), **ending(summary)}
        body = await asyncio.to_thread(_body, samples, rate, params, order)
        if params.raw:
            return Response(body, 200, {**headers, **raw_headers(rate)}, raw_type(rate))
        return Response(body, 200, headers, "audio/wav")


def _body(samples: np.ndarray, rate: int, params: GenerateParams, order: Order) -> bytes:
    """A finished answer; post-processing is for takes, not for what was asked as a stream."""
    if params.raw:
        return pcm_bytes(samples, rate, rate)
    if not params.streaming:
        samples = postprocess(samples, rate, order.request.post)
    return wav_bytes(samples, rate, whole_numbers=params.streaming)


def check_segments(text: str, max_chars: int) -> None:
    """Raise the 400 for a text of which segmentation leaves nothing."""
    if not split_sentences(text, max_chars):
        raise ApiError(400, NO_SEGMENTS)


def with_stride(request: SynthesisRequest, stride: int) -> SynthesisRequest:
    """The request with frames decoded ``stride`` at a time, which changes no sample."""
    return replace(request, stream=replace(request.stream, stride=stride))


def raw_type(rate: int) -> str:
    """The peer's media type, although its samples are little-endian."""
    return f"audio/L16; rate={rate}; channels=1"


def attachment(raw: bool) -> dict[str, str]:
    """The name under which a browser saves the answer."""
    name = f"generated_audio.{'pcm' if raw else 'wav'}"
    return {"content-disposition": f'attachment; filename="{name}"'}


def seed_header(order: Order) -> dict[str, str]:
    """The seed that makes the same sound again."""
    return {"x-seed": str(order.request.sampling.seed)}


def ending(summary: Summary) -> dict[str, str]:
    """Why the speech ended, and what is to be said about it; known when it has."""
    return {"x-finish-reason": summary.finish_reason, **warnings_header(summary.warnings)}
