"""The live sink with a device made up for the test: order, start rule, stop, loss."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from engine.audio import live_output as playback
from engine.audio.live_output import LiveSink
from engine.cancel import CancelToken
from engine.errors import DeviceError

RATE = 8000
RAMP = np.arange(1, 3 * RATE + 138, dtype=np.float32) / (4 * RATE)


class FakeStream:
    """Keeps what was written; can be held at the gate and can be lost."""

    def __init__(self) -> None:
        self.heard: list[np.ndarray] = []
        self.calls: list[str] = []
        self.gate = threading.Event()
        self.gate.set()
        self.entered = threading.Semaphore(0)
        self.lost_after = 10**9
        self.late: set[int] = set()

    latency = 0.02

    def start(self) -> None:
        self.calls.append("start")

    def stop(self) -> None:
        self.calls.append("stop")

    def close(self) -> None:
        self.calls.append("close")

    def write(self, data: np.ndarray) -> bool:
        assert data.dtype == np.float32
        assert data.shape[1] == 1
        if not data.any():
            return True  # the silence around the sound; here nobody may count an underrun
        if len(self.heard) >= self.lost_after:
            raise OSError("Device unavailable")
        self.entered.release()
        assert self.gate.wait(20)
        self.heard.append(data[:, 0].copy())
        return len(self.heard) in self.late

    @property
    def samples(self) -> np.ndarray:
        return np.concatenate([*self.heard, np.empty(0, np.float32)])


class Kit:
    """A started sink, its device, its clock and what it said."""

    def __init__(self, device_rate: int = RATE, **options: Any) -> None:
        self.stream, self.said, self.now = FakeStream(), [], 0.0
        self.sink = LiveSink(
            say=self.said.append, opener=lambda _rate: (self.stream, device_rate),
            clock=lambda: self.now, **options,
        )  # fmt: skip
        self.sink.start(RATE)

    said: list[str]

    def finish_held(self) -> None:
        """Finish with the device standing in a write, so that it cannot run dry before."""
        assert self.stream.entered.acquire(timeout=20)
        ender = threading.Thread(target=self.sink.finish)
        ender.start()
        while not self.sink._ended:
            threading.Event().wait(0.001)
        self.stream.gate.set()
        ender.join(20)
        assert not ender.is_alive()

    def make(self, seconds: float, took: float, start: int) -> int:
        """Write ``seconds`` of the ramp that took ``took`` to make; returns the next sample."""
        self.now += took
        end = start + round(seconds * RATE)
        assert self.sink.write(RAMP[start:end])
        return end


@pytest.mark.parametrize("sizes", [[len(RAMP)], [1, 7, 400, 401, 3000], [2048] * 12])
def test_every_sample_once_and_in_order(sizes: list[int]) -> None:
    kit, at = Kit(), 0
    for size in sizes:
        kit.sink.write(RAMP[at : at + size])
        at += size
    kit.sink.finish()
    np.testing.assert_array_equal(kit.stream.samples, RAMP[:at])
    assert kit.stream.calls == ["start", "stop", "close"]
    assert kit.sink.figures()["underruns"] == 0
    assert not kit.said


def test_nothing_to_play() -> None:
    for end in (LiveSink.finish, LiveSink.abort):
        kit = Kit()
        end(kit.sink)
        assert kit.stream.calls == ["close"]


def test_another_rate_is_resampled_without_a_seam() -> None:
    kit = Kit(device_rate=11025)
    for start in range(0, len(RAMP), 1000):
        kit.sink.write(RAMP[start : start + 1000])
    kit.sink.finish()
    assert len(kit.stream.samples) == int(np.ceil(len(RAMP) * 11025 / RATE))
    assert np.abs(np.diff(kit.stream.samples[200:-200])).max() < 2 * (RAMP[1] - RAMP[0])


def test_playing_begins_while_more_is_made() -> None:
    kit = Kit(expected_s=3.0)
    at = kit.make(0.1, 0.0, 0)
    for _ in range(4):
        at = kit.make(0.1, 0.08, at)
    assert kit.stream.entered.acquire(timeout=20), "it does not wait for the end"
    kit.sink.write(RAMP[at:])
    kit.sink.finish()
    np.testing.assert_array_equal(kit.stream.samples, RAMP)


def test_a_slow_producer_is_waited_for_and_told() -> None:
    """At half speed, half of the whole must be there before the first sample is heard."""
    kit, at = Kit(expected_s=2.0), 0
    while at < 0.8 * RATE:
        at = kit.make(0.1, 0.2 if at else 0.0, at)
    assert not kit.stream.entered.acquire(timeout=0.05)
    assert len(kit.said) == 1
    assert "playing starts in about" in kit.said[0]
    kit.stream.gate.clear()
    while at < 1.6 * RATE:
        at = kit.make(0.1, 0.2, at)
    kit.finish_held()
    np.testing.assert_array_equal(kit.stream.samples, RAMP[:at])
    assert kit.sink.figures()["underruns"] == 0


def test_the_start_buffer_is_followed() -> None:
    kit = Kit(start_buffer_ms=500)
    at = kit.make(0.4, 0.0, 0)
    assert not kit.stream.entered.acquire(timeout=0.05)
    kit.make(0.1, 9.0, at)
    assert kit.stream.entered.acquire(timeout=20)
    kit.sink.finish()
    at_once = Kit(start_buffer_ms=0)
    at_once.make(0.01, 0.0, 0)
    assert at_once.stream.entered.acquire(timeout=20)
    at_once.sink.finish()


def test_running_dry_waits_once_and_loses_nothing() -> None:
    kit = Kit(start_buffer_ms=0)
    at = kit.make(0.1, 0.0, 0)
    for _ in range(2):
        assert kit.stream.entered.acquire(timeout=20)
    while "stop" not in kit.stream.calls:  # the player stops the device when nothing is left
        threading.Event().wait(0.001)
    assert kit.said == ["the sound ran dry and waits for more"]
    at = kit.make(0.3, 0.3, at)
    assert not kit.stream.entered.acquire(timeout=0.05), "0.3 s are no cover after it ran dry"
    kit.stream.gate.clear()
    for _ in range(4):
        at = kit.make(0.2, 0.1, at)
    kit.finish_held()
    np.testing.assert_array_equal(kit.stream.samples, RAMP[:at])
    figures = kit.sink.figures()
    assert figures["underruns"] == 1
    assert figures["buffer_low_water_ms"] == 0
    assert kit.stream.calls == ["start", "stop", "start", "stop", "close"]


def test_underflows_of_the_device_count() -> None:
    kit = Kit()
    kit.stream.late = {3, 4}
    kit.sink.write(RAMP)
    kit.sink.finish()
    assert kit.sink.figures()["underruns"] == 2


def test_stop_fades_and_ends_within_a_block() -> None:
    kit = Kit()
    kit.stream.gate.clear()
    kit.sink.write(np.full(3 * RATE, 0.5, np.float32))
    stopper = threading.Thread(target=kit.sink.abort)
    with kit.sink._changed:
        kit.sink._ended = True  # covers, so that the device gets its first block
        kit.sink._changed.notify_all()
    assert kit.stream.entered.acquire(timeout=20)
    stopper.start()
    while not kit.sink._stopped:
        threading.Event().wait(0.001)
    kit.stream.gate.set()
    stopper.join(20)
    assert not stopper.is_alive()
    heard = kit.stream.samples
    assert len(heard) <= 2 * playback.BLOCK_S * RATE
    assert heard[-1] == 0
    assert np.abs(np.diff(heard)).max() < 0.01
    assert kit.stream.calls[-1] == "close"


def test_a_cancel_cuts_the_wait_for_the_end() -> None:
    cancel = CancelToken()
    kit = Kit(cancel=cancel)
    kit.stream.gate.clear()
    kit.sink.write(RAMP)
    ender = threading.Thread(target=kit.sink.finish)
    ender.start()
    assert kit.stream.entered.acquire(timeout=20)
    cancel.cancel()
    kit.stream.gate.set()
    ender.join(20)
    assert not ender.is_alive()
    assert kit.stream.calls[-1] == "close"


def test_a_lost_device_ends_the_playing_only() -> None:
    kit = Kit(start_buffer_ms=0)
    kit.stream.lost_after = 3
    at = 0
    for _ in range(20):
        at = kit.make(0.1, 0.1, at)
    kit.sink.finish()
    assert len(kit.stream.heard) == 3
    lost = [line for line in kit.said if "was lost" in line]
    assert len(lost) == 1
    assert "Device unavailable" in lost[0]


def test_a_device_that_does_not_answer_is_left() -> None:
    kit = Kit()
    kit.stream.gate.clear()
    kit.sink.write(RAMP)
    finished = threading.Event()

    def finish() -> None:
        kit.sink.finish()
        finished.set()

    threading.Thread(target=finish, daemon=True).start()
    assert kit.stream.entered.acquire(timeout=20)
    kit.now += playback.STALL_S + 1
    assert finished.wait(20)
    assert "does not answer" in kit.said[-1]
    kit.stream.gate.set()


def test_no_output_is_told_at_the_start() -> None:
    def refuse(_rate: int) -> tuple[Any, int]:
        raise DeviceError("cannot play: no device")

    with pytest.raises(DeviceError, match="no device"):
        LiveSink(opener=refuse).start(RATE)


def run_quickly(work: Callable[[], None]) -> None:
    thread = threading.Thread(target=work)
    thread.start()
    thread.join(20)
    assert not thread.is_alive()


def test_a_wasteful_number_of_chunks_is_no_trouble() -> None:
    kit = Kit()

    def work() -> None:
        for start in range(0, len(RAMP), 5):
            kit.sink.write(RAMP[start : start + 5])
        kit.sink.finish()

    run_quickly(work)
    np.testing.assert_array_equal(kit.stream.samples, RAMP)


def test_the_figures_of_a_run_have_those_of_the_player() -> None:
    """Also where nothing was played, so that readers need not ask."""
    import json

    from engine.commands.synth import Spoken, metrics_of
    from engine.types import Metrics, Summary

    summary = Summary(np.empty((10, 0), np.int32), "end", 1, Metrics())
    quiet = metrics_of(summary, Spoken())
    assert (quiet["underruns"], quiet["buffer_low_water_ms"]) == (0, None)
    for name in ("ttfa_ms", "codec_frames_decoded", "decode_batches", "decode_wall_ms"):
        assert name in quiet
    kit = Kit()
    kit.stream.late = {2}
    kit.sink.write(RAMP)
    kit.sink.finish()
    played = metrics_of(summary, Spoken(sinks=[kit.sink]))
    assert played["underruns"] == 1
    json.dumps(played)
