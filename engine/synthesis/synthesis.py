"""One synthesis, from a request to a stream of events (spec 06, sections 3, 4 and 8).

Everything that belongs to the request alone (random generator, KV cache, codec state,
counters) is made here and dropped here, so that no job can leak into the next.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, cast

import numpy as np

from engine.cancel import CancelToken
from engine.errors import CancelledError, Message, RequestError
from engine.lm.generate import GenerationStats, generate, generate_steps
from engine.lm.generate import Steps as FrameSteps
from engine.lm.passes import Pass
from engine.synthesis.emitters import (
    Emitter,
    ExactEmitter,
    StreamPlan,
    WindowedEmitter,
    plan_stream,
)
from engine.synthesis.findings import request_warnings
from engine.synthesis.joining import SegmentJoiner
from engine.synthesis.metrics import MetricsCollector
from engine.synthesis.threaded_emitter import ThreadedEmitter
from engine.text.prompt import PromptReference, PromptTurn, build_prompt, prefix_columns
from engine.text.pronunciations import pronounce
from engine.text.speech_plan import SpeechPlan, plan_speech
from engine.text.tags import is_speakable
from engine.types import (
    MAX_SEED,
    AudioChunk,
    Event,
    FinishReason,
    FrameCodes,
    Progress,
    Sampling,
    SegmentStart,
    Summary,
    SynthesisRequest,
)

if TYPE_CHECKING:
    from engine.codec.fallback import CodecHost
    from engine.lm.cache import PrefixCache, PromptShare
    from engine.lm.dual_ar import DualAR
    from engine.text.tokenizer import Tokenizer

Steps = Generator[Event | Pass, object, None]
"""Events, and passes of the model that their answers are sent for."""

LONG_PASS_FRAMES = 1024
RECOMMENDED_REFERENCE_S = (5.0, 30.0)
SILENCE = np.empty(0, np.float32)


@dataclass(frozen=True, slots=True)
class EngineParts:
    """The parts that a synthesis works with.

    Attributes:
        overlap: decode on a thread beside generation; ``None`` decides by device.
    """

    tokenizer: Tokenizer
    model: DualAR
    codec: CodecHost
    prefixes: PrefixCache | None = None
    overlap: bool | None = None

    @property
    def decodes_in_thread(self) -> bool:
        """Whether the codec works on a thread of its own.

        It does where it computes on another device than the model. On one device both would
        only take turns at the same cores, and what is heard first would come later.
        """
        if self.overlap is not None:
            return self.overlap
        return self.codec.device != self.model.fast.device

    def close(self) -> None:
        """End the threads of the model and of the prefixes, and let go of what they hold."""
        if self.prefixes is not None:
            self.prefixes.close()
        self.model.close()


@dataclass(frozen=True, slots=True)
class SegmentPrompt:
    """A part of the text that is spoken as one utterance, as the model reads it."""

    text: str
    prompt: np.ndarray
    prefix: int


def draw_seed() -> int:
    """A fresh seed, short enough to be read out and typed again."""
    return secrets.randbelow(2**32)


def check_references(parts: EngineParts, request: SynthesisRequest) -> list[str]:
    """Check every voice against the model; return warnings (spec 05, section 4)."""
    config = parts.codec.config
    warnings = request_warnings(request)
    for profile in request.references:
        profile.check_model(
            num_codebooks=parts.model.config.num_codebooks,
            codebook_size=parts.model.config.codebook_size,
            sample_rate=config.sample_rate,
            semantic_size=config.semantic_size,
            residual_size=config.residual_size,
        )
        seconds = profile.frames * config.samples_per_frame / config.sample_rate
        low, high = RECOMMENDED_REFERENCE_S
        if not low <= seconds <= high:
            warnings.append(Message("reference.length", seconds=seconds, low=low, high=high))
    if request.sampling.max_new_tokens > LONG_PASS_FRAMES:
        warnings.append(Message("text.long_pass", frames=LONG_PASS_FRAMES))
    return warnings


def split_text(request: SynthesisRequest, limit: int = 0) -> SpeechPlan:
    """The pieces to speak, in order, and the pauses of exact length around them.

    Args:
        limit: most characters that the model speaks in one go, whatever the request says; 0 is
            no limit.

    Raises:
        RequestError: nothing to speak, or a pause that is too long.
    """
    if not is_speakable(request.text):
        raise RequestError("text.empty")
    options = request.segmentation
    longest = options.max_chars
    if limit and not 0 < longest <= limit:
        longest = limit
    cut = options.sentences or bool(limit and len(request.text) > limit)
    plan = plan_speech(request.text, sentences=cut, max_chars=longest)
    if not plan.segments:
        raise RequestError("text.nothing")
    return plan


def make_prompt(
    parts: EngineParts, request: SynthesisRequest, text: str, history: tuple[PromptTurn, ...] = ()
) -> SegmentPrompt:
    """Build the prompt matrix of one segment (spec 02, section 3)."""
    config = parts.model.config
    text = pronounce(text, request.pronunciations)
    references = tuple(
        PromptReference(transcript=p.transcript, codes=p.codes) for p in request.references
    )
    prompt = build_prompt(
        parts.tokenizer,
        text,
        num_codebooks=config.num_codebooks,
        codebook_size=config.codebook_size,
        semantic_begin=config.semantic_begin,
        references=references,
        history=history,
        context_length=config.context_length,
    )
    return SegmentPrompt(text, prompt, prefix_columns(parts.tokenizer, references))


class Synthesis:
    """Runs one request; iterate :meth:`run`, or answer :meth:`steps`, once."""

    def __init__(
        self,
        parts: EngineParts,
        request: SynthesisRequest,
        cancel: CancelToken,
        prompts: PromptShare | None = None,
    ) -> None:
        """``prompts`` are those that a batch has read."""
        self._parts, self._request, self._cancel = parts, request, cancel
        self._prompts, self._shared = prompts, False
        given = request.sampling.seed
        self._seed = draw_seed() if given is None else given
        config = parts.codec.config
        self._rate, self._frame = config.sample_rate, config.samples_per_frame
        self._plan: StreamPlan = plan_stream(request.stream, config.window)
        self._metrics = MetricsCollector(self._rate, self._seed)
        self._columns: list[np.ndarray] = []
        self._position = 0
        self._waited_ms = 0.0

    def run(self) -> Iterator[Event]:
        """Yield events; the last one is a :class:`Summary`.

        Raises:
            RequestError, VoiceError, ContextError: before anything was made.
            GenerationError: the model or the codec failed.
        """
        return cast(Iterator[Event], self.steps(shared=False))

    def steps(self, shared: bool) -> Steps:
        """:meth:`run`, that also yields the passes of the model where they are ``shared``."""
        self._shared = shared
        warnings = check_references(self._parts, self._request)
        trouble = self._parts.codec.trouble
        plan = split_text(self._request, self._parts.model.config.text_limit)
        texts = plan.texts
        silences = plan.silences(self._rate, self._request.segmentation.pause_ms)
        joiner = SegmentJoiner(self._rate) if len(texts) > 1 or silences[-1] else None
        reason: FinishReason = "end"
        begin, turn = self._go_on(texts, joiner)
        for index, text in enumerate(texts[begin:], begin):
            if self._cancel.cancelled:
                reason = "cancelled"
                break
            segment = make_prompt(self._parts, self._request, text, turn)
            yield SegmentStart(index, len(texts), text, self._position)
            if index == 0:
                yield from self._chunk(np.zeros(silences[0], np.float32), 0)
            first = len(self._columns)
            behind = silences[index + 1] or (None if index == len(texts) - 1 else 0)
            ended = yield from self._speak(segment, index, joiner, behind)
            if ended == "length":
                warnings.append(self._cut_warning(index, len(texts)))
            if ended != "end":
                reason = ended
            if ended == "cancelled":
                break
            if self._request.segmentation.history:
                turn = (PromptTurn(segment.text, np.stack(self._columns[first:], axis=1)),)
        if self._parts.codec.trouble != trouble:
            warnings.append(self._parts.codec.trouble)
        yield self._summary(reason, warnings)

    def _go_on(
        self, texts: list[str], joiner: SegmentJoiner | None
    ) -> tuple[int, tuple[PromptTurn, ...]]:
        """The first piece to speak, and what the prompt holds of the one before it."""
        resume = self._request.resume
        if resume is None or resume.piece == 0:
            return 0, ()
        if resume.piece >= len(texts):
            raise RequestError("text.no_piece", piece=resume.piece + 1)
        if joiner is not None:
            joiner.end_segment(0)  # only the very first piece keeps its beginning
        if not self._request.segmentation.history:
            return resume.piece, ()
        if resume.codes is None:
            raise RequestError("text.no_codes_before", piece=resume.piece + 1)
        before = pronounce(texts[resume.piece - 1], self._request.pronunciations)
        return resume.piece, (PromptTurn(before, resume.codes),)

    def _speak(
        self,
        segment: SegmentPrompt,
        index: int,
        joiner: SegmentJoiner | None,
        behind: int | None,
    ) -> Generator[Event | Pass, object, FinishReason]:
        """Speak a piece and the silence ``behind`` it, in samples; ``None`` ends the take."""
        first = len(self._columns)
        sampling = replace(self._request.sampling, seed=(self._seed + index) & MAX_SEED)
        source = self._source(segment, sampling)
        emitter = self._emitter()
        self._waited_ms = 0.0
        with closing(source), closing(emitter):
            stats = yield from self._frames(source, emitter, joiner, index)
            while_generating = self._waited_ms
            reason = stats.finish_reason
            if reason != "cancelled" and not (yield from self._finish_segment(emitter, joiner)):
                reason = "cancelled"
        self._metrics.add_segment(stats, emitter.figures, while_generating, self._waited_ms)
        if reason == "cancelled":
            # What is kept are the codes of what was handed out, no more.
            del self._columns[first + stats.frames - emitter.held_frames :]
        elif joiner is not None:
            yield from self._chunk(joiner.end_segment(behind), 0)
        return reason

    def _source(self, segment: SegmentPrompt, sampling: Sampling) -> FrameSteps:
        parts = self._parts
        begin = generate
        if self._shared:
            begin = partial(generate_steps, prompts=self._prompts)  # type: ignore[assignment]
        frames = begin(
            parts.model,
            segment.prompt,
            sampling,
            cancel=self._cancel,
            prefix=parts.prefixes,
            prefix_columns=segment.prefix,
        )
        return cast(FrameSteps, frames)

    def _emitter(self) -> Emitter:
        """A fresh one for one segment; nothing of an earlier one is in it."""
        kind = ExactEmitter if self._plan.mode == "exact" else WindowedEmitter
        emitter: Emitter = kind(self._parts.codec, self._plan, self._cancel)
        return ThreadedEmitter(emitter) if self._parts.decodes_in_thread else emitter

    def _frames(
        self, source: FrameSteps, emitter: Emitter, joiner: SegmentJoiner | None, index: int
    ) -> Generator[Event | Pass, object, GenerationStats]:
        """Pass on what the model makes, with the samples of its frames behind them."""
        answer: object = None
        while True:
            try:
                event = source.send(answer)
            except StopIteration as stop:
                stats: GenerationStats = stop.value
                return stats
            answer = None
            if not isinstance(event, FrameCodes):
                answer = yield event
                continue
            self._columns.append(event.codes)
            yield FrameCodes(len(self._columns) - 1, event.codes, index)
            samples = SILENCE
            with self._waiting(), suppress(CancelledError):  # the model's loop ends the job
                samples = emitter.push(event.codes)
            yield from self._emit(samples, emitter, joiner)

    def _finish_segment(
        self, emitter: Emitter, joiner: SegmentJoiner | None
    ) -> Generator[Event, None, bool]:
        """Hand out what the emitter still has; false when the job was cancelled on the way."""
        rest = emitter.finish()
        while not self._cancel.cancelled:
            try:
                with self._waiting():
                    samples = next(rest)
            except StopIteration:
                return True
            except CancelledError:
                break
            yield from self._emit(samples, emitter, joiner)
        return False

    @contextmanager
    def _waiting(self) -> Iterator[None]:
        """Count the time that this thread gives to decoding."""
        started = time.perf_counter()
        try:
            yield
        finally:
            self._waited_ms += 1e3 * (time.perf_counter() - started)

    def _emit(
        self, samples: np.ndarray, emitter: Emitter, joiner: SegmentJoiner | None
    ) -> Iterator[Event]:
        if not len(samples):
            return
        self._metrics.frames_emitted += len(samples) // self._frame
        if joiner is not None:
            samples = joiner.push(samples)
        yield from self._chunk(samples, emitter.held_frames)

    def _chunk(self, samples: np.ndarray, held: int) -> Iterator[Event]:
        if not len(samples):
            return
        samples.setflags(write=False)
        self._metrics.audio(len(samples))
        chunk = AudioChunk(self._position, samples, self._rate, held)
        self._position += len(samples)
        yield chunk

    def _cut_warning(self, index: int, total: int) -> Message:
        return Message("text.piece_cut", piece=index + 1) if total > 1 else Message("text.cut")

    def _summary(self, reason: FinishReason, warnings: list[str]) -> Summary:
        rows = self._parts.model.config.num_codebooks
        codes = np.stack(self._columns, axis=1) if self._columns else np.empty((rows, 0), np.int32)
        codes.setflags(write=False)
        return Summary(
            codes, reason, self._seed, self._metrics.finish(reason), tuple(dict.fromkeys(warnings))
        )


__all__ = ["EngineParts", "Progress", "Synthesis", "make_prompt", "split_text"]
