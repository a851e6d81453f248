"""Pauses of exact length as they are heard: so many zeros, in every way of speaking."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
import soundfile
from server_kit import serving

from engine.cli import main
from engine.engine import Engine
from engine.types import (
    Resume,
    Sampling,
    Segmentation,
    SegmentStart,
    StreamOptions,
    SynthesisRequest,
)

TEXT = "[pause 100ms]One is here. [pause 333ms] Two is there.[pause 50ms]"
LEAD, BETWEEN, TAIL = 4410, 14685, 2205
SHORT = Sampling(seed=5, max_new_tokens=6, min_tokens_before_end=6)


def request(text: str = TEXT, **more: Any) -> SynthesisRequest:
    return SynthesisRequest(text, sampling=SHORT, **more)


def hold(samples: np.ndarray, second: int) -> None:
    """The zeros that the text asks for; the fade in front of them makes one more."""
    assert not samples[:LEAD].any()
    assert samples[LEAD:].any()
    assert not samples[second - BETWEEN : second].any()
    assert np.abs(samples[second - BETWEEN - 300 : second - BETWEEN]).max() > 0
    assert not samples[-TAIL:].any()


@pytest.mark.parametrize(
    "stream",
    [
        StreamOptions(),
        StreamOptions(stride=1),
        StreamOptions(stride=3, holdback=2),
        StreamOptions(low_latency=True),
        StreamOptions(decode_mode="windowed", stride=2),
    ],
)
def test_zeros_in_every_mode(tiny_engine: Engine, collect: Any, stream: StreamOptions) -> None:
    made = collect(tiny_engine.synthesize(request(stream=stream)))
    starts = [e for e in made.events if isinstance(e, SegmentStart)]
    assert [s.text for s in starts] == ["One is here.", "Two is there."]
    assert starts[0].start == 0
    hold(made.samples, starts[1].start)
    positions = np.cumsum([0, *(len(c.samples) for c in made.chunks)])
    assert [c.start for c in made.chunks] == list(positions[:-1])


def test_the_sound_beside_them_is_that_of_the_pieces(tiny_engine: Engine, collect: Any) -> None:
    """A usual pause of the same length gives the same samples."""
    with_tag = collect(tiny_engine.synthesize(request("One is here. [pause 180ms] Two is there.")))
    usual = request("One is here. Two is there.", segmentation=Segmentation(sentences=True))
    wanted = collect(tiny_engine.synthesize(usual))
    assert np.array_equal(with_tag.samples, wanted.samples)
    assert np.array_equal(with_tag.codes, wanted.codes)


def test_going_on_behind_a_pause_gives_the_rest(tiny_engine: Engine, collect: Any) -> None:
    whole = collect(tiny_engine.synthesize(request()))
    rest = collect(tiny_engine.synthesize(request(resume=Resume(1))))
    start = [e.start for e in whole.events if isinstance(e, SegmentStart)][1]
    assert np.array_equal(rest.samples, whole.samples[start:])


def test_render_and_files_have_them(models: Any, tmp_path: Path) -> None:
    out = tmp_path / "a.wav"
    words = ["-m", str(models.path("tiny-f32")), "-t", str(models.tokenizer), "--seed", "5",
             "--max-tokens", "6", "--min-tokens-before-end", "6", "-o", str(out)]  # fmt: skip
    assert main(["synth", "--text", TEXT, *words]) == 0
    samples = soundfile.read(out, dtype="float32")[0]
    assert main(["synth", "--text", TEXT, "--stream-file", *words]) == 0
    streamed = soundfile.read(out, dtype="float32")[0]
    for found in (samples, streamed):
        assert not found[:LEAD].any()
        assert not found[-TAIL:].any()
        assert len(found) == len(samples)


def test_the_server_has_them(tiny_engine: Engine) -> None:
    with serving(tiny_engine, sampling=SHORT) as server:
        answer = httpx.post(
            f"{server.url}/v1/audio/speech",
            json={"input": TEXT, "response_format": "wav"},
            trust_env=False,
        )
        unit = httpx.post(
            f"{server.url}/v1/audio/speech", json={"input": "A [pause 5] b."}, trust_env=False
        )
        long = httpx.post(
            f"{server.url}/v1/audio/speech", json={"input": "A [pause 99s] b."}, trust_env=False
        )
    samples = soundfile.read(io.BytesIO(answer.content), dtype="float32")[0]
    assert not samples[:LEAD].any()
    assert not samples[-TAIL:].any()
    assert "no unit" in unit.headers["x-warnings"]
    assert long.status_code == 400
    assert "longer than 60 s" in long.text
