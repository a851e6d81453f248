"""The recorder with a fake microphone: levels, limits, lost devices, silence, true rates."""

from __future__ import annotations

import threading
import tracemalloc
from collections.abc import Iterator

import numpy as np
import pytest
from pytestqt.qtbot import QtBot
from recorder_kit import BLOCK, RATE, Booth, FakeMicrophones, microphone, voice

from app.audio.devices import SYSTEM_DEFAULT, AudioDevices, AudioUnavailableError
from app.audio.input_callback import InputCallback, InputMeter
from app.audio.recorder import MAX_LIMIT_S, RING_S, Recorder, RecordState
from engine.audio.reference_checks import check_reference, worst

OFF, ARMED, RECORDING = RecordState.OFF, RecordState.ARMED, RecordState.RECORDING


@pytest.fixture
def booth(qtbot: QtBot) -> Iterator[Booth]:
    made = Booth()
    yield made
    made.recorder.disarm()


def test_what_is_said_while_recording_is_the_clip(booth: Booth) -> None:
    before, said, after = voice(0.5), voice(2.0), voice(0.4)
    assert booth.recorder.arm()
    booth.hear(before)
    assert booth.recorder.record()
    booth.hear(said)
    booth.recorder.stop()
    booth.hear(after)
    clip = booth.clips[0]
    assert np.array_equal(clip.samples, said)
    assert (clip.rate, clip.warnings) == (RATE, ())
    assert not clip.samples.flags.writeable
    assert booth.states == [ARMED, RECORDING, ARMED]
    assert np.array_equal(np.concatenate(booth.blocks), said)
    assert all(not block.flags.writeable for block in booth.blocks)
    assert booth.recorder.seconds == 0.0


def test_samples_that_came_with_the_stop_are_kept(booth: Booth) -> None:
    said = voice(0.1)
    booth.recorder.record()
    booth.stream.feed(said[:1000])
    booth.recorder.stop()
    assert np.array_equal(booth.clips[0].samples, said[:1000])


def test_a_recording_without_arming_closes_the_microphone_with_it(booth: Booth) -> None:
    booth.recorder.record()
    stream = booth.stream
    booth.hear(voice(0.3))
    booth.recorder.stop()
    assert booth.states == [ARMED, RECORDING, OFF]
    assert stream.closed
    assert not booth.recorder._timer.isActive()
    assert len(booth.clips) == 1


def test_two_recordings_do_not_mix(booth: Booth) -> None:
    booth.recorder.arm()
    for seconds in (0.5, 0.7):
        booth.recorder.record()
        booth.hear(voice(seconds))
        booth.recorder.stop()
    assert [round(clip.seconds, 3) for clip in booth.clips] == [0.5, 0.7]
    assert np.array_equal(booth.clips[1].samples, voice(0.7))


def test_discard_keeps_nothing(booth: Booth) -> None:
    booth.recorder.arm()
    booth.recorder.record()
    booth.hear(voice(1.0))
    booth.recorder.discard()
    assert booth.recorder.state is ARMED
    assert booth.clips == booth.refusals == []
    booth.recorder.stop()
    assert booth.clips == []


def test_disarm_throws_a_running_recording_away(booth: Booth) -> None:
    booth.recorder.record()
    booth.hear(voice(1.0))
    booth.recorder.disarm()
    assert booth.recorder.state is OFF
    assert booth.stream.closed
    assert booth.clips == []


def test_the_level_is_live_and_the_lamp_stays(booth: Booth) -> None:
    booth.recorder.arm()
    booth.hear(np.full((BLOCK, 1), 0.5, np.float32))
    assert booth.levels[-1].peak_db == pytest.approx(-6.02, abs=0.01)
    assert not booth.levels[-1].clipped
    booth.hear(np.full((BLOCK, 1), -1.0, np.float32))
    booth.hear(np.full((RATE, 1), 0.01, np.float32))
    assert booth.levels[-1].peak_db == pytest.approx(-40, abs=0.01)
    assert booth.levels[-1].hold_db == pytest.approx(0, abs=0.01)
    booth.hear(np.full((2 * RATE, 1), 0.01, np.float32))
    assert -40 < booth.levels[-1].hold_db < -20
    booth.hear(np.full((2 * RATE, 1), 0.01, np.float32))
    assert booth.levels[-1].hold_db == pytest.approx(-40, abs=0.5)
    assert booth.levels[-1].clipped
    booth.recorder.reset_clip()
    assert not booth.levels[-1].clipped
    booth.hear(np.full((BLOCK, 1), 0.01, np.float32))
    assert not booth.levels[-1].clipped


def test_the_limit_ends_a_recording_to_the_sample(booth: Booth) -> None:
    booth.recorder.limit_s = 2.0
    booth.recorder.record()
    booth.hear(voice(3.0))
    assert len(booth.clips[0].samples) == 2 * RATE
    assert np.array_equal(booth.clips[0].samples, voice(3.0)[: 2 * RATE])
    assert "limit" in booth.messages[0]
    assert booth.recorder.state is OFF
    booth.recorder.limit_s = 1e9
    assert booth.recorder.limit_s == MAX_LIMIT_S


def test_a_long_time_armed_takes_no_memory(booth: Booth) -> None:
    booth.recorder.arm()
    second = voice(1.0)
    booth.levels.clear()
    booth.recorder.level_changed.disconnect()
    booth.hear(second)
    tracemalloc.start()
    for _ in range(600):
        booth.stream.feed(second)
        booth.clock.now += 1
        booth.recorder.tick()
    grown, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert grown < 1 << 20
    assert peak < 8 << 20
    assert booth.recorder._core is not None
    assert booth.recorder._core.dropped == 0


def test_overflows_are_counted_and_told(booth: Booth) -> None:
    booth.recorder.arm()
    booth.hear(voice(1.0), overflow_every=5)
    booth.recorder.record()
    booth.hear(voice(1.0), overflow_every=50)
    booth.recorder.stop()
    assert "2 times" in booth.clips[0].warnings[0]


def test_a_busy_window_loses_only_what_the_ring_cannot_hold(booth: Booth) -> None:
    booth.recorder.record()
    said = voice(RING_S + 1)
    for at in range(0, len(said), BLOCK):
        booth.stream.feed(said[at : at + BLOCK])
    booth.recorder.stop()
    clip = booth.clips[0]
    assert np.array_equal(clip.samples, said[: int(RING_S * RATE)])
    assert "1.00 s were lost" in clip.warnings[0]


def test_zeros_are_no_recording(booth: Booth) -> None:
    booth.recorder.record()
    booth.hear(np.zeros((3 * RATE, 1), np.float32))
    assert booth.access == [True]
    booth.recorder.stop()
    assert booth.clips == []
    assert "may" in booth.refusals[0]
    assert booth.access == [True, False]


def test_zeros_before_the_sound_are_noticed_but_kept(booth: Booth) -> None:
    booth.recorder.arm()
    booth.hear(np.zeros((RATE // 2, 1), np.float32))
    assert booth.access == []
    booth.hear(np.zeros((RATE, 1), np.float32))
    assert booth.recorder.no_access
    booth.hear(voice(0.1))
    assert booth.access == [True, False]
    booth.recorder.record()
    booth.hear(np.concatenate([np.zeros((3 * RATE // 2, 1), np.float32), voice(1.0)]))
    booth.recorder.stop()
    assert "1.5 s of digital silence" in booth.clips[0].warnings[0]
    assert worst(check_reference(booth.clips[0])) != "green"


def test_an_empty_recording_is_refused(booth: Booth) -> None:
    booth.recorder.record()
    booth.recorder.stop()
    assert booth.clips == []
    assert "Nothing" in booth.refusals[0]


def test_not_a_number_becomes_silence(booth: Booth) -> None:
    booth.recorder.record()
    said = voice(0.1)
    said[10], said[20] = np.nan, np.inf
    booth.hear(said)
    booth.recorder.stop()
    clip = booth.clips[0]
    assert clip.samples[10] == 0
    assert clip.samples[20] == 1
    assert booth.levels[-1].clipped


@pytest.mark.parametrize("way", ["ends", "silent"])
def test_a_lost_microphone_keeps_what_there_is(booth: Booth, way: str) -> None:
    booth.recorder.arm()
    booth.recorder.record()
    booth.hear(voice(1.0))
    if way == "ends":
        booth.stream.active = False
    booth.wait(3.0)
    assert booth.recorder.state is OFF
    assert np.array_equal(booth.clips[0].samples, voice(1.0))
    assert "lost" in booth.clips[0].warnings[-1]
    assert "lost" in booth.messages[0]
    booth.sound.devices[-1:] = [microphone("Other", 16000)]
    assert booth.recorder.record()
    assert booth.recorder.rate == 16000


def test_a_lost_microphone_that_hangs_does_not_hang_the_window(booth: Booth) -> None:
    booth.sound.hang_on_close = threading.Event()
    booth.recorder.arm()
    booth.hear(voice(0.1))
    booth.stream.active = False
    booth.wait(0.1)
    assert booth.recorder.state is OFF
    assert not booth.stream.closed
    booth.sound.hang_on_close.set()


def test_a_microphone_may_take_its_time_to_start(booth: Booth) -> None:
    booth.recorder.arm()
    booth.wait(2.5)
    assert booth.recorder.state is ARMED
    booth.wait(1.0)
    assert booth.recorder.state is OFF


@pytest.mark.parametrize(
    ("inputs", "accepts", "rate", "channels"),
    [
        ([("Phone", 16000, 1)], lambda r, c: r == 16000, 16000, 1),
        ([("Card", 96000, 2)], lambda r, c: c == 2, 96000, 2),
        ([("Odd", 192000, 2)], lambda r, c: r == 44100 and c == 2, 44100, 2),
        ([("Desk", 48000, 6)], lambda r, c: c == 6, 48000, 6),
    ],
)
def test_the_true_rate_is_kept(
    qtbot: QtBot, inputs: list[tuple[str, int, int]], accepts: object, rate: int, channels: int
) -> None:
    sound = FakeMicrophones(inputs)
    sound.accepts_input = lambda device, r, c: accepts(r, c)  # type: ignore[operator]
    booth = Booth(sound)
    booth.recorder.record()
    said = voice(0.5, rate, channels=channels)
    booth.hear(said)
    booth.recorder.stop()
    clip = booth.clips[0]
    assert (clip.rate, clip.channels) == (rate, channels)
    assert np.array_equal(clip.samples, said)


def test_devices_are_known_by_name_when_the_list_changes(qtbot: QtBot) -> None:
    sound = FakeMicrophones([("Mic", RATE, 1), ("Headset", 16000, 1)])
    booth = Booth(sound)
    keys = [device.key for device in booth.devices.inputs()]
    assert keys == ["", "Mic \u2014 ALSA", "Headset \u2014 ALSA"]
    assert [d.title for d in booth.devices.outputs()][1:] == [
        "Speakers \u2014 ALSA", "Headset \u2014 ALSA",
    ]  # fmt: skip
    booth.recorder.device_key = keys[2]
    sound.devices.reverse()
    booth.recorder.arm()
    assert booth.stream.settings["device"] == 0
    assert booth.recorder.rate == 16000
    assert not booth.messages
    booth.recorder.disarm()
    del sound.devices[0]
    booth.recorder.arm()
    assert booth.recorder.device is SYSTEM_DEFAULT
    assert "system default" in booth.messages[0]
    assert booth.recorder.device_key == keys[2]
    booth.recorder.disarm()


def test_a_rescan_waits_for_the_recording(booth: Booth) -> None:
    booth.recorder.record()
    booth.hear(voice(0.2))
    assert not booth.devices.rescan()
    assert booth.sound.terminated == 0
    booth.recorder.stop()
    assert booth.sound.terminated == 1


def test_no_microphone_and_no_portaudio_say_why(qtbot: QtBot) -> None:
    bare = Booth(FakeMicrophones([]))
    assert bare.devices.inputs() == []
    assert "No microphone" in bare.devices.input_problem

    def fail() -> None:
        raise AudioUnavailableError("The sound library PortAudio was not found.")

    recorder = Recorder(AudioDevices(fail))
    said: list[str] = []
    recorder.message.connect(said.append)
    assert recorder.devices.inputs() == []
    assert not recorder.record()
    assert recorder.state is OFF
    assert said == [recorder.devices.input_problem]


def test_a_microphone_that_will_not_open_or_start_is_told(booth: Booth) -> None:
    booth.sound.accepts_input = lambda device, rate, channels: False
    assert not booth.recorder.arm()
    assert "could not be opened" in booth.messages[-1]
    booth.sound.accepts_input = lambda device, rate, channels: True
    booth.sound.start_error = RuntimeError("busy")
    assert not booth.recorder.record()
    assert "busy" in booth.messages[-1]
    assert booth.recorder.state is OFF
    booth.sound.start_error = None
    assert booth.recorder.record()
    booth.hear(voice(0.2))
    booth.recorder.stop()
    assert len(booth.clips) == 1


def test_the_timer_alone_takes_the_samples_out(qtbot: QtBot) -> None:
    booth = Booth()
    booth.recorder._timer.setInterval(5)
    booth.recorder.record()
    booth.stream.feed(voice(0.1))
    qtbot.waitUntil(lambda: booth.recorder.seconds > 0.09, timeout=5000)
    booth.recorder.stop()
    assert np.array_equal(booth.clips[0].samples, voice(0.1))


def test_the_ring_gives_back_what_went_in_for_any_cut() -> None:
    core = InputCallback(1000, 2)
    rng = np.random.default_rng(3)
    said = voice(0.5, 48000, channels=2)
    got, at = [], 0
    while at < len(said):
        count = int(rng.integers(1, 400))
        core.capture(said[at : at + count], False)
        at += count
        if rng.integers(2) or at - sum(map(len, got)) > 500:
            got.append(core.drain())
    got.append(core.drain())
    assert np.array_equal(np.concatenate(got), said)
    assert core.dropped == 0


def test_an_empty_block_changes_no_level() -> None:
    meter = InputMeter(RATE)
    level = meter.feed(np.full((10, 1), 0.5, np.float32))
    assert meter.feed(np.zeros((0, 1), np.float32)) is level
