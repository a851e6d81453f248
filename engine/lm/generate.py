"""The frame loop: a prompt in, frames of codes out, one at a time (spec 03, section 5)."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import cast

import numpy as np
import torch
from torch import Tensor

from engine.cancel import CancelToken
from engine.errors import ContextError, GenerationError
from engine.lm.cache import KVCache, PrefixCache, PrefixKey, PromptShare, position_bytes
from engine.lm.cuda_graphs import StaticFrames, lent_frames
from engine.lm.dual_ar import DualAR
from engine.lm.passes import BeginFrame, NextCode, NextFrame, Pass, Passes
from engine.lm.sampler import Draws, Tries, frame_uniforms, new_seed, sample, sample_main
from engine.lm.slow_ar import SlowState, chunk_bounds
from engine.types import FinishReason, FrameCodes, Progress, Sampling

FRAMES_AT_ONCE = 64
"""Columns whose products keep their bits in any company (:mod:`engine.lm.passes`)."""

Frames = Generator[Progress | FrameCodes, None, "GenerationStats"]
Steps = Generator[Progress | FrameCodes | Pass, object, "GenerationStats"]


@dataclass(frozen=True, slots=True)
class GenerationStats:
    """What a generation did; times in milliseconds, without the time the consumer took.

    Attributes:
        finish_reason: ``end`` token, ``length`` (budget or context used up) or ``cancelled``.
        seed: the seed that was used, given or drawn.
        frames: frames emitted.
        prompt_columns: columns of the prompt.
        prefill_columns: columns computed; fewer than the prompt's when a prefix was reused.
        fast_passes: passes of the codebook-axis model.
        kv_init_ms, prefill_ms, generate_ms: allocation, prompt, frame loop.
        longest_repeat: longest run of one main token; a long one is a model that is stuck.
        open_draws: draws in which more than one code could be taken; -1 when nobody counted.
    """

    finish_reason: FinishReason
    seed: int
    frames: int
    prompt_columns: int
    prefill_columns: int
    fast_passes: int
    kv_init_ms: float
    prefill_ms: float
    generate_ms: float
    longest_repeat: int = 0
    open_draws: int = -1


def generate(
    model: DualAR,
    prompt: np.ndarray,
    sampling: Sampling,
    *,
    cancel: CancelToken | None = None,
    prefix: PrefixCache | None = None,
    prefix_columns: int = 0,
    chunk: int = 128,
    spoken: Sequence[int] = (),
) -> Frames:
    """A ``Progress`` after each prefill chunk, a ``FrameCodes`` a frame, then the statistics.

    Closing it between two frames frees everything it holds. No step is made after the last
    frame. On CUDA frames are replayed as graphs where that works (:mod:`engine.lm.cuda_graphs`).

    Args:
        prompt: int ``(num_codebooks + 1, T)``.
        cancel: read before each prefill chunk and once a frame.
        prefix: where the rows of the prompt's beginning are kept between requests.
        prefix_columns: how many columns that is; always chunks of their own, so that a reused
            prefix gives the same bits as a fresh one.
        chunk: columns per prefill pass.
        spoken: main codes of the frames that end the prompt, when speech goes on from there:
            frames and their random numbers are counted behind them.

    Raises:
        ContextError: the prompt leaves no room for a frame (at once, not on the first item).
        GenerationError: a malformed prompt (at once); a failure or no frame (while it runs).
    """
    return _alone(
        model,
        generate_steps(
            model, prompt, sampling, cancel=cancel, prefix=prefix, prefix_columns=prefix_columns,
            chunk=chunk, spoken=spoken,
        ),
    )  # fmt: skip


def generate_steps(
    model: DualAR,
    prompt: np.ndarray,
    sampling: Sampling,
    *,
    cancel: CancelToken | None = None,
    prefix: PrefixCache | None = None,
    prefix_columns: int = 0,
    chunk: int = 128,
    spoken: Sequence[int] = (),
    prompts: PromptShare | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> Steps:
    """:func:`generate` for many at once: yields each :class:`~engine.lm.passes.Pass` that a frame
    needs and gets its answer sent, so that others may share it.

    ``prompts`` spares the same prompt from being read twice; ``clock`` tells the time.
    """
    columns = _as_columns(prompt, model.config.num_codebooks + 1)
    total = columns.shape[1]
    budget = min(sampling.max_new_tokens, _room(model, total))
    if not 0 <= prefix_columns <= total:
        raise GenerationError("lm.prefix_absent", prefix_columns=prefix_columns)
    chunk_bounds(0, total, chunk)
    seed = new_seed() if sampling.seed is None else sampling.seed
    return _Run(
        model, columns, sampling, cancel or CancelToken(), prefix,
        # The last column is always computed: its state starts the loop.
        min(prefix_columns, total - 1 - len(spoken)),
        chunk, budget, seed, mains=list(spoken), spoken=len(spoken), prompts=prompts, clock=clock,
    ).frames()  # fmt: skip


def _alone(model: DualAR, steps: Steps) -> Frames:
    """Make each pass for this generation only."""
    passes, answer = Passes(model), None
    with closing(steps):
        while True:
            try:
                item = steps.send(answer)
            except StopIteration as stop:
                return cast(GenerationStats, stop.value)
            if isinstance(item, Pass):
                answer = passes.alone(item)
            else:
                answer = None
                yield item


def _room(model: DualAR, columns: int) -> int:
    """Frames that fit behind so many columns of prompt, at least one."""
    length = model.config.context_length
    if columns >= length:
        raise ContextError("text.prompt_long", columns=columns, length=length)
    return length - columns


def _as_columns(prompt: np.ndarray, rows: int) -> np.ndarray:
    columns = np.asarray(prompt)
    if columns.ndim != 2 or columns.shape[0] != rows or columns.dtype.kind not in "iu":
        raise GenerationError("lm.column_type", rows=rows, dtype=columns.dtype, shape=columns.shape)
    if columns.shape[1] == 0:
        raise GenerationError("lm.no_columns")
    return np.ascontiguousarray(columns, dtype=np.int32)


@dataclass(slots=True)
class _Run:
    """State of one generation; dropped with its generator."""

    model: DualAR
    columns: np.ndarray
    sampling: Sampling
    cancel: CancelToken
    prefix: PrefixCache | None
    prefix_columns: int
    chunk: int
    budget: int
    seed: int
    mains: list[int]
    spoken: int
    prompts: PromptShare | None = None
    clock: Callable[[], float] = time.perf_counter
    prefill_columns: int = 0
    fast_passes: int = 0
    kv_init_s: float = 0.0
    prefill_s: float = 0.0
    generate_s: float = 0.0
    draws: Draws | None = field(default_factory=Draws)

    def frames(self) -> Steps:
        """Allocate, prefill, loop. Inference mode is never on while the consumer runs."""
        started = self.clock()
        capacity = self.columns.shape[1] + self.budget
        with lent_frames(self.model, capacity) as graphs:
            with torch.inference_mode():
                if graphs is None:
                    cache = self.model.slow.new_cache(capacity)
                else:
                    cache = graphs.cache
                    cache.truncate(0)
            self.kv_init_s = self.clock() - started
            return (yield from self._prompt_and_loop(cache, graphs))

    def _prompt_and_loop(self, cache: KVCache, graphs: StaticFrames | None) -> Steps:
        state = yield from self._prefill(cache)
        if state is None:
            return self._stats("cancelled")
        if graphs is not None:
            self.draws = None  # they are made on the device
            graphs.begin(state, self.sampling, self.mains)
        with torch.inference_mode():
            fast_cache = self.model.fast.new_cache()
        while not self.cancel.cancelled:
            started = self.clock()
            if graphs is None:
                codes = yield from self._frame(state, fast_cache)
            else:
                codes = self._replayed(graphs)
            self.generate_s += self.clock() - started
            if codes is None:
                return self._stats("end")
            yield FrameCodes(self._made - 1, codes)
            if self.cancel.cancelled:
                break
            if self._made == self.budget:
                return self._stats("length")
            started = self.clock()
            if graphs is None:
                column = np.concatenate(([codes[0] + self.model.config.semantic_begin], codes))
                state = cast(SlowState, (yield NextFrame(cache, column)))
            else:
                graphs.step()
            self.generate_s += self.clock() - started
        return self._stats("cancelled")

    def _prefill(self, cache: KVCache) -> Generator[Progress, None, SlowState | None]:
        """Fill the cache with the prompt; ``None`` when cancelled."""
        total, kept = self.columns.shape[1], self.prefix_columns
        started = self.clock()
        last = self._load_prompt(cache)
        reused = last is None and self._load_prefix(cache)
        self.prefill_s += self.clock() - started
        done = total if last is not None else kept if reused else 0
        prompt = total - self.spoken
        bounds = chunk_bounds(done, kept, self.chunk)
        bounds += chunk_bounds(max(done, kept), prompt, self.chunk)
        bounds += chunk_bounds(max(done, prompt), total, self._frames_at_once)
        yield Progress("prefill", done, total, "columns")
        for start, end in bounds:
            if self.cancel.cancelled:
                return None
            started = self.clock()
            with torch.inference_mode():
                columns = self.columns[:, start:end]
                last = self.model.slow.extend(columns, cache, prompt=start < prompt)
                self.prefill_s += self.clock() - started
                if end == kept and not reused:
                    self._save_prefix(cache)
            self.prefill_columns += end - start
            yield Progress("prefill", end, total, "columns")
        assert last is not None  # at least the last column is always computed
        with torch.inference_mode():
            if self.prompts is not None and bounds:
                self.prompts.keep(self._prompt_key, cache, last)
            return self.model.slow.read_out(last)

    @property
    def _frames_at_once(self) -> int:
        """Frames of a prompt that are read to the bits that single ones give."""
        return FRAMES_AT_ONCE if self.model.slow.compiled is not None else 1

    @property
    def _prompt_key(self) -> bytes:
        return self.prefix_columns.to_bytes(8, "little") + self.columns.tobytes()

    def _load_prompt(self, cache: KVCache) -> Tensor | None:
        """The state behind a prompt that was read before, whose rows are then in the cache."""
        if self.prompts is None:
            return None
        with torch.inference_mode():
            return self.prompts.load(self._prompt_key, cache)

    def _prefix_key(self, cache: KVCache) -> PrefixKey:
        head = self.columns[:, : self.prefix_columns]
        return PrefixKey(self.model.identity, cache.dtype, self.chunk, head.tobytes())

    def _load_prefix(self, cache: KVCache) -> bool:
        if self.prefix is None or self.prefix_columns == 0:
            return False
        snapshot = self.prefix.find(self._prefix_key(cache), cache, self.prefix_columns)
        if snapshot is None:
            return False
        with torch.inference_mode():
            cache.copy_prefix(snapshot)
        return True

    def _save_prefix(self, cache: KVCache) -> None:
        size = position_bytes(self.model.config, cache.dtype) * self.prefix_columns
        if self.prefix is not None and self.prefix_columns and self.prefix.fits(size):
            rows = cache.snapshot(self.prefix_columns)
            self.prefix.keep(self._prefix_key(cache), rows, self.prefill_s)

    @property
    def _made(self) -> int:
        """Frames drawn so far."""
        return len(self.mains) - self.spoken

    def _uniforms(self) -> np.ndarray:
        return frame_uniforms(self.seed, len(self.mains), self.model.config.num_codebooks)

    def _frame(
        self, state: SlowState, cache: KVCache
    ) -> Generator[Pass, object, np.ndarray | None]:
        """Draw one frame: int32 ``(num_codebooks,)``, read-only; ``None`` for the end token."""
        s, end_index = self.sampling, self.model.slow.end_index
        tries = [Tries(numbers) for numbers in self._uniforms()]
        allow_end = len(self.mains) >= s.min_tokens_before_end
        with torch.inference_mode():
            main = sample_main(
                state.logits, s, self.mains, tries[0],
                end_index=end_index, allow_end=allow_end, draws=self.draws,
            )  # fmt: skip
        if main == end_index:
            self._check_end()
            return None
        return self._drawn((yield from self._residual_codes(state, main, cache, tries)))

    def _replayed(self, graphs: StaticFrames) -> np.ndarray | None:
        """:meth:`_frame` for frames that are drawn on the device."""
        allow_end = len(self.mains) >= self.sampling.min_tokens_before_end
        codes = graphs.frame(allow_end, self._uniforms())
        if codes is None:
            self._check_end()
            return None
        self.fast_passes += len(codes) - 1
        return self._drawn(codes)

    def _check_end(self) -> None:
        """The end token may be drawn, but not before the first frame."""
        if not self.mains:
            raise GenerationError("generation.no_frames")

    def _drawn(self, codes: np.ndarray) -> np.ndarray:
        self.mains.append(int(codes[0]))
        codes.setflags(write=False)
        return codes

    def _residual_codes(
        self, state: SlowState, main: int, cache: KVCache, tries: Sequence[Tries]
    ) -> Generator[Pass, object, np.ndarray]:
        s = self.sampling
        codes = np.empty(self.model.config.num_codebooks, np.int32)
        codes[0] = code = main
        for index in range(1, len(codes)):
            if index == 1:
                logits = yield BeginFrame(cache, state.fast_input, code)
            else:
                logits = yield NextCode(cache, code)
            self.fast_passes += 1
            with torch.inference_mode():
                codes[index] = code = sample(
                    cast(Tensor, logits), s.temperature, s.top_p, s.top_k, tries[index], self.draws
                )
        return codes

    def _stats(self, reason: FinishReason) -> GenerationStats:
        return GenerationStats(
            finish_reason=reason,
            seed=self.seed,
            frames=self._made,
            prompt_columns=self.columns.shape[1],
            prefill_columns=self.prefill_columns,
            fast_passes=self.fast_passes,
            kv_init_ms=self.kv_init_s * 1e3,
            prefill_ms=self.prefill_s * 1e3,
            generate_ms=self.generate_s * 1e3,
            longest_repeat=_longest_run(self.mains[self.spoken :]),
            open_draws=-1 if self.draws is None else self.draws.open,
        )


def _longest_run(tokens: list[int]) -> int:
    longest = current = 0
    for index, token in enumerate(tokens):
        current = current + 1 if index and token == tokens[index - 1] else 1
        longest = max(longest, current)
    return longest
