"""Closes the window in one state; run by a test in a process of its own.

Arguments: folder for settings, state: start, load, stuck, prefill, generate, play, dialog,
signal.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from pathlib import Path

from PySide6.QtCore import QTimer
from studio_fakes import FakeEngine, FakeLoader, FakeSoundDevice, pace

from app import startup
from app.application import Application, StartOptions, make_application
from app.audio.devices import AudioDevices
from app.audio.player import PlayState
from engine.errors import ModelFileError


def main() -> int:
    root, state = Path(sys.argv[1]), sys.argv[2]
    engine = FakeEngine(frames=100_000, wait=pace(0.002))
    loader = FakeLoader(engine)
    sound = FakeSoundDevice()
    reached = threading.Event()
    if state in ("load", "stuck"):
        loader.gate, loader.deaf = threading.Event(), state == "stuck"
    if state == "prefill":
        engine.prefill_wait = lambda cancel: (reached.set(), cancel._event.wait(20))[0]

    class Staged(Application):
        def __init__(self, app: object, options: StartOptions) -> None:
            super().__init__(
                app,
                options,
                loader=loader,
                devices=AudioDevices(lambda: sound),  # type: ignore[arg-type]
                find_demo=lambda: None,
            )
            self.poll = QTimer(self)
            self.poll.timeout.connect(self.step)
            self.poll.start(5)
            self.window.script.set_text("Unsent text.")
            if state == "play":
                engine.frames = 40

        def step(self) -> None:
            session = self.session
            if state == "dialog":
                self.messages.report(ModelFileError("broken"))
                self.finish()
            elif state in ("load", "stuck"):
                if loader.options:
                    self.finish()
            elif state == "start":
                self.finish()
            elif state == "signal":
                self.poll.stop()
                print("closing", flush=True)
                os.kill(os.getpid(), signal.SIGTERM)
            elif session.current.take is None:
                if session.can_generate:
                    self.scripts.generate()
            elif state == "prefill":
                if reached.is_set():
                    self.finish()
            elif state == "generate":
                if session.current.take.store.frames > 10:
                    self.finish()
            elif self.player.state is PlayState.PLAYING and session.current.take.store.complete:
                self.finish()

        def finish(self) -> None:
            self.poll.stop()
            print("closing", flush=True)
            self.window.close()

    startup.Application = Staged  # type: ignore[misc]
    make_application(["test"])
    model = None if state in ("start", "dialog", "signal") else Path("fake.gguf")
    return startup.run(["test"], StartOptions(model=model, data_root=root))


if __name__ == "__main__":
    sys.exit(main())
