"""Microphones beside the outputs, in one place, because PortAudio restarts for both at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from app.audio.devices import (
    SEPARATOR,
    SYSTEM_DEFAULT,
    AudioDevices,
    AudioUnavailableError,
    OutputStream,
)

INPUT_LATENCY_S = 0.1
COMMON_RATES = (48000, 44100, 16000)
MOST_CHANNELS = 8


class Capturing(Protocol):
    """What an input stream hands its samples to."""

    def capture(self, block: np.ndarray, overflowed: bool) -> None: ...


@dataclass(frozen=True, slots=True)
class InputDevice:
    """A microphone that can be chosen.

    Attributes:
        key: name and host API, what settings remember; empty is the system default.
        title: for the list.
        default_rate: the device's own rate in Hz.
        channels: most input channels.
    """

    key: str
    title: str
    default_rate: int = 0
    channels: int = 1


DEFAULT_INPUT = InputDevice(SYSTEM_DEFAULT.key, SYSTEM_DEFAULT.title)


@dataclass(frozen=True, slots=True)
class OpenInput:
    """A stream that was opened, with what it really delivers.

    Attributes:
        fell_back: the wished device is gone and the system default listens in its place.
    """

    stream: OutputStream
    rate: int
    channels: int
    device: InputDevice
    fell_back: bool = False


class SoundDevices(AudioDevices):
    """Lists and opens outputs and inputs.

    A running recording also puts off a rescan, which would cut it.

    Attributes:
        input_problem: why nothing can be recorded, empty when something can.
    """

    input_problem = ""

    def inputs(self) -> list[InputDevice]:
        """The system default and every device with inputs; empty when there is none.

        Why it is empty stands in :attr:`input_problem`.
        """
        try:
            found = self._scan_inputs()
        except AudioUnavailableError as error:
            self.input_problem = str(error)
            return []
        if not found:
            self.input_problem = (
                "No microphone was found. Connect one and choose Rescan, or open a sound file."
            )
            return []
        self.input_problem = ""
        return [DEFAULT_INPUT, *(device for _, device in found)]

    def open_input(self, key: str, prepare: Callable[[int, int], Capturing]) -> OpenInput:
        """Open the device named ``key`` at its own rate, else at a common one.

        Mono where the device offers it, else as many channels as it insists on.

        Args:
            prepare: makes what the samples go to, given rate and channels; called before the
                stream can deliver any.

        Raises:
            AudioUnavailableError: nothing can be opened.
        """
        found = self._scan_inputs()
        index, device = next(
            ((i, d) for i, d in found if d.key == key and key), (None, DEFAULT_INPUT)
        )
        fell_back = bool(key) and index is None
        sd = self._module
        reason: Exception | None = None
        for rate, channels in self._input_formats(device):
            settings = {"device": index, "samplerate": rate, "channels": channels}
            try:
                sd.check_input_settings(dtype="float32", **settings)
                stream = sd.InputStream(
                    dtype="float32",
                    latency=INPUT_LATENCY_S,
                    callback=_callback(prepare(rate, channels)),
                    **settings,
                )
            except (sd.PortAudioError, ValueError) as error:
                reason = error
                continue
            self._open_streams += 1
            return OpenInput(stream, rate, channels, device, fell_back)
        raise AudioUnavailableError(
            f"The microphone \u201c{device.title}\u201d could not be opened ({reason}). "
            "Close programs that use it, choose another one, or open a sound file."
        )

    def _input_formats(self, device: InputDevice) -> list[tuple[int, int]]:
        """Pairs to try. Its own rate first: a converted one is worse than a true one."""
        own, most = device.default_rate, device.channels
        if device is DEFAULT_INPUT:
            own, most = self._default_input()
        rates = list(dict.fromkeys(r for r in (own, *COMMON_RATES) if r > 0))
        counts = list(dict.fromkeys(c for c in (1, 2, min(most, MOST_CHANNELS)) if c > 0))
        return [(r, c) for r in rates for c in counts]

    def _default_input(self) -> tuple[int, int]:
        try:
            info = self._module.query_devices(kind="input")
            return int(info["default_samplerate"]), int(info["max_input_channels"])
        except (ValueError, KeyError, TypeError, self._module.PortAudioError):
            return 0, 1

    def _scan_inputs(self) -> list[tuple[int, InputDevice]]:
        if self._module is None:
            self._module = self._load()
        sd = self._module
        try:
            hosts = [str(host["name"]) for host in sd.query_hostapis()]
            devices: list[Any] = list(sd.query_devices())
        except sd.PortAudioError as error:
            raise AudioUnavailableError(f"The sound devices cannot be listed ({error}).") from error
        found = []
        for index, info in enumerate(devices):
            channels = int(info.get("max_input_channels", 0))
            if channels < 1:
                continue
            title = f"{info['name']}{SEPARATOR}{hosts[int(info['hostapi'])]}"
            found.append(
                (index, InputDevice(title, title, int(info["default_samplerate"]), channels))
            )
        return found


def _callback(target: Capturing) -> Callable[..., None]:
    def callback(indata: np.ndarray, frames: int, time: object, status: Any) -> None:
        target.capture(indata, bool(status and status.input_overflow))

    return callback
