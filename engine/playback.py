"""Live sound for the command line: plays while the engine makes more.

The studio has a player of its own; this one is a plain sink. PortAudio is loaded when the
first sink starts, so everything else works on a machine without it.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from engine.audio.resample import StreamResampler
from engine.errors import DeviceError

CUSHION_S = 0.25
QUEUE_CHUNKS = 10_000
CLOSE_WAIT_S = 10.0


def open_output(rate: int) -> tuple[Any, int]:
    """Open the default output in mono, at ``rate`` or, where it refuses, its own rate.

    Returns:
        A started ``sounddevice.OutputStream`` and its rate in Hz.

    Raises:
        DeviceError: no PortAudio, or no usable output.
    """
    try:
        import sounddevice as sd
    except OSError as error:
        raise DeviceError(
            "cannot play: PortAudio is not installed",
            "On Debian: apt-get install libportaudio2. Writing to a file works without it.",
        ) from error
    try:
        try:
            stream = sd.OutputStream(samplerate=rate, channels=1, dtype="float32")
        except sd.PortAudioError:
            rate = int(sd.query_devices(kind="output")["default_samplerate"])
            stream = sd.OutputStream(samplerate=rate, channels=1, dtype="float32")
        stream.start()
    except (sd.PortAudioError, ValueError) as error:
        raise DeviceError(
            f"cannot play: {error}", "Check the sound output, or leave --play out."
        ) from error
    return stream, rate


class LiveSink:
    """Plays chunks in order on a thread of its own, each sample once.

    Playback starts when the buffer covers the start buffer, or, without one, when at the
    measured speed of generation the sound should not run dry. Losing the device ends the
    playback, not the generation.

    Args:
        start_buffer_ms: sound to have ready first; ``None`` decides by measured speed.
        say: gets sentences for the user.
    """

    def __init__(
        self,
        start_buffer_ms: int | None = None,
        say: Callable[[str], None] = lambda _text: None,
        opener: Callable[[int], tuple[Any, int]] = open_output,
    ) -> None:
        self._start_ms, self._say, self._opener = start_buffer_ms, say, opener
        self._chunks: queue.Queue[np.ndarray | None] = queue.Queue(QUEUE_CHUNKS)
        self._thread: threading.Thread | None = None
        self._started = 0.0
        self._buffered_s = self._made_s = self._low_water_s = 0.0
        self._playing, self._lost, self._stop = False, False, threading.Event()
        self._underruns = 0

    def start(self, rate: int) -> None:
        """Open the device. Raises :class:`DeviceError`."""
        self._rate = rate
        self._stream, device_rate = self._opener(rate)
        self._resampler = StreamResampler(rate, device_rate) if device_rate != rate else None
        self._started = time.monotonic()
        self._ready: list[np.ndarray] = []

    def write(self, samples: np.ndarray) -> bool:
        """Queue float32 samples; always ``True``, for a lost device must not stop the work."""
        self._made_s += len(samples) / self._rate
        if self._playing:
            self._chunks.put(samples)
        else:
            self._ready.append(samples)
            if self._made_s >= self._needed_s():
                self._begin()
        return True

    def finish(self) -> None:
        """Play everything to its last sample, then close the device."""
        if not self._playing:
            self._begin()
        self._chunks.put(None)
        self._close(wait=None)

    def abort(self) -> None:
        """Fall silent at once and close the device."""
        self._stop.set()
        if self._playing:
            self._chunks.put(None)
        self._close(wait=CLOSE_WAIT_S)

    def figures(self) -> dict[str, float]:
        """``underruns`` counted by the device."""
        return {"underruns": self._underruns}

    def _needed_s(self) -> float:
        if self._start_ms is not None:
            return self._start_ms / 1000
        elapsed = time.monotonic() - self._started
        speed = self._made_s / elapsed if elapsed > 0 else 0.0
        # Faster than real time: a cushion. Slower: as much again as was made, scaled by
        # the shortfall, because the length of the whole is not known while it is made.
        return CUSHION_S if speed >= 1 else CUSHION_S + 4 * (1 - speed)

    def _begin(self) -> None:
        self._playing = True
        for samples in self._ready:
            self._chunks.put(samples)
        self._ready.clear()
        self._thread = threading.Thread(target=self._play, name="live-sound", daemon=True)
        self._thread.start()

    def _play(self) -> None:
        while (samples := self._chunks.get()) is not None and not self._stop.is_set():
            self._put(samples if self._resampler is None else self._resampler.push(samples))
        if self._resampler is not None and not self._stop.is_set():
            self._put(self._resampler.flush())

    def _put(self, samples: np.ndarray) -> None:
        if self._lost or not len(samples):
            return
        try:
            if self._stream.write(np.ascontiguousarray(samples, np.float32)[:, None]):
                self._underruns += 1
        except Exception as error:  # PortAudio's own error type exists only when it is loaded
            self._lost = True
            self._say(f"the sound output was lost ({error}); the rest is made without sound")

    def _close(self, wait: float | None) -> None:
        if self._thread is not None:
            self._thread.join(wait)
        try:
            if self._stop.is_set():
                self._stream.abort()
            else:
                self._stream.stop()
            self._stream.close()
        except Exception as error:  # a lost device may refuse to close; nothing depends on it
            self._say(f"the sound output did not close cleanly ({error})")
