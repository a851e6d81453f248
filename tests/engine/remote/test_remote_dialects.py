"""Each kind of server gets requests as its documents have them, and its sound arrives whole."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from remote_docs import clip_of
from remote_kit import PIECE, PIECES, RATE, Fake, faking, tone

from engine.audio.files import read_audio
from engine.audio.wav import to_pcm16
from engine.errors import EngineError, RequestError, VoiceError
from engine.remote import Recording, RemoteEngine, RemoteOptions, RemoteRequest
from engine.types import AudioChunk, Sampling, Segmentation, SegmentStart, Summary

KINDS = [("vllm", False), ("vllm", True), ("sglang", False), ("sglang", True), ("fish", False)]


def speak(fake: Fake, text: str = "Hello there.", **options: Any) -> tuple[np.ndarray, list[Any]]:
    """All samples and all events of one synthesis."""
    engine = RemoteEngine.connect(RemoteOptions(fake.url))
    events = list(engine.synthesize(RemoteRequest(text, **options)))
    chunks = [event for event in events if isinstance(event, AudioChunk)]
    position = 0
    for chunk in chunks:
        assert chunk.start == position
        position += len(chunk.samples)
    return np.concatenate([chunk.samples for chunk in chunks]), events


def recording() -> Recording:
    return Recording(tone(1), RATE, "What is said.")


@pytest.mark.parametrize(("kind", "old"), KINDS)
def test_sound_arrives_sample_for_sample(kind: str, old: bool) -> None:
    with faking(kind, old=old) as fake:
        samples, events = speak(fake)
    np.testing.assert_array_equal(to_pcm16(samples), to_pcm16(tone()))
    assert len([e for e in events if isinstance(e, AudioChunk)]) >= PIECES - 1
    summary = events[-1]
    assert isinstance(summary, Summary)
    assert summary.codes.shape == (0, 0)
    assert summary.metrics.audio_s == pytest.approx(PIECES * PIECE / RATE)
    assert summary.metrics.ttfa_ms > 0


@pytest.mark.parametrize(("kind", "old"), KINDS)
def test_a_recording_and_its_transcript_go_along(kind: str, old: bool) -> None:
    with faking(kind, old=old) as fake:
        speak(fake, recording=recording())
    (sent,) = fake.requests
    if kind == "vllm":
        clip, text = clip_of(sent["ref_audio"]), sent["ref_text"]
    elif kind == "sglang":
        clip, text = clip_of(sent["references"][0]["audio_path"]), sent["references"][0]["text"]
    else:
        clip, text = sent["references"][0]["audio"], sent["references"][0]["text"]
    assert text == "What is said."
    assert clip == recording().wav()


def test_the_recording_can_be_read_as_a_file(tmp_path: Any) -> None:
    path = tmp_path / "clip.wav"
    path.write_bytes(recording().wav())
    clip = read_audio(path)
    assert (clip.rate, len(clip.samples)) == (RATE, PIECE)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("vllm", {"max_new_tokens": 77}),
        ("sglang", {"max_new_tokens": 77, "temperature": 0.5, "top_p": 0.9, "top_k": -1}),
        ("fish", {"max_new_tokens": 77, "temperature": 0.5, "top_p": 0.9, "seed": 5}),
        ("openai", {}),
    ],
)
def test_only_documented_options_are_sent(kind: str, expected: dict[str, Any]) -> None:
    sampling = Sampling(0.5, 0.9, 0, 77, 3, seed=5)
    with faking(kind) as fake:
        speak(fake, sampling=sampling)
    (sent,) = fake.requests
    names = ("temperature", "top_p", "top_k", "max_new_tokens", "min_tokens_before_end", "seed")
    assert {name: sent[name] for name in names if name in sent} == expected


def test_a_schema_adds_the_seed() -> None:
    with faking("vllm", declared=("seed", "temperature")) as fake:
        engine = RemoteEngine.connect(RemoteOptions(fake.url))
        assert engine.capabilities.seed
        speak(fake, sampling=Sampling(seed=5))
    assert (fake.requests[0]["seed"], fake.requests[0]["temperature"]) == (5, 0.8)
    assert "top_p" not in fake.requests[0]


def test_a_server_without_seed_says_so() -> None:
    with faking("vllm") as fake:
        can = RemoteEngine.connect(RemoteOptions(fake.url)).capabilities
    assert not can.seed
    assert "not: seed" in can.describe()
    assert "codes" in can.describe().partition("not:")[2]


def test_an_unknown_model_is_not_streamed_raw() -> None:
    """Raw samples do not tell their rate, so a WAV in one piece is asked for."""
    with faking("vllm", model="Qwen/Qwen3-TTS", rate=24_000) as fake:
        samples, _ = speak(fake)
    assert "stream" not in fake.requests[0]
    assert fake.requests[0]["response_format"] == "wav"
    assert len(samples) == pytest.approx(PIECES * PIECE * 44_100 / 24_000, abs=2)


def test_another_rate_that_is_told_is_converted() -> None:
    with faking("sglang", rate=22_050) as fake:
        samples, events = speak(fake)
    assert len(samples) == 2 * PIECES * PIECE
    assert {e.sample_rate for e in events if isinstance(e, AudioChunk)} == {44_100}


def test_voices_of_the_server() -> None:
    with faking("fish") as fake:
        engine = RemoteEngine.connect(RemoteOptions(fake.url))
        assert engine.capabilities.voices == ("alice", "bob")
        speak(fake, voice="bob")
        speak(fake)
    assert fake.requests[0]["reference_id"] == "bob"
    assert "reference_id" not in fake.requests[1]


def test_an_openai_server_gets_what_openai_documents() -> None:
    with faking("openai", model="tts-1") as fake:
        speak(fake)
    sent = {"model": "tts-1", "input": "Hello there.", "voice": "alloy", "response_format": "wav"}
    assert fake.requests == [sent]


def test_pieces_are_spoken_one_by_one_with_pauses() -> None:
    text = "One sentence. And another one. And the third."
    with faking("fish") as fake:
        cut = Segmentation(sentences=True, pause_ms=100)
        samples, events = speak(fake, text, segmentation=cut, sampling=Sampling(seed=7))
    assert [sent["text"] for sent in fake.requests] == [
        "One sentence.", "And another one.", "And the third.",
    ]  # fmt: skip
    assert [sent["seed"] for sent in fake.requests] == [7, 8, 9]
    starts = [event.start for event in events if isinstance(event, SegmentStart)]
    assert starts[0] == 0
    assert len(starts) == 3
    pause = samples[starts[1] - RATE // 10 : starts[1]]
    assert not pause.any()
    assert events[-1].metrics.segments == 3


def test_what_a_server_cannot_do_is_refused_before_it_is_asked() -> None:
    tries: list[tuple[str, type[EngineError], dict[str, Any]]] = [
        ("openai", VoiceError, {"recording": recording()}),
        ("sglang", RequestError, {"sampling": Sampling(top_k=50)}),
        ("fish", RequestError, {"sampling": Sampling(temperature=1.5)}),
        ("fish", RequestError, {"sampling": Sampling(top_p=0.05)}),
        ("fish", RequestError, {"text": "<|speaker:0|>Hi. <|speaker:1|>Ho."}),
        ("vllm", RequestError, {"text": " "}),
    ]
    for kind, expected, options in tries:
        with faking(kind) as fake:
            with pytest.raises(expected) as caught:
                speak(fake, **options)
            assert caught.value.advice
            assert not fake.requests, kind
