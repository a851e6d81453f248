"""Speech that goes on from given codes: the same seed gives the take that they are from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine import (
    AudioChunk,
    ContextError,
    Engine,
    EngineError,
    Provenance,
    RequestError,
    Resume,
    Sampling,
    Segmentation,
    StreamOptions,
    Summary,
    SynthesisRequest,
)
from engine.cli import main
from engine.storage.shipped import demo_model
from tests.conftest import GOLDEN_MODELS

FRAMES = 14


@pytest.fixture(scope="module", params=GOLDEN_MODELS)
def engine(request: pytest.FixtureRequest, models: Any) -> Iterator[Engine]:
    with Engine.load(models.path(request.param), models.tokenizer, voice_cache_mb=0) as loaded:
        yield loaded


def asked(seed: int, temperature: float, **options: Any) -> SynthesisRequest:
    sampling = Sampling(
        temperature=temperature, max_new_tokens=FRAMES, min_tokens_before_end=FRAMES, seed=seed
    )
    return SynthesisRequest("Hello there.", sampling=sampling, **options)


def go_on(request: SynthesisRequest, codes: np.ndarray) -> SynthesisRequest:
    frames = request.sampling.max_new_tokens - codes.shape[1]
    sampling = replace(request.sampling, max_new_tokens=frames)
    return replace(request, sampling=sampling, prefix_codes=codes)


@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    seed=st.integers(0, 1000), cut=st.integers(1, FRAMES - 1), greedy=st.booleans(),
    stride=st.sampled_from([0, 1, 3]),
)  # fmt: skip
def test_the_same_seed_gives_the_same_take(
    engine: Engine, seed: int, cut: int, greedy: bool, stride: int
) -> None:
    whole = asked(seed, 0.0 if greedy else 1.3, stream=StreamOptions(stride=stride))
    first = engine.render(whole)
    again = engine.render(go_on(whole, first.summary.codes[:, :cut]))
    assert np.array_equal(again.summary.codes, first.summary.codes)
    assert np.array_equal(again.samples, first.samples)


def test_fast_prompts_read_frames_as_they_were_made(models: Any) -> None:
    path = models.path("tiny-kquant")
    with Engine.load(path, models.tokenizer, arithmetic="fast", voice_cache_mb=0) as fast:
        first = fast.render(asked(5, 1.3))
        again = fast.render(go_on(asked(5, 1.3), first.summary.codes[:, :9]))
    assert np.array_equal(again.summary.codes, first.summary.codes)


def test_another_seed_keeps_what_was_given_sample_for_sample(engine: Engine) -> None:
    first = engine.render(asked(1, 1.3))
    kept = first.summary.codes[:, :6]
    other = engine.render(go_on(asked(2, 1.3), kept))
    samples = 6 * engine.info.samples_per_frame
    assert np.array_equal(other.summary.codes[:, :6], kept)
    assert np.array_equal(other.samples[:samples], first.samples[:samples])
    assert not np.array_equal(other.summary.codes, first.summary.codes)


def test_given_sound_comes_before_the_model_has_spoken(engine: Engine) -> None:
    kept = engine.render(asked(1, 1.3)).summary.codes[:, :6]
    request = replace(go_on(asked(2, 1.3), kept), stream=StreamOptions(stride=1))
    for event in engine.synthesize(request):
        if isinstance(event, AudioChunk):
            assert event.start == 0
            break
    else:
        pytest.fail("no sound came")


def test_in_company_it_is_the_same(models: Any) -> None:
    with Engine.load(models.path("tiny-kquant"), models.tokenizer, voice_cache_mb=0) as engine:
        kept = engine.render(asked(1, 1.3)).summary.codes[:, :6]
        requests = [go_on(asked(seed, 1.3), kept) for seed in range(5)] + [asked(9, 1.3)]
        ended = {
            index: event
            for index, event in engine.synthesize_many(requests)
            if isinstance(event, Summary | EngineError)
        }
        for index, request in enumerate(requests):
            event = ended[index]
            assert isinstance(event, Summary)
            assert np.array_equal(event.codes, engine.render(request).summary.codes)


@pytest.mark.parametrize(
    "codes",
    [
        np.zeros((3, 4), np.int32),
        np.zeros((4,), np.int32),
        np.zeros((4, 4), np.float32),
        np.full((4, 4), -1),
        np.full((4, 4), 10_000),
    ],
    ids=["rows", "axes", "floats", "negative", "large"],
)
def test_codes_that_no_model_drew_are_refused(engine: Engine, codes: np.ndarray) -> None:
    rows = engine.info.num_codebooks
    if codes.shape == (4, 4):
        codes = np.repeat(codes[:1], rows, axis=0)
    with pytest.raises(RequestError):
        engine.render(replace(asked(1, 1.0), prefix_codes=codes))


def test_where_it_is_not_clear_what_they_belong_to(engine: Engine) -> None:
    codes = engine.render(asked(1, 1.0)).summary.codes[:, :3]
    pieces = Segmentation(sentences=True)
    long = SynthesisRequest("One. Two.", segmentation=pieces, prefix_codes=codes)
    with pytest.raises(RequestError, match="one piece"):
        engine.render(long)
    with pytest.raises(RequestError, match="one piece"):
        engine.render(replace(asked(1, 1.0), prefix_codes=codes, resume=Resume(0)))


def test_more_than_the_context_is_refused(engine: Engine) -> None:
    codes = np.zeros((engine.info.num_codebooks, engine.info.context_length), np.int32)
    with pytest.raises(ContextError):
        engine.render(replace(asked(1, 1.0), prefix_codes=codes))


def test_the_story_of_a_take_tells_what_it_began_with(engine: Engine) -> None:
    kept = engine.render(asked(1, 1.3)).summary.codes[:, :6]
    request = go_on(asked(2, 1.3), kept)
    made = engine.render(request)
    story = Provenance.of(request, made.summary, engine.info)
    read = Provenance.from_json(story.to_json(with_codes=True))
    assert read is not None
    assert read.prefix_frames == 6
    again = engine.render(read.request())
    assert np.array_equal(again.summary.codes, made.summary.codes)


@pytest.mark.slow
def test_the_demo_voice_goes_on_with_its_sentence() -> None:
    with Engine.load(demo_model(), voice_cache_mb=0) as demo:
        request = SynthesisRequest("The weather is good today.", sampling=Sampling(seed=3))
        first = demo.render(request)
        cut = first.summary.codes.shape[1] // 2
        again = demo.render(replace(request, prefix_codes=first.summary.codes[:, :cut]))
    assert np.array_equal(again.summary.codes, first.summary.codes)
    assert np.array_equal(again.samples, first.samples)


def test_on_the_command_line(
    models: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    codes, out = tmp_path / "codes.npy", tmp_path / "out.wav"
    command = [
        "synth", "-m", str(models.path("tiny-q8_0")), "-t", str(models.tokenizer), "--seed", "3",
        "--voice-cache", "0", "--text", "Hello.", "--min-tokens-before-end", "8", "-o", str(out),
    ]  # fmt: skip
    assert main([*command, "--max-tokens", "8", "--dump-codes", str(codes)]) == 0
    first, _ = soundfile.read(out)
    np.save(tmp_path / "kept.npy", np.load(codes)[:, :5])
    again = [*command, "--max-tokens", "3", "--prefix-codes"]
    assert main([*again, str(tmp_path / "kept.npy")]) == 0
    second, _ = soundfile.read(out)
    assert np.array_equal(first, second)
    assert main([*again, str(tmp_path / "absent.npy")]) == 1
    assert "cannot read codes" in capsys.readouterr().err
    assert main([*again, str(codes), "--remote", "http://127.0.0.1:1"]) != 0
