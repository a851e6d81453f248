"""Stand-ins for the engine and for sounddevice, driven by the tests."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

import numpy as np

from app.inference.jobs import LoadOptions
from engine.cancel import CancelToken
from engine.errors import EngineError
from engine.types import (
    AudioChunk,
    Event,
    FrameCodes,
    Metrics,
    ModelInfo,
    Progress,
    Summary,
    SynthesisRequest,
)
from engine.voices import VoiceProfile

RATE = 44100
FRAME = 2048
CODEBOOKS = 10


def model_info(path: str = "fake.gguf", **changes: Any) -> ModelInfo:
    """A model of S2 Pro's sizes."""
    values: dict[str, Any] = {
        "path": path, "name": "Fake S2", "file_bytes": 1, "sample_rate": RATE,
        "samples_per_frame": FRAME, "num_codebooks": CODEBOOKS, "semantic_size": 4096,
        "residual_size": 1024, "context_length": 32768, "ar_parameters": 1,
        "codec_parameters": 1, "types": {"Q4_K": 1}, "memory_bytes": 1, "codebook_size": 4096,
        "codec_window": 128,
    }  # fmt: skip
    return ModelInfo(**{**values, **changes})


def frame_samples(index: int, seed: int) -> np.ndarray:
    """Samples that tell which take and which place they come from."""
    start = index * FRAME
    ramp = np.arange(start, start + FRAME, dtype=np.float32)
    return ((ramp % 20011) / 40022 * (1 if seed % 2 else -1) + (seed % 7) / 100).astype(np.float32)


@dataclass
class FakeEngine:
    """An engine that yields frames by a time table.

    Attributes:
        frames: frames of each synthesis.
        wait: called before each frame with its index; may block.
        prefill_wait: called once before the first frame.
        fail_at: frame before which an error is raised.
    """

    frames: int = 20
    wait: Callable[[int, CancelToken], None] = lambda index, cancel: None
    prefill_wait: Callable[[CancelToken], None] = lambda cancel: None
    fail_at: int | None = None
    error: EngineError | None = None
    finish_reason: str = "end"
    info: ModelInfo = field(default_factory=model_info)
    requests: list[SynthesisRequest] = field(default_factory=list)
    encoded: list[tuple[Any, str]] = field(default_factory=list)
    open_draws: int = -1
    closed: bool = False
    warmed: list[tuple[VoiceProfile, ...]] = field(default_factory=list)
    warm_wait: Callable[[CancelToken], None] = lambda cancel: None

    def synthesize(
        self, request: SynthesisRequest, cancel: CancelToken | None = None
    ) -> Iterator[Event]:
        token = cancel or CancelToken()
        self.requests.append(request)
        seed = request.sampling.seed or 0
        rng = np.random.default_rng(seed)
        codes = rng.integers(0, 1024, (CODEBOOKS, self.frames)).astype(np.int32)
        yield Progress("prefill", 1, 2)
        self.prefill_wait(token)
        made = 0
        for index in range(self.frames):
            self.wait(index, token)
            if token.cancelled:
                break
            if self.fail_at == index and self.error is not None:
                raise self.error
            yield FrameCodes(index, codes[:, index])
            yield Progress("generate", index + 1, self.frames, "frames")
            yield AudioChunk(index * FRAME, frame_samples(index, seed), RATE)
            made += 1
        reason = "cancelled" if token.cancelled else self.finish_reason
        metrics = Metrics(frames=made, audio_s=made * FRAME / RATE, total_rtf=0.5, ttfa_ms=120.0)
        metrics = replace(metrics, open_draws=self.open_draws)
        yield Summary(codes[:, :made], reason, seed, metrics)  # type: ignore[arg-type]

    def synthesize_many(
        self, requests: Any, cancels: Any = None
    ) -> Iterator[tuple[int, Event | EngineError]]:
        """A step of each in turn, as streams that share passes; no one waits for another."""
        tokens = cancels or [CancelToken() for _ in requests]
        pairs = enumerate(zip(requests, tokens, strict=True))
        live = {index: self.synthesize(*pair) for index, pair in pairs}
        while live:
            for index, events in list(live.items()):
                try:
                    yield index, next(events)
                except StopIteration:
                    del live[index]
                except EngineError as error:
                    del live[index]
                    yield index, error

    def warm_up(
        self, voices: tuple[VoiceProfile, ...] = (), cancel: CancelToken | None = None
    ) -> Iterator[Event]:
        """Counts; ``warm_wait`` may block."""
        self.warmed.append(voices)
        yield Progress("prefill", 1, 2)
        self.warm_wait(cancel or CancelToken())

    def decode(self, codes: np.ndarray, **_: Any) -> np.ndarray:
        return np.full(codes.shape[1] * FRAME, 0.25, np.float32)

    def encode_reference(
        self,
        audio: Any,
        transcript: str,
        *,
        cancel: CancelToken | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> VoiceProfile:
        """Codes that tell how long the clip is; ``wait`` is called before each frame."""
        token = cancel or CancelToken()
        self.encoded.append((audio, transcript))
        frames = max(1, round(audio.seconds * RATE / FRAME))
        for index in range(frames):
            self.wait(index, token)
            token.raise_if_cancelled()
            if on_progress is not None:
                on_progress(Progress("encode", index + 1, frames, "frames"))
        if self.error is not None:
            raise self.error
        books, size = self.info.num_codebooks, self.info.codebook_size
        codes = np.arange(books * frames).reshape(books, frames) % min(1000, size)
        rate = self.info.sample_rate
        return VoiceProfile(transcript.strip(), codes.astype(np.int32), rate, size)

    def close(self) -> None:
        self.closed = True


def pace(seconds: float) -> Callable[[int, CancelToken], None]:
    """A frame each ``seconds``, as a real engine would; ends early when cancelled."""

    def wait(index: int, cancel: CancelToken) -> None:
        cancel._event.wait(seconds)

    return wait


class FakeLoader:
    """Loads fake engines; can be told to block or to fail."""

    def __init__(self, engine: FakeEngine | None = None) -> None:
        self.engine = engine or FakeEngine()
        self.options: list[LoadOptions] = []
        self.error: EngineError | None = None
        self.gate: threading.Event | None = None
        self.deaf = False

    def __call__(
        self, options: LoadOptions, progress: Callable[[Progress], None], cancel: CancelToken
    ) -> FakeEngine:
        self.options.append(options)
        progress(Progress("load", 1, 4))
        while self.gate is not None and not self.gate.wait(0.005):
            if not self.deaf:
                cancel.raise_if_cancelled()
        if self.error is not None:
            raise self.error
        return self.engine


class FakePortAudioError(Exception):
    """Stands for sounddevice.PortAudioError."""


class FakeStream:
    """An output stream whose callback the test pumps."""

    def __init__(self, module: FakeSoundDevice, **settings: Any) -> None:
        self.module = module
        self.settings = settings
        self.samplerate = float(settings["samplerate"])
        self.channels = int(settings["channels"])
        self.callback = settings["callback"]
        self.latency = module.latency
        self.active = False
        self.aborted = False
        self.closed = False
        self.heard: list[np.ndarray] = []

    def start(self) -> None:
        if self.module.start_error is not None:
            raise self.module.start_error
        self.active = True

    def abort(self) -> None:
        self.active = False
        self.aborted = True

    def close(self) -> None:
        if self.module.hang_on_close is not None:
            self.module.hang_on_close.wait(20)
        self.active = False
        self.closed = True

    def pump(self, frames: int, underflow: bool = False) -> np.ndarray:
        """Run the callback once, as PortAudio would; returns the first channel."""
        out = np.full((frames, self.channels), 9.0, np.float32)
        status = SimpleNamespace(output_underflow=True) if underflow else None
        self.callback(out, frames, None, status)
        assert np.array_equal(out, np.repeat(out[:, :1], self.channels, axis=1))
        self.heard.append(out[:, 0].copy())
        return out[:, 0]

    @property
    def sound(self) -> np.ndarray:
        """Everything that was heard."""
        return np.concatenate(self.heard) if self.heard else np.zeros(0, np.float32)


class FakeSoundDevice:
    """A module with the part of sounddevice that the studio uses."""

    PortAudioError = FakePortAudioError

    def __init__(self, devices: list[tuple[str, int]] | None = None) -> None:
        names = devices if devices is not None else [("Speakers", RATE), ("Headset", 48000)]
        self.devices = [self.device(name, rate) for name, rate in names]
        self.accepts: Callable[[int, int], bool] = lambda rate, channels: True
        self.streams: list[FakeStream] = []
        self.latency = 0.05
        self.start_error: Exception | None = None
        self.hang_on_close: threading.Event | None = None
        self.initialized = 0
        self.terminated = 0

    @staticmethod
    def device(name: str, rate: int, outputs: int = 2) -> dict[str, Any]:
        return {
            "name": name, "hostapi": 0, "max_output_channels": outputs,
            "default_samplerate": float(rate),
        }  # fmt: skip

    def query_hostapis(self) -> list[dict[str, Any]]:
        return [{"name": "ALSA"}]

    def query_devices(self, kind: str | None = None) -> Any:
        if kind is None:
            return self.devices
        if not self.devices:
            raise self.PortAudioError("no default device")
        return self.devices[0]

    def check_output_settings(self, **settings: Any) -> None:
        if not self.accepts(int(settings["samplerate"]), int(settings["channels"])):
            raise self.PortAudioError("Invalid sample rate")

    def OutputStream(self, **settings: Any) -> FakeStream:
        stream = FakeStream(self, **settings)
        self.streams.append(stream)
        return stream

    def _terminate(self) -> None:
        self.terminated += 1

    def _initialize(self) -> None:
        self.initialized += 1


class Clock:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def wall() -> float:
    """The real clock."""
    return time.monotonic()
