"""The peer's windowed streaming through the whole engine, against what the peer sent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from engine.engine import Engine
from engine.lm.generate import GenerationStats
from engine.random_model.model import GOLDEN_MODELS
from engine.synthesis import synthesis
from engine.synthesis.emitters import plan_stream
from engine.types import FrameCodes, StreamOptions, SynthesisRequest

# The peer rounds the inputs of its convolutions to 16 bits; see peer_dist_audio_full.
PEER_DISTANCE = 4e-3
STREAMS: dict[str, dict[str, Any]] = {
    "default": {},
    "low_latency": {"low_latency": True},
    "s2_h2_c8": {"stride": 2, "holdback": 2, "context": 8},
    "s3_h5_c64": {"stride": 3, "holdback": 5, "context": 64},
}


@pytest.fixture(scope="module")
def engines(models: Any) -> Iterator[dict[str, Engine]]:
    made = {n: Engine.load(models.path(n), models.tokenizer, threads=1) for n in GOLDEN_MODELS}
    yield made
    for engine in made.values():
        engine.close()


@pytest.fixture
def speak(
    engines: dict[str, Engine], golden: Any, collect: Any, monkeypatch: pytest.MonkeyPatch
) -> Any:
    """Runs the engine on the codes that the peer generated."""

    def run(name: str, **stream: Any) -> Any:
        codes = golden(name, "clone")["peer_codes"].astype(np.int32)

        def generate(*_args: Any, **_options: Any) -> Any:
            for index in range(codes.shape[1]):
                yield FrameCodes(index, codes[:, index])
            return GenerationStats("length", 0, codes.shape[1], 1, 1, 0, 0.0, 0.0, 0.0)

        monkeypatch.setattr(synthesis, "generate", generate)
        options = StreamOptions("windowed", **stream)
        return collect(engines[name].synthesize(SynthesisRequest("Word.", stream=options)))

    return run


@pytest.mark.parametrize("stream", STREAMS)
@pytest.mark.parametrize("name", GOLDEN_MODELS)
def test_chunks_have_the_sizes_of_the_peers(
    speak: Any, golden: Any, name: str, stream: str
) -> None:
    run = speak(name, **STREAMS[stream])
    sizes = golden(name, "clone")[f"peer_chunks_stream_{stream}"]
    assert [len(c.samples) for c in run.chunks] == sizes.tolist()


def test_sound_is_the_peers(speak: Any, golden: Any) -> None:
    arrays = golden("tiny-f32", "clone")
    run = speak("tiny-f32", **STREAMS["s2_h2_c8"])
    assert np.abs(run.samples - arrays["peer_audio_stream_s2_h2_c8"]).max() < PEER_DISTANCE
    whole = speak("tiny-f32", stride=16, context=8, holdback=4)
    assert np.abs(whole.samples - arrays["peer_audio_offline_s4_c8"]).max() < PEER_DISTANCE
    # With so little context the difference to the exact decode is heard, so this can fail.
    assert np.abs(run.samples - arrays["ref_audio_full"]).max() > 10 * PEER_DISTANCE


def test_held_frames_are_told(speak: Any) -> None:
    run = speak("tiny-f32", **STREAMS["s3_h5_c64"])
    assert [c.held_frames for c in run.chunks] == [5, 5, 5, 5, 5, 5, 5, 0]


@pytest.mark.parametrize(
    ("options", "plan"),
    [
        (StreamOptions(), ("exact", 4, 0, 0, 1)),
        (StreamOptions(low_latency=True), ("exact", 1, 0, 0, 1)),
        (StreamOptions(stride=8, holdback=5, low_latency=True), ("exact", 8, 5, 0, 6)),
        (StreamOptions(context=99), ("exact", 4, 0, 0, 1)),
        (StreamOptions("windowed"), ("windowed", 4, 144, 144, 145)),
        (StreamOptions("windowed", low_latency=True), ("windowed", 1, 0, 144, 1)),
        (StreamOptions("windowed", context=8), ("windowed", 4, 8, 8, 9)),
        (StreamOptions("windowed", stride=8, holdback=3), ("windowed", 8, 3, 144, 8)),
    ],
)
def test_what_is_left_open_is_filled_in(options: StreamOptions, plan: tuple[Any, ...]) -> None:
    made = plan_stream(options, 128)
    got = (made.mode, made.stride, made.holdback, made.context, made.first_audio_frames)
    assert got == plan
