"""Plays sounds, finished ones and those that are still being made.

Lives in the GUI thread. A timer moves samples from the sound into the ring (several seconds
deep, so that a busy window does not starve the sound), reads the position and watches the
callback's age. PortAudio's thread only runs :class:`~app.audio.output_callback.OutputCallback`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from enum import Enum
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from app.audio.devices import AudioDevices, AudioUnavailableError, OpenStream, is_running
from app.audio.output_callback import OutputCallback
from app.audio.ring import RingBuffer
from app.audio.source import SampleSource
from engine.audio import Cover, SpeedMeter, cover

RING_S = 8.0
TICK_MS = 15
WATCHDOG_S = 1.5
MAX_FEED = 1 << 16


class PlayState(Enum):
    """What the player does."""

    IDLE = "idle"
    BUFFERING = "buffering"
    PLAYING = "playing"
    PAUSED = "paused"


def make_resampler(source: int, target: int) -> Any:
    """A stateful resampler, so that chunks join without a click."""
    from engine.audio import StreamResampler

    return StreamResampler(source, target)


class Player(QObject):
    """Plays one sound at a time.

    Attributes:
        state: see :class:`PlayState`.
        store: the sound being played, or the last one.
        loop: first and end sample that are played over and over, or ``None``.
        until: sample behind the last one that is played, when it is not the sound's last.
        position: absolute source sample that is heard now.
        underruns, low_water_s: of the current or last playing.

    Signals:
        state_changed(PlayState)
        position_changed(int): in source samples.
        waiting(float): guess of the seconds until the sound starts, infinite when unknown.
        message(str): a sentence for the user.
    """

    state_changed = Signal(object)
    position_changed = Signal(int)
    waiting = Signal(float)
    message = Signal(object)

    def __init__(
        self,
        devices: AudioDevices,
        clock: Callable[[], float] = time.monotonic,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.devices = devices
        self.device_key = ""
        self.start_buffer_s: float | None = None
        self.state = PlayState.IDLE
        self.store: SampleSource | None = None
        self.position = 0
        self.loop: tuple[int, int] | None = None
        self.until: int | None = None
        self._clock = clock
        self._volume = 0.8
        self._core: OutputCallback | None = None
        self._output: OpenStream | None = None
        self._figures: OutputCallback | None = None
        self._figures_rate = 1
        self._resampler: Any = None
        self._spill = np.zeros(0, np.float32)
        self._meter = SpeedMeter()
        self._cursor = 0
        self._opened_at = 0.0
        self._closing_at: float | None = None
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self.tick)

    @property
    def underruns(self) -> int:
        """Times the sound ran dry."""
        return self._figures.underruns if self._figures else 0

    @property
    def device_underflows(self) -> int:
        """Times the sound card reported that it got its samples too late."""
        return self._figures.device_underflows if self._figures else 0

    @property
    def low_water_s(self) -> float | None:
        """Smallest buffer while playing, in seconds; ``None`` before any was measured."""
        if self._figures is None or self._figures.low_water < 0:
            return None
        return self._figures.low_water / self._figures_rate

    @property
    def buffered_s(self) -> float:
        """Seconds at hand that were not heard."""
        if self.store is None:
            return 0.0
        return max(0, self.store.length - self.position) / self.store.rate

    def set_volume(self, percent: int) -> None:
        """0 to 100; squared, since loudness is not felt linearly."""
        self._volume = max(0, min(100, percent)) / 100
        if self._core is not None:
            self._core.gain = self._volume**2

    def start(self, store: SampleSource, position: int = 0, until: int | None = None) -> bool:
        """Play ``store`` from ``position`` on, to its end or :attr:`until` a sample; ``False``
        with a message when it cannot be."""
        self.abort()
        self.until = until
        rate = store.rate
        core = OutputCallback(rate, self._clock, self._volume**2)
        try:
            output = self.devices.open_output(self.device_key, rate, core)
        except AudioUnavailableError as error:
            self.message.emit(error.detail)
            return False
        if output.fell_back:
            self.message.emit(
                self.tr("The chosen sound output is not there; the system default plays.")
            )
        self.store, self._core, self._output = store, core, output
        self._figures, self._figures_rate = core, output.rate
        self._meter = SpeedMeter()
        self._closing_at = None
        if store.length:
            self._meter.note(store.length / store.rate, self._clock())
        self._jump(position)
        try:
            output.stream.start()
        except Exception as error:
            self._lose(self.tr("The sound output did not start ({error}).").format(error=error))
            return False
        self._opened_at = self._clock()
        self._set_state(PlayState.BUFFERING)
        self._timer.start()
        self.tick()
        return True

    def pause(self) -> None:
        """Silence; not a sample is lost."""
        if self._core is not None and self.state in (PlayState.PLAYING, PlayState.BUFFERING):
            self._core.paused = True
            self._set_state(PlayState.PAUSED)

    def resume(self) -> None:
        """Go on where :meth:`pause` stopped."""
        if self._core is not None and self.state is PlayState.PAUSED:
            self._core.paused = False
            self._set_state(PlayState.BUFFERING if self._core.buffering else PlayState.PLAYING)

    def seek(self, position: int) -> None:
        """Jump to ``position``; playing goes on from there. Does nothing when idle."""
        if self._core is None or self.store is None or self._core.stopping:
            return
        self.until = None
        self._jump(max(0, min(position, self.store.length)))
        self.tick()

    def set_loop(self, region: tuple[int, int] | None) -> None:
        """Play ``region`` over and over from now on, without a gap; ``None`` ends that.

        A playing sound jumps into the region when it is outside, and else goes on.
        """
        if region == self.loop:
            return
        self.loop = region
        if self._core is not None and not self._core.stopping:
            inside = region is None or region[0] <= self.position < region[1]
            self._jump(self.position if inside or region is None else region[0])
            self.tick()

    def cue(self, store: SampleSource, position: int) -> None:
        """While idle, remember where the next playing of ``store`` starts."""
        if self.state is PlayState.IDLE:
            self.abort()
            self.store = store
            self.position = max(0, min(position, store.length))
            self.position_changed.emit(self.position)

    def stop(self) -> None:
        """End with a short fade; the stream is closed when the fade was heard."""
        if self._core is None:
            return
        self._core.stopping = True
        self._core.paused = False
        if self.state is not PlayState.IDLE:
            self._set_state(PlayState.IDLE)

    def abort(self) -> None:
        """End at once, without a fade: for a new start and for closing the window."""
        self._release(lost=False)
        self._set_state(PlayState.IDLE)

    @Slot()
    def tick(self) -> None:
        """One round of feeding, watching and reporting; the timer calls it."""
        core, output, store = self._core, self._output, self.store
        if core is None or output is None or store is None:
            self._timer.stop()
            return
        now = self._clock()
        if self._device_lost(core, output, now):
            self._lose(self.tr("The sound output was lost. Generation goes on."))
            return
        if core.stopping:
            if core.stopped:
                self._close_after_tail(now, output)
            return
        if store.length:
            self._meter.note(store.length / store.rate, now)
        self._feed(core, output, store)
        if core.drained:
            self._report_position(core, output, exact=True)
            self._close_after_tail(now, output)
            return
        self._follow(core, store, now)
        self._report_position(core, output)

    def _follow(self, core: OutputCallback, store: SampleSource, now: float) -> None:
        """Buffering or playing, by the start rule."""
        if core.paused:
            return
        if not core.buffering:
            self._set_state(PlayState.PLAYING)
            return
        self._set_state(PlayState.BUFFERING)
        rate = store.rate
        verdict = Cover(True)
        if not store.complete:
            verdict = cover(
                buffered_s=(store.length - self._ring_position(core)) / rate,
                made_s=store.length / rate,
                expected_s=store.expected / rate,
                speed=self._meter.speed(now),
                start_buffer_s=self.start_buffer_s,
                underruns=core.underruns,
            )
        if verdict.start and (core.ring.available or core.ring.ended):
            core.buffering = False
            self._set_state(PlayState.PLAYING)
        else:
            self.waiting.emit(verdict.wait_s)

    def _feed(self, core: OutputCallback, output: OpenStream, store: SampleSource) -> None:
        """Move what fits from the sound into the ring."""
        ring = core.ring
        ratio = output.rate / store.rate
        end = store.length if self.until is None else min(self.until, store.length)
        whole = store.complete or end == self.until
        while not ring.ended:
            room = int(ring.space / ratio) - 1
            at_end = whole and self._cursor >= end and not self._loops
            if not len(self._spill):
                if self._loops and self.loop is not None and self._cursor >= self.loop[1]:
                    self._cursor = self.loop[0]
                left = self.loop[1] - self._cursor if self._loops and self.loop else MAX_FEED
                if not self._loops:
                    left = max(0, end - self._cursor)
                fresh = store.read(self._cursor, min(room, MAX_FEED, left))
                if len(fresh) == 0 and not at_end:
                    return
                self._cursor += len(fresh)
                at_end = whole and self._cursor >= end and not self._loops
                self._spill = self._convert(fresh, last=at_end)
            fits = min(ring.space, len(self._spill))
            ring.put(self._spill[:fits])
            self._spill = self._spill[fits:]
            if len(self._spill):
                return
            ring.ended = at_end

    @property
    def _loops(self) -> bool:
        """Whether the loop counts: it lies in what is there, and playing is not beyond it."""
        if self.loop is None or self.store is None or self.loop[1] > self.store.length:
            return False
        return self._cursor <= self.loop[1]

    def _convert(self, fresh: np.ndarray, *, last: bool) -> np.ndarray:
        """Samples for the device; a resampler gives its tail with the last ones."""
        samples: np.ndarray = np.nan_to_num(fresh, nan=0.0, posinf=1.0, neginf=-1.0)
        if self._resampler is None:
            return samples
        ready: np.ndarray = self._resampler.push(samples)
        return np.concatenate([ready, self._resampler.flush()]) if last else ready

    def _jump(self, position: int) -> None:
        """A new ring from ``position`` on; the callback takes it up with its next block."""
        core, output, store = self._core, self._output, self.store
        if core is None or output is None or store is None:
            return
        rate = store.rate
        self._cursor = position
        self._spill = np.zeros(0, np.float32)
        self._resampler = None if output.rate == rate else make_resampler(rate, output.rate)
        core.buffering = True
        core.drained = False
        self._closing_at = None
        core.ring = RingBuffer(int(RING_S * output.rate), base=position)
        self.position = position
        self.position_changed.emit(position)

    def _ring_position(self, core: OutputCallback) -> int:
        if self._output is None or self.store is None:
            return 0
        ring = core.ring
        return ring.base + int(ring.taken * self.store.rate / self._output.rate)

    def _report_position(
        self, core: OutputCallback, output: OpenStream, exact: bool = False
    ) -> None:
        """What is heard lags behind what was handed over by the device's latency."""
        if self.store is None:
            return
        lag = 0 if exact or core.paused else output.stream.latency
        heard = self._ring_position(core) - int(lag * self.store.rate)
        heard = max(heard, core.ring.base, 0)
        if self._loops and self.loop is not None and heard >= self.loop[1]:
            first, end = self.loop
            heard = first + (heard - end) % (end - first)
        at = min(heard, self.store.length)
        if at != self.position:
            self.position = at
            self.position_changed.emit(at)

    def _device_lost(self, core: OutputCallback, output: OpenStream, now: float) -> bool:
        late = now - max(core.last_call, self._opened_at) > WATCHDOG_S
        return late or not is_running(output.stream)

    def _close_after_tail(self, now: float, output: OpenStream) -> None:
        """What was handed over needs the device's latency to be heard; then close."""
        if self._closing_at is None:
            self._closing_at = now + float(output.stream.latency) + 0.05
        elif now >= self._closing_at:
            self._release(lost=False)
            self._set_state(PlayState.IDLE)

    def _lose(self, sentence: str) -> None:
        self._release(lost=True)
        self._set_state(PlayState.IDLE)
        self.message.emit(sentence)

    def _release(self, *, lost: bool) -> None:
        output, self._output = self._output, None
        self._core = None
        self._closing_at = None
        self._timer.stop()
        if output is not None:
            self.devices.close(output.stream, lost=lost)

    def _set_state(self, state: PlayState) -> None:
        if state is not self.state:
            self.state = state
            self.state_changed.emit(state)
