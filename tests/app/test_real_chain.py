"""The whole chain on the real window with the real engine and a real sound server.

Said into a virtual microphone, recorded, written down, saved as a voice, spoken with, heard in a
null sink, exported, dropped on the window: the same take again.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cloning_kit import speech, text_for
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from sound_server import RATE, SoundServer, missing
from studio_bench import put_away

from app.application import Application, StartOptions
from app.audio.devices import AudioDevices
from app.audio.player import PlayState
from app.cloning.save_dialogs import ConsentDialog
from app.takes.export_dialog import ExportDialog
from app.takes.take import Take
from engine.audio.encode import ExportFormat
from engine.audio.wav import write_wav

SECONDS = 6.0
FRAMES = 24
LEAST_MATCH = 0.999
MODULES = (
    f"module-null-sink sink_name=mic rate={RATE} format=float32le channels=1",
    "module-remap-source source_name=microphone master=mic.monitor",
)

pytestmark = [
    pytest.mark.real,
    pytest.mark.xdist_group("sound"),
    pytest.mark.skipif(bool(missing()), reason=missing() or "sound server there"),
]


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SoundServer]:
    """A sound server with a loudspeaker and a microphone; this process uses it."""
    made = SoundServer(tmp_path / "pulse")
    for command in (*(f"load-module {m}" for m in MODULES), "set-default-source microphone"):
        control = ["pactl", *command.split()]
        subprocess.run(control, env=made.environment, check=True, capture_output=True)
    for name in ("XDG_RUNTIME_DIR", "PULSE_SERVER"):
        monkeypatch.setenv(name, made.environment[name])
    yield made
    made.close()


@pytest.fixture
def app(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path, server: SoundServer
) -> Iterator[Application]:
    devices = AudioDevices()
    devices.rescan()  # an earlier test may have asked PortAudio without this server
    made = Application(
        qapp, StartOptions(data_root=tmp_path / "user"), devices=devices, find_demo=lambda: None
    )
    qtbot.addWidget(made.window)
    made.show()
    yield made
    assert made.service.shutdown(20_000)
    assert made.shutdown()
    put_away(made.window)
    devices.rescan()


class User:
    """Does with mouse and keyboard what a person does, and waits as long."""

    def __init__(self, qtbot: QtBot, app: Application) -> None:
        self.qtbot, self.app, self.window = qtbot, app, app.window

    def until(self, condition: Callable[[], bool]) -> None:
        self.qtbot.waitUntil(condition, timeout=60_000)

    def click(self, button: QWidget) -> None:
        self.until(lambda: button.isVisible() and button.isEnabled())
        self.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)

    def record(self, server: SoundServer, said: Path) -> None:
        """Record what ``said`` holds, played into the microphone."""
        panel, recorder = self.window.reference, self.app.cloning.recorder
        self.click(panel.record)
        self.until(lambda: recorder.seconds > 0)
        command = ["paplay", "--device=mic", str(said)]
        player = subprocess.Popen(command, env=server.environment)
        self.until(lambda: player.poll() is not None)
        # What is on its way from the sound server comes in.
        self.until(lambda: recorder._meter.zeros_s > 0.2)
        self.click(panel.record)
        self.until(lambda: self.app.cloning.reference.findings is not None)

    def drop(self, path: Path) -> None:
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(path))])
        action, button = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
        plain = Qt.KeyboardModifier.NoModifier
        enter = QDragEnterEvent(QPoint(20, 20), action, data, button, plain)
        QApplication.sendEvent(self.window, enter)
        assert enter.isAccepted()
        assert self.window.overlay.isVisible()
        drop = QDropEvent(QPointF(20, 20), action, data, button, plain)
        QApplication.sendEvent(self.window, drop)


def match(heard: np.ndarray, samples: np.ndarray) -> float:
    """How alike two sounds are where they fit best, 1 for the same."""
    size = 1 << (len(heard) + len(samples)).bit_length()
    spectrum = np.fft.rfft(heard, size) * np.conj(np.fft.rfft(samples, size))
    start = int(np.argmax(np.fft.irfft(spectrum, size)[: len(heard)]))
    part = heard[start : start + len(samples)]
    part = np.pad(part, (0, len(samples) - len(part)))
    return float(part @ samples / (np.linalg.norm(part) * np.linalg.norm(samples)))


def test_from_a_microphone_to_a_take_and_back(
    app: Application, qtbot: QtBot, server: SoundServer, models: Any, tmp_path: Path
) -> None:
    user, window = User(qtbot, app), app.window
    app.models.open(models.path("tiny-f32"))
    user.until(lambda: app.session.can_generate)
    write_wav(tmp_path / "said.wav", speech(SECONDS, RATE), RATE, "FLOAT")

    user.record(server, tmp_path / "said.wav")
    clip = app.cloning.reference.clip
    assert clip.source is not None
    assert match(clip.source.mono, speech(SECONDS, RATE)) > LEAST_MATCH
    user.click(window.reference.scissors)
    qtbot.keyClicks(window.reference.transcript.editor, text_for(SECONDS - 0.5))
    window.reference.saving.name.clear()
    qtbot.keyClicks(window.reference.saving.name, "Anna")
    user.click(window.reference.saving.save)
    user.until(lambda: bool(window.findChildren(ConsentDialog)))
    (asked,) = window.findChildren(ConsentDialog)
    qtbot.keyClicks(asked.line, "My own voice")
    user.click(asked.first)
    user.until(lambda: window.voices.key == "Anna")

    take, heard = speak(user, server, "Good evening, harbour.")
    profile = app.voices.load("Anna")
    assert take.origin.request.references == (profile,)
    assert match(heard, take.store.samples) > LEAST_MATCH

    path = export(user, tmp_path / "out")
    change_everything(user)
    user.drop(path)
    user.until(lambda: app.session.current.take is not take and app.session.can_generate)
    back = app.session.current.take
    assert back is not None
    compare(user, take, back)


def speak(user: User, server: SoundServer, text: str) -> tuple[Take, np.ndarray]:
    """A take, and what was heard of it."""
    app, window = user.app, user.window
    window.take.transport.volume.setValue(100)
    window.engine.max_frames.setValue(FRAMES)
    window.engine.temperature.setValue(0.65)
    user.qtbot.keyClicks(window.script.editor, text)
    user.until(lambda: app.session.can_generate)
    recording = server.record()
    user.click(window.script.generate)
    take = app.session.current.take
    assert take is not None
    user.until(lambda: take.store.complete and app.session.can_generate)
    user.until(lambda: app.player.state is PlayState.IDLE)
    assert take.store.frames > 0
    return take, recording.finish()


def export(user: User, folder: Path) -> Path:
    folder.mkdir()
    user.window.actions_.export.trigger()
    dialog = user.window.findChild(ExportDialog)
    assert dialog is not None
    dialog.folder.setText(str(folder))
    dialog.format.setCurrentIndex(dialog.format.findData(ExportFormat.WAV_FLOAT.value))
    user.click(dialog.export_button)
    user.until(lambda: len(list(folder.glob("*.wav"))) == 1 and not user.app.tasks.busy)
    return next(folder.glob("*.wav"))


def change_everything(user: User) -> None:
    """So that what comes back is seen to come from the file."""
    window = user.window
    window.script.set_text("Something else.")
    window.voices.choose("")
    window.engine.temperature.setValue(1.1)
    window.engine.max_frames.setValue(300)
    window.actions_.new_seed.trigger()


def compare(user: User, take: Take, back: Take) -> None:
    window = user.window
    assert np.array_equal(back.store.codes, take.store.codes)
    assert np.allclose(back.store.samples, take.store.samples, atol=1e-5)
    assert back.origin.request.text == take.origin.request.text == window.script.text
    assert back.origin.seed == take.origin.seed == window.script.seed_value
    assert back.origin.request.sampling == take.origin.request.sampling
    assert back.origin.request.stream == take.origin.request.stream
    assert back.origin.voice_ids == take.origin.voice_ids == ("Anna",)
    assert window.voices.key == "Anna"
    assert window.engine.temperature.value() == pytest.approx(0.65)
    assert window.engine.max_frames.value() == FRAMES
