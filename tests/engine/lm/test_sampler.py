"""The sampler against spec 03 section 4, the reference's probabilities, and hard inputs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from lm_support import ScriptedUniform

from engine.errors import GenerationError
from engine.lm.sampler import (
    Draws,
    Tries,
    frame_uniforms,
    new_seed,
    probabilities,
    sample,
    sample_main,
)
from engine.types import Sampling

INF = float("inf")


def reference(z: np.ndarray, temperature: float, top_p: float, top_k: int) -> np.ndarray:
    """The rule as the specification words it, with a full sort and one test per rank."""
    order = sorted((i for i in range(len(z)) if z[i] > -INF), key=lambda i: (-z[i], i))
    total = sum(np.exp(z[i] - z[order[0]]) for i in order)
    kept: list[int] = []
    cumulative = 0.0
    for rank, index in enumerate(order, start=1):
        cumulative += np.exp(z[index] - z[order[0]]) / total
        beyond_p = rank > 1 and top_p < 1 and cumulative > top_p
        if not ((top_k > 0 and rank > top_k) or beyond_p):
            kept.append(index)
    out = np.zeros(len(z))
    if temperature < 1e-5:
        out[kept[0]] = 1
        return out
    for index in kept:
        out[index] = np.exp((z[index] - z[order[0]]) / temperature)
    return out / out.sum()


def kept(logits: list[float], temperature: float, top_p: float, top_k: int = 0) -> list[int]:
    return np.flatnonzero(probabilities(np.array(logits), temperature, top_p, top_k)).tolist()


def test_reference_probabilities(golden_arrays: Callable[[str], dict[str, np.ndarray]]) -> None:
    """All 7 settings on 8 fast and 4 slow rows equal what the reference keeps."""
    data = golden_arrays("sampler")
    worst = 0.0
    for kind in ("fast", "slow"):
        rows = data["fast_logits" if kind == "fast" else "slow_logits_masked"]
        for setting, (temperature, top_p, top_k) in enumerate(data["params"]):
            for row, logits in enumerate(rows):
                ours = probabilities(logits, float(temperature), float(top_p), int(top_k))
                expected = data[f"{kind}_probs"][setting, row]
                assert np.array_equal(ours > 0, expected > 0)
                worst = max(worst, float(np.abs(ours - expected).max()))
    print(f"largest distance of a probability: {worst:.2e}")
    assert worst < 1e-5


@pytest.mark.parametrize(
    ("top_p", "expected"), [(0.7, [0]), (0.95, [0, 1]), (0.0, [0]), (1.0, [0, 1, 2])]
)
def test_top_p_drops_the_entry_that_crosses(top_p: float, expected: list[int]) -> None:
    assert kept([2, 1, 0], 1.0, top_p) == expected


@pytest.mark.parametrize("temperature", [1e-4, 0.3, 1.0, 1.9, 1e9])
def test_temperature_does_not_change_the_kept_set(temperature: float) -> None:
    assert kept([2, 1, 0], temperature, 0.7) == [0]


@pytest.mark.parametrize("temperature", [0.0, -1.0, 1e-9])
def test_tiny_temperature_is_greedy_even_on_a_tie(temperature: float) -> None:
    for u in (0.0, 0.999999):
        assert sample(np.array([1.0, 3.0, 3.0]), temperature, 1.0, 0, ScriptedUniform(u)) == 1


def test_huge_temperature_is_uniform_over_the_kept() -> None:
    assert np.allclose(probabilities(np.array([5.0, -5.0, 0.0]), 1e9, 1.0, 0), 1 / 3)


@pytest.mark.parametrize(("top_k", "count"), [(0, 4), (-1, 4), (1, 1), (3, 3), (4, 4), (99, 4)])
def test_top_k_zero_or_above_the_vocabulary_is_no_limit(top_k: int, count: int) -> None:
    assert len(kept([0.5, -INF, 0.2, 0.1, 0.4], 1.0, 1.0, top_k)) == count


def test_ties_keep_the_lower_index() -> None:
    assert kept([1, 2, 1, 2, 1], 1.0, 1.0, 3) == [0, 1, 3]


def test_masked_entries_are_never_drawn() -> None:
    logits = np.full(4097, -INF)
    logits[[7, 4096]] = [0.0, -3.0]
    drawn = {sample(logits, 1.9, 1.0, 30, ScriptedUniform(u)) for u in (0.0, 0.5, 1 - 2**-53)}
    assert drawn == {7, 4096}


@pytest.mark.parametrize("bad", [float("nan"), INF])
def test_non_finite_logits_are_a_named_error(bad: float) -> None:
    with pytest.raises(GenerationError, match="non-finite logits"):
        sample(torch.tensor([0.0, bad, 1.0]), 0.8, 0.8, 30, np.random.default_rng(0))


@pytest.mark.parametrize("size", [0, 3])
def test_an_impossible_distribution_is_a_named_error(size: int) -> None:
    with pytest.raises(GenerationError, match="every logit is masked"):
        sample(np.full(size, -INF), 0.0, 0.8, 30, np.random.default_rng(0))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_logits_work(dtype: torch.dtype) -> None:
    logits = torch.tensor([60000.0, 1.0, -60000.0], dtype=dtype)
    assert sample(logits, 0.8, 0.8, 30, ScriptedUniform(0.5)) == 0


@pytest.mark.parametrize(
    ("u", "expected"), [(0.0, 2), (0.6, 2), (0.7, 0), (0.9, 0), (0.95, 1), (0.9999999999, 1)]
)
def test_one_uniform_picks_the_first_cumulative_above_it(u: float, expected: int) -> None:
    # Sorted probabilities: .665 (index 2), .245 (index 0), .090 (index 1).
    assert sample(np.array([1.0, 0.0, 2.0]), 1.0, 1.0, 0, ScriptedUniform(u)) == expected


def test_every_draw_uses_one_uniform() -> None:
    for temperature, top_k in ((0.0, 30), (0.8, 1), (0.8, 30)):
        rng = ScriptedUniform(0.25, 0.75)
        sample(np.array([1.0, 2.0, 3.0]), temperature, 0.9, top_k, rng)
        assert rng.values == [0.75]


def test_frequencies_follow_the_probabilities() -> None:
    logits = np.array([0.3, 1.2, -0.5, 0.9, 0.0])
    rng = np.random.default_rng(17)
    draws = [sample(logits, 1.3, 0.95, 4, rng) for _ in range(8_000)]
    found = np.bincount(draws, minlength=5) / len(draws)
    assert np.abs(found - probabilities(logits, 1.3, 0.95, 4)).max() < 0.02


@settings(max_examples=100, deadline=None)
@given(
    values=st.lists(
        st.one_of(st.just(-INF), st.integers(-8, 8).map(lambda v: v / 2)), min_size=1, max_size=40
    ),
    temperature=st.sampled_from([0.0, 1e-9, 0.3, 0.8, 1.0, 1.99]),
    top_p=st.sampled_from([0.0, 0.05, 0.33, 0.8, 0.999, 1.0]),
    top_k=st.sampled_from([0, 1, 2, 5, 30, 1000]),
)
def test_equals_the_rule_as_written(
    values: list[float], temperature: float, top_p: float, top_k: int
) -> None:
    z = np.array(values)
    if np.all(z == -INF):
        z[0] = 0.0
    ours = probabilities(z, temperature, top_p, top_k)
    assert np.allclose(ours, reference(z, temperature, top_p, top_k), atol=1e-12)
    assert ours.sum() == pytest.approx(1)


def test_a_seed_is_an_unsigned_64_bit_number() -> None:
    seeds = {new_seed() for _ in range(8)}
    assert len(seeds) == 8
    assert all(0 <= seed < 2**64 for seed in seeds)
    assert (frame_uniforms(2**64 - 1, 3, 10) == frame_uniforms(2**64 - 1, 3, 10)).all()


def test_every_seed_frame_book_and_try_has_a_number_of_its_own() -> None:
    many = [frame_uniforms(seed, frame, 10) for seed in range(20) for frame in range(20)]
    numbers = np.concatenate(many, axis=None)
    assert len(set(numbers.tolist())) == numbers.size == 8_000
    assert 0.0 <= numbers.min() < numbers.max() < 1.0
    found = np.histogram(numbers, 16, (0.0, 1.0))[0] / numbers.size
    assert np.abs(found - 1 / 16).max() < 0.01


def test_tries_are_those_of_a_book_in_order() -> None:
    tries = Tries(frame_uniforms(5, 7, 4)[2])
    assert [tries.random(), tries.random()] == frame_uniforms(5, 7, 4)[2].tolist()


class TestRepetitionAwareSampling:
    """Restricted ids 0..3 and the end token 4; entry 0 dominates but does not fill top-p .9."""

    logits = np.array([3.0, 1.5, -9.0, -9.0, 1.1])
    # softmax: .728, .162, .000, .000, .109
    sampling = Sampling(temperature=0.5, top_p=0.8, top_k=30)

    def draw(self, recent: list[int], *values: float, allow_end: bool = True) -> tuple[int, int]:
        rng = ScriptedUniform(*values)
        drawn = sample_main(
            self.logits, self.sampling, recent, rng, end_index=4, allow_end=allow_end
        )
        return drawn, len(values) - len(rng.values)

    def test_a_new_token_is_drawn_once(self) -> None:
        assert self.draw([1, 2], 0.99, 0.99) == (0, 1)

    def test_a_repeated_token_is_drawn_again_wider(self) -> None:
        # top-p .8 leaves only entry 0; the redraw's .9 leaves entries 0 and 1 at temperature 1,
        # with probabilities .818 and .182.
        assert self.draw([0], 0.99, 0.81) == (0, 2)
        assert self.draw([0], 0.0, 0.83) == (1, 2)

    def test_only_the_last_ten_count(self) -> None:
        assert self.draw([0, *[1] * 10], 0.5, 0.99) == (0, 1)
        assert self.draw([0, *[1] * 9], 0.5, 0.99) == (1, 2)

    def test_the_redraw_may_be_the_end_token(self) -> None:
        logits = np.log([0.5, 0.15, 1e-9, 1e-9, 0.35])
        sampling = Sampling(temperature=0.5, top_p=0.3, top_k=30)
        rng = ScriptedUniform(0.99, 0.9)
        assert sample_main(logits, sampling, [0], rng, end_index=4) == 4

    def test_the_end_token_stays_masked_in_the_redraw(self) -> None:
        logits = np.array([2.0, 0.0, -9.0, -9.0, 1.9])
        sampling = Sampling(temperature=0.5, top_p=0.6, top_k=30)
        for u in (0.0, 0.5, 0.999):
            rng = ScriptedUniform(0.5, u)
            drawn = sample_main(logits, sampling, [0], rng, end_index=4, allow_end=False)
            assert drawn != 4
        assert logits[4] == 1.9

    def test_a_repeated_end_token_is_accepted_at_once(self) -> None:
        logits = np.array([0.0, 0.0, 0.0, 0.0, 9.0])
        rng = ScriptedUniform(0.5)
        assert sample_main(logits, self.sampling, [4], rng, end_index=4) == 4


def test_draws_that_leave_a_choice_are_counted() -> None:
    draws, rng = Draws(), np.random.default_rng(0)
    sample(np.array([9.0, 0.0, 0.0]), 0.8, 0.8, 30, rng, draws)
    assert draws.open == 0
    sample(np.array([1.0, 0.9, 0.8, 0.7]), 0.8, 0.8, 30, rng, draws)
    assert draws.open == 1
    options = Sampling(temperature=0.8, top_p=0.8)
    sample_main(
        np.array([1.0, 0.9, 0.8, 0.7]), options, [0, 1, 2, 3], rng, end_index=9, draws=draws
    )
    assert draws.open == 3, "it is drawn again when it comes again"
