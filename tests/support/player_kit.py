"""A player whose time, sound card and take are moved by hand."""

from __future__ import annotations

import numpy as np
from studio_fakes import FRAME, RATE, Clock, FakeSoundDevice, FakeStream

from app.audio.devices import AudioDevices
from app.audio.player import Player, PlayState
from app.takes.store import TakeFormat, TakeStore
from engine.types import AudioChunk

BLOCK = 441


class Deck:
    """A player whose time, sound card and take are moved by hand."""

    def __init__(self, sound: FakeSoundDevice | None = None) -> None:
        self.clock = Clock()
        self.sound = sound or FakeSoundDevice()
        self.devices = AudioDevices(lambda: self.sound)
        self.player = Player(self.devices, self.clock)
        self.player.set_volume(100)
        self.states: list[PlayState] = []
        self.messages: list[str] = []
        self.waits: list[float] = []
        self.player.state_changed.connect(self.states.append)
        self.player.message.connect(self.messages.append)
        self.player.waiting.connect(self.waits.append)
        self.store = TakeStore(TakeFormat(RATE, FRAME, (4096,) + (1024,) * 9))

    @property
    def stream(self) -> FakeStream:
        return self.sound.streams[-1]

    def add(self, samples: np.ndarray) -> None:
        self.store.append(AudioChunk(self.store.length, samples.astype(np.float32), RATE))

    def run(self, seconds: float) -> None:
        """Let the sound card play for a while, the timer ticking along."""
        blocks = round(seconds * RATE / BLOCK)
        for _ in range(blocks):
            self.clock.now += BLOCK / RATE
            if self.sound.streams and self.stream.active:
                frames = round(BLOCK * self.stream.samplerate / RATE)
                self.stream.pump(frames)
            self.player.tick()

    def until_idle(self, limit: float = 60.0) -> None:
        end = self.clock.now + limit
        while self.player.state is not PlayState.IDLE and self.clock.now < end:
            self.run(0.1)
        assert self.player.state is PlayState.IDLE


def ramp(count: int, start: int = 0) -> np.ndarray:
    """Samples that are all different from zero and tell their place."""
    values = np.arange(start, start + count, dtype=np.float64)
    return ((values % 30011 + 1) / 40000).astype(np.float32)


def heard(stream: FakeStream) -> np.ndarray:
    """What was heard without the silence around and in gaps; ramps hold no zeros."""
    return stream.sound[stream.sound != 0]


def feed(deck: Deck, frames: int, at: int) -> int:
    deck.add(ramp(frames * FRAME, at))
    return at + frames * FRAME
