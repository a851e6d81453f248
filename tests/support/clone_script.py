"""Clones through the real sound system; run by tests in a process of its own.

Arguments: a folder for everything, and the length of the recording in seconds. Says
"recording" once samples come in, stops by itself, saves the voice with a stand-in for the
engine and prints a line of JSON.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
from PySide6.QtCore import QTimer
from studio_fakes import FakeEngine, FakeLoader

from app.application import Application, StartOptions, make_application
from app.audio.devices import AudioDevices
from app.core import settings as keys


def main() -> None:
    root, seconds = Path(sys.argv[1]), float(sys.argv[2])
    app = make_application(sys.argv[:1])
    engine = FakeEngine()
    made = Application(
        app, StartOptions(data_root=root), loader=FakeLoader(engine), devices=AudioDevices(),
        find_demo=lambda: None,
    )  # fmt: skip
    cloning, panel = made.cloning, made.window.reference
    facts: dict[str, object] = {}

    def begun(block: np.ndarray) -> None:
        cloning.recorder.captured.disconnect(begun)
        print("recording", flush=True)

    def stop_in_time(block: np.ndarray) -> None:
        if cloning.recorder.seconds >= seconds:
            QTimer.singleShot(0, made.window.actions_.stop.trigger)

    def save() -> None:
        if cloning.saving.busy or panel.saving.name.text() == "":
            return
        facts["lights"] = {c.key: c.light for c in panel.lights.checks}
        panel.transcript.editor.setPlainText("The morning train was late again today. " * 2)
        panel.saving.name.setText("Real")
        panel.saving.save.click()

    def saved(voice_id: str) -> None:
        clip, text = engine.encoded[-1]
        np.save(root / "clip.npy", clip.samples)
        facts.update(voice=voice_id, rate=clip.rate, text=text, chosen=made.window.voices.key)
        QTimer.singleShot(0, app.quit)

    cloning.recorder.captured.connect(stop_in_time)
    cloning.recorder.captured.connect(begun)
    cloning.reference.settled.connect(save)
    cloning.saving.saved.connect(saved)
    made.settings.set(keys.CONSENT_ASKED, True)
    made.show()
    made.models.open(Path("fake.gguf"))
    panel.record.click()
    QTimer.singleShot(40_000, app.quit)
    app.exec()
    facts["clean"] = made.shutdown()
    print(json.dumps(facts), flush=True)


main()
