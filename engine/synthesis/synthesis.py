"""One synthesis, from a request to a stream of events (spec 06, sections 3, 4 and 8).

Everything that belongs to the request alone (random generator, KV cache, codec state,
counters) is made here and dropped here, so that no job can leak into the next.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, cast

import numpy as np

from engine.cancel import CancelToken
from engine.errors import CancelledError, Message, RequestError
from engine.lm.generate import GenerationStats, generate, generate_steps
from engine.lm.generate import Steps as FrameSteps
from engine.lm.passes import Pass, Passes
from engine.synthesis.company import Clock, most_bytes
from engine.synthesis.emitters import (
    Emitter,
    ExactEmitter,
    StreamPlan,
    WindowedEmitter,
    plan_stream,
)
from engine.synthesis.joining import SegmentJoiner
from engine.synthesis.metrics import MetricsCollector
from engine.synthesis.preparing import (
    EngineParts,
    SegmentPrompt,
    check_prefix,
    check_references,
    draw_seed,
    make_prompt,
    split_text,
)
from engine.synthesis.segments_ahead import SegmentsAhead
from engine.synthesis.threaded_emitter import ThreadedEmitter
from engine.text.prompt import PromptTurn
from engine.text.pronunciations import pronounce
from engine.types import (
    MAX_SEED,
    AudioChunk,
    Event,
    FinishReason,
    FrameCodes,
    Sampling,
    SegmentStart,
    Summary,
    SynthesisRequest,
)

if TYPE_CHECKING:
    from engine.lm.cache import PromptShare

Steps = Generator[Event | Pass, object, None]
"""Events, and passes of the model that their answers are sent for."""

SILENCE = np.empty(0, np.float32)


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
        self._prompts = prompts
        self._clock: Clock | None = None
        self._at_once = 1
        self._ahead: SegmentsAhead | None = None
        given = request.sampling.seed
        self._seed = draw_seed() if given is None else given
        config = parts.codec.config
        self._rate, self._frame = config.sample_rate, config.samples_per_frame
        self._plan: StreamPlan = plan_stream(request.stream, config.window)
        self._metrics = MetricsCollector(self._rate, self._seed)
        self._columns: list[np.ndarray] = []
        self._position = 0
        self._waited_ms = 0.0

    def run(self, segments_at_once: int = 1) -> Iterator[Event]:
        """Yield events; the last one is a :class:`Summary`.

        With ``segments_at_once`` pieces that need none before them are spoken together, where that
        costs less. Their events come in order all the same.

        Raises:
            RequestError, VoiceError, ContextError: before anything was made.
            GenerationError: the model or the codec failed.
        """
        self._at_once = segments_at_once
        try:
            yield from cast(Iterator[Event], self.steps())
        finally:
            if self._ahead is not None:
                self._ahead.close()

    def steps(self, clock: Clock | None = None) -> Steps:
        """:meth:`run`; with a ``clock``, which tells the time that is given to this stream of a
        company, it also yields the passes of the model."""
        self._clock = clock
        warnings = check_references(self._parts, self._request)
        trouble = self._parts.codec.trouble
        plan = split_text(self._request, self._parts.model.config.text_limit)
        texts = plan.texts
        check_prefix(self._request, len(texts))
        silences = plan.silences(self._rate, self._request.segmentation.pause_ms)
        joiner = SegmentJoiner(self._rate) if len(texts) > 1 or silences[-1] else None
        reason: FinishReason = "end"
        begin, turn = self._go_on(texts, joiner)
        self._look_ahead(texts, begin)
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

    def _look_ahead(self, texts: list[str], begin: int) -> None:
        """Speak pieces together where that was asked for and gains something."""
        passes, request = Passes(self._parts.model), self._request
        alone = self._at_once < 2 or len(texts) - begin < 2 or request.segmentation.history
        if alone or self._clock is not None or not passes.can_share:
            return

        def frames(index: int, clock: Clock | None) -> FrameSteps:
            segment = make_prompt(self._parts, request, texts[index])
            return self._source(segment, self._sampling(index), clock)

        needed = {
            index: most_bytes(self._parts, request, [texts[index]])
            for index in range(begin, len(texts))
        }
        self._ahead = SegmentsAhead(passes, frames, needed, self._at_once)

    def _sampling(self, index: int) -> Sampling:
        return replace(self._request.sampling, seed=(self._seed + index) & MAX_SEED)

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
        first, ahead = len(self._columns) + segment.spoken.shape[1], self._ahead
        sampling = self._sampling(index)
        if ahead is None:
            source = self._source(segment, sampling, self._clock)
        else:
            source = ahead.frames(index)
        emitter = self._emitter()
        self._waited_ms = 0.0
        with closing(source), closing(emitter):
            for codes in segment.spoken.T:
                yield from self._made(codes, emitter, joiner, index)
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

    def _source(
        self, segment: SegmentPrompt, sampling: Sampling, clock: Clock | None
    ) -> FrameSteps:
        """The frames of a piece: with a ``clock`` their passes are the company's to make."""
        parts = self._parts
        begin = generate
        if clock is not None:
            begin = partial(  # type: ignore[assignment]
                generate_steps, prompts=self._prompts, clock=clock
            )
        frames = begin(
            parts.model,
            segment.prompt,
            sampling,
            cancel=self._cancel,
            prefix=parts.prefixes,
            prefix_columns=segment.prefix,
            spoken=[int(code) for code in segment.spoken[0]],
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
            yield from self._made(event.codes, emitter, joiner, index)

    def _made(
        self, codes: np.ndarray, emitter: Emitter, joiner: SegmentJoiner | None, index: int
    ) -> Iterator[Event]:
        self._columns.append(codes)
        yield FrameCodes(len(self._columns) - 1, codes, index)
        samples = SILENCE
        with self._waiting(), suppress(CancelledError):  # the model's loop ends the job
            samples = emitter.push(codes)
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
