"""OpenAI's ``POST /v1/audio/speech`` and the listings that its clients ask for."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from engine.audio.post import postprocess
from engine.errors import RequestError
from engine.server.body import TooLargeError, read_json, size_text
from engine.server.delivery import live, whole
from engine.server.form import Upload
from engine.server.generate import ending, seed_header
from engine.server.options import MIB, Limits, ServerOptions
from engine.server.params import read_sampling, read_words, whole_number
from engine.server.queue import Order, SynthesisQueue, with_seed
from engine.server.replies import ApiError, as_api_error, bad_request
from engine.server.sound import ENCODERS, WAV_TYPE, EventStream, LivePcm, delta, done, encoded
from engine.server.voices import VoiceResolver
from engine.synthesis.emitters import FILE_STRIDE
from engine.text.split import estimate_seconds, is_speakable
from engine.types import SynthesisRequest

FORMATS = ("mp3", "opus", "flac", "wav", "pcm")
DEFAULT_FORMAT = "mp3"
PCM_RATE = 24_000
MIN_RATE, MAX_RATE = 8_000, 48_000
DEFAULT_VOICE = "default"
LONG_SECONDS = 30.0
IGNORED = ("instructions",)
OWNER = "s2-voice-studio"


@dataclass(frozen=True, slots=True)
class SpeechRequest:
    """The JSON body, checked.

    Attributes:
        voice: id; empty for the server's default.
        rate: of raw samples, in Hz; 0 leaves the model's.
        recording, transcript: a voice to clone for this request only.
    """

    text: str
    voice: str
    format: str
    events: bool
    rate: int
    given: Mapping[str, Any]
    recording: bytes = b""
    transcript: str = ""

    @property
    def is_live(self) -> bool:
        """Compressed kinds are made in one piece when everything is spoken."""
        return self.format in ("wav", "pcm")


def parse_speech(given: Mapping[str, Any], limits: Limits) -> SpeechRequest:
    """Check a body; unknown fields are passed over, as the API grows.

    Raises:
        ApiError: 400 that names the field, 413 for a text over the limit.
    """
    text = _string(given, "input", required=True)
    if len(text) > limits.text_chars:
        raise ApiError(
            413, f"input is longer than {limits.text_chars} characters",
            param="input", code="string_above_max_length",
        )  # fmt: skip
    if not is_speakable(text):
        raise bad_request("input holds nothing to speak", "input")
    kind = _string(given, "response_format") or DEFAULT_FORMAT
    if kind not in FORMATS:
        known = ", ".join(FORMATS)
        raise bad_request(f"response_format {kind[:20]!r} is not supported; use {known}",
                          "response_format")  # fmt: skip
    stream_format = _string(given, "stream_format") or "audio"
    if stream_format not in ("audio", "sse"):
        raise bad_request("stream_format must be audio or sse", "stream_format")
    speed = given.get("speed")
    if speed is not None and (isinstance(speed, bool) or speed != 1):
        raise bad_request("speed can only be 1.0: the model speaks at its own pace", "speed")
    recording = _recording(_string(given, "ref_audio"), limits.reference_bytes)
    transcript = _string(given, "ref_text")
    if recording and not is_speakable(transcript):
        raise bad_request("ref_audio requires ref_text, what is said in it", "ref_text")
    return SpeechRequest(
        text=text,
        voice=_voice(given),
        format=kind,
        events=stream_format == "sse",
        rate=_rate(given) or (PCM_RATE if kind == "pcm" else 0),
        given=given,
        recording=recording,
        transcript=transcript,
    )


def _string(given: Mapping[str, Any], key: str, required: bool = False) -> str:
    value = given.get(key)
    if value is None and not required:
        return ""
    if value is None:
        raise bad_request(f"{key} is missing", key, "missing_required_parameter")
    if not isinstance(value, str):
        raise bad_request(f"{key} must be a string", key)
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise bad_request(f"{key} holds half a character (a lone surrogate)", key) from None
    return value


def _voice(given: Mapping[str, Any]) -> str:
    value = given.get("voice")
    name = _string(value, "id", True) if isinstance(value, Mapping) else _string(given, "voice")
    return "" if name == DEFAULT_VOICE else name


def _rate(given: Mapping[str, Any]) -> int:
    if given.get("sample_rate") is None:
        return 0
    value = whole_number(given, "sample_rate") or 0
    if not MIN_RATE <= value <= MAX_RATE:
        raise bad_request(f"sample_rate must be from {MIN_RATE} to {MAX_RATE}", "sample_rate")
    return value


def _recording(value: str, limit: int) -> bytes:
    """A recording given as base64, bare or as a ``data:`` address."""
    if not value:
        return b""
    if value.startswith(("http:", "https:", "file:")):
        raise bad_request("ref_audio must hold the recording itself in base64; addresses are "
                          "not fetched", "ref_audio")  # fmt: skip
    if value.startswith("data:"):
        value = value.partition(",")[2]
    if len(value) // 4 * 3 > limit + 2:
        raise TooLargeError("ref_audio", size_text(limit))
    try:
        return base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        raise bad_request("ref_audio is not valid base64", "ref_audio") from None


class Speech:
    """The route's state: where voices and the engine are."""

    def __init__(
        self, queue: SynthesisQueue, resolver: VoiceResolver, options: ServerOptions
    ) -> None:
        self._queue, self._resolver, self._options = queue, resolver, options

    async def speech(self, request: Request) -> Response:
        """``POST /v1/audio/speech``."""
        limits = self._options.limits
        most = limits.reference_bytes * 4 // 3 + limits.text_bytes + MIB
        given = await read_json(request, most, limits.body_timeout_s)
        try:
            wanted = parse_speech(given, limits)
            order = self._order(wanted)
        except RequestError as error:
            raise bad_request(error.detail) from None
        except ValueError as error:  # a number of a wrong type
            raise bad_request(str(error)) from None
        try:
            rate = self._queue.engine.info.sample_rate
        except Exception as error:
            order.close()
            raise as_api_error(error, "Synthesis failed.") from error
        response = await self._answer(request, wanted, order, rate)
        ignored = [name for name in IGNORED if given.get(name)]
        if ignored:
            response.headers["x-ignored-parameters"] = ", ".join(ignored)
        return response

    def _order(self, wanted: SpeechRequest) -> Order:
        path = self._resolver.locate(wanted.voice)
        given = _without_nulls(wanted.given)
        sampling = read_sampling(given, self._options.sampling)
        segmentation = self._options.segmentation
        if estimate_seconds(wanted.text) > LONG_SECONDS:
            # In one pass the model would run into its limit of frames, and the end be lost.
            segmentation = replace(segmentation, sentences=True)
        request = SynthesisRequest(
            wanted.text,
            sampling=sampling,
            stream=self._options.stream,
            post=self._options.post,
            segmentation=segmentation,
            pronunciations=read_words(given, self._options.pronunciations),
        )
        order = Order(with_seed(request))
        if wanted.recording:
            self._queue.check_free()
            order.upload, order.transcript = Upload(), wanted.transcript
            order.upload.write(wanted.recording)
            order.upload.finish()
        elif path is not None:
            order.voice = self._resolver.load(path, self._queue.engine.info)
        return order

    async def _answer(
        self, request: Request, wanted: SpeechRequest, order: Order, rate: int
    ) -> Response:
        if wanted.is_live:
            wav = wanted.format == "wav"
            kind = LivePcm(
                rate, wav=wav, media_type=WAV_TYPE if wav else "audio/pcm", target_rate=wanted.rate
            )
            kind.headers |= seed_header(order)
            stream = EventStream(kind) if wanted.events else kind
            return await live(request, self._queue, order, stream)
        options = order.request.stream
        if not options.stride and not options.low_latency:
            order.request = replace(order.request, stream=replace(options, stride=FILE_STRIDE))
        samples, summary = await whole(request, self._queue, order)
        samples = postprocess(samples, rate, order.request.post)
        body = await encoded(samples, rate, wanted.format)
        headers = {**seed_header(order), **ending(summary)}
        if wanted.events:
            headers |= {"cache-control": "no-store", "content-type": EventStream.media_type}
            return Response(delta(body) + done(summary), 200, headers)
        return Response(body, 200, headers, ENCODERS[wanted.format][1])

    async def models(self, request: Request) -> Response:
        """``GET /v1/models``: the one model that is loaded."""
        return JSONResponse({"object": "list", "data": [self._model()]})

    async def model(self, request: Request) -> Response:
        """``GET /v1/models/{model}``."""
        entry = self._model()
        name = request.path_params["model"]
        if name != entry["id"]:
            raise ApiError(404, f"There is no model {name[:80]!r}", code="model_not_found")
        return JSONResponse(entry)

    async def voices(self, request: Request) -> Response:
        """``GET /v1/audio/voices``: ids that ``voice`` can be."""
        ids = [DEFAULT_VOICE, *(name for name in self._resolver.ids() if name != DEFAULT_VOICE)]
        data = [{"id": name, "object": "voice", "name": name} for name in ids]
        return JSONResponse({"object": "list", "data": data, "voices": ids})

    def _model(self) -> dict[str, Any]:
        try:
            info = self._queue.engine.info
        except Exception as error:
            raise as_api_error(error, "No model is loaded.") from error
        name = Path(info.path).stem or info.name
        entry = {"id": name, "object": "model", "created": 0, "owned_by": OWNER}
        return {**entry, "sample_rate": info.sample_rate}


def _without_nulls(given: Mapping[str, Any]) -> dict[str, Any]:
    """Clients send ``null`` for what they leave to the server."""
    return {key: value for key, value in given.items() if value is not None}


__all__ = ["Speech", "SpeechRequest", "parse_speech"]
