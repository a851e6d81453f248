"""One synthesis through a server: its requests, and the events that come of them."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import replace

import numpy as np

from engine.audio.resample import StreamResampler
from engine.cancel import CancelToken
from engine.errors import CancelledError, GenerationError, Message, RequestError
from engine.remote.dialects import ServerCapabilities, Utterance, make_body
from engine.remote.events import EventDecoder
from engine.remote.http_call import Call, Head, HttpCall
from engine.remote.options import RemoteOptions
from engine.remote.reply import Decoder, error_of, make_decoder, not_sound
from engine.remote.request import Recording, RemoteRequest
from engine.storage.strict_json import parse_json
from engine.synthesis.findings import pause_warnings
from engine.synthesis.joining import SegmentJoiner
from engine.synthesis.metrics import MetricsCollector
from engine.text.pronunciations import pronounce
from engine.text.speech_plan import SpeechPlan, plan_speech
from engine.types import (
    MAX_SEED,
    AudioChunk,
    Event,
    FinishReason,
    SegmentStart,
    Summary,
    SynthesisRequest,
)
from engine.voices import VoiceProfile

MAX_ERROR_BODY = 1 << 16
MAX_WARNINGS, MAX_WARNING = 8, 300
NO_CODES = np.empty((0, 0), np.int32)
NO_CODES.setflags(write=False)
SoundOf = Callable[[VoiceProfile, CancelToken], Recording]


class RemoteSynthesis:
    """One synthesis; iterate :meth:`run` once.

    Args:
        sound_of: makes sound of a voice that holds codes.
    """

    def __init__(
        self,
        options: RemoteOptions,
        can: ServerCapabilities,
        request: SynthesisRequest,
        cancel: CancelToken,
        sound_of: SoundOf,
    ) -> None:
        self._options, self._can, self._sound_of = options, can, sound_of
        self._request, self._cancel = request, cancel
        self._rate = can.sample_rate
        self._seed = request.sampling.seed or 0
        self._metrics = MetricsCollector(self._rate, self._seed)
        self._position = 0
        self._warnings: list[str] = []

    def run(self) -> Iterator[Event]:
        """Yield the events."""
        reason: FinishReason = "end"
        plan = self._plan()
        texts = plan.texts
        silences = plan.silences(self._rate, self._request.segmentation.pause_ms)
        joiner = SegmentJoiner(self._rate) if len(texts) > 1 or silences[-1] else None
        try:
            recording = self._recording()
            for index, text in enumerate(texts):
                yield SegmentStart(index, len(texts), text, self._position)
                if index == 0:
                    yield from self._chunk(np.zeros(silences[0], np.float32))
                ended = yield from self._speak(self._utterance(text, index, recording), joiner)
                if joiner is not None:
                    behind = silences[index + 1] or (None if index == len(texts) - 1 else 0)
                    yield from self._chunk(joiner.end_segment(behind))
                reason = ended if ended == "length" else reason
        except CancelledError:
            reason = "cancelled"
        if not self._position and reason != "cancelled":
            raise GenerationError("remote.silent")
        metrics = replace(self._metrics.finish(reason), segments=len(texts))
        warnings = tuple(dict.fromkeys(self._warnings))
        yield Summary(NO_CODES, reason, self._seed, metrics, warnings)

    def _plan(self) -> SpeechPlan:
        options = self._request.segmentation
        if options.sentences and options.history:
            self._warnings.append(Message("remote.no_history"))
        self._warnings += pause_warnings(self._request)
        plan = plan_speech(
            self._request.text, sentences=options.sentences, max_chars=options.max_chars
        )
        if not plan.segments:
            raise RequestError("text.nothing")
        return plan

    def _recording(self) -> Recording | None:
        request = self._request
        if isinstance(request, RemoteRequest) and request.recording is not None:
            return request.recording
        if request.references:
            return self._sound_of(request.references[0], self._cancel)
        return None

    def _utterance(self, text: str, index: int, recording: Recording | None) -> Utterance:
        request = self._request
        voice = request.voice if isinstance(request, RemoteRequest) else ""
        seed = request.sampling.seed
        sampling = request.sampling
        if seed is not None:
            sampling = replace(sampling, seed=(seed + index) & MAX_SEED)
        text = pronounce(text, request.pronunciations)
        return Utterance(text, voice or self._options.voice, recording, sampling)

    def _speak(
        self, said: Utterance, joiner: SegmentJoiner | None
    ) -> Generator[Event, None, FinishReason]:
        body = make_body(said, self._can)
        wait = self._options.timeouts.first
        call = Call("POST", body.path, wait, body.content, body.content_type)
        with closing(HttpCall(self._options, call)) as exchange:
            head = exchange.head(self._cancel)
            decoder = self._decoder(head, exchange)
            self._note_seed(head)
            self._note_warnings(head)
            resampler: StreamResampler | None = None
            for samples in decoder.decode(exchange.body(self._cancel)):
                if not len(samples):
                    continue
                if resampler is None:
                    resampler = StreamResampler(decoder.rate, self._rate)
                yield from self._emit(resampler.push(samples), joiner)
            if resampler is not None:
                yield from self._emit(resampler.flush(), joiner)
            decoder.finish()
        return self._count(decoder)

    def _decoder(self, head: Head, exchange: HttpCall) -> Decoder:
        host = self._options.host
        if head.status != 200:
            raise error_of(head, exchange.read(self._cancel, MAX_ERROR_BODY), host)
        decoder = make_decoder(head, self._can, host)
        if decoder is None:
            raise not_sound(head, exchange.read(self._cancel, MAX_ERROR_BODY), host)
        return decoder

    def _note_warnings(self, head: Head) -> None:
        """What the server says about voice and text, in its own words."""
        try:
            told = parse_json(head.headers.get("x-warnings", "[]"))
        except ValueError:
            return
        if isinstance(told, list):
            self._warnings += [str(each)[:MAX_WARNING] for each in told[:MAX_WARNINGS]]

    def _note_seed(self, head: Head) -> None:
        """The seed that the server drew, where none was given and it tells."""
        told = head.headers.get("x-seed", "")
        readable = told.isdecimal() and len(told) <= len(str(MAX_SEED))
        if self._request.sampling.seed is None and self._position == 0 and readable:
            self._seed = self._metrics.seed = int(told) & MAX_SEED

    def _count(self, decoder: Decoder) -> FinishReason:
        if not isinstance(decoder, EventDecoder):
            return "end"
        usage = decoder.usage
        self._metrics.add(frames=usage.frames, prompt_columns=usage.prompt)
        if usage.cut:
            self._warnings.append(Message("text.cut"))
        return "length" if usage.cut else "end"

    def _emit(self, samples: np.ndarray, joiner: SegmentJoiner | None) -> Iterator[Event]:
        if len(samples) and joiner is not None:
            samples = joiner.push(samples)
        yield from self._chunk(samples)

    def _chunk(self, samples: np.ndarray) -> Iterator[Event]:
        if not len(samples):
            return
        samples = np.ascontiguousarray(samples, np.float32)
        samples.setflags(write=False)
        self._metrics.audio(len(samples))
        chunk = AudioChunk(self._position, samples, self._rate)
        self._position += len(samples)
        yield chunk
