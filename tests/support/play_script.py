"""Plays a take through the real sound system; run by tests in a process of its own.

Arguments: the take as .npy, and a plan: fast, slow, burst, pause or stop.
"""

from __future__ import annotations

import json
import sys

import numpy as np
from PySide6.QtCore import QCoreApplication, QElapsedTimer, QTimer

from app.audio.devices import AudioDevices
from app.audio.player import Player, PlayState
from app.takes.store import TakeFormat, TakeStore
from engine.types import AudioChunk

RATE, FRAME = 44100, 2048
PERIOD_MS = {"fast": 15, "slow": 80, "burst": 5, "pause": 15, "stop": 15}
BURST_AT, BURST_WAIT_MS = 10, 1200


def main() -> None:
    take, plan = np.load(sys.argv[1]), sys.argv[2]
    app = QCoreApplication(sys.argv)
    store = TakeStore(TakeFormat(RATE, FRAME, (4096,) + (1024,) * 9))
    store.expected = len(take)
    player = Player(AudioDevices())
    player.set_volume(100)
    said: list[str] = []
    pauses = [0]
    player.message.connect(said.append)

    def feed() -> None:
        """What is due by the clock, so that a loaded machine does not slow the plan down."""
        due = elapsed.elapsed() // PERIOD_MS[plan] + 1 if plan != "burst" else 0
        at = store.length
        if at < len(take):
            store.append(AudioChunk(at, take[at : at + FRAME], RATE))
            while store.length < min(due * FRAME, len(take)):
                at = store.length
                store.append(AudioChunk(at, take[at : at + FRAME], RATE))
            if plan == "burst" and store.length == BURST_AT * FRAME:
                timer.stop()
                QTimer.singleShot(BURST_WAIT_MS, timer.start)
        else:
            timer.stop()
            store.finish()

    def on_state(state: PlayState) -> None:
        if state is PlayState.IDLE:
            QTimer.singleShot(0, app.quit)

    def pause_or_resume() -> None:
        if player.state is PlayState.PLAYING and pauses[0] < 5:
            pauses[0] += 1
            player.pause()
        elif player.state is PlayState.PAUSED:
            player.resume()

    elapsed = QElapsedTimer()
    elapsed.start()
    timer = QTimer()
    timer.timeout.connect(feed)
    timer.start(PERIOD_MS[plan])
    other = QTimer()
    if plan == "pause":
        other.timeout.connect(pause_or_resume)
        other.start(130)
    if plan == "stop":
        player.position_changed.connect(lambda at: at > RATE // 2 and player.stop())
    if not player.start(store):
        print(json.dumps({"said": said}))
        sys.exit(1)
    player.state_changed.connect(on_state)
    QTimer.singleShot(25_000, app.quit)
    app.exec()
    end = QTimer()
    end.timeout.connect(lambda: player._core is None and app.quit())
    end.start(20)
    app.exec()
    figures = {
        "underruns": player.underruns,
        "late": player.device_underflows,
        "pauses": pauses[0],
        "position": player.position,
        "said": said,
    }
    print(json.dumps(figures))


main()
