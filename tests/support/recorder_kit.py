"""A recorder whose microphone and time are moved by hand."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any

import numpy as np
from studio_fakes import Clock, FakePortAudioError, FakeSoundDevice

from app.audio.devices import AudioDevices
from app.audio.input_callback import Level
from app.audio.recorder import Recorder, RecordState
from engine.audio.clip import AudioClip

RATE = 48000
BLOCK = 480


class FakeInputStream:
    """An input stream whose callback the test feeds."""

    def __init__(self, module: FakeMicrophones, **settings: Any) -> None:
        self.module = module
        self.settings = settings
        self.samplerate = float(settings["samplerate"])
        self.channels = int(settings["channels"])
        self.callback = settings["callback"]
        self.latency = 0.05
        self.active = False
        self.closed = False
        self.broken = False

    def start(self) -> None:
        if self.module.start_error is not None:
            raise self.module.start_error
        self.active = True

    def abort(self) -> None:
        self.active = False

    def close(self) -> None:
        if self.module.hang_on_close is not None:
            self.module.hang_on_close.wait(20)
        self.closed = True

    def feed(self, block: np.ndarray, overflow: bool = False) -> None:
        """Deliver one block, as PortAudio would, in a buffer that is used again."""
        data = np.array(block, np.float32).reshape(-1, self.channels)
        status = SimpleNamespace(input_overflow=True) if overflow else None
        self.callback(data, len(data), None, status)
        data.fill(9.0)


class FakeMicrophones(FakeSoundDevice):
    """A module with the part of sounddevice that the recorder uses."""

    def __init__(self, inputs: list[tuple[str, int, int]] | None = None) -> None:
        super().__init__()
        for name, rate, channels in inputs if inputs is not None else [("Mic", RATE, 1)]:
            self.devices.append(microphone(name, rate, channels))
        self.accepts_input = lambda device, rate, channels: True
        self.input_streams: list[FakeInputStream] = []
        self.hang_on_close: threading.Event | None = None

    def query_devices(self, kind: str | None = None) -> Any:
        if kind != "input":
            return super().query_devices(kind)
        found = [d for d in self.devices if d.get("max_input_channels")]
        if not found:
            raise FakePortAudioError("no default device")
        return found[0]

    def check_input_settings(self, **settings: Any) -> None:
        device, rate = settings["device"], int(settings["samplerate"])
        if not self.accepts_input(device, rate, int(settings["channels"])):
            raise FakePortAudioError("Invalid sample rate")

    def InputStream(self, **settings: Any) -> FakeInputStream:
        stream = FakeInputStream(self, **settings)
        self.input_streams.append(stream)
        return stream


def microphone(name: str, rate: int, channels: int = 1) -> dict[str, Any]:
    """A device with inputs only."""
    return {
        "name": name, "hostapi": 0, "max_output_channels": 0,
        "max_input_channels": channels, "default_samplerate": float(rate),
    }  # fmt: skip


class Booth:
    """A recorder, and everything that it said."""

    def __init__(self, sound: FakeMicrophones | None = None) -> None:
        self.clock = Clock()
        self.sound = sound or FakeMicrophones()
        self.devices = AudioDevices(lambda: self.sound)
        self.recorder = Recorder(self.devices, self.clock)
        self.recorder._timer.setInterval(1_000_000)
        self.states: list[RecordState] = []
        self.levels: list[Level] = []
        self.blocks: list[np.ndarray] = []
        self.clips: list[AudioClip] = []
        self.refusals: list[str] = []
        self.messages: list[str] = []
        self.access: list[bool] = []
        self.recorder.state_changed.connect(self.states.append)
        self.recorder.level_changed.connect(self.levels.append)
        self.recorder.captured.connect(self.blocks.append)
        self.recorder.finished.connect(self.clips.append)
        self.recorder.refused.connect(self.refusals.append)
        self.recorder.message.connect(self.messages.append)
        self.recorder.no_access_changed.connect(self.access.append)

    @property
    def stream(self) -> FakeInputStream:
        return self.sound.input_streams[-1]

    def hear(self, samples: np.ndarray, *, overflow_every: int = 0) -> None:
        """Let samples come in block by block, the timer ticking along."""
        stream = self.stream
        for number, at in enumerate(range(0, len(samples), BLOCK)):
            block = samples[at : at + BLOCK]
            self.clock.now += len(block) / stream.samplerate
            if stream.active:
                stream.feed(block, bool(overflow_every) and number % overflow_every == 0)
            if number % 3 == 0:
                self.recorder.tick()
        self.recorder.tick()

    def wait(self, seconds: float) -> None:
        """Time goes by, and no sound comes."""
        for _ in range(round(seconds / 0.03)):
            self.clock.now += 0.03
            self.recorder.tick()


def voice(seconds: float, rate: int = RATE, level: float = 0.3, channels: int = 1) -> np.ndarray:
    """Noise without a zero in it, float32 ``(n, channels)``."""
    rng = np.random.default_rng(int(seconds * 1000))
    shape = (round(seconds * rate), channels)
    return (rng.uniform(0.01, level, shape) * rng.choice([-1, 1], shape)).astype(np.float32)
