"""The frame loop: stop rules, budget, cancel, seeds, prefix reuse (spec 03, sections 4 to 7)."""

from __future__ import annotations

import gc
import weakref
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from lm_support import (
    CONFIG,
    Outcome,
    ScriptedUniform,
    decode_fast,
    drain,
    make_model,
    make_prompt,
    set_constant_logits,
)

import engine.lm.generate as generate_module
from engine.cancel import CancelToken
from engine.errors import ContextError, GenerationError
from engine.lm.cache import KVCache, PrefixCache
from engine.lm.dual_ar import DualAR
from engine.lm.generate import generate
from engine.types import FrameCodes, Progress, Sampling

SAMPLING = Sampling(max_new_tokens=6, seed=11, min_tokens_before_end=6)


@pytest.fixture
def model() -> DualAR:
    return make_model()


class Calls:
    """Counts the columns that the slow model is given."""

    def __init__(self, model: DualAR, monkeypatch: pytest.MonkeyPatch) -> None:
        self.columns: list[int] = []
        extend = model.slow.extend

        def counted(columns: Any, cache: KVCache, **options: Any) -> torch.Tensor:
            self.columns.append(columns.shape[1])
            return extend(columns, cache, **options)

        monkeypatch.setattr(model.slow, "extend", counted)


def run(model: DualAR, sampling: Sampling = SAMPLING, columns: int = 12, **options: Any) -> Outcome:
    return drain(generate(model, make_prompt(columns), sampling, **options))


def logits_for(**values: float) -> list[float]:
    """Restricted logits: ``c3=2.0`` for semantic code 3, ``end=1.0`` for the end token."""
    out = [-30.0] * (CONFIG.codebook_size + 1)
    for name, value in values.items():
        out[-1 if name == "end" else int(name[1:])] = value
    return out


def script(monkeypatch: pytest.MonkeyPatch, *values: float) -> ScriptedUniform:
    rng = ScriptedUniform(*values)
    monkeypatch.setattr(generate_module, "Tries", lambda numbers: rng)
    return rng


class TestFrames:
    def test_events_and_figures(self, model: DualAR) -> None:
        outcome = run(model, chunk=5)
        assert outcome.progress == [
            Progress("prefill", done, 12, "columns") for done in (0, 5, 10, 12)
        ]
        assert outcome.codes.shape == (4, 6)
        assert outcome.codes.dtype == np.int32
        assert outcome.codes.min() >= 0
        assert outcome.codes.max() < CONFIG.codebook_size
        stats = outcome.stats
        assert (stats.finish_reason, stats.frames, stats.seed) == ("length", 6, 11)
        assert (stats.prompt_columns, stats.prefill_columns) == (12, 12)
        assert stats.fast_passes == 6 * 3
        assert min(stats.kv_init_ms, stats.prefill_ms, stats.generate_ms) > 0

    def test_codes_are_read_only(self, model: DualAR) -> None:
        events = generate(model, make_prompt(), SAMPLING)
        frame = next(event for event in events if isinstance(event, FrameCodes))
        with pytest.raises(ValueError, match="read-only"):
            frame.codes[0] = 1

    def test_greedy_frames_follow_from_the_cacheless_pass(self, model: DualAR) -> None:
        """Each frame is the argmax of a pass over the whole sequence without any cache."""
        greedy = Sampling(top_k=1, max_new_tokens=4, min_tokens_before_end=4, seed=0)
        outcome = run(model, greedy)
        sequence = torch.from_numpy(make_prompt().astype(np.int64))
        with torch.inference_mode():
            for frame in outcome.codes.T:
                _, fast_input, logits = model.slow(sequence[None])
                codes = [int(logits[0, -1, :-1].argmax())]
                while len(codes) < CONFIG.num_codebooks:
                    codes.append(int(decode_fast(model.fast, fast_input[0, -1], codes).argmax()))
                assert frame.tolist() == codes
                column = torch.tensor([CONFIG.semantic_begin + codes[0], *codes])
                sequence = torch.cat((sequence, column[:, None]), 1)

    def test_no_step_after_the_last_frame(
        self, model: DualAR, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        calls = Calls(model, monkeypatch)
        run(model)
        assert calls.columns == [12] + [1] * 5

    def test_inference_mode_is_off_while_the_consumer_runs(self, model: DualAR) -> None:
        for _ in generate(model, make_prompt(), SAMPLING):
            assert not torch.is_inference_mode_enabled()

    def test_one_codebook_needs_no_fast_pass(self) -> None:
        model = make_model(num_codebooks=1)
        prompt = make_prompt()[:2]
        outcome = drain(generate(model, prompt, SAMPLING))
        assert outcome.codes.shape == (1, 6)
        assert outcome.stats.fast_passes == 0


@pytest.mark.parametrize("kept", [1, 5, 9])
def test_speech_goes_on_from_any_frame_as_it_was(model: DualAR, kept: int) -> None:
    """Numbers are counted by frame: the same seed behind the same frames gives the same rest."""
    sampling = Sampling(seed=4, temperature=1.2, max_new_tokens=14, min_tokens_before_end=14)
    whole = run(model, sampling).codes
    mains = whole[:1, :kept]
    prompt = np.hstack(
        (make_prompt(12), np.vstack((mains + CONFIG.semantic_begin, whole[:, :kept])))
    )
    rest = replace(sampling, max_new_tokens=14 - kept)
    outcome = drain(generate(model, prompt, rest, spoken=mains[0].tolist()))
    assert (outcome.codes == whole[:, kept:]).all()
    assert outcome.stats.frames == 14 - kept


class TestStopRules:
    def test_end_token_is_never_a_frame(self, model: DualAR) -> None:
        set_constant_logits(model, logits_for(c3=0.0, end=5.0))
        outcome = run(model, Sampling(seed=1, min_tokens_before_end=5))
        assert outcome.stats.finish_reason == "end"
        assert outcome.codes.shape[1] == 5
        assert outcome.stats.fast_passes == 5 * 3

    def test_no_frame_at_all_is_an_error(self, model: DualAR) -> None:
        set_constant_logits(model, logits_for(c3=0.0, end=9.0))
        with pytest.raises(GenerationError, match="generation produced no frames") as caught:
            run(model, Sampling(seed=1))
        assert caught.value.advice

    def test_repeated_token_is_redrawn_and_the_redraw_may_end(
        self, model: DualAR, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """softmax .55, .30, .15: top-p .3 leaves the first, the redraw's .9 the first two."""
        c3, c7, end = np.log([0.55, 0.15, 0.30]).tolist()
        set_constant_logits(model, logits_for(c3=c3, c7=c7, end=end))
        sampling = Sampling(temperature=0.5, top_p=0.3, seed=1)
        # Frame 0: main, three residuals. Frame 1: main is 3 again, redraw .9 gives the end.
        rng = script(monkeypatch, 0.5, 0.5, 0.5, 0.5, 0.5, 0.9)
        outcome = run(model, sampling)
        assert outcome.stats.finish_reason == "end"
        assert outcome.codes[0].tolist() == [3]
        assert rng.values == []

    def test_redraw_that_repeats_is_accepted(
        self, model: DualAR, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        set_constant_logits(model, logits_for(c3=5.0))
        script(monkeypatch, *[0.5] * 14)
        outcome = run(model, Sampling(max_new_tokens=3, seed=1))
        assert outcome.codes[0].tolist() == [3, 3, 3]
        assert outcome.stats.longest_repeat == 3

    @pytest.mark.parametrize(("max_new", "frames"), [(100, 4), (4, 4), (3, 3)])
    def test_budget_is_clamped_to_the_context(
        self, model: DualAR, max_new: int, frames: int
    ) -> None:
        outcome = run(model, Sampling(max_new_tokens=max_new, min_tokens_before_end=9, seed=1), 60)
        assert outcome.codes.shape[1] == frames
        assert outcome.stats.finish_reason == "length"

    @pytest.mark.parametrize("columns", [64, 65])
    def test_full_context_is_refused_at_once(self, model: DualAR, columns: int) -> None:
        with pytest.raises(ContextError, match=f"the prompt takes {columns} of the model's 64"):
            generate(model, make_prompt(columns), SAMPLING)

    @pytest.mark.parametrize(
        "prompt",
        [make_prompt()[:4], make_prompt()[0], make_prompt()[:, :0], make_prompt().astype(float)],
    )
    def test_malformed_prompt_is_refused_at_once(self, model: DualAR, prompt: np.ndarray) -> None:
        with pytest.raises(GenerationError, match="expected"):
            generate(model, prompt, SAMPLING)

    def test_a_failure_inside_a_frame_is_raised(
        self, model: DualAR, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(code: int, cache: KVCache) -> torch.Tensor:
            raise RuntimeError("device lost")

        monkeypatch.setattr(model.fast, "step", fail)
        with pytest.raises(RuntimeError, match="device lost"):
            run(model)

    def test_non_finite_state_is_a_named_error(self, model: DualAR) -> None:
        with torch.no_grad():
            model.slow.norm.weight.fill_(float("nan"))
        with pytest.raises(GenerationError, match="non-finite logits"):
            run(model)


class TestCancel:
    def test_before_the_start(self, model: DualAR, monkeypatch: pytest.MonkeyPatch) -> None:
        calls = Calls(model, monkeypatch)
        token = CancelToken()
        token.cancel()
        outcome = run(model, cancel=token)
        assert (outcome.stats.finish_reason, outcome.stats.frames) == ("cancelled", 0)
        assert calls.columns == []

    def test_between_prefill_chunks(self, model: DualAR, monkeypatch: pytest.MonkeyPatch) -> None:
        calls = Calls(model, monkeypatch)
        token = CancelToken()
        events = generate(model, make_prompt(), SAMPLING, cancel=token, chunk=4)
        assert [next(events).done for _ in range(2)] == [0, 4]  # type: ignore[union-attr]
        token.cancel()
        stats = drain(events).stats
        assert (stats.finish_reason, stats.prefill_columns) == ("cancelled", 4)
        assert calls.columns == [4]

    def test_after_a_frame_no_step_follows(
        self, model: DualAR, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        calls = Calls(model, monkeypatch)
        token = CancelToken()
        events = generate(model, make_prompt(), SAMPLING, cancel=token)
        frames = 0
        stats = None
        while stats is None:
            try:
                frames += isinstance(next(events), FrameCodes)
            except StopIteration as stop:
                stats = stop.value
            if frames == 3:
                token.cancel()
        assert (stats.finish_reason, stats.frames, frames) == ("cancelled", 3, 3)
        assert calls.columns == [12, 1, 1]

    def test_closing_frees_the_cache_and_stops(
        self, model: DualAR, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        calls = Calls(model, monkeypatch)
        caches: list[weakref.ref[KVCache]] = []
        new_cache = model.slow.new_cache

        def tracked(capacity: int) -> KVCache:
            cache = new_cache(capacity)
            caches.append(weakref.ref(cache))
            return cache

        monkeypatch.setattr(model.slow, "new_cache", tracked)
        events = generate(model, make_prompt(), SAMPLING)
        for event in events:
            if isinstance(event, FrameCodes) and event.index == 2:
                break
        assert caches[0]() is not None
        events.close()
        gc.collect()
        assert caches[0]() is None
        assert calls.columns == [12, 1, 1]


def warm(seed: int | None = None) -> Sampling:
    """Settings under which tokens really vary."""
    return Sampling(
        temperature=1.2, top_p=1.0, max_new_tokens=8, min_tokens_before_end=8, seed=seed
    )


class TestSeeds:
    def test_one_seed_gives_one_result(self, model: DualAR) -> None:
        results = [run(model, warm(5)).codes for _ in range(2)]
        assert np.array_equal(*results)

    def test_seeds_differ(self, model: DualAR) -> None:
        results = {run(model, warm(s)).codes.tobytes() for s in range(4)}
        assert len(results) == 4

    def test_a_drawn_seed_is_reported_and_repeats(self, model: DualAR) -> None:
        first = run(model, warm())
        again = run(model, warm(first.stats.seed))
        assert np.array_equal(first.codes, again.codes)
        assert run(model, warm()).stats.seed != first.stats.seed


class TestPrefix:
    sampling = Sampling(temperature=1.2, max_new_tokens=5, min_tokens_before_end=5, seed=3)

    @pytest.fixture
    def states(self, model: DualAR, monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
        """The bits of every hidden state that is read out."""
        seen: list[bytes] = []
        read_out = model.slow.read_out

        def tracked(last: torch.Tensor) -> Any:
            state = read_out(last)
            seen.append(state.hidden.numpy().tobytes())
            return state

        monkeypatch.setattr(model.slow, "read_out", tracked)
        return seen

    def test_reuse_is_exact_and_prefills_only_the_rest(
        self, model: DualAR, states: list[bytes]
    ) -> None:
        cache = PrefixCache()
        options: dict[str, Any] = {"prefix_columns": 7, "chunk": 4, "columns": 18}
        runs = [
            run(model, self.sampling, prefix=prefix, **options) for prefix in (None, cache, cache)
        ]
        assert [r.stats.prefill_columns for r in runs] == [18, 18, 11]
        assert all(np.array_equal(r.codes, runs[0].codes) for r in runs)
        assert states[:5] == states[5:10] == states[10:]
        assert [p.done for p in runs[2].progress] == [7, 11, 15, 18]
        assert (cache.hits, cache.misses, len(cache)) == (1, 1, 1)

    def test_stored_rows_survive_the_request_that_made_them(self, model: DualAR) -> None:
        cache = PrefixCache()
        first = run(model, self.sampling, prefix=cache, prefix_columns=7)
        run(model, Sampling(seed=99, max_new_tokens=5), prefix=cache, prefix_columns=7)
        again = run(model, self.sampling, prefix=cache, prefix_columns=7)
        assert np.array_equal(first.codes, again.codes)

    def test_another_voice_model_or_chunk_is_another_entry(self, model: DualAR) -> None:
        cache = PrefixCache()
        prompt = make_prompt()
        other = prompt.copy()
        other[2, 3] = (other[2, 3] + 1) % CONFIG.codebook_size
        for subject, columns, chunk in (
            (model, prompt, 4),
            (model, other, 4),
            (model, prompt, 5),
            (make_model(seed=4), prompt, 4),
        ):
            events = generate(
                subject, columns, self.sampling, prefix=cache, prefix_columns=6, chunk=chunk
            )
            assert drain(events).stats.prefill_columns == 12
        assert (len(cache), cache.hits) == (4, 0)

    def test_a_prompt_that_is_all_prefix_still_computes_its_last_column(
        self, model: DualAR
    ) -> None:
        cache = PrefixCache()
        runs = [run(model, self.sampling, prefix=cache, prefix_columns=12) for _ in range(2)]
        assert [r.stats.prefill_columns for r in runs] == [12, 1]
        assert np.array_equal(runs[0].codes, runs[1].codes)

    def test_cancelled_prefill_stores_nothing(self, model: DualAR) -> None:
        cache, token = PrefixCache(), CancelToken()
        events = generate(
            model,
            make_prompt(),
            self.sampling,
            cancel=token,
            prefix=cache,
            prefix_columns=8,
            chunk=4,
        )
        while next(events).done < 4:  # type: ignore[union-attr]
            pass
        token.cancel()
        drain(events)
        assert len(cache) == 0

    def test_too_small_a_bound_only_costs_time(self, model: DualAR) -> None:
        cache = PrefixCache(max_bytes=100)
        runs = [run(model, self.sampling, prefix=cache, prefix_columns=7) for _ in range(2)]
        assert [r.stats.prefill_columns for r in runs] == [12, 12]
        assert len(cache) == 0

    @pytest.mark.parametrize("count", [-1, 13])
    def test_prefix_outside_of_the_prompt_is_refused(self, model: DualAR, count: int) -> None:
        with pytest.raises(GenerationError, match="is not in the prompt"):
            generate(model, make_prompt(), self.sampling, prefix_columns=count)
