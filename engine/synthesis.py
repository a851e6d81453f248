"""One synthesis, from a request to a stream of events (spec 06, sections 3, 4 and 8).

Everything that belongs to the request alone (random generator, KV cache, codec state,
counters) is made here and dropped here, so that no job can leak into the next.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from engine.cancel import CancelToken
from engine.errors import RequestError
from engine.joins import PieceJoiner
from engine.lm.generate import GenerationStats, generate
from engine.metrics import MetricsCollector
from engine.streaming import Emitter, StreamPlan, make_emitter, plan_stream
from engine.text.prompt import PromptReference, PromptTurn, build_prompt, prefix_columns
from engine.text.split import is_speakable, split_sentences
from engine.types import (
    MAX_SEED,
    AudioChunk,
    Event,
    FinishReason,
    FrameCodes,
    Progress,
    SegmentStart,
    Summary,
    SynthesisRequest,
)

if TYPE_CHECKING:
    from engine.codec.codec import AudioCodec
    from engine.lm.cache import PrefixCache
    from engine.lm.dual_ar import DualAR
    from engine.text.tokenizer import Tokenizer

LONG_PASS_FRAMES = 1024
RECOMMENDED_REFERENCE_S = (5.0, 30.0)


@dataclass(frozen=True, slots=True)
class Parts:
    """The immutable parts that a synthesis works with."""

    tokenizer: Tokenizer
    model: DualAR
    codec: AudioCodec
    prefixes: PrefixCache | None = None


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of the text that is spoken as one utterance."""

    text: str
    prompt: np.ndarray
    prefix: int


def draw_seed() -> int:
    """A fresh seed, short enough to be read out and typed again."""
    return secrets.randbelow(2**32)


def check_references(parts: Parts, request: SynthesisRequest) -> list[str]:
    """Check every voice against the model; return warnings (spec 05, section 4)."""
    config = parts.codec.config
    warnings = []
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
            warnings.append(
                f"the reference is {seconds:.1f} s long; {low:.0f} to {high:.0f} s clone best"
            )
    if request.sampling.max_new_tokens > LONG_PASS_FRAMES:
        warnings.append(
            f"more than {LONG_PASS_FRAMES} frames in one pass lose loudness and quality; "
            "cut the text into pieces"
        )
    return warnings


def cut_text(request: SynthesisRequest) -> list[str]:
    """The pieces to speak, in order.

    Raises:
        RequestError: nothing to speak.
    """
    if not is_speakable(request.text):
        raise RequestError("text is empty", "Type what the voice shall say.")
    options = request.segmentation
    if not options.sentences:
        return [request.text]
    pieces = split_sentences(request.text, options.max_chars)
    if not pieces:
        raise RequestError("the text holds nothing to speak", "Type what the voice shall say.")
    return pieces


def make_prompt(
    parts: Parts, request: SynthesisRequest, text: str, history: tuple[PromptTurn, ...] = ()
) -> Piece:
    """Build the prompt matrix of one piece (spec 02, section 3)."""
    config = parts.model.config
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
    return Piece(text, prompt, prefix_columns(parts.tokenizer, references))


class Synthesis:
    """Runs one request; iterate :meth:`run` once."""

    def __init__(self, parts: Parts, request: SynthesisRequest, cancel: CancelToken) -> None:
        self._parts, self._request, self._cancel = parts, request, cancel
        given = request.sampling.seed
        self._seed = draw_seed() if given is None else given
        config = parts.codec.config
        self._rate, self._frame = config.sample_rate, config.samples_per_frame
        self._plan: StreamPlan = plan_stream(request.stream, config.window)
        self._metrics = MetricsCollector(self._rate, self._seed)
        self._columns: list[np.ndarray] = []
        self._position = 0

    def run(self) -> Iterator[Event]:
        """Yield events; the last one is a :class:`Summary`.

        Raises:
            RequestError, VoiceError, ContextError: before anything was made.
            GenerationError: the model or the codec failed.
        """
        warnings = check_references(self._parts, self._request)
        texts = cut_text(self._request)
        joiner = (
            PieceJoiner(self._rate, self._request.segmentation.pause_ms) if len(texts) > 1 else None
        )
        reason: FinishReason = "end"
        turn: tuple[PromptTurn, ...] = ()
        for index, text in enumerate(texts):
            if self._cancel.cancelled:
                reason = "cancelled"
                break
            piece = make_prompt(self._parts, self._request, text, turn)
            yield SegmentStart(index, len(texts), text, self._position)
            first = len(self._columns)
            ended = yield from self._speak(piece, index, len(texts), joiner)
            if ended == "length":
                warnings.append(self._cut_warning(index, len(texts)))
            if ended != "end":
                reason = ended
            if ended == "cancelled":
                break
            if self._request.segmentation.history:
                turn = (PromptTurn(text=text, codes=np.stack(self._columns[first:], axis=1)),)
        yield self._summary(reason, warnings)

    def _speak(
        self, piece: Piece, index: int, total: int, joiner: PieceJoiner | None
    ) -> Generator[Event, None, FinishReason]:
        emitter = make_emitter(self._parts.codec, self._plan)
        sampling = replace(self._request.sampling, seed=(self._seed + index) & MAX_SEED)
        source = generate(
            self._parts.model,
            piece.prompt,
            sampling,
            cancel=self._cancel,
            prefix=self._parts.prefixes,
            prefix_columns=piece.prefix,
        )
        first, inside = len(self._columns), 0.0
        try:
            while True:
                try:
                    event = next(source)
                except StopIteration as stop:
                    stats: GenerationStats = stop.value
                    break
                if isinstance(event, FrameCodes):
                    frame = FrameCodes(len(self._columns), event.codes, index)
                    self._columns.append(event.codes)
                    yield frame
                    started = time.perf_counter()
                    samples = emitter.push(event.codes)
                    inside += 1e3 * (time.perf_counter() - started)
                    yield from self._emit(samples, emitter, joiner)
                else:
                    yield event
        finally:
            source.close()
        self._metrics.add_piece(stats, emitter.figures, inside)
        if stats.finish_reason == "cancelled":
            del self._columns[first + stats.frames - emitter.held_frames :]
            return "cancelled"
        yield from self._finish_piece(emitter, joiner, last=index == total - 1)
        return stats.finish_reason

    def _finish_piece(
        self, emitter: Emitter, joiner: PieceJoiner | None, *, last: bool
    ) -> Iterator[Event]:
        before = (emitter.figures.ms, emitter.figures.calls, emitter.figures.frames)
        samples = emitter.finish()
        after = (emitter.figures.ms, emitter.figures.calls, emitter.figures.frames)
        ms, calls, frames = (b - a for a, b in zip(before, after, strict=True))
        self._metrics.add(decode_ms=ms, decode_batches=calls, codec_frames_decoded=frames)
        yield from self._emit(samples, emitter, joiner)
        if joiner is not None:
            yield from self._chunk(joiner.end_piece(last=last), 0)

    def _emit(
        self, samples: np.ndarray, emitter: Emitter, joiner: PieceJoiner | None
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

    def _cut_warning(self, index: int, total: int) -> str:
        where = f" in piece {index + 1}" if total > 1 else ""
        return (
            f"cut at the limit of frames{where}: the text may not be finished; raise the frame "
            "limit or shorten the text"
        )

    def _summary(self, reason: FinishReason, warnings: list[str]) -> Summary:
        rows = self._parts.model.config.num_codebooks
        codes = np.stack(self._columns, axis=1) if self._columns else np.empty((rows, 0), np.int32)
        codes.setflags(write=False)
        return Summary(
            codes, reason, self._seed, self._metrics.finish(reason), tuple(dict.fromkeys(warnings))
        )


__all__ = ["Parts", "Progress", "Synthesis", "cut_text", "make_prompt"]
