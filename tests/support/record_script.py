"""Records through the real sound system; run by tests in a process of its own.

Arguments: where to save the samples as .npy, how long to record at most in seconds, and the
device key, empty for the system default. Says "recording" once samples come in, ends when
sound was heard and 0.3 s of silence after it, and prints a line of JSON.
"""

from __future__ import annotations

import json
import sys

import numpy as np
from PySide6.QtCore import QCoreApplication, QTimer

from app.audio.devices import AudioDevices
from app.audio.recorder import Recorder
from engine.audio.clip import AudioClip


def main() -> None:
    target, seconds, key = sys.argv[1], float(sys.argv[2]), sys.argv[3]
    app = QCoreApplication(sys.argv)
    devices = AudioDevices()
    recorder = Recorder(devices)
    recorder.device_key = key
    recorder.limit_s = seconds
    said: list[str] = []
    access: list[bool] = []
    recorder.message.connect(said.append)
    recorder.refused.connect(said.append)
    recorder.no_access_changed.connect(access.append)

    def keep(clip: AudioClip) -> None:
        np.save(target, clip.samples)
        facts = {
            "rate": clip.rate, "channels": clip.channels, "warnings": clip.warnings, "said": said,
            "access": access, "inputs": [device.key for device in devices.inputs()],
        }  # fmt: skip
        print(json.dumps(facts), flush=True)
        app.quit()

    def begun(block: np.ndarray) -> None:
        recorder.captured.disconnect(begun)
        print("recording", flush=True)

    heard = [False]

    def end_after_the_sound(block: np.ndarray) -> None:
        heard[0] = heard[0] or bool(block.any())
        if heard[0] and recorder._meter.zeros_s > 0.3:
            QTimer.singleShot(0, recorder.stop)

    recorder.captured.connect(end_after_the_sound)
    recorder.finished.connect(keep)
    recorder.refused.connect(lambda text: app.quit())
    recorder.captured.connect(begun)
    if recorder.record():
        QTimer.singleShot(30_000, app.quit)
        app.exec()
    recorder.disarm()
    if said:
        print(json.dumps(said), file=sys.stderr)


main()
