"""Slow-AR and Fast-AR on a tiny random model (spec 03, sections 2, 3 and 7)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from lm_support import (
    CONFIG,
    FAST,
    IM_END,
    ScriptedUniform,
    decode_fast,
    make_model,
    make_prompt,
    prefill,
)
from torch import Tensor

from engine.errors import GenerationError, ModelFileError
from engine.lm.cache import KVCache
from engine.lm.dual_ar import DualAR
from engine.lm.factory import FreshWeights
from engine.lm.sampler import sample
from engine.lm.slow_ar import SlowState, chunk_bounds


@pytest.fixture(scope="module")
def model() -> DualAR:
    return make_model()


@pytest.fixture(autouse=True)
def inference() -> Iterator[None]:
    with torch.inference_mode():
        yield


def close(a: Tensor, b: Tensor, tolerance: float = 1e-5) -> bool:
    return float((a - b).abs().max()) < tolerance


def same(a: SlowState, b: SlowState, tolerance: float = 1e-5) -> bool:
    return close(a.hidden, b.hidden, tolerance) and close(a.logits, b.logits, tolerance)


class TestEmbedding:
    def test_text_column_ignores_its_codes(self, model: DualAR) -> None:
        column = torch.tensor([[7], [99], [-4], [15], [1 << 20]])
        expected = model.slow.embeddings(torch.tensor([7]))
        assert torch.equal(model.slow.embed(column), expected)

    @pytest.mark.parametrize("codes", [[0, 0, 0, 0], [3, 0, 15, 7]])
    @pytest.mark.parametrize("scale", [True, False])
    def test_semantic_column_adds_its_codes(self, codes: list[int], scale: bool) -> None:
        model = make_model(scale_codebooks=scale)
        slow, begin = model.slow, CONFIG.semantic_begin
        rows = [slow.embeddings(torch.tensor(begin + codes[0]))]
        rows += [slow.codebook_embeddings(torch.tensor(c + 16 * i)) for i, c in enumerate(codes)]
        expected = torch.stack(rows).sum(0) / (math.sqrt(5) if scale else 1)
        found = slow.embed(torch.tensor([[begin + codes[0]], *[[c] for c in codes]]))
        assert close(found[0], expected, 1e-6)

    def test_both_ends_of_the_semantic_range(self, model: DualAR) -> None:
        ids = [CONFIG.semantic_begin - 1, CONFIG.semantic_begin, CONFIG.semantic_end]
        ids.append(CONFIG.semantic_end + 1)
        columns = torch.zeros(5, 4, dtype=torch.int64)
        columns[0] = torch.tensor(ids)
        plain = model.slow.embeddings(columns[0])
        changed = (model.slow.embed(columns) != plain).any(-1)
        assert changed.tolist() == [False, True, True, False]

    def test_columns_of_a_batch(self, model: DualAR) -> None:
        prompts = torch.from_numpy(np.stack([make_prompt(9, seed) for seed in (1, 2)]))
        both = model.slow.embed(prompts)
        assert all(torch.equal(both[i], model.slow.embed(prompts[i])) for i in range(2))


class TestPrefillAndStep:
    @pytest.mark.parametrize("chunk", [1, 2, 5, 11, 12, 128])
    def test_chunks_do_not_matter(self, model: DualAR, chunk: int) -> None:
        prompt = make_prompt(12)
        whole = prefill(model.slow, prompt, model.slow.new_cache(12))
        split = prefill(model.slow, prompt, model.slow.new_cache(12), chunk=chunk)
        assert same(split, whole)

    def test_step_by_step_equals_prefill_and_the_cacheless_pass(self, model: DualAR) -> None:
        prompt = make_prompt(12)
        hidden, _, logits = model.slow(torch.from_numpy(prompt)[None])
        cache = model.slow.new_cache(12)
        for at in range(12):
            state = model.slow.step(prompt[:, at], cache)
            assert close(state.hidden, hidden[0, at])
            assert close(state.logits, logits[0, at])

    def test_poisoned_free_slots_are_never_read(self, model: DualAR) -> None:
        prompt = make_prompt(12)
        clean, poisoned = model.slow.new_cache(20), model.slow.new_cache(20)
        for tensor in (*poisoned.keys, *poisoned.values):
            tensor.fill_(math.nan)
        for part in (prompt[:, :7], prompt[:, 7:8], prompt[:, 8:]):
            expected = model.slow.extend(part, clean)
            assert torch.equal(model.slow.extend(part, poisoned), expected)

    def test_truncated_cache_continues_as_if_nothing_had_followed(self, model: DualAR) -> None:
        prompt = make_prompt(12)
        cache = model.slow.new_cache(16)
        prefill(model.slow, prompt, cache)
        cache.truncate(6)
        again = prefill(model.slow, prompt[:, 6:], cache)
        assert same(again, prefill(model.slow, prompt, model.slow.new_cache(12)))

    @pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
    def test_sixteen_bit_cache_is_close(self, model: DualAR, dtype: torch.dtype) -> None:
        prompt = make_prompt(12)
        exact = prefill(model.slow, prompt, model.slow.new_cache(12))
        rounded = prefill(model.slow, prompt, model.slow.new_cache(12, dtype=dtype), chunk=3)
        assert rounded.hidden.dtype == torch.float32
        assert same(rounded, exact, 0.1)
        assert not same(rounded, exact, 1e-6)

    @pytest.mark.parametrize("threads", [2, 3])
    def test_number_of_threads_changes_the_last_bits_at_most(
        self, model: DualAR, threads: int
    ) -> None:
        """Torch's float32 products divide their sums by threads on some processors. Not a bit
        changes where the compiled kernels multiply: ``test_cpu_path.py``."""
        prompt = make_prompt(40, seed=8)
        before = torch.get_num_threads()
        try:
            states = []
            for count in (1, threads):
                torch.set_num_threads(count)
                states.append(prefill(model.slow, prompt, model.slow.new_cache(40), chunk=16))
        finally:
            torch.set_num_threads(before)
        assert same(states[0], states[1])


class TestRejection:
    """A rejected call leaves length and contents of the cache as they were."""

    def filled(self, model: DualAR, capacity: int = 8) -> tuple[KVCache, list[Tensor]]:
        cache = model.slow.new_cache(capacity)
        model.slow.extend(make_prompt(8), cache)
        return cache, [t.clone() for t in (*cache.keys, *cache.values)]

    def check(self, cache: KVCache, before: list[Tensor]) -> None:
        assert cache.length == 8
        now = (*cache.keys, *cache.values)
        assert all(torch.equal(a[:, :8], b[:, :8]) for a, b in zip(now, before, strict=True))

    def test_overflow(self, model: DualAR) -> None:
        cache, before = self.filled(model)
        with pytest.raises(GenerationError, match=r"KV cache overflow \(8 \+ 1 > 8\)"):
            model.slow.step(make_prompt(1)[:, 0], cache)
        with pytest.raises(GenerationError, match=r"KV cache overflow \(8 \+ 3 > 8\)"):
            model.slow.extend(make_prompt(3), cache)
        self.check(cache, before)

    def test_wrong_number_of_ints(self, model: DualAR) -> None:
        cache, before = self.filled(model, 16)
        for column in (np.zeros(4, np.int32), np.zeros(6, np.int32), np.zeros((5, 1), np.int32)):
            with pytest.raises(GenerationError, match="expected 5 ints"):
                model.slow.step(column, cache)
        with pytest.raises(GenerationError, match="expected 5 ints"):
            model.slow.extend(make_prompt(3)[:4], cache)
        with pytest.raises(GenerationError, match="at least one column"):
            model.slow.extend(make_prompt(3)[:, :0], cache)
        self.check(cache, before)

    @pytest.mark.parametrize(
        ("row", "value", "message"),
        [(0, 64, "token id"), (0, -1, "token id"), (2, 16, "code"), (4, -1, "code")],
    )
    def test_ids_outside_their_table(
        self, model: DualAR, row: int, value: int, message: str
    ) -> None:
        cache, before = self.filled(model, 16)
        columns = make_prompt(5)
        columns[row, 3] = value
        with pytest.raises(GenerationError, match=f"a {message} is outside of"):
            model.slow.extend(columns, cache)
        self.check(cache, before)

    def test_failure_inside_a_later_layer(
        self, model: DualAR, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        cache, before = self.filled(model, 16)

        def fail(x: Tensor) -> Tensor:
            raise RuntimeError("no memory")

        monkeypatch.setattr(model.slow.layers[1].feed_forward, "forward", fail)
        with pytest.raises(RuntimeError, match="no memory"):
            model.slow.step(make_prompt(1)[:, 0], cache)
        self.check(cache, before)

    def test_chunk_below_one(self) -> None:
        with pytest.raises(GenerationError, match="at least 1 column"):
            chunk_bounds(0, 3, 0)


class TestHead:
    def full_logits(self, model: DualAR, hidden: Tensor) -> np.ndarray:
        table = model.slow.embeddings if model.slow.output is None else model.slow.output
        return F.linear(hidden, table.weight).numpy()

    @pytest.mark.parametrize("tied", [True, False])
    def test_restricted_logits_are_rows_of_the_full_ones(self, tied: bool) -> None:
        model = make_model(tie_embeddings=tied)
        state = prefill(model.slow, make_prompt(12), model.slow.new_cache(12))
        full = self.full_logits(model, state.hidden)
        ids = model.slow.head_ids.numpy()
        assert ids.tolist() == [*range(40, 56), IM_END]
        assert np.abs(full[ids] - state.logits.numpy()).max() < 1e-5

    def test_both_draw_the_same_token(self, model: DualAR) -> None:
        state = prefill(model.slow, make_prompt(12), model.slow.new_cache(12))
        ids = model.slow.head_ids.numpy()
        masked = np.full(CONFIG.vocab_size, -np.inf)
        masked[ids] = state.logits.numpy()
        for u in np.linspace(0, 0.999, 41):
            restricted = sample(state.logits, 1.2, 0.95, 12, ScriptedUniform(u))
            assert ids[restricted] == sample(masked, 1.2, 0.95, 12, ScriptedUniform(u))

    @pytest.mark.parametrize("end", [-1, 64, 40, 55])
    def test_end_token_must_be_an_ordinary_id(self, end: int) -> None:
        with pytest.raises(ModelFileError, match=f"end token {end} is not an ordinary id"):
            DualAR(CONFIG, FreshWeights(), end)

    def test_fast_input_before_or_after_the_norm(self, model: DualAR) -> None:
        state = prefill(model.slow, make_prompt(4), model.slow.new_cache(4))
        assert torch.equal(state.fast_input, state.hidden)
        raw = make_model(norm_fast_input=False)
        state = prefill(raw.slow, make_prompt(4), raw.slow.new_cache(4))
        assert close(raw.slow.norm(state.fast_input), state.hidden)
        assert not close(state.fast_input, state.hidden)


class TestFast:
    hidden = torch.linspace(-1, 1, CONFIG.dim)

    @pytest.mark.parametrize("project", [True, False])
    @pytest.mark.parametrize("tie", [True, False])
    def test_cached_passes_equal_recomputing(self, project: bool, tie: bool) -> None:
        dim = 16 if project else 24
        fast = replace(FAST, dim=dim, project_in=project, tie=tie, qk_norm=project)
        model = make_model(fast=fast)
        cache = model.fast.new_cache()
        for codes in ([3, 15, 0], [7, 7, 7], [0, 1, 2]):
            found = [model.fast.begin(self.hidden, codes[0], cache)]
            found += [model.fast.step(code, cache) for code in codes[1:]]
            for length, logits in enumerate(found, start=1):
                assert close(logits, decode_fast(model.fast, self.hidden, codes[:length]))

    def test_tied_output_is_the_embedding_table(self) -> None:
        model = make_model(fast=replace(FAST, tie=True))
        assert model.fast.output.weight is model.fast.embeddings.weight
        assert not any("fast_output" in name for name, _ in model.named_parameters())

    def test_slots_are_one_per_codebook(self, model: DualAR) -> None:
        cache = model.fast.new_cache()
        assert cache.capacity == CONFIG.num_codebooks
        model.fast.begin(self.hidden, 1, cache)
        assert cache.length == 2
        model.fast.step(1, cache)
        model.fast.step(1, cache)
        with pytest.raises(GenerationError, match=r"KV cache overflow \(4 \+ 1 > 4\)"):
            model.fast.step(1, cache)

    def test_a_frame_leaves_nothing_to_the_next(self, model: DualAR) -> None:
        cache = model.fast.new_cache()
        for tensor in (*cache.keys, *cache.values):
            tensor.fill_(math.nan)
        first = model.fast.begin(self.hidden, 5, cache)
        for code in (9, 2):
            model.fast.step(code, cache)
        assert torch.equal(model.fast.begin(self.hidden, 5, cache), first)

    def test_bad_arguments(self, model: DualAR) -> None:
        with pytest.raises(GenerationError, match="expected hidden size 24"):
            model.fast.begin(self.hidden[:-1], 1, model.fast.new_cache())
        with pytest.raises(GenerationError, match=r"code 16 is outside of 0\.\.15"):
            model.fast.begin(self.hidden, 16, model.fast.new_cache())
