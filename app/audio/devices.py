"""Sound devices through sounddevice, behind small protocols.

PortAudio may be absent, a container may have no device, an index may mean another device
after re-plugging. So the library is imported late, a device is remembered by its name and
host API, and both are looked up again before each opening.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

LATENCY_S = 0.2
SEPARATOR = " \u2014 "


class AudioUnavailableError(Exception):
    """There is no way to play: the text says why, in a sentence for the user."""


class Rendering(Protocol):
    """What an output stream asks for samples."""

    device_underflows: int

    def render(self, out: np.ndarray) -> None: ...


class OutputStream(Protocol):
    """An open output; a part of sounddevice's class."""

    samplerate: float
    latency: float

    @property
    def active(self) -> bool: ...

    def start(self) -> None: ...

    def abort(self) -> None: ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class OutputDevice:
    """An output that can be chosen.

    Attributes:
        key: name and host API, what settings remember; empty is the system default.
        title: for the list.
        default_rate: the device's own rate in Hz.
        channels: most output channels.
    """

    key: str
    title: str
    default_rate: int = 0
    channels: int = 2


SYSTEM_DEFAULT = OutputDevice("", "System default")


@dataclass(frozen=True, slots=True)
class OpenOutput:
    """A stream that was opened, with the rate that it really runs at.

    Attributes:
        fell_back: the wished device is gone and the system default plays in its place.
    """

    stream: OutputStream
    rate: int
    device: OutputDevice
    fell_back: bool = False


def import_sounddevice() -> Any:
    """The sounddevice module; initialises PortAudio.

    Raises:
        AudioUnavailableError: the package or PortAudio is missing.
    """
    try:
        import sounddevice
    except ImportError as error:
        raise AudioUnavailableError(
            "Sound output needs the Python package sounddevice, which is not installed."
        ) from error
    except OSError as error:
        raise AudioUnavailableError(
            "The sound library PortAudio was not found. On Debian or Ubuntu install the "
            "package libportaudio2, then start again."
        ) from error
    return sounddevice


class AudioDevices:
    """Lists and opens outputs.

    Attributes:
        problem: why nothing can be played, empty when something can.
    """

    def __init__(self, load: Callable[[], Any] = import_sounddevice) -> None:
        self._load = load
        self._module: Any = None
        self._open_streams = 0
        self._rescan_wanted = False
        self.problem = ""

    def outputs(self) -> list[OutputDevice]:
        """The system default and every device with outputs; empty when there is none.

        Why it is empty stands in :attr:`problem`.
        """
        try:
            found = self._scan()
        except AudioUnavailableError as error:
            self.problem = str(error)
            return []
        if not found:
            self.problem = (
                "No sound output was found. Connect one and choose Rescan; saving works without."
            )
            return []
        self.problem = ""
        return [SYSTEM_DEFAULT, *(device for _, device in found)]

    def rescan(self) -> bool:
        """Look for devices again. PortAudio must restart for it, which would cut a running
        stream; then it is put off until the stream is closed and ``False`` comes back."""
        if self._open_streams:
            self._rescan_wanted = True
            return False
        self._rescan_wanted = False
        if self._module is not None:
            self._module._terminate()
            self._module._initialize()
        return True

    def open_output(self, key: str, rate: int, source: Rendering) -> OpenOutput:
        """Open the device named ``key`` for mono sound of ``rate`` Hz.

        Takes the rate itself, else the device's own; mono, else stereo with the same sound on
        both sides.

        Raises:
            AudioUnavailableError: nothing can be opened.
        """
        found = self._scan()
        index, device = next(
            ((i, d) for i, d in found if d.key == key and key), (None, SYSTEM_DEFAULT)
        )
        fell_back = bool(key) and index is None
        sd = self._module
        attempts = self._formats(index, device, rate)
        reason: Exception | None = None
        for try_rate, channels in attempts:
            settings = {"device": index, "samplerate": try_rate, "channels": channels}
            try:
                sd.check_output_settings(dtype="float32", **settings)
                stream = sd.OutputStream(
                    dtype="float32",
                    latency=LATENCY_S,
                    callback=_callback(source),
                    **settings,
                )
            except (sd.PortAudioError, ValueError) as error:
                reason = error
                continue
            self._open_streams += 1
            return OpenOutput(stream, int(try_rate), device, fell_back)
        raise AudioUnavailableError(
            f"The sound output \u201c{device.title}\u201d could not be opened ({reason}). "
            "Choose another one; saving works without."
        )

    def close(self, stream: OutputStream, *, lost: bool = False) -> None:
        """Close a stream at once. Closing a device that is gone can hang in the driver, so
        with ``lost`` it happens in a thread of its own that nobody waits for."""
        self._open_streams = max(0, self._open_streams - 1)
        if lost:
            threading.Thread(target=_shut, args=(stream,), name="audio-close", daemon=True).start()
        else:
            _shut(stream)
        if self._rescan_wanted and not self._open_streams and not lost:
            self.rescan()

    def _formats(self, index: int | None, device: OutputDevice, rate: int) -> list[tuple[int, int]]:
        own = device.default_rate or self._default_rate()
        rates = list(dict.fromkeys(r for r in (rate, own, 48000, 44100) if r > 0))
        return [(r, c) for r in rates for c in (1, 2)]

    def _default_rate(self) -> int:
        try:
            return int(self._module.query_devices(kind="output")["default_samplerate"])
        except (ValueError, KeyError, TypeError, self._module.PortAudioError):
            return 0

    def _scan(self) -> list[tuple[int, OutputDevice]]:
        if self._module is None:
            self._module = self._load()
        sd = self._module
        try:
            hosts = [str(host["name"]) for host in sd.query_hostapis()]
            devices = list(sd.query_devices())
        except sd.PortAudioError as error:
            raise AudioUnavailableError(f"The sound devices cannot be listed ({error}).") from error
        found = []
        for index, info in enumerate(devices):
            channels = int(info["max_output_channels"])
            if channels < 1:
                continue
            title = f"{info['name']}{SEPARATOR}{hosts[int(info['hostapi'])]}"
            rate = int(info["default_samplerate"])
            found.append((index, OutputDevice(title, title, rate, channels)))
        return found


def _callback(source: Rendering) -> Callable[..., None]:
    def callback(outdata: np.ndarray, frames: int, time: object, status: Any) -> None:
        if status and status.output_underflow:
            source.device_underflows += 1
        source.render(outdata)

    return callback


def _shut(stream: OutputStream) -> None:
    """Errors of a stream that is being thrown away tell nobody anything."""
    for step in (stream.abort, stream.close):
        try:
            step()
        except Exception:
            continue
