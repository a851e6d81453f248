"""Samples as the bodies of responses: WAV, raw, compressed, and server-sent events."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Mapping

import numpy as np

from engine.audio.encode import ExportFormat, encode_audio
from engine.audio.resample import StreamResampler, resample
from engine.audio.wav import encode_wav, to_pcm16, wav_header
from engine.server.delivery import LiveFormat
from engine.server.replies import ApiError, openai_error
from engine.types import Summary

ENCODERS = {
    "flac": (ExportFormat.FLAC_16, "audio/flac"),
    "mp3": (ExportFormat.MP3, "audio/mpeg"),
    "opus": (ExportFormat.OPUS, "audio/ogg"),
}
WAV_TYPE = "audio/wav"
DELTA_BYTES = 32 * 1024


def raw_headers(rate: int) -> dict[str, str]:
    """What a client must know to play samples without a header."""
    return {
        "x-audio-sample-rate": str(rate),
        "x-audio-channels": "1",
        "x-audio-encoding": "pcm_s16le",
    }


class LivePcm:
    """16-bit samples, little-endian, with or without a WAV header of provisional sizes."""

    def __init__(
        self, rate: int, *, wav: bool, media_type: str = WAV_TYPE, target_rate: int = 0
    ) -> None:
        self._rate = target_rate or rate
        self._resampler = StreamResampler(rate, self._rate)
        self._wav = wav
        self.media_type = media_type
        self.headers: dict[str, str] = {} if wav else raw_headers(self._rate)

    def begin(self) -> bytes:
        return wav_header(self._rate) if self._wav else b""

    def feed(self, samples: np.ndarray) -> bytes:
        return to_pcm16(self._resampler.push(samples)).tobytes()

    def end(self, summary: Summary) -> bytes:
        return to_pcm16(self._resampler.flush()).tobytes()

    def fail(self, error: ApiError) -> None:
        return None


class EventStream:
    """OpenAI's server-sent events around another live format."""

    media_type = "text/event-stream"

    def __init__(self, inner: LiveFormat) -> None:
        self._inner = inner
        self.headers = {**inner.headers, "cache-control": "no-store"}

    def begin(self) -> bytes:
        return delta(self._inner.begin())

    def feed(self, samples: np.ndarray) -> bytes:
        return delta(self._inner.feed(samples))

    def end(self, summary: Summary) -> bytes:
        return delta(self._inner.end(summary)) + done(summary)

    def fail(self, error: ApiError) -> bytes:
        return event("error", openai_error(error))


def event(kind: str, data: Mapping[str, object]) -> bytes:
    """One server-sent event; its type is also in the data, as OpenAI's clients expect."""
    body = json.dumps({"type": kind, **data}, ensure_ascii=False, separators=(",", ":"))
    return f"event: {kind}\ndata: {body}\n\n".encode()


def delta(data: bytes) -> bytes:
    """Events for a piece of sound; none for no bytes."""
    return b"".join(
        event(
            "speech.audio.delta",
            {"audio": base64.b64encode(data[at : at + DELTA_BYTES]).decode("ascii")},
        )
        for at in range(0, len(data), DELTA_BYTES)
    )


def done(summary: Summary) -> bytes:
    """The last event: prompt columns and frames are what this model counts as tokens.

    Why the speech ended is no field of OpenAI's; a client that knows it can tell a cut text.
    """
    read, made = summary.metrics.prompt_columns, summary.metrics.frames
    usage = {"input_tokens": read, "output_tokens": made, "total_tokens": read + made}
    told = {"warnings": list(summary.warnings)} if summary.warnings else {}
    ended = {"usage": usage, "finish_reason": summary.finish_reason, **told}
    return event("speech.audio.done", ended)


async def encoded(samples: np.ndarray, rate: int, name: str) -> bytes:
    """A compressed file of the kind ``name`` of :data:`ENCODERS`, made beside the event loop."""
    return await asyncio.to_thread(encode_audio, samples, rate, ENCODERS[name][0])


def pcm_bytes(samples: np.ndarray, rate: int, target_rate: int) -> bytes:
    """16-bit samples at ``target_rate``."""
    return to_pcm16(resample(samples, rate, target_rate)).tobytes()


def wav_bytes(samples: np.ndarray, rate: int, *, whole_numbers: bool) -> bytes:
    """A WAV file, of 16-bit whole numbers or of floats."""
    return encode_wav(samples, rate, "PCM_16" if whole_numbers else "FLOAT")
