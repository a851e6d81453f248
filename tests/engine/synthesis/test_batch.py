"""Many takes at once: what each makes is the same to the last bit as alone."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine import (
    AudioChunk,
    BusyError,
    CancelToken,
    Engine,
    EngineError,
    Progress,
    RequestError,
    Sampling,
    Segmentation,
    StreamOptions,
    Summary,
    SynthesisRequest,
    VoiceProfile,
)
from engine.lm.passes import NextFrame, Passes
from engine.synthesis import company
from tests.conftest import GOLDEN_MODELS

LONG = "First this. Then that. And a third one! Is there more? There is. It ends here."
TEXTS = ("Hello.", "A longer text to speak.", "First this. Then that.")


@pytest.fixture(scope="module", params=GOLDEN_MODELS)
def engine(request: pytest.FixtureRequest, models: Any) -> Iterator[Engine]:
    with Engine.load(models.path(request.param), models.tokenizer, voice_cache_mb=0) as loaded:
        yield loaded


@pytest.fixture
def quantised(models: Any) -> Iterator[Engine]:
    with Engine.load(models.path("tiny-kquant"), models.tokenizer, voice_cache_mb=0) as loaded:
        yield loaded


def voice(engine: Engine, number: int) -> VoiceProfile:
    codes = np.random.default_rng(number).integers(0, 40, (engine.info.num_codebooks, 7 + number))
    return VoiceProfile(
        "Words of a clip.", codes.astype(np.int32), engine.info.sample_rate,
        engine.info.codebook_size,
    )  # fmt: skip


def take(seed: int, frames: int = 6, text: str = TEXTS[0], **options: Any) -> SynthesisRequest:
    sampling = Sampling(temperature=1.2, max_new_tokens=frames, min_tokens_before_end=1, seed=seed)
    return SynthesisRequest(text, sampling=sampling, **options)


def alone(engine: Engine, request: SynthesisRequest) -> tuple[np.ndarray, np.ndarray]:
    samples, codes = [np.empty(0, np.float32)], None
    for event in engine.synthesize(request):
        if isinstance(event, AudioChunk):
            samples.append(event.samples)
        elif isinstance(event, Summary):
            codes = event.codes
    assert codes is not None
    return codes, np.concatenate(samples)


def together(
    engine: Engine, requests: Sequence[SynthesisRequest]
) -> list[tuple[np.ndarray, np.ndarray]]:
    samples: list[list[np.ndarray]] = [[np.empty(0, np.float32)] for _ in requests]
    codes: list[Any] = [None] * len(requests)
    for index, event in engine.synthesize_many(requests):
        if isinstance(event, EngineError):
            raise event
        if isinstance(event, AudioChunk):
            samples[index].append(event.samples)
        elif isinstance(event, Summary):
            assert codes[index] is None
            codes[index] = event.codes
    return [(made, np.concatenate(s)) for made, s in zip(codes, samples, strict=True)]


def assert_equal(engine: Engine, requests: Sequence[SynthesisRequest]) -> None:
    for request, (codes, samples) in zip(requests, together(engine, requests), strict=True):
        wanted_codes, wanted_samples = alone(engine, request)
        assert np.array_equal(codes, wanted_codes)
        assert np.array_equal(samples, wanted_samples)


def test_takes_of_one_line_differ_and_are_those_of_their_seeds(engine: Engine) -> None:
    requests = [take(seed) for seed in range(9)]
    assert_equal(engine, requests)
    assert len({codes.tobytes() for codes, _ in together(engine, requests)}) > 1


@pytest.mark.slow
@settings(
    max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_any_company(engine: Engine, data: Any) -> None:
    """Texts, voices, lengths, pieces and strides are mixed; some end while others are read."""
    made = []
    for seed in range(data.draw(st.integers(2, 8))):
        options: dict[str, Any] = {}
        if data.draw(st.booleans()):
            options["references"] = (voice(engine, data.draw(st.integers(0, 2))),)
        if data.draw(st.booleans()):
            options["segmentation"] = Segmentation(
                sentences=True, pause_ms=20, history=data.draw(st.booleans())
            )
        options["stream"] = StreamOptions(stride=data.draw(st.sampled_from([0, 1, 3])))
        text, frames = data.draw(st.sampled_from(TEXTS)), data.draw(st.integers(1, 9))
        request = take(seed, frames, text, **options)
        if data.draw(st.booleans()):
            request = replace(request, sampling=replace(request.sampling, temperature=0.0))
        made.append(request)
    assert_equal(engine, made)


def test_a_whole_company(quantised: Engine) -> None:
    """As many as ever share a pass, and some more, which wait for a place."""
    assert_equal(quantised, [take(seed, 3 + seed % 4) for seed in range(company.MOST_STREAMS + 3)])


def test_passes_are_really_shared(quantised: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    companies = []
    together_ = Passes.together

    def counted(self: Passes, wanted: Any) -> Any:
        if isinstance(wanted[0], NextFrame):
            companies.append(len(wanted))
        return together_(self, wanted)

    monkeypatch.setattr(Passes, "together", counted)
    # Those that end early leave, those that waited join.
    monkeypatch.setattr(company, "MOST_STREAMS", 3)
    lengths = [12, 4, 12, 9, 3]
    sampling = [
        Sampling(temperature=0.5, max_new_tokens=n, min_tokens_before_end=n, seed=n)
        for n in lengths
    ]
    requests = [SynthesisRequest("Hello.", sampling=each) for each in sampling]
    made = together(quantised, requests)
    assert [codes.shape[1] for codes, _ in made] == lengths
    assert max(companies) == 3
    assert sum(companies) == sum(lengths) - len(lengths)  # no pass after the last frame
    assert len(companies) < sum(lengths) / 2


def test_the_same_line_is_read_once(quantised: Engine) -> None:
    requests = [take(seed) for seed in range(4)]
    columns = [
        event.metrics.prefill_columns
        for _, event in quantised.synthesize_many(requests)
        if isinstance(event, Summary)
    ]
    assert sorted(columns)[:3] == [0, 0, 0]
    assert max(columns) > 10


def test_small_memory_lets_few_in(quantised: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(company, "available_memory", lambda: (0, 0))
    seen: list[int] = [
        index
        for index, event in quantised.synthesize_many([take(seed) for seed in range(3)])
        if not isinstance(event, EngineError)
    ]
    assert seen == sorted(seen)  # one after the other: the first is never refused


def test_small_memory_lets_few_pieces_in(
    quantised: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = take(5, 4, LONG, segmentation=Segmentation(sentences=True))
    wanted = alone(quantised, request)
    monkeypatch.setattr(company, "available_memory", lambda: (0, 0))
    monkeypatch.setattr(
        Passes, "together", lambda self, wanted: [self.alone(wanted[0])] if len(wanted) == 1 else 1
    )
    rendered = quantised.render(request)
    assert np.array_equal(rendered.summary.codes, wanted[0])


def test_times_are_told_and_add_up(quantised: Engine) -> None:
    """What is shared is counted once: all streams together take no longer than the wall says."""
    requests = [take(seed, 9, references=(voice(quantised, seed),)) for seed in range(4)]
    started = time.perf_counter()
    told = [
        event.metrics
        for _, event in quantised.synthesize_many(requests)
        if isinstance(event, Summary)
    ]
    wall_ms = 1e3 * (time.perf_counter() - started)
    assert all(each.prefill_ms > 0 and each.generate_ms > 0 for each in told)
    assert sum(each.prefill_ms + each.generate_ms for each in told) <= wall_ms


def test_a_voice_that_was_read_in_company_is_known_later(
    models: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.loading.voice_cache_folder", lambda: tmp_path)
    # What reads a voice in no time is not kept; so little does count here.
    monkeypatch.setattr("engine.lm.prefix_store.LEAST_SECONDS", 1e-6)
    with Engine.load(models.path("tiny-kquant"), models.tokenizer) as engine:
        requests = [take(seed, references=(voice(engine, 1),)) for seed in range(2)]
        assert len(together(engine, requests)) == 2
    assert len(list(tmp_path.iterdir())) == 1


def test_one_that_fails_leaves_the_others_alone(quantised: Engine) -> None:
    requests = [take(1), take(2, text="  "), take(3)]
    ended: dict[int, Any] = {}
    for index, event in quantised.synthesize_many(requests):
        if isinstance(event, Summary | EngineError):
            assert index not in ended
            ended[index] = event
    assert isinstance(ended[1], RequestError)
    for index in (0, 2):
        assert np.array_equal(ended[index].codes, alone(quantised, requests[index])[0])


def test_one_is_stopped_and_the_others_go_on(quantised: Engine) -> None:
    requests = [
        SynthesisRequest(
            "Hello.",
            sampling=Sampling(max_new_tokens=20, min_tokens_before_end=20, seed=seed),
            stream=StreamOptions(stride=1),
        )
        for seed in range(3)
    ]
    cancels = [CancelToken() for _ in requests]
    ended: dict[int, Summary] = {}
    for index, event in quantised.synthesize_many(requests, cancels):
        if index == 1 and isinstance(event, AudioChunk):
            cancels[1].cancel()
        if isinstance(event, Summary):
            ended[index] = event
    assert ended[1].finish_reason == "cancelled"
    assert 0 < ended[1].codes.shape[1] < 20
    for index in (0, 2):
        assert np.array_equal(ended[index].codes, alone(quantised, requests[index])[0])


def test_closing_stops_all_and_frees_the_engine(quantised: Engine) -> None:
    events = quantised.synthesize_many([take(1), take(2)])
    next(events)
    with pytest.raises(BusyError):
        next(quantised.synthesize(take(3)))
    events.close()  # type: ignore[attr-defined]
    assert alone(quantised, take(3))[0].size


def test_nothing_to_speak_and_a_wrong_number_of_tokens(quantised: Engine) -> None:
    assert list(quantised.synthesize_many([])) == []
    with pytest.raises(ValueError, match="1 cancel tokens for 2 requests"):
        next(quantised.synthesize_many([take(1), take(2)], [CancelToken()]))


@pytest.mark.parametrize("at_once", [2, 3, 8])
def test_pieces_spoken_together_are_the_pieces_spoken_alone(engine: Engine, at_once: int) -> None:
    cut = Segmentation(sentences=True, pause_ms=30)
    request = take(5, 7, LONG, segmentation=cut, references=(voice(engine, 1),))

    def plain(events: Iterator[Any]) -> list[Any]:
        kept = []
        for event in events:
            if isinstance(event, AudioChunk):
                kept.append((event.start, event.samples.tobytes()))
            elif isinstance(event, Summary):
                kept.append((event.codes.tobytes(), event.finish_reason, event.warnings))
            elif not isinstance(event, Progress):  # fewer for a voice that was read before
                kept.append(type(event))
        return kept

    assert plain(engine.synthesize(request, None, at_once)) == plain(engine.synthesize(request))


def test_pieces_that_need_each_other_are_spoken_one_by_one(
    quantised: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut = Segmentation(sentences=True, history=True)
    request = take(5, 4, LONG, segmentation=cut)
    monkeypatch.setattr(Passes, "together", lambda *_: pytest.fail("they were not"))
    assert list(quantised.synthesize(request, None, 8))


def test_stopping_among_pieces_keeps_what_was_heard(quantised: Engine) -> None:
    request = take(
        5, 7, LONG, segmentation=Segmentation(sentences=True), stream=StreamOptions(stride=1)
    )
    whole = b"".join(
        event.samples.tobytes()
        for event in quantised.synthesize(request)
        if isinstance(event, AudioChunk)
    )
    token, heard, summary = CancelToken(), b"", None
    for event in quantised.synthesize(request, token, 4):
        if isinstance(event, AudioChunk):
            heard += event.samples.tobytes()
            if len(heard) > len(whole) // 2:
                token.cancel()
        elif isinstance(event, Summary):
            summary = event
    assert summary is not None
    assert summary.finish_reason == "cancelled"
    assert whole.startswith(heard)


def test_a_piece_that_fails_fails_in_its_turn(
    quantised: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A model may draw the end before the first frame of one piece; what is before is heard."""
    silent = Sampling(temperature=1.2, max_new_tokens=4, seed=1)
    cut = Segmentation(sentences=True)
    for seed in range(200):
        request = SynthesisRequest(
            LONG, sampling=replace(silent, seed=seed), segmentation=cut,
            stream=StreamOptions(stride=1),
        )  # fmt: skip
        made = []
        for at_once in (1, 8):
            heard = 0
            try:
                for event in quantised.synthesize(request, None, at_once):
                    heard += isinstance(event, AudioChunk)
                made.append((heard, ""))
            except EngineError as error:
                made.append((heard, error.code))
        assert made[0] == made[1]
        if made[0][1]:
            return
    pytest.skip("no seed of these draws an end at once")
