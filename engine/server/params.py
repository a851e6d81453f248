"""The ``params`` of the peer's ``/generate``: keys, clamps and modes (spec 07, section 2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine.errors import RequestError
from engine.server.body import json_fault
from engine.server.options import ServerOptions
from engine.server.replies import ApiError, bad_request
from engine.storage.strict_json import parse_json
from engine.synthesis.emitters import LIVE_STRIDE
from engine.text.pronunciations import Pronunciations, checked_pronunciations
from engine.types import Sampling, Segmentation, StreamOptions

RAW_NAMES = ("pcm", "pcm16", "pcm_s16le", "s16le")
LIVE_PCM_BUFFER_MS = 3000
MAX_INT = 2**31 - 1
LEAST_TOP_P = 1e-6
# Understood for the peer's sake: the codec's place and the threads are settled at the start.
WITHOUT_EFFECT = {
    "n_threads": int,
    "verbose": bool,
    "codec_follow_backend": bool,
    "codec_auto_backend": bool,
}


@dataclass(frozen=True, slots=True)
class GenerateParams:
    """What one request asks for besides its text and voice.

    Attributes:
        streaming: decode as a stream; also set by segmentation.
        live: send while it is made.
        raw: 16-bit samples without a header.
        start_buffer_ms: sound that is ready before the first byte leaves.
        voice, voice_dir: override the form's fields; ``None`` when not given.
    """

    sampling: Sampling
    stream: StreamOptions
    segmentation: Segmentation
    streaming: bool
    live: bool
    raw: bool
    start_buffer_ms: int
    voice: str | None = None
    voice_dir: str | None = None
    pronunciations: Pronunciations = ()


class _InvalidError(ValueError):
    pass


def parse_params(raw: bytes | None, options: ServerOptions) -> GenerateParams:
    """Read the field ``params``; without one the server's defaults hold.

    Raises:
        ApiError: 400 with one of the three texts of the peer.
    """
    if raw is None:
        return _read({}, options)
    try:
        given = parse_json(raw, finite=False)
    except ValueError:
        raise bad_request(params_fault(raw), "params") from None
    if not isinstance(given, dict):
        raise bad_request("Params JSON must be an object", "params")
    try:
        return _read(given, options)
    except _InvalidError as error:
        raise _invalid(str(error)) from None
    except RequestError as error:
        raise _invalid(error.detail) from None


def params_fault(raw: bytes) -> str:
    """The peer's words, or the true cause where it is the encoding."""
    fault = json_fault(raw, "The field params")
    return "JSON parse error" if fault.endswith("valid JSON") else fault


def _invalid(reason: str) -> ApiError:
    return bad_request(f"Invalid params JSON: {reason}", "params")


def _read(given: Mapping[str, Any], options: ServerOptions) -> GenerateParams:
    for key, kind in WITHOUT_EFFECT.items():
        (_flag if kind is bool else whole_number)(given, key)
    segmentation = _segmentation(given, options.segmentation)
    streaming = bool(_flag(given, "stream")) or segmentation.sentences
    chunked, realtime = _flag(given, "chunked"), _flag(given, "realtime")
    live = streaming and bool(chunked if realtime is None else realtime)
    output = _text(given, "output_format") or "wav"
    raw = streaming and output.lower() in RAW_NAMES
    low_latency = _flag(given, "low_latency")
    stream = _stream(given, options.stream, low_latency)
    return GenerateParams(
        sampling=read_sampling(given, options.sampling),
        stream=stream,
        segmentation=segmentation,
        streaming=streaming,
        live=live,
        raw=raw,
        start_buffer_ms=_start_buffer(given, live and raw, stream.low_latency),
        voice=_text(given, "voice_id") or _text(given, "voice"),
        voice_dir=_text(given, "voice_dir"),
        pronunciations=read_words(given, options.pronunciations),
    )


def _start_buffer(given: Mapping[str, Any], live_pcm: bool, low_latency: bool) -> int:
    value = whole_number(given, "stream_start_buffer_ms")
    if value is not None:
        return value
    return LIVE_PCM_BUFFER_MS if live_pcm and not low_latency else 0


def read_sampling(given: Mapping[str, Any], base: Sampling) -> Sampling:
    """Sampling options by their HTTP names, over ``base``.

    Raises:
        ValueError: a value of a wrong type.
        RequestError: a value out of its range.
    """
    temperature, top_p = number(given, "temperature"), number(given, "top_p")
    least = whole_number(given, "min_tokens_before_end")
    top_k, seed = whole_number(given, "top_k"), whole_number(given, "seed", clamp=False)
    return Sampling(
        temperature=base.temperature if temperature is None else max(0.0, temperature),
        # Nothing kept by top-p still leaves the likeliest token; above 1 is no limit.
        top_p=base.top_p if top_p is None else min(1.0, max(LEAST_TOP_P, top_p)),
        top_k=base.top_k if top_k is None else top_k,
        max_new_tokens=whole_number(given, "max_new_tokens") or base.max_new_tokens,
        min_tokens_before_end=base.min_tokens_before_end if least is None else least,
        seed=base.seed if seed is None else seed,
    )


def read_words(given: Mapping[str, Any], base: Pronunciations) -> Pronunciations:
    """The object ``pronunciations``, word to what is said, on top of ``base``.

    Raises:
        ValueError: it is no object of strings.
        RequestError: an entry cannot be used.
    """
    value = given.get("pronunciations", {})
    if not isinstance(value, dict) or not all(isinstance(said, str) for said in value.values()):
        raise _InvalidError("pronunciations must be an object of strings")
    return checked_pronunciations([*base, *value.items()])


def _stream(given: Mapping[str, Any], base: StreamOptions, low: bool | None) -> StreamOptions:
    stride = _last(given, "stream_decode_stride_frames", "stream_decode_stride")
    holdback = whole_number(given, "stream_holdback_frames")
    context = _last(given, "codec_decode_context_frames", "codec_context_frames")
    low_latency = base.low_latency if low is None else low
    if stride == 0 and low_latency:
        stride = LIVE_STRIDE  # given, so the low latency does not replace it
    return replace(
        base,
        stride=base.stride if stride is None else stride,
        holdback=base.holdback if holdback is None else holdback,
        context=base.context if context is None else context,
        low_latency=low_latency,
    )


def _segmentation(given: Mapping[str, Any], base: Segmentation) -> Segmentation:
    sentences = _flag(given, "segment_sentences")
    pause, most = whole_number(given, "sentence_pause_ms"), whole_number(given, "segment_max_chars")
    return replace(
        base,
        sentences=base.sentences if sentences is None else sentences,
        pause_ms=base.pause_ms if pause is None else pause,
        max_chars=base.max_chars if most is None else most,
    )


def _last(given: Mapping[str, Any], first: str, second: str) -> int | None:
    """Of two names for one number the second wins; both must be sound."""
    values = whole_number(given, first), whole_number(given, second)
    return values[0] if values[1] is None else values[1]


def whole_number(given: Mapping[str, Any], key: str, clamp: bool = True) -> int | None:
    """A whole number, with ``clamp`` brought into 0 to 2^31 - 1; ``None`` when absent."""
    if key not in given:
        return None
    value = given[key]
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        raise _InvalidError(f"{key} must be a whole number, not {_kind(value)}")
    return min(MAX_INT, max(0, value)) if clamp else value


def number(given: Mapping[str, Any], key: str) -> float | None:
    """A number; ``None`` when absent."""
    if key not in given:
        return None
    value = given[key]
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        raise _InvalidError(f"{key} must be a number, not {_kind(value)}")
    try:
        return float(value)
    except OverflowError:
        raise _InvalidError(f"{key} is too large") from None


def _flag(given: Mapping[str, Any], key: str) -> bool | None:
    if key not in given:
        return None
    value = given[key]
    if not isinstance(value, bool):
        raise _InvalidError(f"{key} must be true or false, not {_kind(value)}")
    return value


def _text(given: Mapping[str, Any], key: str) -> str | None:
    if key not in given:
        return None
    value = given[key]
    if not isinstance(value, str):
        raise _InvalidError(f"{key} must be a string, not {_kind(value)}")
    return value


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    names = {bool: "a boolean", str: "a string", list: "an array", dict: "an object"}
    return names.get(type(value), f"{value!r}"[:40])
