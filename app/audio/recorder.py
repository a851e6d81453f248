"""Records from a microphone: arm, watch the level, record, stop.

Lives in the GUI thread. A timer takes the samples out of the ring that PortAudio's thread
fills, measures them and keeps them while recording.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from enum import Enum

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal, Slot

from app.audio.devices import (
    AudioDevices,
    AudioUnavailableError,
    Device,
    OpenStream,
    is_running,
)
from app.audio.input_callback import InputCallback, InputMeter, Level
from engine.audio import AudioClip

RING_S = 8.0
TICK_MS = 30
FIRST_CALL_S = 3.0
WATCHDOG_S = 1.5
DEFAULT_LIMIT_S = 60.0
MAX_LIMIT_S = 600.0


class RecordState(Enum):
    """What the recorder does."""

    OFF = "off"
    ARMED = "armed"
    RECORDING = "recording"


class Recorder(QObject):
    """Records one clip at a time.

    Attributes:
        state: see :class:`RecordState`.
        device_key: the microphone that is wished for, empty for the system default.
        limit_s: a recording ends by itself after this long.
        rate, channels: of the open microphone; 0 when off.
        seconds: length of the recording so far.
        no_access: only exact zeros have come for more than a second.
        heard: since the microphone was opened something else has come too.

    Signals:
        state_changed(RecordState)
        level_changed(Level): many times a second while armed or recording.
        captured(object): new samples of the recording, float32 ``(n, channels)``, read-only.
        no_access_changed(bool)
        finished(AudioClip): a recording that is worth keeping.
        refused(str): a recording was not kept; why, and what to do.
        message(str): a sentence for the user.
    """

    state_changed = Signal(object)
    level_changed = Signal(object)
    captured = Signal(object)
    no_access_changed = Signal(bool)
    finished = Signal(object)
    refused = Signal(str)
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
        self.state = RecordState.OFF
        self.no_access = False
        self.heard = False
        self._limit_s = DEFAULT_LIMIT_S
        self._clock = clock
        self._core: InputCallback | None = None
        self._input: OpenStream | None = None
        self._meter = InputMeter(1)
        self._opened_at = 0.0
        self._blocks: list[np.ndarray] = []
        self._length = 0
        self._lost_before = (0, 0)
        self._was_armed = False
        self._longest_zeros_s = 0.0
        self._timer = QTimer(self)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self.tick)

    @property
    def rate(self) -> int:
        return self._input.rate if self._input else 0

    @property
    def channels(self) -> int:
        return self._input.channels if self._input else 0

    @property
    def device(self) -> Device | None:
        """The microphone that is open; it may not be the one wished for."""
        return self._input.device if self._input else None

    @property
    def limit_s(self) -> float:
        return self._limit_s

    @limit_s.setter
    def limit_s(self, seconds: float) -> None:
        self._limit_s = min(max(1.0, seconds), MAX_LIMIT_S)

    @property
    def seconds(self) -> float:
        return self._length / self.rate if self.rate else 0.0

    @property
    def level(self) -> Level:
        """The newest level."""
        return self._meter.level

    def arm(self) -> bool:
        """Open the microphone and show its level; ``False`` with a message when it fails."""
        if self.state is not RecordState.OFF:
            return True
        try:
            opened = self.devices.open_input(self.device_key, self._prepare)
        except AudioUnavailableError as error:
            self._core = None
            self.message.emit(error.detail)
            return False
        self._input = opened
        self._opened_at = self._clock()
        self._meter = InputMeter(opened.rate)
        try:
            opened.stream.start()
        except Exception as error:
            self._release(lost=True)
            self.message.emit(
                self.tr(
                    "The microphone did not start ({error}). Choose another one, or open a "
                    "sound file."
                ).format(error=error)
            )
            return False
        if opened.fell_back:
            self.message.emit(
                self.tr("The chosen microphone is not there; the system default listens.")
            )
        self._set_state(RecordState.ARMED)
        self._timer.start()
        return True

    def disarm(self) -> None:
        """Close the microphone; a recording that runs is thrown away."""
        self._forget()
        self._release(lost=False)
        self._set_state(RecordState.OFF)

    def record(self) -> bool:
        """Begin to keep what comes from now on; arms first when off."""
        if self.state is RecordState.RECORDING:
            return True
        self._was_armed = self.state is RecordState.ARMED
        if not self.arm():
            return False
        core = self._core
        assert core is not None
        self._measure(core.drain())  # what came before the click is not part of the recording
        self._forget()
        self._lost_before = (core.overflows, core.dropped)
        self._set_state(RecordState.RECORDING)
        return True

    def stop(self) -> None:
        """End the recording and hand it over through :attr:`finished` or :attr:`refused`."""
        if self.state is not RecordState.RECORDING or self._core is None:
            return
        self._take_in(self._core.drain())
        if self.state is RecordState.RECORDING:
            self._end()

    def discard(self) -> None:
        """End the recording and throw it away."""
        if self.state is RecordState.RECORDING:
            self._forget()
            self._back_to_before()

    @property
    def silent_s(self) -> float:
        """Length of the exact zeros that came last, in seconds."""
        return self._meter.zeros_s

    def reset_clip(self) -> None:
        """Put out the clip lamp."""
        self._meter.reset_clip()
        self.level_changed.emit(self._meter.level)

    @Slot()
    def tick(self) -> None:
        """One round of taking samples and watching the device; the timer calls it."""
        core = self._core
        if core is None:
            self._timer.stop()
            return
        block = core.drain()
        if self.state is RecordState.RECORDING:
            self._take_in(block)
        else:
            self._measure(block)
        if self._core is core and self._device_lost(core):
            self._lose()

    def _prepare(self, rate: int, channels: int) -> InputCallback:
        self.heard = False
        self._core = InputCallback(int(RING_S * rate), channels, self._clock)
        return self._core

    def _take_in(self, block: np.ndarray) -> None:
        room = int(self._limit_s * self.rate) - self._length
        kept = block[:room]
        self._measure(block)
        self._longest_zeros_s = max(
            self._longest_zeros_s, min(self._meter.zeros_s, (self._length + len(kept)) / self.rate)
        )
        if len(kept):
            kept.flags.writeable = False
            self._blocks.append(kept)
            self._length += len(kept)
            self.captured.emit(kept)
        if len(kept) == room:
            note = self.tr("The recording reached its limit of {seconds} s and was ended.")
            self.message.emit(note.format(seconds=round(self._limit_s)))
            self._end()

    def _measure(self, block: np.ndarray) -> None:
        if len(block) == 0:
            return
        self.heard = self.heard or bool(block.any())
        self.level_changed.emit(self._meter.feed(block))
        if self._meter.no_access is not self.no_access:
            self.no_access = self._meter.no_access
            self.no_access_changed.emit(self.no_access)

    def _end(self, *, lost: bool = False) -> None:
        """Deliver what was recorded, after the state has settled."""
        blocks, rate = self._blocks, self.rate
        warnings = self._warnings(lost)
        self._forget()
        if lost:
            self._release(lost=True)
            self._set_state(RecordState.OFF)
        else:
            self._back_to_before()
        samples = np.concatenate(blocks) if blocks else np.zeros((0, 1), np.float32)
        if len(samples) == 0:
            self.refused.emit(
                self.tr("Nothing was recorded. Check the microphone and record again.")
            )
        elif not samples.any():
            self.refused.emit(
                self.tr(
                    "The microphone gave only digital silence: it is muted, or this program may "
                    "not use it. Allow access in the system settings and record again."
                )
            )
        else:
            samples.flags.writeable = False
            clip = AudioClip.from_array(samples, rate, self.tr("recording"))
            self.finished.emit(replace(clip, warnings=warnings))

    def _warnings(self, lost: bool) -> tuple[str, ...]:
        core = self._core
        found = []
        if core is not None:
            overflows = core.overflows - self._lost_before[0]
            dropped = core.dropped - self._lost_before[1]
            if overflows:
                note = self.tr("The device lost sound {count} times; record again if it is heard.")
                found.append(note.format(count=overflows))
            if dropped:
                note = self.tr("{seconds} s were lost because the computer was too busy.")
                found.append(note.format(seconds=f"{dropped / self.rate:.2f}"))
        if self._longest_zeros_s > 1.0:
            note = self.tr("It holds {seconds} s of digital silence; the microphone was off then.")
            found.append(note.format(seconds=f"{self._longest_zeros_s:.1f}"))
        if lost:
            found.append(self.tr("The microphone was lost; this is what came before."))
        return tuple(found)

    def _device_lost(self, core: InputCallback) -> bool:
        if self._input is None:
            return False
        if not is_running(self._input.stream):
            return True
        if core.last_call == 0.0:
            return self._clock() - self._opened_at > FIRST_CALL_S
        return self._clock() - core.last_call > WATCHDOG_S

    def _lose(self) -> None:
        if self.state is RecordState.RECORDING:
            self.message.emit(self.tr("The microphone was lost. What was recorded is kept."))
            self._end(lost=True)
            return
        self._release(lost=True)
        self._set_state(RecordState.OFF)
        self.message.emit(self.tr("The microphone was lost. Choose another one, or rescan."))

    def _back_to_before(self) -> None:
        """A microphone that was opened only for the recording is closed with it."""
        if self._was_armed:
            self._set_state(RecordState.ARMED)
        else:
            self._release(lost=False)
            self._set_state(RecordState.OFF)

    def _forget(self) -> None:
        self._blocks = []
        self._length = 0
        self._longest_zeros_s = 0.0

    def _release(self, *, lost: bool) -> None:
        opened, self._input = self._input, None
        self._core = None
        self._timer.stop()
        if opened is not None:
            self.devices.close(opened.stream, lost=lost)
        if self.no_access:
            self.no_access = False
            self.no_access_changed.emit(False)

    def _set_state(self, state: RecordState) -> None:
        if state is not self.state:
            self.state = state
            self.state_changed.emit(state)
