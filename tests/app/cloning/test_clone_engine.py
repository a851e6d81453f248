"""A voice made by the real engine with a tiny model, spoken with, heard and found again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cloning_kit import speech, text_for
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from recorder_kit import RATE
from studio_bench import put_away
from studio_fakes import FakeSoundDevice

from app.application import Application, StartOptions
from app.audio.devices import AudioDevices
from app.core import settings as keys
from engine.audio.wav import write_wav
from engine.voices import VoiceProfile


@pytest.fixture
def app(qapp: QApplication, tmp_path: Path) -> Iterator[Application]:
    sound = FakeSoundDevice()
    made = Application(qapp, StartOptions(data_root=tmp_path), devices=AudioDevices(lambda: sound))
    yield made
    assert made.service.shutdown(20_000)
    made.shutdown()
    put_away(made.window)


def test_clone_speak_and_hear(app: Application, qtbot: QtBot, models: Any, tmp_path: Path) -> None:
    def until(condition: Any) -> None:
        qtbot.waitUntil(condition, timeout=60_000)

    qtbot.addWidget(app.window)
    panel, cloning = app.window.reference, app.cloning
    app.models.open(models.path("tiny-f32"))
    until(lambda: app.session.can_generate)
    info = app.session.info
    assert info is not None
    write_wav(tmp_path / "Élan.wav", speech(5.5), RATE)
    (tmp_path / "Élan.txt").write_text(text_for(5.3), encoding="utf-8")
    cloning.reference.open_file(tmp_path / "Élan.wav")
    until(lambda: cloning.reference.findings is not None)
    panel.scissors.click()
    app.settings.set(keys.CONSENT_ASKED, True)
    panel.saving.save.click()
    until(lambda: app.window.voices.key == "Élan")
    path = app.voice_controller._store.library.path("Élan")
    profile = VoiceProfile.load(path)
    assert profile.to_bytes() == path.read_bytes()
    assert profile.transcript == text_for(5.3)
    seconds = cloning.reference.clip.seconds
    assert profile.frames == pytest.approx(seconds * info.frame_rate, abs=2)
    until(lambda: app.session.can_generate)
    app.window.engine.max_frames.setValue(6)
    app.window.script.set_text("Good evening.")
    app.scripts.generate()
    take = app.session.current.take
    assert take is not None
    assert take.origin.request.references == (profile,)
    assert take.origin.voice == "Élan"
    until(lambda: take.store.complete and app.session.can_generate)
    app.window.voices.hear_requested.emit("Élan")
    until(lambda: cloning.preview.token == "voice:Élan")
    heard = app.player.store
    assert heard is not None
    assert heard.length == profile.frames * info.samples_per_frame
    by_list = heard.samples.copy()
    panel.model.click()
    until(lambda: cloning.preview.token == "model")
    assert app.player.store is not None
    assert np.array_equal(app.player.store.samples, by_list), "the same codes, the same sound"
    app.player.abort()
