"""A studio with a microphone that is fed by hand, and sounds that look like speech."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from recorder_kit import BLOCK, RATE, FakeMicrophones
from studio_bench import Bench

from app.cloning.feature import Cloning
from app.cloning.transcriber import Availability, TranscribeProgress
from app.core import settings as keys
from engine.audio.clip import AudioClip
from engine.audio.reference_checks import Check
from engine.audio.wav import write_wav
from engine.transcription import TranscribeError, Transcript


class MicBench(Bench):
    """A bench with a microphone; the trash is a folder of the test."""

    def __init__(self, qtbot: QtBot, app: QApplication, root: Path) -> None:
        self.mics = FakeMicrophones()
        super().__init__(qtbot, app, root, self.mics)
        self.cloning = self.app.cloning
        self.app.settings.set(keys.CONSENT_ASKED, True)
        self.panel = self.window.reference
        self.flow = self.cloning.reference
        self.clip = self.panel.clip
        self.store = self.app.voice_controller._store
        self.recorder = self.cloning.recorder
        self.recorder._timer.setInterval(1_000_000)
        trash = self.trash = root / "trash"
        trash.mkdir()
        # Not a method of this bench: a circle of references would keep the whole window alive
        # until some later test's collection.
        self.store._trash = lambda path: path.replace(trash / path.name)

    def hear(self, samples: np.ndarray) -> None:
        """Let sound into the microphone, the timer ticking along."""
        stream = self.mics.input_streams[-1]
        for number, at in enumerate(range(0, len(samples), BLOCK)):
            stream.feed(samples[at : at + BLOCK])
            if number % 3 == 0:
                self.recorder.tick()
        self.recorder.tick()

    def settle(self) -> None:
        """Wait until the clip was read and measured."""
        self.until(lambda: self.flow.findings is not None and bool(self.panel.lights.checks))

    def record(self, samples: np.ndarray) -> None:
        """Record a clip from start to end."""
        before = self.clip.source
        self.panel.record.click()
        self.hear(samples)
        self.panel.record.click()
        self.until(lambda: self.clip.source is not before)
        self.settle()

    def open(self, path: Path, samples: np.ndarray, text: str = "", rate: int = RATE) -> None:
        """Write a clip, with a text beside it, and open it."""
        write_wav(path, samples, rate)
        if text:
            path.with_suffix(".txt").write_text(text, encoding="utf-8")
        self.flow.open_file(path)
        self.until(lambda: self.clip.source is not None and self.clip.source.path == path)
        self.settle()

    def check(self, key: str) -> Check:
        """The check that is shown."""
        return next(c for c in self.panel.lights.checks if c.key == key)


class FakeTranscriber(QObject):
    """A transcriber that the test makes speak."""

    progressed = Signal(object)
    finished = Signal(object)
    failed = Signal(object)
    cancelled = Signal()
    heard = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.ready = Availability(True)
        self.clips: list[tuple[AudioClip, str | None]] = []
        self.busy = False
        self.words: list[str] = []
        self.model_folder: Path | None = None

    def availability(self) -> Availability:
        return self.ready

    def start(
        self, clip: AudioClip, language: str | None = None, words: Sequence[str] = ()
    ) -> bool:
        if words:
            self.words = list(words)
        else:
            self.clips.append((clip, language))
        self.busy = True
        self.progressed.emit(TranscribeProgress(0.0, 0.0))
        return True

    def answer(self, text: str, language: str = "en") -> None:
        self.busy = False
        self.finished.emit(Transcript(text, language, 1.0))

    def fail(self) -> None:
        self.busy = False
        self.failed.emit(TranscribeError("no speech was found", "Type it."))

    def cancel(self) -> None:
        if self.busy:
            self.busy = False
            self.cancelled.emit()

    def close(self) -> None:
        self.busy = False


def use(mic: MicBench, transcriber: FakeTranscriber) -> Cloning:
    """Put a stand-in in the place of the transcriber."""
    flow = mic.cloning.transcript
    flow.transcriber = transcriber
    mic.cloning.transcriber = transcriber
    transcriber.progressed.connect(flow._on_progress)
    transcriber.finished.connect(flow._on_finished)
    transcriber.failed.connect(flow._on_failed)
    transcriber.cancelled.connect(flow._on_end)
    transcriber.heard.connect(flow._on_heard)
    mic.panel.transcript.cancel_requested.connect(transcriber.cancel)
    return mic.cloning


def speech(seconds: float, rate: int = RATE, level: float = 0.3) -> np.ndarray:
    """Syllables of a buzzing voice over a low hiss, float32 ``(n,)``; ends in a pause."""
    t = np.arange(round(seconds * rate)) / rate
    rng = np.random.default_rng(3)
    voice = sum(
        np.sin(2 * np.pi * f * t + rng.uniform(0, 6)) / (1 + i / 3)
        for i, f in enumerate(range(140, 9000, 140))
    )
    beat = np.clip(np.sin(2 * np.pi * 2.0 * t), 0, 1) ** 0.7
    sound = voice / np.abs(voice).max() * beat * level + rng.normal(0, 0.0005, len(t))
    return sound.astype(np.float32)


def text_for(seconds: float) -> str:
    """As many words as are said in that time."""
    return ("The morning train was late again today. " * 40)[: int(seconds * 16)].strip() + "."
