"""Plays the samples of a file through the live sink, as producers of different speed would.

Usage: live_script.py TAKE.npy fast|slow|burst. Prints the sink's figures as JSON.
"""

from __future__ import annotations

import json
import sys
import time

import numpy as np

from engine.audio.live_output import LiveSink

FRAME, RATE = 2048, 44100
FRAME_S = FRAME / RATE


def main() -> None:
    samples, plan = np.load(sys.argv[1]), sys.argv[2]
    said: list[str] = []
    sink = LiveSink(expected_s=len(samples) / RATE, say=said.append)
    sink.start(RATE)
    for number, start in enumerate(range(0, len(samples), FRAME)):
        if plan == "slow":
            time.sleep(1.6 * FRAME_S)
        elif plan == "burst":
            time.sleep(1.2 if number == 12 else 0.4 * FRAME_S)
        sink.write(samples[start : start + FRAME])
    sink.finish()
    print(json.dumps({**sink.figures(), "said": said}))


main()
