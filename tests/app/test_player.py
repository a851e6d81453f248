"""The player against a fake sounddevice: rows E1, E3, F1 to F4 of the known bugs."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import numpy as np
import pytest
from pytestqt.qtbot import QtBot
from studio_fakes import FRAME, RATE, Clock, FakeSoundDevice, FakeStream

from app.models.take_store import TakeFormat, TakeStore
from app.services.audio_devices import AudioDevices, AudioUnavailableError
from app.services.playback_core import FADE_S, PlaybackCore, RingBuffer
from app.services.player import WATCHDOG_S, Player, PlayState
from engine.types import AudioChunk

BLOCK = 441


class Deck:
    """A player whose time, sound card and take are moved by hand."""

    def __init__(self, sound: FakeSoundDevice | None = None) -> None:
        self.clock = Clock()
        self.sound = sound or FakeSoundDevice()
        self.devices = AudioDevices(lambda: self.sound)
        self.player = Player(self.devices, self.clock)
        self.player.set_volume(100)
        self.states: list[PlayState] = []
        self.messages: list[str] = []
        self.waits: list[float] = []
        self.player.state_changed.connect(self.states.append)
        self.player.message.connect(self.messages.append)
        self.player.waiting.connect(self.waits.append)
        self.store = TakeStore(TakeFormat(RATE, FRAME, (4096,) + (1024,) * 9))

    @property
    def stream(self) -> FakeStream:
        return self.sound.streams[-1]

    def add(self, samples: np.ndarray) -> None:
        self.store.append(AudioChunk(self.store.length, samples.astype(np.float32), RATE))

    def run(self, seconds: float) -> None:
        """Let the sound card play for a while, the timer ticking along."""
        blocks = round(seconds * RATE / BLOCK)
        for _ in range(blocks):
            self.clock.now += BLOCK / RATE
            if self.sound.streams and self.stream.active:
                frames = round(BLOCK * self.stream.samplerate / RATE)
                self.stream.pump(frames)
            self.player.tick()

    def until_idle(self, limit: float = 60.0) -> None:
        end = self.clock.now + limit
        while self.player.state is not PlayState.IDLE and self.clock.now < end:
            self.run(0.1)
        assert self.player.state is PlayState.IDLE


@pytest.fixture
def deck(qtbot: QtBot) -> Iterator[Deck]:
    made = Deck()
    made.player._timer.setInterval(1_000_000)
    yield made
    made.player.abort()


def ramp(count: int, start: int = 0) -> np.ndarray:
    """Samples that are all different from zero and tell their place."""
    values = np.arange(start, start + count, dtype=np.float64)
    return ((values % 30011 + 1) / 40000).astype(np.float32)


def heard(stream: FakeStream) -> np.ndarray:
    """What was heard without the silence around and in gaps; ramps hold no zeros."""
    return stream.sound[stream.sound != 0]


def test_a_take_is_heard_whole_and_once(deck: Deck) -> None:
    """44,137 samples do not fill the last block: its rest is silence, nothing is dropped."""
    deck.add(ramp(44_137))
    deck.store.finish()
    assert deck.player.start(deck.store)
    deck.until_idle()
    sound = deck.stream.sound
    first = int(np.flatnonzero(sound)[0])
    assert np.array_equal(sound[first : first + 44_137], ramp(44_137))
    assert not sound[first + 44_137 :].any()
    assert deck.player.position == 44_137
    assert deck.player.underruns == 0


def test_pause_and_resume_lose_nothing(deck: Deck) -> None:
    deck.add(ramp(44_137))
    deck.store.finish()
    deck.player.start(deck.store)
    for _ in range(5):
        deck.run(0.11)
        deck.player.pause()
        assert deck.player.state is PlayState.PAUSED
        silent_from = len(deck.stream.sound)
        deck.run(0.3)
        assert not deck.stream.sound[silent_from:].any()
        deck.player.resume()
    deck.until_idle()
    assert np.array_equal(heard(deck.stream), ramp(44_137))


def test_stop_fades_and_closes(deck: Deck) -> None:
    deck.add(np.full(2 * RATE, 0.5))
    deck.store.finish()
    deck.player.start(deck.store)
    deck.run(0.5)
    deck.player.stop()
    assert deck.player.state is PlayState.IDLE
    deck.run(0.3)
    sound = deck.stream.sound
    last = int(np.flatnonzero(sound)[-1])
    tail = sound[last - int(FADE_S * RATE) + 2 : last + 1]
    assert np.all(np.diff(tail) < 0)
    assert np.abs(np.diff(sound[last - 1000 : last + 2])).max() < 0.01, "no click"
    assert deck.stream.closed


def test_a_new_start_is_not_mixed_with_the_old_take(deck: Deck) -> None:
    deck.add(np.full(RATE, 0.25))
    deck.store.finish()
    deck.player.start(deck.store)
    deck.run(0.2)
    other = TakeStore(deck.store.format)
    other.append(AudioChunk(0, np.full(RATE, 0.75, np.float32), RATE))
    other.finish()
    deck.player.start(other)
    deck.until_idle()
    assert set(np.unique(deck.stream.sound)) == {np.float32(0), np.float32(0.75)}


def test_seek_plays_from_there(deck: Deck) -> None:
    deck.add(ramp(3 * RATE))
    deck.store.finish()
    deck.player.start(deck.store)
    deck.run(0.2)
    before = len(deck.stream.sound)
    deck.player.seek(2 * RATE)
    deck.until_idle()
    after = deck.stream.sound[before:]
    assert np.array_equal(after[after != 0], ramp(RATE, 2 * RATE))


def test_seek_to_the_end_ends(deck: Deck) -> None:
    deck.add(ramp(RATE))
    deck.store.finish()
    deck.player.start(deck.store, deck.store.length)
    deck.until_idle()
    assert not deck.stream.sound.any()


def feed(deck: Deck, frames: int, at: int) -> int:
    deck.add(ramp(frames * FRAME, at))
    return at + frames * FRAME


def test_a_burst_rebuffers_once_and_shows_it(deck: Deck) -> None:
    """Ten frames, 2.5 s of nothing, ninety frames, then faster than real time."""
    deck.store.expected = 400 * FRAME
    deck.player.start(deck.store)
    made = 0
    for _ in range(10):
        made = feed(deck, 1, made)
        deck.run(0.01)
    deck.run(2.5)
    made = feed(deck, 90, made)
    for _ in range(300):
        made = feed(deck, 1, made)
        deck.run(0.03)
    deck.store.finish()
    deck.until_idle()
    assert np.array_equal(heard(deck.stream), ramp(made))
    assert deck.player.underruns <= 1
    runs = [s for s in deck.states if s is PlayState.PLAYING]
    assert len(runs) <= 2
    assert deck.states.count(PlayState.BUFFERING) == len(runs)


def test_a_slow_engine_is_waited_for(deck: Deck) -> None:
    """Half real time: playing starts late enough that it never runs dry."""
    deck.store.expected = 100 * FRAME
    deck.player.start(deck.store)
    made = 0
    for _ in range(100):
        made = feed(deck, 1, made)
        deck.run(2 * FRAME / RATE)
    deck.store.finish()
    deck.until_idle()
    assert np.array_equal(heard(deck.stream), ramp(made))
    assert deck.player.underruns == 0
    finite = [w for w in deck.waits if np.isfinite(w)]
    assert finite, "it says for how long"
    assert finite[-1] < finite[0]


def test_a_fast_engine_is_heard_at_once(deck: Deck) -> None:
    deck.store.expected = 200 * FRAME
    deck.player.start(deck.store)
    made, began = 0, deck.clock.now
    for _ in range(200):
        made = feed(deck, 1, made)
        deck.run(0.02)
        if deck.player.state is PlayState.PLAYING and began:
            assert deck.clock.now - began < 0.4
            began = 0.0
    deck.store.finish()
    deck.until_idle()
    assert np.array_equal(heard(deck.stream), ramp(made))
    assert deck.player.underruns == 0
    assert deck.player.low_water_s is not None


def test_the_users_start_buffer_counts_for_the_first_start(deck: Deck) -> None:
    deck.player.start_buffer_s = 0.5
    deck.player.start(deck.store)
    made = feed(deck, 10, 0)
    deck.run(0.02)
    assert deck.player.state is PlayState.BUFFERING
    made = feed(deck, 2, made)
    deck.run(0.02)
    assert deck.player.state is PlayState.PLAYING
    deck.run(2)
    assert deck.player.state is PlayState.BUFFERING
    assert deck.player.underruns == 1
    made = feed(deck, 11, made)
    deck.run(0.02)
    assert deck.player.state is PlayState.BUFFERING, "a wish that was too small does not stutter"
    deck.store.finish()
    deck.until_idle()
    assert np.array_equal(heard(deck.stream), ramp(made))


def test_low_latency_starts_with_the_first_chunk(deck: Deck) -> None:
    deck.player.start_buffer_s = 0.0
    deck.player.start(deck.store)
    feed(deck, 1, 0)
    deck.run(0.01)
    assert deck.player.state is PlayState.PLAYING


def test_volume_glides_and_loud_samples_are_limited(deck: Deck) -> None:
    deck.add(np.full(2 * RATE, 3.0))
    deck.store.finish()
    deck.player.start(deck.store)
    deck.run(0.2)
    deck.player.set_volume(10)
    deck.run(0.2)
    sound = deck.stream.sound
    assert sound.max() <= 1.0
    assert sound[-1] == pytest.approx(3.0 * 0.01, abs=1e-3)
    after = sound[int(0.2 * RATE) :]
    assert np.abs(np.diff(after)).max() < 0.05, "no step"


def test_damaged_samples_are_silence(deck: Deck) -> None:
    samples = np.full(RATE // 2, 0.5)
    samples[100:200] = np.nan
    samples[300] = np.inf
    deck.add(samples)
    deck.store.finish()
    deck.player.start(deck.store)
    deck.until_idle()
    assert np.isfinite(deck.stream.sound).all()
    assert np.abs(deck.stream.sound).max() <= 1.0


def test_no_portaudio_says_why(qtbot: QtBot) -> None:
    def missing() -> object:
        raise AudioUnavailableError("PortAudio was not found.")

    devices = AudioDevices(missing)
    player = Player(devices)
    said: list[str] = []
    player.message.connect(said.append)
    assert devices.outputs() == []
    assert "PortAudio" in devices.problem
    assert not player.start(TakeStore(TakeFormat(RATE, FRAME, (4096,))))
    assert said == ["PortAudio was not found."]
    assert player.state is PlayState.IDLE


def test_a_device_that_appears_later_can_be_used(deck: Deck) -> None:
    deck.sound.devices = []
    assert deck.devices.outputs() == []
    assert deck.devices.problem
    deck.sound.devices = [FakeSoundDevice.device("New speakers", RATE)]
    assert deck.devices.rescan()
    assert [d.key for d in deck.devices.outputs()] == ["", "New speakers \u2014 ALSA"]
    assert deck.devices.problem == ""


@pytest.mark.parametrize("rate", [48000, 22050, 96000])
def test_a_device_that_refuses_the_rate_gets_its_own(deck: Deck, rate: int) -> None:
    """Stereo only, another rate: right pitch, right length, the same sound on both sides."""
    deck.sound.devices = [FakeSoundDevice.device("Picky", rate)]
    deck.sound.accepts = lambda r, c: r == rate and c == 2
    t = np.arange(RATE) / RATE
    for start in range(0, RATE, 3000):
        deck.add(0.5 * np.sin(2 * np.pi * 1000 * t[start : start + 3000]))
    deck.store.finish()
    assert deck.player.start(deck.store)
    deck.until_idle()
    assert deck.stream.channels == 2
    sound = deck.stream.sound
    active = np.flatnonzero(np.abs(sound) > 1e-4)
    assert active[-1] - active[0] == pytest.approx(rate, rel=0.01)
    middle = sound[active[0] + rate // 4 : active[0] + 3 * rate // 4]
    spectrum = np.abs(np.fft.rfft(middle * np.hanning(len(middle))))
    assert np.argmax(spectrum) * rate / len(middle) == pytest.approx(1000, abs=3)
    assert deck.player.position == RATE


def test_a_device_that_takes_nothing_is_named(deck: Deck) -> None:
    deck.sound.accepts = lambda r, c: False
    assert not deck.player.start(deck.store)
    assert "System default" in deck.messages[0]


def test_a_device_is_found_by_name_after_re_plugging(deck: Deck) -> None:
    deck.devices.outputs()
    deck.player.device_key = "Headset \u2014 ALSA"
    deck.sound.devices.reverse()
    deck.add(ramp(1000))
    assert deck.player.start(deck.store)
    index = deck.stream.settings["device"]
    assert deck.sound.devices[index]["name"] == "Headset"


def test_a_device_that_is_gone_falls_back_visibly(deck: Deck) -> None:
    deck.player.device_key = "Headset \u2014 ALSA"
    deck.sound.devices = deck.sound.devices[:1]
    assert deck.player.start(deck.store)
    assert deck.stream.settings["device"] is None
    assert "default" in deck.messages[0]
    assert deck.player.device_key == "Headset \u2014 ALSA", "the wish is kept"


def test_a_rescan_does_not_cut_a_running_stream(deck: Deck) -> None:
    deck.add(ramp(RATE))
    deck.store.finish()
    deck.player.start(deck.store)
    deck.run(0.1)
    assert not deck.devices.rescan()
    assert deck.sound.terminated == 0
    deck.until_idle()
    assert deck.sound.terminated == 1, "it is made up for when the stream is closed"
    assert np.array_equal(heard(deck.stream), ramp(RATE))


@pytest.mark.parametrize("how", ["inactive", "no callbacks"])
def test_a_lost_device_ends_the_playing_only(deck: Deck, how: str) -> None:
    deck.store.expected = 100 * FRAME
    deck.add(ramp(RATE))
    deck.player.start(deck.store)
    deck.run(0.5)
    if how == "inactive":
        deck.stream.active = False
        deck.player.tick()
    else:
        deck.clock.now += WATCHDOG_S + 0.1
        deck.player.tick()
    assert deck.player.state is PlayState.IDLE
    assert deck.messages
    assert "lost" in deck.messages[-1]
    deck.add(ramp(FRAME, RATE))
    assert deck.store.length == RATE + FRAME, "the take goes on"
    assert len(deck.sound.streams) == 1, "nothing moves to other speakers unasked"


def test_a_driver_that_hangs_at_close_does_not_hang_the_window(deck: Deck) -> None:
    deck.sound.hang_on_close = threading.Event()
    deck.add(ramp(RATE))
    deck.player.start(deck.store)
    deck.run(0.1)
    deck.stream.active = False
    deck.player.tick()
    assert deck.player.state is PlayState.IDLE
    assert not deck.stream.closed
    deck.sound.hang_on_close.set()


def test_a_stream_that_does_not_start_says_so(deck: Deck) -> None:
    deck.sound.start_error = deck.sound.PortAudioError("device unavailable")
    assert not deck.player.start(deck.store)
    assert "unavailable" in deck.messages[0]
    deck.sound.start_error = None
    assert deck.player.start(deck.store)


def test_late_callbacks_are_counted(deck: Deck) -> None:
    deck.add(ramp(RATE))
    deck.player.start(deck.store)
    deck.stream.pump(BLOCK, underflow=True)
    core = deck.player._core
    assert core is not None
    assert core.device_underflows == 1


def test_the_callback_allocates_no_audio_buffers() -> None:
    import tracemalloc

    core = PlaybackCore(RATE)
    core.ring = RingBuffer(RATE)
    core.ring.put(ramp(RATE))
    core.buffering = False
    out = np.zeros((4096, 2), np.float32)
    core.render(out)
    tracemalloc.start()
    for _ in range(9):
        core.render(out)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < out.nbytes // 8, "views only"


def test_ring_keeps_order_over_its_edge() -> None:
    ring = RingBuffer(1000)
    rng = np.random.default_rng(3)
    source, got, at = ramp(50_000), [], 0
    while at < len(source) or ring.available:
        count = min(int(rng.integers(0, ring.space + 1)), len(source) - at)
        ring.put(source[at : at + count])
        at += count
        out = np.zeros(int(rng.integers(1, 700)), np.float32)
        got.append(out[: ring.take(out)])
    assert np.array_equal(np.concatenate(got), source)


def test_two_threads_share_the_ring() -> None:
    ring = RingBuffer(4096)
    source = ramp(400_000)
    got: list[np.ndarray] = []

    def read() -> None:
        while not ring.ended or ring.available:
            out = np.zeros(333, np.float32)
            got.append(out[: ring.take(out)])

    reader = threading.Thread(target=read)
    reader.start()
    at = 0
    while at < len(source):
        count = min(ring.space, 500, len(source) - at)
        ring.put(source[at : at + count])
        at += count
    ring.ended = True
    reader.join()
    assert np.array_equal(np.concatenate(got), source)
