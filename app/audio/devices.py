"""Sound devices through sounddevice, behind small protocols.

PortAudio may be absent, a container may have no device, an index may mean another device
after re-plugging. So the library is imported late, a device is remembered by its name and
host API, and both are looked up again before each opening. Outputs and inputs are in one
place, because PortAudio restarts for both at once.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np

from engine.errors import EngineError, Message

Kind = Literal["output", "input"]
LATENCY_S = {"output": 0.2, "input": 0.1}
OUTPUT_RATES = (48000, 44100)
INPUT_RATES = (48000, 44100, 16000)
MOST_CHANNELS = 8
SEPARATOR = " \u2014 "


class AudioUnavailableError(EngineError):
    """There is no way to play or record: the text says why, in a sentence for the user."""


class Rendering(Protocol):
    """What an output stream asks for samples."""

    device_underflows: int

    def render(self, out: np.ndarray) -> None: ...


class Capturing(Protocol):
    """What an input stream hands its samples to."""

    def capture(self, block: np.ndarray, overflowed: bool) -> None: ...


class Stream(Protocol):
    """An open output or input; a part of sounddevice's class."""

    samplerate: float
    latency: float

    @property
    def active(self) -> bool: ...

    def start(self) -> None: ...

    def abort(self) -> None: ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Device:
    """An output or a microphone that can be chosen.

    Attributes:
        key: name and host API, what settings remember; empty is the system default.
        title: for the list.
        default_rate: the device's own rate in Hz.
        channels: most channels.
    """

    key: str
    title: str
    default_rate: int = 0
    channels: int = 0


SYSTEM_DEFAULT = Device("", "System default")


@dataclass(frozen=True, slots=True)
class OpenStream:
    """A stream that was opened, with what it really runs at.

    Attributes:
        fell_back: the wished device is gone and the system default is in its place.
    """

    stream: Stream
    rate: int
    channels: int
    device: Device
    fell_back: bool = False


def import_sounddevice() -> Any:
    """The sounddevice module; initialises PortAudio.

    Raises:
        AudioUnavailableError: the package or PortAudio is missing.
    """
    try:
        import sounddevice
    except ImportError as error:
        raise AudioUnavailableError("devices.no_sounddevice") from error
    except OSError as error:
        raise AudioUnavailableError("devices.no_portaudio") from error
    return sounddevice


class AudioDevices:
    """Lists and opens outputs and inputs.

    Attributes:
        problem: why nothing can be played, empty when something can.
        input_problem: why nothing can be recorded, empty when something can.
    """

    def __init__(self, load: Callable[[], Any] = import_sounddevice) -> None:
        self._load = load
        self._module: Any = None
        self._open_streams = 0
        self._rescan_wanted = False
        self.problem = ""
        self.input_problem = ""

    def outputs(self) -> list[Device]:
        """The system default and every device with outputs; empty when there is none.

        Why it is empty stands in :attr:`problem`.
        """
        found, self.problem = self._list(
            "output",
            Message("devices.no_output"),
        )
        return found

    def inputs(self) -> list[Device]:
        """The same for microphones, and :attr:`input_problem`."""
        found, self.input_problem = self._list(
            "input",
            Message("devices.no_input"),
        )
        return found

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

    def open_output(self, key: str, rate: int, source: Rendering) -> OpenStream:
        """Open the device named ``key`` for mono sound of ``rate`` Hz.

        Takes the rate itself, else the device's own; mono, else stereo with the same sound on
        both sides.

        Raises:
            AudioUnavailableError: nothing can be opened.
        """

        def callback(outdata: np.ndarray, frames: int, time: object, status: Any) -> None:
            if status and status.output_underflow:
                source.device_underflows += 1
            source.render(outdata)

        return self._open(
            "output",
            key,
            lambda own, most: _formats((rate, own, *OUTPUT_RATES), (1, 2)),
            lambda rate, channels: callback,
            "devices.output_unopened",
        )

    def open_input(self, key: str, prepare: Callable[[int, int], Capturing]) -> OpenStream:
        """Open the device named ``key`` at its own rate, else at a common one.

        Its own rate first: a converted one is worse than a true one. Mono where the device
        offers it, else as many channels as it insists on.

        Args:
            prepare: makes what the samples go to, given rate and channels; called before the
                stream can deliver any.

        Raises:
            AudioUnavailableError: nothing can be opened.
        """

        def make_callback(rate: int, channels: int) -> Callable[..., None]:
            target = prepare(rate, channels)

            def callback(indata: np.ndarray, frames: int, time: object, status: Any) -> None:
                target.capture(indata, bool(status and status.input_overflow))

            return callback

        return self._open(
            "input",
            key,
            lambda own, most: _formats((own, *INPUT_RATES), (1, 2, min(most, MOST_CHANNELS))),
            make_callback,
            "devices.input_unopened",
        )

    def close(self, stream: Stream, *, lost: bool = False) -> None:
        """Close a stream at once. Closing a device that is gone can hang in the driver, so
        with ``lost`` it happens in a thread of its own that nobody waits for."""
        self._open_streams = max(0, self._open_streams - 1)
        if lost:
            threading.Thread(target=_shut, args=(stream,), name="audio-close", daemon=True).start()
        else:
            _shut(stream)
        if self._rescan_wanted and not self._open_streams and not lost:
            self.rescan()

    def _open(
        self,
        kind: Kind,
        key: str,
        formats: Callable[[int, int], list[tuple[int, int]]],
        make_callback: Callable[[int, int], Callable[..., None]],
        sorry: str,
    ) -> OpenStream:
        found = self._scan(kind)
        index, device = next(
            ((i, d) for i, d in found if d.key == key and key), (None, SYSTEM_DEFAULT)
        )
        own, most = (device.default_rate, device.channels) if device.key else self._default(kind)
        sd = self._module
        check = getattr(sd, f"check_{kind}_settings")
        make_stream = getattr(sd, f"{kind.title()}Stream")
        reason: Exception | None = None
        for rate, channels in formats(own, most):
            settings = {
                "device": index, "samplerate": rate, "channels": channels, "dtype": "float32",
            }  # fmt: skip
            try:
                check(**settings)
                callback = make_callback(rate, channels)
                stream = make_stream(latency=LATENCY_S[kind], callback=callback, **settings)
            except (sd.PortAudioError, ValueError) as error:
                reason = error
                continue
            self._open_streams += 1
            return OpenStream(stream, rate, channels, device, bool(key) and index is None)
        raise AudioUnavailableError(sorry, title=device.title, reason=reason)

    def _default(self, kind: Kind) -> tuple[int, int]:
        """Own rate and most channels of the system default; 0 and 1 where it does not say."""
        try:
            info = self._module.query_devices(kind=kind)
            return int(info["default_samplerate"]), int(info[f"max_{kind}_channels"])
        except (ValueError, KeyError, TypeError, self._module.PortAudioError):
            return 0, 1

    def _list(self, kind: Kind, none: str) -> tuple[list[Device], str]:
        """Devices with the default before them, and the problem when there are none."""
        try:
            found = self._scan(kind)
        except AudioUnavailableError as error:
            return [], error.detail
        return ([SYSTEM_DEFAULT, *(device for _, device in found)], "") if found else ([], none)

    def _scan(self, kind: Kind) -> list[tuple[int, Device]]:
        if self._module is None:
            self._module = self._load()
        sd = self._module
        try:
            hosts = [str(host["name"]) for host in sd.query_hostapis()]
            devices: list[Any] = list(sd.query_devices())
        except sd.PortAudioError as error:
            raise AudioUnavailableError("devices.not_listed", reason=error) from error
        found = []
        for index, info in enumerate(devices):
            channels = int(info.get(f"max_{kind}_channels", 0))
            if channels > 0:
                title = f"{info['name']}{SEPARATOR}{hosts[int(info['hostapi'])]}"
                rate = int(info["default_samplerate"])
                found.append((index, Device(title, title, rate, channels)))
        return found


def is_running(stream: Stream) -> bool:
    """Whether a started stream still runs; one that cannot be asked is lost."""
    try:
        return stream.active
    except Exception:
        return False


def _formats(rates: tuple[int, ...], counts: tuple[int, ...]) -> list[tuple[int, int]]:
    """Pairs of rate and channels to try, in order; what is unknown is 0 and left out."""
    known = dict.fromkeys(rate for rate in rates if rate > 0)
    return [(rate, count) for rate in known for count in dict.fromkeys(counts) if count > 0]


def _shut(stream: Stream) -> None:
    """Errors of a stream that is being thrown away tell nobody anything."""
    for step in (stream.abort, stream.close):
        try:
            step()
        except Exception:
            continue
