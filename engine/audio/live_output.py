"""Live sound for the command line: plays while the engine makes more.

The studio has a player of its own; this one is a plain sink. PortAudio is loaded when the
first sink starts, so everything else works on a machine without it.
"""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np

from engine.audio.resample import StreamResampler
from engine.audio.start_rule import SpeedMeter, cover
from engine.cancel import CancelToken
from engine.errors import DeviceError

BLOCK_S = 0.05
FADE_S = 0.01
STALL_S = 10.0
# PortAudio loses the first samples after a start and those of the last part of its buffer at a
# stop (measured with ALSA on PulseAudio: 15 ms and 47 ms); silence around the sound takes them.
LEAD_S = 0.05
TAIL_S = 0.1
Opener = Callable[[int], tuple[Any, int]]


def open_output(rate: int) -> tuple[Any, int]:
    """Open the default output in mono, at ``rate`` or, where it refuses, its own rate.

    Returns:
        A ``sounddevice.OutputStream`` that is not started, and its rate in Hz.

    Raises:
        DeviceError: no PortAudio, or no usable output.
    """
    try:
        import sounddevice as sd
    except OSError as error:
        raise DeviceError("play.no_portaudio") from error
    try:
        try:
            stream = sd.OutputStream(samplerate=rate, channels=1, dtype="float32")
        except sd.PortAudioError:
            rate = int(sd.query_devices(kind="output")["default_samplerate"])
            stream = sd.OutputStream(samplerate=rate, channels=1, dtype="float32")
    except (sd.PortAudioError, ValueError) as error:
        raise DeviceError("play.failed", reason=error) from error
    return stream, rate


class LiveSink:
    """Plays chunks in order on a thread of its own, each sample once.

    Playing starts when the sound that is ready covers what playing will outrun the making by,
    or the start buffer that was asked for. When it runs dry all the same, it waits once for
    more instead of stuttering. Losing the device ends the playing, not the generation.

    Args:
        start_buffer_ms: sound to have ready first; ``None`` decides by measured speed.
        expected_s: guess of the length of the whole.
        say: gets sentences for the user.
        cancel: ends :meth:`finish`, which otherwise waits for the last sample.
    """

    def __init__(
        self,
        start_buffer_ms: int | None = None,
        expected_s: float = 0.0,
        say: Callable[[str], None] = lambda _text: None,
        opener: Opener = open_output,
        cancel: CancelToken | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._wish_s = None if start_buffer_ms is None else start_buffer_ms / 1e3
        self._expected_s, self._say, self._opener = expected_s, say, opener
        self._cancel, self._clock = cancel or CancelToken(), clock
        self._changed = threading.Condition()
        self._ready: deque[np.ndarray] = deque()
        self._ready_samples = self._made_samples = 0
        self._ended = self._stopped = self._lost = self._told = False
        self._meter = SpeedMeter()
        self._underruns = 0
        self._low_water: int | None = None
        self._alive_at = 0.0

    def start(self, rate: int) -> None:
        """Open the device. Raises :class:`DeviceError`."""
        self._rate = rate
        self._stream, self._device_rate = self._opener(rate)
        self._resampler = StreamResampler(rate, self._device_rate)
        self._thread = threading.Thread(target=self._run, name="live-sound", daemon=True)
        self._thread.start()

    def write(self, samples: np.ndarray) -> bool:
        """Queue float32 samples; always ``True``, for a lost device must not stop the work."""
        with self._changed:
            self._made_samples += len(samples)
            self._meter.note(self._made_samples / self._rate, self._clock())
            if not self._lost:
                block = max(1, int(BLOCK_S * self._rate))
                self._ready.extend(samples[i : i + block] for i in range(0, len(samples), block))
                self._ready_samples += len(samples)
            self._changed.notify_all()
        return True

    def finish(self) -> None:
        """Play everything to its last sample, then close the device; a cancel cuts it short."""
        with self._changed:
            self._ended = True
            self._alive_at = self._clock()
            self._changed.notify_all()
        while self._thread.is_alive():
            self._thread.join(0.1)
            if self._cancel.cancelled:
                self.abort()
                return
            if self._clock() - self._alive_at > STALL_S:
                self._say("the sound output does not answer; the rest is not played")
                return
        self._close()

    def abort(self) -> None:
        """Fade out within a block, fall silent and close the device."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()
        self._thread.join(STALL_S)
        if not self._thread.is_alive():
            self._close()

    def figures(self) -> dict[str, float | None]:
        """``underruns``, and ``buffer_low_water_ms`` while more was still being made."""
        low = None if self._low_water is None else 1e3 * self._low_water / self._rate
        return {"underruns": self._underruns, "buffer_low_water_ms": low}

    def _run(self) -> None:
        try:
            while self._wait_for_cover():
                self._stream.start()
                self._put_silence(LEAD_S)
                self._play_until_dry()
                self._put_silence(TAIL_S + self._stream.latency)
                self._stream.stop()
        except Exception as error:  # PortAudio's own error type exists only when it is loaded
            with self._changed:
                self._lost = True
                self._ready.clear()
            self._say(f"the sound output was lost ({error}); the rest is made without sound")

    def _wait_for_cover(self) -> bool:
        """Wait until playing may begin or go on; false when there is nothing more to play."""
        with self._changed:
            self._told = False
            self._changed.wait_for(lambda: self._stopped or self._ended or self._covered())
            return not self._stopped and bool(self._ready)

    def _covered(self) -> bool:
        if not self._ready:
            return False
        verdict = cover(
            buffered_s=self._ready_samples / self._rate,
            made_s=self._made_samples / self._rate,
            expected_s=self._expected_s,
            speed=self._meter.speed(self._clock()),
            start_buffer_s=self._wish_s,
            underruns=self._underruns,
        )
        if not verdict.start and not self._told and math.isfinite(verdict.wait_s):
            self._told = True
            self._say(f"playing starts in about {max(1.0, verdict.wait_s):.0f} s")
        return verdict.start

    def _play_until_dry(self) -> None:
        """Play block after block; count it when more was to come and nothing was there."""
        while (block := self._next()) is not None:
            if self._put(self._resampler.push(block)):
                self._underruns += 1
        with self._changed:
            ended, stopped = self._ended, self._stopped
        if ended and not stopped:
            self._put(self._resampler.flush())
        elif not stopped:
            self._underruns += 1
            self._say("the sound ran dry and waits for more")

    def _next(self) -> np.ndarray | None:
        with self._changed:
            self._alive_at = self._clock()
            if not self._ready:
                return None
            block = self._ready.popleft()
            self._ready_samples -= len(block)
            if not self._ended:
                low = self._low_water
                self._low_water = (
                    self._ready_samples if low is None else min(low, self._ready_samples)
                )
            if self._stopped:
                self._ready.clear()
                block = block[: int(FADE_S * self._rate)]
                return block * np.linspace(1, 0, len(block), dtype=np.float32)
            return block

    def _put(self, samples: np.ndarray) -> bool:
        if not len(samples):
            return False
        return bool(self._stream.write(np.ascontiguousarray(samples, np.float32)[:, None]))

    def _put_silence(self, seconds: float) -> None:
        """Silence around the sound; whether it comes in time is of no interest."""
        self._put(np.zeros(int(seconds * self._device_rate), np.float32))

    def _close(self) -> None:
        try:
            self._stream.close()
        except Exception as error:  # a lost device may refuse to close; nothing depends on it
            self._say(f"the sound output did not close cleanly ({error})")
